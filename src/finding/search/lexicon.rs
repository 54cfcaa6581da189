//! Synonyms in English: fields of work and their jobs, levels, industries, places.
//!
//! The words are in the text files beside this one; this turns them into look-ups.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use crate::search::word_list::lines;
use crate::search::words::stems;

/// The lexicon, built once.
pub static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

/// A phrase as stems.
pub type Phrase = Vec<String>;

/// A name of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As written in the files.
    pub said: String,
    /// Its stems.
    pub stems: Phrase,
}

/// A field of work.
#[derive(Debug, Default)]
pub struct WorkField {
    /// Its name.
    pub name: String,
    /// Words for it in titles.
    pub titles: Vec<Name>,
    /// Titles of its head in a whole company.
    pub chiefs: Vec<Name>,
    /// Its occupations: all names of each, the usual one first.
    pub jobs: Vec<Vec<Name>>,
    /// How outsiders describe it, without its titles.
    pub talk: Vec<Name>,
}

/// A level of seniority.
#[derive(Debug, Default)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// Words in titles of that level, the plainest first.
    pub titles: Vec<Name>,
    /// Titles of this level in any field.
    pub alone: Vec<Name>,
    /// Whether the chiefs of a field are of this level.
    pub with_chiefs: bool,
}

impl Level {
    /// Whether people of this level lead others: true for "head of sales"; "senior" and "freelance" describe one's own
    /// work.
    #[must_use]
    pub fn leads(&self) -> bool {
        !["senior", "junior", "freelance"].contains(&self.name.as_str())
    }

    /// The name of the level by itself: `text` if that is a title.
    #[must_use]
    pub fn said_as(&self, text: &str) -> String {
        let stems = stems(text);
        if self.titles.iter().any(|title| title.stems == stems) { text.to_owned() } else { self.name.clone() }
    }
}

/// A meaning of a phrase. Numbers are positions in the lexicon's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A field, by a word of its titles.
    Title(usize),
    /// The head of a field.
    Chief(usize),
    /// An occupation: the field, and which of its jobs.
    Job(usize, usize),
    /// A field, as outsiders describe it.
    Talk(usize),
    /// A level, beside a field.
    Level(usize),
    /// A level, as a verb over a field.
    Verb(usize),
    /// An industry.
    Industry(usize),
    /// A place.
    Place(usize),
}

/// All of it.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// Fields of work.
    pub fields: Vec<WorkField>,
    /// Levels.
    pub levels: Vec<Level>,
    /// Names of industries: each line is one industry, or one within another.
    pub industries: Vec<Vec<Name>>,
    /// Names of places; the first is the usual one.
    pub places: Vec<Vec<Name>>,
    meanings: HashMap<String, Vec<Meaning>>,
    /// Maps an associated phrase to the names of what it describes.
    spoken: HashMap<String, Vec<Phrase>>,
    /// Maps a name to the phrases that describe it.
    described: HashMap<String, Vec<String>>,
    stems: BTreeSet<String>,
    /// Stems that only other languages or cities have; no word is corrected to one of them.
    elsewhere: HashSet<String>,
    /// Maximum number of words in a phrase.
    pub words_max: usize,
}

impl Lexicon {
    /// The meanings of the phrase with these stems; usually one.
    #[must_use]
    pub fn meanings(&self, phrase: &[String]) -> &[Meaning] {
        if phrase.len() > self.words_max {
            return &[];
        }
        self.meanings.get(&phrase.join(" ")).map_or(&[], Vec::as_slice)
    }

    /// The names that the phrase with these stems describes: names with a meaning, each once.
    #[must_use]
    pub fn spoken_of(&self, phrase: &[String]) -> &[Phrase] {
        self.spoken.get(&phrase.join(" ")).map_or(&[], Vec::as_slice)
    }

    /// The phrases, as written in the files, that describe what these stems name.
    #[must_use]
    pub fn described_by(&self, name: &[String]) -> &[String] {
        self.described.get(&name.join(" ")).map_or(&[], Vec::as_slice)
    }

    /// Whether the stem is in a phrase.
    #[must_use]
    pub fn has_stem(&self, stem: &str) -> bool {
        self.stems.contains(stem)
    }

    /// Whether the stem is in a phrase, or in a foreign name of a place.
    #[must_use]
    pub fn knows_stem(&self, stem: &str) -> bool {
        self.has_stem(stem) || self.elsewhere.contains(stem)
    }

