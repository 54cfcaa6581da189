//! The parts of a clause: where it ends, whether it is a description, and what in it is about companies.

#[cfg(test)]
mod tests;

use crate::search::conditions::TermKind;
use crate::search::lexicon::{LEXICON, Meaning};
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::parse::item::{Item, Sense};
use crate::search::words::stems;

/// Words for "not" that can follow what they exclude.
const NOES: [&str; 6] = ["no", "nope", "not", "nicht", "niet", "non"];
/// Words before one company among others.
pub(super) const ARTICLES: [&str; 6] = ["a", "an", "their", "his", "her", "own"];
/// Words for no particular field of work, and for how many people are wanted.
pub(super) const ANYTHING: [&str; 17] = [
    "anything",
    "something",
    "everything",
    "whatever",
    "any",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "dozen",
    "several",
    "couple",
];
/// Whether a description of work ends before this.
pub(super) fn ends_clause(sense: Sense) -> bool {
    match sense {
        Sense::Thing(TermKind::Place | TermKind::Company | TermKind::Name) | Sense::Number(_) => true,
        Sense::Cue(cue) => {
            !matches!(cue, Cue::Stop | Cue::Of | Cue::Or | Cue::And | Cue::PeopleNoun | Cue::CompanyNoun)
        }
        _ => false,
    }
}

pub(super) fn is_stop(item: &&Item) -> bool {
    item.sense == Sense::Cue(Cue::Stop)
}

/// Whether the last of the words before, small ones aside, is `cue`.
pub(super) fn ends_in(before: &[Item], cue: Cue) -> bool {
    before.iter().rev().find(|item| !is_stop(item)).is_some_and(|item| item.sense == Sense::Cue(cue))
}

