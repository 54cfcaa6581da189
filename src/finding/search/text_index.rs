//! The words of a column's texts, and how well a text fits a phrase (BM25).
//!
//! There is one for each searched column of distinct texts: a search scores the few texts, and people then look up the
//! score of their text.

use std::borrow::Cow;

use fixedbitset::FixedBitSet;

use crate::model::column::{TextColumn, held};
use crate::model::csr::Csr;
#[cfg(test)]
use crate::search::fit::work;
use crate::search::fit::{Fit, MATCH};
use crate::search::known::size_of_bits;
use crate::search::words::{numbered, stems};

/// BM25: the saturation of repeated words. Here every word counts once.
const K1: f32 = 1.2;
/// BM25: the penalty for long texts.
const B: f32 = 0.75;

/// The words of a column of distinct texts.
#[derive(Debug)]
pub struct TextIndex {
    /// The distinct stems, ascending.
    words: TextColumn,
    /// The weight of each word: the logarithm of its rarity among rows.
    weights: Vec<f32>,
    /// The texts of each word, ascending, each once.
    postings: Csr<u32>,
    /// The number of words in each text.
    lengths: Vec<u16>,
    /// The mean of `lengths` over rows.
    mean_length: f32,
    /// The texts that a row uses.
    had: FixedBitSet,
}

impl TextIndex {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.words.size_bytes()
            + held(&self.weights)
            + self.postings.size_bytes()
            + held(&self.lengths)
            + size_of_bits(&self.had)
    }

    /// Indexes `texts`; `rows[i]` findable rows use text *i*. A text that none of them uses is left out: it fits
    /// nothing, and does not affect the rarity of words or the known words. Costs a sort of all words.
    #[must_use]
    pub fn build(texts: &TextColumn, rows: &[u32]) -> Self {
        let mut lengths = Vec::with_capacity(texts.len());
        let mut had = FixedBitSet::with_capacity(texts.len());
        let mut pairs: Vec<(String, u32)> = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            if rows[number] == 0 {
                lengths.push(0);
                continue;
            }
            had.insert(number);
            let stems = stems(text);
            lengths.push(u16::try_from(stems.len()).unwrap_or(u16::MAX));
            let stems = (0..stems.len()).map(|at| occurrence(&stems, at).into_owned());
            pairs.extend(stems.map(|stem| (stem, number as u32)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let all: u64 = rows.iter().map(|&count| u64::from(count)).sum();
        let words_of_rows: u64 =
            rows.iter().zip(&lengths).map(|(&count, &length)| u64::from(count) * u64::from(length)).sum();
        let mut index = Self {
            words: TextColumn::default(),
            weights: Vec::new(),
            postings: Csr::with_capacity(0, pairs.len()),
            lengths,
            mean_length: (words_of_rows as f32 / all.max(1) as f32).max(1.0),
            had,
        };
        for run in pairs.chunk_by(|one, other| one.0 == other.0) {
            // Words are at most as long as the texts, which fit a column; a word that does not fit is left out.
            if index.words.push(&run[0].0).is_err() {
                break;
            }
            let holding: u64 = run.iter().map(|&(_, text)| u64::from(rows[text as usize])).sum();
            index.weights.push(rarity(holding, all));
            index.postings.push_row(run.iter().map(|&(_, text)| text));
        }
        index
    }

    /// Whether a row uses the text.
    #[must_use]
    pub fn has(&self, text: usize) -> bool {
        self.had.contains(text)
    }

    /// Whether a text contains the stem.
    #[must_use]
    pub fn knows(&self, stem: &str) -> bool {
        self.words.find_sorted(stem).is_some()
    }

    /// Whether one text contains all of these stems.
    #[must_use]
    pub fn knows_together(&self, stems: &[String]) -> bool {
        self.holding_all(stems).next().is_some()
    }

    /// The stems in `texts_min` texts or more, in no order.
    pub fn words_in(&self, texts_min: usize) -> impl Iterator<Item = &str> {
        let words = 0..self.words.len() as u32;
        words.filter(move |&word| self.postings(word).len() >= texts_min).map(|word| self.words.get(word))
    }

    /// Whether a text consists of exactly these words, in any order.
    #[must_use]
    pub fn knows_whole(&self, stems: &[String]) -> bool {
        self.holding_all(stems).any(|text| self.lengths[text as usize] as usize == stems.len())
    }

    /// The stems that begin with `initial`, ascending. Costs a binary search, and a look at each of them.
    pub fn words_from<'a>(&'a self, initial: &'a str) -> impl Iterator<Item = &'a str> {
        let places = self.words.lower_bound(initial)..self.words.len() as u32;
        let words =
            places.map(|place| self.words.get(place)).take_while(move |word| word.starts_with(initial));
        words.filter(|word| !word.contains('#'))
    }

    /// The number of texts.
    #[must_use]
    pub fn texts(&self) -> usize {
        self.lengths.len()
    }

    /// How well each text fits the best of `phrases`; earlier ones have a little more weight.
    ///
    /// A text that contains all words of a phrase fits ([`MATCH`] or more), the better the fewer other words it has. A
    /// text with some words of the first phrase fits in part. Costs the texts of the rarest word of each phrase, and a
    /// byte per text.
    #[must_use]
    pub fn fits(&self, phrases: &[Vec<String>]) -> Vec<Fit> {
        #[cfg(test)]
        work::note();
        let mut fits = vec![0; self.texts()];
        if let Some(first) = phrases.first().filter(|first| first.len() > 1) {
            self.add_partial(first, &mut fits);
        }
        for (place, phrase) in phrases.iter().enumerate() {
            // The query's own words come first by far.
            let rank = if place == 0 { 1.0 } else { 0.85 - 0.3 * place as f32 / phrases.len() as f32 };
            let ideal = self.length_factor(phrase.len());
            for text in self.holding_all(phrase) {
                let quality = self.length_factor(self.lengths[text as usize] as usize) / ideal;
                let above = f32::from(Fit::MAX - MATCH) * rank * quality.min(1.0);
                let fit = &mut fits[text as usize];
                *fit = (*fit).max(MATCH + above as Fit);
            }
        }
        fits
    }

    /// Calls `found` with each text that contains all words of one of `names`, and the share of these words in it; once
    /// per such name. Costs the texts of the rarest word of each name.
    pub fn each_named(&self, names: &[Vec<String>], mut found: impl FnMut(u32, f32)) {
        for name in names {
            for text in self.holding_all(name) {
                let length = f32::from(self.lengths[text as usize].max(1));
                found(text, (name.len() as f32 / length).min(1.0));
            }
        }
    }

    /// BM25's factor for a word that occurs once in a text of `length` words.
    fn length_factor(&self, length: usize) -> f32 {
        (K1 + 1.0) / (1.0 + K1 * (1.0 - B + B * length as f32 / self.mean_length))
    }

    fn add_partial(&self, phrase: &[String], fits: &mut [Fit]) {
        let found: Vec<u32> =
            (0..phrase.len()).filter_map(|at| self.words.find_sorted(&occurrence(phrase, at))).collect();
        let known: f32 = found.iter().map(|&word| self.weights[word as usize]).sum();
        let unknown = (phrase.len() - found.len()) as f32 * rarity(0, 1_000_000);
        for &word in &found {
            let part = self.weights[word as usize] / (known + unknown).max(f32::EPSILON);
            let step = (part * f32::from(MATCH - 1)) as Fit;
            for &text in self.postings(word) {
                let fit = &mut fits[text as usize];
                *fit = fit.saturating_add(step).min(MATCH - 1);
            }
        }
    }

    fn postings(&self, word: u32) -> &[u32] {
        self.postings.row(word)
    }

    /// The texts that contain every one of these stems, ascending; none without stems.
    fn holding_all<'a>(&'a self, stems: &[String]) -> impl Iterator<Item = u32> + use<'a> {
        let lists: Option<Vec<&[u32]>> = (0..stems.len())
            .map(|at| Some(self.postings(self.words.find_sorted(&occurrence(stems, at))?)))
            .collect();
        let mut lists = lists.unwrap_or_default();
        lists.sort_unstable_by_key(|list| list.len());
        let rarest = lists.first().copied().unwrap_or(&[]);
        let others = lists.into_iter().skip(1).collect::<Vec<_>>();
        rarest.iter().copied().filter(move |text| others.iter().all(|list| list.binary_search(text).is_ok()))
    }
}

