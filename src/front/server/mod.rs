//! Connections: accepts them, bounds their number and time, and ends them in order.
//!
//! `listen` accepts, `places` counts, `peers` bounds those of one peer, `connection` serves one: it waits in `head` for
//! a request and hands it to hyper. `guard` is the stream between them, and `refusal` writes the answers that no
//! handler makes. `unread` handles unread bodies; `budget` bounds the bytes of all connections, and `charged` charges
//! answers to it; `returning` returns freed memory to the system; `tls` holds the certificate; `socket` listens.

pub mod budget;
mod charged;
pub mod connection;
pub mod guard;
mod head;
pub mod listen;
pub mod peers;
pub mod places;
pub mod refusal;
pub(crate) mod returning;
pub mod socket;
pub mod tls;
mod unread;
