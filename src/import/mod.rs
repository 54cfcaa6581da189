//! Exports that people have to contacts: the reading half of importing them.
//!
//! How the bytes of a file become contacts:
//!
//! - `decode` makes text of them, whatever encoding they are in;
//! - [`layout`] knows the header of each export, and `sniff` finds it below a preamble, by its columns and never by the
//!   file's name;
//! - `records` cuts the text below it into records, each with its line;
//! - [`contact`] makes a contact of a record, or says why it is skipped, with the help of `dates`, `profile` and
//!   `addresses`;
//! - [`read`] does all of it and counts: what was read was used or skipped.
//!
//! What is known between two people becomes a number in [`score`].
//!
//! Nothing here guesses: a date that may be two days is none, and a header that is not known is refused.

pub mod columns;
pub mod contact;
pub mod dates;
pub mod fault;
pub mod files;
pub mod interaction;
pub mod layout;
pub mod own;
pub mod read;
pub mod recurrence;
pub mod score;

mod addresses;
mod decode;
mod names;
mod nearest;
mod profile;
mod records;
mod sniff;
