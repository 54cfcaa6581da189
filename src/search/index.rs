//! What searches over one network read beside its index: the words of its texts, and what it calls
//! things.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;

use crate::graph::index::GraphIndex;
use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::text::fold;
use crate::search::known::{KnownNames, findable, texts_of};
use crate::search::measure::well_connected_from;
use crate::search::past::PastCompanies;
use crate::search::text_index::TextIndex;
use crate::search::words::{join_pairs, stems, words};

/// Words that end a company's name and say nothing.
const LEGAL_FORMS: [&str; 22] = [
    "inc",
    "ltd",
    "llc",
    "llp",
    "gmbh",
    "ag",
    "ab",
    "as",
    "a",
    "s",
    "sa",
    "bv",
    "nv",
    "oy",
    "plc",
    "corp",
    "corporation",
    "co",
    "company",
    "limited",
    "k",
    "srl",
];

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
    /// Where people worked before.
    pub past: PastCompanies,
    /// The names that the parser knows.
    pub known_names: KnownNames,
    /// From how many connections on a person whom a search may find is well connected; `None` if no number is known.
    pub well_connected: Option<u64>,
    /// Whole names of things, as their stems joined by spaces.
    wholes: Wholes,
}

#[derive(Debug)]
struct Wholes {
    companies: HashSet<Box<str>>,
    positions: HashSet<Box<str>>,
    places: HashSet<Box<str>>,
    industries: HashSet<Box<str>>,
}

impl SearchIndex {
    /// Indexes the texts of `index`, on all cores; the parser knows the words of those whom a search may find.
    /// Costs a sort of the distinct texts' words.
    #[must_use]
    pub fn build(index: &GraphIndex) -> Self {
        Self::build_knowing(index, &findable(index))
    }

    /// As [`Self::build`], with a parser that knows the words of `known` people.
    #[must_use]
    pub(crate) fn build_knowing(index: &GraphIndex, known: &FixedBitSet) -> Self {
        let (people, companies) = (&index.data.people, &index.data.companies);
        let ones = vec![1; companies.names.len()];
        let ((positions, company_names), ((cities, countries), (industries, headquarters))) = rayon::join(
            || {
                rayon::join(
                    || of_people(&people.positions, known),
                    || TextIndex::build(&companies.names, &ones, all(ones.len())),
                )
            },
            || {
                rayon::join(
                    || (of_people(&people.cities, known), of_people(&people.countries, known)),
                    || (of_companies(&companies.industries), of_companies(&companies.headquarters)),
                )
            },
        );
        let (past, wholes) = rayon::join(|| PastCompanies::build(index), || Wholes::build(index, known));
        Self {
            positions,
            cities,
            countries,
            companies: company_names,
            industries,
            headquarters,
            past,
            known_names: KnownNames::of(index, known),
            well_connected: well_connected_from(index, known),
            wholes,
        }
    }

    /// Bytes held on the heap. Costs a pass over the distinct texts.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let words = self.columns().iter().map(|column| column.size_bytes()).sum::<usize>();
        words + self.past.size_bytes() + self.known_names.size_bytes() + self.wholes.size_bytes()
    }

    /// Whether a company is called this, its legal form aside.
    #[must_use]
    pub fn is_company(&self, stems: &[String]) -> bool {
        self.wholes.companies.contains(stems.join(" ").as_str()) || self.past.names().knows_whole(stems)
    }

    /// Whether the position of a person whom a search may find is just this.
    #[must_use]
    pub fn is_position(&self, stems: &[String]) -> bool {
        self.wholes.positions.contains(stems.join(" ").as_str())
    }

    /// Whether a city or a country of a person whom a search may find, or a part of a headquarters location, is called
    /// this.
    #[must_use]
    pub fn is_place(&self, stems: &[String]) -> bool {
        self.wholes.places.contains(stems.join(" ").as_str())
    }

    /// Whether an industry is called this.
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
        let sets = [&self.companies, &self.positions, &self.places, &self.industries];
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
        let companies = index.data.companies.names.iter().map(|name| company_stems(name).join(" "));
        Self {
            companies: companies.map(String::into_boxed_str).filter(|name| !name.is_empty()).collect(),
            positions: of_people(&index.data.people.positions),
            places,
            industries: of_companies(&index.data.companies.industries.values),
        }
    }
}

/// The stems of a company's name without its legal form.
#[must_use]
pub fn company_stems(name: &str) -> Vec<String> {
    let folded = fold(name);
    let all: Vec<&str> = words(&folded).collect();
    let form = all.iter().rev().take_while(|word| LEGAL_FORMS.contains(word)).count();
    let kept = if form < all.len() { &all[..all.len() - form] } else { &all[..] };
    join_pairs(kept)
}

/// The index of a dictionary's texts, weighted by how many people have each; the parser knows those of `known` people.
fn of_people(column: &DictionaryColumn, known: &FixedBitSet) -> TextIndex {
    TextIndex::build(&column.values, &counts(column), texts_of(column, known))
}

/// The index of a dictionary's texts, weighted by how many companies have each; the parser knows all.
fn of_companies(column: &DictionaryColumn) -> TextIndex {
    TextIndex::build(&column.values, &counts(column), all(column.values.len()))
}

/// How many rows have each text.
fn counts(column: &DictionaryColumn) -> Vec<u32> {
    let mut rows = vec![0_u32; column.values.len()];
    column.rows.iter().for_each(|&text| rows[text as usize] += 1);
    rows
}

fn all(count: usize) -> FixedBitSet {
    let mut all = FixedBitSet::with_capacity(count);
    all.insert_range(..);
    all
}
