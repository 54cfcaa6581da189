//! Networks as text, for unit tests: five people and their edges read like the rule they test.
//!
//! ```text
//! member ann, bea                  # ann and bea are members, user_ann and user_bea
//! member cay as 1                  # cay is the member user_1
//! advocate zoe of ann              # zoe is an accepted advocate of ann; also: pending, declined
//! ann -80-> bob @ acme             # ann knows bob, score 80; bob works at acme
//! bob -> dan -70 school-> eve      # bob knows dan, unscored; dan knows eve, breakdown {"school":1}
//! fay                              # a person without an edge
//! gus (name: Gus Lee, city: Oslo)  # fields of the people table
//! company acme (industry: Steel)   # fields of the companies table
//! intro to bob by ann              # ann asked for an introduction to bob
//! opportunity g1 for bob by ann via dan, eve
//! ```
//!
//! One statement a line; `#` starts a comment; `-?->` is `->`. A person need not be declared: to be
//! named is enough. A name is one word of letters, digits and `_`: the person `bob` is `person_bob`,
//! with the name and the handle `bob`, and `acme` is `company_acme`. So ids ascend as names do, and a
//! tie by id is a tie by name. As in every build, an accepted advocate whom no line says that the member
//! knows is known to them unscored.
//!
//! A line that cannot be read, or a network that cannot be built, panics with what is wrong.
#![allow(clippy::panic, reason = "a sketch that cannot be read is a fault of the test that holds it")]

mod built;
mod line;
mod rows;
#[cfg(test)]
mod tests;

use std::ops::Deref;
use std::path::Path;

use crate::graph::index::GraphIndex;
use crate::model::dataset::Dataset;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::sketch::rows::Sketch;
use crate::snapshot::{SnapshotError, read};

/// Builds the dataset that `text` sketches.
///
/// # Panics
/// Panics if a line cannot be read, or the tables that the lines make are refused.
#[must_use]
#[track_caller]
pub fn dataset(text: &str) -> Dataset {
    sketched(Sketch::read(text).and_then(|sketch| sketch.build()))
}

/// Builds the index of the network that `text` sketches.
///
/// # Panics
/// Panics as [`dataset`] does.
#[must_use]
#[track_caller]
pub fn net(text: &str) -> Net {
    net_with(text, |_| ())
}

/// Like [`net`], for the dataset after `change`, which must keep its people, members and companies.
///
/// # Panics
/// Panics as [`dataset`] does.
#[must_use]
#[track_caller]
pub fn net_with(text: &str, change: impl FnOnce(&mut Dataset)) -> Net {
    let sketch = sketched(Sketch::read(text));
    let mut dataset = sketched(sketch.build());
    change(&mut dataset);
    let (people, companies) = (sketch.people.into_keys().collect(), sketch.companies.into_keys().collect());
    let members = sketch.members.into_values().collect();
    Net { index: GraphIndex::build(dataset), people, members, companies }
}

/// The dataset of the network worked out in `fixtures/tiny/README.md`, from `snapshots/tiny.kith`.
///
/// # Errors
/// Returns an error if the snapshot cannot be read.
pub fn tiny_dataset() -> Result<Dataset, SnapshotError> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../snapshots/tiny.kith");
    Ok(read::load(&file)?.dataset)
}

/// The index of that network.
///
/// # Errors
/// Returns an error if the snapshot cannot be read.
pub fn tiny() -> Result<GraphIndex, SnapshotError> {
    Ok(GraphIndex::build(tiny_dataset()?))
}

#[track_caller]
fn sketched<T>(result: Result<T, String>) -> T {
    match result {
        Ok(value) => value,
        Err(fault) => panic!("{fault}"),
    }
}

/// An index whose people, members and companies go by their names in the sketch.
#[derive(Debug)]
pub struct Net {
    index: GraphIndex,
    /// Names of the people, ascending like their ids; the same below.
    people: Vec<String>,
    /// The name of each member's person, ascending by user id.
    members: Vec<String>,
    companies: Vec<String>,
}

impl Deref for Net {
    type Target = GraphIndex;

    fn deref(&self) -> &GraphIndex {
        &self.index
    }
}

impl Net {
    /// The person called `name`.
    #[track_caller]
    pub fn person(&self, name: &str) -> PersonIx {
        PersonIx(place(&self.people, name))
    }

    /// The member whose person is called `name`.
    #[track_caller]
    pub fn member(&self, name: &str) -> MemberIx {
        MemberIx(place(&self.members, name))
    }

    /// The company called `name`.
    #[track_caller]
    pub fn company(&self, name: &str) -> CompanyIx {
        CompanyIx(place(&self.companies, name))
    }

    /// Returns the name of `person` in the sketch.
    pub fn name(&self, person: PersonIx) -> &str {
        &self.people[person.0 as usize]
    }

    /// Returns the sketch's name of the person of `member`.
    pub fn member_name(&self, member: MemberIx) -> &str {
        &self.members[member.0 as usize]
    }
}

#[track_caller]
fn place(names: &[String], name: &str) -> u32 {
    match names.iter().position(|known| known == name) {
        Some(place) => place as u32,
        None => panic!("the sketch has no {name} among {names:?}"),
    }
}
