//! Conditions on counts and ties: a company's size, the number of a person's connections, the warmth of the edge to
//! them.
//!
//! The size comes from the table of companies (`minSize`, `maxSize`), the number of connections from the table of
//! people (`connectionsCount`). Neither is counted from the tables' rows: a network has few of a company's people, and
//! no order may reveal who is outside.

use fixedbitset::FixedBitSet;

use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::time::Timestamp;
use crate::query::quiet::newest_evidence;
use crate::search::conditions::{Measure, Silence, TermKind};
use crate::search::fit::{Fit, Fits, MATCH};
use crate::search::numbers::{counted, size};
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::pool::{OUTSIDE, Pool};
use crate::search::silence::find_silence;
use crate::search::sizes::{self, find_size};
use crate::search::words::plain_words;

/// The fit of a person whose number is known, if the highest numbers come first.
const KNOWN: Fit = 224;
/// The coldness of an edge without a score.
const UNSCORED: u8 = 101;
const DAY_SECONDS: i64 = 86_400;

/// The main order of the people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankOrder {
    /// Their connections, most first.
    Connections,
    /// The warmth of the edge to them.
    Warmth,
}

/// The measure in the words of a term of `kind`, if any.
#[must_use]
pub fn read(kind: TermKind, text: &str) -> Option<Measure> {
    let folded = plain_words(text);
    let words: Vec<&str> = folded.iter().map(String::as_str).collect();
    let said = match kind {
        TermKind::Size => longest(&words, |phrase| find_size(phrase).map(|word| Measure::Size(word.span))),
        TermKind::Connections => longest(&words, |phrase| match find_cue(phrase)? {
            Cue::Ties(measure) => Some(measure),
            Cue::NotAsked => Some(Measure::Asked),
            _ => None,
        }),
        TermKind::Silence => return find_silence(text).map(|said| Measure::Silent(said.silence)),
        _ => return None,
    };
    let number = || match kind {
        TermKind::Size => size(text).map(Measure::Size),
        _ => counted(text)
            .first()
            .map(|counted| counted.measure)
            .or_else(|| size(text).map(Measure::Connections)),
    };
    said.or_else(number)
}

/// The measure in the longest run of `words` that has one.
fn longest(words: &[&str], says: impl Fn(&str) -> Option<Measure>) -> Option<Measure> {
    (1..=words.len())
        .rev()
        .find_map(|length| words.windows(length).find_map(|window| says(&window.join(" "))))
}

/// The order that `measure` asks for.
#[must_use]
pub fn order(measure: Measure) -> Option<RankOrder> {
    match measure {
        Measure::WellConnected | Measure::MostConnected => Some(RankOrder::Connections),
        Measure::Warmest => Some(RankOrder::Warmth),
        Measure::Size(_)
        | Measure::Connections(_)
        | Measure::Asked
        | Measure::Silent(_)
        | Measure::KnownBy(_) => None,
    }
}

/// The number of connections that exceeds those of three quarters of `people` whose number is known. Costs a pass over
/// them.
#[must_use]
pub fn well_connected_from(index: &GraphIndex, people: &FixedBitSet) -> Option<u64> {
    let counts =
        people.ones().filter_map(|person| index.data.people.connections_count(PersonIx(person as u32)));
    let mut counts: Vec<u64> = counts.collect();
    let place = counts.len() * 3 / 4;
    (!counts.is_empty()).then(|| *counts.select_nth_unstable(place).1)
}

