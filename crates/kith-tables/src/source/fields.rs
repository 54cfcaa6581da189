//! The fields of a row in any format, and the values they accept.
//!
//! A field has no value if it is absent, JSON or Parquet `null`, an empty CSV cell or Parquet text, or an empty JSON
//! string in a field of text, an id or a time.

use std::borrow::Cow;

use crate::limits::{TABLE_OBJECT_BYTES_MAX, TABLE_TEXT_BYTES_MAX};
use crate::source::error::{Expected, FreeformFault, Reason, TableFault, echo};
use crate::source::freeform;
use crate::source::ids::Ids;
use crate::source::json;
use kith::limits::ID_BYTES_MAX;
use kith::model::count::{COUNT_MAX, OptionalCount};
use kith::model::time::Timestamp;
use kith::prepare::together::Month;

#[derive(Clone, Copy, Debug)]
pub(crate) struct TableColumn {
    pub(crate) name: &'static str,
    /// Whether every row must have a value, so that a CSV header must have the column.
    pub(crate) required: bool,
}

/// The value of a row in one column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'a> {
    /// No value.
    None,
    /// A JSON value as written, never `null`.
    Json(&'a str),
    /// A CSV cell or the text of a Parquet column, never empty.
    Csv(&'a str),
}

/// A cell with the name of its column, for error messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedCell<'a> {
    pub(crate) name: &'static str,
    pub(crate) cell: Cell<'a>,
}

/// A column in which every row has a value.
pub(crate) const fn required(name: &'static str) -> TableColumn {
    TableColumn { name, required: true }
}

/// A column that rows may leave empty.
pub(crate) const fn optional(name: &'static str) -> TableColumn {
    TableColumn { name, required: false }
}

impl<'a> Cell<'a> {
    /// The JSON value `raw`.
    pub(crate) fn json(raw: &'a str) -> Self {
        if raw == "null" { Self::None } else { Self::Json(raw) }
    }

    /// `text` from a CSV cell or a Parquet column.
    pub(crate) fn csv(text: &'a str) -> Self {
        if text.is_empty() { Self::None } else { Self::Csv(text) }
    }

    /// The cell as written.
    pub(crate) fn written(self) -> &'a str {
        match self {
            Self::None => "",
            Self::Json(written) | Self::Csv(written) => written,
        }
    }
}

impl<'a> NamedCell<'a> {
    fn fault(self, reason: Reason) -> TableFault {
        TableFault::of(self.name, reason)
    }

    fn unfit(self, expected: Expected) -> TableFault {
        self.fault(Reason::Unfit { expected, found: echo(self.cell.written()) })
    }

    fn required<T>(self, value: Option<T>) -> Result<T, TableFault> {
        value.ok_or_else(|| self.fault(Reason::NoValue))
    }

    /// The text, if any. `expected` describes it for an error.
    fn text_as(self, expected: Expected) -> Result<Option<Cow<'a, str>>, TableFault> {
        let text = match self.cell {
            Cell::None => return Ok(None),
            Cell::Csv(text) => Cow::Borrowed(text),
            Cell::Json(raw) => json::text(raw)
                .map_err(|_| self.fault(Reason::BadEscape(echo(raw))))?
                .ok_or_else(|| self.unfit(expected))?,
        };
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    /// `value`, if it has at most `bytes_max` bytes.
    pub(crate) fn bounded<T: AsRef<str>>(self, value: T, bytes_max: usize) -> Result<T, TableFault> {
        let bytes = value.as_ref().len();
        if bytes > bytes_max { Err(self.fault(Reason::TooLong { bytes, bytes_max })) } else { Ok(value) }
    }

    pub(crate) fn text(self) -> Result<String, TableFault> {
        let text = self.optional_text()?;
        self.required(Some(text).filter(|text| !text.is_empty()))
    }

    /// Text; empty for no value.
    pub(crate) fn optional_text(self) -> Result<String, TableFault> {
        let text = self.text_as(Expected::Text)?.unwrap_or_default();
        let bytes: usize = text.bytes().map(json::written_bytes).sum();
        let bytes_max = TABLE_TEXT_BYTES_MAX;
        if bytes > bytes_max {
            return Err(self.fault(Reason::TooLong { bytes, bytes_max }));
        }
        Ok(text.into_owned())
    }

    /// Text of at most `chars_max` characters; empty for no value.
    pub(crate) fn optional_short_text(self, chars_max: usize) -> Result<String, TableFault> {
        let text = self.optional_text()?;
        match text.chars().count() {
            chars if chars > chars_max => Err(self.fault(Reason::TooManyChars { chars, chars_max })),
            _ => Ok(text),
        }
    }

    /// The id of the row itself, which begins with `prefix`.
    pub(crate) fn own_id(self, prefix: &'static str) -> Result<String, TableFault> {
        let id = self.optional_id(prefix)?;
        self.required(id)
    }

    /// An id that begins with `prefix`, if any. Does not check that the row exists.
    pub(crate) fn optional_id(self, prefix: &'static str) -> Result<Option<String>, TableFault> {
        match self.text_as(Expected::Id(prefix))? {
            Some(id) if !is_id(&id, prefix) => Err(self.unfit(Expected::Id(prefix))),
            id => Ok(id.map(Cow::into_owned)),
        }
    }

    /// The row of `ids` that the field refers to.
    pub(crate) fn reference(self, ids: &Ids) -> Result<u32, TableFault> {
        let row = self.optional_reference(ids)?;
        self.required(row)
    }

