//! Joins the items of a query to terms, from left to right.

mod past;

use crate::search::conditions::{Draft, NetworkKind, TERM_CHARS_MAX, TERMS_MAX, Term, TermKind};
use crate::search::lexicon::LEXICON;
use crate::search::parse::clause::{
    ANYTHING, ARTICLES, ends_clause, is_of_employers, is_said_of_companies, is_stop, level_behind, line_in,
    listed_work, lists, names_companies, names_their_line, names_work, object_in, said, shared_level,
    stands_behind, work_said,
};
use crate::search::parse::cues::Cue;
use crate::search::parse::item::{Item, Sense};
use crate::search::parse::scope::{ADVERBS, BECAME, LEAVING, NO_MORE, NOW, goes_on};

/// Whether `item` can be between two listed things: "a ux person, somebody who does user research".
fn is_idle(item: &&Item) -> bool {
    matches!(item.sense, Sense::Cue(Cue::Stop | Cue::PeopleNoun | Cue::Who))
}

/// Joins items to terms.
#[derive(Default)]
pub(super) struct Joiner {
    draft: Draft,
    /// Whether the next term is excluded.
    negated: bool,
    /// Whether the next company or role is in the past.
    past: bool,
    /// Whether an adverb said so, which can also follow its subject.
    is_adverb: bool,
    /// Whether a word for leaving said so.
    leaving: bool,
    /// Whether "not" and "formerly" reach beyond a comma.
    in_list: bool,
    /// The number of terms when the clause began.
    clause: usize,
    /// Whether the next term continues a list.
    in_row: bool,
}

impl Joiner {
    /// The terms of `items`.
    pub(super) fn join(mut self, items: &[Item]) -> Draft {
        let mut rest = items;
        let mut begins = true;
        while let Some((item, after)) = rest.split_first() {
            let before = &items[..items.len() - rest.len()];
            self.in_row = before.iter().rev().find(|item| !is_idle(item)).is_some_and(lists);
            let used = match item.sense {
                Sense::Cue(Cue::Not) if stands_behind(item, before, after) => {
                    self.follow(Cue::NotBefore, item, after);
                    0
                }
                Sense::Cue(Cue::Who) if is_of_employers(item) || names_their_line(before, after) => {
                    self.take_company_clause(after)
                }
                Sense::Cue(Cue::Who) => self.take_clause(after),
                Sense::Size(_) if is_said_of_companies(before, after) => {
                    self.add(TermKind::Size, item.text.clone(), after);
                    0
                }
                _ => self.take(item, after),
            };
            begins = match item.sense {
                Sense::Cue(Cue::Break) => true,
                Sense::Cue(Cue::Stop | Cue::PeopleNoun) => begins,
                _ => false,
            };
            rest = &after[used..];
        }
        self.end_clause();
        self.draft
    }

    /// Consumes `item`; returns how many of the items `after` it belong to it.
    fn take(&mut self, item: &Item, after: &[Item]) -> usize {
        match item.sense {
            Sense::Cue(cue) => {
                self.follow(cue, item, after);
                0
            }
            Sense::Level(level) => self.take_level(level, item, after),
            Sense::Verb(level) => self.take_verb(level, item, after),
            Sense::Field(..) | Sense::Role => self.take_work(item, after),
            Sense::Thing(kind) | Sense::Number(kind) => {
                self.add(kind, item.text.clone(), after);
                0
            }
            Sense::Size(is_alone) => self.take_size(is_alone, item, after),
            Sense::Word => self.take_words(item, after),
        }
    }

    /// "startups"; "small firms", but not "small talk".
    fn take_size(&mut self, is_alone: bool, item: &Item, after: &[Item]) -> usize {
        let beside = after.iter().take(4).take_while(|next| {
            !ends_clause(next.sense)
                && !matches!(next.sense, Sense::Cue(Cue::PeopleNoun | Cue::Or | Cue::And))
        });
        let is_of_company = |next: &Item| {
            matches!(
                next.sense,
                Sense::Cue(Cue::CompanyNoun) | Sense::Thing(TermKind::Industry) | Sense::Size(true)
            )
        };
        if is_alone || beside.into_iter().any(is_of_company) {
            self.add(TermKind::Size, item.text.clone(), after);
        } else {
            self.ignore(&item.text);
        }
        0
    }

