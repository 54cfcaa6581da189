//! Substring search over the people of a network: names, e-mail addresses, positions, companies.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use memchr::memmem::Finder;

use crate::graph::index::GraphIndex;
use crate::graph::people_text::PeopleText;
use crate::model::column::TextColumn;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::query::card::PersonCard;
use crate::query::person::{Degree, IntroAnnotation, WarmestEdge, annotation, known_by, warmest_edge};
use crate::query::substring::{as_set, rows_of, rows_within};

/// Places looked at one by one before whole columns are scanned. Common texts end here.
const FIRST_PLACES: usize = 256;
/// Each scan goes this many times as far as the one before it, so that little is scanned in vain.
const SCAN_GROWTH: usize = 16;
/// Rows in the smaller of two parts of a scan from which a second thread takes one of them. Handing work over and waiting
/// for it costs the same however little it is; `benches/handing_over.rs` measures both ways at each size.
pub const ROWS_FOR_TWO_THREADS: usize = 1 << 17;

/// A person who was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonMatch<'a> {
    /// The person, by id and name.
    pub person: PersonCard<'a>,
    /// The city they live in.
    pub city: Option<&'a str>,
    /// Their degree.
    pub degree: Degree,
    /// The warmest edge from the people one step nearer.
    pub warmest: Option<WarmestEdge<'a>>,
    /// The user ids of the members who know them, ascending.
    pub known_by: Vec<&'a str>,
    /// The introduction that the organization already asked for.
    pub intro: Option<IntroAnnotation<'a>>,
}

impl<'a> PersonMatch<'a> {
    /// All that is answered of `person`, who is of first or second degree.
    fn of(index: &'a GraphIndex, person: PersonIx) -> Self {
        let is_first = index.near.is_first_degree(person);
        let degree = if is_first { Degree::First } else { Degree::Second };
        Self {
            person: PersonCard::of(index, person),
            city: index.data.people.cities.value(person.0),
            degree,
            warmest: warmest_edge(index, person, degree),
            known_by: known_by(index, person),
            intro: annotation(index, person),
        }
    }
}

/// The people whom [`search`] finds, with all that is answered of them.
#[must_use]
pub fn find<'a>(index: &'a GraphIndex, folded: &str, limit: usize, farthest: Degree) -> Vec<PersonMatch<'a>> {
    let people = search(index, folded, limit, farthest);
    people.into_iter().map(|person| PersonMatch::of(index, person)).collect()
}

/// The first `limit` people of first degree, or of both if `farthest` is the second, whose folded name,
/// e-mail address, position or company holds `folded`; in the order of `graph::people_text`.
///
/// Exact for every text. Costs one look at each of the first places, and, if those do not suffice, scans of
/// each column's blocks that can hold the text, further and further, until enough is found.
#[must_use]
pub fn search(index: &GraphIndex, folded: &str, limit: usize, farthest: Degree) -> Vec<PersonIx> {
    let text = &index.people_text;
    let end = match farthest {
        Degree::First => text.people.partition_point(|&person| index.near.is_first_degree(person)),
        Degree::Second => text.people.len(),
    };
    let finder = Finder::new(folded);
    let mut scanned = end.min(FIRST_PLACES);
    let mut places: Vec<usize> =
        (0..scanned).filter(|&place| holds(index, place, &finder)).take(limit).collect();
    if places.len() < limit && scanned < end {
        let references = References::holding(index, &finder);
        while places.len() < limit && scanned < end {
            let next = scanned..end.min(scanned * SCAN_GROWTH);
            scanned = next.end;
            places.extend(scan(index, &finder, &references, next, limit - places.len()));
        }
    }
    places.into_iter().map(|place| text.people[place]).collect()
}

fn holds(index: &GraphIndex, place: usize, finder: &Finder<'_>) -> bool {
    let (text, row) = (&index.people_text, place as u32);
    let position = text.folded_positions.get(text.positions[place]);
    let company = text.companies[place].get();
    let company = company.map_or("", |company| index.company_text.names.get(company.0));
    [text.names.get(row), text.emails.get(row), position, company]
        .iter()
        .any(|field| finder.find(field.as_bytes()).is_some())
}

/// The first `wanted` places of `range` that hold the text, ascending.
fn scan(
    index: &GraphIndex,
    finder: &Finder<'_>,
    references: &References,
    range: Range<usize>,
    wanted: usize,
) -> Vec<usize> {
    let text = &index.people_text;
    let name_rows = text.name_blocks.may_hold(finder.needle(), range.clone());
    let email_rows = text.email_blocks.may_hold(finder.needle(), range.clone());
    let count = |ranges: &[Range<usize>]| ranges.iter().map(Range::len).sum::<usize>();
    let referring = if references.is_clear() { 0 } else { range.len() };
    let smaller = count(&email_rows).min(count(&name_rows) + referring);
    let in_column = |column, rows| rows_of(column, rows, finder).take(wanted).collect::<Vec<_>>();
    let in_names = || (in_column(&text.names, name_rows), references.find(text, range, wanted));
    let in_emails = || in_column(&text.emails, email_rows);
    let ((names, by_reference), emails) = if smaller < ROWS_FOR_TWO_THREADS {
        (in_names(), in_emails())
    } else {
        rayon::join(in_names, in_emails)
    };
    let mut places = [names, emails, by_reference].concat();
    places.sort_unstable();
    places.dedup();
    places.truncate(wanted);
    places
}

/// Which of the distinct positions and of the companies hold the text.
struct References {
    positions: FixedBitSet,
    companies: FixedBitSet,
}

impl References {
    fn holding(index: &GraphIndex, finder: &Finder<'_>) -> Self {
        let (people, companies) = (&index.people_text, &index.company_text);
        let in_column = |column: &TextColumn, blocks| {
            as_set(column, rows_within(column, blocks, finder, 0..column.len()))
        };
        Self {
            positions: in_column(&people.folded_positions, &people.position_blocks),
            companies: in_column(&companies.names, &companies.name_blocks),
        }
    }

    fn is_clear(&self) -> bool {
        self.positions.is_clear() && self.companies.is_clear()
    }

    /// The first `wanted` places of `range` whose position or company is one of these, ascending.
    fn find(&self, text: &PeopleText, range: Range<usize>, wanted: usize) -> Vec<usize> {
        if self.is_clear() {
            return Vec::new();
        }
        let is_wanted = |company: CompanyIx| self.companies.contains(company.0 as usize);
        let has_one = |&place: &usize| {
            self.positions.contains(text.positions[place] as usize)
                || text.companies[place].get().is_some_and(is_wanted)
        };
        range.filter(has_one).take(wanted).collect()
    }
}
