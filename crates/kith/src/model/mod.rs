//! The domain: the parts of a network, as plain values.
//!
//! Nothing here reads a file, knows a wire format or answers a request. Bulk data is stored in columns: one allocation per
//! field of a table, regardless of the number of rows.

pub mod aliases;
pub mod column;
pub mod count;
pub mod csr;
pub mod dataset;
pub mod edges;
pub mod evidence;
pub mod ix;
pub mod kept;
pub mod named;
pub mod preferences;
pub mod names;
pub mod nearest;
pub mod nicknames;
pub mod numbers;
#[cfg(any(test, feature = "sketch"))]
pub mod reads;
pub mod text;
pub mod time;
pub mod unseen;
pub mod vectors;
pub mod warmness;
