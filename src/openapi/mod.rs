//! What the API says about itself: one table, as an OpenAPI 3.1 document and as a page.
//!
//! `table` says what a row is; `endpoints`, `bodies`, `parameters` and `failures` hold the rows; path, method
//! and id of an endpoint are those of the router's table (`api/endpoints/mod.rs`), and the objects of `schemas` those
//! that the endpoints write (`api/schema.rs`).
//! `document` writes them as JSON, `page` as HTML, and `serve` answers with both. Names, bounds and
//! defaults come from the code that applies them wherever it names them; for all the rest
//! `tests/api/openapi` asks the router and holds what it says to the document.

pub mod asks;
pub mod bodies;
pub mod document;
pub mod endpoints;
pub mod failures;
pub mod page;
pub mod page_parts;
pub mod parameters;
pub mod schemas;
pub mod serve;
pub mod table;
