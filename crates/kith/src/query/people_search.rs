//! Substring search over the people of a network: names, e-mail addresses, positions, companies.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use memchr::memmem::Finder;

use crate::graph::index::GraphIndex;
use crate::graph::people_text::PeopleText;
use crate::model::column::TextColumn;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::named::named;
use crate::query::card::PersonCard;
use crate::query::page::Page;
use crate::query::person::{
    Degree, IntroAnnotation, MemberTie, WarmestEdge, annotation, known_by, ties, warmest_edge,
};
use crate::query::substring::{RowsHolding, as_set, rows_of, rows_within};

/// Rows scanned before their yield decides how to go on. Common texts end here.
const FIRST_PLACES: usize = 256;
/// Rows scanned together, since their names and addresses are adjacent.
const PLACES_AT_ONCE: usize = 64;
/// Bytes of a column scanned in the time of one look-up of a row's position and company.
const BYTES_FOR_A_LOOK: usize = 512;
/// Each scan goes this many times as far as the one before it, so that little is scanned in vain.
const SCAN_GROWTH: usize = 16;
/// Rows in the smaller part of a split scan from which a second thread pays off. The hand-over costs the same at any
/// size; `benches/handing_over.rs` measures both ways at each size.
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
    /// The members who know them, if requested.
    pub ties: Option<Vec<MemberTie<'a>>>,
    /// The introduction that the organization already requested.
    pub intro: Option<IntroAnnotation<'a>>,
}

/// An optional part of an answer about people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeopleExtra {
    /// The fields of a page, and the number of all matches.
    Page,
    /// The members who know each person.
    Ties,
}

named! {
    /// Both.
    PeopleExtra { Page = "page", Ties = "ties" }
}

impl<'a> PersonMatch<'a> {
    /// The complete row of `person`, who is of first or second degree.
    fn of(index: &'a GraphIndex, person: PersonIx, has_ties: bool) -> Self {
        let is_first = index.near.is_first_degree(person);
        let degree = if is_first { Degree::First } else { Degree::Second };
        Self {
            person: PersonCard::of(index, person),
            city: index.data.people.cities.value(person.0),
            degree,
            warmest: warmest_edge(index, person, degree),
            known_by: known_by(index, person),
            ties: has_ties.then(|| ties(index, person)),
            intro: annotation(index, person),
        }
    }
}

/// The people that [`search`] finds, as complete rows.
#[must_use]
pub fn find<'a>(index: &'a GraphIndex, plain: &str, limit: usize, farthest: Degree) -> Vec<PersonMatch<'a>> {
    let people = search(index, plain, limit, farthest);
    people.into_iter().map(|person| PersonMatch::of(index, person, false)).collect()
}

/// A page of the people who match, and the number of matches; with their ties if `has_ties`.
///
/// If it `counts`, it looks at everybody and counts all matches; otherwise it costs [`search`] up to the end of the
/// page, and counts only those.
#[must_use]
pub fn find_page<'a>(
    index: &'a GraphIndex,
    plain: &str,
    page: Page,
    farthest: Degree,
    (counts, has_ties): (bool, bool),
) -> (Vec<PersonMatch<'a>>, u64) {
    let all = index.people_text.people.len();
    let place = |place: u64| usize::try_from(place).map_or(all, |place| place.min(all));
    let (start, end) = (place(page.offset), place(page.end()));
    let people = search(index, plain, if counts { all } else { end }, farthest);
    let of_page = people.get(start.min(people.len())..end.min(people.len())).unwrap_or_default();
    let rows = of_page.iter().map(|&person| PersonMatch::of(index, person, has_ties));
    (rows.collect(), people.len() as u64)
}

/// The first `limit` people of first degree, or of both if `farthest` is the second, whose plain name, e-mail address,
/// position or company contains `plain`; in the order of `graph::people_text`.
///
/// Exact for every text. Looks at each of the first rows, and at as many more as should suffice if that is cheaper than
/// scans; otherwise scans each column's blocks that can contain the text, further and further, until it has enough.
#[must_use]
pub fn search(index: &GraphIndex, plain: &str, limit: usize, farthest: Degree) -> Vec<PersonIx> {
    let text = &index.people_text;
    let end = match farthest {
        Degree::First => text.people.partition_point(|&person| index.near.is_first_degree(person)),
        Degree::Second => text.people.len(),
    };
    let finder = Finder::new(plain);
    let (mut places, mut scanned) = (Vec::new(), 0);
    let mut worth_a_look = end.min(FIRST_PLACES);
    while places.len() < limit && scanned < worth_a_look {
        let next = scanned..worth_a_look.min(scanned + PLACES_AT_ONCE);
        scanned = next.end;
        places.extend(look_at(index, &finder, next).take(limit - places.len()));
        if scanned == worth_a_look {
            worth_a_look = end.min(scanned + looks_to_come(index, places.len(), scanned, limit));
        }
    }
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

/// Estimates the further rows to look at for a page of `limit`, given `found` among the first `scanned`; 0 if scans of
/// positions and companies cost less.
fn looks_to_come(index: &GraphIndex, found: usize, scanned: usize, limit: usize) -> usize {
    if found == 0 {
        return 0;
    }
    let bytes = |column: &TextColumn| column.parts().1.len();
    let looks = (scanned * limit.saturating_sub(found)).div_ceil(found);
    let scans = bytes(&index.people_text.plain_positions) + bytes(&index.company_text.names);
    if looks * BYTES_FOR_A_LOOK <= scans { looks } else { 0 }
}

/// The rows of `range` that contain the text, ascending; a lazy iterator.
fn look_at<'a>(
    index: &'a GraphIndex,
    finder: &'a Finder<'a>,
    range: Range<usize>,
) -> impl Iterator<Item = usize> + 'a {
    let text = &index.people_text;
    let mut names = RowsHolding::new(&text.names, finder, range.clone()).peekable();
    let mut emails = RowsHolding::new(&text.emails, finder, range.clone()).peekable();
    let holds = move |folded: &str| finder.find(folded.as_bytes()).is_some();
    range.filter(move |place| {
        let (in_name, in_email) = (names.next_if_eq(place).is_some(), emails.next_if_eq(place).is_some());
        in_name
            || in_email
            || holds(text.plain_positions.get(text.positions[*place]))
            || text.companies[*place]
                .get()
                .is_some_and(|company| holds(index.company_text.names.get(company.0)))
    })
}

/// The first `wanted` rows of `range` that contain the text, ascending.
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

/// The distinct positions, and the companies, that contain the text.
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
            positions: in_column(&people.plain_positions, &people.position_blocks),
            companies: in_column(&companies.names, &companies.name_blocks),
        }
    }

    fn is_clear(&self) -> bool {
        self.positions.is_clear() && self.companies.is_clear()
    }

    /// The first `wanted` rows of `range` with one of these positions or companies, ascending.
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
