//! Random networks and requests that reach all branches of the contract.
//!
//! Everything follows from a seed. Everything drawn is valid: the oracle and the engine must answer it.

mod batches;
mod dice;
mod distribution;
mod distribution_reads;
mod edits;
mod names;
mod network;
mod reads;
mod requests;
mod rows;
mod searches;

pub(crate) use batches::random_batch;
pub(crate) use dice::Dice;
pub(crate) use distribution::Distribution;
pub(crate) use edits::random_edits;
pub(crate) use network::{random_caps, random_network};
pub(crate) use reads::{
    random_connections, random_opportunities, random_people_network, random_person, random_request,
    random_search_companies, random_search_people, random_second_degree,
};
pub(crate) use requests::{random_caller, random_user, random_warm_paths_request};
pub(crate) use searches::{EVERYBODY, random_network_search, random_networks, random_search_query};
