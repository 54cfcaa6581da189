//! A second, slow and simple implementation of the read answers, written from the contract alone.
//!
//! It shares no code with the crate: the engine and the oracle agree only if both follow the contract. Everything is a
//! plain map, a full scan or a full sort, and every rule follows the wording of the contract. It assumes valid source
//! tables and valid requests, and checks neither.
//!
//! Reading order: `tables`, `rows`, `text` and `network` describe the data; `find`, `warm_paths`, `path`, `lists`,
//! `connections` and `opportunities` answer, `changes` compares two networks, `extras` adds the optional parts of warm
//! paths, `batch` answers many targets, `answer` chooses among them; `network_search` gives the people a search may
//! find, but not which of them fit a query; `rules` contains the known-bad variants that prove a comparison can fail;
//! `same` compares two answers; `random` draws networks and requests; `checks` tests the oracle itself.

mod answer;
mod batch;
mod changes;
mod checks;
mod connections;
mod extras;
mod find;
mod lists;
mod network;
mod network_search;
mod opportunities;
mod path;
pub(crate) mod random;
mod request;
mod rows;
mod rules;
mod same;
mod show;
mod tables;
mod text;
mod warm_paths;

pub(crate) use answer::Request;
pub(crate) use batch::{RESULT, single_request};
pub(crate) use find::handle_sent;
pub(crate) use network::Network;
pub(crate) use network_search::{NETWORKS, Pool, Search};
pub(crate) use request::{Caller, Caps};
pub(crate) use rules::{Mistake, Rules};
pub(crate) use same::same_answer;
pub(crate) use tables::Tables;
pub(crate) use text::{edit_distance, fold, match_class, plain};
