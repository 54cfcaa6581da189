//! kith answers one question: *who can introduce us?*
//!
//! Layers, in reading order; each imports only from those above it (`ARCHITECTURE.md` has the map,
//! `tests/tidy.rs` holds the imports to it):
//!
//! - [`limits`] – every numeric bound.
//! - [`model`] – the domain as plain columns.
//! - [`embed`] – texts to vectors, by the model that ships with the program.
//! - [`prepare`] – what depends on the tables alone, computed when a snapshot is built.
//! - [`source`] – source tables to dataset.
//! - [`snapshot`] – dataset to bytes and back, nothing believed unchecked.
//! - [`generate`] – believable networks of any size from a seed.
//! - [`relational`] – the relational store beside a snapshot.
//! - [`graph`] – dataset to the immutable index that queries walk.
//! - [`query`] – one module for each question the API answers.
//! - [`search`] – plain language in, people out: parsers, engines, ranking.
//! - `file_look` – whether a file is still what it was.
//! - `outbound` – requests to the addresses that the configuration names.
//! - [`telemetry`] – traces, sent to a collector; optional.
//! - [`language_model`] – a provider that parses queries; optional.
//! - [`suppress`] – the list of people to forget.
//! - [`live`] – the index in service, and its replacement.
//! - [`auth`] – credentials.
//! - [`turns`] – who may work now: a fair share of the processors for each organization.
//! - [`api`] – HTTP.
//! - [`server`] – connections.
//! - [`cli`] – the commands.

pub mod limits;
pub mod model;
pub mod embed;
pub mod prepare;
pub mod source;
pub mod snapshot;
pub mod generate;
pub mod relational;
pub mod graph;
pub mod query;
pub mod search;
mod file_look;
mod outbound;
pub mod telemetry;
pub mod language_model;
pub mod suppress;
pub mod live;
pub mod auth;
pub mod turns;
pub mod api;
pub mod server;
pub mod cli;

#[cfg(test)]
mod sketch;
