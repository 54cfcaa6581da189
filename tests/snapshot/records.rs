//! Records with correct checksums and content that no dataset can have: broken text, times, closed sets, and hostile
//! counts.

use bincode::{Decode, Encode};
use kith_server::model::csr::ColumnFault;
use kith_server::snapshot::{ContentFault, SnapshotError, encode};

use crate::craft::{self, assert_refused};
use crate::sample::small;

const OUT_SCORES: usize = 3;
const INTO_SCORES: usize = 4;
const BREAKDOWNS: usize = 7;
const PEOPLE_IDS: usize = 8;
const POSITIONS: usize = 12;
const COMPANIES: usize = 16;
const ADVOCATES: usize = 22;
const MEMBERS: usize = 23;
const ORGANIZATION: usize = 24;

type Texts = (Vec<u32>, Vec<u8>);
type Dictionary = (Texts, Vec<u32>);
type Times = (Vec<i64>, Vec<u32>);
type Companies = (Texts, Texts, Texts, Dictionary, Dictionary, Vec<u64>, Vec<u64>, Texts);
type Members = (Texts, Vec<u32>, Vec<u8>, Times, Times);
type Advocates = (Vec<u32>, Vec<u32>, Vec<u8>, Times);
type Organization = (Vec<u8>, Vec<u8>, u32);

/// The sample with the record of section `ix` changed, all checksums right.
fn changed<R: Encode + Decode<()>>(ix: usize, change: impl FnOnce(&mut R)) -> Vec<u8> {
    let mut sections = craft::sections(&encode(&small()).unwrap());
    let (mut record, used): (R, usize) =
        bincode::decode_from_slice(&sections[ix], craft::bincode_config()).unwrap();
    assert_eq!(used, sections[ix].len(), "the record is not all of section {ix}");
    change(&mut record);
    sections[ix] = bincode::encode_to_vec(&record, craft::bincode_config()).unwrap();
    craft::file(&sections)
}

