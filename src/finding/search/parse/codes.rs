//! Codes of countries and cities in capitals: "HR in NL", "CMO ATL".

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::search::word_list;

/// The meaning of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// One word for the place.
    pub(super) place: &'static str,
    /// Whether it is a country: at the end such a code counts in small letters too.
    pub(super) is_country: bool,
}

static CODES: LazyLock<HashMap<&'static str, Code>> = LazyLock::new(|| {
    let text = include_str!("../lexicon/codes.txt");
    let all = word_list::groups(text).flat_map(|(group, codes)| {
        let is_country = group == "countries";
        let codes = codes.filter_map(|code| code.split_once(' '));
        codes.map(move |(code, place)| (code, Code { place, is_country }))
    });
    all.collect()
});

/// The meaning of the folded `word` as a code.
pub(super) fn find_code(word: &str) -> Option<Code> {
    CODES.get(word).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::lexicon::{LEXICON, Meaning};
    use crate::search::words::stem;

    #[test]
    fn every_code_stands_for_a_place_of_the_lexicon() {
        assert_eq!(find_code("nl"), Some(Code { place: "netherlands", is_country: true }));
        assert_eq!(find_code("it"), None);
        for (code, it) in CODES.iter() {
            let meanings = LEXICON.meanings(&[stem(it.place)]);
            let is_place = meanings.iter().any(|meaning| matches!(meaning, Meaning::Place(_)));
            assert!(is_place, "{code}: {}", it.place);
        }
    }
}
