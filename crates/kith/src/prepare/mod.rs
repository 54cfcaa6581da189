//! Results that depend on the tables alone, computed once when a snapshot is built; and tables without some of their
//! people.
//!
//! Loading a snapshot reads these results instead of computing them again; `kith verify` computes them again and
//! compares.

pub mod edges;
pub mod evidence;
pub mod names;
pub mod together;
pub mod without;
