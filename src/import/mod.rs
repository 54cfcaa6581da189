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
//! What becomes of the contacts of a team:
//!
//! - [`manifest`] reads what is to be imported into a [`plan`];
//! - `gather` reads all of its files into `rows`, small ones, and counts them in an [`outcome`];
//! - [`identity`] says which rows are one person, `overriding` and `correspondents` help it, and `people` chooses what
//!   is written of each;
//! - `ties` says who knows whom, and counts the evidence;
//! - [`imported`] does all of it, [`tables`] writes it, and [`report`] says what became of each row.
//!
//! Nothing here guesses: a date that may be two days is none, and a header that is not known is refused.

pub mod columns;
pub mod contact;
pub mod dates;
pub mod fault;
pub mod files;
pub mod identity;
pub mod imported;
pub mod interaction;
pub mod layout;
pub mod manifest;
pub mod note;
pub mod outcome;
pub mod own;
pub mod plan;
pub mod read;
pub mod recurrence;
pub mod report;
pub mod score;
pub mod tables;

mod addresses;
mod correspondents;
mod decode;
mod gather;
mod names;
mod nearest;
mod overriding;
mod people;
mod profile;
mod records;
mod rows;
mod sniff;
mod ties;
