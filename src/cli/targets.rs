//! A list of targets, one a line: a bare id, or an object as the batch of the API takes it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value};

use crate::limits::{EMAIL_CHARS_MAX, ID_BYTES_MAX, TARGET_LIST_BYTES_MAX, TEXT_CHARS_MAX};
use crate::model::text::fold;
use crate::query::handle::handle_of;
use crate::query::paths::request::TargetQuery;

/// A target of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ListedTarget {
    /// The number of its line, from 1.
    pub(super) line: usize,
    /// The line.
    pub(super) text: String,
    named: Named,
    /// At a company: a folded text that positions contain.
    position: Option<String>,
}

/// What a target is named by.
#[derive(Debug, PartialEq, Eq)]
enum Named {
    PersonId(String),
    CompanyId(String),
    Handle(String),
    Email(String),
    Name(String),
    NameAt(String, String),
    Company(String),
}

/// The ways to name a target; exactly one is there.
const KEYS: [&str; 5] = ["id", "linkedinId", "email", "name", "company"];

impl ListedTarget {
    /// The target as it is looked for.
    pub(super) fn query(&self) -> TargetQuery<'_> {
        match &self.named {
            Named::PersonId(id) => TargetQuery::PersonId(id),
            Named::CompanyId(id) => TargetQuery::CompanyId(id),
            Named::Handle(handle) => TargetQuery::Handle(handle),
            Named::Email(email) => TargetQuery::Email(email),
            Named::Name(name) => TargetQuery::Name(name),
            Named::NameAt(name, company) => TargetQuery::NameAt { name, company },
            Named::Company(name) => TargetQuery::Company(name),
        }
    }

    /// A folded text that the positions of a company's employees contain; all are meant if it is `None`.
    pub(super) fn position(&self) -> Option<&str> {
        self.position.as_deref()
    }
}

/// The targets in the file at `path`; blank lines are passed over.
///
/// # Errors
/// Returns an error if the file cannot be read or is too long, and the number of the first line that is no target.
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

/// The target that `text` is; `None` if it is blank.
fn parse_line(line: usize, text: &str) -> Result<Option<ListedTarget>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let (named, position) = if text.starts_with('{') {
        let object = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
        parse_object(&object)?
    } else {
        (parse_id(text)?, None)
    };
    Ok(Some(ListedTarget { line, text: text.to_owned(), named, position }))
}

fn parse_object(object: &Map<String, Value>) -> Result<(Named, Option<String>), String> {
    let given = |key: &str| match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.as_str())),
        Some(_) => Err(format!("`{key}` is a text that is not blank")),
    };
    let one_of = || format!("it has exactly one of {}", KEYS.join(", "));
    let mut named = None;
    for key in KEYS {
        if let Some(value) = given(key)?
            && named.replace((key, value)).is_some()
        {
            return Err(one_of());
        }
    }
    let at = given("at")?.map(parse_name).transpose()?;
    let (key, value) = named.ok_or_else(one_of)?;
    if at.is_some() && key != "name" {
        return Err("`at` stands beside `name` alone".to_owned());
    }
    let named = match key {
        "id" => parse_id(value)?,
        "linkedinId" if handle_of(value).len() <= ID_BYTES_MAX => Named::Handle(value.to_owned()),
        "linkedinId" => return Err(format!("a handle has at most {ID_BYTES_MAX} bytes")),
        "email" => parse_email(value)?,
        "name" => {
            let name = parse_name(value)?;
            at.map_or_else(|| Named::Name(name.clone()), |at| Named::NameAt(name.clone(), at))
        }
        _ => Named::Company(parse_name(value)?),
    };
    let position = given("position")?.map(parse_position).transpose()?;
    if position.is_some() && !matches!(named, Named::Company(_) | Named::CompanyId(_)) {
        return Err("`position` stands beside a company alone".to_owned());
    }
    Ok((named, position))
}

fn parse_id(text: &str) -> Result<Named, String> {
    match text.split_once('_') {
        Some(("person", _)) if text.len() <= ID_BYTES_MAX => Ok(Named::PersonId(text.to_owned())),
        Some(("company", _)) if text.len() <= ID_BYTES_MAX => Ok(Named::CompanyId(text.to_owned())),
        _ => Err(format!("an id begins with person_ or company_ and has at most {ID_BYTES_MAX} bytes")),
    }
}

fn parse_email(text: &str) -> Result<Named, String> {
    let text = text.trim();
    if text.chars().count() <= EMAIL_CHARS_MAX && text.contains('@') {
        return Ok(Named::Email(text.to_owned()));
    }
    Err(format!("an e-mail address has an @ and at most {EMAIL_CHARS_MAX} characters"))
}

fn parse_name(text: &str) -> Result<String, String> {
    if text.chars().count() <= TEXT_CHARS_MAX {
        return Ok(text.to_owned());
    }
    Err(format!("a name has at most {TEXT_CHARS_MAX} characters"))
}

fn parse_position(text: &str) -> Result<String, String> {
    let folded = fold(text);
    if (1..=TEXT_CHARS_MAX).contains(&folded.chars().count()) {
        return Ok(folded);
    }
    Err(format!("a position has 1 to {TEXT_CHARS_MAX} characters once folded"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_a_target_is_read_and_blank_lines_are_passed_over() {
        let text = "\u{feff}".trim_start_matches('\u{feff}').to_owned()
            + "person_a\r\n\n  company_b  \n{\"id\":\"company_c\",\"position\":\" CFO \"}\n \t\n"
            + "{\"linkedinId\":\"https://www.linkedin.com/in/ana\",\"x\":1}\n{\"email\":\" Ana@b.c \",\"name\":null}\n"
            + "{\"name\":\"Ana\"}\n{\"name\":\"Ana\",\"at\":\"Acme\"}\n{\"company\":\"Acme\",\"position\":null}";
        let read = parse(text.as_bytes()).unwrap();
        let lines: Vec<usize> = read.iter().map(|target| target.line).collect();
        assert_eq!(lines, [1, 3, 4, 6, 7, 8, 9, 10]);
        let told: Vec<String> =
            read.iter().map(|target| format!("{:?} {:?}", target.query(), target.position())).collect();
        assert_eq!(
            told,
            [
                "PersonId(\"person_a\") None",
                "CompanyId(\"company_b\") None",
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
            "ana",
            "user_ana",
            "person",
            "[\"person_a\"]",
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
            &format!("person_{}", "x".repeat(ID_BYTES_MAX)),
            &long("name", TEXT_CHARS_MAX),
            &long("company", TEXT_CHARS_MAX),
            &long("email", EMAIL_CHARS_MAX),
            &long("linkedinId", ID_BYTES_MAX),
        ] {
            let read = parse(format!("person_a\n\n{line}\nperson_b").as_bytes());
            assert_eq!(read.map_err(|(line, _)| line), Err(3), "{line}");
        }
        assert_eq!(parse(b"person_a\n\xff").map_err(|(line, _)| line), Err(2));
        // The control: the longest of each are taken.
        for line in [&long("name", TEXT_CHARS_MAX - 1), &long("email", EMAIL_CHARS_MAX - 1)] {
            assert!(parse(line.as_bytes()).is_ok(), "{line}");
        }
    }
}
