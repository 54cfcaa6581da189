//! The features of a query's items for the reader: the rules' result, the item's words, and those around it.

use crate::search::conditions::{Draft, Term, TermKind};
use crate::search::index::SearchIndex;
use crate::search::parse::item::{Item, Sense};
use crate::search::parse::tokens::TokensRead;
use kith_embed::model::{Model, Vector};

/// The features of an item.
pub struct Features {
    /// The names of its features.
    pub names: Vec<String>,
    /// Its sense.
    pub vector: Vector,
}

/// The look-ups for a query's items.
pub struct ItemLookups<'a> {
    /// The search index of the network.
    pub search: &'a SearchIndex,
    /// The words read.
    pub read: &'a TokensRead,
    /// The rules' draft.
    pub draft: &'a Draft,
}

impl ItemLookups<'_> {
    /// The features of the item at `at` of `items`, which has no breaks.
    #[must_use]
    pub fn features(&self, items: &[&Item], at: usize) -> Features {
        let item = items[at];
        let mut names: Vec<String> = Vec::with_capacity(48);
        let mut add = |name: std::fmt::Arguments<'_>| names.push(name.to_string());
        let near = |by: isize| at.checked_add_signed(by).and_then(|at| items.get(at).copied());
        let sense = |by: isize| near(by).map_or_else(|| "end".to_owned(), |item| sense_name(item.sense));
        let text = |by: isize| near(by).map_or("", |item| item.text.as_str());
        let senses: Vec<String> = (-3..=3).map(sense).collect();
        for (by, sense) in (-3..=3_isize).zip(&senses) {
            add(format_args!("s{by}={sense}"));
        }
        for by in -2..=2 {
            add(format_args!("t{by}={}", text(by)));
        }
        for by in -1..=0_usize as isize {
            let (one, other) = (&senses[(by + 3) as usize], &senses[(by + 4) as usize]);
            add(format_args!("ss{by}={one}|{other}"));
            add(format_args!("ts{by}={}|{other}", text(by)));
            add(format_args!("st{by}={one}|{}", text(by + 1)));
        }
        add(format_args!("sss={}|{}|{}", senses[2], senses[3], senses[4]));
        add(format_args!("sss-={}|{}|{}", senses[1], senses[2], senses[3]));
        add(format_args!("sss+={}|{}|{}", senses[3], senses[4], senses[5]));
        add(format_args!("tt-={}|{}", text(-1), text(0)));
        add(format_args!("tt+={}|{}", text(0), text(1)));
        for by in -2..=2 {
            let said = near(by).map_or_else(|| "end".to_owned(), |item| self.said(item));
            add(format_args!("r{by}={said}"));
        }
        self.add_words(items, at, &mut names);
        let mut add = |name: std::fmt::Arguments<'_>| names.push(name.to_string());
        add(format_args!("from={}", at.min(4)));
        add(format_args!("to={}", (items.len() - 1 - at).min(3)));
        add(format_args!("count={}", items.len().min(20) / 3));
        add(format_args!("language={}", self.read.language.unwrap_or("en")));
        for cue in items[..at].iter().rev().filter(|item| matches!(item.sense, Sense::Cue(_))).take(2) {
            add(format_args!("after={}", cue.text));
        }
        Features { names, vector: Model::own().embed(&item.text) }
    }

    /// Adds features of the words of the item at `at`.
    fn add_words(&self, items: &[&Item], at: usize, names: &mut Vec<String>) {
        let item = items[at];
        let mut add = |name: std::fmt::Arguments<'_>| names.push(name.to_string());
        let token = &self.read.tokens[item.from.min(self.read.tokens.len() - 1)];
        let last = item.text.rsplit(' ').next().unwrap_or_default();
        let end: String = last.chars().rev().take(3).collect();
        add(format_args!("end={end}"));
        add(format_args!("last={last}"));
        let until = items.get(at + 1).and_then(|next| self.read.tokens.get(next.from));
        let until = until.map_or(self.read.typed.len(), |token| token.at);
        let typed = self.read.typed.get(token.at..until).unwrap_or_default();
        for (place, word) in typed.iter().enumerate().take(4) {
            add(format_args!("w={word}"));
            let letters: Vec<char> = word.chars().collect();
            for length in 3..=4 {
                if letters.len() > length && place + 1 == typed.len() {
                    add(format_args!("we={}", letters[letters.len() - length..].iter().collect::<String>()));
                    add(format_args!("wb={}", letters[..length].iter().collect::<String>()));
                }
            }
        }
        if let Some(before) = token.at.checked_sub(1).and_then(|at| self.read.typed.get(at)) {
            add(format_args!("w-={before}"));
        }
        if let Some(next) = self.read.typed.get(until) {
            add(format_args!("w+={next}"));
        }
        if token.initial {
            add(format_args!("initial"));
        }
        if token.capitals {
            add(format_args!("capitals"));
        }
        if token.after_break {
            add(format_args!("break"));
        }
        if items
            .get(at + 1)
            .is_some_and(|next| self.read.tokens.get(next.from).is_some_and(|token| token.after_break))
        {
            add(format_args!("break+"));
        }
        if token.written.is_some() {
            add(format_args!("mended"));
        }
        let columns = ["position", "industry", "company", "city", "country", "headquarters"];
        for (column, name) in self.search.columns().into_iter().zip(columns) {
            if column.knows(&token.stem) {
                add(format_args!("in={name}"));
            }
        }
        if self.search.names.has_word(&token.word) {
            add(format_args!("in=name"));
        }
        if !Model::own().knows(&token.word) {
            add(format_args!("rare"));
        }
    }

    /// Whether an item has a meaningful capital, or the network has a person or company with its name.
    pub(super) fn is_written_as_name(&self, item: &Item) -> bool {
        let Some(token) = self.read.tokens.get(item.from) else { return false };
        let capitals_tell = self.read.tokens.iter().any(|token| !token.initial);
        token.initial && capitals_tell && item.from > 0
            || self.search.companies.knows(&token.stem)
            || self.search.names.has_word(&token.word)
    }

    /// Whether the rules found a person or a company of the network.
    pub(super) fn is_of_network(&self, item: &Item) -> bool {
        let knows =
            || self.read.tokens.get(item.from).is_some_and(|token| self.search.companies.knows(&token.stem));
        match item.sense {
            Sense::Thing(TermKind::Name) => true,
            Sense::Thing(TermKind::Company) => knows() || item.text.contains(' '),
            _ => false,
        }
    }

    /// The rules' name for an item.
    fn said(&self, item: &Item) -> String {
        let words: Vec<&str> = item.text.split(' ').collect();
        let holds = |term: &&Term| {
            let text: Vec<&str> = term.text.split(' ').collect();
            text.windows(words.len()).any(|run| run == words)
        };
        match self.draft.terms.iter().find(holds) {
            Some(term) => {
                let (not, past) = (if term.negated { "-" } else { "" }, if term.past { "<" } else { "" });
                format!("{}{not}{past}", term.kind.name())
            }
            None if self.draft.ignored.contains(&item.text) => "ignored".to_owned(),
            None => "none".to_owned(),
        }
    }
}

/// The name of a sense in features.
fn sense_name(sense: Sense) -> String {
    match sense {
        Sense::Level(_) => "Level".to_owned(),
        Sense::Verb(_) => "Verb".to_owned(),
        Sense::Field(_, is_own) => format!("Field{is_own}"),
        other => format!("{other:?}"),
    }
}
