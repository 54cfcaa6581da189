//! A reader trained on labelled queries that corrects the senses that rules give to items.
//!
//! The rules know the possible meanings of words; the right one depends on all other words: "lead" in "investors who
//! lead rounds". A linear-chain conditional random field tags each item with a kind, or with none, from the rules'
//! result, its words and those around it. `training/train.py` learns its weights.
//!
//! Promise: What is said in talk is read, and its filler is not.
//! Control: the same reader without weights; weights that were learned from the tags of other queries.
//! Also in: `tests/api/judged/misread.rs`.

mod chain;
pub mod features;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::graph::index::GraphIndex;
use crate::search::conditions::TermKind;
use crate::search::index::SearchIndex;
use crate::search::parse::apart::{ItemsRead, read_items};
use crate::search::parse::clause::said;
use crate::search::parse::cues::Cue;
use crate::search::parse::description::description;
use crate::search::parse::item::{Item, Sense};
use crate::search::parse::joiner::Joiner;
use crate::search::parse::learned::chain::ReaderWeights;
use crate::search::parse::learned::features::{Features, ItemLookups};
use crate::search::parse::tokens::TokensRead;

/// The kinds of spans, in the order of their tags; `None` is for statements that no network has data on, such as an
/// age.
const KINDS: [Option<TermKind>; 12] = [
    Some(TermKind::Role),
    Some(TermKind::Seniority),
    Some(TermKind::Company),
    Some(TermKind::Industry),
    Some(TermKind::Place),
    Some(TermKind::Name),
    Some(TermKind::Size),
    Some(TermKind::Connections),
    Some(TermKind::Topic),
    Some(TermKind::Relation),
    Some(TermKind::Silence),
    None,
];
/// Minimum likelihood to follow the reader for words that the rules do not know.
const SURE: f32 = 0.5;
/// Minimum likelihood for words that the rules read otherwise, and for names.
const SURE_OF_KNOWN: f32 = 0.9;
/// Minimum likelihood to drop words that the rules know.
const SURE_OF_NOTHING: f32 = 0.95;
/// Cues that separate roles.
const JOINS: [Sense; 3] = [Sense::Cue(Cue::Or), Sense::Cue(Cue::And), Sense::Cue(Cue::Who)];
const STOP: Sense = Sense::Cue(Cue::Stop);

/// Items that form one thing, with the likelihood of that.
struct Span {
    items: Range<usize>,
    /// `Some(None)` is a statement that no network has data on, `None` no meaning.
    kind: Option<Option<TermKind>>,
    sure: f32,
}

/// Gives `items` the senses that the reader finds. Costs some 10,000 multiplications per item if there is a word
/// unknown to the rules; otherwise nothing, since fully known queries are left to the rules.
pub(super) fn read(search: &SearchIndex, read: &TokensRead, mut items: Vec<Item>) -> Vec<Item> {
    if items.iter().all(|item| item.sense != Sense::Word) {
        return items;
    }
    if let Some((from, kind)) = description(&items).map(|it| (it.before.len(), it.kind)) {
        items[from].text = said(&items[from..]);
        items[from].sense = if kind == TermKind::Role { Sense::Role } else { Sense::Thing(kind) };
        items.truncate(from + 1);
        return items;
    }
    let places: Vec<usize> = (0..items.len()).filter(|&at| !is_break(&items[at])).collect();
    // A single word can be about anything.
    if places.len() == 1 {
        return items;
    }
    let draft = Joiner::default().join(&items);
    let known = ItemLookups { search, read, draft: &draft };
    let all: Vec<&Item> = places.iter().map(|&at| &items[at]).collect();
    let features: Vec<Features> = (0..all.len()).map(|at| known.features(&all, at)).collect();
    let ruled = items.clone();
    // From the last one on: joining items leaves earlier positions as they are.
    for span in spans(&items, &places, &ReaderWeights::own().tags(&features)).into_iter().rev() {
        let of = span.items.clone();
        let was_said = !items[of.clone()].iter().all(is_cue);
        let is_people = |item: &Item| matches!(item.sense, Sense::Cue(Cue::Who | Cue::PeopleNoun));
        let is_of_people = items[..of.start].iter().any(is_people);
        if known.give_sense(&span, &mut items[of.clone()], is_of_people) {
            items[of.start].text = said(&items[of.clone()]);
            items.drain(of.start + 1..of.end);
        } else if was_said && items[of.clone()].iter().all(is_cue) {
            let mut behind = items[of.end..].iter().skip_while(|item| item.sense == STOP);
            if behind.next().is_none_or(is_cue) {
                leave_out(&mut items[..of.start]);
            }
        }
    }
    // An empty query would find everybody, so unknown words must fit nobody instead.
    if items.iter().all(is_cue) { ruled } else { items }
}

