//! The built-in parser: what a query asks for, without help from anybody.
//!
//! It knows the network's own vocabulary (companies, positions, industries, places, names) and the
//! lexicon, reads a query from left to right and joins what belongs together: "head" and "finance",
//! "not" and "consultants". It never fails: what it does not know is a topic.

pub mod cues;
pub mod items;
pub mod names;
pub mod tokens;

use crate::graph::index::GraphIndex;
use crate::search::conditions::{Draft, TERM_CHARS_MAX, TERMS_MAX, Term, TermKind};
use crate::search::index::SearchIndex;
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::Cue;
use crate::search::parse::items::{Item, Sense};
use crate::search::words::stems;

/// What `query` asks for. Costs a few look-ups for each word, and for a misspelt one a look at the
/// known words with its first letter.
#[must_use]
pub fn parse(_index: &GraphIndex, search: &SearchIndex, query: &str) -> Draft {
    let tokens = tokens::read(search, query);
    let items = items::read(search, &tokens);
    let mut joiner = Joiner { search, draft: Draft::default(), negated: false, past: false };
    let mut rest = &items[..];
    while let Some((item, after)) = rest.split_first() {
        let used = if item.sense == Sense::Cue(Cue::Who) {
            joiner.take_clause(after)
        } else {
            joiner.take(item, after)
        };
        rest = &after[used..];
    }
    names::add_other_readings(search, &tokens, &mut joiner.draft);
    joiner.draft
}

/// Whether what somebody does ends before this.
fn ends_clause(sense: Sense) -> bool {
    match sense {
        Sense::Thing(TermKind::Place | TermKind::Company | TermKind::Name) => true,
        Sense::Cue(cue) => !matches!(cue, Cue::Stop | Cue::Of | Cue::Or | Cue::PeopleNoun | Cue::CompanyNoun),
        _ => false,
    }
}

/// Joins items to terms.
struct Joiner<'a> {
    search: &'a SearchIndex,
    draft: Draft,
    /// Whether the next term is not wanted.
    negated: bool,
    /// Whether the next company or role was so once.
    past: bool,
}

