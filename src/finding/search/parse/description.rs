//! Queries that as a whole describe what people or companies do: "fixes machines at the customer", "has the last word
//! on products".
//!
//! Words of a description have meanings of their own too ("customer" is a field of work, "last" means nothing), but
//! only all of them together say what is wanted. A query that names a company, a place or a person is not a
//! description, and neither is one whose words all have a meaning, such as "runs finance".
//!
//! Promise: A query that only says what is done is one description, one that names something is not; names with small
//!   words within and bynames of a place are found.
//! Control: an employer, a place, a name, a comma, a line of business, a head, "nobody who"; the same name without its
//!   small words; without these rules phrases do not reach the floors (0.555, 0.582 and 0.506, 0.547 were measured)
//! Also in: `src/finding/search/resolve.rs`, `tests/api/judged/phrases.rs`.

use crate::search::conditions::TermKind;
use crate::search::parse::clause::is_of_employers;
use crate::search::parse::cues::Cue;
use crate::search::parse::item::{Item, Sense};

/// Small words that make a description if it begins with them.
const DOING: [&str; 18] = [
    "does", "makes", "has", "knows", "works", "gets", "gives", "takes", "helps", "cares", "likes", "wants",
    "make", "made", "working", "making", "talks", "speaks",
];
/// Words for "not" inside a description: "makes sure nobody breaks in".
const NOBODY: [&str; 6] = ["nothing", "nobody", "no one", "noone", "never", "no"];

/// A query that is one description.
pub(super) struct Description<'a> {
    /// The words before it, without meaning: "people who".
    pub(super) before: &'a [Item],
    /// A role if it describes people, else a topic.
    pub(super) kind: TermKind,
}

/// The description that all of `items` form; `None` if they name anything, or are not one description.
pub(super) fn description(items: &[Item]) -> Option<Description<'_>> {
    let length = items.iter().take_while(|item| is_before(item)).count();
    let (before, said) = items.split_at(length);
    let (first, rest) = said.split_first()?;
    let is_who = has_cue(before, |cue| cue == Cue::Who);
    // Clauses that nothing splits are read whole anyway, and so are nouns: "teaching staff".
    let is_clause = is_who && !has_cue(said, |cue| matches!(cue, Cue::At | Cue::In | Cue::Not));
    let is_noun = !is_who && said.last().is_some_and(|last| last.sense == Sense::Cue(Cue::PeopleNoun));
    let is_talk = said.iter().enumerate().all(|(at, item)| is_part(item, &said[..at], &said[at + 1..]));
    let is_description = !rest.is_empty()
        && (begins(first, rest) || is_who && first.sense == Sense::Word)
        && !is_clause
        && !is_noun
        && is_talk
        && has_more_than_names(first, rest);
    let kind = if is_who { TermKind::Role } else { TermKind::Topic };
    is_description.then_some(Description { before, kind })
}

fn has_cue(items: &[Item], is: fn(Cue) -> bool) -> bool {
    items.iter().any(|item| matches!(item.sense, Sense::Cue(cue) if is(cue)))
}

/// The sense of the first of `items`, small words aside.
fn first_sense(items: &[Item]) -> Option<Sense> {
    items.iter().map(|item| item.sense).find(|&sense| sense != Sense::Cue(Cue::Stop))
}

/// Whether `item` has no meaning in front of a description.
fn is_before(item: &Item) -> bool {
    match item.sense {
        Sense::Cue(Cue::Stop) => !DOING.contains(&item.text.as_str()),
        Sense::Cue(Cue::PeopleNoun | Cue::Who) => true,
        _ => false,
    }
}

/// Whether a description begins with `item`: an activity other than leading the field or the role in `rest`.
fn begins(item: &Item, rest: &[Item]) -> bool {
    match item.sense {
        Sense::Word => seems_verb(item),
        Sense::Verb(_) => !matches!(first_sense(rest), Some(Sense::Field(..) | Sense::Role)),
        Sense::Cue(cue) => cue == Cue::Stop,
        // "asks users" is a role by itself.
        Sense::Role => item.text.split_once(' ').is_some_and(|(verb, _)| has_end_of_verb(verb)),
        _ => false,
    }
}

