//! Words of people's names that are compared separately: short forms of given names, titles, degrees, pronouns.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Given names and their short forms, one name per line.
static NICKNAMES: LazyLock<Nicknames> = LazyLock::new(|| Nicknames::parse(include_str!("nicknames.txt")));

#[derive(Default)]
struct Nicknames {
    /// The name of each short form.
    roots: HashMap<&'static str, &'static str>,
    /// The short forms of each name.
    forms: HashMap<&'static str, Vec<&'static str>>,
}

impl Nicknames {
    fn parse(text: &'static str) -> Self {
        let mut nicknames = Self::default();
        for (name, forms) in text.lines().filter_map(|line| line.split_once(": ")) {
            let forms: Vec<&str> = forms.split(' ').collect();
            nicknames.roots.extend(forms.iter().map(|form| (*form, name)));
            nicknames.forms.insert(name, forms);
        }
        nicknames
    }
}

/// Titles: words before a name that are not part of it.
pub const TITLES: &[&str] = &[
    "mr",
    "mrs",
    "ms",
    "miss",
    "mx",
    "dr",
    "prof",
    "professor",
    "sir",
    "dame",
    "herr",
    "frau",
    "hr",
    "fr",
    "dipl",
    "ing",
    "mag",
    "rev",
    "capt",
    "col",
    "lt",
    "mme",
    "mlle",
    "madame",
    "monsieur",
    "sra",
    "dhr",
    "mevr",
];
/// Degrees and the like: words after a name that are not part of it.
pub const CREDENTIALS: &[&str] = &[
    "mba", "phd", "md", "msc", "bsc", "ma", "ba", "bs", "ms", "jd", "llm", "cpa", "cfa", "pmp", "esq", "mph",
    "dds", "rn", "pe", "cissp", "mfa", "meng", "edd", "shrm", "cfp", "fca", "acca", "dphil", "emba", "sphr",
    "csm", "faia",
];
/// Pronouns that people write after their names.
pub const PRONOUNS: &[&str] = &["she", "her", "hers", "he", "him", "his", "they", "them", "theirs"];

/// The name that `given` stands for, or `given`.
#[must_use]
pub fn root_of(given: &str) -> &str {
    NICKNAMES.roots.get(given).copied().unwrap_or(given)
}

/// The spellings of `given`, plain: itself, its full name, and the short forms of that name.
pub fn forms_of(given: &str) -> impl Iterator<Item = &str> {
    let root = root_of(given);
    let forms = NICKNAMES.forms.get(root).map_or(&[][..], Vec::as_slice);
    [given]
        .into_iter()
        .chain([root].into_iter().chain(forms.iter().copied()).filter(move |form| *form != given))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_short_form_stands_for_one_name_and_is_none_itself() {
        let mut seen = HashSet::new();
        for (name, forms) in &NICKNAMES.forms {
            assert_eq!(root_of(name), *name);
            assert!(forms.iter().all(|form| seen.insert(*form) && root_of(form) == *name), "{name}");
        }
        assert!(seen.len() > 300);
        assert_eq!(root_of("nobody"), "nobody");
    }
}
