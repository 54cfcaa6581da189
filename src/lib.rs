//! The service and the program around the engine `kith`, which is below all of these layers.
//!
//! The folders `machine`, `observe`, `finding`, `callers`, `networks`, `answers` and `front` group the layers. Module names
//! do not include them: operators set log levels by module name (`KITH_LOG`).
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
#[path = "machine/system/mod.rs"]
mod system;
#[path = "machine/clock.rs"]
pub mod clock;
#[path = "observe/audit/mod.rs"]
pub mod audit;
#[path = "networks/memory/mod.rs"]
pub mod memory;
#[path = "observe/stderr/mod.rs"]
mod stderr;
#[path = "finding/relational/mod.rs"]
pub mod relational;
#[path = "finding/search/mod.rs"]
pub mod search;
#[path = "machine/outbound/mod.rs"]
mod outbound;
#[path = "observe/telemetry/mod.rs"]
pub mod telemetry;
#[path = "finding/language_model/mod.rs"]
pub mod language_model;
#[path = "networks/suppress/mod.rs"]
pub mod suppress;
#[path = "networks/cells/mod.rs"]
pub mod cells;
#[path = "networks/live/mod.rs"]
pub mod live;
#[path = "callers/auth/mod.rs"]
pub mod auth;
#[path = "networks/ask_file/mod.rs"]
pub mod ask_file;
#[path = "networks/exports/mod.rs"]
pub mod exports;
#[path = "callers/admission/mod.rs"]
pub mod admission;
#[path = "callers/rates.rs"]
pub mod rates;
#[path = "answers/api/mod.rs"]
pub mod api;
#[path = "answers/openapi/mod.rs"]
pub mod openapi;
#[path = "answers/mcp/mod.rs"]
pub mod mcp;
#[path = "answers/digest/mod.rs"]
mod digest;
#[path = "front/explorer/mod.rs"]
pub mod explorer;
#[path = "front/server/mod.rs"]
pub mod server;
#[path = "front/service/mod.rs"]
pub mod service;
pub mod cli;
