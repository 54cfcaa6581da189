//! Credentials: organization keys and user tokens, and the store that knows them.
//!
//! A credential is shown once, when it is made; the store keeps only its hash. The store is one SQLite file that the
//! command line writes and a running server reads at every request, so what one process creates or revokes holds for
//! all others from the next request on.
//!
//! User tokens may also be JWTs of one configured issuer ([`jwt`]); the store knows nothing of them. Membership is not
//! checked here: only the network in service knows whether a token's user is still a member.

pub mod error;
pub mod host_name;
pub mod jwt;
pub mod link;
pub mod operator_token;
pub mod pulled;
pub mod recorder;
pub mod replica;
pub mod scope;
pub mod secret;
pub mod session;
pub mod sign_in;
pub mod store;
pub mod subject;
pub mod ttl;
pub mod verify;
pub mod web_origin;
pub mod wrong_codes;

pub(crate) mod base62;
pub(crate) mod basic;
mod changes;
pub(crate) mod clock;
pub(crate) mod database;
mod files;
#[cfg(test)]
pub(crate) mod logged;
mod reserve;
mod revocations;
mod session_key;
mod used;
