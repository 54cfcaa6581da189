//! A member's contacts, and the people behind them: a bounded window, warmest first.
//!
//! Promise: The second-degree window passes over who is known already, and a request reads a bounded number of edges.
//! Control: the rule before, all edges read, and edges left unread not counted, as broken rules of the oracle.
//! Also in: `tests/api/props/reads.rs`, `tests/api/real_networks.rs`.

use std::hint::black_box;

use fixedbitset::FixedBitSet;

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::edges::{Adjacency, Row};
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::warmness::Warmness;
use crate::query::card::PersonCard;
use crate::query::page::{Page, Top};

/// The page of the people `member` has an edge to, by folded name, then id; and the number of all of them. Costs one
/// pass over the member's edges.
#[must_use]
pub fn list(index: &GraphIndex, member: MemberIx, page: Page) -> (Vec<PersonCard<'_>>, u64) {
    let contacts = index.data.edges.out.row(index.data.members.person(member)).ends;
    let mut top = Top::for_page(page);
    contacts.iter().for_each(|&person| top.offer(index.person_names().rank(person.0)));
    let order = &index.person_names().table.order;
    let people = top.into_page(page).into_iter().map(|rank| PersonIx(order[rank as usize]));
    (people.map(|person| PersonCard::of(index, person)).collect(), contacts.len() as u64)
}

/// A page of the people behind a member's contacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondDegreePage<'a> {
    /// The people, warmest first.
    pub people: Vec<ReachedPerson<'a>>,
    /// The number of distinct people in the window.
    pub total: u64,
    /// The number of contacts considered.
    pub bridges: u32,
    /// Whether a bound left something out.
    pub capped: bool,
}

/// A person behind a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachedPerson<'a> {
    /// The person, by id and name.
    pub person: PersonCard<'a>,
    /// How well the contact knows them, 0 to 100.
    pub warmness: Option<u8>,
    /// The contact in between.
    pub via: PersonCard<'a>,
}

/// The people that [`reach`] finds, with their cards; `via` is the id of a contact. `None` if no contact has this id;
/// other people are not looked at.
#[must_use]
pub fn list_second_degree<'a>(
    index: &'a GraphIndex,
    member: MemberIx,
    via: Option<&str>,
    page: Page,
    limits: &Limits,
) -> Option<SecondDegreePage<'a>> {
    let via = match via {
        // Every contact is of first degree; finding anybody else takes as long as finding nobody.
        Some(id) => Some(index.inside.find_first_degree(&index.data.people.ids, id)?),
        None => None,
    };
    reach(index, member, via, page, limits).map(|found| SecondDegreePage::of(index, found))
}

impl<'a> SecondDegreePage<'a> {
    /// Builds the rows of `found`, which must come from `index`.
    #[must_use]
    pub fn of(index: &'a GraphIndex, found: SecondDegree) -> Self {
        let row = |reached: Reached| ReachedPerson {
            person: PersonCard::of(index, reached.person),
            warmness: reached.score.score(),
            via: PersonCard::of(index, reached.bridge),
        };
        let SecondDegree { people, total, bridges, capped, .. } = found;
        Self { people: people.into_iter().map(row).collect(), total, bridges, capped }
    }
}

/// A person reached over a contact, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The person.
    pub person: PersonIx,
    /// How well the bridge knows them.
    pub score: Warmness,
    /// The contact in between.
    pub bridge: PersonIx,
}

/// A page of a member's second-degree connections, by number.
#[derive(Clone, Debug)]
pub struct SecondDegree {
    /// The people of the page, warmest first.
    pub people: Vec<Reached>,
    /// The number of distinct people in the window.
    pub total: u64,
    /// The number of contacts considered.
    pub bridges: u32,
    /// Edges of the contacts read to find the end of the window.
    pub edges_read: u64,
    /// Whether a bound left something out.
    pub capped: bool,
}

/// Orders people by coldness, then person, with the bridge alongside.
type Key = (u8, PersonIx, u32);

/// The people behind the contacts of `member`, or behind the contact `via` alone. `None` if `via` is not a contact.
///
/// The window takes contacts, warmest first, until `bridges` of them list a person. Of each it takes the warmest edges
/// to people whom the member does not know, among the warmest `edges_read_per_bridge`: `edges_per_bridge` of them, or
/// more if the member has fewer contacts than `bridges`. At most `bridges × edges_read_per_bridge` edges are read to
/// find the end of the window, and those inside it once more.
#[must_use]
pub fn reach(
    index: &GraphIndex,
    member: MemberIx,
    via: Option<PersonIx>,
    page: Page,
    limits: &Limits,
) -> Option<SecondDegree> {
    let own = index.data.members.person(member);
    let contacts = index.data.edges.out.row(own).ends;
    let only = via.as_ref().map(std::slice::from_ref);
    if via.is_some_and(|via| !contacts.contains(&via)) {
        return None;
    }
    let mut known = FixedBitSet::with_capacity(index.data.people.len());
    known.insert(own.0 as usize);
    contacts.iter().for_each(|contact| known.insert(contact.0 as usize));

    let listed_most = listed_per_bridge(limits, contacts.len());
    let bounds = if only.is_none() { WindowBounds::of(limits) } else { WindowBounds::NONE };
    let candidates = only.unwrap_or(contacts);
    let (mut rows, mut counted) =
        (Vec::with_capacity(candidates.len().min(ROWS_AT_ONCE)), WindowBounds::EMPTY);
    let (mut capped, mut edges_read) = (false, 0);
    'window: for together in candidates.chunks(ROWS_AT_ONCE) {
        for row in rows_of(&index.data.edges.out, together) {
            if counted.bridges >= bounds.bridges || counted.edges >= bounds.edges {
                capped = true;
                break 'window;
            }
            let left = usize::try_from(bounds.edges - counted.edges).unwrap_or(usize::MAX);
            let readable = row.ends.len().min(limits.edges_read_per_bridge as usize).min(left);
            let part = PartInWindow::read(row, &known, readable, listed_most);
            counted.edges += readable as u64;
            counted.bridges += u64::from(part.len > 0);
            capped |= part.leaves_out;
            edges_read += part.read as u64;
            rows.push(Row { ends: &row.ends[..part.len], scores: &row.scores[..part.len], ..row });
        }
    }
    let bridges = rows.len() as u32;
    let top = keep_warmest(&rows, known, page);
    let total = top.total();
    let people = top.into_page(page).into_iter().map(|(coldness, person, place)| Reached {
        person,
        score: Warmness::from_coldness(coldness),
        bridge: candidates[place as usize],
    });
    Some(SecondDegree { people: people.collect(), total, bridges, edges_read, capped })
}

