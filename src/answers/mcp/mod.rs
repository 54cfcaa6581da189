//! The Model Context Protocol: tools for agents, over the same networks as the API.
//!
//! `rows` and `definitions` are the table of tools, built from the rows of the API's own table; `schema` writes it as
//! JSON Schema. A tool (`tools`) knows its caller (`asker`), parses its arguments with the readers of the API's
//! endpoints (`arguments`), asks the same question of `query` or `search`, and writes the resulting rows, bounded in
//! bytes (`lean`). `server` speaks the protocol through rmcp; [`endpoint`] mounts it beside the API, [`stdio`] on a
//! program's own input and output.

mod arguments;
mod ask_definitions;
mod asker;
mod cursor;
mod definitions;
pub mod endpoint;
mod lean;
mod refused;
mod rows;
mod schema;
mod server;
pub mod settings;
pub mod stdio;
mod tools;
