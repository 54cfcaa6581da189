//! Converts columns of records to columns of the model, and back.
//!
//! A column of the model cannot hold broken text, an invalid time or a byte outside its closed set, so these are
//! refused here. [`check`](mod@crate::snapshot::check) checks columns against each other.

use rayon::prelude::*;

use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::csr::{Csr, Offsets};
use crate::model::dataset::{AdvocateStatus, OpportunityStatus, Role};
use crate::model::ix::PersonIx;
use crate::model::names::NameTable;
use crate::model::preferences::PreferenceRule;
use crate::model::time::Timestamp;
use crate::model::vectors::Quantized;
use crate::model::warmness::Warmness;
use crate::snapshot::codec::Column;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;
use crate::snapshot::record::{Dictionary, Ends, NO_TIME, NameOrder, NameWords, Record, Texts, Times};

/// The values of a closed set; each is stored as its position here.
pub(crate) const ROLES: [Role; 2] = [Role::Admin, Role::Member];
/// See [`ROLES`].
pub(crate) const PREFERENCE_RULES: [PreferenceRule; 2] = PreferenceRule::ALL;
/// See [`ROLES`].
pub(crate) const ADVOCATE_STATUSES: [AdvocateStatus; 3] =
    [AdvocateStatus::Accepted, AdvocateStatus::Pending, AdvocateStatus::Declined];
/// See [`ROLES`].
pub(crate) const OPPORTUNITY_STATUSES: [OpportunityStatus; 5] = [
    OpportunityStatus::Visible,
    OpportunityStatus::Saved,
    OpportunityStatus::Accepted,
    OpportunityStatus::IntroRequested,
    OpportunityStatus::Dismissed,
];

/// Score bytes in one core's unit of work.
const SCORES_AT_A_TIME: usize = 1 << 16;

/// Decodes the bytes of a column to values.
pub(crate) fn closed<V: Copy>(
    column: &'static str,
    bytes: &Column<u8>,
    values: &[V],
) -> Result<Vec<V>, SnapshotError> {
    let value = |(row, &byte): (usize, &u8)| {
        let unknown = || SnapshotError::row(column, row, ContentFault::Value { got: byte });
        values.get(usize::from(byte)).copied().ok_or_else(unknown)
    };
    bytes.0.iter().enumerate().map(value).collect()
}

/// Encodes `rows` as bytes.
pub(crate) fn closed_bytes<V: PartialEq>(rows: impl Iterator<Item = V>, values: &[V]) -> Column<u8> {
    let place = |row: V| values.iter().position(|value| *value == row).map_or(u8::MAX, |place| place as u8);
    Column(rows.map(place).collect())
}

/// Decodes the bytes of a column as text.
pub(crate) fn text(column: &'static str, bytes: Column<u8>) -> Result<String, SnapshotError> {
    String::from_utf8(bytes.0).map_err(|error| {
        SnapshotError::column(column, ContentFault::NotUtf8 { at: error.utf8_error().valid_up_to() })
    })
}

/// Refuses a column of `got` rows if the columns beside it have `expected`.
pub(crate) fn same_length(column: &'static str, expected: usize, got: usize) -> Result<(), SnapshotError> {
    if expected == got {
        Ok(())
    } else {
        Err(SnapshotError::column(column, ContentFault::Length { expected, got }))
    }
}

/// Decodes the scores of a `direction` of the edges, whose rows begin at `offsets`.
pub(crate) fn scores(
    direction: &'static str,
    offsets: &Offsets,
    bytes: Vec<u8>,
) -> Result<Vec<Warmness>, SnapshotError> {
    let is_score = |byte: u8| Warmness::from_byte(byte).is_some();
    let are_scores = |piece: &[u8]| piece.iter().fold(true, |all, &byte| all & is_score(byte));
    if !bytes.par_chunks(SCORES_AT_A_TIME).all(are_scores)
        && let Some(place) = bytes.iter().position(|&byte| !is_score(byte))
    {
        let fault = ContentFault::Score { got: bytes[place] };
        return Err(SnapshotError::row(direction, offsets.row_of(place) as usize, fault));
    }
    Ok(bytes.into_iter().map(Warmness::from_checked_byte).collect())
}

impl Texts {
    pub(crate) fn of(column: &TextColumn) -> Self {
        let (offsets, arena) = column.parts();
        Self { offsets: Column(offsets.to_vec()), arena: Column(arena.as_bytes().to_vec()) }
    }
}

