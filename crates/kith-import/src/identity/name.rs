//! Names of people for comparison: without titles, with nicknames resolved.

use std::borrow::Cow;

use kith::model::nicknames::{CREDENTIALS, TITLES, root_of};
use kith::model::text::fold;
use rapidfuzz::distance::osa;

/// A name in its folded parts. Two names may be one person's if [`Self::key`] is equal and they [`agree`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PersonName {
    /// The given name; for a one-word name, that word.
    pub(crate) given: String,
    /// The names between the first and the last.
    pub(crate) middle: Vec<String>,
    /// The family name. Empty if the name is one word.
    pub(crate) family: String,
    /// `jr`, `iii` and the like. Empty if there is none.
    pub(crate) generation: String,
}

/// Words after a name that distinguish generations, in their compared form.
const GENERATIONS: &[(&str, &str)] = &[
    ("jr", "jr"),
    ("junior", "jr"),
    ("sr", "sr"),
    ("senior", "sr"),
    ("ii", "ii"),
    ("iii", "iii"),
    ("iv", "iv"),
];
/// Characters in one word of East Asian writing that make a whole name.
const EAST_ASIAN_NAME_CHARS: usize = 3;
/// Minimum length of family names that are compared for more than equality.
const FAMILY_CHARS: usize = 4;
/// Minimum length of a given name that can be the short form of a longer one.
const GIVEN_BEGINNING_CHARS: usize = 3;

/// The form of `name` for comparisons; folded if it is too short to join rows.
pub(crate) fn compared(name: &str) -> String {
    PersonName::parse(name).key().unwrap_or_else(|| fold(name))
}

impl PersonName {
    /// Parses the name `full`.
    pub(crate) fn parse(full: &str) -> Self {
        let full = without_brackets(full);
        let (before, behind) = full.split_once(',').unwrap_or((&full, ""));
        let (mut words, behind) = (words_of(before), words_of(behind));
        let is_credential =
            |word: &String| CREDENTIALS.contains(&word.as_str()) || generation_of(word).is_some();
        // `Baker, Charles` is the family name before the given name; `Baker, MBA` is not.
        if words.len() == 1 && behind.first().is_some_and(|word| !is_credential(word)) {
            words = behind.iter().filter(|word| !is_credential(word)).cloned().chain(words).collect();
        }
        let mut generation = behind.iter().find_map(|word| generation_of(word)).unwrap_or("").to_owned();
        while words.len() > 1 && words.first().is_some_and(|word| TITLES.contains(&word.as_str())) {
            words.remove(0);
        }
        while words.len() > 2 {
            let Some(last) = words.last().filter(|word| is_credential(word)) else { break };
            generation = generation_of(last).map_or(generation, str::to_owned);
            words.pop();
        }
        // Systems differ in writing it with a space, and in the order of the parts: one word.
        if words.iter().all(|word| is_east_asian(word))
            && characters(&words.concat()) >= EAST_ASIAN_NAME_CHARS
        {
            words = vec![words.concat()];
        }
        let family = if words.len() > 1 { words.pop().unwrap_or_default() } else { String::new() };
        let mut words = words.into_iter();
        Self { given: words.next().unwrap_or_default(), middle: words.collect(), family, generation }
    }

    /// The given name for comparisons; empty if the name has none.
    pub(crate) fn compared_given(&self) -> String {
        plain(root_of(&self.given))
    }

    /// The family name for comparisons.
    pub(crate) fn compared_family(&self) -> String {
        plain(&self.family)
    }

    /// Whether `other` has the same words in the same order, apart from initials: no nickname, no family name more.
    pub(crate) fn is_written_as(&self, other: &Self) -> bool {
        let words = |name: &Self| {
            let middle = name.middle.iter().filter(|word| characters(word) > 1);
            let words = [&name.given].into_iter().chain(middle).chain([&name.family]);
            words.map(|word| plain(word)).collect::<Vec<_>>()
        };
        words(self) == words(other)
    }

    /// The given and the family name in byte order, equal for a reversed name.
    pub(crate) fn words(&self) -> [String; 2] {
        let mut words = [plain(&self.given), plain(&self.family)];
        words.sort_unstable();
        words
    }

