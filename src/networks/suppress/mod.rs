//! The list of people to forget, as keyed hashes, and its file.
//!
//! A list does not reveal whom it names; a program with a person's handle or e-mail address can check it against the
//! list. [`crate::prepare::without`] removes these people from a network.
//!
//! - [`entry`][]: a normalized handle or address, and its hash.
//! - `known`: the keys of people in a network.
//! - [`list`]: all entries, by organization.
//! - `hashes`: the hashes of a network's people, kept with it.
//! - [`format`](mod@format): a list as text, and back; every byte is checked.
//! - [`file`](mod@file): that text on disk, changed as a whole.
//! - `marker`: the mark beside it that a list existed.
//! - [`replica`]: a list from elsewhere.
//! - [`error`]: the message of each refusal.

pub mod entry;
pub mod error;
pub mod file;
pub mod format;
pub(crate) mod hashes;
pub(crate) mod known;
pub mod list;
pub(crate) mod marker;
pub mod replica;
