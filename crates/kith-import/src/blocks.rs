//! Splits a vCard or iCalendar file into blocks at BEGIN and END, keeping only used properties.
//!
//! Given a whole file, a parser takes a card without an end and the next one for a single card. Blocks are one card or
//! event each, with each property's lines joined, so that pictures and notes are never held.

use std::borrow::Cow;

use crate::fault::SkipReason;
use crate::limits::IMPORT_LINE_BYTES_MAX;

/// One card or event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextBlock {
    /// The line of its BEGIN, from 1.
    pub(crate) line: u64,
    /// The used properties, one per line, for the parser.
    pub(crate) text: String,
    /// Whether it has an END.
    pub(crate) is_complete: bool,
    /// Whether the used properties exceed the maximum length.
    pub(crate) is_too_long: bool,
}

impl TextBlock {
    /// Checks that it can be parsed.
    ///
    /// # Errors
    /// Returns why its row is skipped.
    pub(crate) fn check(&self) -> Result<(), SkipReason> {
        match self {
            Self { is_too_long: true, .. } => Err(SkipReason::ValueTooLong),
            Self { is_complete: false, .. } => Err(SkipReason::CutShort),
            _ => Ok(()),
        }
    }
}

/// The physical lines of a text with their numbers. Lines end in a line feed, a return, or both.
#[derive(Clone, Debug)]
struct TextLines<'a> {
    rest: &'a str,
    line: u64,
}

impl<'a> Iterator for TextLines<'a> {
    type Item = (u64, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
        let (line, behind) = self.rest.split_at(end);
        let behind = behind.strip_prefix("\r\n").or_else(|| behind.get(1..));
        self.rest = behind.unwrap_or("");
        Some((self.line, line))
    }
}

/// Finds the blocks called `name` in `text`, and passes each to `take` with the properties whose name passes `is_used`.
/// Names are in upper case, without a group. Properties outside go to `outside`, with their value.
pub(crate) fn blocks(
    text: &str,
    name: &str,
    is_used: impl Fn(&str) -> bool,
    mut outside: impl FnMut(&str, &str),
    mut take: impl FnMut(TextBlock),
) {
    let (mut block, mut inner, mut property) = (None::<TextBlock>, 0_usize, Property::default());
    for (line, written) in (TextLines { rest: text, line: 0 }) {
        let mark = mark_of(written);
        if mark.is_none() && property.goes_on(written) {
            continue;
        }
        property.end(block.as_mut().filter(|_| inner == 0));
        match mark {
            Some((Mark::Begin, of)) if of == name => {
                block.take().into_iter().for_each(&mut take);
                (block, inner) = (Some(TextBlock { line, ..TextBlock::default() }), 0);
            }
            Some((Mark::End, of)) if of == name => {
                block
                    .take()
                    .map(|block| TextBlock { is_complete: true, ..block })
                    .into_iter()
                    .for_each(&mut take);
            }
            // An alarm within an event.
            Some((Mark::Begin, _)) if block.is_some() => inner += 1,
            Some((Mark::End, _)) if block.is_some() => inner = inner.saturating_sub(1),
            Some(_) => {}
            None => {
                let (called, value) = name_and_value(written);
                if block.is_none() {
                    outside(&called, value);
                }
                property.begin(written, block.is_some() && inner == 0 && is_used(&called));
            }
        }
    }
    property.end(block.as_mut().filter(|_| inner == 0));
    block.into_iter().for_each(take);
}

/// A property with its lines joined.
#[derive(Default)]
struct Property {
    /// The text so far.
    text: String,
    is_used: bool,
    is_too_long: bool,
    /// Whether its last line ends in quoted-printable's mark of continuation.
    is_soft: bool,
    /// Whether it is quoted-printable.
    is_quoted: bool,
}

impl Property {
    /// Begins a property with its first line.
    fn begin(&mut self, line: &str, is_used: bool) {
        let params = line.split(':').next().unwrap_or(line).to_ascii_uppercase();
        *self = Self { is_used, is_quoted: params.contains("QUOTED-PRINTABLE"), ..Self::default() };
        self.append(line);
    }

    /// Appends `line` if it belongs to the property; returns whether it does.
    fn goes_on(&mut self, line: &str) -> bool {
        let folded = line.strip_prefix([' ', '\t']);
        if folded.is_none() && !self.is_soft {
            return false;
        }
        // Some programs fold a line between the mark of an octet and its digits.
        let is_octet = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
        if self.is_soft && self.is_used && folded.is_some_and(is_octet) {
            self.text.push('=');
        }
        self.append(folded.unwrap_or(line));
        true
    }

    fn append(&mut self, part: &str) {
        let part = if self.is_quoted { part.trim_end() } else { part };
        let soft = part.strip_suffix('=').filter(|_| self.is_quoted);
        self.is_soft = soft.is_some();
        let part = soft.unwrap_or(part);
        self.is_too_long |= self.text.len() + part.len() > IMPORT_LINE_BYTES_MAX;
        if self.is_used && !self.is_too_long {
            self.text.push_str(part);
        }
    }

    /// Ends the property, which belongs to `block`.
    fn end(&mut self, block: Option<&mut TextBlock>) {
        let property = std::mem::take(self);
        let Some(block) = block.filter(|_| property.is_used) else { return };
        block.is_too_long |=
            property.is_too_long || block.text.len() + property.text.len() > IMPORT_LINE_BYTES_MAX;
        if !block.is_too_long {
            block.text.push_str(&property.text);
            block.text.push_str("\r\n");
        }
    }
}

#[derive(Clone, Copy)]
enum Mark {
    Begin,
    End,
}

