//! The HTTP front against slow, broken or too many peers: over real sockets, with the server in this process and short
//! deadlines.
#![allow(clippy::print_stdout, reason = "what was measured is printed")]

mod malformed;
mod mutants;
mod raw;
mod slow;
mod tls;
mod unread;
