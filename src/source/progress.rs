//! What reading reports: the names of tables, and the bytes of their files.

pub use crate::progress::{Progress, Silent};
