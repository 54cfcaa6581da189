//! Names that a text has cut or run together: parts that are one name, one part that is a name and a firm.

use std::ops::Range;

use crate::model::nicknames::{CREDENTIALS, TITLES};
use crate::model::text::{plain, words};
use crate::query::name_match::NameClass;
use crate::query::paths::target::{MatchedBy, companies_alike};
use crate::query::paths::written::scan;
use crate::query::paths::written::{OWN, Reader};

/// Maximum number of words of a name and a firm without anything between them.
const WORDS_MAX: usize = 12;
/// Words between a name and a firm that may be of either.
const BETWEEN: [&str; 4] = ["von", "of", "with", "for"];

impl Reader<'_> {
    /// Returns the parts of `left` at `places`, as written. Adjacent parts that form one name are joined: `Li, Ana`,
    /// `Kestrel Ventures, Inc.`.
    pub(super) fn joined(&self, left: &str, places: &[Range<usize>]) -> Vec<String> {
        let text =
            |place: &Range<usize>| left[place.clone()].replace(['"', '“', '”', '„', '«', '»', '`'], "");
        // A degree, a legal form, a quotation mark, an emoji are of no part, but may be of the name.
        let is_whole = self.people(left, &OWN[..1], None).is_some() || self.companies_called(left).is_some();
        if is_whole && !places.is_empty() {
            return vec![left.trim().to_owned()];
        }
        let mut places = places.to_vec();
        for length in (2..=places.len()).rev() {
            let mut at = 0;
            while at + length <= places.len() {
                let run = places[at].start..places[at + length - 1].end;
                let is_one = self.is_one_name(&text(&run))
                    || length == 2
                        && self.is_last_name_first(
                            &text(&places[at]),
                            &text(&places[at + 1]),
                            &left[places[at].end..places[at + 1].start],
                        );
                if is_one {
                    places.splice(at..at + length, [run]);
                }
                at += 1;
            }
        }
        places.iter().map(text).collect()
    }

    /// Whether a text with separators in it is the name of a person or of a company.
    fn is_one_name(&self, text: &str) -> bool {
        self.people(text, OWN, None).is_some() || self.companies_called(text).is_some()
    }

    /// Whether `last` and `given`, with `between` them, are an unknown person's name, as in `Crombie, Alistair`.
    fn is_last_name_first(&self, last: &str, given: &str, between: &str) -> bool {
        let is_word = |text: &str| {
            !text.contains(char::is_whitespace)
                && self.may_be_name(text)
                && self.companies_called(text).is_none()
        };
        matches!(between.trim_matches(' '), "," | "\t") && is_word(last) && is_word(given)
    }

    /// Whether `text` may be a person's name, and not just a city in which nobody has that name.
    pub(super) fn may_be_name(&self, text: &str) -> bool {
        let is_city = || {
            let (people, plain) = (&self.index.data.people, plain(text));
            self.index.person_names().words_equal(&plain).next().is_none()
                && people.cities.values.iter().any(|city| crate::model::text::plain(city) == plain)
        };
        scan::may_be_name(text, self.is_small) && (text.contains(' ') || !is_city())
    }

    /// The name and the firm that `text` has without anything between them, if a person of that name works there.
    pub(super) fn name_and_firm(&self, text: &str) -> Option<[String; 2]> {
        let all: Vec<&str> = text.split_whitespace().collect();
        if !(3..=WORDS_MAX).contains(&all.len()) {
            return None;
        }
        (1..all.len()).find_map(|at| {
            let (one, other) = all.split_at(at);
            let is_between = |word: &&&str| BETWEEN.contains(&&*word.to_lowercase());
            let behind = other.iter().take_while(is_between).count();
            let before = one.iter().rev().take_while(is_between).count();
            let pairs = [(one, &other[behind..]), (other, &one[..one.len() - before])];
            pairs.into_iter().find_map(|(name, firm)| {
                let (name, firm) = (name.join(" "), firm.join(" "));
                let (_, rows) = self.companies_called(&firm)?;
                self.people(&name, OWN, Some(&rows)).map(|_| [name, firm])
            })
        })
    }

    /// The companies whose name, handle or domain equals `text`.
    pub(super) fn companies_called(&self, text: &str) -> Option<(MatchedBy, Vec<u32>)> {
        let ways = [MatchedBy::Name(NameClass::Equal), MatchedBy::Handle, MatchedBy::Domain];
        let texts = [text, text.trim_end_matches(['!', '?']), text.trim_end_matches(['.', '!', '?'])];
        let all =
            texts.into_iter().flat_map(|text| ways.map(|by| (by, companies_alike(self.index, text, by))));
        all.into_iter().find(|(_, rows)| !rows.is_empty())
    }
}

/// `name` with the given name first: `Crombie, Alistair` is Alistair Crombie.
pub(super) fn given_name_first(name: &str) -> String {
    match name.split_once(',').map(|(last, given)| (last.trim(), given.trim())) {
        Some((last, given)) if !last.is_empty() && !given.is_empty() && !given.contains(',') => {
            format!("{given} {last}")
        }
        _ => name.to_owned(),
    }
}

/// A name without titles and degrees; `None` if it has none, or nothing else.
pub(super) fn bare_name(text: &str) -> Option<String> {
    let plain = plain(text);
    let all: Vec<&str> = words(&plain).collect();
    let is_in = |list: &[&str], word: &&str| list.contains(word);
    let start = all.iter().take_while(|word| is_in(TITLES, word)).count();
    let behind = all[start..].iter().rev().take_while(|word| is_in(CREDENTIALS, word)).count();
    let bare = &all[start..all.len() - behind];
    (!bare.is_empty() && bare.len() < all.len()).then(|| bare.join(" "))
}

/// A name without the initials between its words or before them; `None` if it has none, or fewer than two words are left.
pub(super) fn without_initials(text: &str) -> Option<String> {
    let plain = plain(text);
    let all: Vec<&str> = words(&plain).collect();
    let whole: Vec<&str> = all.iter().copied().filter(|word| word.chars().count() > 1).collect();
    (whole.len() > 1 && whole.len() < all.len()).then(|| whole.join(" "))
}
