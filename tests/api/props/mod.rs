//! Properties: on any network and any valid request, the engine answers as the oracle does.

pub(crate) mod case;
mod paging;
mod reads;
mod warm_paths;