/// How well `measure` fits everybody. Costs a look at each company, or at each person.
#[must_use]
pub fn fits(index: &GraphIndex, well_connected: Option<u64>, pool: &Pool<'_>, measure: Measure) -> Fits {
    let people = 0..index.data.people.len() as u32;
    let by_count = |fit: &dyn Fn(u64) -> Fit| {
        people
            .clone()
            .map(|person| index.data.people.connections_count(PersonIx(person)).map_or(0, fit))
            .collect()
    };
    let is_match = |holds: bool| if holds { KNOWN } else { MATCH / 2 };
    match measure {
        Measure::Size(span) => {
            let companies = (0..index.data.companies.names.len() as u32).map(CompanyIx);
            let table = &index.data.companies;
            let fit = |company| sizes::fit(span, table.min_size(company), table.max_size(company));
            Fits { companies: companies.map(fit).collect(), ..Fits::default() }
        }
        Measure::Connections(span) => {
            Fits { people: by_count(&|count| is_match(span.holds(count))), ..Fits::default() }
        }
        Measure::WellConnected => {
            let least = well_connected.unwrap_or(0);
            Fits { people: by_count(&|count| is_match(count >= least)), ..Fits::default() }
        }
        Measure::MostConnected => Fits { people: by_count(&|_| KNOWN), ..Fits::default() },
        Measure::Warmest => {
            let fit = |&coldness: &u8| if coldness < UNSCORED { KNOWN } else { 0 };
            Fits { people: pool.coldness().iter().map(fit).collect(), ..Fits::default() }
        }
        Measure::Asked => {
            let mut people = vec![0; index.data.people.len()];
            index.requested.people().for_each(|person| people[person.0 as usize] = Fit::MAX);
            Fits { people, ..Fits::default() }
        }
        Measure::Silent(silence) => {
            let mut people = vec![0; index.data.people.len()];
            if let Some(last) = last_day_of(silence, index) {
                let is_silent = |&(_, at): &(PersonIx, Timestamp)| at < last;
                let contacts = pool.last_contacts().into_iter().filter(is_silent);
                contacts.for_each(|(person, _)| people[person.0 as usize] = Fit::MAX);
            }
            Fits { people, ..Fits::default() }
        }
        Measure::KnownBy(knowing) => {
            let mut people = vec![0; index.data.people.len()];
            for person in knowing.into_iter().flatten() {
                let known = index.data.edges.out.row(person).iter();
                known.for_each(|(person, _)| people[person.0 as usize] = KNOWN);
            }
            Fits { people, ..Fits::default() }
        }
    }
}

/// The moment before which the newest evidence of a silent tie must be, if there is any evidence.
fn last_day_of(silence: Silence, index: &GraphIndex) -> Option<Timestamp> {
    let newest = newest_evidence(index)?;
    match silence {
        Silence::Days(days) => {
            // A tie of exactly that many days ago is silent.
            Timestamp::new(newest.seconds - i64::from(days) * DAY_SECONDS + 1, 0)
        }
        Silence::Since(year) => Timestamp::parse(&format!("{:04}-01-01T00:00:00Z", year + 1)),
    }
}

/// The name of the first of the people in `measure` who knows `person`, if any.
#[must_use]
pub fn knower(index: &GraphIndex, measure: Measure, person: u32) -> Option<&str> {
    let Measure::KnownBy(knowing) = measure else { return None };
    let knows = |knower: &PersonIx| index.data.edges.out.row(*knower).iter().any(|(end, _)| end.0 == person);
    let knower = knowing.into_iter().flatten().find(knows)?;
    Some(index.data.people.names.get(knower.0))
}

/// The sort key of `person` in `order`; unknown values come last.
#[must_use]
pub fn place(order: RankOrder, index: &GraphIndex, coldness: u8, person: u32) -> u64 {
    match order {
        RankOrder::Connections => {
            index.data.people.connections_count(PersonIx(person)).map_or(u64::MAX, |count| !count)
        }
        RankOrder::Warmth => u64::from(coldness),
    }
}

/// Whether everything that a condition of `kind` looks at is unknown for `person`: it may or may not exclude them.
#[must_use]
pub fn is_unknown(
    index: &GraphIndex,
    kind: TermKind,
    measure: Option<Measure>,
    coldness: u8,
    person: u32,
) -> bool {
    let people = &index.data.people;
    let company = people.company(PersonIx(person));
    let none = |text: Option<&str>| text.is_none_or(str::is_empty);
    match (kind, measure) {
        (TermKind::Role | TermKind::Seniority, _) => none(people.positions.value(person)),
        (TermKind::Company, _) => company.is_none(),
        (TermKind::Industry, _) => company.is_none_or(|it| none(index.data.companies.industries.value(it.0))),
        (TermKind::Place, _) => {
            none(people.cities.value(person))
                && none(people.countries.value(person))
                && company.is_none_or(|it| none(index.data.companies.headquarters.value(it.0)))
        }
        (TermKind::Size, _) => company.is_none_or(|it| {
            index.data.companies.min_size(it).is_none() && index.data.companies.max_size(it).is_none()
        }),
        (TermKind::Connections, Some(Measure::Warmest)) => coldness >= UNSCORED && coldness != OUTSIDE,
        (TermKind::Connections, Some(Measure::Asked)) | (TermKind::Relation | TermKind::Silence, _) => false,
        (TermKind::Connections, _) => people.connections_count(PersonIx(person)).is_none(),
        (TermKind::Name | TermKind::Topic, _) => false,
    }
}
