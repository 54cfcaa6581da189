//! Properties: on any network and any valid request, the engine answers as the oracle does.

mod again;
mod batch;
mod broken_rules;
pub(crate) mod case;
mod changes;
mod paging;
mod reads;
mod warm_paths;
