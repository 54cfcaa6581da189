//! The API's description of itself: one table, written as an OpenAPI 3.1 document and as a page.
//!
//! `table` defines the rows; `endpoints`, `bodies`, `parameters` and `failures` hold them. Path, method and id of an
//! endpoint come from the router's table (`api/endpoints/mod.rs`), and the objects of `schemas` from the endpoints' own
//! (`api/schema.rs`). `document` writes them as JSON, `page` as HTML, and `serve` answers with both. Names, bounds and
//! defaults come from the code that applies them; for everything else, `tests/api/openapi` compares the document with
//! the router's answers.

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
