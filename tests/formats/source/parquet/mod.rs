//! Parquet tables: the same networks, the same faults, whatever the types, parts, groups and pages.
//!
//! Promise: Tables as Parquet, in one file or in parts, whatever the types, row groups, pages and packing, build the
//!   same bytes as NDJSON; what is wrong is named by part and row.
//! Control: one more person is other bytes; the sound parts in the same trial are read.

mod damaged;
mod random;
pub(crate) mod writing;

use std::sync::Arc;

use kith_server::snapshot::encode::encode;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::scale;
use crate::source::network::{File, Network, read, read_in_blocks};
use crate::source::parquet::random::{Random, random_network};
use crate::source::parquet::writing::{Layout, Row, files_of, parquet, to_parquet};

/// The bytes of the snapshot that `files` build.
fn bytes_of(files: &[File], block_bytes: usize) -> Vec<u8> {
    encode(&read_in_blocks(files, block_bytes).unwrap().dataset).unwrap()
}

#[test]
fn random_tables_build_the_same_bytes_as_ndjson_and_as_parquet() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let network = random_network(&mut random);
        let expected = bytes_of(&network.ndjson(), 1 << 20);
        for block_bytes in [1, 300, 1 << 20] {
            let files = parquet(&network, || Layout::random(&mut random));
            assert!(bytes_of(&files, block_bytes) == expected, "seed {seed}, blocks of {block_bytes}");
        }
        // The control: one more person is other bytes.
        let other = network.with_row("people", r#"{"id":"person_new","name":"New"}"#);
        assert!(bytes_of(&parquet(&other, || Layout::random(&mut random)), 300) != expected, "seed {seed}");
    }
}

#[test]
fn every_table_is_read() {
    let small = Network::small();
    assert_eq!(read(&parquet(&small, || Layout::PLAIN)).unwrap(), read(&small.ndjson()).unwrap());
}

#[test]
fn a_row_with_a_fault_is_reported_by_part_and_row() {
    let cases = super::faults::FAULTY_ROWS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for case in cases {
        let [table, field, said, row] = case.splitn(4, " | ").collect::<Vec<_>>().try_into().unwrap();
        let row = row.replace("GHOST", super::faults::GHOST).replace("WHEN", "2020-01-01T00:00:00Z");
        let network = Network::small().with_row(table, &row);
        let rows = network.tables[table].len() as u64;
        let said = said.replace("in line", "in row").replace("line 2 tells", "row 2 of");
        let error = read(&parquet(&network, || Layout::PLAIN)).expect_err(case);
        let sentence = error.to_string();
        let file = format!("{table}.parquet");
        assert_eq!((error.file.as_str(), error.line), (file.as_str(), Some(rows)), "{case}: {sentence}");
        assert_eq!(error.field.as_deref(), Some(field), "{case}: {sentence}");
        assert!(
            sentence.contains(&said) && sentence.contains(&format!(" row {rows}: ")),
            "{case}: {sentence}"
        );
    }
}

/// The small network with its people in the files `people`.
fn with_people(people: Vec<File>) -> Vec<File> {
    let mut files = parquet(&Network::small(), || Layout::PLAIN);
    files.retain(|(name, _)| !name.starts_with("people"));
    files.extend(people);
    files
}

/// The people of the small network, two in a part, with `row` as the last.
fn people_in_parts(row: &str) -> Vec<File> {
    let network = Network::small().with_row("people", row);
    files_of("people", &network.tables["people"], Layout { part_rows: Some(2), ..Layout::PLAIN })
}

