//! The networks in service, and their replacement while requests run.
//!
//! - [`networks`][]: the generation in service, swapped as a whole.
//! - [`gate`][]: the only way for a request to networks, past the list of people to forget.
//! - [`reload`], `pass`, `flight`: the next generation made of a folder, one reload at a time.
//! - [`suppression`], `forget`, `forgotten`: the list of people to forget, and networks without them.
//! - `retire`: what was replaced, freed off the threads of requests.
//! - [`folder`], [`watch`]: what lies in the folder, and when it is to be read again.
//! - [`report`], `refusal`: what became of each file and why, and what is known of all reloads.

mod flight;
pub mod folder;
mod forget;
mod forgotten;
pub mod gate;
pub mod networks;
mod pass;
pub mod reload;
pub mod report;
mod refusal;
mod retire;
pub mod suppression;
pub mod watch;
