//! The search index of one network: the words of its texts, and its names for things.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;

use crate::graph::index::GraphIndex;
use crate::model::column::{DictionaryColumn, TextColumn};
use crate::search::columns::FitColumns;
use crate::search::companies::CompanyNames;
use crate::search::conditions::{Condition, Query, TermKind};
use crate::search::fit::{Fit, Fits};
use crate::search::known::{findable, texts_of};
use crate::search::lexicon::LEXICON;
use crate::search::measure::well_connected_from;
use crate::search::names::FindableNames;
use crate::search::parse::cues::has_word;
use crate::search::past::PastCompanies;
use crate::search::pool::FindablePeople;
use crate::search::recent::RecentFits;
use crate::search::text_index::TextIndex;
use crate::search::titles::Elsewhere;
use crate::search::words::{SMALL_WORDS, stems};
use kith_embed::model::Model;

/// People whose fits are looked up together: they stay in the nearest cache.
const BLOCK: usize = 2048;
/// Minimum number of companies, and minimum share, whose names have a word, for the word to describe companies.
const BODIES_MIN: usize = 8;
const BODIES_PART: usize = 20;
/// Minimum number of words in a part of a company's name.
const PART_MIN: usize = 2;

/// The words and the vocabulary of one network. Built once when it is loaded.
#[derive(Debug)]
pub struct SearchIndex {
    /// Distinct positions.
    pub positions: TextIndex,
    /// Distinct cities.
    pub cities: TextIndex,
    /// Distinct countries.
    pub countries: TextIndex,
    /// Companies' names, row by row.
    pub companies: TextIndex,
    /// Distinct industries.
    pub industries: TextIndex,
    /// Distinct headquarters locations.
    pub headquarters: TextIndex,
    /// The companies that people worked for before.
    pub past: PastCompanies,
    /// The names of the people whom a search may find.
    pub names: FindableNames,
    /// The names of companies.
    pub company_names: CompanyNames,
    /// Positions in other languages of the people whom a search may find.
    elsewhere: Elsewhere,
    /// The number of connections from which on a findable person is well connected, if any number is known.
    pub well_connected: Option<u64>,
    /// The people whom searches may find.
    pub findable: FindablePeople,
    /// Kept results of conditions compared by vector.
    pub recent: RecentFits,
    /// Whole names of things, as stems joined by spaces.
    wholes: Wholes,
    /// Stems of words that describe companies here ("committee") and occur in no other column.
    bodies: HashSet<Box<str>>,
}

#[derive(Debug)]
struct Wholes {
    positions: HashSet<Box<str>>,
    places: HashSet<Box<str>>,
    industries: HashSet<Box<str>>,
}

impl SearchIndex {
    /// Indexes the texts of `index`, on all cores; the parser knows the words of the people whom a search may find.
    /// Costs a sort of the distinct texts' words.
    #[must_use]
    pub fn build(index: &GraphIndex) -> Self {
        Self::build_knowing(index, &findable(index))
    }

    /// Like [`Self::build`], with a parser that knows the words of the `known` people.
    #[must_use]
    pub(crate) fn build_knowing(index: &GraphIndex, known: &FixedBitSet) -> Self {
        let (people, companies) = (&index.data.people, &index.data.companies);
        let ones = vec![1; companies.names.len()];
        let ((positions, company_words), ((cities, countries), (industries, headquarters))) = rayon::join(
            || {
                rayon::join(
                    || of_people(&people.positions, known),
                    || TextIndex::build(&companies.names, &ones),
                )
            },
            || {
                rayon::join(
                    || (of_people(&people.cities, known), of_people(&people.countries, known)),
                    || (of_companies(&companies.industries), of_companies(&companies.headquarters)),
                )
            },
        );
        let ((past, names), (company_names, wholes)) = rayon::join(
            || rayon::join(|| PastCompanies::build(index), || FindableNames::of(index, known)),
            || rayon::join(|| CompanyNames::of(companies.names.iter()), || Wholes::build(index, known)),
        );
        let bodies_min = BODIES_MIN.max(companies.names.len() / BODIES_PART);
        let is_body = |stem: &&str| {
            let others = [&positions, &cities, &countries, &industries];
            !has_word(stem) && !LEXICON.has_stem(stem) && others.iter().all(|column| !column.knows(stem))
        };
        let bodies = company_words.words_in(bodies_min).filter(is_body).map(Box::from).collect();
        Self {
            bodies,
            elsewhere: Elsewhere::of(&positions),
            positions,
            cities,
            countries,
            companies: company_words,
            industries,
            headquarters,
            past,
            names,
            company_names,
            well_connected: well_connected_from(index, known),
            findable: FindablePeople::of(index, known.ones().map(|row| row as u32).collect()),
            recent: RecentFits::default(),
            wholes,
        }
    }

