//! Look-ups answered by reading every text of everybody in reach. Shares only the dataset and text folding with the
//! store.

use std::collections::BTreeSet;

use kith_server::model::dataset::{AdvocateStatus, Dataset};
use kith_server::model::text::fold;
use kith_server::relational::lookup::{Match, TextField};

use crate::relational::words::stems;

/// Each person's texts as stems, with how many words each text has.
pub(crate) struct Oracle {
    /// For each person in reach, for each of [`TextField::ALL`].
    people: Vec<(u32, Vec<Text>)>,
}

struct Text {
    stems: Vec<Vec<u8>>,
    words: usize,
}

/// Everybody to whom a member or an accepted advocate has an edge.
pub(crate) fn in_reach(dataset: &Dataset) -> BTreeSet<u32> {
    let out = &dataset.edges.out;
    let mut knowing: BTreeSet<u32> = dataset.members.people.iter().map(|person| person.0).collect();
    for row in &dataset.advocates {
        if row.status == AdvocateStatus::Accepted {
            knowing.insert(row.person.0);
        }
    }
    let ends = |&person: &u32| {
        let (from, to) = (out.offsets.0[person as usize], out.offsets.0[person as usize + 1]);
        out.ends[from as usize..to as usize].iter().map(|end| end.0)
    };
    knowing.iter().flat_map(ends).collect()
}

fn text_of(dataset: &Dataset, person: u32, field: TextField) -> &str {
    let (people, companies) = (&dataset.people, &dataset.companies);
    let company = people.companies[person as usize].get().map_or(u32::MAX, |company| company.0);
    match field {
        TextField::Position => people.positions.get(person),
        TextField::City => people.cities.get(person),
        TextField::Country => people.countries.get(person),
        TextField::PersonName => people.names.get(person),
        _ if company == u32::MAX => "",
        TextField::CompanyName => companies.names.get(company),
        TextField::Industry => companies.industries.get(company),
        TextField::Headquarters => companies.headquarters.get(company),
    }
}

fn count(folded: &str) -> usize {
    folded.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty()).count()
}

impl Oracle {
    pub(crate) fn of(dataset: &Dataset) -> Self {
        Self::over(dataset, in_reach(dataset))
    }

    /// An oracle that looks at `people`.
    pub(crate) fn over(dataset: &Dataset, people: impl IntoIterator<Item = u32>) -> Self {
        let texts = |person| {
            let text = |field| {
                let folded = fold(text_of(dataset, person, field));
                Text { stems: stems(&folded), words: count(&folded).max(1) }
            };
            (person, TextField::ALL.map(text).into_iter().collect())
        };
        Self { people: people.into_iter().map(texts).collect() }
    }

    /// The fits, by person.
    pub(crate) fn find(&self, fields: &[TextField], phrases: &[Vec<String>]) -> Vec<Match> {
        let mut found = Vec::new();
        for (person, texts) in &self.people {
            let mut reached = Vec::new();
            for (place, phrase) in phrases.iter().enumerate() {
                for &field in fields {
                    let text = &texts[TextField::ALL.iter().position(|it| *it == field).unwrap()];
                    if fits(text, phrase) {
                        reached.push(fit(field, place, phrase, text));
                    }
                }
            }
            found.extend(reached.into_iter().max().map(|fit| Match { person: *person, fit }));
        }
        found
    }
}

/// Whether the text holds every word, and a word that is repeated as often in a row; what makes several words there
/// stands there together.
fn fits(text: &Text, phrase: &[String]) -> bool {
    let runs = phrase.chunk_by(|one, other| one == other).map(|run| stems(&run.join(" ")));
    let words: Vec<_> = runs.filter(|stems| !stems.is_empty()).collect();
    let holds = |word: &Vec<Vec<u8>>| text.stems.windows(word.len()).any(|window| window == word);
    !words.is_empty() && words.iter().all(holds)
}

fn fit(field: TextField, place: usize, phrase: &[String], text: &Text) -> u8 {
    let weight = if field == TextField::Headquarters { 200 } else { 255 };
    let words: usize = phrase.iter().map(|word| count(word).max(1)).sum();
    // In 128ths of the text's words: the phrase's share in it, half of it sure; then its place.
    let share = text.words + words.min(text.words);
    let worth = 64 - place.min(32);
    u8::try_from((weight * worth * share) / (128 * text.words)).unwrap().max(1)
}
