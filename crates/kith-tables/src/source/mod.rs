//! Source tables to a checked dataset; every fault is reported with its file, line and field.
//!
//! How bytes become rows, from the disk inwards:
//!
//! - `folder` finds the file of each table, `blocks` unpacks it and cuts it at line ends, on one
//!   thread and never a whole table at once;
//! - `parquet_file` cuts Parquet files into blocks of columns, whose types `parquet_schema` knows;
//! - `ndjson_rows`, `csv_rows` and `parquet_rows` turn a block into rows, `fields` is the one form all take, and
//!   `rows` runs them on all cores and hands the results on in the order of the file;
//! - [`replaced`] puts the tables of an import in place together;
//! - `tables` has one file for each table: its columns, their types and its own rules;
//! - `derived` says who worked where before, and makes ties of people who were together;
//! - [`build`] reads the tables one after the other and puts the dataset together;
//!
//! The first faults in the order of the tables and their lines are reported (`faults`), whatever the number of cores;
//! so is what was passed over (`ignored`).

pub mod blocks;
pub mod build;
pub mod earlier;
pub mod error;
pub mod faults;
pub mod freeform;
pub mod ignored;
pub mod replaced;

mod csv_rows;
mod derived;
mod fields;
mod folder;
mod ids;
mod json;
mod ndjson_rows;
mod parquet_file;
mod parquet_rows;
mod parquet_schema;
mod rows;
mod tables;
