//! Any bytes: no panic, and every row read is used or skipped.

use kith_import::read::RowCount;

use kith_import::files::EntryCount;

use crate::import::archives::repacked;
use crate::import::{AnyRow, FILES, OTHERS, Row, fixture, read, rows_of};

/// The number of changed files for each fixture.
const CHANGED: u64 = 400;
/// The pieces that are put into a file.
const PIECES: [&[u8]; 26] = [
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
    b"BEGIN:VCARD\r\n",
    b"END:VCARD\r\n",
    b"BEGIN:VEVENT\n",
    b"END:VEVENT\n",
    b"=\r\n",
    b"=C3",
    b"\n ",
    b"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\n",
    b"\n\nFrom a@b.example Mon Mar 11 09:14:00 2024\n",
    b"=?UTF-8?B?",
    b"<row r=\"99\">",
    b"&lt;",
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

/// The faults of the count of a file's rows.
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

/// The faults of the counts of a file's entries.
fn faults_of_entries(rows: &[AnyRow], counts: &[EntryCount]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut counted = 0;
    for EntryCount { file, count } in counts {
        let of: Vec<&AnyRow> = rows.iter().filter(|(entry, ..)| entry == file).collect();
        let used = of.iter().filter(|(.., row)| row.is_ok()).count() as u64;
        if count.read != count.used + count.skipped || count.read != of.len() as u64 || count.used != used {
            faults.push(format!("{file}: {count:?} of {} rows, {used} of them used", of.len()));
        }
        if !of.windows(2).all(|pair| pair[0].1 < pair[1].1) {
            faults.push(format!("{file}: lines out of order"));
        }
        counted += count.read;
    }
    if counted != rows.len() as u64 {
        faults.push(format!("{} rows, {counted} of them counted", rows.len()));
    }
    if counts.is_empty() {
        faults.push("no count".to_owned());
    }
    faults
}

#[test]
fn of_any_file_each_row_is_used_or_skipped() {
    let day = kith_import::dates::CalendarDay::new(2024, 12, 31).unwrap();
    let mut with_rows = 0;
    for (place, (name, bytes)) in OTHERS.iter().enumerate() {
        let is_zip = bytes.starts_with(b"PK");
        for seed in 0..CHANGED {
            let mut dice = Dice(seed << 8 | place as u64 | 0x40_0000);
            // Of an archive, every other one is changed within.
            let changed = if is_zip && seed % 2 == 0 {
                repacked(bytes, |_, content| if dice.below(3) == 0 { dice.change(&content) } else { content })
            } else {
                dice.change(bytes)
            };
            let (rows, counts) = read(name, &changed);
            assert_eq!(faults_of_entries(&rows, &counts), [""; 0], "{name}, seed {seed}");
            for (.., row) in rows.iter().filter(|_| seed % 20 == 0) {
                if let Ok(kith_import::files::FileRow::Interaction(interaction)) = row {
                    assert!(interaction.days(day).iter().all(|one| *one <= day), "{name}, seed {seed}");
                }
            }
            with_rows += u64::from(!rows.is_empty());
        }
    }
    assert!(with_rows * 2 > CHANGED * OTHERS.len() as u64, "only {with_rows} files have rows");
}

#[test]
fn a_line_of_any_length_and_a_file_that_is_cut_anywhere_are_said_and_not_held() {
    let long = "x".repeat(4 << 20);
    for (text, skipped) in [
        (format!("BEGIN:VCARD\nFN:{long}\nEND:VCARD\nBEGIN:VCARD\nFN:Ann\nEND:VCARD\n"), 1),
        (format!("BEGIN:VCARD\nFN:Ann\nPHOTO:{long}\nEND:VCARD\n"), 0),
        (format!("From a@b.example 09:14 2024\nFrom: a@b.example\nTo: {long}\n\n"), 1),
        (
            format!("From a@b.example 09:14 2024\nFrom: a@b.example\nTo: c@d.example\nX: {long}\n\n{long}\n"),
            0,
        ),
        (format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nATTENDEE:{long}\nEND:VEVENT\nEND:VCALENDAR\n"), 1),
    ] {
        let (rows, counts) = read("a", text.as_bytes());
        assert_eq!(faults_of_entries(&rows, &counts), [""; 0]);
        assert_eq!(counts[0].count.skipped, skipped, "{}", &text[..60]);
    }
    for (name, bytes) in OTHERS {
        for cut in (0..bytes.len()).step_by(29) {
            let (rows, counts) = read(name, &bytes[..cut]);
            assert_eq!(faults_of_entries(&rows, &counts), [""; 0], "{name} cut to {cut}");
        }
    }
}

/// The control.
#[test]
fn a_row_that_an_entry_does_not_count_is_caught() {
    let (rows, counts) = read("linkedin.zip", fixture("linkedin.zip"));
    assert_eq!(faults_of_entries(&rows, &counts), [""; 0]);
    assert_eq!(faults_of_entries(&rows[1..], &counts).len(), 2);
    assert_eq!(faults_of_entries(&rows, &counts[1..]).len(), 1);
    let mut moved = rows.clone();
    moved[0].0 = "linkedin.zip!/messages.csv".to_owned();
    // Two counts, and a line out of order.
    assert_eq!(faults_of_entries(&moved, &counts).len(), 3);
}