    /// Adds the family name that `email` has after the given one: `max.orr@`. A name with a family name stays as it is.
    pub(crate) fn with_family_of(mut self, email: &str) -> Self {
        let local = email.split('@').next().unwrap_or("");
        let mut words = local.split(['.', '_', '-']);
        if let (Some(given), Some(family), None) = (words.next(), words.next(), words.next()) {
            let is_name = |word: &str| word.len() > 1 && word.chars().all(char::is_alphabetic);
            if self.family.is_empty() && is_name(family) && plain(given) == plain(&self.given) {
                self.family = family.to_owned();
            }
        }
        self
    }

    /// The equal part of two names that may be one person's; `None` if the name is too short to join rows: neither two
    /// words nor three East Asian characters.
    pub(crate) fn key(&self) -> Option<String> {
        let is_whole = characters(&self.given) >= EAST_ASIAN_NAME_CHARS && is_east_asian(&self.given);
        let is_initial = self.given.chars().count() == 1 && self.given.is_ascii();
        if (self.family.is_empty() && !is_whole)
            || is_initial
            || self.family.chars().count() == 1 && self.family.is_ascii()
        {
            return None;
        }
        Some(format!("{}\u{1f}{}", plain(root_of(&self.given)), plain(&self.family)))
    }
}

impl PersonName {
    /// Keys for finding the name: [`Self::key`], and those of other spellings: a two-word given name as one, `Hye-rin
    /// Kang` for `Hye rin Kang`, just the first of two family names, and a family name as one word, `Vandenberg` for
    /// `van den Berg`. People who share one may or may not be [`are_alike`].
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> + use<> {
        let is_word = |word: &&String| characters(word) > 1;
        let second = self.middle.first().filter(is_word);
        let joined = second.map(|second| Self { given: self.given.clone() + second, ..self.clone() });
        let first_family = self.middle.last().filter(is_word);
        let shorter = first_family.map(|family| Self { family: family.clone(), ..self.clone() });
        let whole = (!self.middle.is_empty())
            .then(|| Self { family: self.middle.concat() + &self.family, ..self.clone() });
        let keys = [Some(self.clone()), joined, shorter, whole].into_iter().flatten();
        keys.filter_map(|name| name.key())
    }
}

/// Whether one of two names can be a spelling of the other, so that they may be one person's.
pub(crate) fn are_alike(one: &PersonName, other: &PersonName) -> bool {
    match (one.key(), other.key()) {
        (Some(first), Some(second)) if first == second => agree(one, other),
        (first, second) => {
            first.is_some_and(|key| other.keys().any(|own| own == key))
                || second.is_some_and(|key| one.keys().any(|own| own == key))
        }
    }
}

/// Whether the family names of two people with the same given name may be one: one begins with the other, as
/// `Berg-Lind` with `Berg`, or they differ by a slip.
pub(crate) fn are_like_families(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    let least = characters(&one).min(characters(&other));
    let begins = || one.starts_with(&other) || other.starts_with(&one);
    least >= FAMILY_CHARS && (begins() || osa::distance(one.chars(), other.chars()) <= 1)
}

/// Whether one of two names has the family name of the other as the first of two.
pub(crate) fn has_two_families(one: &PersonName, other: &PersonName) -> bool {
    let has = |name: &PersonName, family: String| {
        characters(&family) >= FAMILY_CHARS && name.middle.iter().any(|middle| plain(middle) == family)
    };
    has(one, other.compared_family()) || has(other, one.compared_family())
}

/// Whether the family names of two people with the same given name may be one, or the first of two.
pub(crate) fn have_like_families(one: &PersonName, other: &PersonName) -> bool {
    are_like_families(&one.family, &other.family) || has_two_families(one, other)
}

