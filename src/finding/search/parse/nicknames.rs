//! Short first names: "Bob" for Robert.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::search::word_list;

static NAMES: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let text = include_str!("../lexicon/nicknames.txt");
    let mut names: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, short) in word_list::groups(text) {
        short.for_each(|short| names.entry(short).or_default().push(name));
    }
    names
});

/// The full first names that the folded word `short` can stand for.
pub(super) fn whole_names(short: &str) -> &'static [&'static str] {
    NAMES.get(short).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_stands_for_one_name_or_several() {
        assert_eq!(whole_names("bob"), ["robert"]);
        assert_eq!(whole_names("steve"), ["stephen", "steven"]);
        assert_eq!(whole_names("robert"), [""; 0]);
    }
}
