//! The sections of a digest: what each shows, as cells, as JSON and as entries of a feed.

use kith::asks::overlay::{AskOverlay, FoundAsk};

use crate::api::changes;
use crate::api::endpoints::asks::{Ask, AskFilter, AskRow, AskStates, list};
use crate::api::json::Json;
use crate::api::quiet;
use crate::digest::cells::{self, joined};
use crate::digest::doubles::LikelyDouble;
use crate::model::ix::PersonIx;
use crate::model::time::Timestamp;
use crate::query::card::{MemberCard, PersonCard};
use crate::query::changes::Change;
use crate::query::quiet::{QUIET_DAYS, QuietTie};

/// The most entries of a section that are shown; how many there are in all is said.
pub(crate) const SHOWN_MAX: usize = 100;

/// The first of many, and how many there are.
#[derive(Clone, Debug)]
pub(crate) struct FirstOf<T> {
    first: Vec<T>,
    total: usize,
}

impl<T> FirstOf<T> {
    /// The first of `all`, which are the first of `total`.
    pub(crate) fn of(mut all: Vec<T>, total: usize) -> Self {
        all.truncate(SHOWN_MAX);
        Self { first: all, total }
    }
}

/// One section.
pub(crate) struct DigestSection<'a> {
    /// Its name in JSON.
    pub(crate) key: &'static str,
    pub(crate) title: &'static str,
    pub(crate) headings: [&'static str; 3],
    /// The number of entries; `entries` may hold only the first of them.
    pub(crate) total: usize,
    entries: Vec<Entry<'a>>,
}

/// The fields of an entry in a feed, besides its cells.
pub(crate) struct FeedEntry {
    /// Identifies the entry within a feed; does not depend on the networks.
    pub(crate) of: String,
    /// The screen of the page, as behind the `#` of its address, and the id there.
    pub(crate) place: [String; 2],
    /// When it came up; the day of the tables if it is `None`.
    pub(crate) at: Option<Timestamp>,
}

enum Entry<'a> {
    Change(Change<'a>),
    Quiet(QuietTie<'a>),
    Double(LikelyDouble),
    Ask(&'a AskOverlay, &'a FoundAsk),
}

/// The section `key` of changes.
pub(crate) fn changes<'a>(key: &'static str, of: FirstOf<Change<'a>>) -> DigestSection<'a> {
    let (title, headings) = match key {
        "people" => ("Newly in reach", ["PERSON", "CHANGE", "BEST PATH"]),
        "targets" => ("Of your list", ["PERSON", "CHANGE", "BEST PATH"]),
        _ => ("Moved", ["PERSON", "CHANGE", "NOW"]),
    };
    section(key, title, headings, of, Entry::Change)
}

/// The ties that went quiet.
pub(crate) fn quiet(of: FirstOf<QuietTie<'_>>) -> DigestSection<'_> {
    section("quiet", "Went quiet", ["PERSON", "LAST", "KNOWN BY"], of, Entry::Quiet)
}

/// People who may be in the network twice.
pub(crate) fn doubles<'a>(all: Vec<LikelyDouble>) -> DigestSection<'a> {
    let total = all.len();
    section("doubles", "May be one person", ["ONE", "OTHER", "WHY"], FirstOf::of(all, total), Entry::Double)
}

/// The asks that wait; those over the person `connector` alone, if there is one.
pub(crate) fn asks<'a>(overlay: &'a AskOverlay, connector: Option<&str>) -> DigestSection<'a> {
    let open = AskFilter { listed: Some(AskStates::Open), connector, ..AskFilter::default() };
    let all: Vec<Entry<'_>> = list(overlay, &open).into_iter().map(|ask| Entry::Ask(overlay, ask)).collect();
    let total = all.len();
    section("asks", "Asks that wait", ["TO REACH", "ASKED", "THROUGH"], FirstOf::of(all, total), |entry| {
        entry
    })
}

fn section<'a, T>(
    key: &'static str,
    title: &'static str,
    headings: [&'static str; 3],
    of: FirstOf<T>,
    entry: impl Fn(T) -> Entry<'a>,
) -> DigestSection<'a> {
    DigestSection {
        key,
        title,
        headings,
        total: of.total,
        entries: of.first.into_iter().map(entry).collect(),
    }
}

impl DigestSection<'_> {
    /// Its entries as cells.
    pub(crate) fn rows(&self) -> impl Iterator<Item = [String; 3]> {
        self.entries.iter().map(Entry::cells)
    }

    /// Its entries for a feed: each of its own cells.
    pub(crate) fn feed_entries(&self) -> impl Iterator<Item = (FeedEntry, [String; 3])> {
        self.entries.iter().map(|entry| (entry.of_feed(), entry.cells()))
    }

    pub(crate) fn write(&self, json: &mut Json) {
        json.field("total", self.total);
        json.array_field("entries", &self.entries, |json, entry| json.object(|json| entry.write(json)));
    }
}

impl Entry<'_> {
    fn cells(&self) -> [String; 3] {
        match self {
            Self::Change(change) => {
                let [kind, person, before, after] = cells::change(change);
                [person, kind, if change.after.is_none() { format!("was {before}") } else { after }]
            }
            Self::Quiet(tie) => {
                let [warmness, last, person, member] = cells::quiet(tie);
                [person, last, format!("{member} ({warmness})")]
            }
            Self::Double(double) => [double.one.clone(), double.other.clone(), double.reasons().join(", ")],
            Self::Ask(overlay, found) => {
                let index = &overlay.index;
                let over = found.connector.map(|connector| PersonCard::of(index, connector).name);
                let by = MemberCard::of(index, found.asker).name;
                let day = found.ask.asked_at().to_rfc3339_ms()[..10].to_owned();
                let person = PersonCard::of(index, found.person);
                [joined(&[Some(person.name), person.company]), day, format!("{}, by {by}", joined(&[over]))]
            }
        }
    }

    fn of_feed(&self) -> FeedEntry {
        let to = |id: &str| ["paths".to_owned(), id.to_owned()];
        match self {
            Self::Change(change) => FeedEntry {
                of: format!("{}\n{}", change.kind.name(), change.person.id),
                place: to(change.person.id),
                at: None,
            },
            Self::Quiet(QuietTie { member, person, last, .. }) => FeedEntry {
                of: format!("quiet\n{}\n{}\n{}", member.id, person.id, last.seconds),
                place: ["person".to_owned(), person.id.to_owned()],
                at: Timestamp::new(last.seconds + i64::from(QUIET_DAYS) * 86_400, last.nanos),
            },
            Self::Double(double) => FeedEntry {
                of: format!("double\n{}\n{}", double.one, double.other),
                place: ["doubles".to_owned(), String::new()],
                at: None,
            },
            Self::Ask(overlay, found) => FeedEntry {
                of: format!("ask\n{}", found.ask.id),
                place: to(person_id(overlay, found.person)),
                at: Some(found.ask.asked_at()),
            },
        }
    }

    fn write(&self, json: &mut Json) {
        match self {
            Self::Change(change) => changes::Change::write(json, change),
            Self::Quiet(tie) => quiet::write(json, tie),
            Self::Double(double) => double.write(json),
            Self::Ask(overlay, found) => Ask::write(json, AskRow::of(overlay, found)),
        }
    }
}

fn person_id(overlay: &AskOverlay, person: PersonIx) -> &str {
    overlay.index.data.people.ids.get(person.0)
}
