//! The networks in service, and their replacement while requests run.

pub mod networks;
pub mod reload;
