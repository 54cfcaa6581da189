//! Connections: accepting them, bounding them in time, and ending them in order.

pub mod listen;