    /// "who repairs equipment on site": a role in words that no title has. Consumes nothing if all words have a meaning
    /// of their own; for "investors who backed advertising startups" it skips what the investors did.
    fn take_clause(&mut self, after: &[Item]) -> usize {
        let length = after.iter().take_while(|item| !ends_clause(item.sense)).count();
        let clause = &after[..length];
        let Some(word) = clause.iter().position(|item| item.sense == Sense::Word) else { return 0 };
        // "which product manager would take our call": the clause is not about them.
        let first = clause.iter().find(|item| !is_stop(item)).map(|item| item.sense);
        if matches!(first, Some(Sense::Role | Sense::Level(_))) {
            return 0;
        }
        let has_head = self
            .draft
            .terms
            .iter()
            .any(|term| matches!(term.kind, TermKind::Role | TermKind::Seniority) && !term.negated);
        let object = object_in(clause, has_head);
        if let Some(object) = object.filter(|&object| object > word) {
            if has_head {
                clause[..object].iter().for_each(|item| self.ignore(&item.text));
            } else {
                let joins = |item: &Item| matches!(item.sense, Sense::Cue(Cue::Stop | Cue::Of));
                let end =
                    clause[..object].iter().rposition(|item| !joins(item)).map_or(object, |last| last + 1);
                self.add(TermKind::Role, said(&clause[word..end]), &after[object..]);
            }
            return object;
        }
        let leading = clause.iter().take_while(is_stop).count();
        // "tells the world about us": a single word says less than all of them.
        let is_one = clause.iter().filter(|item| !is_stop(item)).count() == 1;
        let trailing = if is_one { 0 } else { clause.iter().rev().take_while(is_stop).count() };
        let kind = if has_head { TermKind::Topic } else { TermKind::Role };
        self.add(kind, said(&clause[leading..length - trailing]), &after[length..]);
        length
    }

    /// "whose employer makes machines": a line of business, else a topic.
    fn take_company_clause(&mut self, after: &[Item]) -> usize {
        let length = after.iter().take_while(|item| !ends_clause(item.sense)).count();
        let clause = &after[..length];
        if let Some(line) = line_in(clause) {
            clause[..line].iter().for_each(|item| self.ignore(&item.text));
            self.add(TermKind::Industry, clause[line].text.clone(), &after[line + 1..]);
            return line + 1;
        }
        if clause.iter().any(|item| item.sense == Sense::Word) {
            self.add(TermKind::Topic, said(clause), &after[length..]);
            return length;
        }
        0
    }

    fn follow(&mut self, cue: Cue, item: &Item, after: &[Item]) {
        match cue {
            Cue::Not => self.negated = true,
            Cue::NotBefore => {
                if let Some(term) = self.draft.terms[self.clause..].last_mut() {
                    term.negated = true;
                }
            }
            Cue::Past => {
                self.past = true;
                self.is_adverb = ADVERBS.contains(&item.text.as_str());
                self.leaving = item.text.split(' ').any(|word| LEAVING.contains(&word));
            }
            Cue::PastBefore => self.was_once(NO_MORE.contains(&item.text.as_str())),
            Cue::Break if self.in_list => {}
            Cue::Break => self.end_clause(),
            Cue::Alumni => {
                // "alumni of Acme", but not "PayPal veterans investing in fintech"
                if !self.mark_company(false) {
                    let leads = |next: &Item| matches!(next.sense, Sense::Cue(Cue::Of | Cue::At | Cue::In));
                    self.past = after.first().is_some_and(leads);
                }
            }
            Cue::Network(network) => {
                let next = after.iter().find(|next| !is_stop(next)).map(|next| next.sense);
                self.draft.asks_who_knows |=
                    network == NetworkKind::Organization && next == Some(Sense::Thing(TermKind::Name));
                if !self.draft.networks.contains(&network) {
                    self.draft.networks.push(network);
                }
            }
            Cue::Ties(_) => {
                let is_own = item.text.split(' ').any(|word| ["i", "me", "my"].contains(&word));
                if is_own {
                    self.follow(Cue::Network(NetworkKind::User), item, after);
                }
                self.add(TermKind::Connections, item.text.clone(), after);
            }
            Cue::NotAsked => {
                self.negated = true;
                self.add(TermKind::Connections, item.text.clone(), after);
            }
            Cue::At | Cue::In | Cue::Named | Cue::Of | Cue::Or | Cue::And | Cue::Who => self.end_past(item),
            Cue::CompanyNoun | Cue::PeopleNoun | Cue::Stop | Cue::Indifferent => {
                self.end_past(item);
                if BECAME.contains(&item.text.as_str()) && names_work(after) {
                    self.mark_roles();
                    self.past = false;
                }
                if NOW.contains(&item.text.as_str()) {
                    // "at Google previously and now in Oslo"
                    if self.past && self.is_adverb && !self.mark_company(false) {
                        self.mark_roles();
                    }
                    (self.past, self.is_adverb) = (false, false);
                }
                self.ignore(&item.text);
            }
        }
    }

    /// "finance", "engineering managers", "product or engineering leads", but not "sales, head of marketing".
    fn take_work(&mut self, work: &Item, after: &[Item]) -> usize {
        let own = level_behind(after);
        let shared = || matches!(work.sense, Sense::Field(..)).then(|| shared_level(after)).flatten();
        let said = work_said(work).unwrap_or_default();
        let text =
            own.or_else(shared).map_or_else(|| said.to_owned(), |level| format!("{said} {}", level.text));
        self.add(TermKind::Role, text, &after[usize::from(own.is_some())..]);
        usize::from(own.is_some())
    }