/// The spans that `tags` form over the items at `places`.
fn spans(items: &[Item], places: &[usize], tags: &[(usize, f32)]) -> Vec<Span> {
    let (mut spans, mut at) = (Vec::new(), 0);
    while at < tags.len() {
        let tag = tags[at].0;
        let kind = tag.checked_sub(1).map(|tag| KINDS[tag / 2]);
        let is_work = kind.flatten().is_some_and(is_work);
        let goes_on = |at: usize| {
            let sense = |at: usize| places.get(at).map(|&place| items[place].sense);
            // "resellers and allied firms": words of one description.
            let is_within =
                |at: usize| at > 0 && [at - 1, at + 1].iter().all(|&at| sense(at) == Some(Sense::Word));
            let is_joint = |at: usize| JOINS.contains(&items[places[at]].sense) && !is_within(at);
            let joins = is_work && [at, at - 1].into_iter().any(is_joint);
            // The second tag of a kind.
            tag > 0 && tags[at].0 == (tag - 1) / 2 * 2 + 2 && places[at] == places[at - 1] + 1 && !joins
        };
        let end = (at + 1..tags.len()).find(|&at| !goes_on(at)).unwrap_or(tags.len());
        let sure = tags[at..end].iter().fold(1.0_f32, |least, &(_, sure)| least.min(sure));
        let mut span = places[at]..places[end - 1] + 1;
        // "not financial services": the "not" is not part of the span.
        let is_outer = |item: &&Item| is_cue(item) && item.sense != Sense::Cue(Cue::CompanyNoun);
        if tag > 0 && !items[span.clone()].iter().all(|item| is_outer(&item)) {
            let trailing = items[span.clone()].iter().rev().take_while(is_outer).count();
            span.start += items[span.clone()].iter().take_while(is_outer).count();
            span.end -= trailing;
        }
        spans.push(Span { items: span, kind, sure });
        at = end;
    }
    spans
}