    /// Bytes held on the heap, without kept results. Costs a pass over the distinct texts.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let words = self.columns().iter().map(|column| column.size_bytes()).sum::<usize>();
        words
            + self.past.size_bytes()
            + self.names.size_bytes()
            + self.company_names.size_bytes()
            + self.findable.size_bytes()
            + self.wholes.size_bytes()
            + self.bodies.iter().map(|word| word.len() + size_of::<Box<str>>()).sum::<usize>()
    }

    /// Looks up the fit of each person whom a search may find; 0 for the others. Costs a few look-ups per person if
    /// anything fits.
    #[must_use]
    pub fn of_known(&self, index: &GraphIndex, fits: &Fits) -> Vec<Fit> {
        let mut people = vec![0; index.data.people.len()];
        let columns = FitColumns::of(index, fits);
        let (mut found, mut other) = ([0; BLOCK], Vec::new());
        for block in self.findable.people.chunks(BLOCK).take_while(|_| !columns.is_empty()) {
            columns.read(block, &mut found[..block.len()], &mut other);
            block.iter().zip(found).for_each(|(&row, fit)| people[row as usize] = fit);
        }
        people
    }

    /// Whether this is a company's name, or people mean a company by it.
    #[must_use]
    pub fn is_company(&self, stems: &[String]) -> bool {
        self.company_names.has(stems) || self.past.spelled().has(stems)
    }

    /// Whether these words occur together in a company's name and mean it: with a word that describes companies here,
    /// "small business committee"; with one that only companies have, "Fallowquay labs"; or adjacent in a few names but
    /// in no title, "energy and commerce". Small words do not count.
    #[must_use]
    pub fn is_part_of_company(&self, stems: &[String]) -> bool {
        let telling: Vec<String> =
            stems.iter().filter(|stem| !SMALL_WORDS.contains(&stem.as_str())).cloned().collect();
        let ends = [stems.first(), stems.last()].into_iter().flatten();
        if telling.len() < PART_MIN || ends.into_iter().any(|end| SMALL_WORDS.contains(&end.as_str())) {
            return false;
        }
        let is_run = || {
            telling.windows(2).all(|pair| self.company_names.has_run(pair))
                && telling.iter().any(|stem| !LEXICON.has_stem(stem) && !has_word(stem))
                && !self.positions.knows_together(&telling)
        };
        let is_own = |stem: &String| {
            self.bodies.contains(stem.as_str())
                || !Model::own().knows(stem)
                    && !has_word(stem)
                    && !LEXICON.knows_stem(stem)
                    && !self.names.has_word(stem)
        };
        self.companies.knows_together(&telling) && (telling.iter().any(is_own) || is_run())
    }

    /// Whether this one word means a company whose name begins with it, and no person.
    #[must_use]
    pub fn is_short_company(&self, stem: &str) -> bool {
        (self.company_names.has_short(stem) || self.past.spelled().has_short(stem))
            && !self.names.has_word(stem)
    }

    /// Adds the network's own synonyms to the conditions of `query`: companies as spelled here, and positions in other
    /// languages.
    #[must_use]
    pub fn spell(&self, mut query: Query) -> Query {
        for condition in query.conditions.iter_mut().chain(&mut query.exclusions) {
            let more = match condition.kind {
                TermKind::Company => {
                    let of_past = self.past.spelled().spellings(&condition.term);
                    [self.company_names.spellings(&condition.term), of_past].concat()
                }
                TermKind::Role => self.elsewhere.of_phrases(&condition.phrases),
                // Texts that contain its words are what it means.
                TermKind::Topic if condition.is_sentence && self.has_words(condition) => {
                    condition.is_sentence = false;
                    condition.phrases.truncate(1);
                    Vec::new()
                }
                _ => Vec::new(),
            };
            let new: Vec<_> = more.into_iter().filter(|phrase| !condition.phrases.contains(phrase)).collect();
            condition.phrases.extend(new);
        }
        query
    }

    /// Whether a text contains all words of a topic.
    fn has_words(&self, topic: &Condition) -> bool {
        let words = topic.phrases.first();
        words.is_some_and(|words| self.columns().iter().any(|column| column.knows_together(words)))
    }

    /// Whether a person whom a search may find has exactly this position.
    #[must_use]
    pub fn is_position(&self, stems: &[String]) -> bool {
        self.wholes.positions.contains(stems.join(" ").as_str())
    }

    /// Whether this is the city or country of a person whom a search may find, or a part of a headquarters location.
    #[must_use]
    pub fn is_place(&self, stems: &[String]) -> bool {
        self.wholes.places.contains(stems.join(" ").as_str())
    }

    /// Whether this is the name of an industry.
    #[must_use]
    pub fn is_industry(&self, stems: &[String]) -> bool {
        self.wholes.industries.contains(stems.join(" ").as_str())
    }

    /// All searched columns.
    #[must_use]
    pub fn columns(&self) -> [&TextIndex; 6] {
        [
            &self.positions,
            &self.industries,
            &self.companies,
            &self.cities,
            &self.countries,
            &self.headquarters,
        ]
    }
}

