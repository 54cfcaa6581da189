//! A search for a person outside the network takes the same work as one for a person who does not exist: as many rows
//! are read, for the same answer. The test counts work, because times mean nothing on a busy machine.
//!
//! Promise: Looking for a person outside takes the same work as for one who does not exist.
//! Control: looked up among everybody, as once: other work.

use std::error::Error;

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::column::TextColumn;
use crate::model::dataset::People;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::reads::rows_read;
use crate::query::page::Page;
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::find_target;
use crate::query::people_network::PersonQuery;
use crate::query::{connections, people_network, person};
use crate::sketch::dataset;

const PAGE: Page = Page { limit: 20, offset: 0 };
const STRANGERS: u64 = 200;
const WORD_LETTERS: usize = 8;
/// Indexes of the same network. Each hashes handles with its own seed: a difference between two handles is real only if
/// every index shows it.
const INDEXES: usize = 10;

/// Asks for a person by one text; returns whether one was found.
type Look = fn(&GraphIndex, &str) -> bool;

/// A question, the column of texts it is asked with, kith's answer, and the former one: looked up among everybody, and
/// refused if the person is outside.
struct Question {
    what: &'static str,
    by: fn(&People) -> &TextColumn,
    now: Look,
    among_everybody: Look,
}

const QUESTIONS: [Question; 5] = [
    Question {
        what: "people/{id}",
        by: |people| &people.ids,
        now: |index, id| person::find(index, id).is_some(),
        among_everybody: |index, id| {
            index.find_person(id).is_some_and(|person| person::degree(index, person).is_some())
        },
    },
    Question {
        what: "people/network?personId",
        by: |people| &people.ids,
        now: |index, id| people_network::find(index, PersonQuery::Id(id), false, PAGE).is_some(),
        among_everybody: |index, id| is_first_degree(index, index.find_person(id)),
    },
    Question {
        what: "people/network?linkedinId",
        by: |people| &people.handles,
        now: |index, handle| people_network::find(index, PersonQuery::Handle(handle), false, PAGE).is_some(),
        among_everybody: |index, handle| is_first_degree(index, find(index, TargetQuery::Handle(handle))),
    },
    Question {
        what: "people/network?name",
        by: |people| &people.names,
        now: |index, name| people_network::find(index, PersonQuery::Name(name), false, PAGE).is_some(),
        among_everybody: |index, name| is_first_degree(index, find(index, TargetQuery::Name(name))),
    },
    Question {
        what: "connections/second-degree?viaConnectorId",
        by: |people| &people.ids,
        now: |index, id| {
            let limits = Limits::DEFAULT;
            connections::list_second_degree(index, MemberIx(0), Some(id), PAGE, &limits).is_some()
        },
        among_everybody: |index, id| {
            let via = index.find_person(id);
            let reached = via.map(|via| {
                connections::reach(index, MemberIx(0), Some(via), PAGE, &Limits::DEFAULT).is_some()
            });
            reached.unwrap_or(false)
        },
    },
];

/// The person that `query` means among everybody.
fn find(index: &GraphIndex, query: TargetQuery<'_>) -> Option<PersonIx> {
    find_target(index, query).and_then(|(_, target)| target.person())
}

fn is_first_degree(index: &GraphIndex, person: Option<PersonIx>) -> bool {
    person.is_some_and(|person| {
        let is_known = person::degree(index, person) == Some(person::Degree::First);
        is_known && index.data.edges.out.row(person).ends.len() < usize::MAX
    })
}

/// A word that shares no part with other words.
fn word(number: u64) -> String {
    let mut rest = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number << 7);
    let letter = |_| {
        rest = rest.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (rest >> 59) as u8 % 26)
    };
    (0..WORD_LETTERS).map(letter).collect()
}

/// A few people whom a member knows, and strangers whom nobody knows and who resemble nobody: a question's cost depends
/// on the people inside that it resembles, which is no secret.
fn network_with_strangers() -> String {
    let stranger = |number| {
        let [first, last] = [word(2 * number), word(2 * number + 1)];
        format!("{first}{last} (name: {first} {last}, linkedinId: {first}-{last})\n")
    };
    let known = "
        member ann, bea
        advocate zoe of ann
        ann -80-> bob @ acme -50-> cay
        bea -70-> dee (name: Dee Fox) -20-> eve @ acme
        zoe -60-> fay (name: Fay Ode)
    ";
    known.to_owned() + &(0..STRANGERS).map(stranger).collect::<String>()
}

/// A text that differs from `text` in its last letter alone and is not in `column`.
fn nobody_like(text: &str, column: &TextColumn) -> Option<String> {
    let mut others = ('a'..='z').map(|letter| format!("{}{letter}", &text[..text.len() - 1]));
    others.find(|other| column.iter().all(|called| called != other))
}

/// Counts, in each index, the strangers for whom `look` does other work than for nobody.
fn strangers_that_differ(
    indexes: &[GraphIndex],
    question: &Question,
    look: Look,
) -> Result<u64, Box<dyn Error>> {
    let people = &indexes[0].data.people;
    let column = (question.by)(people);
    let is_stranger = |row: &u32| {
        let has_name = people.names.get(*row).len() == 2 * WORD_LETTERS + 1;
        has_name && person::degree(&indexes[0], PersonIx(*row)).is_none()
    };
    let strangers: Vec<u32> = (0..column.len() as u32).filter(is_stranger).collect();
    assert!(strangers.len() as u64 >= STRANGERS, "{} strangers", strangers.len());
    let mut differ = 0;
    for row in strangers {
        let somebody = column.get(row);
        let nobody = nobody_like(somebody, column).ok_or("every letter is taken")?;
        let differs = |index: &GraphIndex| {
            let (refused, work) = rows_read(|| !look(index, somebody));
            let (absent, work_absent) = rows_read(|| !look(index, &nobody));
            assert!(refused && absent, "{}: {somebody}, {nobody}", question.what);
            work != work_absent
        };
        differ += u64::from(indexes.iter().all(differs));
    }
    Ok(differ)
}

#[test]
fn who_is_outside_takes_as_much_work_as_nobody_and_searched_among_everybody_takes_other_work()
-> Result<(), Box<dyn Error>> {
    let dataset = dataset(&network_with_strangers());
    let indexes: Vec<GraphIndex> = (0..INDEXES).map(|_| GraphIndex::build(dataset.clone())).collect();
    for question in &QUESTIONS {
        assert_eq!(strangers_that_differ(&indexes, question, question.now)?, 0, "{}", question.what);
        let control = strangers_that_differ(&indexes, question, question.among_everybody)?;
        assert!(control > STRANGERS * 9 / 10, "control, {}: {control}", question.what);
    }
    Ok(())
}
