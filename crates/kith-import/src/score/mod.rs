//! The warmness of a tie, 0 to 100, with its reasons: a sum of factors with published weights (`docs/scoring.md`).
//!
//! - [`tie`] has the facts about how one person knows another;
//! - [`overlap`] finds the company where two people worked at the same time;
//! - [`weights`] are the points of each factor and how fast they fade, [`points`] adds them up;
//! - [`breakdown`] names the factors in tables and answers;
//! - [`event`] is a message, an invitation, a mail or a meeting, and [`ledger`] counts them per tie;
//! - [`seen_together`] scores people whom the files of others show together;
//! - [`evidence`] turns all of this into rows of the table of evidence.
//!
//! Pure functions: the day to which ages are counted is an argument, and every number is exact until it is rounded.

pub mod breakdown;
pub mod event;
pub mod evidence;
pub mod ledger;
pub mod overlap;
pub mod points;
pub mod seen_together;
pub mod tie;
pub mod weights;

pub(crate) mod days;
pub(crate) mod fraction;

#[cfg(test)]
mod tests;
