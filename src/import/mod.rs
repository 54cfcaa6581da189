//! Exports that people have to contacts, and to what shows how well people know each other: the reading half of importing
//! them.
//!
//! How the bytes of a file become rows:
//!
//! - [`files`] sees what a file is: a table, a workbook, an archive, cards, mail, a calendar;
//! - `archive` unpacks entries under bounds, and `workbook` reads sheets cell by cell;
//! - `decode` makes text of bytes, whatever encoding they are in;
//! - [`layout`] knows the header of each table, `sniff` finds it below a preamble, by its columns and never by the file's
//!   name, and `refused` names exports whose columns are not known for certain; [`columns`] are those that a manifest names;
//! - `records` cuts the text below it into records, each with its line, and `table` makes rows of them: [`contact`],
//!   `linkedin` for the rest of its export, `edges` for lists of edges;
//! - `blocks` cuts cards and events apart, `vcard` and `calendar` read them, [`recurrence`] counts the days of what repeats,
//!   and `mail` reads the heads of messages;
//! - [`read`] counts: what was read was used or skipped.
//!
//! Nothing here guesses: a date that may be two days is none, and a header that is not known is refused. Nothing here keeps
//! what people wrote to each other, or what it was about.

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

mod addresses;
mod archive;
mod blocks;
mod bounds;
mod calendar;
mod cells;
mod decode;
mod edges;
mod linkedin;
mod mail;
mod names;
mod profile;
mod records;
mod refused;
mod sniff;
mod table;
mod vcard;
mod workbook;