/// The mark in `line`, and the name of its block, in upper case.
fn mark_of(line: &str) -> Option<(Mark, String)> {
    let (word, of) = line.split_once(':')?;
    let mark = match word.trim() {
        word if word.eq_ignore_ascii_case("BEGIN") => Mark::Begin,
        word if word.eq_ignore_ascii_case("END") => Mark::End,
        _ => return None,
    };
    Some((mark, of.trim().to_ascii_uppercase()))
}

/// The name of the property that `line` begins, in upper case and without its group, and the text after the colon.
pub(crate) fn name_and_value(line: &str) -> (Cow<'_, str>, &str) {
    let end = line.find([':', ';']).unwrap_or(line.len());
    let name = line[..end].trim();
    let name = name.rsplit_once('.').map_or(name, |(_, name)| name);
    let value = behind_parameters(line);
    let name = if name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        Cow::Owned(name.to_ascii_uppercase())
    } else {
        Cow::Borrowed(name)
    };
    (name, value)
}

/// The value of the property `line`: the text after the first colon outside quotes, or, if a quote never closes, after
/// the first colon.
fn behind_parameters(line: &str) -> &str {
    let mut is_quoted = false;
    let is_end = |c: char| {
        is_quoted ^= c == '"';
        c == ':' && !is_quoted
    };
    let end = line.find(is_end).or_else(|| line.find(':'));
    end.map_or("", |end| &line[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_behind_the_first_colon_outside_quotes() {
        for (line, name, value) in [
            ("UID:a:b", "UID", "a:b"),
            ("UID", "UID", ""),
            ("dtstart:20240312", "DTSTART", "20240312"),
            ("DTSTART;TZID=Europe/Oslo:20240312T090000", "DTSTART", "20240312T090000"),
            ("DTSTART;TZID=\"(UTC+00:00) Dublin, Lisbon\":20240312T090000", "DTSTART", "20240312T090000"),
            ("EXDATE;TZID=\"GMT +01:00\";VALUE=DATE:20240312,20240313", "EXDATE", "20240312,20240313"),
            ("ATTENDEE;CN=\"Ek: Bo\":mailto:bo@a.example", "ATTENDEE", "mailto:bo@a.example"),
            (
                "ATTENDEE;DELEGATED-FROM=\"mailto:x@a.example\":mailto:b@a.example",
                "ATTENDEE",
                "mailto:b@a.example",
            ),
            ("item1.RDATE;TZID=\"a:b\";X=\"c:d\":20240312", "RDATE", "20240312"),
            ("SUMMARY:say \"a: b\"", "SUMMARY", "say \"a: b\""),
            ("DTSTART;TZID=\"broken:20240312", "DTSTART", "20240312"),
        ] {
            let (found, rest) = name_and_value(line);
            assert_eq!((found.as_ref(), rest), (name, value), "{line}");
        }
    }

    /// The blocks of `text`: line, properties, and `!` if the end is missing.
    fn said(text: &str) -> Vec<String> {
        let mut said = Vec::new();
        let is_used = |name: &str| ["FN", "N", "EMAIL"].contains(&name);
        blocks(
            text,
            "VCARD",
            is_used,
            |_, _| {},
            |block| {
                let end = if block.is_complete { "" } else { "!" };
                said.push(format!("{}{end} {}", block.line, block.text.trim_end().replace("\r\n", "|")));
            },
        );
        said
    }

    #[test]
    fn a_block_ends_where_it_ends_or_the_next_begins() {
        for (text, expected) in [
            ("BEGIN:VCARD\nFN:A\nEND:VCARD\n", &["1 FN:A"][..]),
            ("\r\nbegin:vcard\r\nfn:A\r\nend:vcard", &["2 fn:A"]),
            ("BEGIN:VCARD\rFN:A\rEND:VCARD\r", &["1 FN:A"]),
            (
                "BEGIN:VCARD\nFN:A\nBEGIN:VCARD\nFN:B\nEND:VCARD\nBEGIN:VCARD\nFN:C",
                &["1! FN:A", "3 FN:B", "6! FN:C"],
            ),
            ("BEGIN:VCARD\nFN:A\n  B\n\tC\nNOTE:x\n FN:no\nEND:VCARD", &["1 FN:A BC"]),
            (
                "BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:=4D=\n=4D\nEND:VCARD",
                &["1 N;ENCODING=QUOTED-PRINTABLE:=4D=4D"],
            ),
            (
                "BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:=D0=\n B0\nEND:VCARD",
                &["1 N;ENCODING=QUOTED-PRINTABLE:=D0=B0"],
            ),
            (
                "BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:=4D=\nEND:VCARD",
                &["1 N;ENCODING=QUOTED-PRINTABLE:=4D"],
            ),
            ("BEGIN:VCARD\nitem1.EMAIL;type=X:a\nEND:VCARD", &["1 item1.EMAIL;type=X:a"]),
            ("BEGIN:VCARD\nBEGIN:X\nFN:no\nEND:X\nFN:A\nEND:VCARD", &["1 FN:A"]),
            ("FN:no\nEND:VCARD\n", &[]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_used_is_not_held_and_what_is_too_long_is_said() {
        let long = "x".repeat(IMPORT_LINE_BYTES_MAX);
        let block = |name: &str| {
            let (text, mut found) = (format!("BEGIN:VCARD\n{name}:{long}\nEND:VCARD"), Vec::new());
            blocks(&text, "VCARD", |name| name == "FN", |_, _| {}, |block| found.push(block));
            found.pop().map(|block| (block.is_too_long, block.text.len()))
        };
        assert_eq!(block("PHOTO"), Some((false, 0)));
        assert_eq!(block("FN"), Some((true, 0)));
    }
}
