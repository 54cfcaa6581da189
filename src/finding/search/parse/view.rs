//! The view that a query asks for: "who does Aoife know", "Aoife's contacts", "known to Aoife".

use std::ops::Range;

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::text::fold;
use crate::search::conditions::{KNOWING_MAX, NetworkKind};
use crate::search::parse::cues::find_cue;
use crate::search::parse::relation::known_to_us;
use crate::search::words::plain;

/// Shorter one-word names must begin with a capital.
const NAME_LETTERS_MIN: usize = 3;
/// Maximum words of a name.
const NAME_WORDS_MAX: usize = 5;

/// Whose contacts are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// A member's: the search takes their view.
    Member(MemberIx),
    /// Contacts of any of these people, at most [`KNOWING_MAX`].
    People(Vec<PersonIx>),
    /// Contacts that a person of each of two lists, with these names, has in common.
    Both(Vec<(Vec<PersonIx>, String)>),
    /// More people have the name than can be meant.
    Several,
}

/// Words between two names.
const JOINTS: [&str; 10] = ["or", "and", "oder", "und", "ou", "et", "o", "y", "of", "en"];

/// The words of a query that name a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Their range, in bytes.
    pub place: Range<usize>,
    /// Whose it is.
    pub whose: Whose,
    /// The one of that member's networks.
    pub network: NetworkKind,
    /// The words of the name.
    pub name: Vec<String>,
}

/// A word with its position.
struct Spoken {
    place: Range<usize>,
    word: String,
    is_capital: bool,
}

/// Words that say that both of two people know them.
const BOTH: &str = "both mutual shared common beide beiden beider gemeinsame gemeinsamen commun communs \
    communes deux ambos ambas comun comunes gemeenschappelijke gedeelde allebei";
/// Words between these and two names, besides those before any name.
const BETWEEN: [&str; 7] = ["between", "zwischen", "entre", "tussen", "en", "des", "los"];
const KNOW: [&str; 3] = ["know", "knows", "knew"];
/// Words after "can" and a name.
const INTRODUCE: [&str; 6] =
    ["introduce", "vorstellen", "voorstellen", "presenter", "presentar", "presentarnos"];
