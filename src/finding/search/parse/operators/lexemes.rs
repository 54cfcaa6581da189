//! Splits a query into its operators and the words between them.

use crate::search::conditions::TermKind;

/// Names of fields before a colon.
const FIELDS: [(&str, TermKind); 20] = [
    ("title", TermKind::Role),
    ("role", TermKind::Role),
    ("position", TermKind::Role),
    ("job", TermKind::Role),
    ("jobtitle", TermKind::Role),
    ("seniority", TermKind::Seniority),
    ("level", TermKind::Seniority),
    ("city", TermKind::Place),
    ("country", TermKind::Place),
    ("location", TermKind::Place),
    ("place", TermKind::Place),
    ("region", TermKind::Place),
    ("state", TermKind::Place),
    ("company", TermKind::Company),
    ("employer", TermKind::Company),
    ("org", TermKind::Company),
    ("organization", TermKind::Company),
    ("industry", TermKind::Industry),
    ("sector", TermKind::Industry),
    ("name", TermKind::Name),
];
/// Opening and closing quotation marks.
const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('”', '”')];
/// Maximum words between operators in a query that is all capitals.
const SHOUTED_WORDS_MAX: usize = 2;

/// An operator, or the words between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lexeme {
    Open,
    Close,
    And,
    Or,
    Not,
    Text {
        /// The words as written, without quotation marks.
        text: String,
        /// Their kind, if a field comes before them.
        field: Option<TermKind>,
    },
}

/// Splits `query` into lexemes. In and beside parentheses, operators in small letters count too.
pub(super) fn lexemes(query: &str) -> Vec<Lexeme> {
    let mut reader = Reader { rest: query, lexemes: Vec::new(), depth: 0, field: None, run: String::new() };
    while !reader.rest.is_empty() {
        reader.next();
    }
    reader.end_run();
    reader.lexemes
}

/// Whether operators were meant: parentheses alone, or capitals among capitals, are not enough.
pub(super) fn is_stated(lexemes: &[Lexeme], query: &str) -> bool {
    let joins = |at: usize| matches!(lexemes.get(at), Some(Lexeme::And | Lexeme::Or | Lexeme::Not));
    let is_word =
        |at: usize| matches!(lexemes.get(at), Some(Lexeme::Text { .. } | Lexeme::Open | Lexeme::Not));
    let has_operator = (0..lexemes.len()).any(|at| match lexemes[at] {
        Lexeme::And | Lexeme::Or => at > 0 && is_word(at + 1),
        Lexeme::Not => is_word(at + 1),
        Lexeme::Text { .. } | Lexeme::Open | Lexeme::Close => false,
    });
    let has_field = lexemes.iter().any(|it| matches!(it, Lexeme::Text { field: Some(_), .. }));
    let is_shouted = !query.chars().any(char::is_lowercase);
    let is_short = |lexeme: &Lexeme| match lexeme {
        Lexeme::Text { text, .. } => text.split_whitespace().count() <= SHOUTED_WORDS_MAX,
        _ => true,
    };
    // "sellers (shoes and bags)" has no operators.
    let is_talk = || {
        let mut depth = 0_usize;
        (0..lexemes.len()).all(|at| {
            match lexemes[at] {
                Lexeme::Open => depth += 1,
                Lexeme::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            !joins(at) || depth > 0
        }) && lexemes.first() != Some(&Lexeme::Open)
            && !query.contains(" OR ")
    };
    (!is_shouted || lexemes.iter().all(is_short)) && (has_field || has_operator && !is_talk())
}

struct Reader<'a> {
    rest: &'a str,
    lexemes: Vec<Lexeme>,
    /// The number of open parentheses.
    depth: usize,
    /// The field for the next words.
    field: Option<TermKind>,
    /// The words since the last operator.
    run: String,
}

