//! Remarks of callers about themselves and about what does not matter: "we are a climate fund and look for …", "my
//! closest contacts", "need not be senior".

use crate::search::conditions::NetworkKind;
use crate::search::parse::cues::Cue;
use crate::search::parse::item::{Item, Sense};

/// Items after which the request itself begins.
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

/// Words that begin a request, besides [`ENDS`].
pub(super) const ASKING: [&str; 20] = [
    "need",
    "needs",
    "want",
    "wants",
    "love",
    "like",
    "seek",
    "seeking",
    "look",
    "looking",
    "search",
    "searching",
    "hoping",
    "hope",
    "keen",
    "in need of",
    "in search of",
    "on the lookout for",
    "on the hunt for",
    "hunting for",
];
/// Words with which callers begin to speak of themselves.
const OURSELVES: [&str; 2] = ["we", "i"];
/// Words that follow these.
const BEING: [&str; 10] = ["are", "re", "am", "m", "have", "ve", "were", "was", "just", "work"];

/// Ignores what callers say of themselves before their request: "we're a fund, looking for lawyers".
pub(super) fn pass_over_ourselves(items: &mut [Item]) {
    let text = |at: usize| items.get(at).map_or("", |item| item.text.as_str());
    let is_of_us = OURSELVES.contains(&text(0)) && BEING.contains(&text(1));
    // "our portfolio company needs …", "one of our companies needs …"
    let is_ours = text(0) == "our" || (text(0), text(1), text(2)) == ("one", "of", "our");
    if !is_of_us && !is_ours {
        return;
    }
    let asks = |at: usize| {
        let word = items[at].text.as_str();
        // "We opened an office there. Who has …"
        let is_question = word == "who" && items[at - 1].sense == Sense::Cue(Cue::Break);
        let is_said = ASKING.contains(&word) || is_of_us && ENDS.contains(&word);
        matches!(items[at].sense, Sense::Cue(_)) && (is_said || is_question)
    };
    let Some(end) = (1..items.len()).find(|&at| asks(at)) else { return };
    if items[end..].iter().any(|item| !matches!(item.sense, Sense::Cue(_))) {
        items[..end].iter_mut().for_each(|item| item.sense = Sense::Cue(Cue::Stop));
    }
}

/// Ignores what does not matter: "need not be a senior person".
pub(super) fn pass_over_indifferent(items: &mut [Item]) {
    for at in 0..items.len() {
        if items[at].sense != Sense::Cue(Cue::Indifferent) {
            continue;
        }
        let clause = items[at..].iter().take_while(|item| item.sense != Sense::Cue(Cue::Break)).count();
        let thing = items[at..at + clause].iter().position(|item| !matches!(item.sense, Sense::Cue(_)));
        let end = at + thing.unwrap_or_default();
        items[at..=end].iter_mut().for_each(|item| item.sense = Sense::Cue(Cue::Stop));
    }
}

/// Marks the ties that callers call their own: "my closest contacts".
pub(super) fn mark_own(items: &mut [Item]) {
    for at in 1..items.len() {
        if matches!(items[at].sense, Sense::Cue(Cue::Ties(_)))
            && ["my", "my own"].contains(&items[at - 1].text.as_str())
        {
            items[at - 1].sense = Sense::Cue(Cue::Network(NetworkKind::User));
        }
    }
}
