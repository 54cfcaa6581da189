//! Who is who: which rows of all files are one person (`docs/import.md`, *Who is who*).
//!
//! - `name`, `company` and `address` say when two texts are the same;
//! - `classes` are the sets of rows, which never hold two handles unless an override says so;
//! - `rules` joins them: by handle, by override, by address, and by name with company;
//! - `why` says of each row by what it was joined;
//! - `ids` gives each person an id, the one of last time if there is one.
//!
//! Every rule is applied in the order of what it compares, never of the rows, so that the result does not depend on the
//! order of files or lines.

pub mod address;
pub(crate) mod classes;
pub(crate) mod company;
pub(crate) mod company_key;
pub(crate) mod ids;
pub(crate) mod name;
pub(crate) mod rules;
pub(crate) mod why;