#[track_caller]
fn refused<R: Encode + Decode<()>>(
    ix: usize,
    change: impl FnOnce(&mut R),
    (column, row, fault): (&'static str, Option<usize>, ContentFault),
) {
    let expected = SnapshotError::Content { column, row, fault };
    assert_refused(&changed(ix, change), &expected, column);
}

#[test]
fn text_columns_have_sound_offsets_and_text() {
    let offsets = |fault| ("people.ids", None, ContentFault::Offsets(fault));
    refused(PEOPLE_IDS, |(at, _): &mut Texts| at.clear(), offsets(ColumnFault::Start));
    refused(PEOPLE_IDS, |(at, _): &mut Texts| at[0] = 1, offsets(ColumnFault::Start));
    refused(PEOPLE_IDS, |(at, _): &mut Texts| at[3] = 0, offsets(ColumnFault::Descending(3)));
    refused(PEOPLE_IDS, |(at, _): &mut Texts| at[8] -= 1, offsets(ColumnFault::End));
    refused(PEOPLE_IDS, |(_, arena): &mut Texts| arena.push(b'x'), offsets(ColumnFault::End));
    refused(
        PEOPLE_IDS,
        |(_, arena): &mut Texts| arena[9] = 0xFF,
        ("people.ids", None, ContentFault::NotUtf8 { at: 9 }),
    );
    refused(
        BREAKDOWNS,
        |(_, arena): &mut Texts| *arena.last_mut().unwrap() = 0xC3,
        ("breakdowns", None, ContentFault::NotUtf8 { at: 49 }),
    );
}

#[test]
fn bytes_of_scores_are_scores_or_none() {
    let score = |direction, got| (direction, Some(0), ContentFault::Score { got });
    refused(OUT_SCORES, |scores: &mut Vec<u8>| scores[0] = 101, score("edges.out", 101));
    refused(OUT_SCORES, |scores: &mut Vec<u8>| scores[3] = 254, score("edges.out", 254));
    refused(INTO_SCORES, |scores: &mut Vec<u8>| scores[0] = 200, score("edges.into", 200));
    let last = ("edges.out", Some(6), ContentFault::Score { got: 128 });
    refused(OUT_SCORES, |scores: &mut Vec<u8>| *scores.last_mut().unwrap() = 128, last);
}

#[test]
fn offsets_do_not_cut_characters() {
    let cut = |record: &mut Companies| record.1.0[2] = 6; // inside the second letter of Błue
    refused(COMPANIES, cut, ("companies.names", None, ContentFault::Offsets(ColumnFault::CutsCharacter(2))));
}

#[test]
fn dictionaries_and_single_texts_are_held_to_the_same() {
    refused(
        POSITIONS,
        |((_, arena), _): &mut Dictionary| arena[0] = 0x80,
        ("people.positions", None, ContentFault::NotUtf8 { at: 0 }),
    );
    refused(
        ORGANIZATION,
        |(id, ..): &mut Organization| id[0] = 0xF8,
        ("organization.id", None, ContentFault::NotUtf8 { at: 0 }),
    );
    refused(
        ORGANIZATION,
        |(_, name, _): &mut Organization| name.push(0xC3),
        ("organization.name", None, ContentFault::NotUtf8 { at: 4 }),
    );
}

#[test]
fn closed_sets_hold_their_values_only() {
    let value = |column, row, got| (column, Some(row), ContentFault::Value { got });
    refused(MEMBERS, |record: &mut Members| record.2[1] = 2, value("members.roles", 1, 2));
    refused(MEMBERS, |record: &mut Members| record.2[2] = 255, value("members.roles", 2, 255));
    refused(ADVOCATES, |record: &mut Advocates| record.2[4] = 3, value("advocates.statuses", 4, 3));
}

#[test]
fn times_are_times_and_no_time_is_written_one_way() {
    let time = |column, row, seconds, nanos| (column, Some(row), ContentFault::Time { seconds, nanos });
    let (joined, synced) = ("members.joined_at", "members.synced_at");
    let second = 1_577_836_800; // of the sample's first member
    refused(MEMBERS, |r: &mut Members| r.3.1[0] = 1_000_000_000, time(joined, 0, second, 1_000_000_000));
    refused(MEMBERS, |r: &mut Members| r.3.1[0] = u32::MAX, time(joined, 0, second, u32::MAX));
    refused(MEMBERS, |r: &mut Members| r.3.0[2] += 1, time(joined, 2, 253_402_300_800, 0));
    refused(MEMBERS, |r: &mut Members| r.3.0[1] -= 1, time(joined, 1, -62_167_219_201, 0));
    refused(MEMBERS, |r: &mut Members| r.3.0[0] = i64::MAX, time(joined, 0, i64::MAX, 123_456_789));
    refused(MEMBERS, |r: &mut Members| r.4.0[0] = 1, time(synced, 0, 1, u32::MAX));
    refused(
        ADVOCATES,
        |r: &mut Advocates| r.3.1[1] = u32::MAX - 1,
        time("advocates.synced_at", 1, 0, u32::MAX - 1),
    );
}

#[test]
fn columns_that_make_one_row_are_equally_long() {
    let length = |column, expected, got| (column, None, ContentFault::Length { expected, got });
    refused(MEMBERS, |r: &mut Members| r.3.1.push(0), length("members.joined_at", 3, 4));
    refused(ADVOCATES, |r: &mut Advocates| _ = r.1.pop(), length("advocates.members", 5, 4));
    refused(ADVOCATES, |r: &mut Advocates| r.2.push(0), length("advocates.statuses", 5, 6));
    refused(
        ADVOCATES,
        |r: &mut Advocates| r.3 = (vec![0; 4], vec![0; 4]),
        length("advocates.synced_at", 5, 4),
    );
}

/// Maximum address space of this process so far, in bytes; 0 if the system does not report it.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

#[test]
fn hostile_counts_are_refused_and_take_no_memory() {
    let sections = craft::sections(&encode(&small()).unwrap());
    let before = peak_bytes();
    for ix in 0..sections.len() {
        for count in [1 << 33, 1 << 40, 1 << 62, u64::MAX] {
            let mut sections = sections.clone();
            sections[ix][..8].copy_from_slice(&count.to_le_bytes());
            let error = craft::refusal(&craft::file(&sections));
            assert!(
                matches!(error, SnapshotError::RecordOverrun { missing, .. } if missing >= 1 << 32),
                "{error:?}"
            );
        }
    }
    assert!(peak_bytes() - before < 4 << 30, "the smallest count alone would have taken 8 GiB");
}