    /// The stems that begin with `initial`, ascending.
    pub fn stems_from(&self, initial: &str) -> impl Iterator<Item = &str> {
        self.stems
            .range(initial.to_owned()..)
            .map(String::as_str)
            .take_while(move |stem| stem.starts_with(initial))
    }

    fn read() -> Self {
        let mut lexicon = Self::default();
        lexicon.read_fields(include_str!("lexicon/roles.txt"));
        lexicon.read_levels(include_str!("lexicon/seniority.txt"));
        lexicon.read_industries(include_str!("lexicon/industries.txt"));
        lexicon.read_places(include_str!("lexicon/places.txt"));
        lexicon.read_cities(include_str!("lexicon/cities.txt"));
        lexicon.read_elsewhere(include_str!("lexicon/places_elsewhere.txt"));
        lexicon.read_spoken(include_str!("lexicon/about.txt"));
        lexicon
    }

    fn add(&mut self, phrase: &[String], meaning: Meaning) {
        self.stems.extend(phrase.iter().cloned());
        self.mean(phrase, meaning);
    }

    fn mean(&mut self, phrase: &[String], meaning: Meaning) {
        self.words_max = self.words_max.max(phrase.len());
        let meanings = self.meanings.entry(phrase.join(" ")).or_default();
        if !meanings.contains(&meaning) {
            meanings.push(meaning);
        }
    }

    fn add_all(&mut self, names: &[Name], meaning: Meaning) {
        names.iter().for_each(|name| self.add(&name.stems, meaning));
    }

    fn read_fields(&mut self, text: &str) {
        for line in lines(text) {
            let Some((key, values)) = line.split_once(':') else {
                self.add(&stems(line), Meaning::Talk(self.fields.len()));
                self.fields.push(WorkField { name: line.trim().to_owned(), ..WorkField::default() });
                continue;
            };
            let Some(at) = self.fields.len().checked_sub(1) else { continue };
            let (values, elsewhere) = values.split_once('>').unwrap_or((values, ""));
            let (mut names, elsewhere) = (self::names(values), self::names(elsewhere));
            let job = self.fields[at].jobs.len();
            let mut add = |meaning| {
                self.add_all(&names, meaning);
                elsewhere.iter().for_each(|name| self.mean(&name.stems, meaning));
                names.extend_from_slice(&elsewhere);
            };
            match key.trim() {
                "title" => {
                    add(Meaning::Title(at));
                    self.fields[at].titles = names;
                }
                "chief" => {
                    add(Meaning::Chief(at));
                    self.fields[at].chiefs = names;
                }
                "job" => {
                    add(Meaning::Job(at, job));
                    self.fields[at].jobs.push(names);
                }
                _ => {
                    add(Meaning::Talk(at));
                    self.fields[at].talk.extend(names);
                }
            }
        }
    }

    fn read_levels(&mut self, text: &str) {
        for line in lines(text) {
            let Some((key, values)) = line.split_once(':') else {
                let (name, with_chiefs) =
                    line.split_once('+').map_or((line, false), |(name, rest)| (name, rest == "chief"));
                self.levels.push(Level { name: name.trim().to_owned(), with_chiefs, ..Level::default() });
                continue;
            };
            let Some(at) = self.levels.len().checked_sub(1) else { continue };
            let names = self::names(values);
            match key.trim() {
                "say" => self.add_all(&names, Meaning::Level(at)),
                "do" => self.add_all(&names, Meaning::Verb(at)),
                "title" => self.levels[at].titles = names,
                _ => self.levels[at].alone = names,
            }
        }
    }

    fn read_industries(&mut self, text: &str) {
        for line in lines(text) {
            let names = self::names(line);
            // A word can be in several lines; the line that it opens is its own.
            self.add_all(&names, Meaning::Industry(self.industries.len()));
            self.industries.push(names);
        }
    }

    fn read_places(&mut self, text: &str) {
        for line in lines(text) {
            let (own, within) = line.split_once('>').unwrap_or((line, ""));
            let mut names = self::names(own);
            self.add_all(&names, Meaning::Place(self.places.len()));
            names.extend(self::names(within));
            self.places.push(names);
        }
    }

    /// Adds each name as a place of its own.
    fn read_cities(&mut self, text: &str) {
        for city in lines(text).flat_map(self::names) {
            self.add(&city.stems, Meaning::Place(self.places.len()));
            self.places.push(vec![city]);
        }
    }

