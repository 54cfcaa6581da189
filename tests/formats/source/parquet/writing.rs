//! Writes JSON tables as Parquet: with the types, parts, row groups, pages and compression that a test needs.

use std::collections::BTreeMap;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use serde_json::value::RawValue;

use crate::source::network::{File, Network};
use crate::source::parquet::random::Random;

/// The way in which a table is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Rows of a part; one file without a folder if it is `None`.
    pub(crate) part_rows: Option<usize>,
    pub(crate) group_rows: usize,
    pub(crate) page_rows: usize,
    pub(crate) dictionary: bool,
    pub(crate) version: WriterVersion,
    pub(crate) compression: Compression,
    /// The physical type of whole numbers.
    pub(crate) whole: Physical,
}

impl Layout {
    pub(crate) const PLAIN: Self = Self {
        part_rows: None,
        group_rows: 1000,
        page_rows: 1000,
        dictionary: true,
        version: WriterVersion::PARQUET_1_0,
        compression: Compression::SNAPPY,
        whole: Physical::INT64,
    };

    pub(crate) fn random(random: &mut Random) -> Self {
        Self {
            part_rows: [None, Some(1 + random.below(4))][random.below(2)],
            group_rows: 1 + random.below(5),
            page_rows: 1 + random.below(3),
            dictionary: random.below(2) == 0,
            version: [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0][random.below(2)],
            compression: [
                Compression::UNCOMPRESSED,
                Compression::SNAPPY,
                Compression::ZSTD(Default::default()),
            ][random.below(3)],
            whole: [Physical::INT32, Physical::INT64, Physical::DOUBLE, Physical::BYTE_ARRAY]
                [random.below(4)],
        }
    }
}

pub(crate) type Row = BTreeMap<String, Box<RawValue>>;

/// The text that a column of texts holds of `raw`.
pub(crate) fn text_of(raw: &str) -> String {
    if raw.starts_with('"') { serde_json::from_str(raw).unwrap() } else { raw.to_owned() }
}

/// A column of `rows`: its type, and the value of each row that has one.
pub(crate) struct Column<'a> {
    name: &'a str,
    physical: Physical,
    required: bool,
    values: Vec<Option<&'a str>>,
}

impl<'a> Column<'a> {
    fn new(name: &'a str, rows: &'a [Row], whole: Physical) -> Self {
        let raw = |row: &'a Row| row.get(name).map(|raw| raw.get()).filter(|&raw| raw != "null");
        let values: Vec<Option<&str>> = rows.iter().map(raw).collect();
        let is_whole = |raw: &&str| raw.parse::<i64>().is_ok_and(|value| value.to_string() == **raw);
        let fits = |raw: &&str| whole != Physical::INT32 || raw.parse::<i32>().is_ok();
        let exact = |raw: &&str| whole != Physical::DOUBLE || raw.len() < 15;
        let typed = values.iter().flatten().all(|raw| is_whole(raw) && fits(raw) && exact(raw));
        let some = values.iter().any(Option::is_some);
        let physical = if typed && some { whole } else { Physical::BYTE_ARRAY };
        Self { name, physical, required: values.iter().all(Option::is_some), values }
    }

    fn schema(&self) -> Type {
        let repetition = if self.required { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let logical = (self.physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        Type::primitive_type_builder(self.name, self.physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
            .unwrap()
    }

    fn write(&self, range: std::ops::Range<usize>, writer: &mut ColumnWriter<'_>) {
        let rows = &self.values[range];
        let levels: Vec<i16> = rows.iter().map(|value| i16::from(value.is_some())).collect();
        let levels = (!self.required).then_some(levels.as_slice());
        let some = || rows.iter().flatten();
        match writer {
            ColumnWriter::Int32ColumnWriter(to) => {
                to.write_batch(&some().map(|raw| raw.parse().unwrap()).collect::<Vec<i32>>(), levels, None)
            }
            ColumnWriter::Int64ColumnWriter(to) => {
                to.write_batch(&some().map(|raw| raw.parse().unwrap()).collect::<Vec<i64>>(), levels, None)
            }
            ColumnWriter::DoubleColumnWriter(to) => {
                to.write_batch(&some().map(|raw| raw.parse().unwrap()).collect::<Vec<f64>>(), levels, None)
            }
            ColumnWriter::ByteArrayColumnWriter(to) => {
                let texts: Vec<ByteArray> = some().map(|raw| text_of(raw).into_bytes().into()).collect();
                to.write_batch(&texts, levels, None)
            }
            _ => panic!("no other type is written"),
        }
        .unwrap();
    }
}

pub(crate) fn properties(layout: Layout) -> Arc<WriterProperties> {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(layout.dictionary)
        .set_writer_version(layout.version)
        .set_compression(layout.compression)
        .set_write_batch_size(1)
        .set_data_page_row_count_limit(layout.page_rows);
    Arc::new(properties.build())
}

/// `rows` of JSON as one file.
pub(crate) fn to_parquet(rows: &[Row], layout: Layout) -> Vec<u8> {
    let mut names: Vec<&str> = rows.iter().flat_map(BTreeMap::keys).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let columns: Vec<Column<'_>> =
        names.into_iter().map(|name| Column::new(name, rows, layout.whole)).collect();
    let fields = columns.iter().map(|column| Arc::new(column.schema())).collect();
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build().unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties(layout)).unwrap();
    for start in (0..rows.len()).step_by(layout.group_rows) {
        let mut group = writer.next_row_group().unwrap();
        for column in &columns {
            let mut to = group.next_column().unwrap().unwrap();
            column.write(start..rows.len().min(start + layout.group_rows), to.untyped());
            to.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

/// The table `table` of `rows` of JSON.
pub(crate) fn files_of(table: &str, rows: &[String], layout: Layout) -> Vec<File> {
    let rows: Vec<Row> = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    let Some(part_rows) = layout.part_rows else {
        return vec![(format!("{table}.parquet"), to_parquet(&rows, layout))];
    };
    let part = |(number, rows): (usize, &[Row])| {
        (format!("{table}/part-{number:05}.parquet"), to_parquet(rows, layout))
    };
    rows.chunks(part_rows).enumerate().map(part).collect()
}

pub(crate) fn parquet(network: &Network, mut layout: impl FnMut() -> Layout) -> Vec<File> {
    let mut files = vec![("organization.json".to_owned(), network.organization.clone().into_bytes())];
    for (table, rows) in &network.tables {
        files.extend(files_of(table, rows, layout()));
    }
    files
}
