//! A book of asks laid over one index: the asks whose people are in the index, by person, and how often each is asked.
//!
//! An ask with a person who is not in the index is ignored.

use std::collections::HashMap;
use std::sync::Arc;

use crate::asks::ask::Ask;
use crate::asks::book::AskBook;
use crate::asks::caps::AskCaps;
use crate::asks::event::EventKind;
use crate::asks::preferences::{Preference, Preferences, day_of};
use crate::graph::index::GraphIndex;
use crate::graph::requested::AskedFor;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::time::Timestamp;
use crate::query::card::MemberCard;
use crate::query::paths::answer::{PathAnswer, WarmPath};
use crate::query::paths::found::PathPage;
use crate::query::paths::marks::{ConnectorAsks, PathMarks, TargetAsks};
use crate::query::paths::target::Target;

/// One ask whose people are all in the index.
#[derive(Clone, Debug)]
pub struct FoundAsk {
    /// The ask itself.
    pub ask: Arc<Ask>,
    /// Its state.
    pub state: EventKind,
    /// The member who asks.
    pub asker: MemberIx,
    /// The target.
    pub person: PersonIx,
    /// The person who makes the introduction; `None` if the member contacts the target directly.
    pub connector: Option<PersonIx>,
    /// The advocate who is contacted first.
    pub via_advocate: Option<PersonIx>,
    /// The person who is asked: the connector, or the asker for a direct ask.
    pub over: PersonIx,
}

/// The asks of an organization over one index.
#[derive(Debug)]
pub struct AskOverlay {
    /// The index with open asks counted as requested introductions.
    pub index: GraphIndex,
    /// The book.
    pub book: Arc<AskBook>,
    /// The preferences in force.
    pub preferences: Preferences,
    asks: Vec<FoundAsk>,
    /// The position in `asks` of each ask of the book; `None` for an ignored ask.
    places: Vec<Option<usize>>,
    over: HashMap<PersonIx, Vec<usize>>,
    about: HashMap<PersonIx, Vec<usize>>,
}

impl AskOverlay {
    /// Lays `book` over `index`. Costs three look-ups per ask.
    #[must_use]
    pub fn build(index: &GraphIndex, book: &Arc<AskBook>) -> Self {
        let mut built = Self {
            index: index.clone(),
            book: Arc::clone(book),
            preferences: Preferences::of(index, said_over_links(book)),
            asks: Vec::new(),
            places: Vec::new(),
            over: HashMap::new(),
            about: HashMap::new(),
        };
        for ask in book.asks() {
            let found = FoundAsk::of(index, book, ask);
            built.places.push(found.is_some().then_some(built.asks.len()));
            let Some(found) = found else { continue };
            built.over.entry(found.over).or_default().push(built.asks.len());
            built.about.entry(found.person).or_default().push(built.asks.len());
            built.asks.push(found);
        }
        let open = built.asks.iter().filter(|found| found.state.is_open());
        let asked: Vec<_> = open
            .map(|found| (found.person, AskedFor { at: found.ask.asked_at(), by: found.asker }))
            .collect();
        if !asked.is_empty() {
            built.index = index.with_asked(asked);
        }
        built
    }

    /// The asks that are not ignored, in the order written.
    #[must_use]
    pub fn asks(&self) -> &[FoundAsk] {
        &self.asks
    }

