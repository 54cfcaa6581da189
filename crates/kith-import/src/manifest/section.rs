//! One table of a TOML file, read key by key: an unknown key is refused with the nearest known name.

use std::path::Path;

use toml::{Table, Value};

use crate::dates::CalendarDay;
use crate::limits::IMPORT_MANIFEST_BYTES_MAX;
use crate::manifest::fault::ManifestFault;
use kith::model::nearest::nearest_name;
use kith::model::time::Timestamp;
use kith::regular_file;

/// Maximum months in a value: a thousand years.
const MONTHS_MAX: u32 = 12_000;

/// A table, with its location.
pub(crate) struct Section<'a> {
    place: String,
    table: &'a Table,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub(crate) fn root(table: &'a Table) -> Self {
        Self { place: String::new(), table }
    }

    /// The location of `key` in messages.
    pub(crate) fn place(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) }
    }

    /// Refuses the first key that is not `known`.
    pub(crate) fn check(&self, known: &[&str]) -> Result<(), ManifestFault> {
        let Some(key) = self.table.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
        let nearest = nearest_name(key, known.iter().copied()).unwrap_or_default().to_owned();
        Err(ManifestFault::UnknownKey { place: self.place(key), nearest })
    }

    fn unfit(&self, key: &str, expected: &'static str) -> ManifestFault {
        ManifestFault::Unfit { place: self.place(key), expected }
    }

    /// The raw value of `key`.
    pub(crate) fn value(&self, key: &str) -> Option<&'a Value> {
        self.table.get(key)
    }

    /// A non-empty text, trimmed.
    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, ManifestFault> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() && !text.chars().any(char::is_control) => {
                Ok(Some(text.trim().to_owned()))
            }
            Some(_) => Err(self.unfit(key, "a text")),
        }
    }

    /// The flag `key`; `None` if it is not set.
    pub(crate) fn flag(&self, key: &str) -> Result<Option<bool>, ManifestFault> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::Boolean(is)) => Ok(Some(*is)),
            Some(_) => Err(self.unfit(key, "true or false")),
        }
    }

    /// Like [`Self::text`], for a required key.
    pub(crate) fn needed(&self, key: &str) -> Result<String, ManifestFault> {
        self.text(key)?.ok_or_else(|| ManifestFault::MissingKey(self.place(key)))
    }

    /// The texts of a list; a single text is a list of one.
    pub(crate) fn list(&self, key: &str) -> Result<Vec<String>, ManifestFault> {
        let text =
            |value: &Value| value.as_str().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let texts = match self.table.get(key) {
            None => Some(Vec::new()),
            Some(Value::Array(values)) => values.iter().map(text).collect(),
            Some(one) => text(one).map(|text| vec![text]),
        };
        texts.ok_or_else(|| self.unfit(key, "a list of texts"))
    }

    /// A day, as a date of TOML or as a text.
    pub(crate) fn day(&self, key: &str) -> Result<Option<CalendarDay>, ManifestFault> {
        let day = match self.table.get(key) {
            None => return Ok(None),
            Some(Value::String(text)) => CalendarDay::parse(text),
            Some(Value::Datetime(written)) => CalendarDay::parse(&written.to_string().replace('t', "T")),
            Some(_) => None,
        };
        day.map(Some).ok_or_else(|| self.unfit(key, "a date such as 2026-01-31"))
    }

    /// The number of months in the text `key`, such as `36 months`; a year has twelve.
    ///
    /// # Errors
    /// Returns a fault if it is invalid, or 0.
    pub(crate) fn months(&self, key: &str) -> Result<Option<u32>, ManifestFault> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let number = |in_each: u32, units: [&str; 2]| {
            let (count, unit) = text.trim().split_once(' ')?;
            let count: u32 = count.parse().ok().filter(|_| units.contains(&unit.trim()))?;
            (1..=MONTHS_MAX / in_each).contains(&count).then_some(count * in_each)
        };
        let months = number(1, ["month", "months"]).or_else(|| number(12, ["year", "years"]));
        months.map(Some).ok_or_else(|| self.unfit(key, "months or years, such as \"36 months\""))
    }

    /// A point in time; a date means its first moment in UTC.
    pub(crate) fn moment(&self, key: &str) -> Result<Option<Timestamp>, ManifestFault> {
        let written = match self.table.get(key) {
            Some(Value::String(text)) => Timestamp::parse(text.trim()),
            Some(Value::Datetime(time)) => Timestamp::parse(&time.to_string()),
            _ => None,
        };
        match written {
            Some(moment) => Ok(Some(moment)),
            None => Ok(self.day(key)?.map(CalendarDay::timestamp)),
        }
    }

    /// The table `key`.
    pub(crate) fn section(&self, key: &str) -> Result<Option<Section<'a>>, ManifestFault> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::Table(table)) => Ok(Some(Section { place: self.place(key), table })),
            Some(_) => Err(self.unfit(key, "a table")),
        }
    }

    /// The tables `key`, numbered from 1.
    pub(crate) fn sections(&self, key: &str) -> Result<Vec<Section<'a>>, ManifestFault> {
        let Some(value) = self.table.get(key) else { return Ok(Vec::new()) };
        let unfit =
            || ManifestFault::Unfit { place: self.place(key), expected: "tables, each headed [[…]]" };
        let tables = value.as_array().ok_or_else(unfit)?.iter().enumerate();
        let section = |(at, table): (usize, &'a Value)| {
            let place = format!("{}[{}]", self.place(key), at + 1);
            table.as_table().map(|table| Section { place, table }).ok_or_else(unfit)
        };
        tables.map(section).collect()
    }
}

