//! The names of people as searches compare them: split into parts, in ASCII if they have such a form.
//!
//! A name is split at everything that is neither letter nor digit, so that `o leary` finds O'Leary; each word is
//! indexed joined too, so that `oleary` does. Letters without a base letter are written as people type them (`ł` as
//! `l`, `ß` as `ss`). Only the names of the people whom a search may find are here, so that the parser reveals nothing
//! of others.

mod initials;

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use rapidfuzz::distance::osa;

use crate::graph::index::GraphIndex;
use crate::model::column::{TextColumn, held};
use crate::model::csr::Csr;
use crate::model::text::fold;
use crate::search::fit::{Fit, Fits, MATCH, raise};
use crate::search::words::{hyphened, name_parts, numbered, plain};

/// The fit of an exactly equal name: so far ahead of the others that no warmness outweighs it.
const EXACT: Fit = Fit::MAX;
/// The fit of a name with the same parts in the same order.
const SAME_PARTS: Fit = 206;
/// The fit of a name with the same parts in another order.
const OTHER_ORDER: Fit = 200;
/// Maximum gain over the minimum match of a name with further parts.
const WITHIN: f32 = 30.0;
/// The factor by which a match of a word's other meaning moves towards the minimum match, if the word may be a name.
const OTHER_READING: Fit = 2;
/// Maximum number of names to check to correct one word, and for each of two words corrected together.
const NEAR_MAX: usize = 64;
const NEAR_BOTH_MAX: usize = 8;
/// Minimum length of a part to correct, and of one with two wrong letters.
const LETTERS_MIN: usize = 4;
const LETTERS_OF_TWO: usize = 8;

/// The names of the people whom a search may find, by their parts.
#[derive(Debug)]
pub struct FindableNames {
    /// The distinct keys, ascending: parts, and joined words of several parts.
    keys: TextColumn,
    /// The people of each key, ascending, each once.
    people: Csr<u32>,
    /// For each of `people`, the number of parts of their name that the key covers.
    covered: Vec<u8>,
    /// For each person of the network, the number of parts in their name; 0 for those outside.
    parts: Vec<u8>,
    /// The hashes of whole names, ascending.
    wholes: Vec<u64>,
}

/// The keys of a word of a name.
#[derive(Clone, Default)]
struct WordKeys {
    /// Its segments between hyphens, in order.
    segments: Vec<SegmentKeys>,
    /// The whole word joined, if there are several parts.
    joined: Option<u32>,
}

/// A segment between hyphens: its parts, and the joined segment if apostrophes divide it and it is not the whole word.
type SegmentKeys = (Vec<u32>, Option<u32>);

/// The texts of keys, numbered in order of appearance.
#[derive(Default)]
struct Keys {
    numbers: HashMap<String, u32>,
    texts: Vec<String>,
}

impl Keys {
    fn number(&mut self, text: String) -> u32 {
        let next = self.texts.len() as u32;
        let Self { numbers, texts } = self;
        *numbers.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            next
        })
    }

    /// The key of a part that is repeated in a name, after `before` others.
    fn repeated(&mut self, part: u32, before: usize) -> u32 {
        let text = numbered(&self.texts[part as usize], before);
        self.number(text)
    }

    fn of_word(&mut self, word: &str) -> WordKeys {
        let segments: Vec<Vec<String>> =
            hyphened(word).map(|segment| name_parts(segment).collect()).collect();
        let all = segments.concat();
        let joined = (all.len() > 1).then(|| self.number(all.concat()));
        let is_within = segments.len() > 1;
        let segments = segments.into_iter().map(|parts| {
            let joined = (is_within && parts.len() > 1).then(|| self.number(parts.concat()));
            (parts.into_iter().map(|part| self.number(part)).collect(), joined)
        });
        WordKeys { segments: segments.collect(), joined }
    }

    /// The keys sorted by text, and the new number of each.
    fn sorted(self) -> (TextColumn, Vec<u32>) {
        let mut order: Vec<u32> = (0..self.texts.len() as u32).collect();
        order.sort_unstable_by_key(|&number| &self.texts[number as usize]);
        let mut renumbered = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &old)| renumbered[old as usize] = place as u32);
        let texts = order.iter().map(|&number| self.texts[number as usize].as_str());
        // The keys of a table's words are no longer than the table, which fits a column.
        (TextColumn::from_texts(texts).unwrap_or_default(), renumbered)
    }
}

