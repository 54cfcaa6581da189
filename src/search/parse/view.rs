//! Whose network a query asks for: "who does Aoife know", "Aoife's contacts", "known to Aoife".

use std::ops::Range;

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::text::fold;
use crate::search::conditions::NetworkKind;
use crate::search::parse::cues::find_cue;

/// The most words of a name that is looked for.
const NAME_WORDS_MAX: usize = 5;

/// Words of a query that say whose network is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Where they stand, in bytes.
    pub place: Range<usize>,
    /// Whose it is; `None` if several members are called so.
    pub member: Option<MemberIx>,
    /// Which of that member's networks.
    pub network: NetworkKind,
    /// The words of the name.
    pub name: Vec<String>,
}

/// A word and where it stands.
struct Spoken {
    place: Range<usize>,
    word: String,
    is_capital: bool,
}

const KNOW: [&str; 3] = ["know", "knows", "knew"];
const ASK: [&str; 4] = ["do", "does", "did", "can"];
const KNOWS_BEFORE: [&str; 5] = ["kennt", "kent", "conoce", "connait", "kennen"];
const BELONGINGS: [&str; 12] = [
    "network",
    "contacts",
    "connections",
    "people",
    "circle",
    "friends",
    "rolodex",
    "relationships",
    "contact",
    "netzwerk",
    "kontakte",
    "advocates",
];
/// Words before a name.
const THROUGH: [&[&str]; 22] = [
    &["known", "to"],
    &["known", "by"],
    &["connected", "to"],
    &["connected", "with"],
    &["linked", "to"],
    &["through"],
    &["via"],
    &["contacts", "of"],
    &["connections", "of"],
    &["friends", "of"],
    &["network", "of"],
    &["introduced", "by"],
    &["on", "behalf", "of"],
    &["kontakte", "von"],
    &["netzwerk", "von"],
    &["bekannte", "von"],
    &["contacts", "de"],
    &["contacts", "d"],
    &["reseau", "de"],
    &["contactos", "de"],
    &["red", "de"],
    &["contacten", "van"],
];
const TIED: [&[&str]; 5] = [
    &["is", "connected", "to"],
    &["is", "close", "to"],
    &["is", "friends", "with"],
    &["has", "met"],
    &["kennt"],
];

/// The first words of `text` that say whose network is meant, if they name a member. Costs a pass over the words, and
/// for each name in such a place a look at the people who have its rarest word.
#[must_use]
pub fn find(index: &GraphIndex, text: &str) -> Option<View> {
    let spoken = spoken(text);
    (0..spoken.len())
        .find_map(|at| known_after(index, &spoken, at).or_else(|| known_before(index, &spoken, at)))
}

/// "does Aoife know", "known to Aoife", "kennt Aoife": the words around a name begin at `at`.
fn known_after(index: &GraphIndex, spoken: &[Spoken], at: usize) -> Option<View> {
    let word = |at: usize| spoken.get(at).map_or("", |spoken| spoken.word.as_str());
    let asks = ASK.contains(&word(at));
    let leads =
        THROUGH.iter().find(|words| words.iter().enumerate().all(|(by, part)| word(at + by) == *part));
    let first = match leads {
        _ if asks || KNOWS_BEFORE.contains(&word(at)) => at + 1,
        Some(words) => at + words.len(),
        None => return None,
    };
    let (length, member) = name_at(index, spoken, first, |end| !asks || KNOW.contains(&word(end)))?;
    let end = first + length;
    let begins = at - usize::from(at > 0 && ["who", "whom", "wen", "wie", "qui"].contains(&word(at - 1)));
    let last = if asks { end } else { end - 1 };
    Some(view(spoken, begins..last + 1, first..end, member, NetworkKind::User))
}

/// "Aoife knows", "Aoife's contacts", "Aoife is connected to": a name begins at `at`.
fn known_before(index: &GraphIndex, spoken: &[Spoken], at: usize) -> Option<View> {
    let word = |at: usize| spoken.get(at).map_or("", |spoken| spoken.word.as_str());
    let tail = |end: usize| -> Option<(usize, NetworkKind)> {
        let network =
            |noun: &str| if noun == "advocates" { NetworkKind::Advocate } else { NetworkKind::User };
        if KNOW.contains(&word(end)) {
            return Some((1, NetworkKind::User));
        }
        if word(end) == "s" && BELONGINGS.contains(&word(end + 1)) {
            return Some((2, network(word(end + 1))));
        }
        let tied =
            TIED.iter().find(|words| words.iter().enumerate().all(|(by, part)| word(end + by) == *part));
        tied.map(|words| (words.len(), NetworkKind::User))
    };
    let (length, member) = name_at(index, spoken, at, |end| tail(end).is_some())?;
    let (more, network) = tail(at + length)?;
    Some(view(spoken, at..at + length + more, at..at + length, member, network))
}

fn view(
    spoken: &[Spoken],
    words: Range<usize>,
    name: Range<usize>,
    member: Option<MemberIx>,
    network: NetworkKind,
) -> View {
    let place = spoken[words.start].place.start..spoken[words.end - 1].place.end;
    View { place, member, network, name: spoken[name].iter().map(|spoken| spoken.word.clone()).collect() }
}

/// How many words from `at` on are a name of members, and of which if of one; `is_end` says after which place a name
/// may end.
fn name_at(
    index: &GraphIndex,
    spoken: &[Spoken],
    at: usize,
    is_end: impl Fn(usize) -> bool,
) -> Option<(usize, Option<MemberIx>)> {
    let most = NAME_WORDS_MAX.min(spoken.len().saturating_sub(at));
    (1..=most).rev().filter(|length| is_end(at + length)).find_map(|length| {
        let words = &spoken[at..at + length];
        // "who may know": a small word is a name only if it is written as one.
        if words.iter().any(|it| find_cue(&it.word).is_some() && !it.is_capital) {
            return None;
        }
        let members = members_called(index, words);
        match members[..] {
            [] => None,
            [member] => Some((length, Some(member))),
            _ => Some((length, None)),
        }
    })
}

/// The members whose names hold all of `words`; only those whose whole name it is, if there are such.
fn members_called(index: &GraphIndex, words: &[Spoken]) -> Vec<MemberIx> {
    let names = index.person_names();
    let places: Option<Vec<u32>> = words.iter().map(|it| names.table.words.find_sorted(&it.word)).collect();
    let Some(mut places) = places else { return Vec::new() };
    places.sort_unstable_by_key(|&word| names.rows_with(word).len());
    let Some((&rarest, others)) = places.split_first() else { return Vec::new() };
    let rows = names.rows_with(rarest).iter().copied();
    let rows = rows.filter(|row| others.iter().all(|&word| names.rows_with(word).binary_search(row).is_ok()));
    let found: Vec<(MemberIx, bool)> = rows
        .filter_map(|row| {
            let member = index.near.standing(PersonIx(row)).member?;
            Some((member, names.table.words_of(row).len() == words.len()))
        })
        .collect();
    let has_whole = found.iter().any(|&(_, is_whole)| is_whole);
    found.into_iter().filter(|&(_, is_whole)| is_whole || !has_whole).map(|(member, _)| member).collect()
}

/// The words of `text`, folded.
fn spoken(text: &str) -> Vec<Spoken> {
    let mut words: Vec<Spoken> = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_part = character.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&character);
        match (is_part, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let written = &text[from..at];
                let is_capital = written.chars().next().is_some_and(char::is_uppercase);
                words.push(Spoken { place: from..at, word: fold(written), is_capital });
                start = None;
            }
            _ => {}
        }
    }
    words
}
