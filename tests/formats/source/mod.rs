//! Source tables to dataset: every rule, every fault, in both formats.

mod faults;
mod files;
mod network;
mod noticed;
mod rules;
