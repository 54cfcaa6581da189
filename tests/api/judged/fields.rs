//! How well a parser understands queries: its reading compared with that of a good parser.

use std::collections::BTreeSet;

use kith_server::model::text::fold;
use kith_server::search::conditions::{Term, TermKind};

use crate::judged::set::Field;

/// One thing said, as far as it is compared: two texts are the same if their words are, in any order
/// and case, in the singular or in the plural.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    kind: TermKind,
    words: BTreeSet<String>,
    negated: bool,
    past: bool,
}

impl Said {
    pub(crate) fn new(kind: TermKind, text: &str, negated: bool, past: bool) -> Self {
        Self { kind, words: singular_words(text), negated, past }
    }
}

impl From<&Term> for Said {
    fn from(term: &Term) -> Self {
        Self::new(term.kind, &term.text, term.negated, term.past)
    }
}

impl From<&Field> for Said {
    fn from(field: &Field) -> Self {
        let kind = field.kind().unwrap_or_else(|| panic!("there is no kind {}", field.kind));
        Self::new(kind, &field.text, field.negated, field.past)
    }
}

/// The folded words of a text, each without the s of a plural.
pub(crate) fn singular_words(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let singular = words.map(|word| match word.strip_suffix('s') {
        Some(stem) if stem.chars().count() >= 3 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    });
    singular.collect()
}

/// The correct readings of a parser, over any number of queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Understood {
    /// Read, and to be read.
    right: usize,
    read: usize,
    expected: usize,
}

impl Understood {
    /// Counts one query: `expected` is what it says, `read` is what the parser made of it. What is there
    /// twice is to be read twice.
    pub(crate) fn count<E: Into<Said>, R: Into<Said>>(
        &mut self,
        expected: impl IntoIterator<Item = E>,
        read: impl IntoIterator<Item = R>,
    ) {
        let mut missing: Vec<Said> = expected.into_iter().map(Into::into).collect();
        self.expected += missing.len();
        for said in read {
            let said = said.into();
            self.read += 1;
            if let Some(at) = missing.iter().position(|it| *it == said) {
                missing.swap_remove(at);
                self.right += 1;
            }
        }
    }

    /// The share, 0 to 1, of what was read that is right; 1 if nothing was read.
    pub(crate) fn precision(&self) -> f64 {
        self.share(self.read)
    }

    /// The share, 0 to 1, of what is to be read that was; 1 if there is nothing to read.
    pub(crate) fn recall(&self) -> f64 {
        self.share(self.expected)
    }

    fn share(&self, of: usize) -> f64 {
        if of == 0 { 1.0 } else { self.right as f64 / of as f64 }
    }
}

mod tests {
    use kith_server::search::conditions::{Term, TermKind};

    use super::{Said, Understood};
    use crate::judged::set::{Field, judged_queries};

    fn said(kind: TermKind, text: &str) -> Said {
        Said::new(kind, text, false, false)
    }

    #[test]
    fn texts_are_the_same_by_their_words_alone() {
        for (one, other, same) in [
            ("head of finance", "Finance, Head of", true),
            ("recruiters", "recruiter", true),
            ("VPs Sales", "vp sale", false),
            ("CTOs", "cto", true),
            ("Genève", "geneve", true),
            ("us", "u", false),
            ("business", "busines", false),
            ("head of finance", "finance", false),
            ("", "", true),
        ] {
            assert_eq!(said(TermKind::Role, one) == said(TermKind::Role, other), same, "{one} and {other}");
        }
    }

    #[test]
    fn terms_differ_by_kind_negation_and_past() {
        let place = said(TermKind::Place, "oslo");
        assert_ne!(place, said(TermKind::Topic, "oslo"));
        assert_ne!(place, Said::new(TermKind::Place, "oslo", true, false));
        assert_ne!(place, Said::new(TermKind::Place, "oslo", false, true));
    }

    #[test]
    fn shares_are_those_worked_out_by_hand() {
        let (role, place) = (said(TermKind::Role, "coders"), said(TermKind::Place, "oslo"));
        let topic = said(TermKind::Topic, "people");
        for (expected, read, precision, recall) in [
            (vec![&role, &place], vec![&place, &role], 1.0, 1.0),
            (vec![&role, &place], vec![&role], 1.0, 0.5),
            (vec![&role], vec![&role, &topic], 0.5, 1.0),
            (vec![&role], vec![&role, &role], 0.5, 1.0),
            (vec![&role], vec![], 1.0, 0.0),
            (vec![], vec![&role], 0.0, 1.0),
        ] {
            let mut understood = Understood::default();
            let case = format!("{expected:?} {read:?}");
            understood.count(expected.into_iter().cloned(), read.into_iter().cloned());
            assert_eq!((understood.precision(), understood.recall()), (precision, recall), "{case}");
        }
    }

    /// The control: a parser that reads every query as one topic understands next to nothing, and one that
    /// reads what the set says understands all.
    #[test]
    fn the_set_ranks_a_parser_that_understands_above_one_that_does_not() {
        let (mut good, mut poor) = (Understood::default(), Understood::default());
        for query in judged_queries() {
            let term = |field: &Field| Term {
                kind: field.kind().unwrap(),
                text: field.text.to_uppercase(),
                negated: field.negated,
                past: field.past,
            };
            good.count(&query.fields, &query.fields.iter().map(term).collect::<Vec<_>>());
            poor.count(&query.fields, [said(TermKind::Topic, &query.query)]);
        }
        assert_eq!((good.precision(), good.recall()), (1.0, 1.0));
        assert!(poor.precision() < 0.05 && poor.recall() < 0.05, "{poor:?}");
    }
}
