//! A list of targets, one per line: a text as people write it, or an object like in the API's batch.
//!
//! Promise: A list of targets is read to the letter; a line that is none is refused by its number.
//! Control: the longest values are taken.
//! Also in: `tests/process/shell/changes.rs`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::api::error::ApiError;
use crate::api::prefer::Handling;
use crate::api::target::{SentTarget, WantedTarget};
use crate::limits::TARGET_LIST_BYTES_MAX;

/// A target in a list.
#[derive(Debug)]
pub(super) struct ListedTarget {
    /// The number of its line, from 1.
    pub(super) line: usize,
    /// The line.
    pub(super) text: String,
    sent: SentTarget,
}

impl ListedTarget {
    /// Validates the target.
    ///
    /// # Errors
    /// Returns an error if it is named in none or several ways, or a part is invalid; never for a target from [`read`].
    pub(super) fn read(&self) -> Result<WantedTarget<'_>, ApiError> {
        self.sent.read()
    }
}

/// Reads the targets in the file at `path`; skips blank lines.
///
/// # Errors
/// Returns an error if the file cannot be read or is too long, or the number of the first invalid line.
pub(super) fn read(path: &Path) -> Result<Vec<ListedTarget>, String> {
    let file = path.display();
    let bytes = read_bytes(path).map_err(|error| format!("{file} cannot be read: {error}"))?;
    if bytes.len() > TARGET_LIST_BYTES_MAX {
        return Err(format!("{file} has more than {} MiB", TARGET_LIST_BYTES_MAX >> 20));
    }
    parse(&bytes).map_err(|(line, fault)| format!("{file}: line {line} is no target: {fault}"))
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(TARGET_LIST_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> Result<Vec<ListedTarget>, (usize, String)> {
    let mut targets = Vec::new();
    for (line, bytes) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let target = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned());
        let target = target.and_then(|text| parse_line(line, text.trim()));
        targets.extend(target.map_err(|fault| (line, fault))?);
    }
    Ok(targets)
}

/// Parses a line; `None` if it is blank.
fn parse_line(line: usize, text: &str) -> Result<Option<ListedTarget>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let sent = if text.starts_with('{') {
        SentTarget::parse(text, "the line", Handling::Lenient)
    } else {
        Ok(SentTarget::with_text(text))
    };
    let target = sent.map(|sent| ListedTarget { line, text: text.to_owned(), sent });
    let checked = target.and_then(|target| target.read().map(|_| ()).map(|()| target));
    checked.map(Some).map_err(|error| error.sentence())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{TARGET_CHARS_MAX, TEXT_CHARS_MAX};
    use kith::limits::{EMAIL_CHARS_MAX, ID_BYTES_MAX};

    #[test]
    fn each_form_of_a_target_is_read_and_blank_lines_are_passed_over() {
        let text = "\u{feff}".trim_start_matches('\u{feff}').to_owned()
            + "person_a\r\n\n  company_b  \n{\"id\":\"company_c\",\"position\":\" CFO \"}\n \t\n"
            + "{\"linkedinId\":\"https://www.linkedin.com/in/ana\",\"x\":1}\n{\"email\":\" Ana@b.c \",\"name\":null}\n"
            + "{\"name\":\"Ana\"}\n{\"name\":\"Ana\",\"at\":\"Acme\"}\n{\"company\":\"Acme\",\"position\":null}";
        let read = parse(text.as_bytes()).unwrap();
        let lines: Vec<usize> = read.iter().map(|target| target.line).collect();
        assert_eq!(lines, [1, 3, 4, 6, 7, 8, 9, 10]);
        let said: Vec<String> = read
            .iter()
            .map(|target| target.read().unwrap())
            .map(|(target, position)| format!("{target:?} {position:?}"))
            .collect();
        assert_eq!(
            said,
            [
                "Text(\"person_a\") None",
                "Text(\"company_b\") None",
                "CompanyId(\"company_c\") Some(\"cfo\")",
                "Handle(\"https://www.linkedin.com/in/ana\") None",
                "Email(\"Ana@b.c\") None",
                "Name(\"Ana\") None",
                "NameAt { name: \"Ana\", company: \"Acme\" } None",
                "Company(\"Acme\") None",
            ]
        );
    }

    #[test]
    fn a_line_that_is_no_target_is_refused_with_its_number() {
        let long = |key: &str, length: usize| format!("{{\"{key}\":\"{}@\"}}", "x".repeat(length));
        for line in [
            "{}",
            "{",
            "{\"id\":\"user_a\"}",
            "{\"id\":1}",
            "{\"id\":\"\"}",
            "{\"name\":\" \"}",
            "{\"name\":\"a\",\"email\":\"a@b\"}",
            "{\"id\":\"person_a\",\"at\":\"Acme\"}",
            "{\"company\":\"Acme\",\"at\":\"Acme\"}",
            "{\"name\":\"a\",\"position\":\"cfo\"}",
            "{\"id\":\"person_a\",\"position\":\"cfo\"}",
            "{\"company\":\"a\",\"position\":\"\u{301}\"}",
            "{\"email\":\"a\"}",
            "{\"at\":\"Acme\"}",
            &"x".repeat(TARGET_CHARS_MAX + 1),
            &long("name", TEXT_CHARS_MAX),
            &long("company", TEXT_CHARS_MAX),
            &long("email", EMAIL_CHARS_MAX),
            &long("linkedinId", ID_BYTES_MAX),
        ] {
            let read = parse(format!("person_a\n\n{line}\nperson_b").as_bytes());
            assert_eq!(read.map(|_| ()).map_err(|(line, _)| line), Err(3), "{line}");
        }
        assert_eq!(parse(b"person_a\n\xff").map(|_| ()).map_err(|(line, _)| line), Err(2));
        // The control: the longest of each are accepted.
        for line in [&long("name", TEXT_CHARS_MAX - 1), &long("email", EMAIL_CHARS_MAX - 1)] {
            assert!(parse(line.as_bytes()).is_ok(), "{line}");
        }
    }
}
