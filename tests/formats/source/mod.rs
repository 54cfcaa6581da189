//! Source tables to dataset: every rule, every fault, in every format.

mod cut;
mod faults;
mod files;
mod network;
mod noticed;
mod parquet;
mod rules;
