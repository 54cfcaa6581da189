//! The list of people to forget: whom it names, as keyed hashes alone, and its file.
//!
//! Nobody can read from a list whom it names; a program that has a person's handle or e-mail address can
//! check it against the list. What a network is without those people, [`crate::prepare::without`] says.
//!
//! - [`entry`][]: a handle or an address as it is compared, and its hash.
//! - `known`: the keys by which people of a network are known, for the list.
//! - [`list`]: all entries, by organization.
//! - [`format`](mod@format): a list as text, and back; nothing in it is believed unchecked.
//! - [`file`](mod@file): that text on the disk, changed as a whole.
//! - `marker`: the mark beside it that there was a list.
//! - [`replica`]: a list that was made elsewhere.
//! - [`error`]: the message of each refusal.

pub mod entry;
pub mod error;
pub mod file;
pub mod format;
pub(crate) mod known;
pub mod list;
pub(crate) mod marker;
pub mod replica;
