//! Finds the names of people in a query.
//!
//! Words are a name if they are a whole name of the network, in any order, or a part of one that has no other meaning.
//!
//! Promise: A name is known with and without its hyphens and apostrophes.
//! Control: parts of names, which are no whole ones.

use crate::search::index::SearchIndex;
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::parse::nicknames::whole_names;
use crate::search::parse::written::WrittenWord;
use crate::search::words::{stem, stems};

/// Titles before a name.
const TITLES: [&str; 20] = [
    "mr",
    "mrs",
    "ms",
    "miss",
    "mister",
    "dr",
    "prof",
    "professor",
    "sir",
    "herr",
    "frau",
    "monsieur",
    "madame",
    "mme",
    "senor",
    "senora",
    "dhr",
    "mevrouw",
    "mevr",
    "meneer",
];
/// Maximum number of words in a name.
const WORDS_MAX: usize = 16;
/// Maximum number of words taken for a part of a name.
const PART_WORDS_MAX: usize = 4;

/// For each word, the length of the name that begins there: 0 for most. Corrects misspelt words beside known names.
/// Costs a look-up per word, and a few more for each run of words that names contain.
pub fn mark(search: &SearchIndex, words: &mut [WrittenWord]) -> Vec<usize> {
    let mut reader =
        Reader { search, is_name: words.iter().map(|it| search.names.has_word(&it.word)).collect() };
    let mut lengths = vec![0; words.len()];
    if reader.is_all_one_name(words) {
        lengths[0] = words.len();
        return lengths;
    }
    reader.mend(words);
    reader.spell_short_names(words);
    reader.spell_initials(words);
    let mut at = 0;
    while at < words.len() {
        let length = reader.length_at(words, at);
        lengths[at] = length;
        if let Some(named) = Some(length).filter(|&length| length == 0).and_then(|_| reader.titled(words, at))
        {
            words[at].is_idle = true;
            lengths[at + 1] = named;
            at += named;
        }
        at += length.max(1);
    }
    lengths
}

struct Reader<'a> {
    search: &'a SearchIndex,
    /// Whether each word is in a person's name.
    is_name: Vec<bool>,
}

impl Reader<'_> {
    /// Whether the query is just a name; a single word only if it has no other meaning.
    fn is_all_one_name(&self, words: &[WrittenWord]) -> bool {
        let is_long = (2..=WORDS_MAX).contains(&words.len());
        let is_small = words.len() == 1 && find_cue(&words[0].word).is_some();
        (is_long || is_small)
            && self.is_name.iter().all(|&is| is)
            && self.search.names.is_whole(&texts(words))
    }

    /// The length in words of the name at `at`.
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
                name.iter().any(|word| word.word.chars().nth(1).is_some() && self.is_only_name(&word.word))
                    && !self.search.is_company(&stems(&texts(name).join(" ")))
                    && self.search.names.has_together(&texts(name))
            })
        };
        whole.or_else(part).unwrap_or(0)
    }

    /// The length in words of the name after the title at `at`: "Mr De Marchis". `None` if there is no title, or nobody
    /// has that name.
    fn titled(&self, words: &[WrittenWord], at: usize) -> Option<usize> {
        let is_title = TITLES.contains(&words[at].word.as_str());
        let name = words.get(at + 1..).filter(|_| is_title)?;
        let run =
            name.iter().enumerate().take_while(|(place, it)| it.initial && (*place == 0 || !it.after_break));
        let run = run.count().min(PART_WORDS_MAX);
        let known = (1..=run).rev().find(|&length| self.search.names.has_together(&texts(&name[..length])));
        // An unknown name counts too.
        let is_new = known != Some(run) && name[..run].iter().any(|it| self.is_only_name(&it.word));
        if is_new { Some(run) } else { known }
    }

    /// Expands short first names, if only the full name goes with the name beside it: "Bob Lark".
    fn spell_short_names(&mut self, words: &mut [WrittenWord]) {
        for at in 0..words.len().saturating_sub(1) {
            let (short, beside) = (&words[at], &words[at + 1]);
            let is_name = self.is_name[at + 1] && short.initial && beside.initial && !beside.after_break;
            let is_called = |name: &str| self.search.names.has_together(&[name, &beside.word]);
            if is_name && !is_called(&short.word) {
                let whole = whole_names(&short.word).iter().find(|name| is_called(name));
                if let Some(whole) = whole {
                    (words[at].word, self.is_name[at]) = ((*whole).to_owned(), true);
                }
            }
        }
    }

    /// Expands initials before or after known names: "P. A. Visser".
    fn spell_initials(&mut self, words: &mut [WrittenWord]) {
        let is_initial = |it: &WrittenWord| it.initial && it.word.chars().count() == 1;
        let mut at = 0;
        while at < words.len() {
            let run = words[at..].iter().zip(&self.is_name[at..]).take(WORDS_MAX);
            let run = run.take_while(|(it, is_name)| is_initial(it) || **is_name && it.initial).count();
            let (of_initials, whole): (Vec<usize>, Vec<usize>) =
                (at..at + run).partition(|&place| is_initial(&words[place]));
            let text = |place: &usize| words[*place].word.as_str();
            let initials: Vec<&str> = of_initials.iter().map(text).collect();
            let names: Vec<&str> = whole.iter().map(text).collect();
            let is_known = self.search.names.is_whole(&texts(&words[at..at + run]));
            if !initials.is_empty() && !names.is_empty() && !is_known {
                let spelled = self.search.names.spell_initials(&initials, &names).unwrap_or_default();
                // Initials of nobody known have no meaning.
                of_initials.iter().for_each(|&place| words[place].is_idle = spelled.is_empty());
                for (&place, part) in of_initials.iter().zip(spelled) {
                    words[place].word = part;
                    self.is_name[place] = true;
                }
            }
            at += run.max(1);
        }
    }

    /// Whether a whole name is likely one here: not an employer, and not just words with other meanings in small
    /// letters.
    fn is_plausible(&self, words: &[WrittenWord], at: usize, length: usize) -> bool {
        let name = &words[at..at + length];
        let is_employer = at > 0
            && find_cue(&words[at - 1].word) == Some(Cue::At)
            && self.search.is_company(&stems(&texts(name).join(" ")));
        let is_other =
            |word: &WrittenWord| find_cue(&word.word).is_some() || LEXICON.has_stem(&stem(&word.word));
        !is_employer && (name.iter().all(|word| word.initial) || !name.iter().all(is_other))
    }

    /// Whether only names contain the word.
    fn is_only_name(&self, word: &str) -> bool {
        let stem = stem(word);
        find_cue(word).is_none()
            && !LEXICON.has_stem(&stem)
            && self.search.columns().iter().all(|column| !column.knows(&stem))
    }

    /// Corrects each unknown word beside a word of names, if a person has both.
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
            // Both words of a name can be misspelt.
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
    use kith_embed::sketch::net;

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