impl FindableNames {
    /// Indexes the names of the `known` people. Costs a pass over their words and a sort of the distinct ones.
    #[must_use]
    pub fn of(index: &GraphIndex, known: &FixedBitSet) -> Self {
        let table = index.person_names().table;
        let mut keys = Keys::default();
        let mut words: Vec<Option<WordKeys>> = vec![None; table.words.len()];
        let mut all: Vec<Held> = Vec::new();
        for row in known.ones().map(|row| row as u32) {
            let start = all.len();
            for &word in table.words_of(row) {
                let of_word = words[word as usize].get_or_insert_with(|| keys.of_word(table.words.get(word)));
                let held = |key, parts: usize, span| Held {
                    part: key,
                    key,
                    row,
                    covered: u8::try_from(parts).unwrap_or(u8::MAX),
                    span,
                };
                for (parts, joined) in &of_word.segments {
                    for &part in parts {
                        let before =
                            all[start..].iter().filter(|it| it.part == part && it.span == Span::Part).count();
                        let key = if before == 0 { part } else { keys.repeated(part, before) };
                        all.push(Held { key, ..held(part, 1, Span::Part) });
                    }
                    all.extend(joined.map(|key| held(key, parts.len(), Span::Segment)));
                }
                let parts = of_word.segments.iter().map(|(parts, _)| parts.len()).sum();
                let whole = if of_word.segments.len() > 1 { Span::Hyphened } else { Span::Word };
                all.extend(of_word.joined.map(|key| held(key, parts, whole)));
            }
        }
        let (keys, renumbered) = keys.sorted();
        all.iter_mut().for_each(|it| it.key = renumbered[it.key as usize]);
        Self::from_keys(keys, &all, index.data.people.ids.len())
    }

