//! Connections: accepting them, bounding them in number and time, and ending them in order.
//!
//! `listen` accepts, `connection` serves one, `guard` is the stream between it and hyper, and
//! `refusal` writes the answers that no handler makes. `unread` deals with
//! bodies that nobody read; `tls` holds the certificate, if there is one; `socket` listens.

pub mod connection;
pub mod guard;
pub mod listen;
pub mod refusal;
pub mod socket;
pub mod tls;
mod unread;
