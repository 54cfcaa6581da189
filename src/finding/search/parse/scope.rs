//! The reach of "not" and "formerly": to the end of a list, "not in Berlin or Munich".

use crate::search::conditions::TermKind;
use crate::search::parse::cues::Cue;
use crate::search::parse::item::{Item, Sense};
use crate::search::parse::opening::ASKING;

/// Words for people who left a company; before a place they exclude it.
pub(super) const LEAVING: [&str; 6] = ["left", "quit", "leave", "moved", "departed", "walked"];
/// Adverbs that can follow what is in the past.
pub(super) const ADVERBS: [&str; 8] =
    ["previously", "formerly", "once", "earlier", "in the past", "fruher", "antes", "vroeger"];
/// Words that after "not" refer to the past.
pub(super) const NO_MORE: [&str; 7] =
    ["anymore", "any more", "any longer", "nicht mehr", "ne plus", "ya no", "niet meer"];

/// Words that refer to the present.
pub(super) const NOW: [&str; 11] = [
    "now",
    "currently",
    "today",
    "these days",
    "nowadays",
    "at present",
    "presently",
    "is",
    "are",
    "jetzt",
    "heute",
];
/// Words that refer to the present after something in the past: "left Acme and joined Globex".
pub(super) const NOW_BEHIND: [&str; 4] = ["joined", "doing", "to", "into"];
/// Words between people's past and present.
pub(super) const BECAME: [&str; 7] =
    ["turned", "turned into", "became", "who became", "has become", "have become", "went on to become"];
/// The joint between a term and the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    None,
    Comma,
    And,
    Or,
}

/// Whether what applies to a term of `kind` applies to the one in `after` too, because they form a list.
///
/// "or" joins anything; "and" terms of the same kind; a comma only names, or terms that another "or" or "and" joins
/// further on.
#[must_use]
pub(super) fn goes_on(kind: TermKind, after: &[Item]) -> bool {
    let mut joint = Joint::None;
    for (place, item) in after.iter().enumerate() {
        match item.sense {
            Sense::Cue(Cue::Or) => joint = Joint::Or,
            Sense::Cue(Cue::And) if joint != Joint::Or => joint = Joint::And,
            Sense::Cue(Cue::Stop) if ASKING.contains(&item.text.as_str()) => return false,
            Sense::Cue(Cue::Break) if joint == Joint::None => joint = Joint::Comma,
            Sense::Cue(Cue::Break | Cue::Stop | Cue::CompanyNoun | Cue::PeopleNoun | Cue::And) => {}
            Sense::Cue(Cue::At | Cue::In | Cue::Of) if matches!(joint, Joint::And | Joint::Or) => {}
            Sense::Cue(_) => return false,
            sense => {
                let same = family(sense) == Some(family_of(kind))
                    || sense == Sense::Word && is_named(kind)
                    || matches!(sense, Sense::Thing(other) if kind == TermKind::Topic && is_named(other));
                return match joint {
                    // "London & Oslo"
                    Joint::None => place == 0 && is_named(kind) && sense == Sense::Thing(kind),
                    Joint::Or => true,
                    Joint::And => same,
                    Joint::Comma => same && (is_named(kind) || goes_on_later(kind, &after[place + 1..])),
                };
            }
        }
    }
    false
}

/// Whether further on in a list, after commas, "or" or "and" joins another term of `kind`.
fn goes_on_later(kind: TermKind, after: &[Item]) -> bool {
    let mut joint = Joint::None;
    for item in after {
        match item.sense {
            Sense::Cue(Cue::Or | Cue::And) => joint = Joint::Or,
            Sense::Cue(Cue::Break | Cue::Stop | Cue::CompanyNoun | Cue::PeopleNoun) => {}
            Sense::Cue(_) => return false,
            sense if family(sense) != Some(family_of(kind)) => return false,
            _ if joint == Joint::Or => return true,
            _ => {}
        }
    }
    false
}

/// Whether terms of `kind` are names: a comma between two of them makes a list.
fn is_named(kind: TermKind) -> bool {
    matches!(kind, TermKind::Company | TermKind::Place | TermKind::Name)
}

/// The kind of a term with `sense` in a list.
fn family(sense: Sense) -> Option<TermKind> {
    match sense {
        Sense::Level(_) | Sense::Verb(_) | Sense::Field(..) | Sense::Role => Some(TermKind::Role),
        Sense::Thing(kind) | Sense::Number(kind) => Some(family_of(kind)),
        Sense::Size(_) => Some(TermKind::Size),
        Sense::Word => Some(TermKind::Topic),
        Sense::Cue(_) => None,
    }
}

fn family_of(kind: TermKind) -> TermKind {
    if kind == TermKind::Seniority { TermKind::Role } else { kind }
}
