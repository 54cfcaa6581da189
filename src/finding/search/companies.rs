//! Companies as people type them: `Coca Cola` for Coca-Cola, `ExxonMobil` for Exxon Mobil, `Citigroup Inc`.
//!
//! A company is found by the stems of its name without its legal form, "the" and "and"; by the same joined into one
//! word; and without general words at the end ("Group", "Technologies").
//!
//! Promise: Companies are meant by what people type, and words that only stand beside each other are none.
//! Control: "johnson", "software", "siemens as".

use std::collections::HashSet;

use crate::model::column::{TextColumn, held};
use crate::model::csr::Csr;
use crate::search::company_runs::{few_runs, run_hash};
use crate::search::lexicon::{LEXICON, Phrase};
use crate::search::parse::cues::{find_cue, has_word};
use crate::search::words::{plain, stems};
use kith_embed::model::Model;

/// Legal forms at the end of a company's name.
const LEGAL_FORMS: [&str; 44] = [
    "inc",
    "incorporated",
    "ltd",
    "llc",
    "llp",
    "lp",
    "gmbh",
    "ag",
    "ab",
    "as",
    "asa",
    "aps",
    "a",
    "s",
    "sa",
    "sas",
    "sarl",
    "spa",
    "bv",
    "nv",
    "v",
    "oy",
    "oyj",
    "plc",
    "corp",
    "corporation",
    "co",
    "company",
    "limited",
    "k",
    "kk",
    "kg",
    "kgaa",
    "ltda",
    "pty",
    "pte",
    "pvt",
    "private",
    "srl",
    "sl",
    "slu",
    "se",
    "ug",
    "ohg",
];
/// Legal forms that also occur as ordinary words.
const WORDS_TOO: [&str; 16] = [
    "as", "a", "s", "v", "k", "co", "company", "private", "limited", "se", "spa", "sl", "ab", "sas", "ag",
    "lp",
];
/// Stems of general words at the end of companies' names that people leave out.
const GENERAL: [&str; 16] = [
    "com",
    "group",
    "groupe",
    "gruppe",
    "holding",
    "technology",
    "tech",
    "international",
    "solution",
    "system",
    "partner",
    "service",
    "enterprise",
    "industry",
    "venture",
    "worldwide",
];
const FORM_LETTERS_MAX: usize = 4;
const OPTIONAL: [&str; 2] = ["the", "and"];
/// Minimum length of a shortened name, in letters.
const LEFT_OVER_MIN: usize = 3;
/// Minimum number of words before "of" for the short name of a body.
const BODY_MIN: usize = 3;
/// Minimum length of a first word that stands for a name, if no other name begins with it.
const SHORT_LETTERS_MIN: usize = 5;
/// Maximum names to look for because of one term.
const SPELLINGS_MAX: usize = 8;

/// The names of companies, by each of their keys.
#[derive(Debug)]
pub struct CompanyNames {
    /// The keys, ascending.
    keys: TextColumn,
    /// For each key, the positions in `names` of the names that have it.
    named: Csr<u32>,
    /// The distinct names as stems joined by spaces, ascending.
    names: TextColumn,
    /// Words of names as people type them without foreign letters: `laka` for Łąka.
    typed: HashSet<Box<str>>,
    /// The hashes of two adjacent words in a few names, ignoring small words, ascending.
    runs: Vec<u64>,
}

