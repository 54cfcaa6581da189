//! The OpenAPI document against the router that answers: neither can change without the other.
//!
//! `document` reads the document that is served; `parameters`, `bodies`, `answers` and `routes` ask the
//! router in process and hold what it says to it; `examples` and `page` hold the rest. Each check comes with
//! a control: a document with something wrong in it is caught.

mod answers;
mod bodies;
pub(crate) mod document;
mod examples;
mod grows;
mod page;
mod parameters;
mod routes;
