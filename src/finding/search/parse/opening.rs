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
/// Words before a reason.
const BECAUSE: [&str; 9] = ["because", "cause", "cos", "since", "as", "weil", "parce que", "porque", "omdat"];
/// Words that follow these.
const BEING: [&str; 10] = ["are", "re", "am", "m", "have", "ve", "were", "was", "just", "work"];

/// Ignores what callers say of themselves: before their request ("we're a fund, looking for lawyers"), and in clauses of
/// their own, if there are others ("lawyers, we are a fund by the way", "a CEO, because we're raising money").
pub(super) fn pass_over_ourselves(items: &mut [Item]) {
    for at in 0..items.len() {
        let text = |place: usize| items.get(at + place).map_or("", |item| item.text.as_str());
        let is_first = at == 0 || items[at - 1].sense == Sense::Cue(Cue::Break);
        let begins = is_first || BECAUSE.contains(&items[at - 1].text.as_str());
        let opening = [text(0), text(1), text(2)].join(" ");
        let mut opening = opening.split(' ');
        let is_of_us = opening.next().is_some_and(|word| OURSELVES.contains(&word))
            && opening.next().is_some_and(|word| BEING.contains(&word));
        // "our portfolio company needs …", "one of our companies needs …"
        let is_ours = at == 0 && (text(0) == "our" || (text(0), text(1), text(2)) == ("one", "of", "our"));
        if !begins || !is_of_us && !is_ours {
            continue;
        }
        let asks = |place: &usize| {
            let word = items[*place].text.as_str();
            // "We opened an office there. Who has …"
            let is_question = word == "who" && items[*place - 1].sense == Sense::Cue(Cue::Break);
            let is_said = ASKING.contains(&word) || ENDS.contains(&word);
            matches!(items[*place].sense, Sense::Cue(_)) && (is_said || is_question)
        };
        let clause = items[at..].iter().take_while(|item| item.sense != Sense::Cue(Cue::Break)).count();
        let is_tied =
            |item: &Item| matches!(item.sense, Sense::Number(_) | Sense::Cue(Cue::Ties(_) | Cue::NotAsked));
        let alone = Some(at + clause).filter(|&end| is_of_us && !items[at..end].iter().any(is_tied));
        let asking = (at + 1..items.len()).find(asks).filter(|&end| at == 0 || end < at + clause);
        let says = |items: &[Item]| items.iter().any(|item| !matches!(item.sense, Sense::Cue(_)));
        let Some(end) = asking.or(alone) else { continue };
        if says(&items[end..]) || asking.is_none() && says(&items[..at]) {
            items[at..end].iter_mut().for_each(|item| item.sense = Sense::Cue(Cue::Stop));
        }
    }
}

/// Ignores what does not matter: "need not be a senior person".
pub(super) fn pass_over_indifferent(items: &mut [Item]) {
    for at in 0..items.len() {
        if items[at].sense != Sense::Cue(Cue::Indifferent) {
            continue;
        }
        let clause = items[at..].iter().take_while(|item| item.sense != Sense::Cue(Cue::Break)).count();
        let is_said = |item: &Item| !matches!(item.sense, Sense::Cue(_));
        let thing = items[at..at + clause].iter().position(is_said);
        let mut end = at + thing.unwrap_or_default();
        // "no matter if directors or technicians"
        while let [joins, next, ..] = &items[end + 1..]
            && joins.sense == Sense::Cue(Cue::Or)
            && is_said(next)
        {
            end += 2;
        }
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
