//! How well texts fit a description: by the vector of the whole sentence, and by the concepts it is about.
//!
//! A text counts by the cosine of its vector to that of the sentence, and by the concepts that the sentence comes near:
//! "keeps the servers alive" is near a site reliability engineer, so each title that has one of its names is. Matching
//! words make a text fit, but do not move it ahead of others: descriptions avoid the names of things.
//!
//! Promise: A sentence brings up the texts with a name of what it is about.
//! Control: cosines alone, without concepts, in the same trial; without them phrases do not reach the floors (0.516,
//!   0.527 and 0.459, 0.496 were measured)
//! Also in: `src/finding/search/concepts.rs`, `tests/api/judged/phrases.rs`.

use crate::model::vectors::Quantized;
use crate::search::concepts::{Concept, ConceptKind, concepts_near};
use crate::search::fit::{Fit, MATCH};
use crate::search::text_index::TextIndex;
use kith_embed::dot::Probe;
use kith_embed::model::Model;

/// The nearness below which a text is irrelevant.
const FAR: f32 = 0.25;
/// The nearness from which on a text always fits.
const NEAR: f32 = 0.62;
/// Minimum number of texts that fit.
const NEAREST_TEXTS: usize = 15;
/// Maximum share of texts that fit by this minimum, one in so many.
const NEAREST_PART: usize = 4;
/// How far behind the nearest text others still fit, regardless of their number.
const BEHIND: f32 = 0.15;
/// Maximum number of concepts that count: the nearest ones with a text.
const CONCEPTS_MAX: usize = 16;
/// Minimum weight of a text with the name of a concept among other words; a text that is just the name has weight 1.
const NAMED: f32 = 0.7;

/// Vague words: titles with them are about something else.
const VAGUE: [&str; 12] = [
    "company",
    "companies",
    "firm",
    "firms",
    "business",
    "businesses",
    "organisation",
    "organization",
    "thing",
    "things",
    "others",
    "other",
];

/// Distinct texts of one kind, and how well they fit so far.
pub struct SentenceColumn<'a> {
    /// The kind of thing that the texts name.
    pub kind: ConceptKind,
    /// Their vectors.
    pub stored: &'a [Quantized],
    /// Their words.
    pub words: &'a TextIndex,
    /// How well they fit: first by words, in the end altogether.
    pub fits: &'a mut Vec<Fit>,
}

impl<'a> SentenceColumn<'a> {
    /// The texts that name things of `kind`, with vectors `stored` and word index `words`.
    pub fn new(
        kind: ConceptKind,
        stored: &'a [Quantized],
        words: &'a TextIndex,
        fits: &'a mut Vec<Fit>,
    ) -> Self {
        Self { kind, stored, words, fits }
    }
}

/// A text with a name of a concept.
struct Named {
    column: usize,
    text: u32,
    /// The share of its words in that name.
    part: f32,
}

