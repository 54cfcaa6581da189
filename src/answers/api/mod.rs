//! HTTP: turns requests into valid questions, and rows into JSON.
//!
//! A handler (`endpoints`) knows the caller (`caller`), reads its parameters (`params`, `body`), asks one question of
//! `query` or `search`, and writes the rows it gets (`schema`, `fields`). Errors of every kind leave through `error`,
//! and all answers pass `compress` and `layers`.

pub mod admin;
mod again;
mod bucket;
pub mod asking;
pub mod body;
pub mod browsers;
pub mod caller;
pub mod changes;
pub mod comparing;
pub mod compress;
pub mod cookie;
pub mod cors;
pub mod doorkeeper;
pub mod endpoints;
pub mod error;
mod escape;
pub mod fields;
pub mod issuing;
pub mod json;
pub mod layers;
pub mod marks;
pub mod metrics;
pub mod params;
pub mod prefer;
mod presented;
pub mod probes;
pub(crate) mod quiet;
pub mod route;
pub mod router;
pub mod schema;
pub mod sent;
pub mod state;
pub mod target;
pub mod traces;
mod written;
