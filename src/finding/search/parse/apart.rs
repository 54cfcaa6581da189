//! Reads a query up to its items: first numbers, periods without contact and the view, then the words around them.

use crate::graph::index::GraphIndex;
use crate::search::conditions::{Measure, TermKind};
use crate::search::index::SearchIndex;
use crate::search::numbers::counted;
use crate::search::parse::item::{self, Item, Number};
use crate::search::parse::items;
use crate::search::parse::tokens::{self, TokensRead};
use crate::search::parse::view::{self, View};
use crate::search::silence::find_silence;

/// A query split into items.
pub(super) struct ItemsRead {
    /// The view it asks for.
    pub(super) view: Option<View>,
    pub(super) numbers: Vec<Number>,
    /// Its words.
    pub(super) read: TokensRead,
    pub(super) items: Vec<Item>,
}

/// Splits `query` into items.
pub(super) fn read_items(index: &GraphIndex, search: &SearchIndex, query: &str) -> ItemsRead {
    let view = view::find(index, query);
    let (text, numbers) = put_apart(query, view.as_ref());
    let beside: Vec<&str> = numbers.iter().map(|number| number.text.as_str()).collect();
    let read = tokens::read_beside(search, &text, &beside);
    let items = items::read(search, &read.tokens, &numbers);
    ItemsRead { view, numbers, read, items }
}

/// `query` without the words for the view, with a mark in place of each number, around which the words are then read;
/// and the numbers.
fn put_apart(query: &str, view: Option<&View>) -> (String, Vec<Number>) {
    let (mut text, mut numbers) = (String::with_capacity(query.len()), Vec::new());
    let mut cuts: Vec<_> = view.map(|view| (view.place.clone(), None)).into_iter().collect();
    let silences = find_silence(query).map(|silence| (silence.place, TermKind::Silence));
    let numbers_of = counted(query).into_iter().map(|counted| {
        let is_size = matches!(counted.measure, Measure::Size(_));
        (counted.start..counted.end, if is_size { TermKind::Size } else { TermKind::Connections })
    });
    for (place, kind) in silences.into_iter().chain(numbers_of) {
        if !cuts.iter().any(|(cut, _)| cut.start < place.end && place.start < cut.end) {
            cuts.push((place, Some(kind)));
        }
    }
    cuts.sort_by_key(|(place, _)| place.start);
    let mut from = 0;
    for (place, kind) in cuts {
        text.push_str(&query[from..place.start]);
        text.push(' ');
        if let Some(kind) = kind {
            text.push_str(&item::mark(numbers.len()));
            text.push(' ');
            numbers.push(Number { text: query[place.clone()].trim().to_owned(), kind });
        }
        from = place.end;
    }
    text.push_str(&query[from..]);
    (text, numbers)
}