/// Whether a description contains more than names that are found by themselves.
fn has_more_than_names(first: &Item, rest: &[Item]) -> bool {
    let is_named = |item: &Item| matches!(item.sense, Sense::Field(_, true) | Sense::Role | Sense::Thing(_));
    // "does the taxes"
    let is_vague = first.sense == Sense::Cue(Cue::Stop) && !rest.iter().any(is_named);
    // "at the customer" is not an employer.
    let at = rest.iter().position(|item| item.sense == Sense::Cue(Cue::At));
    let is_at_work = || {
        let next = at.and_then(|at| first_sense(&rest[at + 1..]));
        matches!(next, Some(Sense::Role | Sense::Field(..)))
    };
    let has_word = first.sense == Sense::Word || rest.iter().any(|item| item.sense == Sense::Word);
    has_word || is_vague || is_at_work()
}

/// Whether `item`, between `before` and `after`, can be part of a description.
fn is_part(item: &Item, before: &[Item], after: &[Item]) -> bool {
    match item.sense {
        Sense::Word | Sense::Field(..) | Sense::Verb(_) | Sense::Level(_) | Sense::Role => true,
        // "at big retailers"
        Sense::Size(is_alone) => !is_alone && !is_led(before),
        // "in insurance" and "insurance companies" describe companies.
        Sense::Thing(TermKind::Industry) => {
            !is_led(before) && after.first().is_none_or(|next| next.sense != Sense::Cue(Cue::CompanyNoun))
        }
        Sense::Thing(_) | Sense::Number(_) => false,
        Sense::Cue(Cue::Not) => NOBODY.contains(&item.text.as_str()) && !before.is_empty(),
        // "at a business that ships goods", "whose employer makes machines"
        Sense::Cue(Cue::At) => first_sense(after) != Some(Sense::Cue(Cue::CompanyNoun)),
        Sense::Cue(Cue::Who) => !is_of_employers(item),
        Sense::Cue(Cue::In | Cue::Of | Cue::Or | Cue::And | Cue::Stop) => true,
        Sense::Cue(cue) => matches!(cue, Cue::PeopleNoun | Cue::CompanyNoun),
    }
}

/// Whether the words `before` lead to an employer or a place, small words aside.
fn is_led(before: &[Item]) -> bool {
    let led = before.iter().rev().find(|item| item.sense != Sense::Cue(Cue::Stop));
    led.is_some_and(|led| matches!(led.sense, Sense::Cue(Cue::At | Cue::In | Cue::Of)))
}

/// Whether `item` seems to be an unknown verb: "repairs", "teaching".
pub(super) fn seems_verb(item: &Item) -> bool {
    item.sense == Sense::Word && has_end_of_verb(&item.text)
}

/// Whether `word` ends like a verb for an activity: "repairs", "teaching".
fn has_end_of_verb(word: &str) -> bool {
    let is_third = word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    word.len() > 3 && (is_third || word.ends_with("ing"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::index::SearchIndex;
    use crate::search::parse::{items, tokens};
    use kith_embed::sketch::net;

    /// The kind of the description that the words of `query` form, if they form one.
    fn kind(search: &SearchIndex, query: &str) -> Option<TermKind> {
        description(&items::read(search, &tokens::read(search, query), &[])).map(|it| it.kind)
    }

    #[test]
    fn what_is_done_is_one_description_unless_it_names_something() {
        let net = net("
            member ann
            ann -> p1
            p1 (name: Ida Berg, position: Customer, city: Oslo) @ c1 (name: Acme)
        ");
        let search = SearchIndex::build(&net);
        for (query, expected) in [
            ("fixes machines at the customer", Some(TermKind::Topic)),
            ("has the best ideas for products", Some(TermKind::Topic)),
            ("makes sure nobody breaks into our systems", Some(TermKind::Topic)),
            ("does the taxes", Some(TermKind::Topic)),
            ("someone who writes words in adverts", Some(TermKind::Role)),
            // The controls: an employer, a place, a name, a number, a line of business, a head, and an exclusion.
            ("fixes machines at Acme", None),
            ("fixes things in Oslo", None),
            ("fixes things like Ida Berg", None),
            ("fixes things, not machines", None),
            ("fixes gadgets for insurance companies", None),
            ("engineers who fix machines at the customer", None),
            ("runs finance", None),
            ("nobody who fixes machines at the customer", None),
        ] {
            assert_eq!(kind(&search, query), expected, "{query}");
        }
    }
}
