//! The service and the program around the engine `kith`, which is below all of these layers.
//!
//! Layers, in reading order; each imports only from those above it (`ARCHITECTURE.md` has the map, `tests/tidy` holds
//! the imports to it):
//!
//! - [`limits`] – the bounds that operators and callers can notice.
//! - `system` – the differences of Unix and Windows in signals, users and limits.
//! - [`clock`] – the machine's clock: the time, and sleeping threads.
//! - [`audit`] – the audit log: its events, under a target of their own.
//! - [`memory`] – how much memory the process may still take.
//! - `stderr` – lines to stderr, written by a separate thread.
//! - [`relational`] – the relational store beside a snapshot.
//! - [`search`] – plain language in, people out: parsers, engines, ranking.
//! - `outbound` – requests to the addresses that the configuration names.
//! - [`telemetry`] – traces, sent to a collector; optional.
//! - [`language_model`] – a provider that parses queries; optional.
//! - [`suppress`] – the list of people to forget.
//! - [`cells`] – which replicas serve which organizations, and how snapshots get there.
//! - [`live`] – the networks in service, and their replacement.
//! - [`auth`] – credentials.
//! - [`ask_file`] – the file of asks: who was asked, and what came of it.
//! - [`exports`] – the exports that colleagues bring over links, sealed.
//! - [`admission`] – admission control: a fair share of the processors for each organization.
//! - [`rates`] – how many requests each credential may send.
//! - [`api`] – HTTP.
//! - [`openapi`] – the API's description of itself.
//! - [`mcp`] – the tools that agents call.
//! - `digest` – what is new since the snapshot before, for commands and for the feed.
//! - [`explorer`] – the page for people.
//! - [`server`] – connections.
//! - [`service`] – the composition root: a running service, put together from the rooms above.
//! - [`cli`] – the commands.

// Unit tests are free of it, and other crates of this package do not ask for it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub use kith::{file_system, graph, model, prepare, query, regular_file, snapshot};

pub mod limits;
mod system;
pub mod clock;
pub mod audit;
pub mod memory;
mod stderr;
pub mod relational;
pub mod search;
mod outbound;
pub mod telemetry;
pub mod language_model;
pub mod suppress;
pub mod cells;
pub mod live;
pub mod auth;
pub mod ask_file;
pub mod exports;
pub mod admission;
pub mod rates;
pub mod api;
pub mod openapi;
pub mod mcp;
mod digest;
pub mod explorer;
pub mod server;
pub mod service;
pub mod cli;