/// One file with one row, whose columns are `fields` in the words of Parquet's schema.
fn one_row(fields: &str) -> Vec<u8> {
    let text = format!("message schema {{ {fields} }}");
    let schema = Arc::new(parquet::schema::parser::parse_message_type(&text).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        match column.untyped() {
            ColumnWriter::ByteArrayColumnWriter(to) => {
                let value = if to.get_descriptor().name() == "id" { "person_x" } else { "\u{e9}" };
                to.write_batch(&[value.into()], Some(&[1]), Some(&[0]))
            }
            ColumnWriter::BoolColumnWriter(to) => to.write_batch(&[true], Some(&[1]), None),
            ColumnWriter::Int32ColumnWriter(to) => to.write_batch(&[7], Some(&[1]), None),
            ColumnWriter::Int64ColumnWriter(to) => to.write_batch(&[-7], Some(&[1]), None),
            ColumnWriter::FloatColumnWriter(to) => to.write_batch(&[0.1], Some(&[1]), None),
            ColumnWriter::DoubleColumnWriter(to) => to.write_batch(&[f64::NAN], Some(&[1]), None),
            ColumnWriter::Int96ColumnWriter(to) => to.write_batch(&[Default::default()], Some(&[1]), None),
            ColumnWriter::FixedLenByteArrayColumnWriter(_) => panic!("not written"),
        }
        .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn faults_of_a_file_are_reported_to_the_letter() {
    let id = "REQUIRED BYTE_ARRAY id (UTF8);";
    let one = |fields: &str| vec![("people.parquet".to_owned(), one_row(&format!("{id} {fields}")))];
    let whole = people_in_parts(r#"{"id":"person_x","name":"X"}"#);
    let (second, third) = (whole[1].1.clone(), whole[2].1.clone());
    let replaced = |name: &str, bytes: &[u8]| {
        let mut parts = whole.clone();
        parts.retain(|(part, _)| part != name);
        parts.push((name.to_owned(), bytes.to_vec()));
        parts
    };
    let part = "people/part-00001.parquet";
    let mut torn = second.clone();
    torn.truncate(second.len() / 2);
    let mut tail = second.clone();
    tail.truncate(second.len() - 1);
    let with = |name: &str, bytes: &[u8]| {
        let mut files = whole.clone();
        files.push((name.to_owned(), bytes.to_vec()));
        files
    };
    let ndjson = Network::small().ndjson().into_iter().find(|(name, _)| name == "people.ndjson").unwrap();
    let text = "REQUIRED BYTE_ARRAY name (UTF8);";
    for (people, said) in [
        (one("REQUIRED INT32 name;"), "people.parquet row 1: field name: expected text, got 7"),
        (one("REQUIRED BOOLEAN name;"), "people.parquet row 1: field name: expected text, got true"),
        (one("REQUIRED FLOAT name;"), "people.parquet row 1: field name: expected text, got 0.1"),
        (one("REQUIRED DOUBLE name;"), "people.parquet row 1: field name: expected text, got NaN"),
        (
            one(&format!("{text} REQUIRED DOUBLE connectionsCount;")),
            "people.parquet row 1: field connectionsCount: expected a whole number from 0 to 9007199254740991, got NaN",
        ),
        (
            one(&format!("{text} REQUIRED INT64 connectionsCount;")),
            "people.parquet row 1: field connectionsCount: expected a whole number from 0 to 9007199254740991, got -7",
        ),
        (
            one("OPTIONAL BYTE_ARRAY Name (UTF8);"),
            "people.parquet: field name: the file lacks this column, which every row needs; is it Name?",
        ),
        (
            one("REQUIRED INT96 name;"),
            "people.parquet: field name: a column of type INT96 is not read here; write it as text, and an object or a list as JSON text",
        ),
        (
            one("REQUIRED INT32 name (DATE);"),
            "people.parquet: field name: a column of type DATE is not read here; write it as text, and an object or a list as JSON text",
        ),
        (
            one("REPEATED BYTE_ARRAY name (UTF8);"),
            "people.parquet: field name: a column of type nested columns is not read here; write it as text, and an object or a list as JSON text",
        ),
        (
            one("REQUIRED GROUP name { REQUIRED INT32 a; }"),
            "people.parquet: field name: a column of type nested columns is not read here; write it as text, and an object or a list as JSON text",
        ),
        (
            people_in_parts(r#"{"id":"person_x"}"#),
            "people/part-00002.parquet row 2: field name: has no value, and every row needs one",
        ),
        (
            people_in_parts(r#"{"id":"person_eve","name":"X"}"#),
            "people/part-00002.parquet row 2: field id: person_eve stands in row 1 of people/part-00000.parquet already; each id stands once in its table",
        ),
        (replaced(part, b""), "people/part-00001.parquet: not a Parquet file"),
        (replaced(part, &second[..3]), "people/part-00001.parquet: not a Parquet file"),
        (replaced(part, b"id,name\n"), "people/part-00001.parquet: not a Parquet file"),
        (
            replaced(part, &torn),
            "people/part-00001.parquet: does not unpack, it is damaged or cut short: Invalid Parquet file. Corrupt footer",
        ),
        (
            replaced(part, &tail),
            "people/part-00001.parquet: does not unpack, it is damaged or cut short: Invalid Parquet file. Corrupt footer",
        ),
        (with("people.ndjson", &ndjson.1), "people/: people.ndjson holds the same table; keep one of them"),
        (with("people.parquet", &third), "people/: people.parquet holds the same table; keep one of them"),
        (
            vec![ndjson.clone(), ("people.parquet".to_owned(), third.clone())],
            "people.parquet: people.ndjson holds the same table; keep one of them",
        ),
        (
            vec![("people.parquet.gz".to_owned(), third.clone())],
            "people.ndjson: there is no such file, and every network needs this table (an empty one will do for members; .gz and .zst are read too)",
        ),
    ] {
        assert_eq!(read(&with_people(people)).expect_err(said).to_string(), said);
    }
    // The control: the sound parts in the same trial.
    assert!(read(&with_people(whole)).is_ok());
}

#[test]
fn text_that_is_no_utf_8_and_a_row_without_the_text_it_needs_are_reported() {
    let schema = "message schema { REQUIRED BYTE_ARRAY id; OPTIONAL BYTE_ARRAY name; }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let file = |name: Option<&[u8]>| {
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, schema.clone(), Default::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for value in [Some(&b"person_x"[..]), name] {
            let mut column = group.next_column().unwrap().unwrap();
            let ColumnWriter::ByteArrayColumnWriter(to) = column.untyped() else { panic!("text") };
            let values: Vec<ByteArray> = value.into_iter().map(|text| text.to_vec().into()).collect();
            to.write_batch(&values, Some(&[i16::from(value.is_some())]), None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        bytes
    };
    for (name, said) in [
        (Some(&b"\xff"[..]), "people.parquet row 1: field name: not UTF-8 text; save the file in UTF-8"),
        (Some(b""), "people.parquet row 1: field name: has no value, and every row needs one"),
        (None, "people.parquet row 1: field name: has no value, and every row needs one"),
    ] {
        let files = with_people(vec![("people.parquet".to_owned(), file(name))]);
        assert_eq!(read(&files).unwrap_err().to_string(), said);
    }
}

#[test]
fn points_in_time_may_have_a_type_of_their_own_if_they_are_utc() {
    let member = |is_utc: bool, unit: TimeUnit, value: i64| {
        let text = |name: &'static str| {
            Type::primitive_type_builder(name, Physical::BYTE_ARRAY).with_converted_type(ConvertedType::UTF8)
        };
        let time = Type::primitive_type_builder("joinedAt", Physical::INT64)
            .with_logical_type(Some(LogicalType::timestamp(is_utc, unit)));
        let fields = [text("userId"), text("personId"), text("role"), time]
            .map(|field| Arc::new(field.with_repetition(Repetition::REQUIRED).build().unwrap()));
        let schema = Arc::new(Type::group_type_builder("s").with_fields(fields.to_vec()).build().unwrap());
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, Default::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for text in ["user_1", "person_bob", "admin", ""] {
            let mut column = group.next_column().unwrap().unwrap();
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(to) => to.write_batch(&[value], None, None),
                ColumnWriter::ByteArrayColumnWriter(to) => to.write_batch(&[text.into()], None, None),
                _ => panic!("no other type"),
            }
            .unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        let mut network = Network::small();
        network.tables.retain(|table, _| ["people", "companies"].contains(table));
        let mut files = network.ndjson();
        files.push(("members.parquet".to_owned(), bytes));
        read(&files)
    };
    for (unit, value) in
        [(TimeUnit::MILLIS, 1_500), (TimeUnit::MICROS, 1_500_000), (TimeUnit::NANOS, 1_500_000_000)]
    {
        let joined = member(true, unit, value).unwrap().dataset.members.joined_at[0];
        assert_eq!((joined.seconds, joined.nanos), (1, 500_000_000));
    }
    let said = "members.parquet row 1: field joinedAt: expected a time such as 2026-01-02T03:04:05Z, got \"1970-01-01T00:00:01.500000000\"";
    assert_eq!(member(false, TimeUnit::MILLIS, 1_500).unwrap_err().to_string(), said);
}

#[test]
fn no_byte_of_a_file_brings_the_program_down() {
    let sound = people_in_parts(r#"{"id":"person_x","name":"X"}"#);
    let bytes = to_parquet(
        &Network::small().tables["people"]
            .iter()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect::<Vec<Row>>(),
        Layout { compression: Compression::UNCOMPRESSED, ..Layout::PLAIN },
    );
    let step = scale::of(16, 1) as usize;
    let flips = (0..bytes.len()).step_by(step).map(|place| (place, bytes.len()));
    let cuts = (0..bytes.len()).step_by(step).map(|cut| (0, cut));
    let (mut refused, mut tried) = (0, 0);
    for (place, length) in flips.chain(cuts) {
        let mut broken = bytes[..length].to_vec();
        if let Some(byte) = broken.get_mut(place).filter(|_| length == bytes.len()) {
            *byte ^= 0x55;
        }
        let files = with_people(vec![("people.parquet".to_owned(), broken)]);
        refused += usize::from(read(&files).is_err());
        tried += 1;
    }
    assert!(refused > tried / 2, "{refused} of {tried}: each cut and many a flipped byte is refused");
    assert!(read(&with_people(sound)).is_ok());
}

#[test]
fn what_engines_write_beside_the_parts_is_no_part_and_other_files_are_named() {
    let mut files = with_people(people_in_parts(r#"{"id":"person_x","name":"X"}"#));
    for name in ["_SUCCESS", "_metadata", ".part-00000.parquet.crc", "_old.parquet", "notes.txt"] {
        files.push((format!("people/{name}"), b"nothing".to_vec()));
    }
    files.push(("evidence/notes.txt".to_owned(), Vec::new()));
    files.retain(|(name, _)| !name.starts_with("evidence."));
    let built = read(&files).unwrap();
    let ignored: Vec<&str> = built.ignored.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(ignored, ["evidence", "people/notes.txt"]);
    assert_eq!(built.dataset.people.len(), 6);
}