impl Joiner<'_> {
    /// Takes `item`; tells how many of the items `after` it belong to it.
    fn take(&mut self, item: &Item, after: &[Item]) -> usize {
        match item.sense {
            Sense::Cue(cue) => {
                self.heed(cue);
                0
            }
            Sense::Level(level) => self.take_level(level, item, after),
            Sense::Verb(level) => self.take_verb(level, item, after),
            Sense::Field(field, false) => self.take_work(&LEXICON.fields[field].name, after),
            Sense::Field(_, true) | Sense::Role => self.take_work(&item.text, after),
            Sense::Thing(kind) => {
                self.add(kind, item.text.clone(), after);
                0
            }
            Sense::Word => self.take_words(item, after),
        }
    }

    /// "who repairs equipment on site": a role in words that no title has. Takes nothing where all
    /// that is said has a meaning of its own.
    fn take_clause(&mut self, after: &[Item]) -> usize {
        let length = after.iter().take_while(|item| !ends_clause(item.sense)).count();
        let clause = &after[..length];
        if !clause.iter().any(|item| item.sense == Sense::Word) {
            return 0;
        }
        let is_stop = |item: &&Item| item.sense == Sense::Cue(Cue::Stop);
        let leading = clause.iter().take_while(is_stop).count();
        let trailing = clause.iter().rev().take_while(is_stop).count();
        let said = clause[leading..length - trailing].iter().map(|item| item.text.as_str());
        self.add(TermKind::Role, said.collect::<Vec<_>>().join(" "), &after[length..]);
        length
    }

    fn heed(&mut self, cue: Cue) {
        match cue {
            Cue::Not => self.negated = true,
            Cue::Past => self.past = true,
            Cue::Break => (self.negated, self.past) = (false, false),
            Cue::Alumni => {
                let companies = self.draft.terms.iter_mut().rev();
                companies
                    .filter(|term| term.kind == TermKind::Company)
                    .take(1)
                    .for_each(|term| term.past = true);
            }
            Cue::Network(network) => {
                if !self.draft.networks.contains(&network) {
                    self.draft.networks.push(network);
                }
            }
            Cue::At | Cue::In | Cue::Named | Cue::Of | Cue::Or | Cue::Who => {}
            Cue::CompanyNoun | Cue::PeopleNoun | Cue::Stop => {}
        }
    }

    /// "finance", "engineering managers", but not "sales, head of marketing".
    fn take_work(&mut self, work: &str, after: &[Item]) -> usize {
        let of_another = after.get(1).is_some_and(|it| it.sense == Sense::Cue(Cue::Of));
        let level = after.first().filter(|next| matches!(next.sense, Sense::Level(_)) && !of_another);
        let text = level.map_or(work.to_owned(), |level| format!("{work} {}", level.text));
        self.add(TermKind::Role, text, &after[usize::from(level.is_some())..]);
        usize::from(level.is_some())
    }

    /// "head of finance", "senior engineers", "executives".
    fn take_level(&mut self, level: usize, item: &Item, after: &[Item]) -> usize {
        let skipped =
            after.iter().take_while(|it| matches!(it.sense, Sense::Cue(Cue::Of | Cue::Stop))).count();
        let joined = after[..skipped].iter().any(|it| it.sense == Sense::Cue(Cue::Of));
        let words = match after.get(skipped).map(|next| (next.sense, next)) {
            Some((Sense::Field(field, false), _)) => Some(LEXICON.fields[field].name.clone()),
            Some((Sense::Field(..) | Sense::Role, next)) => Some(next.text.clone()),
            Some((Sense::Word | Sense::Thing(TermKind::Industry), next)) if joined => Some(next.text.clone()),
            _ => None,
        };
        let Some(words) = words else {
            self.add(TermKind::Seniority, LEXICON.levels[level].said_as(&item.text), after);
            return 0;
        };
        let between = if joined { " of " } else { " " };
        self.add(TermKind::Role, format!("{}{between}{words}", item.text), &after[skipped + 1..]);
        skipped + 1
    }

    /// "runs finance", "ran hiring at", "leads Acme".
    fn take_verb(&mut self, level: usize, item: &Item, after: &[Item]) -> usize {
        self.past |=
            ["ran", "led", "headed", "oversaw", "managed", "owned", "handled"].contains(&item.text.as_str());
        let skipped = after.iter().take_while(|it| it.sense == Sense::Cue(Cue::Stop)).count();
        let words = match after.get(skipped).map(|next| (next.sense, next)) {
            Some((Sense::Field(field, false), _)) => LEXICON.fields[field].name.clone(),
            Some((Sense::Field(..) | Sense::Role, next)) => next.text.clone(),
            Some((Sense::Thing(TermKind::Company), _)) => {
                self.add(TermKind::Role, "ceo".to_owned(), after);
                return 0;
            }
            _ => return 0,
        };
        self.add(TermKind::Role, format!("{} of {words}", LEXICON.levels[level].name), &after[skipped + 1..]);
        skipped + 1
    }

    /// Words nobody knows: one topic where some text holds them all, else each its own.
    fn take_words(&mut self, item: &Item, after: &[Item]) -> usize {
        let more = after.iter().take_while(|next| next.sense == Sense::Word).count();
        let texts = || std::iter::once(item).chain(&after[..more]).map(|item| item.text.as_str());
        let together = texts().flat_map(stems).collect::<Vec<_>>();
        let rest = &after[more..];
        if more > 0 && self.search.columns().iter().any(|column| column.knows_together(&together)) {
            self.add(TermKind::Topic, texts().collect::<Vec<_>>().join(" "), rest);
        } else {
            let negated = self.negated;
            for text in texts() {
                self.negated = negated;
                self.add(TermKind::Topic, text.to_owned(), rest);
            }
        }
        more
    }

    /// Adds a term, unless it was said already or there are enough.
    fn add(&mut self, kind: TermKind, text: String, after: &[Item]) {
        let text: String = text.chars().take(TERM_CHARS_MAX).collect();
        let is_past = self.past && matches!(kind, TermKind::Company | TermKind::Role);
        let term = Term { kind, text, negated: self.negated, past: is_past };
        if self.draft.terms.len() < TERMS_MAX && !self.draft.terms.contains(&term) {
            self.draft.terms.push(term);
        }
        // "not recruiters or consultants": one "not" for both; else it ends with its term.
        self.negated &= after.first().is_some_and(|next| next.sense == Sense::Cue(Cue::Or));
        self.past &= kind != TermKind::Company;
    }
}
