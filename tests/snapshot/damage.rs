//! Random damage: every bit, every length. And the control: the checksums are what refuses it.
//!
//! The usual size takes the smallest snapshots, the full size a network of some hundred people.
//!
//! Promise: Any flipped bit, any truncation, any byte too many is refused by name.
//! Control: checksums made again after each of 57,896 flips: 20,557 load as another network.

use std::collections::BTreeMap;

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::snapshot::{Loaded, SnapshotError, decode, encode};
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use rayon::prelude::*;

use crate::craft;
use crate::sample::{small, tiny};
use crate::scale;

/// People in the full size: about 256 KiB.
const PEOPLE: u64 = 360;
/// The sections that hold vectors.
const VECTORS: [usize; 3] = [5, 6, 19];

/// The name of the clause that refused, if it is one of the container's.
fn clause(error: &SnapshotError) -> Option<&'static str> {
    match error {
        SnapshotError::BadMagic => Some("magic"),
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

/// The number of refusals by clause.
type Tally = BTreeMap<&'static str, usize>;

fn sum(mut tally: Tally, other: Tally) -> Tally {
    other.into_iter().for_each(|(clause, count)| *tally.entry(clause).or_default() += count);
    tally
}

/// The snapshot that is damaged: a small one, or in the full size that of a generated network.
fn whole(small: Vec<u8>) -> Vec<u8> {
    let people = scale::of(0, PEOPLE);
    if people == 0 {
        return small;
    }
    let folder = tempfile::tempdir().unwrap();
    write_tables(&Plan::sized(people as u32, 15 * people), folder.path()).unwrap();
    encode(&read_folder(folder.path(), &Silent).unwrap().dataset).unwrap()
}

/// Has copies of `bytes` damaged in `count` ways, on all cores, and left as they were; each must be refused
/// by a named clause.
fn refusals(
    bytes: &[u8],
    count: usize,
    decode_damaged: impl Fn(&mut [u8], usize) -> Result<Loaded, SnapshotError> + Sync,
) -> Tally {
    let refusal = |copy: &mut Vec<u8>, way: usize| {
        let error = decode_damaged(copy, way).err().unwrap_or_else(|| panic!("{way} was accepted"));
        Tally::from([(clause(&error).unwrap_or_else(|| panic!("{way}: {error:?}")), 1)])
    };
    (0..count).into_par_iter().map_init(|| bytes.to_vec(), refusal).reduce(Tally::new, sum)
}

#[test]
fn every_single_bit_flip_is_refused_by_a_named_clause_of_the_container() {
    let bytes = whole(encode(&tiny()).unwrap());
    let bits = bytes.len() * 8;
    let refusals = refusals(&bytes, bits, |copy, bit| {
        copy[bit / 8] ^= 1 << (bit % 8);
        let decoded = decode(copy);
        copy[bit / 8] ^= 1 << (bit % 8);
        decoded
    });
    println!("{bits} bits flipped, one at a time, and refused: {refusals:?}");
    assert_eq!(refusals.values().sum::<usize>(), bits);
    // Version 5 is one bit away from versions 1 and 4, which have another number of sections.
    assert_eq!((refusals["magic"], refusals["version"]), (64, 30), "{refusals:?}");
    let section_bits: usize = craft::sections(&bytes).iter().map(|section| section.len() * 8).sum();
    assert_eq!(refusals["section checksum"], section_bits, "{refusals:?}");
    decode(&bytes).unwrap();
}

/// The control: with right checksums over the same flips, the structure of the records lets most of
/// them pass, and the checks of the content cannot know what a name was before.
#[test]
fn without_checksums_most_flips_fit_the_structure_and_many_are_another_network() {
    let bytes = encode(&small()).unwrap();
    let (dataset, sections) = (decode(&bytes).unwrap().dataset, craft::sections(&bytes));
    // Of vectors, which are most of the bytes and all alike, a few are enough.
    let step = |section: usize| if VECTORS.contains(&section) { scale::of(13, 1) as usize } else { 1 };
    let flips: Vec<(usize, usize)> = (0..sections.len())
        .flat_map(|section| {
            (0..sections[section].len() * 8).step_by(step(section)).map(move |bit| (section, bit))
        })
        .collect();
    let outcome = |copy: &mut Vec<Vec<u8>>, &(section, bit): &(usize, usize)| {
        copy[section][bit / 8] ^= 1 << (bit % 8);
        let decoded = decode(&craft::file(copy));
        copy[section][bit / 8] ^= 1 << (bit % 8);
        let outcome = match decoded {
            Ok(loaded) => {
                assert_ne!(loaded.dataset, dataset, "bit {bit} of section {section} means nothing");
                "another network"
            }
            Err(SnapshotError::Content { .. }) => "content",
            Err(SnapshotError::RecordOverrun { .. } | SnapshotError::RecordTrailing { .. }) => "structure",
            Err(other) => panic!("bit {bit} of section {section}: {other:?}"),
        };
        Tally::from([(outcome, 1)])
    };
    let outcomes = flips.par_iter().map_init(|| sections.clone(), outcome).reduce(Tally::new, sum);
    println!("{} bits flipped below right checksums: {outcomes:?}", flips.len());
    let (loaded, fitting) = (outcomes["another network"], flips.len() - outcomes["structure"]);
    assert!(fitting * 2 > flips.len(), "only {fitting} of {} flips fit the structure", flips.len());
    assert!(loaded * 10 > flips.len(), "only {loaded} of {} flips are another network", flips.len());
}

#[test]
fn every_truncation_is_refused() {
    let bytes = whole(encode(&tiny()).unwrap());
    let refusals = refusals(&bytes, bytes.len(), |copy, length| decode(&copy[..length]));
    println!("{} truncations refused: {refusals:?}", bytes.len());
    assert_eq!(refusals.keys().collect::<Vec<_>>(), [&"too short", &"truncated"]);
}

#[test]
fn every_extension_is_refused() {
    let mut bytes = whole(encode(&tiny()).unwrap());
    let expected = bytes.len() as u64;
    for added in 1..=4096_u64 {
        bytes.push(added as u8);
        let error = decode(&bytes).err().unwrap_or_else(|| panic!("{added} bytes more were accepted"));
        let said = matches!(error, SnapshotError::TrailingBytes { expected: said, got } if (said, got) == (expected, expected + added));
        assert!(said, "{added}: {error:?}");
    }
}
