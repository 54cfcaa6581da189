//! Any bytes: no panic, and every row read is used or skipped.

use kith::import::read::RowCount;

use crate::import::{FILES, Row, rows_of};

/// So many changed files for each fixture.
const CHANGED: u64 = 400;
/// What is put into a file.
const PIECES: [&[u8]; 14] = [
    b"\"",
    b"\"\"",
    b",",
    b";",
    b"\t",
    b"\r",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"::: ",
    b"@",
];

/// Numbers from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    /// `bytes` with a few pieces put in, taken out, doubled or cut off.
    fn change(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut changed = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(changed.len() + 1);
            let end = (at + self.below(20)).min(changed.len());
            match self.below(5) {
                0 => changed.truncate(at),
                1 => drop(changed.drain(at..end)),
                2 => {
                    let doubled = changed[at..end].to_vec();
                    changed.splice(at..at, doubled);
                }
                3 => changed[at..end].iter_mut().for_each(|byte| *byte ^= 0x20),
                _ => drop(changed.splice(at..at, PIECES[self.below(PIECES.len())].iter().copied())),
            }
        }
        changed
    }
}

/// What is wrong with the count of a file's rows.
fn faults(rows: &[Row], count: &RowCount) -> Vec<String> {
    let used = rows.iter().filter(|(_, row)| row.is_ok()).count() as u64;
    let mut faults = Vec::new();
    if count.read != count.used + count.skipped || count.read != rows.len() as u64 || count.used != used {
        faults.push(format!("{count:?} of {} rows, {used} of them contacts", rows.len()));
    }
    if !rows.windows(2).all(|pair| pair[0].0 < pair[1].0) {
        faults.push("lines out of order".to_owned());
    }
    if count.read > 0 && count.format.is_none() {
        faults.push("rows of no format".to_owned());
    }
    faults
}

/// The lines below the header of a text without quotes: its rows.
fn plain_rows(text: &str, header: &str) -> u64 {
    let (_, below) = text.split_once(header).unwrap();
    below.split(['\n', '\r']).filter(|line| !line.is_empty()).count() as u64
}

#[test]
fn of_any_bytes_each_row_is_used_or_skipped() {
    let mut with_rows = 0;
    for (place, (name, bytes)) in FILES.iter().enumerate() {
        for seed in 0..CHANGED {
            let mut dice = Dice(seed << 8 | place as u64);
            let changed = dice.change(bytes);
            let (rows, count) = rows_of(&changed);
            assert_eq!(faults(&rows, &count), [""; 0], "{name}, seed {seed}");
            with_rows += u64::from(count.read > 0);
        }
    }
    // The test is of rows, not of headers that were destroyed.
    assert!(with_rows * 2 > CHANGED * FILES.len() as u64, "only {with_rows} files have rows");
    for bytes in [&b""[..], b"\0", b"\xff\xfe", b"\xfe\xff\0", b"\xef\xbb\xbf", &[b','; 5000], &[b'"'; 5001]]
    {
        let (rows, count) = rows_of(bytes);
        assert!(rows.is_empty() && count.fault.is_some(), "{count:?}");
    }
}

#[test]
fn no_row_of_a_text_without_quotes_is_passed_over() {
    const HEADER: &str = "First Name,Last Name,Connected On\n";
    const CELLS: [&str; 8] = ["Ann", "", " ", "\u{a0}", ",", "\n", "\r", "\r\n"];
    for seed in 0..CHANGED {
        let mut dice = Dice(seed);
        let mut text = HEADER.to_owned();
        (0..dice.below(60)).for_each(|_| text.push_str(CELLS[dice.below(CELLS.len())]));
        let (rows, count) = rows_of(text.as_bytes());
        assert_eq!((rows.len() as u64, count.fault), (plain_rows(&text, HEADER), None), "{text:?}");
    }
}

/// The control: a reader that drops a skipped row, one that counts a row twice, and one that loses its lines.
#[test]
fn a_row_that_is_dropped_or_counted_twice_is_caught() {
    let (rows, count) = rows_of(FILES[0].1);
    assert_eq!(faults(&rows, &count), [""; 0]);
    let used: Vec<Row> = rows.iter().filter(|(_, row)| row.is_ok()).cloned().collect();
    assert_eq!(faults(&used, &count).len(), 1);
    assert_eq!(faults(&rows, &RowCount { used: count.used + 1, ..count.clone() }).len(), 1);
    let twice: Vec<Row> = rows.iter().map(|(_, row)| (1, row.clone())).collect();
    assert_eq!(faults(&twice, &count).len(), 1);
}