impl Wholes {
    fn size_bytes(&self) -> usize {
        let sets = [&self.positions, &self.places, &self.industries];
        let texts = |set: &HashSet<Box<str>>| set.iter().map(|text| text.len()).sum::<usize>();
        sets.iter().map(|set| texts(set) + set.capacity() * size_of::<Box<str>>()).sum()
    }

    fn build(index: &GraphIndex, known: &FixedBitSet) -> Self {
        let whole = |text: &str| stems(text).join(" ").into_boxed_str();
        let of_companies = |texts: &TextColumn| -> HashSet<Box<str>> {
            texts.iter().map(whole).filter(|text| !text.is_empty()).collect()
        };
        let of_people = |column: &DictionaryColumn| -> HashSet<Box<str>> {
            let texts = texts_of(column, known);
            let wholes = texts.ones().map(|text| whole(column.values.get(text as u32)));
            wholes.filter(|text| !text.is_empty()).collect()
        };
        let mut places = of_people(&index.data.people.cities);
        places.extend(of_people(&index.data.people.countries));
        let parts = index.data.companies.headquarters.values.iter().flat_map(|text| text.split(','));
        places.extend(parts.map(whole).filter(|text| !text.is_empty()));
        Self {
            positions: of_people(&index.data.people.positions),
            places,
            industries: of_companies(&index.data.companies.industries.values),
        }
    }
}

/// Indexes a dictionary's texts, weighted by the number of `known` people with each.
fn of_people(column: &DictionaryColumn, known: &FixedBitSet) -> TextIndex {
    let texts = known.ones().map(|person| column.rows[person]);
    TextIndex::build(&column.values, &counts(texts, column.values.len()))
}

/// Indexes a dictionary's texts, weighted by the number of companies with each.
fn of_companies(column: &DictionaryColumn) -> TextIndex {
    TextIndex::build(&column.values, &counts(column.rows.iter().copied(), column.values.len()))
}

/// Counts the `rows` with each of so many texts.
fn counts(rows: impl Iterator<Item = u32>, texts: usize) -> Vec<u32> {
    let mut counts = vec![0_u32; texts];
    rows.for_each(|text| counts[text as usize] += 1);
    counts
}