/// Adds the nearness of each text to `sentence` to the fits of `columns`. Costs one pass over the vectors, a cosine per
/// phrase of the lexicon, and the texts with a name of the nearest concepts.
pub fn add_sentence<const N: usize>(sentence: &str, mut columns: [SentenceColumn<'_>; N]) {
    let vector = Model::own().embed(&without_vague(sentence));
    if vector.is_zero() {
        return;
    }
    let probe = Probe::new(&vector);
    // The phrases of a concept can contain any words, so the whole sentence is compared with them.
    let nearness = nearness(&probe, &columns, &concepts_near(sentence, &probe));
    let mut all: Vec<f32> = nearness.iter().flatten().copied().filter(|near| near.is_finite()).collect();
    let place = NEAREST_TEXTS.min(all.len() / NEAREST_PART);
    if all.is_empty() {
        return;
    }
    let (nearer, &mut nearest_of, _) = all.select_nth_unstable_by(place, |one, other| other.total_cmp(one));
    let best = nearer.iter().copied().fold(nearest_of, f32::max);
    let near = nearest_of.clamp(FAR, NEAR.max(best - BEHIND));
    for (column, nearness) in columns.iter_mut().zip(nearness) {
        for (fit, nearness) in column.fits.iter_mut().zip(nearness) {
            *fit = combine(*fit, nearness, near, best.max(NEAR));
        }
    }
}

/// `sentence` without vague words, or unchanged if no other word is left.
fn without_vague(sentence: &str) -> String {
    let telling: Vec<&str> = sentence.split_whitespace().filter(|word| !VAGUE.contains(word)).collect();
    if telling.is_empty() { sentence.to_owned() } else { telling.join(" ") }
}

/// The nearness of each text of `columns` to a sentence: its cosine, plus a contribution of the nearest of `concepts`
/// whose name it has. A text of nobody findable is infinitely far.
fn nearness(probe: &Probe, columns: &[SentenceColumn<'_>], concepts: &[(f32, &Concept)]) -> Vec<Vec<f32>> {
    // The nearness of each concept, and the texts with its name.
    let mut had: Vec<(f32, Vec<Named>)> = Vec::new();
    let mut least = 0.0;
    for &(near, concept) in concepts {
        let mut texts = Vec::new();
        let of_kind = columns.iter().enumerate().filter(|(_, column)| column.kind == concept.kind);
        for (at, column) in of_kind {
            column
                .words
                .each_named(&concept.names, |text, part| texts.push(Named { column: at, text, part }));
        }
        if !texts.is_empty() {
            least = near;
            had.push((near, texts));
        }
        if had.len() > CONCEPTS_MAX {
            break;
        }
    }
    let mut raised: Vec<Vec<f32>> = columns.iter().map(|column| vec![0.0; column.stored.len()]).collect();
    for (near, texts) in had {
        for Named { column, text, part } in texts {
            if let Some(raised) = raised[column].get_mut(text as usize) {
                *raised = raised.max((near - least) * (NAMED + (1.0 - NAMED) * part));
            }
        }
    }
    let add = |(column, mut raised): (&SentenceColumn<'_>, Vec<f32>)| {
        for (text, (raised, cosine)) in raised.iter_mut().zip(probe.cosines(column.stored)).enumerate() {
            *raised = if column.words.has(text) { *raised + cosine } else { f32::NEG_INFINITY };
        }
        raised
    };
    columns.iter().zip(raised).map(add).collect()
}

/// Combines words and nearness: matching words, or a nearness of `near`, make a match, and nearness orders.
fn combine(words: Fit, nearness: f32, near: f32, best: f32) -> Fit {
    let part = |most: Fit, from: f32, to: f32| {
        (f32::from(most) * ((nearness - from) / (to - from).max(f32::EPSILON)).clamp(0.0, 1.0)) as Fit
    };
    if words >= MATCH || nearness >= near {
        MATCH + part(Fit::MAX - MATCH, FAR, best)
    } else {
        words.max(part(MATCH - 1, FAR, near))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::{ColumnFull, TextColumn};

    /// The position nearest to `sentence`, using these concepts.
    fn nearest(
        sentence: &str,
        concepts: impl Fn(&str, &Probe) -> Vec<(f32, &'static Concept)>,
    ) -> Result<&'static str, ColumnFull> {
        let positions = ["Court Clerk", "Chief Financial Officer", "Head of Sales", "Nurse", "Referee"];
        let words = TextIndex::build(&TextColumn::from_texts(positions)?, &[1; 5]);
        let stored = positions.map(|position| Model::own().embed(position).quantize());
        let probe = Probe::new(&Model::own().embed(sentence));
        let (mut fits, kind) = (vec![0; positions.len()], ConceptKind::Work);
        let column = SentenceColumn { kind, stored: &stored, words: &words, fits: &mut fits };
        let near = nearness(&probe, &[column], &concepts(sentence, &probe)).remove(0);
        let best = (0..near.len()).max_by(|&one, &other| near[one].total_cmp(&near[other]));
        Ok(best.map_or("", |best| positions[best]))
    }

    #[test]
    fn what_a_sentence_is_about_brings_up_its_names_and_its_cosines_alone_do_not() -> Result<(), ColumnFull> {
        let sentence = "settles every invoice and payslip";
        assert_eq!(nearest(sentence, concepts_near)?, "Chief Financial Officer");
        // The control: the same without concepts.
        assert_eq!(nearest(sentence, |_, _| Vec::new())?, "Court Clerk");
        Ok(())
    }

    #[test]
    fn words_that_stand_for_anything_count_in_what_is_said_of_a_concept() -> Result<(), ColumnFull> {
        let positions = ["Procurement Manager", "Head of Business Development", "Nurse", "Referee"];
        let words = TextIndex::build(&TextColumn::from_texts(positions)?, &[1; 4]);
        let stored = positions.map(|position| Model::own().embed(position).quantize());
        let nearest = |sentence: &str| {
            let mut fits = vec![0; positions.len()];
            add_sentence(sentence, [SentenceColumn::new(ConceptKind::Work, &stored, &words, &mut fits)]);
            (0..fits.len()).max_by_key(|&position| fits[position]).map(|position| positions[position])
        };
        let sentence = "finds us deals with other companies";
        assert_eq!(nearest(sentence), Some("Head of Business Development"));
        // The control: the same without them.
        assert_eq!(nearest(&without_vague(sentence)), Some("Procurement Manager"));
        Ok(())
    }

    #[test]
    fn nearness_orders_and_matches_from_a_bound_on_and_words_always_match() {
        let fits: Vec<Fit> = (0..=20).map(|part| combine(0, part as f32 / 20.0, 0.6, 0.9)).collect();
        assert!(fits.is_sorted() && fits[0] == 0 && fits[20] == Fit::MAX, "{fits:?}");
        assert!(combine(0, 0.61, 0.6, 0.9) >= MATCH && combine(0, 0.59, 0.6, 0.9) < MATCH);
        for nearness in [-1.0, 0.0, 0.5, 2.0] {
            assert!(combine(MATCH, nearness, 0.6, 0.9) >= MATCH, "{nearness}");
        }
        assert!(combine(Fit::MAX, 0.5, 0.6, 0.9) < combine(0, 0.8, 0.6, 0.9));
    }
}
