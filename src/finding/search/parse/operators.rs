//! Queries with operators, as recruiters are taught them: `(CFO OR "finance director") AND web -intern`, `title:buyer`.
//!
//! OR binds tighter than AND, and adjacent parts are joined by AND, as in search engines. The words between operators
//! are parsed like any query.
//!
//! Promise: What operators join, separate or leave out is read so, never as its opposite.
//! Control: the same words without operators, capitals in a sentence, and the code of a state behind a comma.
//! Also in: `tests/api/judged/search.rs`.

mod lexemes;

use crate::model::text::fold;
use crate::search::conditions::{Draft, TERM_CHARS_MAX, TERMS_MAX, Term, TermKind};
use crate::search::parse::operators::lexemes::{Lexeme, is_stated, lexemes};

/// Maximum depth of parentheses.
const DEPTH_MAX: usize = 8;

/// Parses the operators of `query`; `None` if it has none. `leaf` parses the words between them.
pub(super) fn read(query: &str, leaf: &dyn Fn(&str) -> Draft) -> Option<Draft> {
    let lexemes = lexemes(query);
    if !is_stated(&lexemes, query) {
        return None;
    }
    let mut reader = Reader { lexemes: &lexemes, leaf, draft: Draft { is_stated: true, ..Draft::default() } };
    let mut said = Said::default();
    while !reader.lexemes.is_empty() {
        said.and(reader.chain(0)?);
        // An unopened closing parenthesis.
        reader.skip(&Lexeme::Close);
    }
    let mut draft = reader.draft;
    for group in said.wanted {
        for (place, term) in group.into_iter().enumerate() {
            if place > 0 {
                draft.listed.push(draft.terms.len());
            }
            draft.terms.push(term);
        }
    }
    draft.terms.extend(said.unwanted);
    let over = draft.terms.split_off(draft.terms.len().min(TERMS_MAX));
    draft.listed.retain(|&place| place < TERMS_MAX);
    draft.ignored.extend(over.into_iter().map(|term| term.text));
    Some(draft)
}

/// A part of a query: one alternative of each group, and none of the exclusions.
#[derive(Default)]
struct Said {
    wanted: Vec<Vec<Term>>,
    unwanted: Vec<Term>,
    /// Whether parentheses enclose it.
    is_closed: bool,
}

impl Said {
    fn and(&mut self, other: Self) {
        self.wanted.extend(other.wanted);
        self.unwanted.extend(other.unwanted);
    }

    /// This or `other`. Without parentheses only the words beside the operator are alternatives: "CEO OR founder in
    /// Oslo".
    fn or(&mut self, mut other: Self) {
        self.unwanted.append(&mut other.unwanted);
        if self.wanted.is_empty() || other.wanted.is_empty() {
            self.wanted.append(&mut other.wanted);
        } else if self.is_closed || other.is_closed {
            let both = |one: &Vec<Term>, another: &Vec<Term>| [one.clone(), another.clone()].concat();
            let all = self.wanted.iter().flat_map(|one| other.wanted.iter().map(move |it| both(one, it)));
            self.wanted = all.take(TERMS_MAX).collect();
            self.is_closed = true;
        } else {
            let mut others = other.wanted.into_iter();
            if let (Some(last), Some(first)) = (self.wanted.last_mut(), others.next()) {
                last.extend(first);
            }
            self.wanted.extend(others);
        }
    }

    /// Not this.
    fn not(self) -> Self {
        let turned = |term: Term| Term { negated: !term.negated, ..term };
        let unwanted = self.wanted.into_iter().flatten().map(turned).collect();
        let wanted = self.unwanted.into_iter().map(|term| vec![turned(term)]).collect();
        Self { wanted, unwanted, is_closed: self.is_closed }
    }
}

struct Reader<'a> {
    lexemes: &'a [Lexeme],
    leaf: &'a dyn Fn(&str) -> Draft,
    /// Everything in the query besides terms.
    draft: Draft,
}

