//! Joins the rows of all files to people (`docs/import.md`, *Who is who*).
//!
//! - `name`, `company` and `address` decide when two texts are the same;
//! - `classes` are the sets of rows, which never have two handles unless an override says so;
//! - `rules` joins them: by handle, by override, by address, with `namesakes` by name with company, with `near` by nearly
//!   the name, with `evidence` by name with position, city and owner;
//! - `alias` and `abbreviation` find the name in a profile's address, and that of a company in a domain;
//! - `why` names the rule that joined each row;
//! - `ids` gives each person an id, or that of the last import.
//!
//! Every rule is applied in the order of the values it compares, never of the rows, so that the result does not depend
//! on the order of files or lines.

mod abbreviation;
pub mod address;
mod alias;
pub(crate) mod classes;
pub(crate) mod company;
pub(crate) mod company_key;
mod evidence;
pub(crate) mod ids;
pub(crate) mod name;
mod namesakes;
mod near;
pub(crate) mod rules;
pub(crate) mod why;
