//! The HTTP front against peers that are slow, broken or too many: over real sockets, with the server in
//! this process and deadlines that are short.
#![allow(clippy::print_stdout, reason = "what was measured is printed")]

mod malformed;
mod mutants;
mod raw;
mod slow;
mod tls;
mod unread;