impl CompanyNames {
    /// Indexes the companies called `names`. Costs a sort of their keys.
    #[must_use]
    pub fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut distinct: Vec<String> = names.map(|name| said(&company_stems(name)).join(" ")).collect();
        distinct.sort_unstable();
        distinct.dedup();
        distinct.retain(|name| !name.is_empty());
        let mut keys: Vec<(String, u32)> = Vec::with_capacity(distinct.len() * 2);
        let mut typed = HashSet::new();
        for (number, name) in distinct.iter().enumerate() {
            let stems: Vec<String> = name.split(' ').map(str::to_owned).collect();
            keys.extend([name.clone(), stems.concat()].map(|key| (key, number as u32)));
            if plain(name) != *name {
                typed.extend(stems.iter().map(|stem| plain(stem).into_boxed_str()));
                keys.extend([plain(name), plain(&stems.concat())].map(|key| (key, number as u32)));
            }
            if let Some(left) = left_over(&stems) {
                keys.extend([left.join(" "), left.concat()].map(|key| (key, number as u32)));
            }
            keys.extend(shortened(&stems).map(|short| (short, number as u32)));
            if let Some(body) = body(&stems) {
                keys.extend([body.join(" "), body.concat()].map(|key| (key, number as u32)));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let mut of = Self {
            runs: few_runs(&distinct),
            typed,
            keys: TextColumn::default(),
            named: Csr::with_capacity(0, keys.len()),
            // They are no longer than the names of a table, which fit a column.
            names: TextColumn::from_texts(distinct.iter().map(String::as_str)).unwrap_or_default(),
        };
        for run in keys.chunk_by(|one, other| one.0 == other.0) {
            // Names that do not fit a column are left out.
            if of.keys.push(&run[0].0).is_err() {
                break;
            }
            of.named.push_row(run.iter().map(|&(_, name)| name));
        }
        of
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let typed = self.typed.iter().map(|word| word.len() + size_of::<Box<str>>()).sum::<usize>();
        self.keys.size_bytes() + self.named.size_bytes() + self.names.size_bytes() + typed + held(&self.runs)
    }

    /// Whether these two stems are adjacent in a few names, and in no more.
    #[must_use]
    pub fn has_run(&self, pair: &[String]) -> bool {
        self.runs.binary_search(&run_hash(pair.iter().map(String::as_str))).is_ok()
    }

    /// Whether the folded `word` is how people type a word of a name.
    #[must_use]
    pub fn has_typed(&self, word: &str) -> bool {
        self.typed.contains(word)
    }

    /// Whether a query with these adjacent stems means a company. Costs a few binary searches.
    #[must_use]
    pub fn has(&self, stems: &[String]) -> bool {
        // "Google and" is Google with more to come, "the Google" a company after a small word.
        if [stems.first(), stems.last()].into_iter().flatten().any(|end| OPTIONAL.contains(&end.as_str())) {
            return false;
        }
        let name = without_form(stems);
        // A name with one of the other keys has this one too.
        let is_near = |name: &[String]| self.keys.find_sorted(&joined(name)).is_some();
        if !is_near(name) && !left_over(name).is_some_and(is_near) {
            return false;
        }
        // "Google as" is Google and a small word, not a company with that legal form.
        if stems[name.len()..].iter().any(|form| find_cue(form).is_some()) {
            return false;
        }
        let name = said(name);
        if name.is_empty() {
            return false;
        }
        let is_known = |key: &str| self.keys.find_sorted(key).is_some();
        let may_be_one = || {
            !name.iter().any(|stem| find_cue(stem).is_some())
                && !name.iter().all(|stem| LEXICON.has_stem(stem))
        };
        is_known(&name.join(" "))
            || name.len() > 1 && may_be_one() && is_known(&name.concat())
            || left_over(&name).is_some_and(|left| is_known(&left.join(" ")))
    }

    /// Whether the one word `stem` can mean a company whose name, and no other, begins with it: "Emberlock" for
    /// Emberlock Farms.
    #[must_use]
    pub fn has_short(&self, stem: &str) -> bool {
        let key = self.keys.find_sorted(&short_key(stem));
        key.is_some_and(|key| self.named.row(key).len() == 1)
    }

    /// The names that `text` can mean, each as stems, at most as many as a search looks for.
    #[must_use]
    pub fn spellings(&self, text: &str) -> Vec<Phrase> {
        let name = said(&company_stems(text));
        let mut keys = vec![name.join(" "), name.concat()];
        keys.extend(left_over(&name).map(|left| left.join(" ")));
        keys.extend((name.len() == 1).then(|| short_key(&name[0])));
        let mut found: Vec<u32> = Vec::new();
        for key in keys.iter().filter_map(|key| self.keys.find_sorted(key)) {
            found.extend(self.named.row(key).iter().filter(|name| !found.contains(name)).collect::<Vec<_>>());
        }
        let names = found.into_iter().take(SPELLINGS_MAX);
        names.map(|name| self.names.get(name).split(' ').map(str::to_owned).collect()).collect()
    }
}

/// The short name of a body, before "of": the "Recording Industry Association" of America. `None` if too few words come
/// before "of".
fn body(name: &[String]) -> Option<&[String]> {
    let of = name.iter().position(|stem| stem == "of")?;
    // "RIAA, Recording Industry Association of America"
    let initials: String =
        name[1..].iter().filter(|stem| *stem != "of").filter_map(|it| it.chars().next()).collect();
    let body = &name[usize::from(name[0] == initials)..of];
    (body.len() >= BODY_MIN).then_some(body)
}

/// The key of a name by its first word; its prefix marks it as such.
fn short_key(stem: &str) -> String {
    format!("\u{1}{stem}")
}

/// The key of a name of several words by the first of them; `None` if that word has a meaning of its own.
fn shortened(name: &[String]) -> Option<String> {
    let first = name.first().filter(|first| name.len() > 1 && first.chars().count() >= SHORT_LETTERS_MIN)?;
    let is_own = first.chars().all(char::is_alphabetic)
        && LEXICON.meanings(std::slice::from_ref(first)).is_empty()
        && !has_word(first)
        && !Model::own().knows(first);
    is_own.then(|| short_key(first))
}

/// The stems of a company's name without its legal form.
#[must_use]
pub fn company_stems(name: &str) -> Vec<String> {
    without_form(&stems(name)).to_vec()
}

/// Whether `word` is a legal form and not also an ordinary word: "ltd", but not "as" or "company".
#[must_use]
pub fn is_legal_form(word: &str) -> bool {
    LEGAL_FORMS.contains(&word) && !WORDS_TOO.contains(&word)
}

/// A company's name without its legal form, unless nothing else is left.
fn without_form(stems: &[String]) -> &[String] {
    let mut name = stems;
    while let Some(length) = form_length(name).filter(|&length| length < name.len()) {
        name = &name[..name.len() - length];
    }
    if form_length(name).is_some() { stems } else { name }
}

/// The number of final `stems` that are a legal form: two or more for one with points, "b", "v"; `None` for none.
fn form_length(stems: &[String]) -> Option<usize> {
    let letters = stems.iter().rev().take_while(|stem| stem.chars().count() == 1).count();
    let is_form = |length: usize| LEGAL_FORMS.contains(&stems[stems.len() - length..].concat().as_str());
    (2..=letters.min(FORM_LETTERS_MAX))
        .rev()
        .chain([1])
        .find(|&length| length <= stems.len() && is_form(length))
}

/// A name without its optional parts, unless nothing else is left.
fn said(stems: &[String]) -> Vec<String> {
    let said: Vec<String> = stems.iter().filter(|stem| !OPTIONAL.contains(&stem.as_str())).cloned().collect();
    if said.is_empty() { stems.to_vec() } else { said }
}

/// The words of a name joined, without its optional parts.
fn joined(name: &[String]) -> String {
    name.iter().map(String::as_str).filter(|stem| !OPTIONAL.contains(stem)).collect()
}

/// A company's name without general words at its end; `None` if it has none, or nothing distinctive is left.
fn left_over(name: &[String]) -> Option<&[String]> {
    let general = name.iter().rev().take_while(|stem| GENERAL.contains(&stem.as_str())).count();
    let left = &name[..name.len() - general];
    if general == 0 {
        return None;
    }
    let is_own = left.iter().map(String::len).sum::<usize>() >= LEFT_OVER_MIN
        && LEXICON.meanings(left).is_empty()
        && find_cue(&left.join(" ")).is_none();
    is_own.then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 16] = [
        "Łąka Robotics",
        "Citigroup",
        "Coca-Cola",
        "Johnson & Johnson",
        "Johnson Controls",
        "Exxon Mobil Corporation",
        "AT&T",
        "Marks and Spencer",
        "The Home Depot, Inc.",
        "Amazon.com",
        "Goldman Sachs Group",
        "Siemens AG",
        "Software Technologies",
        "RIAA, Recording Industry Association of America",
        "Emberlock Farms",
        "Willow Logistics",
    ];

