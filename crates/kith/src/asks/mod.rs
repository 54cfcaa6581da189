//! Asks: who asked whom for an introduction to whom, what came of it, and what that changes in answers.
//!
//! An [`event`] is written once and never changed; the events of one ask make its state ([`ask`]), those of an organization its
//! [`book`]. Over an index a book is an [`overlay`]: asks whose people are there, counted by connector and by target. What
//! people want is in [`preferences`], and [`plan`] shares out whom to ask now. [`report`] counts what came of asks, and
//! [`took`] says whether warmer ones took.

pub mod ask;
pub mod book;
pub mod caps;
#[cfg(test)]
mod drawn;
pub mod event;
pub mod overlay;
pub mod plan;
pub mod preferences;
pub mod report;
pub mod took;
