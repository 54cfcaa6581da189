//! The file of asks: members and connectors write it, and every later request reads it.
//!
//! `file` creates and opens it, or `server` a database for several machines; [`sql`] has statements for both, [`rows`]
//! the tables, [`store`] writes what the rules of [`kith::asks`] allow, and [`keeper`] is a server's up-to-date copy in
//! memory.

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