    /// Adds associated phrases: "name: words".
    fn read_spoken(&mut self, text: &str) {
        for (name, words) in lines(text).filter_map(|line| line.split_once(':')) {
            let name = stems(name);
            for words in self::names(words) {
                let names = self.spoken.entry(words.stems.join(" ")).or_default();
                if !names.contains(&name) {
                    names.push(name.clone());
                }
                self.described.entry(name.join(" ")).or_default().push(words.said);
            }
        }
    }

    /// Adds foreign names of places to the lines that they open, or to new ones.
    fn read_elsewhere(&mut self, text: &str) {
        for (place, elsewhere) in lines(text).filter_map(|line| line.split_once('=')) {
            let own = self::names(place);
            let Some(stems) = own.first().map(|name| name.stems.clone()) else { continue };
            let line =
                self.places.iter().position(|line| line.first().is_some_and(|name| name.stems == stems));
            let line = line.unwrap_or(self.places.len());
            if line == self.places.len() {
                self.mean(&stems, Meaning::Place(line));
                self.elsewhere.extend(stems);
                self.places.push(own);
            }
            for name in self::names(elsewhere) {
                // A word with another meaning in English keeps it.
                if self.meanings(&name.stems).is_empty() && !self.has_stem(&name.stems.join(" ")) {
                    self.mean(&name.stems, Meaning::Place(line));
                    self.elsewhere.extend(name.stems.iter().cloned());
                    self.places[line].push(name);
                }
            }
        }
    }
}

fn names(list: &str) -> Vec<Name> {
    let names = list.split(',').map(|said| Name { said: said.trim().to_owned(), stems: stems(said) });
    names.filter(|name| !name.stems.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(text: &str) -> &'static [Meaning] {
        LEXICON.meanings(&stems(text))
    }

    #[test]
    fn every_field_and_level_is_whole() {
        assert!(LEXICON.fields.len() > 20 && LEXICON.levels.len() > 8);
        for field in &LEXICON.fields {
            let whole = !field.titles.is_empty() && !field.chiefs.is_empty() && !field.jobs.is_empty();
            assert!(whole && field.jobs.iter().all(|job| !job.is_empty()), "{}", field.name);
        }
        for level in &LEXICON.levels {
            assert!(!level.titles.is_empty() && !level.alone.is_empty(), "{}", level.name);
        }
        assert!(LEXICON.industries.iter().all(|line| line.len() > 1));
        // A city that also opens another line would be one place twice.
        for city in lines(include_str!("lexicon/cities.txt")).flat_map(self::names) {
            let lines = LEXICON.places.iter().filter(|line| line[0].stems == city.stems);
            assert_eq!(lines.count(), 1, "{}", city.said);
        }
    }

    #[test]
    fn what_people_speak_of_describes_names_that_have_a_meaning() {
        assert!(LEXICON.spoken.len() > 1000, "{}", LEXICON.spoken.len());
        let mute: BTreeSet<&Phrase> =
            LEXICON.spoken.values().flatten().filter(|name| LEXICON.meanings(name).is_empty()).collect();
        assert!(mute.is_empty(), "{mute:?}");
        assert_eq!(LEXICON.spoken_of(&stems("windmills")), [stems("netherlands")]);
    }

    #[test]
    fn phrases_mean_what_their_line_says() {
        let name = |text: &str| {
            meanings(text).iter().find_map(|&meaning| match meaning {
                Meaning::Chief(at) => Some(format!("chief of {}", LEXICON.fields[at].name)),
                Meaning::Job(at, _) => Some(format!("job in {}", LEXICON.fields[at].name)),
                _ => None,
            })
        };
        assert_eq!(name("CFOs").as_deref(), Some("chief of finance"));
        assert_eq!(name("talent acquisition").as_deref(), Some("job in people"));
        assert_eq!(name("Co-Founder").as_deref(), Some("job in general management"));
        assert!(meanings("vice presidents").iter().any(|meaning| matches!(meaning, Meaning::Level(_))));
        assert!(meanings("fintech").iter().any(|meaning| matches!(meaning, Meaning::Industry(_))));
        assert!(meanings("Munich").iter().any(|meaning| matches!(meaning, Meaning::Place(_))));
        assert!(meanings("xyzzy").is_empty());
    }
}
