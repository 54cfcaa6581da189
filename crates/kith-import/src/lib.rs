//! Exports that people have to people, edges and what the edges rest on: source tables.
//!
//! How the bytes of a file become rows:
//!
//! - [`files`] sees what a file is: a table, a workbook, an archive, cards, mail, a calendar;
//! - `archive` unpacks entries under bounds, and `workbook` reads sheets cell by cell;
//! - `decode` makes text of bytes, whatever encoding they are in;
//! - `known_exports` knows the header of each table, `sniff` finds it below a preamble, by its columns and never by the file's
//!   name, and `refused` names exports whose columns are not known for certain; [`columns`] are those that a manifest names;
//! - `records` cuts the text below it into records, each with its line, and `table` makes rows of them: [`contact`],
//!   `linkedin` for the rest of its export, `edges` for lists of edges;
//! - `blocks` cuts cards and events apart, `vcard` and `calendar` read them, [`recurrence`] counts the days of what repeats by a `rule`,
//!   and `mail` reads the heads of messages;
//! - [`read`] counts: what was read was used or skipped.
//!
//! What is known between two people becomes a number in [`score`].
//!
//! What becomes of the contacts of a team:
//!
//! - [`manifest`] reads what is to be imported into a [`plan`];
//! - `gather` reads all of its files into `rows`, small ones, and counts them in an [`outcome`];
//! - [`forgetting`] says by which keys a person may be on the list of people to forget;
//! - [`identity`] says which rows are one person, `overriding` and `correspondents` help it, and `people` chooses what
//!   is written of each;
//! - `ties` says who knows whom, and counts the evidence, `histories` compares those of two holders;
//! - [`imported`] does all of it, [`tables`] writes it, and [`report`] says what became of each row.
//!
//! Nothing here guesses: a date that may be two days is none, and a header that is not known is refused. Nothing here keeps
//! what people wrote to each other, or what it was about.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod arrivals;
pub mod columns;
pub mod contact;
pub mod dates;
pub mod export;
pub mod fault;
pub mod files;
pub mod forgetting;
pub mod identity;
pub mod import_error;
pub mod imported;
pub mod interaction;
pub mod limits;
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

pub mod addresses;
mod archive;
mod blocks;
mod affiliated;
mod bounds;
mod calendar;
mod cells;
mod correspondents;
mod decode;
mod derived;
mod doubles;
mod edges;
mod gather;
mod histories;
mod known_by;
mod known_exports;
mod layout;
mod left_out;
mod linkedin;
mod mail;
mod messages;
mod named;
mod named_company;
mod names;
pub mod observed;
mod opened;
mod overriding;
mod owners;
mod people;
mod phones;
mod preferences;
mod profile;
mod recognized;
mod records;
mod refused;
mod retention;
mod rows;
mod rule;
mod sniff;
mod stays;
mod table;
mod ties;
mod vcard;
mod who;
mod workbook;