/// Rows whose first edges are prefetched together.
const ROWS_AT_ONCE: usize = 256;

/// Bounds of a window, or its use of them: contacts that list a person, and edges of theirs that are read.
#[derive(Clone, Copy)]
struct WindowBounds {
    bridges: u64,
    edges: u64,
}

impl WindowBounds {
    const EMPTY: Self = Self { bridges: 0, edges: 0 };
    const NONE: Self = Self { bridges: u64::MAX, edges: u64::MAX };

    fn of(limits: &Limits) -> Self {
        let bridges = u64::from(limits.bridges);
        Self { bridges, edges: bridges * u64::from(limits.edges_read_per_bridge) }
    }
}

/// Maximum people listed through each of `contacts`: few contacts list more each, as many altogether as `bridges`
/// would.
fn listed_per_bridge(limits: &Limits, contacts: usize) -> u64 {
    let all = u64::from(limits.bridges) * u64::from(limits.edges_per_bridge);
    all.checked_div(contacts as u64).unwrap_or(0).max(limits.edges_per_bridge.into())
}

/// The rows of `bridges`, with their first edges prefetched.
///
/// Rows are far apart in memory, and each must be read to find the window's end in it, so the processor would wait for
/// one row after the other. Touching them together overlaps the cache misses.
fn rows_of<'a>(out: &'a Adjacency, bridges: &[PersonIx]) -> Vec<Row<'a>> {
    let rows: Vec<_> = bridges.iter().map(|&bridge| out.row(bridge)).collect();
    let first =
        |row: &Row<'_>| row.iter().next().map_or(0, |(end, score)| end.0 ^ u32::from(score.coldness()));
    black_box(rows.iter().fold(0, |read, row| read ^ first(row)));
    rows
}

/// The part of a bridge's edges that is in the window.
struct PartInWindow {
    /// Edges up to and including the last one listed, or all of them; edges to known people are still among them. 0 if
    /// no edge is listed.
    len: usize,
    /// The number of edges read.
    read: usize,
    /// Whether an edge was left unread, or one to an unknown person was left out.
    leaves_out: bool,
}

impl PartInWindow {
    /// Reads the first `readable` edges of `row`, up to one more than `most` to people outside `known`.
    fn read(row: Row<'_>, known: &FixedBitSet, readable: usize, most: u64) -> Self {
        if readable == row.ends.len() && readable as u64 <= most {
            // Too few to leave one out, so the position of the last does not matter.
            let lists = row.ends.iter().any(|person| !known.contains(person.0 as usize));
            return Self { len: if lists { readable } else { 0 }, read: readable, leaves_out: false };
        }
        let (mut len, mut listed) = (0, 0);
        for (place, person) in row.ends[..readable].iter().enumerate() {
            if known.contains(person.0 as usize) {
                continue;
            }
            if listed == most {
                return Self { len, read: place + 1, leaves_out: true };
            }
            listed += 1;
            len = place + 1;
        }
        Self { len, read: readable, leaves_out: readable < row.ends.len() }
    }
}

/// Keeps each person once, by the warmest edge, at equal scores over the earlier bridge.
///
/// Rows are warmest first, so they are merged score by score until the page is full; repeated people are skipped. The
/// rest is colder than the whole page, so only its people are counted.
fn keep_warmest(rows: &[Row<'_>], mut seen: FixedBitSet, page: Page) -> Top<Key> {
    let mut top = Top::for_page(page);
    let mut nexts = vec![0_usize; rows.len()];
    for coldness in 0..=Warmness::UNSCORED.coldness() {
        if top.total() >= page.end() {
            break;
        }
        for (place, (row, next)) in rows.iter().zip(&mut nexts).enumerate() {
            while *next < row.ends.len() && row.key(*next).0 == coldness {
                let person = row.ends[*next];
                if !seen.put(person.0 as usize) {
                    top.offer((coldness, person, place as u32));
                }
                *next += 1;
            }
        }
    }
    let colder = rows.iter().zip(&nexts).flat_map(|(row, &next)| &row.ends[next..]);
    top.count_refused(colder.filter(|&&person| !seen.put(person.0 as usize)).count() as u64);
    top
}

#[cfg(test)]
mod tests;