/// Whether names with one key may be one person's: no middle name and no generation contradicts.
pub(crate) fn agree(one: &PersonName, other: &PersonName) -> bool {
    let is_one_generation =
        one.generation.is_empty() || other.generation.is_empty() || one.generation == other.generation;
    let is_like = |(one, other): (&String, &String)| is_same_or_initial(&plain(one), &plain(other));
    // `v.d. Berg` for `van den Berg`.
    let is_short = |short: &[String], long: &[String]| {
        long.len() > 1 && short.concat().chars().eq(long.iter().filter_map(|word| word.chars().next()))
    };
    is_one_generation
        && (one.middle.iter().zip(&other.middle).all(is_like)
            || is_short(&one.middle, &other.middle)
            || is_short(&other.middle, &one.middle))
}

/// Whether the given names of two may be one person's: equal; one a nickname, the initial or the beginning of the
/// other; one the other's middle name or, with the family name in its place, family name; or one missing.
pub(crate) fn may_be_one_given_name(one: &PersonName, other: &PersonName) -> bool {
    // As written, and with short forms resolved: an initial can be of either.
    let given = |name: &PersonName| [plain(&name.given), plain(root_of(&name.given))];
    let (first, second) = (given(one), given(other));
    let begins =
        |short: &str, long: &str| characters(short) >= GIVEN_BEGINNING_CHARS && long.starts_with(short);
    let is_like = |(one, other): (&String, &String)| {
        is_same_or_initial(one, other) || begins(one, other) || begins(other, one)
    };
    let is_middle = |given: &[String], of: &PersonName| {
        of.middle
            .iter()
            .any(|middle| given.contains(&plain(middle)) || given.contains(&plain(root_of(middle))))
    };
    let is_turned = || first[0] == plain(&other.family) && second[0] == plain(&one.family);
    one.given.is_empty()
        || other.given.is_empty()
        || first.iter().any(|one| second.iter().any(|other| is_like((one, other))))
        || is_middle(&first, other)
        || is_middle(&second, one)
        || is_turned()
}

/// Whether `word` is written in Chinese, Japanese or Korean; folded Korean is decomposed into letters.
fn is_east_asian(word: &str) -> bool {
    let is_one = |character| matches!(character, '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{d7a3}');
    !word.is_empty() && word.chars().all(is_one)
}

/// The number of characters of `word`: for a Korean syllable only its first letter counts.
fn characters(word: &str) -> usize {
    word.chars().filter(|character| !('\u{1160}'..='\u{11ff}').contains(character)).count()
}

fn is_same_or_initial(one: &str, other: &str) -> bool {
    let is_initial_of = |short: &str, long: &str| short.chars().count() == 1 && long.starts_with(short);
    one == other || is_initial_of(one, other) || is_initial_of(other, one)
}

/// `word` in plain letters: `müller`, `mueller` and `muller` are equal.
pub(crate) fn plain(word: &str) -> String {
    let mut plain = with_plain_letters(word);
    for (two, one) in [("aa", "a"), ("ae", "a"), ("oe", "o"), ("ue", "u")] {
        if plain.contains(two) {
            plain = plain.replace(two, one);
        }
    }
    plain
}

/// Replaces the letters that folding keeps with plain ones: `sławek` becomes `slawek`.
fn with_plain_letters(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for character in word.chars() {
        match character {
            'ß' => plain.push_str("ss"),
            'æ' | 'ä' | 'å' => plain.push('a'),
            'ø' | 'œ' => plain.push('o'),
            'đ' | 'ð' => plain.push('d'),
            'ł' => plain.push('l'),
            'ı' => plain.push('i'),
            'þ' => plain.push_str("th"),
            _ => plain.push(character),
        }
    }
    plain
}

fn generation_of(word: &str) -> Option<&'static str> {
    GENERATIONS.iter().find(|(known, _)| *known == word).map(|(_, generation)| *generation)
}

/// `text` without brackets and their content: pronouns, a maiden name, a remark.
pub(crate) fn without_brackets(text: &str) -> Cow<'_, str> {
    if !text.contains(['(', ')', '[', ']', '（', '）']) {
        return text.into();
    }
    let mut depth = 0_usize;
    let mut kept = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '(' | '[' | '（' => depth += 1,
            ')' | ']' | '）' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(character),
            _ => {}
        }
    }
    // An unclosed bracket is a slip, not the end of the name.
    if kept.trim().is_empty() { text.into() } else { kept.into() }
}

