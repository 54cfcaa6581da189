//! The words with which a request opens: "me vendría bien hablar con …", "I was wondering whether somebody …".
//!
//! What nobody knows there says nothing of the people wanted.

use crate::search::parse::cues::Cue;
use crate::search::parse::item::{Item, Sense};

/// Items behind which what is asked for follows.
const ENDS: [&str; 17] = [
    "someone",
    "somebody",
    "anyone",
    "anybody",
    "meet",
    "find",
    "introduce",
    "talk to",
    "talk with",
    "speak to",
    "speak with",
    "chat to",
    "chat with",
    "in touch with",
    "contact",
    "know",
    "know of",
];

/// What those who ask say of themselves: "I was wondering".
const WAS: [&str; 2] = ["was", "were"];

/// Makes nothing of the words that nobody knows in front of what is asked for. `is_asked` says for each item whether
/// words of a request stand before it, as `I` or `kannst du`.
pub(super) fn pass_over(items: &mut [Item], is_asked: &[bool]) {
    let is_idle = |item: &Item| {
        let is_past = item.sense == Sense::Cue(Cue::Past) && WAS.contains(&item.text.as_str());
        is_past || matches!(item.sense, Sense::Word | Sense::Cue(Cue::In | Cue::Of | Cue::Or))
    };
    let is_small = |item: &Item| {
        is_idle(item) || matches!(item.sense, Sense::Cue(Cue::Stop | Cue::Break | Cue::PeopleNoun))
    };
    let opening = items.iter().take_while(|item| is_small(item)).count();
    let end = items[..opening].iter().position(|item| ENDS.contains(&item.text.as_str()));
    let Some(end) = end else { return };
    // "ik zou graag timmerlieden ontmoeten": what is asked for stands before.
    let follows = items[end + 1..]
        .iter()
        .take_while(|item| item.sense != Sense::Cue(Cue::Break))
        .any(|item| !matches!(item.sense, Sense::Cue(Cue::Stop)));
    if !follows {
        return;
    }
    let opening = items[..end].iter_mut().zip(is_asked);
    for (item, _) in opening.filter(|(item, is_asked)| **is_asked && is_idle(item)) {
        item.sense = Sense::Cue(Cue::Stop);
    }
}