    /// The company that a query's words mean; empty if they mean none.
    fn found(text: &str) -> Vec<String> {
        let companies = CompanyNames::of(NAMES.into_iter());
        let stems = crate::search::words::stems(text);
        let spellings = companies.spellings(text);
        assert!(!companies.has(&stems) || !spellings.is_empty(), "{text}");
        if companies.has(&stems) { spellings.iter().map(|name| name.join(" ")).collect() } else { Vec::new() }
    }

    #[test]
    fn a_company_is_meant_by_what_people_type() {
        for (typed, name) in [
            ("Laka Robotics", "łaka robotic"),
            ("Łąka Robotics", "łaka robotic"),
            ("Citigroup Inc", "citigroup"),
            ("citigroup", "citigroup"),
            ("Coca Cola", "coca cola"),
            ("cocacola", "coca cola"),
            ("Johnson and Johnson", "johnson johnson"),
            ("Johnson & Johnson", "johnson johnson"),
            ("ExxonMobil", "exxon mobil"),
            ("Exxon Mobil", "exxon mobil"),
            ("AT & T", "at t"),
            ("ATT", "at t"),
            ("Marks & Spencer", "mark spencer"),
            ("Home Depot", "home depot"),
            ("Amazon", "amazon"),
            ("Amazon Inc", "amazon"),
            ("Goldman Sachs", "goldman sach"),
            ("Goldman Sachs Holdings", "goldman sach"),
            ("Siemens", "siemen"),
            ("Recording Industry Association", "riaa recording"),
        ] {
            let found = found(typed);
            assert!(found.len() == 1 && found[0].starts_with(name), "{typed}: {found:?}");
        }
    }

    #[test]
    fn words_that_only_stand_beside_each_other_are_no_company() {
        for other in
            ["johnson", "home", "software", "siemens as", "citigroup company", "t", "at", "the", "inc"]
        {
            assert!(found(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn a_company_is_meant_by_its_first_word_if_that_means_nothing_else() {
        let companies = CompanyNames::of(NAMES.into_iter());
        for (stem, is_meant) in [
            ("emberlock", true),
            // The controls: an English word, the word of several companies, and a word that begins no name.
            ("willow", false),
            ("johnson", false),
            ("farm", false),
        ] {
            assert_eq!(companies.has_short(stem), is_meant, "{stem}");
            assert!(!is_meant || companies.spellings(stem).len() == 1, "{stem}");
        }
    }
}
