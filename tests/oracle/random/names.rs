//! Names in which all match classes occur, and queries that a person might type for them.

use super::super::text::{fold, plain};
use super::dice::Dice;

/// Words of people's names: equal but for marks, near in spelling, beginning alike, and of several scripts.
const NAME_WORDS: [&str; 32] = [
    "Ana",
    "ANA",
    "Anabel",
    "María",
    "Maria",
    "Łukasz",
    "Lukasz",
    "Li",
    "Lin",
    "Linh",
    "李",
    "李明",
    "明",
    "Smith",
    "Smyth",
    "Weiß",
    "Jonathan",
    "Jonathon",
    "Johnathan",
    "O'Neil",
    "O'Neill",
    "van",
    "der",
    "Berg",
    "Søren",
    "Müller",
    "Muller",
    "Möller",
    "İpek",
    "Σοφία",
    "ﬁona",
    "Fiona",
];

/// Words of company names.
const COMPANY_WORDS: [&str; 16] = [
    "Acme",
    "Acmé",
    "Labs",
    "Lab",
    "Inc.",
    "Inc",
    "Northwind",
    "Northwood",
    "Traders",
    "Trader",
    "株式会社",
    "東京",
    "Æon",
    "Data",
    "Aeon",
    "Group,",
];

/// Handles that differ in more than case.
const HANDLES: [&str; 10] = [
    "ana-lopez",
    "Ana-Smith",
    "li.ming",
    "MARIA",
    "j-oneil-77",
    "søren",
    "Fiona_B",
    "x",
    "Jonathan-Smith",
    "müller",
];

/// The words that the names of one network are made of: few, so that names collide.
pub(crate) struct Words {
    names: Vec<String>,
    companies: Vec<String>,
    handles: Vec<String>,
}

impl Words {
    pub(crate) fn draw(dice: &mut Dice) -> Words {
        let mut some = |words: &[&str], least| {
            let how_many = dice.between(least, words.len());
            dice.some(words, how_many).into_iter().map(str::to_owned).collect()
        };
        Words { names: some(&NAME_WORDS, 4), companies: some(&COMPANY_WORDS, 3), handles: some(&HANDLES, 2) }
    }

    pub(crate) fn person_name(&self, dice: &mut Dice) -> String {
        let how_many = dice.between(1, 3);
        let words: Vec<String> = (0..how_many).map(|_| dice.pick(&self.names)).collect();
        let joint = dice.pick(&[" ", " ", " ", " ", ", ", "  ", ". ", " J. "]);
        words.join(joint)
    }

    pub(crate) fn company_name(&self, dice: &mut Dice) -> String {
        let how_many = dice.between(1, 3);
        let words: Vec<String> = (0..how_many).map(|_| dice.pick(&self.companies)).collect();
        words.join(" ")
    }

    pub(crate) fn handle(&self, dice: &mut Dice) -> String {
        let handle = dice.pick(&self.handles);
        other_case(dice, &handle)
    }
}

/// A text that a caller might send to find this name, or one like it.
pub(crate) fn query_for(dice: &mut Dice, name: &str) -> String {
    let mut words: Vec<String> =
        name.replace([',', '.'], " ").split_whitespace().map(str::to_owned).collect();
    let query = match dice.below(10) {
        0 => plain(name),
        1 => other_case(dice, name),
        2 => name.split_whitespace().collect::<Vec<_>>().join(dice.pick(&["  ", "\u{a0}", "\t "])),
        3 => {
            dice.shuffle(&mut words);
            words.join(dice.pick(&[" ", ", ", ".", " , "]))
        }
        4 | 5 => {
            dice.shuffle(&mut words);
            let how_many = dice.between(1, words.len().max(1));
            words.truncate(how_many);
            words.iter().map(|word| prefix(dice, word)).collect::<Vec<_>>().join(" ")
        }
        6 => words.iter().map(|word| misspelt(dice, word, 1)).collect::<Vec<_>>().join(" "),
        7 => {
            let edits = dice.between(1, 3);
            dice.shuffle(&mut words);
            if let Some(first) = words.first_mut() {
                *first = misspelt(dice, first, edits);
            }
            words.join(" ")
        }
        8 => {
            words.push(dice.pick(&NAME_WORDS).to_owned());
            words.join(" ")
        }
        _ => dice
            .pick(&["Zz Top", "nobody", ",", "9", "Ana", "maria", "li", "smitt", "acme", "jonahtan"])
            .to_owned(),
    };
    if query.trim().is_empty() { name.to_owned() } else { query }
}

/// A handle, or a profile URL for it.
pub(crate) fn handle_query(dice: &mut Dice, handle: &str) -> String {
    let handle = other_case(dice, handle);
    let host = dice.pick(&["www.linkedin.com", "linkedin.com", "de.linkedin.com", "WWW.LinkedIn.com"]);
    let end = dice.pick(&["", "/", "?trk=a", "#top", "/details/skills"]);
    let scheme = dice.pick(&["https", "http"]);
    match dice.below(6) {
        0 => format!("{scheme}://{host}/in/{handle}{end}"),
        1 => {
            let encoded: String = handle.bytes().map(|byte| encoded(dice, byte)).collect();
            format!("{scheme}://{host}/in/{encoded}{end}")
        }
        2 => dice
            .pick(&["nobody-77", "https://example.com/in/ana-lopez", "https://www.linkedin.com/company/x"])
            .to_owned(),
        _ => handle,
    }
}

fn encoded(dice: &mut Dice, byte: u8) -> String {
    if byte.is_ascii() && dice.chance(70) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
}

/// The same text with other capitals. Capital sharp s and the like stay as they are.
pub(crate) fn other_case(dice: &mut Dice, text: &str) -> String {
    let change = dice.below(4);
    let mut turn = |c: char| match change {
        0 => c.to_ascii_uppercase(),
        1 => c.to_ascii_lowercase(),
        2 if dice.chance(50) => c.to_ascii_uppercase(),
        _ => c,
    };
    text.chars().map(&mut turn).collect()
}

fn prefix(dice: &mut Dice, word: &str) -> String {
    let length = word.chars().count();
    let kept = dice.between(1, length.max(1));
    word.chars().take(kept).collect()
}

/// A word with typing slips: insert, delete, replace, or swap of neighbours.
fn misspelt(dice: &mut Dice, word: &str, edits: usize) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    for _ in 0..edits {
        let at = dice.below(letters.len() + 1);
        let inside = at < letters.len();
        match dice.below(4) {
            0 => letters.insert(at, dice.pick(&['a', 'x', 'é'])),
            1 if inside && letters.len() > 1 => drop(letters.remove(at)),
            2 if at + 1 < letters.len() => letters.swap(at, at + 1),
            _ if inside => letters[at] = dice.pick(&['e', 'q', 'ö']),
            _ => {}
        }
    }
    letters.into_iter().collect()
}

/// A piece of one of the texts, as it is, folded, or in other case; at times nothing that is there.
pub(crate) fn fragment(dice: &mut Dice, texts: &[String]) -> String {
    if texts.is_empty() || dice.chance(8) {
        return "Zq".to_owned();
    }
    let text = dice.pick(texts);
    let text = if dice.chance(30) { plain(&text) } else { text };
    let letters: Vec<char> = text.chars().collect();
    let start = if dice.chance(50) { 0 } else { dice.below(letters.len()) };
    let length = dice.between(1, letters.len() - start);
    let piece: String = letters[start..][..length].iter().collect();
    let space = dice.pick(&[" ", "  ", "\u{3000}"]);
    let piece = other_case(dice, &piece.replace(' ', space));
    if fold(&piece).is_empty() { text } else { piece }
}