impl Record for Texts {
    type Part = TextColumn;

    fn into_part(self, column: &'static str) -> Result<TextColumn, SnapshotError> {
        TextColumn::from_parts(self.offsets.0, text(column, self.arena)?)
            .map_err(|fault| SnapshotError::column(column, ContentFault::Offsets(fault)))
    }
}

impl Dictionary {
    pub(crate) fn of(column: &DictionaryColumn) -> Self {
        Self { values: Texts::of(&column.values), rows: Column(column.rows.clone()) }
    }
}

impl Record for Dictionary {
    type Part = DictionaryColumn;

    fn into_part(self, column: &'static str) -> Result<DictionaryColumn, SnapshotError> {
        Ok(DictionaryColumn { values: self.values.into_part(column)?, rows: self.rows.0 })
    }
}

impl Times {
    pub(crate) fn of(times: impl Iterator<Item = Option<Timestamp>>) -> Self {
        let none = Timestamp { seconds: 0, nanos: NO_TIME };
        let (seconds, nanos) =
            times.map(|time| time.unwrap_or(none)).map(|at| (at.seconds, at.nanos)).unzip();
        Self { seconds: Column(seconds), nanos: Column(nanos) }
    }

    /// The times of a column without missing values.
    pub(crate) fn required(self, column: &'static str) -> Result<Vec<Timestamp>, SnapshotError> {
        self.read(column, Timestamp::new)
    }

    /// The times of a column with missing values.
    pub(crate) fn optional(self, column: &'static str) -> Result<Vec<Option<Timestamp>>, SnapshotError> {
        self.read(column, |seconds, nanos| {
            if (seconds, nanos) == (0, NO_TIME) {
                Some(None)
            } else {
                Timestamp::new(seconds, nanos).map(Some)
            }
        })
    }

    fn read<T>(
        self,
        column: &'static str,
        time: impl Fn(i64, u32) -> Option<T>,
    ) -> Result<Vec<T>, SnapshotError> {
        same_length(column, self.seconds.0.len(), self.nanos.0.len())?;
        let both = self.seconds.0.into_iter().zip(self.nanos.0);
        both.enumerate()
            .map(|(row, (seconds, nanos))| {
                let no_time = || SnapshotError::row(column, row, ContentFault::Time { seconds, nanos });
                time(seconds, nanos).ok_or_else(no_time)
            })
            .collect()
    }
}

impl Record for Column<u8> {
    type Part = Vec<u8>;

    fn into_part(self, _: &'static str) -> Result<Vec<u8>, SnapshotError> {
        Ok(self.0)
    }
}

impl Record for Column<u32> {
    type Part = Vec<u32>;

    fn into_part(self, _: &'static str) -> Result<Vec<u32>, SnapshotError> {
        Ok(self.0)
    }
}

impl Record for Column<Quantized> {
    type Part = Vec<Quantized>;

    fn into_part(self, _: &'static str) -> Result<Vec<Quantized>, SnapshotError> {
        Ok(self.0)
    }
}

impl Record for Ends {
    /// Offsets and ends.
    type Part = (Offsets, Vec<PersonIx>);

    fn into_part(self, _: &'static str) -> Result<Self::Part, SnapshotError> {
        Ok((Offsets(self.offsets.0), self.ends.0))
    }
}

impl NameOrder {
    pub(crate) fn of(names: &NameTable) -> Self {
        Self { sorted: Texts::of(&names.sorted), order: Column(names.order.clone()) }
    }
}

impl Record for NameOrder {
    /// The sorted names and their order.
    type Part = (TextColumn, Vec<u32>);

    fn into_part(self, section: &'static str) -> Result<Self::Part, SnapshotError> {
        Ok((self.sorted.into_part(section)?, self.order.0))
    }
}

impl NameWords {
    pub(crate) fn of(names: &NameTable) -> Self {
        Self {
            words: Texts::of(&names.words),
            row_offsets: Column(names.row_words.offsets.0.clone()),
            row_words: Column(names.row_words.items.clone()),
        }
    }
}

impl Record for NameWords {
    /// The words, and each row's words as positions.
    type Part = (TextColumn, Csr<u32>);

    fn into_part(self, section: &'static str) -> Result<Self::Part, SnapshotError> {
        let row_words = Csr { offsets: Offsets(self.row_offsets.0), items: self.row_words.0 };
        Ok((self.words.into_part(section)?, row_words))
    }
}
