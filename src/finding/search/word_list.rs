//! Parses the files of words beside this one: lines of text, `#` before a comment, most of them `group: phrase,
//! phrase`.

use std::collections::{HashMap, HashSet};

/// The non-empty lines of `text` without comments, in order.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// Each group of `text` with its phrases, in order; skips lines without a colon.
pub(crate) fn groups(text: &str) -> impl Iterator<Item = (&str, impl Iterator<Item = &str>)> {
    lines(text).filter_map(|line| line.split_once(':')).map(|(group, list)| (group, phrases_of(list)))
}

/// The phrases of a list, none of them empty.
fn phrases_of(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|phrase| !phrase.is_empty())
}

/// The phrases of each group of `text`; a repeated group has those of both.
pub(crate) fn sets(text: &str) -> HashMap<&str, HashSet<&str>> {
    let mut sets: HashMap<&str, HashSet<&str>> = HashMap::new();
    groups(text).for_each(|(group, phrases)| sets.entry(group).or_default().extend(phrases));
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_groups_of_phrases_and_remarks() {
        let text = "# remark: none\n\nsmall: tiny, very small,\nno group\nlarge: huge\nsmall: little\n";
        let read: Vec<_> =
            groups(text).map(|(group, phrases)| (group, phrases.collect::<Vec<_>>())).collect();
        assert_eq!(
            read,
            [("small", vec!["tiny", "very small"]), ("large", vec!["huge"]), ("small", vec!["little"])]
        );
        assert_eq!(sets(text)["small"], HashSet::from(["tiny", "very small", "little"]));
        assert_eq!(lines(text).count(), 4);
    }
}
