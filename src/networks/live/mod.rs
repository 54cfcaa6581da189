//! The networks in service, and their replacement while requests run.
//!
//! - [`network`][]: the index of one organization, and the file it came from.
//! - [`networks`][]: the generation in service, swapped as a whole.
//! - [`slot`]: one organization in service, its network in memory or not.
//! - [`by_need`]: more organizations in service than fit in memory.
//! - [`asked`]: a network with the asks of its organization over it.
//! - [`answers`]: written answers, for repeated questions.
//! - [`gate`][]: the only way for a request to networks, past the list of people to forget.
//! - `generation`: the number that names a generation.
//! - [`reload`], `next_generation`, `flight`: the next generation built from a folder, one reload at a time.
//! - [`suppression`], `forget`, `forgotten`: the list of people to forget, and networks without them.
//! - [`leaving`]: the people about to be forgotten, and whose answers change with that.
//! - [`predecessor`]: the previous generation, if it is kept, and the changes since.
//! - [`fit`]: whether a snapshot fits in memory beside the networks in service.
//! - `spare`: low-priority threads for loads, and whether a processor has time for them.
//! - `retire`: replaced generations, freed off the threads of requests.
//! - [`folder`], [`debounce`]: the files of the folder, and when to read them again.
//! - [`report`], `refusal`: the outcome of each file, and the status of all reloads.

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
