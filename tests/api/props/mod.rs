//! Properties: on any network and any valid request, the engine answers as the oracle does.
//!
//! Promise: Every handle and address of a person finds them, once, and forgets them; no answer shows an alias.
//! Control: the oracle without aliases is caught; without the override the other handle is another person's; a
//!   look-up of every row finds a person twice.
//! Also in: `tests/api/suppression/rebuilt.rs`, `tests/api/suppression/residues.rs`,
//!   `tests/process/importing/aliases.rs`, `crates/kith/src/graph/person_lookup.rs`.

mod again;
mod batch;
mod broken_rules;
pub(crate) mod case;
mod changes;
mod paging;
mod reads;
mod warm_paths;