impl Reader<'_> {
    /// Skips `lexeme` if it comes next; returns whether it did.
    fn skip(&mut self, lexeme: &Lexeme) -> bool {
        let is_next = self.lexemes.first() == Some(lexeme);
        self.lexemes = &self.lexemes[usize::from(is_next)..];
        is_next
    }

    /// Parses a chain of ORs; `None` if parentheses are too deep.
    fn chain(&mut self, depth: usize) -> Option<Said> {
        while self.skip(&Lexeme::And) || self.skip(&Lexeme::Or) {}
        if self.skip(&Lexeme::Not) {
            return Some(self.chain(depth)?.not());
        }
        let mut said = self.unit(depth)?;
        while self.skip(&Lexeme::Or) {
            let other = self.unit(depth)?;
            said.or(other);
        }
        Some(said)
    }

    /// Parses words, or the content of parentheses.
    fn unit(&mut self, depth: usize) -> Option<Said> {
        if self.skip(&Lexeme::Not) {
            return Some(self.unit(depth)?.not());
        }
        if self.skip(&Lexeme::Open) {
            if depth == DEPTH_MAX {
                return None;
            }
            let mut said = Said::default();
            while !self.lexemes.is_empty() && !self.skip(&Lexeme::Close) {
                said.and(self.chain(depth + 1)?);
            }
            return Some(Said { is_closed: true, ..said });
        }
        let Some((Lexeme::Text { text, field }, rest)) = self.lexemes.split_first() else {
            return Some(Said::default());
        };
        self.lexemes = rest;
        Some(self.words(text, *field))
    }

    /// Parses words; a field before them sets their kind.
    fn words(&mut self, text: &str, field: Option<TermKind>) -> Said {
        let mut read = (self.leaf)(text);
        if let Some(kind) = field {
            let is_work = |kind| matches!(kind, TermKind::Role | TermKind::Seniority);
            let fits = |term: &Term| term.kind == kind || is_work(kind) && is_work(term.kind);
            if read.terms.is_empty() || !read.terms.iter().all(fits) {
                let text = fold(text).chars().take(TERM_CHARS_MAX).collect();
                let term = Term { kind, text, negated: false, past: false };
                read = Draft { terms: vec![term], ..Draft::default() };
            }
        }
        let mut said = Said::default();
        for (place, term) in read.terms.into_iter().enumerate() {
            match said.wanted.last_mut() {
                _ if term.negated => said.unwanted.push(term),
                Some(last) if read.listed.contains(&place) => last.push(term),
                _ => said.wanted.push(vec![term]),
            }
        }
        let all = &mut self.draft;
        all.networks
            .extend(read.networks.into_iter().filter(|it| !all.networks.contains(it)).collect::<Vec<_>>());
        if all.view.is_none() {
            (all.view, all.view_name) = (read.view, read.view_name);
        }
        all.known_by.extend(read.known_by);
        all.asks_who_knows |= read.asks_who_knows;
        all.ignored
            .extend(read.ignored.into_iter().filter(|it| !all.ignored.contains(it)).collect::<Vec<_>>());
        all.mended.extend(read.mended);
        all.language = all.language.or(read.language);
        said
    }
}

#[cfg(test)]
mod tests {
    use crate::search::conditions::Draft;
    use crate::search::index::SearchIndex;
    use crate::search::parse::parse;
    use kith_embed::sketch::net;

    /// The terms of a draft, with `|` between alternatives and `-` before exclusions.
    fn said(draft: &Draft) -> String {
        let mut said = String::new();
        for (place, term) in draft.terms.iter().enumerate() {
            let between = if draft.listed.contains(&place) { " | " } else { "; " };
            said.push_str(if place == 0 { "" } else { between });
            said.push_str(if term.negated { "-" } else { "" });
            said.push_str(&format!("{} {}", term.kind.name(), term.text));
        }
        said
    }

    #[test]
    fn operators_join_separate_and_leave_out_and_words_without_them_do_not() {
        let net = net("ann");
        let search = SearchIndex::build(&net);
        for (query, expected) in [
            (
                "(CFO OR \"finance director\") AND insurance",
                "role cfo | role finance director; industry insurance",
            ),
            ("recruiter AND insurance -founder", "role recruiter; industry insurance; -role founder"),
            ("recruiters -intern", "role recruiters; -seniority intern"),
            ("designer AND NOT (junior OR intern)", "role designer; -seniority junior; -seniority intern"),
            ("nurses NOT \"New York\"", "role nurses; -place new york"),
            ("title:\"data engineer\" city:Madrid", "role data engineer; place madrid"),
            ("city:(Oslo or Lima) designers", "place oslo | place lima; role designers"),
            (
                "(nurse and Oslo) or (teacher and Lima)",
                "role nurse | role teacher; role nurse | place lima; place oslo | role teacher; place oslo | place lima",
            ),
            ("CFO OR founder in Oslo", "role cfo | role founder; place oslo"),
            // The controls: small letters without parentheses, a code after a comma, a name with a hyphen, and a
            // description.
            ("designers not in Oslo", "role designers; -place oslo"),
            ("designers in Portland, OR", "role designers; place portland"),
            ("designers (no interns)", "role designers; -seniority interns"),
        ] {
            assert_eq!(said(&parse(&net, &search, query)), expected, "{query}");
        }
    }

    #[test]
    fn no_nesting_is_too_deep_and_nothing_is_left_open() {
        let net = net("ann");
        let search = SearchIndex::build(&net);
        for query in [
            "((((((((((nurse AND Oslo))))))))))",
            "(nurse AND",
            "nurse AND Oslo)",
            "NOT",
            "OR AND",
            "\"nurse AND Oslo",
        ] {
            let _ = parse(&net, &search, query);
        }
        let many = (0..40).map(|at| format!("term{at}")).collect::<Vec<_>>().join(" OR ");
        let draft = parse(&net, &search, &format!("({many})"));
        assert_eq!((draft.terms.len(), draft.ignored.len()), (12, 28), "what is too much is named");
    }
}