const ASK: [&str; 9] = ["do", "does", "did", "can", "could", "kann", "kan", "peut", "puede"];
/// "mit wem hat Max Kontakt"
const HAS: [&str; 4] = ["hat", "heeft", "tiene", "has"];
const CONTACT: [&str; 6] = ["kontakt", "kontakte", "contact", "contacten", "contacto", "contactos"];
const KNOWS_BEFORE: [&str; 6] = ["kennt", "kent", "conoce", "connait", "kennen", "connaissent"];
/// Words for us who may know the person behind "connected to".
const SUBJECTS: [&str; 4] = ["anyone", "anybody", "we", "jemand"];
/// Maximum number of words from these to the verb.
const SUBJECT_WORDS_MAX: usize = 2;
/// Words for those who know the person behind the verb.
const WHO: [&str; 5] = ["wer", "qui", "quien", "quienes", "wie"];
/// Words between "can" and a name.
const WHOM: [&str; 8] = ["mir", "uns", "me", "nos", "us", "mij", "ons", "nous"];
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
const THROUGH: [&[&str]; 56] = [
    &["acquaintances", "of"],
    &["acquaintance", "of"],
    &["acquainted", "with"],
    &["close", "to"],
    &["circle", "of"],
    &["rolodex", "of"],
    &["courtesy", "of"],
    &["kontakten", "von"],
    &["bekannten", "von"],
    &["freunde", "von"],
    &["freunden", "von"],
    &["bekannt", "mit"],
    &["vernetzt", "mit"],
    &["uber"],
    &["durch"],
    &["connaissances", "de"],
    &["relations", "de"],
    &["amis", "de"],
    &["carnet", "d", "adresses", "de"],
    &["grace", "a"],
    &["conocidos", "de"],
    &["amigos", "de"],
    &["red", "de", "contactos", "de"],
    &["a", "traves", "de"],
    &["agenda", "de"],
    &["netwerk", "van"],
    &["kennissen", "van"],
    &["vrienden", "van"],
    &["connecties", "van"],
    &["dankzij"],
    &["contacts", "with"],
    &["connections", "with"],
    &["friends", "with"],
    &["in", "common", "with"],
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
const TIED: [&[&str]; 22] = [
    &["have", "in", "common"],
    &["gemeinsam", "haben"],
    &["ont", "en", "commun"],
    &["tienen", "en", "comun"],
    &["gemeen", "hebben"],
    &["has", "contact"],
    &["is", "friendly", "with"],
    &["kent"],
    &["conoce"],
    &["connait"],
    &["is", "acquainted", "with"],
    &["could", "introduce"],
    &["can", "introduce"],
    &["would", "introduce"],
    &["might", "introduce"],
    &["could", "connect"],
    &["is", "in", "touch", "with"],
    &["is", "connected", "to"],
    &["is", "close", "to"],
    &["is", "friends", "with"],
    &["has", "met"],
    &["kennt"],
];

/// The first words of `text` that name a view, if they name a known person. Costs a pass over the words, and for each
/// possible name a look at the people with its rarest word.
#[must_use]
pub fn find(index: &GraphIndex, text: &str) -> Option<View> {
    let spoken = spoken(text);
    (0..spoken.len())
        .find_map(|at| known_after(index, &spoken, at).or_else(|| known_before(index, &spoken, at)))
}

/// Whether the verb at `at` asks who of us knows the person after it: "wer von uns kennt Aoife".
fn says_who_of_us(spoken: &[Spoken], at: usize) -> bool {
    let words: Vec<String> = spoken[..=at].iter().map(|spoken| plain(&spoken.word)).collect();
    (0..at).any(|from| known_to_us(&words[from..]) == Some(at + 1 - from))
}

/// "does Aoife know", "known to Aoife", "kennt Aoife": reads the words around a name from `at` on.
fn known_after(index: &GraphIndex, spoken: &[Spoken], at: usize) -> Option<View> {
    let word = |at: usize| spoken.get(at).map_or("", |spoken| spoken.word.as_str());
    let has = HAS.contains(&word(at));
    let asks = !has && ASK.contains(&word(at));
    let leads =
        THROUGH.iter().find(|words| words.iter().enumerate().all(|(by, part)| word(at + by) == *part));
    // "wer kennt Aoife", but "a quién conoce Aoife"
    let is_who = at > 0 && WHO.contains(&word(at - 1)) && (at == 1 || word(at - 2) != "a");
    if KNOWS_BEFORE.contains(&word(at)) && (is_who || says_who_of_us(spoken, at)) {
        return None;
    }
    // "is anyone here close to Aoife", "how are we connected to Aoife"
    let begin = at.saturating_sub(SUBJECT_WORDS_MAX);
    if leads.is_some() && (begin..at).any(|at| SUBJECTS.contains(&word(at))) && !is_both(spoken) {
        return None;
    }
    let first = match leads {
        _ if asks && WHOM.contains(&word(at + 1)) => at + 2,
        _ if asks || has || KNOWS_BEFORE.contains(&word(at)) => at + 1,
        Some(words) => at + words.len(),
        None => return None,
    };
    let is_end = |end: usize| {
        let said = word(end + usize::from(word(end) == "both"));
        if has { CONTACT.contains(&said) } else { !asks || KNOW.contains(&said) || INTRODUCE.contains(&said) }
    };
    let is_joint = |end: usize| JOINTS.contains(&word(end));
    let (length, mut whose) = name_at(index, spoken, first, |end| is_end(end) || is_joint(end))?;
    let mut end = first + length;
    // "known to Aoife or Max"
    if (!asks || is_joint(end))
        && JOINTS.contains(&word(end))
        && let Some((more, other)) = name_at(index, spoken, end + 1, is_end)
    {
        whose = whose.with(index, other, spoken, [first..end, end + 1..end + 1 + more]);
        end += 1 + more;
    }
    let begins = at - usize::from(at > 0 && ["who", "whom", "wen", "wie", "qui"].contains(&word(at - 1)));
    if !is_end(end) {
        return None;
    }
    let last = if asks || has { end + usize::from(word(end) == "both") } else { end - 1 };
    Some(view(spoken, begins..last + 1, first..end, whose, NetworkKind::User))
}

/// "Aoife knows", "Aoife's contacts", "Aoife is connected to": reads a name that begins at `at`.
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
    let is_joint = |end: usize| JOINTS.contains(&word(end));
    let (mut length, mut whose) = name_at(index, spoken, at, |end| tail(end).is_some() || is_joint(end))?;
    // "whom Aoife and Max both know"
    if is_joint(at + length) {
        let second = at + length + 1;
        let ends = |end: usize| {
            tail(end + usize::from(is_word_for_both(word(end)))).is_some()
                || is_both(spoken) && end == spoken.len()
        };
        let (more, other) = name_at(index, spoken, second, ends)?;
        whose = whose.with(index, other, spoken, [at..at + length, second..second + more]);
        length = second + more - at;
        length += usize::from(is_word_for_both(word(at + length)));
    }
    let (more, network) = match tail(at + length) {
        None if is_both(spoken) && at + length == spoken.len() => (0, NetworkKind::User),
        tail => tail?,
    };
    Some(view(spoken, at..at + length + more, at..at + length, whose, network))
}