impl ItemLookups<'_> {
    /// Gives `items`, which may describe people, the sense of `span`. Returns whether they are one item now.
    fn give_sense(&self, span: &Span, items: &mut [Item], is_of_people: bool) -> bool {
        let is_known = items.iter().all(|item| item.sense != Sense::Word);
        let is_named = |item: &Item| self.is_of_network(item);
        let least = match span.kind {
            None if is_known => SURE_OF_NOTHING,
            Some(Some(_)) if is_known || items.iter().any(is_named) => SURE_OF_KNOWN,
            _ => SURE,
        };
        if span.sure < least {
            return false;
        }
        let Some(Some(kind)) = span.kind else { return self.pass_over(span.sure, items) };
        let is_only = |is: &dyn Fn(&Item) -> bool| items.iter().all(|item| is(item) || is_cue(item));
        let is_role = |item: &Item| {
            matches!(item.sense, Sense::Level(_) | Sense::Verb(_) | Sense::Field(..) | Sense::Role)
        };
        // The rules know the names of such things, and numbers.
        let is_thing = |item: &Item| item.sense == Sense::Thing(kind);
        let is_such = |item: &Item| is_thing(item) || matches!(item.sense, Sense::Size(_) | Sense::Number(_));
        let has_thing = items.iter().any(is_thing) || items.iter().all(is_cue);
        if has_thing && is_only(&is_such) || is_work(kind) && is_only(&is_role) {
            return false;
        }
        // An unknown name counts as a name if it was written like one, which a first word does not show.
        let is_new = |item: &Item| !self.is_written_as_name(item) && !is_named(item);
        let is_a_name = matches!(kind, TermKind::Company | TermKind::Name);
        if kind.is_measured() || is_a_name && span.sure < SURE_OF_KNOWN && items.iter().all(is_new) {
            if items[0].from == 0 {
                return false;
            }
            let words = items.iter_mut().filter(|item| !kind.is_measured() || item.sense == Sense::Word);
            words.filter(|item| !is_cue(item)).for_each(|item| item.sense = STOP);
            return false;
        }
        items[0].sense = match kind {
            // "pays our salaries": not about a person, it can be about anything.
            _ if is_work(kind) && !is_of_people && items.iter().any(is_cue) => Sense::Thing(TermKind::Topic),
            _ if is_work(kind) => Sense::Role,
            _ => Sense::Thing(kind),
        };
        true
    }

    /// Drops `items`, but no companies of the network, and its people only if `sure` enough.
    fn pass_over(&self, sure: f32, items: &mut [Item]) -> bool {
        for item in items.iter_mut().filter(|item| !is_cue(item)) {
            let is_company = item.sense == Sense::Thing(TermKind::Company);
            if !self.is_of_network(item) || sure >= SURE_OF_KNOWN && !is_company {
                item.sense = STOP;
            }
        }
        false
    }
}

/// Drops the "not" or "formerly" at the end of `before`: its subject has no meaning.
fn leave_out(before: &mut [Item]) {
    let cues = before.iter_mut().rev().take_while(|item| is_cue(item));
    let cue = cues.into_iter().find(|item| item.sense != STOP);
    if let Some(cue) = cue.filter(|cue| matches!(cue.sense, Sense::Cue(Cue::Not | Cue::Past))) {
        cue.sense = STOP;
    }
}

fn is_cue(item: &Item) -> bool {
    matches!(item.sense, Sense::Cue(_))
}

fn is_break(item: &Item) -> bool {
    item.sense == Sense::Cue(Cue::Break)
}

fn is_work(kind: TermKind) -> bool {
    matches!(kind, TermKind::Role | TermKind::Seniority)
}

/// A query as the reader sees it, for training.
pub struct Lesson {
    /// The words read, folded, with a mark in place of each number.
    pub words: Vec<String>,
    /// The texts of the numbers.
    pub numbers: Vec<String>,
    /// The items, each with the positions of its words and its features.
    pub items: Vec<(Range<usize>, String, Features)>,
}

/// The lesson from `query`.
#[must_use]
pub fn lesson(index: &GraphIndex, search: &SearchIndex, query: &str) -> Lesson {
    let ItemsRead { numbers, read, items, .. } = read_items(index, search, query);
    let draft = Joiner::default().join(&items);
    let known = ItemLookups { search, read: &read, draft: &draft };
    let place = |item: Option<&Item>| {
        item.and_then(|item| read.tokens.get(item.from)).map_or(read.typed.len(), |token| token.at)
    };
    let said: Vec<&Item> = items.iter().filter(|item| !is_break(item)).collect();
    let of = |at: usize| {
        let words = place(said.get(at).copied())..place(said.get(at + 1).copied());
        (words, said[at].text.clone(), known.features(&said, at))
    };
    let items = (0..said.len()).map(of).collect();
    let numbers = numbers.into_iter().map(|number| number.text).collect();
    Lesson { words: read.typed.clone(), numbers, items }
}