/// The texts of `items` joined.
pub(super) fn said(items: &[Item]) -> String {
    items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Whether the clause after `item` describes companies: "whose employer".
pub(super) fn is_of_employers(item: &Item) -> bool {
    item.sense == Sense::Cue(Cue::Who) && item.text.contains("whose ")
}

/// Whether the negation `item` applies to the preceding item: "Munich no, Berlin yes", and at the end of a query
/// "Versicherungen ausgenommen".
pub(super) fn stands_behind(item: &Item, before: &[Item], after: &[Item]) -> bool {
    let is_last = after.first().is_none_or(|next| next.sense == Sense::Cue(Cue::Break));
    let is_said = before.last().is_some_and(|last| !matches!(last.sense, Sense::Cue(_)));
    (NOES.contains(&item.text.as_str()) && is_last || after.is_empty()) && is_said
}

/// The words for the work that `item` is, if it is work.
pub(super) fn work_said(item: &Item) -> Option<&str> {
    match item.sense {
        Sense::Field(field, false) => Some(&LEXICON.fields[field].name),
        Sense::Field(_, true) | Sense::Role => Some(&item.text),
        _ => None,
    }
}

/// The level right after a field of work: for "engineering managers", but not "sales head of marketing".
pub(super) fn level_behind(after: &[Item]) -> Option<&Item> {
    let of_another = after.get(1).is_some_and(|next| next.sense == Sense::Cue(Cue::Of));
    after.first().filter(|next| matches!(next.sense, Sense::Level(_)) && !of_another)
}

/// The level that a field of work before `after` takes from the last field listed with it: "product or engineering
/// leads".
pub(super) fn shared_level(after: &[Item]) -> Option<&Item> {
    match after {
        [joins, field, behind @ ..] if joins_or(joins) && matches!(field.sense, Sense::Field(..)) => {
            level_behind(behind).or_else(|| shared_level(behind))
        }
        _ => None,
    }
}

/// The next work that shares the level before it ("heads of finance, tax or legal", with `roles` also "senior engineers
/// or designers"), and the items after it; `None` if it has a level of its own.
pub(super) fn listed_work(after: &[Item], roles: bool) -> Option<(&str, &[Item])> {
    let [joins, work, behind @ ..] = after else { return None };
    let has_own = level_behind(behind).or_else(|| shared_level(behind)).is_some();
    let may_share = matches!(work.sense, Sense::Field(..)) || roles && work.sense == Sense::Role;
    let goes_on = || joins.sense == Sense::Cue(Cue::Break) && listed_work(behind, roles).is_some();
    let is_listed = !has_own && may_share && (joins_or(joins) || goes_on());
    work_said(work).filter(|_| is_listed).map(|said| (said, behind))
}

/// Whether `item` joins what follows to a list.
pub(super) fn lists(item: &Item) -> bool {
    joins_or(item) || item.sense == Sense::Cue(Cue::Break)
}

fn joins_or(item: &Item) -> bool {
    matches!(item.sense, Sense::Cue(Cue::Or | Cue::And))
}

/// Whether a size between `before` and `after` describes companies: "companies that are not tiny".
pub(super) fn is_said_of_companies(before: &[Item], after: &[Item]) -> bool {
    // "empresas pequeñas de Lima", "hoteles pequeños"
    let is_company =
        |last: &Item| matches!(last.sense, Sense::Cue(Cue::CompanyNoun) | Sense::Thing(TermKind::Industry));
    if before.last().is_some_and(is_company) {
        return true;
    }
    let joins = |item: &&Item| matches!(item.sense, Sense::Cue(Cue::Who | Cue::Stop | Cue::Not));
    let mut earlier = before.iter().rev().skip_while(joins);
    let is_last = after.first().is_none_or(|next| ends_clause(next.sense));
    is_last && earlier.next().is_some_and(|item| item.sense == Sense::Cue(Cue::CompanyNoun))
}

/// Whether a line of business names its companies: "game studios".
pub(super) fn names_companies(industry: &Item) -> bool {
    industry.text.rsplit(' ').next().is_some_and(|last| find_cue(last) == Some(Cue::CompanyNoun))
}

/// The position in `clause` of companies described by their business or size.
pub(super) fn object_in(clause: &[Item], has_head: bool) -> Option<usize> {
    let is_noun = |item: &Item| matches!(item.sense, Sense::Cue(Cue::CompanyNoun) | Sense::Size(true));
    // "buys machines for a hospital"
    let is_for = |item: &Item| item.sense == Sense::Cue(Cue::Of) && item.text == "for";
    clause.iter().enumerate().position(|(place, item)| match item.sense {
        Sense::Thing(TermKind::Industry) => {
            has_head
                || clause[place + 1..].iter().take(2).any(is_noun)
                || names_companies(item)
                || clause[..place].iter().rev().find(|it| !is_stop(it)).is_some_and(is_for)
        }
        Sense::Size(true) => has_head,
        Sense::Size(false) => clause[place + 1..].iter().take(3).any(is_noun),
        _ => false,
    })
}

/// Whether the words `after` a relative pronoun describe the business of the companies `before` it: "companies that
/// make software".
pub(super) fn names_their_line(before: &[Item], after: &[Item]) -> bool {
    let clause = after.iter().take_while(|item| !ends_clause(item.sense)).count();
    ends_in(before, Cue::CompanyNoun) && line_in(&after[..clause]).is_some_and(|line| line > 0)
}

/// The first line of business in a clause about companies, if any.
pub(super) fn line_in(clause: &[Item]) -> Option<usize> {
    let is_industry = |meaning: &Meaning| matches!(meaning, Meaning::Industry(_));
    clause.iter().position(|item| {
        item.sense == Sense::Thing(TermKind::Industry)
            || LEXICON.meanings(&stems(&item.text)).iter().any(is_industry)
    })
}

/// Whether `after` begins with work: a role, a level, or an unknown word.
pub(super) fn names_work(after: &[Item]) -> bool {
    let first = after.iter().find(|item| !is_stop(item)).map(|item| item.sense);
    matches!(first, Some(Sense::Role | Sense::Level(_) | Sense::Field(..) | Sense::Word))
}