fn is_word_for_both(word: &str) -> bool {
    BOTH.split(' ').any(|it| it == word)
}

/// Whether the words say that both people have them in common.
fn is_both(spoken: &[Spoken]) -> bool {
    spoken.iter().any(|it| is_word_for_both(&plain(&it.word)))
}

fn view(
    spoken: &[Spoken],
    words: Range<usize>,
    name: Range<usize>,
    whose: Whose,
    network: NetworkKind,
) -> View {
    // "gemeinsame Kontakte von"
    let is_part = |it: &&Spoken| {
        let word = plain(&it.word);
        let parts = THROUGH.iter().copied().flatten().chain(&BELONGINGS).chain(&BETWEEN);
        matches!(whose, Whose::Both(_))
            && (is_word_for_both(&word) || parts.into_iter().any(|part| *part == word))
    };
    let start = words.start - spoken[..words.start].iter().rev().take_while(is_part).count();
    let end = words.end + spoken[words.end..].iter().take_while(is_part).count();
    let place = spoken[start].place.start..spoken[end - 1].place.end;
    View { place, whose, network, name: spoken[name].iter().map(|spoken| spoken.word.clone()).collect() }
}

/// The length of the name at `at`, and its people; `is_end` says where a name may end.
fn name_at(
    index: &GraphIndex,
    spoken: &[Spoken],
    at: usize,
    is_end: impl Fn(usize) -> bool,
) -> Option<(usize, Whose)> {
    let most = NAME_WORDS_MAX.min(spoken.len().saturating_sub(at));
    (1..=most).rev().filter(|length| is_end(at + length)).find_map(|length| {
        let words = &spoken[at..at + length];
        // "who may know": small words, and short ones alone, are names only if written like one.
        let is_short = words.len() == 1 && words[0].word.chars().count() < NAME_LETTERS_MIN;
        if words.iter().any(|it| (is_short || find_cue(&it.word).is_some()) && !it.is_capital) {
            return None;
        }
        Some((length, called(index, words)?))
    })
}

/// The people that `words` name: members by any part of their names, other findable people by all of it.
fn called(index: &GraphIndex, words: &[Spoken]) -> Option<Whose> {
    let names = index.person_names();
    let places: Option<Vec<u32>> = words.iter().map(|it| names.table.words.find_sorted(&it.word)).collect();
    let mut places = places?;
    places.sort_unstable_by_key(|&word| names.rows_with(word).len());
    let (&rarest, others) = places.split_first()?;
    let rows = names.rows_with(rarest).iter().copied();
    let rows = rows.filter(|row| others.iter().all(|&word| names.rows_with(word).binary_search(row).is_ok()));
    let is_whole = |row: u32| names.table.words_of(row).len() == words.len();
    let (mut members, mut people, mut has_whole) = (Vec::new(), Vec::new(), false);
    for row in rows {
        let person = PersonIx(row);
        let whole = is_whole(row);
        if let Some(member) = index.near.standing(person).member {
            if whole && !has_whole {
                members.clear();
                has_whole = true;
            }
            if whole || !has_whole {
                members.push(member);
            }
        }
        let near = index.near.row(person);
        if whole && (!near.members.is_empty() || !near.advocates.is_empty()) {
            people.push(person);
        }
    }
    match (&members[..], people.len()) {
        // A person outside with the same name is not meant.
        ([member], count) if has_whole || count <= 1 => Some(Whose::Member(*member)),
        ([], 0) => None,
        (_, 1..=KNOWING_MAX) => Some(Whose::People(people)),
        _ => Some(Whose::Several),
    }
}

impl Whose {
    /// Joins this and `other`, whose names are at `places` of `spoken`: contacts of both if the words say so, otherwise
    /// of either.
    fn with(self, index: &GraphIndex, other: Self, spoken: &[Spoken], places: [Range<usize>; 2]) -> Self {
        let Some((one, other)) = self.people(index).zip(other.people(index)) else { return Self::Several };
        if is_both(spoken) {
            let name = |place: Range<usize>| {
                spoken[place].iter().map(|it| it.word.as_str()).collect::<Vec<_>>().join(" ")
            };
            return Self::Both([one, other].into_iter().zip(places.map(name)).collect());
        }
        let all = [one, other].concat();
        if all.len() > KNOWING_MAX { Self::Several } else { Self::People(all) }
    }

    /// The people; `None` if there are too many.
    fn people(self, index: &GraphIndex) -> Option<Vec<PersonIx>> {
        match self {
            Self::Member(member) => Some(vec![index.data.members.person(member)]),
            Self::People(people) => Some(people),
            Self::Both(_) | Self::Several => None,
        }
    }
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