impl Reader<'_> {
    fn end_run(&mut self) {
        let text = self.run.trim().to_owned();
        self.run.clear();
        if text.chars().any(char::is_alphanumeric) {
            self.lexemes.push(Lexeme::Text { text, field: self.field.take() });
        }
    }

    fn push(&mut self, lexeme: Lexeme) {
        self.end_run();
        self.lexemes.push(lexeme);
    }

    /// Consumes the next word, sign or white space.
    fn next(&mut self) {
        let Some(first) = self.rest.chars().next() else { return };
        let after = &self.rest[first.len_utf8()..];
        let begins = self.run.is_empty() || self.run.ends_with(char::is_whitespace);
        match first {
            '(' => {
                self.depth += 1;
                self.push(Lexeme::Open);
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.push(Lexeme::Close);
            }
            '-' | '!'
                if begins && after.starts_with(|it: char| it.is_alphabetic() || "(\"“".contains(it)) =>
            {
                self.push(Lexeme::Not);
                // Only one word is excluded: "-intern Berlin".
                if after.starts_with(char::is_alphabetic) {
                    let end = after.find(|it: char| it.is_whitespace() || "()".contains(it));
                    let (word, rest) = after.split_at(end.unwrap_or(after.len()));
                    self.rest = rest;
                    self.run = word.to_owned();
                    return self.end_run();
                }
            }
            _ if begins && self.take_quoted(first, after) => return,
            _ if first.is_whitespace() => self.run.push(first),
            _ => return self.take_word(begins),
        }
        self.rest = after;
    }

    /// Consumes a phrase in quotation marks; returns whether one begins here.
    fn take_quoted(&mut self, first: char, after: &str) -> bool {
        let ends = QUOTES.into_iter().filter(|&(open, _)| open == first).map(|(_, close)| close);
        let Some((end, close)) = ends.filter_map(|close| Some((after.find(close)?, close))).min() else {
            return false;
        };
        if self.field.is_none() {
            self.end_run();
        }
        let (text, field) = (after[..end].trim().to_owned(), self.field.take());
        if !text.is_empty() {
            self.lexemes.push(Lexeme::Text { text, field });
        }
        let taken = self.rest.len() - after.len() + end + close.len_utf8();
        self.rest = &self.rest[taken..];
        true
    }

    fn take_word(&mut self, begins: bool) {
        let end = self.rest.find(|it: char| it.is_whitespace() || "()\"“".contains(it));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()).max(1));
        // Beside parentheses like within them.
        let is_beside = self.run.trim().is_empty() && self.lexemes.last() == Some(&Lexeme::Close)
            || rest.trim_start().starts_with('(');
        let is_within = self.depth > 0 || is_beside;
        let operator = match word {
            "AND" | "&&" => Some(Lexeme::And),
            "OR" | "||" | "|" => Some(Lexeme::Or),
            "NOT" => Some(Lexeme::Not),
            "and" | "And" if is_within => Some(Lexeme::And),
            "or" | "Or" if is_within => Some(Lexeme::Or),
            "not" | "Not" if is_within => Some(Lexeme::Not),
            _ => None,
        };
        // "Portland, OR": a state.
        let is_code = self.run.trim_end().ends_with(',') || rest.trim().is_empty();
        if let Some(operator) = operator.filter(|it| begins && !(is_code && *it == Lexeme::Or)) {
            self.rest = rest;
            return self.push(operator);
        }
        self.rest = rest;
        if let Some((kind, value)) = field_before(word).filter(|_| begins) {
            self.end_run();
            self.field = Some(kind);
            self.run.push_str(value);
            if value.is_empty() {
                self.rest = rest.trim_start();
            } else {
                // Only one word belongs to the field.
                self.end_run();
            }
            return;
        }
        self.run.push_str(word);
    }
}

/// The field before the colon of `word`, and the text after it.
fn field_before(word: &str) -> Option<(TermKind, &str)> {
    let (name, value) = word.split_once(':')?;
    let field = FIELDS.iter().find(|(field, _)| name.eq_ignore_ascii_case(field));
    field.map(|&(_, kind)| (kind, value))
}
