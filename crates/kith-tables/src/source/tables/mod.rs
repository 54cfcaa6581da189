//! One file for each table: its columns, their values, and its own rules.

pub(crate) mod advocates;
pub(crate) mod affiliations;
pub(crate) mod companies;
pub(crate) mod connections;
pub(crate) mod evidence;
pub(crate) mod intro_requests;
pub(crate) mod members;
pub(crate) mod opportunities;
pub(crate) mod organization;
pub(crate) mod people;
pub(crate) mod person_aliases;
pub(crate) mod preferences;
