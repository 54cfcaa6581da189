//! Turns people's exports into source tables: people, edges and their evidence.
//!
//! How the bytes of a file become rows:
//!
//! - [`files`] recognizes a file: a table, a workbook, an archive, cards, mail, a calendar;
//! - `archive` unpacks entries under bounds, and `workbook` reads sheets cell by cell;
//! - `decode` decodes bytes of any encoding to text;
//! - `known_exports` knows the header of each table, `sniff` finds it below a preamble, by its columns and never by the
//!   file's name, and `refused` names exports whose columns are not known for certain; [`columns`] are a manifest's
//!   mappings;
//! - `records` cuts the text below it into records, each with its line, and `table` makes rows of them: [`contact`],
//!   `linkedin` for the rest of its export, `edges` for lists of edges;
//! - `blocks` splits cards and events, `vcard` and `calendar` read them, [`recurrence`] counts the days of recurring
//!   events by a `rule`, and `mail` reads the heads of messages;
//! - [`read`] counts rows: each row read is either used or skipped.
//!
//! [`score`] turns what is known between two people into a number.
//!
//! How the rows of a team become tables:
//!
//! - [`manifest`] reads a team file into a [`plan`];
//! - `gather` reads all of its files into `rows`, small ones, and counts them in an [`outcome`];
//! - [`forgetting`] has the keys by which a person may be on the list of people to forget;
//! - [`identity`] joins rows to people, with the help of `overriding` and `correspondents`, and `people` chooses what
//!   to write of each;
//! - `ties` finds who knows whom, and counts the evidence; `histories` compares those of two holders;
//! - [`imported`] does all of it, [`tables`] writes it, and [`report`] has the outcome of each row.
//!
//! Nothing here guesses: an ambiguous date counts as none, and an unknown header is refused. Nothing here keeps what
//! people wrote to each other, or the subject.

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
pub mod side_files;
mod sniff;
mod stays;
mod table;
mod ties;
mod vcard;
mod who;
mod workbook;