    /// The row of `ids` that the field refers to, if it has a value.
    pub(crate) fn optional_reference(self, ids: &Ids) -> Result<Option<u32>, TableFault> {
        let Some(id) = self.text_as(Expected::Id(ids.prefix))? else { return Ok(None) };
        ids.find(&id).map(Some).ok_or_else(|| {
            if is_id(&id, ids.prefix) {
                self.fault(Reason::NoSuchRow { table: ids.table, id: id.into_owned() })
            } else {
                self.unfit(Expected::Id(ids.prefix))
            }
        })
    }

    /// The value for the word in the field.
    pub(crate) fn one_of<T: Copy>(
        self,
        words: &'static [&'static str],
        values: &[T],
    ) -> Result<T, TableFault> {
        let text = self.required(self.text_as(Expected::OneOf(words))?)?;
        let value = words.iter().zip(values).find(|(word, _)| **word == text).map(|(_, &value)| value);
        value.ok_or_else(|| self.unfit(Expected::OneOf(words)))
    }

    /// A whole number from 0 to `max`, in decimal digits alone.
    pub(crate) fn optional_whole(self, max: u64) -> Result<Option<u64>, TableFault> {
        let written = match self.cell {
            Cell::None => return Ok(None),
            Cell::Json(written) | Cell::Csv(written) => written,
        };
        let digits = written.bytes().all(|byte| byte.is_ascii_digit());
        let value = written.parse().ok().filter(|&value| digits && value <= max);
        value.map(Some).ok_or_else(|| self.unfit(Expected::Whole(max)))
    }

    /// A count, from 0 to [`COUNT_MAX`].
    pub(crate) fn optional_count(self) -> Result<OptionalCount, TableFault> {
        Ok(self.optional_whole(COUNT_MAX)?.into())
    }

    /// A finite number, with the digits as written.
    pub(crate) fn number(self) -> Result<String, TableFault> {
        let number = self.optional_number()?;
        self.required(Some(number).filter(|number| !number.is_empty()))
    }

    /// A finite number, with the digits as written; empty for no value.
    pub(crate) fn optional_number(self) -> Result<String, TableFault> {
        let written = match self.cell {
            Cell::None => return Ok(String::new()),
            Cell::Json(written) | Cell::Csv(written) => self.bounded(written, TABLE_TEXT_BYTES_MAX)?,
        };
        let is_number = written.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            && json::value(written) == Ok(written)
            && written.parse().is_ok_and(f64::is_finite);
        if is_number { Ok(written.to_owned()) } else { Err(self.unfit(Expected::Number)) }
    }

    /// A point in time.
    pub(crate) fn time(self) -> Result<Timestamp, TableFault> {
        let time = self.optional_time()?;
        self.required(time)
    }

    /// Midnight of a day, in UTC, if any. A time stands for its day in UTC.
    pub(crate) fn optional_day(self) -> Result<Option<Timestamp>, TableFault> {
        let Some(text) = self.text_as(Expected::Day)? else { return Ok(None) };
        let at = Timestamp::parse(&format!("{text}T00:00:00Z")).or_else(|| Timestamp::parse(&text));
        let midnight =
            |at: Timestamp| Timestamp { seconds: at.seconds - at.seconds.rem_euclid(86_400), nanos: 0 };
        at.map(midnight).map(Some).ok_or_else(|| self.unfit(Expected::Day))
    }

    /// The month of a year, a month or a day, if any; `of_year` is the month for a year alone.
    pub(crate) fn optional_month(self, of_year: u32) -> Result<Option<Month>, TableFault> {
        let Some(text) = self.text_as(Expected::Month)? else { return Ok(None) };
        Month::parse(&text, of_year).map(Some).ok_or_else(|| self.unfit(Expected::Month))
    }

    /// A point in time, if any.
    pub(crate) fn optional_time(self) -> Result<Option<Timestamp>, TableFault> {
        let Some(text) = self.text_as(Expected::Time)? else { return Ok(None) };
        Timestamp::parse(&text).map(Some).ok_or_else(|| self.unfit(Expected::Time))
    }

    /// The JSON text of an object or array, if any. A CSV cell is read as JSON.
    pub(crate) fn optional_json(self) -> Option<&'a str> {
        let written = self.cell.written();
        Some(written).filter(|json| !json.is_empty() && json.trim_ascii() != "null")
    }

    /// A free-form object in its compact form; empty for no value.
    pub(crate) fn optional_object(self) -> Result<String, TableFault> {
        self.optional_json()
            .map_or(Ok(String::new()), freeform::compact)
            .map_err(|fault| self.freeform(fault))
            .and_then(|object| self.bounded(object, TABLE_OBJECT_BYTES_MAX))
    }

    /// The fault of a free-form object in this field.
    pub(crate) fn freeform(self, fault: FreeformFault) -> TableFault {
        self.fault(Reason::Freeform(fault))
    }

    /// The items of a list, as written; empty for no value. A CSV cell is read as JSON.
    pub(crate) fn optional_items(self) -> Result<Vec<&'a str>, TableFault> {
        let Some(raw) = self.optional_json() else { return Ok(Vec::new()) };
        if !raw.trim_ascii_start().starts_with('[') {
            return Err(self.unfit(Expected::List));
        }
        json::items(raw)
            .map_err(|fault| self.fault(Reason::NotJson { column: fault.column, message: fault.message }))
    }
}

/// Whether `text` has the form of an id that begins with `prefix`.
fn is_id(text: &str, prefix: &str) -> bool {
    let plain = !text.contains(|character: char| character == ',' || character.is_control());
    plain && text.len() <= ID_BYTES_MAX && text.starts_with(prefix)
}
