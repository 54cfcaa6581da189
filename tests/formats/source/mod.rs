//! Source tables to dataset: every rule, every fault, in every format.

mod faults;
mod files;
mod network;
mod noticed;
mod parquet;
mod rules;
