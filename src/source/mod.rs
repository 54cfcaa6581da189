//! Source tables to a checked dataset; every fault is told with its file, line and field.
//!
//! How bytes become rows, from the disk inwards:
//!
//! - `folder` finds the file of each table, `blocks` unpacks it and cuts it at line ends, on one
//!   thread and never a whole table at once;
//! - `ndjson_rows` and `csv_rows` turn a block into rows, `fields` is the one form both take, and
//!   `rows` runs them on all cores and hands the results on in the order of the file;
//! - `tables` has one file for each table: its columns, their types and its own rules;
//! - [`build`] reads the tables one after the other and puts the dataset together.
//!
//! The first fault in the order of the tables and their lines is the one that is reported, whatever
//! the number of cores.

pub mod blocks;
pub mod build;
pub mod error;
pub mod freeform;
pub mod progress;

mod csv_rows;
mod fields;
mod folder;
mod ids;
mod json;
mod ndjson_rows;
mod rows;
mod tables;
