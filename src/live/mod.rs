//! The networks in service, and their replacement while requests run.
//!
//! - [`network`][]: the index of one organization, and the file it came from.
//! - [`networks`][]: the generation in service, swapped as a whole.
//! - [`slot`]: one organization in service, its network in memory or not.
//! - [`by_need`]: more organizations in service than fit in memory.
//! - [`asked`]: a network with the asks of its organization over it.
//! - [`answers`]: answers that were written, for those who ask the same again.
//! - [`gate`][]: the only way for a request to networks, past the list of people to forget.
//! - `generation`: what a generation is called.
//! - [`reload`], `next_generation`, `flight`: the next generation built from a folder, one reload at a time.
//! - [`suppression`], `forget`, `forgotten`: the list of people to forget, and networks without them.
//! - [`leaving`]: who is about to be forgotten, and whose answers change with that.
//! - [`predecessor`]: the generation before the one in service, if it is kept, and what changed since.
//! - [`fit`]: whether a snapshot fits in memory beside what is in service.
//! - `spare`: threads for loads that can wait, and whether a processor has time for them.
//! - `retire`: replaced generations, freed off the threads of requests.
//! - [`folder`], [`debounce`]: the files of the folder, and when they are to be read again.
//! - [`report`], `refusal`: what became of each file and why, and what is known of all reloads.

pub mod answers;
pub mod asked;
pub mod by_need;
pub mod debounce;
pub mod fit;
mod flight;
pub mod folder;
mod forget;
mod forgotten;
pub mod gate;
pub mod leaving;
pub mod network;
pub mod networks;
mod generation;
mod next_generation;
pub mod predecessor;
pub mod reload;
pub mod report;
pub(crate) mod refusal;
mod retire;
pub mod slot;
mod spare;
pub mod suppression;