    /// Indexes the names in `all`, in which those of a person are adjacent and in order.
    fn from_keys(keys: TextColumn, all: &[Held], people: usize) -> Self {
        let (mut parts, mut wholes) = (vec![0; people], Vec::new());
        for name in all.chunk_by(|one, other| one.row == other.row) {
            let own: Vec<u32> = name.iter().filter(|it| it.span == Span::Part).map(|it| it.key).collect();
            parts[name[0].row as usize] = u8::try_from(own.len()).unwrap_or(u8::MAX);
            if name.len() > own.len() {
                wholes.extend([Span::Segment, Span::Hyphened].map(|span| hash(joined(name, span))));
            }
            wholes.push(hash(own));
        }
        wholes.sort_unstable();
        wholes.dedup();
        Self {
            people: Csr::scatter(keys.len(), all.iter().map(|it| (it.key, it.row))),
            covered: Csr::scatter(keys.len(), all.iter().map(|it| (it.key, it.covered))).items,
            keys,
            parts,
            wholes,
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let lists = self.people.size_bytes() + held(&self.covered) + held(&self.parts) + held(&self.wholes);
        self.keys.size_bytes() + lists
    }

    /// Whether a person has the folded `word` in their name. Costs a binary search per part.
    #[must_use]
    pub fn has_word(&self, word: &str) -> bool {
        let mut parts = name_parts(word).peekable();
        parts.peek().is_some() && parts.all(|part| self.keys.find_sorted(&part).is_some())
    }

    /// Whether these folded words, in any order, are a person's whole name.
    #[must_use]
    pub fn is_whole(&self, words: &[&str]) -> bool {
        let ids = self.ids(&parts_of(words));
        ids.is_some_and(|ids| !ids.is_empty() && self.wholes.binary_search(&hash(ids)).is_ok())
    }

    /// Whether a person's name contains all of these folded words. Costs the people of the rarest.
    #[must_use]
    pub fn has_together(&self, words: &[&str]) -> bool {
        !self.find(&parts_of(words)).is_empty()
    }

    /// The nearest known name to the misspelt `word` that a person has together with the words `beside` it; whole names
    /// come first. Costs a look at each known part with the same first letter, and at the people of a few.
    #[must_use]
    pub fn mend_beside(&self, word: &str, beside: &[&str]) -> Option<String> {
        let mut near: Vec<(usize, &str)> = self.near(word);
        near.sort_unstable();
        near.truncate(NEAR_MAX);
        let with = |name: &str| beside.iter().copied().chain([name]).map(str::to_owned).collect::<Vec<_>>();
        let is_whole = |name: &str| self.is_whole(&with(name).iter().map(String::as_str).collect::<Vec<_>>());
        let whole = near.iter().find(|(_, name)| is_whole(name));
        let found = whole.or_else(|| near.iter().find(|(_, name)| !self.find(&with(name)).is_empty()));
        found.map(|&(_, name)| name.to_owned())
    }

    /// The nearest known names to two words, at least one of them misspelt, if a person has both.
    #[must_use]
    pub fn mend_both(&self, one: &str, other: &str) -> Option<(String, String)> {
        let [ones, others] = [one, other].map(|word| {
            let mut near = self.near(word);
            near.sort_unstable();
            near.truncate(NEAR_BOTH_MAX);
            near
        });
        let pairs =
            ones.iter().flat_map(|&(by, one)| others.iter().map(move |&(too, other)| (by + too, one, other)));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        let found = pairs.into_iter().find(|(_, one, other)| self.has_together(&[one, other]));
        found.map(|(_, one, other)| (one.to_owned(), other.to_owned()))
    }

    /// The nearest known part to the misspelt `word`, if it is one letter off. Costs a look at each known part with the
    /// same first letter.
    #[must_use]
    pub fn mend(&self, word: &str) -> Option<&str> {
        let near = self.near(word).into_iter().filter(|&(distance, _)| distance == 1);
        near.min().map(|(_, name)| name)
    }

    /// The known parts that `word` may misspell, each with the number of wrong letters.
    fn near(&self, word: &str) -> Vec<(usize, &str)> {
        let word = plain(word);
        let letters = word.chars().count();
        let initial = word.chars().next().map(String::from).unwrap_or_default();
        if letters < LETTERS_MIN || !word.chars().all(char::is_alphabetic) {
            return Vec::new();
        }
        let args = osa::Args::default().score_cutoff(if letters >= LETTERS_OF_TWO { 2 } else { 1 });
        let misspelt = osa::BatchComparator::new(word.chars());
        let places = self.keys.lower_bound(&initial)..self.keys.len() as u32;
        let begin_so = places.map(|place| self.keys.get(place)).take_while(|key| key.starts_with(&initial));
        let known = begin_so.filter(|key| key.chars().all(char::is_alphabetic));
        known.filter_map(|key| Some((misspelt.distance_with_args(key.chars(), &args)?, key))).collect()
    }

    /// How well everybody's name fits the words of `text`: a match if it contains all of them; the best fit if it is
    /// exactly equal. Costs the people of the rarest word, and a byte per person.
    #[must_use]
    pub fn fits(&self, index: &GraphIndex, text: &str) -> Vec<Fit> {
        let folded = fold(text);
        let found = self.find(&parts_of(&[&folded]));
        if found.is_empty() {
            return Vec::new();
        }
        let mut people = vec![0; index.data.people.ids.len()];
        let names = index.person_names();
        for (row, covered) in found {
            let parts = self.parts[row as usize];
            people[row as usize] = if covered < parts {
                MATCH + (WITHIN * f32::from(covered) / f32::from(parts.max(1))) as Fit
            } else if letters(names.folded(row)) == letters(&folded) {
                EXACT
            } else if letters(&plain(names.folded(row))) == letters(&plain(&folded)) {
                SAME_PARTS
            } else {
                OTHER_ORDER
            };
        }
        people
    }

    /// Adds name fits to the `fits` of the words of `text`, which may be a name too. Their other meaning stays a match
    /// but comes after a person with exactly this name.
    #[must_use]
    pub fn or_named(&self, index: &GraphIndex, text: &str, mut fits: Fits) -> Fits {
        let tables = [
            &mut fits.positions,
            &mut fits.cities,
            &mut fits.countries,
            &mut fits.companies,
            &mut fits.people,
        ];
        for fit in tables.into_iter().flatten().filter(|fit| **fit > MATCH) {
            *fit = MATCH + (*fit - MATCH) / OTHER_READING;
        }
        raise(&mut fits.people, self.fits(index, text));
        fits
    }

    /// The people whose names contain all of `parts`, ascending, and the number of parts covered; two adjacent parts
    /// may be one word of a name ("o leary", Oleary).
    fn find(&self, parts: &[String]) -> Vec<(u32, u8)> {
        let whole = self.ids(parts).map(|ids| self.holding(&ids)).unwrap_or_default();
        if !whole.is_empty() {
            return whole;
        }
        let joined_at = |at: usize| {
            let one = format!("{}{}", parts[at], parts[at + 1]);
            let words = [&parts[..at], &[one], &parts[at + 2..]].concat();
            self.ids(&words).map(|ids| self.holding(&ids)).filter(|found| !found.is_empty())
        };
        (1..parts.len()).find_map(|end| joined_at(end - 1)).unwrap_or_default()
    }

    /// The numbers of keys; `None` if one of them is unknown.
    fn ids(&self, parts: &[String]) -> Option<Vec<u32>> {
        let id = |(at, part): (usize, &String)| match parts[..at].iter().filter(|it| *it == part).count() {
            0 => self.keys.find_sorted(part),
            before => self.keys.find_sorted(&numbered(part, before)),
        };
        parts.iter().enumerate().map(id).collect()
    }

    /// The people with all of the keys, ascending, and the number of parts covered.
    fn holding(&self, ids: &[u32]) -> Vec<(u32, u8)> {
        let mut keys = ids.to_vec();
        keys.sort_unstable_by_key(|&key| self.people.row(key).len());
        let Some((&rarest, others)) = keys.split_first() else { return Vec::new() };
        let covered = |key: u32, at: usize| self.covered[self.people.offsets.range(key).start + at];
        let mut found: Vec<(u32, u8)> = Vec::new();
        for (at, &row) in self.people.row(rarest).iter().enumerate() {
            let of_others = others
                .iter()
                .map(|&key| self.people.row(key).binary_search(&row).ok().map(|at| covered(key, at)));
            if let Some(of_others) = of_others.collect::<Option<Vec<u8>>>() {
                found.push((row, of_others.into_iter().fold(covered(rarest, at), u8::saturating_add)));
            }
        }
        found.dedup_by_key(|&mut (row, _)| row);
        found
    }
}

/// A key of a person's name.
#[derive(Clone, Copy)]
struct Held {
    /// The part in its word.
    part: u32,
    /// The key: a different one if the name repeats the part.
    key: u32,
    row: u32,
    /// The number of parts of the name it covers.
    covered: u8,
    span: Span,
}

/// How much of a word of a name a key covers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Span {
    Part,
    /// All parts of a word without hyphens.
    Word,
    /// Several parts between hyphens.
    Segment,
    /// All parts of a word with hyphens.
    Hyphened,
}

/// The keys of a name: one per word without hyphens, and those of `span` for other words.
fn joined(name: &[Held], span: Span) -> Vec<u32> {
    let mut keys: Vec<u32> = Vec::with_capacity(name.len());
    for held in name {
        if held.span == Span::Word || held.span == span {
            keys.truncate(keys.len().saturating_sub(held.covered.into()));
        } else if held.span != Span::Part {
            continue;
        }
        keys.push(held.key);
    }
    keys
}

/// A hash of a set of keys.
fn hash(mut keys: Vec<u32>) -> u64 {
    keys.sort_unstable();
    let mix =
        |hash: u64, key: u32| (hash.rotate_left(23) ^ u64::from(key)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    keys.into_iter().fold(0x51_7cc1_b727_2205, mix)
}

/// The parts of folded `words`.
fn parts_of(words: &[&str]) -> Vec<String> {
    words.iter().flat_map(|word| name_parts(word).collect::<Vec<_>>()).collect()
}

/// The letters and digits of a folded name.
fn letters(folded: &str) -> String {
    folded.chars().filter(|character| character.is_alphanumeric()).collect()
}
