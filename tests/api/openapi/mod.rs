//! The OpenAPI document against the router: neither can change without the other.
//!
//! `document` reads the document that is served; `parameters`, `bodies`, `answers` and `routes` send requests to the
//! router in process and compare them with the document; `examples` and `page` check the rest. Each check has a
//! control: a document with a fault is detected.

mod answers;
mod bodies;
pub(crate) mod document;
mod examples;
mod grows;
mod page;
mod parameters;
mod routes;