    /// Finds the ask with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&FoundAsk> {
        let (place, _) = self.book.find(id)?;
        self.places[place].map(|place| &self.asks[place])
    }

    /// The asks about `person`, in the order written.
    pub fn about(&self, person: PersonIx) -> impl Iterator<Item = &FoundAsk> {
        self.about.get(&person).into_iter().flatten().map(|&place| &self.asks[place])
    }

    /// The asks over `person`, in the order written.
    pub fn over(&self, person: PersonIx) -> impl Iterator<Item = &FoundAsk> {
        self.over.get(&person).into_iter().flatten().map(|&place| &self.asks[place])
    }

    /// The times of the asks over `person` that count for the caps: all but withdrawn ones.
    #[must_use]
    pub fn asked_over(&self, person: PersonIx) -> Vec<Timestamp> {
        let counting = self.over(person).filter(|found| found.state != EventKind::Withdrawn);
        counting.map(|found| found.ask.asked_at()).collect()
    }

    /// The asks over `person`, counted against the caps.
    #[must_use]
    pub fn connector_asks(&self, person: PersonIx, caps: &AskCaps, now: Timestamp) -> ConnectorAsks {
        let asked = self.asked_over(person);
        ConnectorAsks {
            open: self.over(person).filter(|found| found.state.is_open()).count() as u32,
            recent: caps.recent(&asked, now),
            cool_until: caps.connector_cools_until(&asked, now),
        }
    }

    /// The asks for `person` as a target.
    #[must_use]
    pub fn target_asks(&self, person: PersonIx, caps: &AskCaps, now: Timestamp) -> TargetAsks<'_> {
        let counting = || self.about(person).filter(|found| found.state != EventKind::Withdrawn);
        let cool_until = caps.target_cools_until(counting().map(|found| found.ask.asked_at()).max(), now);
        let is_shown = |found: &&FoundAsk| {
            found.state.is_open() || caps.target_cools_until(Some(found.ask.asked_at()), now).is_some()
        };
        let latest = counting().filter(is_shown).max_by_key(|found| (found.ask.asked_at(), found.asker));
        TargetAsks {
            open: counting().filter(|found| found.state.is_open()).count() as u32,
            latest: latest.map(|found| (MemberCard::of(&self.index, found.asker), found.ask.asked_at())),
            cool_until,
        }
    }

    /// The marks that asks put on `path`.
    #[must_use]
    pub fn marks(&self, path: &WarmPath, caps: &AskCaps, now: Timestamp) -> PathMarks<'_> {
        PathMarks {
            connector: self.connector_asks(path.connector, caps, now),
            target: self.target_asks(path.target, caps, now),
            preference: self.preferences.broken_by(&self.index, path.people(&self.index), &day_of(now)),
        }
    }

    /// Marks the paths and the person of `page`, which shows `answer`.
    pub fn mark<'a>(&'a self, page: &mut PathPage<'a>, answer: &PathAnswer, caps: &AskCaps, now: Timestamp) {
        for (row, path) in page.paths.iter_mut().zip(&answer.paths) {
            row.marks = Some(Box::new(self.marks(path, caps, now)));
        }
        if let Some(Target::Person(person)) = answer.target {
            page.target_asks = Some(self.target_asks(person, caps, now));
        }
    }
}

impl FoundAsk {
    /// Resolves `ask` in `index`; `None` if one of its people is not there.
    #[must_use]
    pub fn of(index: &GraphIndex, book: &AskBook, ask: &Arc<Ask>) -> Option<Self> {
        let find = |id: &String| index.find_person(book.present_id(id));
        let asker = index.find_user(&ask.asker)?;
        let connector = ask.people.connector.as_ref().map(find);
        let via_advocate = ask.people.via_advocate.as_ref().map(find);
        // An ask without one of its people is ignored.
        let (connector, via_advocate) = (present(connector)?, present(via_advocate)?);
        Some(Self {
            state: ask.state(),
            asker,
            person: find(&ask.people.person)?,
            connector,
            via_advocate,
            over: connector.unwrap_or_else(|| index.data.members.person(asker)),
            ask: Arc::clone(ask),
        })
    }
}

/// `Some(None)` if no person is named, `None` if the named person is not in the index.
fn present(found: Option<Option<PersonIx>>) -> Option<Option<PersonIx>> {
    found.map_or(Some(None), |person| person.map(Some))
}

/// The preferences given over links, with the present ids of people.
fn said_over_links(book: &AskBook) -> impl Iterator<Item = Preference> {
    let preferences = book.preferences.clone();
    let present = |id: Option<String>| id.map(|id| book.present_id(&id).to_owned());
    preferences.into_iter().map(move |preference| Preference {
        connector: present(preference.connector),
        target: present(preference.target),
        through: present(preference.through),
        ..preference
    })
}
