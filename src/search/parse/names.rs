//! Which words of a query are a person's name.
//!
//! Words are a name if they are all of a name that the network has, in any order, or a part of one that nothing else
//! is called by.

use crate::search::index::SearchIndex;
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::parse::written::WrittenWord;
use crate::search::words::{stem, stems};

/// The most words of a name.
const WORDS_MAX: usize = 16;
/// The most words that are taken for a part of a name.
const PART_WORDS_MAX: usize = 4;

/// For each word, how many words from it on are one name: 0 for most. Misspelt words beside known names are mended.
/// Costs a look-up for each word, and for each run of words that names have a few more.
pub fn mark(search: &SearchIndex, words: &mut [WrittenWord]) -> Vec<usize> {
    let mut reader =
        Reader { search, is_name: words.iter().map(|it| search.names.has_word(&it.word)).collect() };
    let mut lengths = vec![0; words.len()];
    if reader.is_all_one_name(words) {
        lengths[0] = words.len();
        return lengths;
    }
    reader.mend(words);
    let mut at = 0;
    while at < words.len() {
        let length = reader.length_at(words, at);
        lengths[at] = length;
        at += length.max(1);
    }
    lengths
}

struct Reader<'a> {
    search: &'a SearchIndex,
    /// For each word, whether a person has it in their name.
    is_name: Vec<bool>,
}

impl Reader<'_> {
    /// Whether the query is a name and nothing else; one of a single word only if it says nothing otherwise.
    fn is_all_one_name(&self, words: &[WrittenWord]) -> bool {
        let is_long = (2..=WORDS_MAX).contains(&words.len());
        let is_small = words.len() == 1 && find_cue(&words[0].word).is_some();
        (is_long || is_small)
            && self.is_name.iter().all(|&is| is)
            && self.search.names.is_whole(&texts(words))
    }

    /// How many words from `at` on are a name.
    fn length_at(&self, words: &[WrittenWord], at: usize) -> usize {
        let run = self.is_name[at..].iter().take_while(|&&is| is).count();
        let whole = (2..=run.min(WORDS_MAX)).rev().find(|&length| {
            let name = &words[at..at + length];
            self.search.names.is_whole(&texts(name)) && self.is_plausible(words, at, length)
        });
        let unbroken = words[at..at + run].iter().skip(1).take_while(|word| !word.after_break).count() + 1;
        let part = || {
            (2..=run.min(unbroken).min(PART_WORDS_MAX)).rev().find(|&length| {
                let name = &words[at..at + length];
                name.iter().any(|word| self.is_only_name(&word.word))
                    && !self.search.is_company(&stems(&texts(name).join(" ")))
                    && self.search.names.has_together(&texts(name))
            })
        };
        whole.or_else(part).unwrap_or(0)
    }

    /// Whether a whole name stands as one: not an employer, nor only words that mean something else in small letters.
    fn is_plausible(&self, words: &[WrittenWord], at: usize, length: usize) -> bool {
        let name = &words[at..at + length];
        let is_employer = at > 0
            && find_cue(&words[at - 1].word) == Some(Cue::At)
            && self.search.is_company(&stems(&texts(name).join(" ")));
        let is_other =
            |word: &WrittenWord| find_cue(&word.word).is_some() || LEXICON.has_stem(&stem(&word.word));
        !is_employer && (name.iter().all(|word| word.initial) || !name.iter().all(is_other))
    }

    /// Whether nothing but names has the word.
    fn is_only_name(&self, word: &str) -> bool {
        let stem = stem(word);
        find_cue(word).is_none()
            && !LEXICON.has_stem(&stem)
            && self.search.columns().iter().all(|column| !column.knows(&stem))
    }

    /// Mends each word that nothing has and that stands beside a word of names, if a person is called by both.
    fn mend(&mut self, words: &mut [WrittenWord]) {
        for at in 0..words.len() {
            if self.is_name[at] || !self.is_only_name(&words[at].word) {
                continue;
            }
            let before = at.checked_sub(1).filter(|&before| self.is_name[before]);
            let after = Some(at + 1).filter(|&after| after < words.len() && self.is_name[after]);
            let text = |at: usize| words[at].word.as_str();
            let all: Vec<&str> = before.into_iter().chain(after).map(text).collect();
            let mut mended =
                (!all.is_empty()).then(|| self.search.names.mend_beside(text(at), &all)).flatten();
            if mended.is_none() && all.len() > 1 {
                mended = all.iter().find_map(|beside| self.search.names.mend_beside(text(at), &[beside]));
            }
            if let Some(name) = mended {
                words[at].word = name;
                self.is_name[at] = true;
                continue;
            }
            // Both words of a name may be misspelt.
            let first = before.unwrap_or(at);
            let both = words.get(first + 1).filter(|next| !next.after_break && self.is_only_name(&next.word));
            let both = both.and_then(|next| self.search.names.mend_both(&words[first].word, &next.word));
            if let Some((one, other)) = both {
                (words[first].word, words[first + 1].word) = (one, other);
                self.is_name[first..first + 2].fill(true);
            }
        }
    }
}

fn texts(words: &[WrittenWord]) -> Vec<&str> {
    words.iter().map(|word| word.word.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use crate::search::fit::MATCH;
    use crate::search::index::SearchIndex;
    use crate::sketch::net;

    #[test]
    fn a_name_is_known_with_and_without_its_hyphens_and_apostrophes() {
        let net = net("
            member ann
            ann -> p1
            ann -> p2
            p1 (name: Otieno Onyango-Ng'ang'a)
            p2 (name: Aoife O'Brien-Walsh)
        ");
        let names = SearchIndex::build(&net).names;
        for (typed, is_known) in [
            ("otieno onyango-ng'ang'a", true),
            ("otieno onyango-nganga", true),
            ("otieno onyango nganga", true),
            ("onyangonganga otieno", true),
            ("otieno onyango ng ang a", true),
            ("aoife obrien-walsh", true),
            ("aoife o brien walsh", true),
            ("aoife obrien", false),
            ("otieno nganga", false),
            ("otieno ngang", false),
        ] {
            let words: Vec<&str> = typed.split(' ').collect();
            assert_eq!(names.is_whole(&words), is_known, "{typed}");
            let is_found = names.fits(&net, typed).into_iter().any(|fit| fit >= MATCH);
            assert_eq!(is_found, typed != "otieno ngang", "{typed}");
        }
    }
}
