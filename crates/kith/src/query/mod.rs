//! One module for each question the API answers, over one index, without IO.
//!
//! Requests are already valid, and answers are complete rows: every decision made, texts borrowed from the index, ready
//! to be written from top to bottom.

pub mod card;
pub mod changes;
pub mod company_search;
pub mod connections;
pub mod evidence;
pub mod handle;
pub mod leg;
pub mod members;
pub mod name_match;
pub mod opportunities;
pub mod page;
pub mod paths;
pub mod people_network;
pub mod people_search;
pub mod person;
pub mod quiet;
pub mod substring;

#[cfg(test)]
mod hidden;
#[cfg(test)]
pub(crate) mod tests;
