//! Names of people: realistic for a place, with the additions that real address books contain.

use crate::dice::Dice;
use crate::name_words::{Language, Order, WORDS};
use crate::places::City;

/// The words of every language, split.
pub(crate) struct NameMaker {
    pools: Vec<Pool>,
}

struct Pool {
    order: Order,
    given: Vec<&'static str>,
    family: Vec<&'static str>,
}

/// Titles and other additions that people write after their names.
const BEHIND: [&str; 16] = [
    ", Jr.",
    ", PhD",
    ", MBA",
    ", CFA",
    ", Ph.D.",
    ", PMP",
    " III",
    ", CPA",
    " (she/her)",
    " (he/him)",
    ", MD",
    " 🚀",
    " ✨",
    ", M.Sc.",
    " 🌍 hiring",
    " Sr.",
];
/// Titles in front.
const BEFORE: [&str; 6] = ["Dr. ", "Prof. ", "Dipl.-Ing. ", "Ir. ", "Mag. ", "☀️ "];

impl NameMaker {
    pub(crate) fn new() -> Self {
        let apart = |words: &'static str| words.split(", ").collect::<Vec<_>>();
        let pools = WORDS
            .iter()
            .map(|words| Pool { order: words.order, given: apart(words.given), family: apart(words.family) })
            .collect();
        Self { pools }
    }

    /// Draws the name of a person in `city`.
    pub(crate) fn throw(&self, city: &City, dice: &mut Dice) -> String {
        let pool = &self.pools[Self::language(city, dice) as usize];
        let (given, family) = (dice.pick(&pool.given), dice.pick(&pool.family));
        match pool.order {
            Order::Joined => format!("{family}{given}"),
            Order::FamilyFirst => format!("{family} {given}"),
            Order::GivenFirst => adorned(pool, given, family, dice),
        }
    }

    fn language(city: &City, dice: &mut Dice) -> Language {
        match dice.below(20) {
            0..=12 => city.languages[0],
            13..=17 => city.languages[1],
            _ => dice.pick(&WORDS).language,
        }
    }
}

/// Given and family name, sometimes with an addition, a part missing, or in another form.
fn adorned(pool: &Pool, given: &str, family: &str, dice: &mut Dice) -> String {
    match dice.below(100) {
        0..=9 => format!("{given} {}. {family}", initial(dice)),
        10..=13 => format!("{given} {family}-{}", dice.pick(&pool.family)),
        14..=16 => format!("{given} {family} {}", dice.pick(&pool.family)),
        17..=18 => format!("{given} {family}{}", dice.pick(&BEHIND)),
        19 => format!("{}{given} {family}", dice.pick(&BEFORE)),
        20 => match dice.below(6) {
            0 => given.to_owned(),
            1 => family.to_owned(),
            2 => format!("{given} {}", family.to_uppercase()),
            3 => format!("{given} \"{}\" {family}", dice.pick(&pool.given)),
            4 => format!("{family}, {given}"),
            _ => format!("{given}  {family}"),
        },
        _ => format!("{given} {family}"),
    }
}

fn initial(dice: &mut Dice) -> char {
    char::from(b'A' + dice.below(26) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Stream;
    use std::collections::BTreeSet;

    #[test]
    fn every_language_stands_at_its_own_place_and_has_names() {
        for (place, words) in WORDS.iter().enumerate() {
            assert_eq!(words.language as usize, place);
            let given: BTreeSet<&str> = words.given.split(", ").collect();
            let family: BTreeSet<&str> = words.family.split(", ").collect();
            assert!(given.len() >= 12 && family.len() >= 12, "{:?}", words.language);
            let blank = |word: &&str| word.trim() != *word || word.is_empty();
            assert!(!given.iter().any(blank) && !family.iter().any(blank), "{:?}", words.language);
        }
    }

    #[test]
    fn names_follow_the_order_of_their_language() {
        let names = NameMaker::new();
        let mut dice = Dice::new(1, Stream::People);
        let city = |language| City { name: "", country: "", languages: [language; 2] };
        let throws = |language, dice: &mut Dice| {
            (0..200).map(|_| names.throw(&city(language), dice)).collect::<Vec<String>>()
        };
        let joined = throws(Language::Chinese, &mut dice);
        assert!(joined.iter().filter(|name| name.chars().count() <= 4).count() > 150);
        let family_first = throws(Language::Vietnamese, &mut dice);
        assert!(family_first.iter().any(|name| name.starts_with("Nguyễn ")));
    }
}