/// The stem at `at`, numbered if it already occurred before: "Johnson & Johnson" is more than "Johnson".
fn occurrence(stems: &[String], at: usize) -> Cow<'_, str> {
    match stems[..at].iter().filter(|stem| **stem == stems[at]).count() {
        0 => Cow::Borrowed(&stems[at]),
        before => Cow::Owned(numbered(&stems[at], before)),
    }
}

/// The weight of a word in `holding` of `all` rows: BM25's inverse document frequency.
fn rarity(holding: u64, all: u64) -> f32 {
    let (holding, all) = (holding as f32, all as f32);
    ((all - holding + 0.5).max(0.5) / (holding + 0.5)).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::ColumnFull;

    fn fits(phrases: &[&str]) -> Result<Vec<Fit>, ColumnFull> {
        let texts =
            TextColumn::from_texts(["", "CFO", "Head of Finance", "Finance Analyst, Treasury", "Head Chef"])?;
        let index = TextIndex::build(&texts, &[5, 2, 1, 3, 1]);
        Ok(index.fits(&phrases.iter().map(|phrase| stems(phrase)).collect::<Vec<_>>()))
    }

    #[test]
    fn a_text_fits_if_it_holds_all_words_of_a_phrase() -> Result<(), ColumnFull> {
        let are_matches = |fits: Vec<Fit>| -> Vec<bool> { fits.iter().map(|&it| it >= MATCH).collect() };
        assert_eq!(are_matches(fits(&["finance head", "cfo"])?), [false, true, true, false, false]);
        assert_eq!(are_matches(fits(&["finances"])?), [false, false, true, true, false]);
        assert_eq!(are_matches(fits(&["nothing", "chef heads"])?), [false, false, false, false, true]);
        assert_eq!(are_matches(fits(&[])?), [false; 5]);
        Ok(())
    }

    #[test]
    fn shorter_texts_and_earlier_phrases_fit_better_and_parts_a_little() -> Result<(), ColumnFull> {
        let found = fits(&["finance"])?;
        assert!(found[2] >= found[3] && found[3] >= MATCH, "{found:?}");
        let found = fits(&["head of finance", "cfo"])?;
        assert!(found[2] > found[1], "{found:?}");
        let found = fits(&["finance head"])?;
        assert!(found[3] > 0 && found[3] < MATCH && found[1] == 0, "{found:?}");
        Ok(())
    }
}
