//! Asks: who asked whom for an introduction to whom, what came of it, and how that changes answers.
//!
//! An [`event`] is written once and never changed. The events of one ask give its state ([`ask`]); those of an
//! organization form its [`book`]. An [`overlay`] lays a book over an index: the asks whose people are in the index,
//! counted by connector and by target. [`preferences`] holds whom people do not want to be asked, [`plan`] decides whom
//! to ask now, [`report`] counts the outcomes of asks, and [`took`] measures whether warmer asks succeeded more often.

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
