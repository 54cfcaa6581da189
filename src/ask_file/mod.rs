//! The file of asks: written by members and connectors, read by every request from the next one on.
//!
//! `file` makes and opens it, [`rows`] are its rows, [`store`] writes what the rules of [`kith::asks`] allow, and [`keeper`]
//! keeps what a server reads of it in memory, as it is on the disk at each request.

pub mod error;
pub mod file;
pub mod forget;
pub mod keeper;
pub mod link;
pub mod overridden;
pub mod rows;
pub mod service;
pub mod store;
pub mod writing;
pub mod wrong;
