//! Statements in queries on which no network has data: people's ages, and the languages they speak.

use crate::search::conditions::TermKind;
use crate::search::parse::cues::Cue;
use crate::search::parse::item::{Item, Sense};

/// Words before an age.
const AGES: [&str; 10] =
    ["under", "over", "below", "above", "younger than", "older than", "unter", "uber", "onder", "boven"];
/// Words beside a language.
const SPEAKING: [&str; 13] = [
    "speak",
    "speaks",
    "speaking",
    "speaker",
    "speakers",
    "fluent in",
    "sprechen",
    "spricht",
    "parlent",
    "parle",
    "hablan",
    "habla",
    "spreken",
];

/// Ignores ages ("engineers under 30") and languages ("who speak Dutch").
pub(super) fn mark_absent(items: &mut [Item]) {
    let is_idle = |item: &Item| matches!(item.sense, Sense::Cue(Cue::Stop | Cue::Who));
    let is_people = |item: &Item| {
        matches!(item.sense, Sense::Role | Sense::Field(..) | Sense::Level(_) | Sense::Cue(Cue::PeopleNoun))
    };
    let is_place = |item: &Item| item.sense == Sense::Thing(TermKind::Place);
    for at in 0..items.len() {
        let text = items[at].text.as_str();
        if items[at].sense == Sense::Number(TermKind::Size)
            && AGES.iter().any(|age| text.strip_prefix(age).is_some_and(is_age))
        {
            if items[..at].iter().rev().find(|item| !is_idle(item)).is_some_and(is_people) {
                items[at].sense = Sense::Cue(Cue::Stop);
            }
        } else if SPEAKING.contains(&text) {
            if at > 0 && is_place(&items[at - 1]) {
                items[at - 1].sense = Sense::Cue(Cue::Stop);
            }
            let listed = |item: &&mut Item| {
                is_place(item) || is_idle(item) || matches!(item.sense, Sense::Cue(Cue::And | Cue::Or))
            };
            let spoken = items[at + 1..].iter_mut().take_while(listed);
            spoken.for_each(|item| item.sense = Sense::Cue(Cue::Stop));
        }
    }
}

/// Whether only a number below a hundred is left.
fn is_age(rest: &str) -> bool {
    let rest = rest.trim();
    rest.len() == 2 && rest.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use crate::search::index::SearchIndex;
    use crate::search::parse::parse;
    use kith_embed::sketch::net;

    #[test]
    fn ages_and_languages_are_no_conditions_and_sizes_and_places_are() {
        let net = net("ann");
        let search = SearchIndex::build(&net);
        for (query, expected) in [
            ("engineers under 30", &["role engineers"][..]),
            ("nurses who speak Turkish and Dutch", &["role nurses"]),
            ("nurses in Oslo who speak Turkish", &["role nurses", "place oslo"]),
            // The controls: a size of companies, and a place.
            ("companies under 30 people", &["size under 30 people"]),
            ("Turkish nurses", &["place turkish", "role nurses"]),
        ] {
            let terms = parse(&net, &search, query).terms;
            let said: Vec<String> =
                terms.iter().map(|term| format!("{} {}", term.kind.name(), term.text)).collect();
            assert_eq!(said, expected, "{query}");
        }
    }
}