/// The folded words of `text`: only letters and digits, so that neither a hyphen nor an emoji makes a difference.
fn words_of(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded
        .split([' ', ',', '/'])
        .flat_map(|word| word.split(". "))
        .map(|word| word.chars().filter(|character| character.is_alphanumeric()).collect::<String>());
    words.filter(|word| !word.is_empty()).map(|word| with_plain_letters(&word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> String {
        PersonName::parse(name).key().unwrap_or_default()
    }

    #[test]
    fn a_name_is_the_same_with_titles_degrees_accents_and_nicknames() {
        for (one, other) in [
            ("Dr. Ana Souza", "ana souza"),
            ("Zoë 🚀 Ås, MBA", "Zoe As"),
            ("Ann Lee (she/her)", "Ann Lee"),
            ("Baker, Charles", "Charles Baker"),
            ("Bob Smith", "Robert Smith"),
            ("Jörg Müller", "Joerg Mueller"),
            ("Søren Weiß", "Soren Weiss"),
            ("Ann M. Lee", "Ann Lee"),
            ("Prof. Dr. Eva Kern PhD", "Eva Kern"),
            ("Kristina Åkesson", "kristina aakesson"),
            ("Seán O'Neill", "Sean O’Neill"),
            ("Sławek Maj", "Sławomir Maj"),
        ] {
            assert!(!key(one).is_empty() && key(one) == key(other), "{one}: {} {}", key(one), key(other));
        }
        for (one, other) in [("Ann Lee", "Anne Leigh"), ("Ann Lee-Ray", "Ann Ray"), ("Ann Lee", "Lee Ann")] {
            assert_ne!(key(one), key(other), "{one}");
        }
    }

    #[test]
    fn a_name_is_alike_to_how_people_write_it_and_not_to_a_sister_s() {
        for (one, other, is_alike) in [
            ("Hye rin Kang", "Hye-rin Kang", true),
            ("Andrés Zamorano", "Andrés Zamorano Navarro", true),
            ("María José García Iglesias", "María José García", true),
            ("María García López", "María García Pérez", false),
            ("Ana Maria Souza", "Ana Paula Souza", false),
            ("Ann M. Lee", "Ann Lee", true),
            ("Ann M. Lee", "Ann M", false),
            ("Jan van den Berg", "Jan v.d. Berg", true),
            ("Jan van den Berg", "Jan Vandenberg", true),
            ("Pilar de la Cruz", "Pilar Delacruz", true),
            ("Yann Le Goff", "Yann LeGoff", true),
            ("Jan van den Berg", "Jan v.d. Bosch", false),
            ("Jan van den Berg", "Jan de Berg", false),
            ("Jan van den Berg", "Jan Vandenbosch", false),
        ] {
            let names = [one, other].map(PersonName::parse);
            assert_eq!(are_alike(&names[0], &names[1]), is_alike, "{one} {other}");
        }
    }

    #[test]
    fn one_word_or_an_initial_is_no_name_to_join_by_and_generations_and_middle_names_differ() {
        for name in ["Tom", "", "T. Ray", "Tom R.", "王伟", "🚀"] {
            assert_eq!(PersonName::parse(name).key(), None, "{name}");
        }
        assert!(PersonName::parse("山田太郎").key().is_some());
        for (one, other, is_one) in [
            ("Ana Maria Souza", "Ana Paula Souza", false),
            ("Ana M. Souza", "Ana Maria Souza", true),
            ("Ana Souza", "Ana Maria Souza", true),
            ("Tom Ray Jr.", "Tom Ray Sr.", false),
            ("Tom Ray Jr.", "Tom Ray, Junior", true),
            ("Tom Ray III", "Tom Ray", true),
        ] {
            let (one_name, other_name) = (PersonName::parse(one), PersonName::parse(other));
            assert_eq!(agree(&one_name, &other_name), is_one, "{one} {other}");
            assert_eq!(one_name.key(), other_name.key(), "{one} {other}");
        }
    }
}
