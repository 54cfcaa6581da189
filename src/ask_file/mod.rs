//! The file of asks: written by members and connectors, read by every request from the next one on.
//!
//! `file` makes and opens it, or `server` a database for several machines; [`sql`] words statements for both, [`rows`] are
//! the tables, [`store`] writes what the rules of [`kith::asks`] allow, and [`keeper`]
//! keeps what a server reads of it in memory, as it is on the disk at each request.

pub(crate) mod books;
pub mod database;
pub mod error;
pub mod file;
#[cfg(feature = "postgres")]
pub(crate) mod follower;
pub mod forget;
pub mod keeper;
pub mod link;
pub mod overridden;
pub mod reported;
pub mod rows;
#[cfg(feature = "postgres")]
pub(crate) mod server;
pub mod service;
pub mod sql;
pub mod store;
pub mod writing;
pub mod wrong;
