//! Connections: accepting them, bounding them in number and time, and ending them in order.
//!
//! `listen` accepts, `places` counts, `peers` bounds those of one peer, `connection` serves one: it waits in `head`
//! for a request and hands it to hyper. `guard` is the stream between them, and
//! `refusal` writes the answers that no handler makes. `unread` deals with
//! bodies that nobody read; `budget` bounds the bytes of all connections, and `charged` those of answers; `returning` gives
//! back what ended connections and loads held; `tls` holds the certificate, if there is one; `socket` listens.

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
