//! Damage by chance: every bit, every length. And the control: what refuses it is the checksums.

use std::collections::BTreeMap;

use kith::snapshot::{SnapshotError, decode, encode};

use crate::craft;
use crate::sample::{small, tiny};

/// The sections that hold vectors.
const VECTORS: [usize; 3] = [5, 6, 19];

/// The name of the clause that refused, where it is one of the container's.
fn clause(error: &SnapshotError) -> Option<&'static str> {
    match error {
        SnapshotError::BadMagic { .. } => Some("magic"),
        SnapshotError::UnsupportedVersion { .. } => Some("version"),
        SnapshotError::TableTooLong { .. } => Some("table length"),
        SnapshotError::TooShort { .. } => Some("too short"),
        SnapshotError::Truncated { .. } => Some("truncated"),
        SnapshotError::TrailingBytes { .. } => Some("trailing bytes"),
        SnapshotError::HeaderChecksum => Some("header checksum"),
        SnapshotError::Padding { .. } => Some("padding"),
        SnapshotError::SectionChecksum { .. } => Some("section checksum"),
        _ => None,
    }
}

#[test]
fn every_single_bit_flip_is_refused_by_a_named_clause_of_the_container() {
    let mut bytes = encode(&tiny()).unwrap();
    let mut refusals = BTreeMap::new();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = decode(&bytes).err().unwrap_or_else(|| panic!("bit {bit} flipped was accepted"));
        let clause = clause(&error).unwrap_or_else(|| panic!("bit {bit}: {error:?}"));
        *refusals.entry(clause).or_insert(0_usize) += 1;
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(refusals.values().sum::<usize>(), bytes.len() * 8);
    assert_eq!((refusals["magic"], refusals["version"]), (64, 32), "{refusals:?}");
    let section_bits: usize = craft::sections(&bytes).iter().map(|section| section.len() * 8).sum();
    assert_eq!(refusals["section checksum"], section_bits, "{refusals:?}");
    decode(&bytes).unwrap();
}

/// The control: with right checksums over the same flips, the structure of the records lets most of
/// them pass, and the checks of the content cannot know what a name was before.
#[test]
fn without_checksums_most_flips_fit_the_structure_and_many_are_another_network() {
    let dataset = small();
    let mut sections = craft::sections(&encode(&dataset).unwrap());
    let (mut flips, mut structure, mut content) = (0, 0, 0);
    for section in 0..sections.len() {
        // Of vectors, which are most of the bytes and all alike, a few are enough.
        let step = if VECTORS.contains(&section) { 13 } else { 1 };
        for bit in (0..sections[section].len() * 8).step_by(step) {
            sections[section][bit / 8] ^= 1 << (bit % 8);
            match decode(&craft::file(&sections)) {
                Ok(loaded) => {
                    assert_ne!(loaded.dataset, dataset, "bit {bit} of section {section} means nothing");
                    content += 1;
                }
                Err(SnapshotError::Content { .. }) => structure += 1,
                Err(SnapshotError::RecordOverrun { .. } | SnapshotError::RecordTrailing { .. }) => {}
                Err(other) => panic!("bit {bit} of section {section}: {other:?}"),
            }
            flips += 1;
            sections[section][bit / 8] ^= 1 << (bit % 8);
        }
    }
    structure += content;
    assert!(structure * 2 > flips, "only {structure} of {flips} flips fit the structure");
    assert!(content * 10 > flips, "only {content} of {flips} flips are another network");
}

#[test]
fn every_truncation_is_refused() {
    let bytes = encode(&tiny()).unwrap();
    for length in 0..bytes.len() {
        let error = decode(&bytes[..length]).err().unwrap_or_else(|| panic!("{length} bytes were accepted"));
        assert!(matches!(clause(&error), Some("too short" | "truncated")), "{length}: {error:?}");
    }
}

#[test]
fn every_extension_is_refused() {
    let mut bytes = encode(&tiny()).unwrap();
    let expected = bytes.len() as u64;
    for added in 1..=4096_u64 {
        bytes.push(added as u8);
        let error = decode(&bytes).err().unwrap_or_else(|| panic!("{added} bytes more were accepted"));
        let told = matches!(error, SnapshotError::TrailingBytes { expected: told, got } if (told, got) == (expected, expected + added));
        assert!(told, "{added}: {error:?}");
    }
}
