//! Exclusions that a single word does not express: split verbs, words for nothing, companies of a kind.

use crate::search::conditions::TermKind;
use crate::search::parse::cues::Cue;
use crate::search::parse::item::{Item, Sense};

/// Split verbs of exclusion, with their second parts.
const PARTED: [(&str, &[&str]); 8] = [
    ("leave", &["out", "out of", "out of it", "aside", "off"]),
    ("leaving", &["out", "out of", "out of it", "aside", "off"]),
    ("take", &["out"]),
    ("keep", &["out"]),
    ("rule", &["out"]),
    ("filter", &["out"]),
    ("put", &["aside"]),
    ("cut", &["out"]),
];
/// Words for nothing.
const NOTHING: [&str; 7] = ["nothing", "none", "nichts", "rien", "nada", "niets", "niks"];
/// Words for companies of one kind: after "not", by themselves, they are what is excluded.
const COMPANIES_OF_A_KIND: [&str; 10] = [
    "agency",
    "agencies",
    "studio",
    "studios",
    "vendor",
    "vendors",
    "corporate",
    "corporates",
    "chain",
    "chains",
];

/// Marks such exclusions in `items`.
pub(super) fn mark(items: &mut [Item]) {
    join_parted(items);
    exclude_counted(items);
    keep_unwanted(items);
}

/// Turns a split verb into one "not": "leave recruiters out".
fn join_parted(items: &mut [Item]) {
    for at in 0..items.len() {
        let Some((_, ends)) = PARTED.iter().find(|(verb, _)| *verb == items[at].text) else { continue };
        let clause = items[at..].iter().take_while(|item| item.sense != Sense::Cue(Cue::Break)).count();
        let end = items[at..at + clause].iter().rposition(|item| ends.contains(&item.text.as_str()));
        if let Some(end) = end.filter(|&end| end > 1) {
            items[at].sense = Sense::Cue(Cue::Not);
            items[at + end].sense = Sense::Cue(Cue::Stop);
        }
    }
}

/// Turns a word for nothing into a "not" before a count or a description of companies: "nothing below 200 employees".
fn exclude_counted(items: &mut [Item]) {
    for at in 0..items.len() {
        let leads = |item: &&Item| !matches!(item.sense, Sense::Cue(Cue::Stop | Cue::At | Cue::In | Cue::Of));
        let next = items[at + 1..].iter().find(leads).map(|next| next.sense);
        let is_counted = matches!(
            next,
            Some(
                Sense::Number(_)
                    | Sense::Size(_)
                    | Sense::Thing(TermKind::Company | TermKind::Industry | TermKind::Place)
            )
        );
        if NOTHING.contains(&items[at].text.as_str()) && is_counted {
            items[at].sense = Sense::Cue(Cue::Not);
        }
    }
}

/// Keeps an excluded kind of company as words: "not agency people".
fn keep_unwanted(items: &mut [Item]) {
    for at in 0..items.len() {
        let is_of_a_kind = items[at].sense == Sense::Cue(Cue::CompanyNoun)
            && COMPANIES_OF_A_KIND.contains(&items[at].text.as_str());
        let leads = |item: &&Item| !matches!(item.sense, Sense::Cue(Cue::Stop | Cue::At | Cue::In));
        let is_unwanted = items[..at].iter().rev().find(leads).map(|item| item.sense);
        let is_alone = items.get(at + 1).is_none_or(|next| matches!(next.sense, Sense::Cue(_)));
        if is_of_a_kind && is_alone && is_unwanted == Some(Sense::Cue(Cue::Not)) {
            items[at].sense = Sense::Word;
        }
    }
}
