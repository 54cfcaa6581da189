//! Each clause of the header and of the layout has a file that breaks only that clause.

use kith_server::snapshot::{FORMAT_VERSION, SnapshotError, decode, encode};

use crate::craft::{self, Entry, assert_refused, put};
use crate::sample::{small, tiny};

const SECTIONS: [&str; 31] = [
    "edges.out.ends",
    "edges.into.ends",
    "edges.breakdowns",
    "edges.out.scores",
    "edges.into.scores",
    "vectors.positions",
    "vectors.company_names",
    "breakdowns",
    "people.ids",
    "people.names",
    "people.emails",
    "people.handles",
    "people.positions",
    "people.details",
    "person_names.sorted",
    "person_names.words",
    "companies",
    "company_names.sorted",
    "company_names.words",
    "vectors",
    "opportunities",
    "intro_requests",
    "advocates",
    "members",
    "organization",
    "companies.domains",
    "evidence",
    "people.aliases",
    "members.external_ids",
    "preferences",
    "former",
];

fn sample() -> Vec<u8> {
    encode(&small()).unwrap()
}

/// The sample with `change` made, identity and header checksum right again.
fn sealed(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = sample();
    change(&mut bytes);
    craft::seal(&mut bytes);
    bytes
}

#[test]
fn a_file_that_ends_inside_its_header_is_too_short() {
    let bytes = sample();
    let header = craft::header_end(&bytes) as u64;
    for (got, needed) in [(0, 56), (7, 56), (55, 56), (56, header), (header - 1, header)] {
        let expected = SnapshotError::TooShort { got, needed };
        assert_refused(&bytes[..got as usize], &expected, "cut inside the header");
    }
}

#[test]
fn another_beginning_is_no_snapshot_and_so_is_one_that_a_text_transfer_changed() {
    let good = *b"\x89KITH\r\n\n";
    for got in [
        *b"PK\x03\x04\0\0\0\0",
        *b"\x09KITH\r\n\n",
        *b"\x89KITH\n\n\0",
        *b"\x89KITH\r\n\r",
        *b"\x89KITH\r\r\n",
    ] {
        assert_ne!(got, good);
        let bytes = sealed(|bytes| put(bytes, craft::MAGIC_AT, &got));
        assert_refused(&bytes, &SnapshotError::BadMagic, "magic");
    }
}

#[test]
fn every_other_format_version_is_refused() {
    for got in [0, FORMAT_VERSION + 1, u32::MAX] {
        let bytes = sealed(|bytes| put(bytes, craft::VERSION_AT, &got.to_le_bytes()));
        let expected = SnapshotError::UnsupportedVersion { got, supported: FORMAT_VERSION };
        assert_refused(&bytes, &expected, "version");
    }
}

#[test]
fn a_table_longer_than_any_is_refused_before_it_is_read() {
    for got in [(16 << 10) + 1, u32::MAX] {
        let mut bytes = sample();
        put(&mut bytes, craft::TABLE_BYTES_AT, &got.to_le_bytes());
        assert_refused(&bytes, &SnapshotError::TableTooLong { got }, "table length");
    }
}

#[test]
fn a_header_that_does_not_match_its_checksum_is_refused() {
    for at in [craft::FILE_BYTES_AT, craft::IDENTITY_AT, craft::TABLE_AT, craft::table_end(&sample())] {
        let mut bytes = sample();
        bytes[at] ^= 1;
        assert_refused(&bytes, &SnapshotError::HeaderChecksum, &format!("byte {at}"));
    }
}

#[test]
fn a_file_shorter_or_longer_than_its_header_says_is_refused() {
    let (bytes, expected) = (sample(), sample().len() as u64);
    let cut = &bytes[..bytes.len() - 1];
    assert_refused(cut, &SnapshotError::Truncated { expected, got: expected - 1 }, "cut");
    let longer = [&bytes[..], &[0]].concat();
    assert_refused(&longer, &SnapshotError::TrailingBytes { expected, got: expected + 1 }, "longer");
}

#[test]
fn an_identity_that_is_not_the_tables_is_refused() {
    let mut bytes = sample();
    bytes[craft::IDENTITY_AT] ^= 1;
    craft::seal_header(&mut bytes);
    assert_refused(&bytes, &SnapshotError::IdentityMismatch, "identity");
}

#[test]
fn a_table_that_bincode_cannot_read_or_that_has_bytes_left_is_refused() {
    for count in [SECTIONS.len() as u64 - 1, SECTIONS.len() as u64 + 1, 1 << 40, u64::MAX] {
        let bytes = sealed(|bytes| put(bytes, craft::TABLE_AT, &count.to_le_bytes()));
        assert_refused(&bytes, &SnapshotError::Table, &format!("count {count}"));
    }
}

#[test]
fn a_section_too_few_or_too_many_is_refused() {
    let sections = craft::sections(&sample());
    for (version, expected) in [(1, 25), (2, 27), (3, 28), (4, 30), (5, SECTIONS.len())] {
        for got in
            [0, 25, 27, 28, 30, SECTIONS.len(), SECTIONS.len() + 1].into_iter().filter(|got| *got != expected)
        {
            let mut sections = sections.clone();
            sections.resize(got, vec![0; 8]);
            let mut bytes = craft::file(&sections);
            put(&mut bytes, craft::VERSION_AT, &u32::to_le_bytes(version));
            craft::seal_header(&mut bytes);
            let expected = SnapshotError::SectionCount { expected, got };
            assert_refused(&bytes, &expected, &format!("count in version {version}"));
        }
    }
}

