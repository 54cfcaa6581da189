//! Aliases of people: their owners, and their order.
//!
//! Promise: Aliases of nobody, out of order or empty are refused with their row; as source tables each counts once,
//!   whatever their order and format.
//! Control: an alias of a person who is not in the tables is refused.
//! Also in: `tests/formats/source/rules.rs`.

use kith_server::model::ix::PersonIx;
use kith_server::snapshot::ContentFault;

use crate::content::{reference, refused, set};
use crate::shape::{length, shorten};

#[test]
fn aliases_are_texts_of_people_who_are_there_and_strictly_ascend() {
    let unsorted = ContentFault::Unsorted;
    refused(&[
        (
            |d| d.people.aliases.handles.people[2] = PersonIx(8),
            "people.aliases.handles",
            Some(2),
            reference(8, 8),
        ),
        (
            |d| d.people.aliases.emails.people[1] = PersonIx(9),
            "people.aliases.emails",
            Some(1),
            reference(9, 8),
        ),
        (
            |d| set(&mut d.people.aliases.handles.texts, 1, ""),
            "people.aliases.handles",
            Some(1),
            ContentFault::Empty,
        ),
        (
            |d| set(&mut d.people.aliases.handles.texts, 1, "Ann2"),
            "people.aliases.handles",
            Some(1),
            unsorted,
        ),
        (
            |d| set(&mut d.people.aliases.handles.texts, 1, "Ann1"),
            "people.aliases.handles",
            Some(1),
            unsorted,
        ),
        (|d| d.people.aliases.handles.people.swap(1, 2), "people.aliases.handles", Some(2), unsorted),
        (|d| d.people.aliases.emails.people.swap(0, 1), "people.aliases.emails", Some(1), unsorted),
    ]);
}

#[test]
fn aliases_are_as_many_as_the_people_they_are_of() {
    refused(&[
        (|d| _ = d.people.aliases.handles.people.pop(), "people.aliases.handles", None, length(2, 3)),
        (|d| shorten(&mut d.people.aliases.handles.texts), "people.aliases.handles", None, length(3, 2)),
        (|d| _ = d.people.aliases.emails.people.pop(), "people.aliases.emails", None, length(1, 2)),
        (|d| shorten(&mut d.people.aliases.emails.texts), "people.aliases.emails", None, length(2, 1)),
    ]);
}
