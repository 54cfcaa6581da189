//! HTTP: requests in, valid questions out; answers written as JSON straight from the index.
//!
//! A handler knows the caller (`caller`), reads its parameters (`params`), asks one question of
//! `query`, and writes the answer (`json`, `person`). Errors of every kind leave through `error`,
//! and everything that leaves passes `compress` and `layers`. `openapi` tells callers about all of
//! it.

pub mod admin;
pub mod body;
pub mod caller;
pub mod companies;
pub mod compress;
pub mod connections;
pub mod error;
pub mod json;
pub mod layers;
pub mod marks;
pub mod metrics;
pub mod network_search;
pub mod openapi;
pub mod opportunities;
pub mod params;
pub mod people;
pub mod people_network;
pub mod person;
pub mod router;
pub mod state;
pub mod traces;
pub mod warm_paths;
