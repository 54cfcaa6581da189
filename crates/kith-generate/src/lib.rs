//! Believable networks of any size from a seed, written as source tables.
//!
//! The same [`plan::Plan`] gives the same bytes on every machine: all chance comes from one cipher
//! stream for each table, and all arithmetic is on whole numbers. Rows are written as they are
//! made; what is kept in memory is a dozen bytes for each person and a name for each company.
//! Everybody and every company here is made up.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod demo;
pub mod folder;
pub mod plan;
pub mod write;

mod companies;
mod company_table;
mod connections;
mod dice;
mod ghosts;
mod histories;
mod ids;
mod intros;
mod name_words;
mod names;
mod output;
mod people;
mod places;
mod positions;
mod role_tables;
mod roles;
mod times;
mod world;
