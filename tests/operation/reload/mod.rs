//! Reload in process, over real snapshot files: storms, damaged files, the freeing of replaced networks, and the
//! self-check of an index before it serves.

pub(crate) mod site;

mod refusals;
mod retiring;
mod self_check;
mod storms;
