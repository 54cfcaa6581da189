//! Reads source tables into a checked dataset; every fault is reported with its file, line and field.
//!
//! How bytes become rows, starting at the disk:
//!
//! - `folder` finds the file of each table, `blocks` unpacks it and splits it at line ends, on one thread and never a
//!   whole table at once;
//! - `parquet_file` splits Parquet files into blocks of columns, with the types from `parquet_schema`;
//! - `ndjson_rows`, `csv_rows` and `parquet_rows` turn a block into rows, `fields` is their common form, and `rows`
//!   runs them on all cores and passes on the results in the order of the file;
//! - [`replaced`] replaces the tables of an import together;
//! - `tables` has one file for each table: its columns, their types and its own rules;
//! - `derived` finds former employees, and adds ties between people who were together;
//! - [`build`] reads the tables one after the other and builds the dataset.
//!
//! The first faults in the order of the tables and their lines are reported (`faults`), for any number of cores; so are
//! ignored files and fields (`ignored`).

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