    /// "head of finance", "senior engineers", "executives".
    fn take_level(&mut self, level: usize, item: &Item, after: &[Item]) -> usize {
        let skipped =
            after.iter().take_while(|it| matches!(it.sense, Sense::Cue(Cue::Of | Cue::Stop))).count();
        let joined = after[..skipped].iter().any(|it| it.sense == Sense::Cue(Cue::Of));
        let words = match after.get(skipped).map(|next| (next.sense, next)) {
            Some((Sense::Field(..) | Sense::Role, next)) => work_said(next).map(str::to_owned),
            Some((Sense::Word, next)) if joined => Some(next.text.clone()),
            // "head of insurance", but "bosses of game studios", "executives of insurers" and "lawyers, senior, of insurance"
            Some((Sense::Thing(TermKind::Industry), next))
                if joined
                    && !names_companies(next)
                    && LEXICON.levels[level].leads()
                    && LEXICON.levels[level].name != "executive" =>
            {
                Some(next.text.clone())
            }
            _ => None,
        };
        let Some(words) = words.filter(|words| !ANYTHING.contains(&words.as_str())) else {
            self.add(TermKind::Seniority, LEXICON.levels[level].said_as(&item.text), after);
            return 0;
        };
        let between = if joined { " of " } else { " " };
        let mut rest = &after[skipped + 1..];
        self.add(TermKind::Role, format!("{}{between}{words}", item.text), rest);
        let roles = !joined && !LEXICON.levels[level].leads();
        while let Some((work, behind)) = listed_work(rest, roles) {
            (rest, self.in_row) = (behind, true);
            self.add(TermKind::Role, format!("{}{between}{work}", item.text), rest);
        }
        after.len() - rest.len()
    }

    /// "runs finance", "ran hiring at", "leads Acme".
    fn take_verb(&mut self, level: usize, item: &Item, after: &[Item]) -> usize {
        self.past |=
            ["ran", "led", "headed", "oversaw", "managed", "owned", "handled"].contains(&item.text.as_str());
        let skipped = after.iter().take_while(is_stop).count();
        let words = match after.get(skipped).map(|next| (next.sense, next)) {
            Some((Sense::Field(..) | Sense::Role, next)) => work_said(next).unwrap_or_default().to_owned(),
            Some((Sense::Thing(TermKind::Company), _)) => {
                self.add(TermKind::Role, "ceo".to_owned(), after);
                return 0;
            }
            // "runs a bakery", "leads a small firm"
            Some((Sense::Thing(TermKind::Industry) | Sense::Cue(Cue::CompanyNoun) | Sense::Size(_), _))
                if after[..skipped].iter().any(|item| ARTICLES.contains(&item.text.as_str())) =>
            {
                self.add(TermKind::Role, "ceo".to_owned(), after);
                return 0;
            }
            _ => {
                self.ignore(&item.text);
                return 0;
            }
        };
        self.add(TermKind::Role, format!("{} of {words}", LEXICON.levels[level].name), &after[skipped + 1..]);
        skipped + 1
    }

    /// Unknown words with the small ones between them: one topic, compared as a whole.
    fn take_words(&mut self, item: &Item, after: &[Item]) -> usize {
        if item.text.bytes().all(|byte| byte.is_ascii_digit()) || ANYTHING.contains(&item.text.as_str()) {
            self.ignore(&item.text);
            return 0;
        }
        // "that do not publish news"
        let next = after.iter().find(|item| !is_stop(item)).map(|item| item.sense);
        if self.negated && next == Some(Sense::Thing(TermKind::Industry)) {
            self.ignore(&item.text);
            return 0;
        }
        let is_part = |next: &&Item| {
            matches!(next.sense, Sense::Word | Sense::Cue(Cue::Stop | Cue::Of | Cue::Or | Cue::And))
        };
        let run = after.iter().take_while(is_part).count();
        let more = after[..run].iter().rposition(|next| next.sense == Sense::Word).map_or(0, |last| last + 1);
        let text = std::iter::once(item).chain(&after[..more]).map(|item| item.text.as_str());
        self.add(TermKind::Topic, text.collect::<Vec<_>>().join(" "), &after[more..]);
        more
    }

    /// Adds a term, unless it is a repetition or there are enough.
    fn add(&mut self, kind: TermKind, text: String, after: &[Item]) {
        let text: String = text.chars().take(TERM_CHARS_MAX).collect();
        let is_past = self.past && matches!(kind, TermKind::Company | TermKind::Role);
        let negated = self.negated != (self.leaving && kind == TermKind::Place);
        let term = Term { kind, text, negated, past: is_past };
        if self.draft.terms.len() >= TERMS_MAX {
            self.ignore(&term.text);
        } else if !self.draft.terms.contains(&term) {
            if self.in_row {
                self.draft.listed.push(self.draft.terms.len());
            }
            self.draft.terms.push(term);
        }
        // "not recruiters or consultants": one "not" for both; otherwise it ends with its term.
        self.in_list = (self.negated || self.past) && goes_on(kind, after);
        self.negated &= self.in_list;
        self.past &= kind != TermKind::Company || self.in_list;
        // "who were previously product managers": applies to what follows.
        self.is_adverb &= !is_past;
    }

    fn ignore(&mut self, text: &str) {
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if !self.draft.ignored.iter().any(|ignored| ignored == word) {
                self.draft.ignored.push(word.to_owned());
            }
        }
    }
}