/// Parses `text`.
///
/// # Errors
/// Returns the location at which the text is not TOML.
pub(crate) fn parse_toml(text: &str) -> Result<Table, ManifestFault> {
    toml::from_str(text).map_err(|fault: toml::de::Error| {
        let line = fault.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let place = line.map_or(String::new(), |line| format!("line {line}: "));
        let written = line.and_then(|line| text.lines().nth(line - 1)).unwrap_or_default();
        ManifestFault::NotToml(format!("{place}{}{}", fault.message(), remedy_of(written)))
    })
}

/// Suggests a fix for the invalid TOML line `written`: for curly quotation marks from a word processor, or backslashes of a
/// Windows path.
fn remedy_of(written: &str) -> &'static str {
    if written.contains(['“', '”', '„']) {
        "; write straight quotation marks: \""
    } else if written.contains('\\') {
        "; write the path of a file with / instead of \\"
    } else {
        ""
    }
}

/// The text of the file at `path`, within the bound on manifests.
pub(crate) fn read_text(path: &Path) -> Result<String, ManifestFault> {
    let unreadable = |reason: String| ManifestFault::Unreadable(reason);
    let read = regular_file::read(path, IMPORT_MANIFEST_BYTES_MAX);
    let bytes = read.map_err(|error| unreadable(error.to_string()))?.bytes;
    if bytes.len() > IMPORT_MANIFEST_BYTES_MAX {
        return Err(unreadable(format!("longer than {IMPORT_MANIFEST_BYTES_MAX} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| unreadable("not UTF-8 text".to_owned()))?;
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_toml_says_what_mends_it() {
        for (text, remedy) in [
            ("a = 1\norganization = “F”", "straight quotation marks"),
            ("files = [\"C:\\Users\\ada\\x.csv\"]", "/ instead of \\"),
            ("organization = F", ""),
        ] {
            let said = parse_toml(text).err().map(|fault| fault.to_string()).unwrap_or_default();
            assert!(said.starts_with("line ") && said.contains(remedy), "{text}: {said}");
            assert_eq!(said.contains("; write "), !remedy.is_empty(), "{text}: {said}");
        }
    }
}
