//! The columns of a Parquet file: which ones a table reads, and the types of their values.

use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::schema::types::{SchemaDescriptor, Type};

use crate::source::error::{Reason, TableFault};
use crate::source::fields::TableColumn;
use kith::model::nearest::nearest_of;

/// The positions of a table's columns in a file.
pub(crate) struct PartSchema<const N: usize> {
    /// The leaf of each column, with its type; `None` if the file does not have the column.
    pub(crate) leaves: [Option<(usize, ColumnKind)>; N],
    /// Names of other columns.
    pub(crate) unknown: Vec<String>,
    /// The faults of the columns.
    pub(crate) faults: Vec<TableFault>,
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// Text, numbers and booleans as the type says.
    Plain,
    /// Unsigned whole numbers.
    Unsigned,
    /// Points in time, as a number of units.
    Time {
        /// Units per second.
        units: i64,
        /// Whether they are in UTC: only these can become text with an offset.
        is_utc: bool,
    },
}

impl<const N: usize> PartSchema<N> {
    /// The columns `columns` in a file with the schema `schema`.
    pub(crate) fn new(schema: &SchemaDescriptor, columns: &[TableColumn; N]) -> Self {
        let mut read = Self { leaves: [None; N], unknown: Vec::new(), faults: Vec::new() };
        let mut seen = [false; N];
        for field in schema.root_schema().get_fields() {
            let Some(place) = columns.iter().position(|column| column.name == field.name()) else {
                read.unknown.push(field.name().to_owned());
                continue;
            };
            if std::mem::replace(&mut seen[place], true) {
                read.faults.push(TableFault::of(field.name(), Reason::FieldTwice));
                continue;
            }
            match leaf_of(schema, field) {
                Ok(leaf) => read.leaves[place] = Some(leaf),
                Err(found) => read.faults.push(TableFault::of(field.name(), Reason::ColumnType(found))),
            }
        }
        for (column, seen) in columns.iter().zip(seen) {
            if column.required && !seen {
                let nearly =
                    nearest_of(column.name, read.unknown.iter().map(String::as_str)).map(str::to_owned);
                read.faults.push(TableFault::of(column.name, Reason::NoParquetColumn { nearly }));
            }
        }
        read
    }
}

/// The leaf of `field` and the type of its values.
///
/// # Errors
/// Returns the name of its type if its values cannot be read.
fn leaf_of(schema: &SchemaDescriptor, field: &Type) -> Result<(usize, ColumnKind), String> {
    let info = field.get_basic_info();
    if !field.is_primitive() || (info.has_repetition() && info.repetition() == Repetition::REPEATED) {
        return Err("nested columns".to_owned());
    }
    let is_field = |leaf: &usize| schema.column(*leaf).path().parts() == [field.name()];
    let leaf = (0..schema.num_columns()).find(is_field).ok_or_else(|| "nested columns".to_owned())?;
    let physical = field.get_physical_type();
    let kind = match info.logical_type_ref() {
        Some(logical) => kind_of(physical, logical),
        None => converted_kind(physical, info.converted_type()),
    };
    let name = || match (info.logical_type_ref(), info.converted_type()) {
        (Some(logical), _) => {
            format!("{logical:?}").split(['(', ' ']).next().unwrap_or_default().to_uppercase()
        }
        (None, ConvertedType::NONE) => physical.to_string(),
        (None, converted) => converted.to_string(),
    };
    kind.map(|kind| (leaf, kind)).ok_or_else(name)
}

fn kind_of(physical: Physical, logical: &LogicalType) -> Option<ColumnKind> {
    match (physical, logical) {
        (Physical::BYTE_ARRAY, LogicalType::String | LogicalType::Json | LogicalType::Enum) => {
            Some(ColumnKind::Plain)
        }
        (Physical::INT32 | Physical::INT64, LogicalType::Integer(whole)) => {
            Some(if whole.is_signed { ColumnKind::Plain } else { ColumnKind::Unsigned })
        }
        (Physical::INT64, LogicalType::Timestamp(time)) => {
            let units = match time.unit {
                TimeUnit::MILLIS => 1_000,
                TimeUnit::MICROS => 1_000_000,
                TimeUnit::NANOS => 1_000_000_000,
            };
            Some(ColumnKind::Time { units, is_utc: time.is_adjusted_to_u_t_c })
        }
        // A column of only nulls may have any type.
        (_, LogicalType::Unknown) => converted_kind(physical, ConvertedType::NONE),
        _ => None,
    }
}

fn converted_kind(physical: Physical, converted: ConvertedType) -> Option<ColumnKind> {
    match (physical, converted) {
        (
            Physical::BYTE_ARRAY,
            ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::JSON | ConvertedType::ENUM,
        )
        | (Physical::BOOLEAN | Physical::FLOAT | Physical::DOUBLE, ConvertedType::NONE)
        | (
            Physical::INT32 | Physical::INT64,
            ConvertedType::NONE
            | ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64,
        ) => Some(ColumnKind::Plain),
        (
            Physical::INT32 | Physical::INT64,
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64,
        ) => Some(ColumnKind::Unsigned),
        (Physical::INT64, ConvertedType::TIMESTAMP_MILLIS) => {
            Some(ColumnKind::Time { units: 1_000, is_utc: true })
        }
        (Physical::INT64, ConvertedType::TIMESTAMP_MICROS) => {
            Some(ColumnKind::Time { units: 1_000_000, is_utc: true })
        }
        _ => None,
    }
}
