//! Parses a line of a sketch from left to right.

use std::collections::BTreeMap;

/// Fields of a row and their texts.
pub(crate) type Fields = BTreeMap<String, String>;

/// An edge between two people of a line.
#[derive(Debug, Default)]
pub(crate) struct Arrow {
    /// 0 to 100; the source reader checks it.
    pub(crate) score: Option<u8>,
    /// The single factor of its breakdown.
    pub(crate) reason: Option<String>,
}

/// The unread part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Trimmed.
    pub(crate) rest: &'a str,
}

impl Line<'_> {
    /// Consumes `token` if it comes next.
    pub(crate) fn eats(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest).trim_start();
        after.is_some()
    }

    /// Consumes the whole word `word` if it comes next.
    pub(crate) fn eats_word(&mut self, word: &str) -> bool {
        let mut after = *self;
        let is_next = after.name().is_ok_and(|name| name == word);
        if is_next {
            *self = after;
        }
        is_next
    }

    /// Consumes the word that must come next.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), String> {
        if self.eats_word(word) { Ok(()) } else { Err(format!("expected `{word}` at `{}`", self.rest)) }
    }

    /// Consumes a name: letters, digits and `_`.
    pub(crate) fn name(&mut self) -> Result<String, String> {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let end = self.rest.find(|character| !is_part(character)).unwrap_or(self.rest.len());
        let (name, after) = self.rest.split_at(end);
        if name.is_empty() {
            return Err(format!("expected a name at `{}`", self.rest));
        }
        self.rest = after.trim_start();
        Ok(name.to_owned())
    }

    /// Consumes `(name: Gus Lee, city: Oslo)` if it comes next.
    pub(crate) fn fields(&mut self) -> Result<Fields, String> {
        if !self.eats("(") {
            return Ok(Fields::new());
        }
        let (inside, after) = self.rest.split_once(')').ok_or("no `)` ends the fields")?;
        self.rest = after.trim_start();
        let field = |field: &str| {
            let (name, value) = field.split_once(':').ok_or(format!("no `:` in the field `{field}`"))?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        };
        inside.split(',').map(field).collect()
    }

    /// Consumes `->`, `-?->`, `-80->` or `-80 school->` if it comes next.
    pub(crate) fn arrow(&mut self) -> Result<Option<Arrow>, String> {
        if self.eats("->") {
            return Ok(Some(Arrow::default()));
        }
        if !self.eats("-") {
            return Ok(None);
        }
        let (inside, after) = self.rest.split_once("->").ok_or("no `->` ends the arrow")?;
        self.rest = after.trim_start();
        let (score, reason) = inside.trim().split_once(' ').unwrap_or((inside.trim(), ""));
        let score = match score {
            "?" => None,
            score => Some(score.parse().map_err(|_| format!("`{score}` is neither a score nor `?`"))?),
        };
        let reason = Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty());
        Ok(Some(Arrow { score, reason }))
    }

    /// Checks that nothing is left.
    pub(crate) fn end(&self) -> Result<(), String> {
        if self.rest.is_empty() { Ok(()) } else { Err(format!("`{}` is too much", self.rest)) }
    }
}
