//! Names with initials: "P. A. Visser" for Pieter A. Visser.

use std::collections::BTreeSet;

use crate::search::names::FindableNames;

/// Maximum number of people among whom to resolve an initial.
const PEOPLE_MAX: usize = 64;
/// Maximum number of names' parts to check for an initial.
const PARTS_MAX: usize = 4096;

impl FindableNames {
    /// The parts of a name that `initials` stand for beside `words`, all folded; `None` if no person, or persons with
    /// different parts, match. Costs a look at the known parts with each initial, for each person with the words.
    #[must_use]
    pub fn spell_initials(&self, initials: &[&str], words: &[&str]) -> Option<Vec<String>> {
        let owned: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let people = self.find(&owned);
        if people.is_empty() || people.len() > PEOPLE_MAX {
            return None;
        }
        let mut spelled: BTreeSet<Vec<String>> = BTreeSet::new();
        for (row, _) in people {
            let parts: Option<Vec<String>> = initials.iter().map(|it| self.part_of(row, it)).collect();
            spelled.extend(parts);
        }
        if spelled.len() == 1 { spelled.pop_first() } else { None }
    }

    /// The part of the name of `row` that `initial` stands for: itself, or the first that begins with it.
    fn part_of(&self, row: u32, initial: &str) -> Option<String> {
        let places = self.keys.lower_bound(initial)..self.keys.len() as u32;
        let alike = places.take(PARTS_MAX).take_while(|&place| self.keys.get(place).starts_with(initial));
        let mut own = alike.filter(|&place| self.people.row(place).binary_search(&row).is_ok());
        own.next().map(|place| self.keys.get(place).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use crate::search::index::SearchIndex;
    use kith_embed::sketch::net;

    #[test]
    fn initials_stand_for_the_parts_of_one_name() {
        let net = net("
            member ann
            ann -> p1
            ann -> p2
            ann -> p3
            p1 (name: Pieter A. Visser)
            p2 (name: Emma Visser)
            p3 (name: Erik Visser)
        ");
        let names = SearchIndex::build(&net).names;
        for (initials, words, expected) in [
            (&["p", "a"][..], &["visser"][..], Some(vec!["pieter", "a"])),
            (&["p"], &["visser"], Some(vec!["pieter"])),
            // The controls: two people, nobody, and no such name.
            (&["e"], &["visser"], None),
            (&["x"], &["visser"], None),
            (&["p"], &["bakker"], None),
        ] {
            let found = names.spell_initials(initials, words);
            let expected = expected.map(|it| it.into_iter().map(str::to_owned).collect());
            assert_eq!(found, expected, "{initials:?} {words:?}");
        }
    }
}
