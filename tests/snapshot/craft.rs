//! Takes snapshot files apart and puts them together with separate code, including faults.
//!
//! It is written from the description of the format alone, so it also proves that description.

use kith_server::snapshot::{self, SnapshotError};

pub(crate) const MAGIC_AT: usize = 0;
pub(crate) const VERSION_AT: usize = 8;
pub(crate) const TABLE_BYTES_AT: usize = 12;
pub(crate) const FILE_BYTES_AT: usize = 16;
pub(crate) const IDENTITY_AT: usize = 24;
pub(crate) const TABLE_AT: usize = 56;
const CHECKSUM_BYTES: usize = 32;

/// One row of the section table: kind, offset, length, checksum.
pub(crate) type Entry = (u32, u64, u64, [u8; 32]);

/// bincode as the format uses it.
pub(crate) fn bincode_config() -> impl bincode::config::Config {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding()
}

/// The number of four bytes at `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Puts `new` over the bytes at `at`.
pub(crate) fn put(bytes: &mut [u8], at: usize, new: &[u8]) {
    bytes[at..at + new.len()].copy_from_slice(new);
}

/// The end of the section table, where the header checksum begins.
pub(crate) fn table_end(bytes: &[u8]) -> usize {
    TABLE_AT + u32_at(bytes, TABLE_BYTES_AT) as usize
}

/// The end of the header.
pub(crate) fn header_end(bytes: &[u8]) -> usize {
    table_end(bytes) + CHECKSUM_BYTES
}

/// The section table.
pub(crate) fn table(bytes: &[u8]) -> Vec<Entry> {
    bincode::decode_from_slice(&bytes[TABLE_AT..table_end(bytes)], bincode_config()).unwrap().0
}

/// The bytes of each section.
pub(crate) fn sections(bytes: &[u8]) -> Vec<Vec<u8>> {
    table(bytes).iter().map(|&(_, at, len, _)| bytes[at as usize..(at + len) as usize].to_vec()).collect()
}

/// Makes the header checksum right.
pub(crate) fn seal_header(bytes: &mut [u8]) {
    let end = table_end(bytes);
    let checksum = *blake3::hash(&bytes[..end]).as_bytes();
    put(bytes, end, &checksum);
}

/// Makes identity and header checksum right.
pub(crate) fn seal(bytes: &mut [u8]) {
    let identity = blake3::derive_key("kith snapshot identity v1", &bytes[TABLE_AT..table_end(bytes)]);
    put(bytes, IDENTITY_AT, &identity);
    seal_header(bytes);
}

/// `bytes` with another section table of the same length, sealed.
pub(crate) fn with_table(bytes: &[u8], change: impl FnOnce(&mut Vec<Entry>)) -> Vec<u8> {
    let mut entries = table(bytes);
    change(&mut entries);
    let mut crafted = bytes.to_vec();
    put(&mut crafted, TABLE_AT, &bincode::encode_to_vec(&entries, bincode_config()).unwrap());
    seal(&mut crafted);
    crafted
}

/// The checksum that belongs to section bytes of `kind`.
pub(crate) fn section_checksum(kind: u32, bytes: &[u8]) -> [u8; 32] {
    let key = blake3::derive_key("kith snapshot section v1", &kind.to_le_bytes());
    *blake3::keyed_hash(&key, bytes).as_bytes()
}

/// A file of these sections, all checksums right.
pub(crate) fn file(sections: &[Vec<u8>]) -> Vec<u8> {
    let checksums: Vec<_> =
        sections.iter().zip(1..).map(|(bytes, kind)| section_checksum(kind, bytes)).collect();
    file_with_checksums(sections, &checksums)
}

/// `bytes` with only the sections that a file of an older `version` has, as such a file.
pub(crate) fn of_version(version: u32, bytes: &[u8]) -> Vec<u8> {
    let count = [25, 27, 28, 30][version as usize - 1];
    let mut bytes = file(&sections(bytes)[..count]);
    put(&mut bytes, VERSION_AT, &version.to_le_bytes());
    seal_header(&mut bytes);
    bytes
}

/// A file of these sections with these checksums, sealed.
pub(crate) fn file_with_checksums(sections: &[Vec<u8>], checksums: &[[u8; 32]]) -> Vec<u8> {
    let table_bytes = 8 + sections.len() * (4 + 8 + 8 + 32);
    let mut at = TABLE_AT + table_bytes + CHECKSUM_BYTES;
    let mut entries: Vec<Entry> = Vec::new();
    for ((section, checksum), kind) in sections.iter().zip(checksums).zip(1..) {
        at = at.next_multiple_of(64);
        entries.push((kind, at as u64, section.len() as u64, *checksum));
        at += section.len();
    }
    let mut bytes = vec![0; at];
    put(&mut bytes, MAGIC_AT, b"\x89KITH\r\n\n");
    put(&mut bytes, VERSION_AT, &5_u32.to_le_bytes());
    put(&mut bytes, TABLE_BYTES_AT, &(table_bytes as u32).to_le_bytes());
    put(&mut bytes, FILE_BYTES_AT, &(at as u64).to_le_bytes());
    put(&mut bytes, TABLE_AT, &bincode::encode_to_vec(&entries, bincode_config()).unwrap());
    for ((_, at, _, _), section) in entries.iter().zip(sections) {
        put(&mut bytes, *at as usize, section);
    }
    seal(&mut bytes);
    bytes
}

/// Why `bytes` are refused; their error is written as errors are here.
#[track_caller]
pub(crate) fn refusal(bytes: &[u8]) -> SnapshotError {
    let error = match snapshot::decode(bytes) {
        Ok(_) => panic!("the snapshot was accepted"),
        Err(error) => error,
    };
    let said = error.to_string();
    assert!(said.starts_with(|first: char| first.is_lowercase()), "{said}");
    assert!(
        !said.ends_with('.') && said.contains("build the snapshot again from its source tables"),
        "{said}"
    );
    error
}

/// Requires that `bytes` are refused with exactly this error.
#[track_caller]
pub(crate) fn assert_refused(bytes: &[u8], expected: &SnapshotError, why: &str) {
    assert_eq!(format!("{:?}", refusal(bytes)), format!("{expected:?}"), "{why}");
}
