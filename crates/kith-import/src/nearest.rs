//! The key of a manifest that an unknown one is most like.

use rapidfuzz::distance::osa;

/// The one of `known` that takes the fewest edits from `key`, the first of several. `None` if nothing is known.
pub(crate) fn nearest_key<'a>(key: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known.into_iter().min_by_key(|known| osa::distance(key.chars(), known.chars()))
}