#[test]
fn sections_stand_in_the_order_of_their_kinds() {
    let (section, expected) = (SECTIONS[3], 4);
    for got in [0, 3, 5, u32::MAX] {
        let bytes = craft::with_table(&sample(), |table| table[3].0 = got);
        assert_refused(&bytes, &SnapshotError::SectionKind { section, expected, got }, "kind");
    }
}

#[test]
fn sections_begin_where_the_one_before_and_their_alignment_let_them() {
    let expected = craft::table(&sample())[4].1;
    let section = SECTIONS[4];
    for got in [0, expected - 64, expected + 1, expected + 64, u64::MAX] {
        let bytes = craft::with_table(&sample(), |table| table[4].1 = got);
        assert_refused(&bytes, &SnapshotError::SectionOffset { section, expected, got }, "offset");
    }
}

#[test]
fn sections_end_inside_the_file_and_the_last_one_ends_it() {
    let last = SECTIONS.len() - 1;
    let size = sample().len() as u64;
    for length in [size, u64::MAX, u64::MAX - craft::table(&sample())[last].1 + 1] {
        let bytes = craft::with_table(&sample(), |table| table[last].2 = length);
        let expected = SnapshotError::SectionBeyondEnd { section: SECTIONS[last], length };
        assert_refused(&bytes, &expected, "length");
    }
    let bytes = craft::with_table(&sample(), |table| table[last].2 -= 1);
    assert_refused(&bytes, &SnapshotError::SectionsEnd { expected: size, got: size - 1 }, "end");
}

#[test]
fn every_byte_of_padding_is_zero() {
    let bytes = sample();
    let mut end = craft::header_end(&bytes);
    let mut padding = 0;
    for ((_, offset, length, _), section) in craft::table(&bytes).into_iter().zip(SECTIONS) {
        for at in end..offset as usize {
            let mut bytes = bytes.clone();
            bytes[at] = 1;
            assert_refused(&bytes, &SnapshotError::Padding { section }, &format!("byte {at}"));
            padding += 1;
        }
        end = (offset + length) as usize;
    }
    assert!(padding > 100, "only {padding} bytes of padding were tried");
}

#[test]
fn every_section_is_held_to_its_checksum() {
    for ((_, offset, length, _), section) in craft::table(&sample()).into_iter().zip(SECTIONS) {
        for at in [offset, offset + length / 2, offset + length - 1] {
            let mut bytes = sample();
            bytes[at as usize] ^= 0x80;
            assert_refused(&bytes, &SnapshotError::SectionChecksum { section }, &format!("byte {at}"));
        }
        let ix = SECTIONS.iter().position(|name| *name == section).unwrap();
        let bytes = craft::with_table(&sample(), |table| table[ix].3[31] ^= 1);
        assert_refused(&bytes, &SnapshotError::SectionChecksum { section }, "checksum");
    }
}

#[test]
fn a_record_that_needs_more_bytes_than_its_section_has_is_refused() {
    let sections = craft::sections(&sample());
    for (ix, section) in SECTIONS.into_iter().enumerate() {
        for kept in [0, 7, sections[ix].len() - 1] {
            let mut sections = sections.clone();
            sections[ix].truncate(kept);
            let error = craft::refusal(&craft::file(&sections));
            assert!(
                matches!(error, SnapshotError::RecordOverrun { section: said, missing } if said == section && missing > 0),
                "{section} cut to {kept}: {error:?}"
            );
        }
    }
}

#[test]
fn bytes_behind_a_record_are_refused() {
    let sections = craft::sections(&sample());
    for (ix, section) in SECTIONS.into_iter().enumerate() {
        for bytes in [1, 300_000] {
            let mut sections = sections.clone();
            let longer = sections[ix].len() + bytes;
            sections[ix].resize(longer, 0);
            let expected = SnapshotError::RecordTrailing { section, bytes: bytes as u64 };
            assert_refused(&craft::file(&sections), &expected, section);
        }
    }
}

#[test]
fn two_sections_that_changed_places_are_refused_even_with_their_own_checksums() {
    let bytes = encode(&tiny()).unwrap();
    let (sections, table) = (craft::sections(&bytes), craft::table(&bytes));
    let checksums: Vec<[u8; 32]> = table.iter().map(|&(_, _, _, checksum): &Entry| checksum).collect();
    for (first, &section) in SECTIONS.iter().enumerate() {
        for (second, other) in SECTIONS.iter().enumerate().skip(first + 1) {
            let (mut sections, mut checksums) = (sections.clone(), checksums.clone());
            sections.swap(first, second);
            checksums.swap(first, second);
            let swapped = craft::file_with_checksums(&sections, &checksums);
            assert_refused(&swapped, &SnapshotError::SectionChecksum { section }, other);
        }
    }
}

#[test]
fn a_section_of_another_snapshot_is_refused() {
    let (mine, mut other) = (encode(&tiny()).unwrap(), tiny());
    other.people.emails = crate::sample::texts(&["", "c@y.io"]);
    let other = encode(&other).unwrap();
    decode(&other).unwrap();
    let ix = SECTIONS.iter().position(|name| *name == "people.emails").unwrap();
    let (_, offset, length, _) = craft::table(&mine)[ix];
    let mut mixed = mine.clone();
    let section = offset as usize..(offset + length) as usize;
    mixed[section.clone()].copy_from_slice(&other[section]);
    assert_refused(&mixed, &SnapshotError::SectionChecksum { section: "people.emails" }, "mixed");
}
