//! Reload in process, over real snapshot files: storms, damaged files, who frees what is out of service,
//! and the look at an index before it serves.

pub(crate) mod site;

mod refusals;
mod retiring;
mod self_check;
mod storms;
