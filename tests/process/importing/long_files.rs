//! Files larger than memory: mail is read to its end in little memory, and nothing is silently truncated.
//!
//! Promise: A mail archive of any length is read to its end in 64 MiB more than a short one; a file beyond its bound,
//!   and what a folder holds beyond 10,000 files, is refused by name. Calendars whose events repeat without end take no
//!   more than 512 MiB, and what is not counted of them is reported.
//! Control: a table of 200 MiB, which is held.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use super::{Bench, LINKEDIN};
use crate::program::kith;

const MEGABYTE: u64 = 1 << 20;
const TEAM: &str =
    "[organization]\nname = \"Acme\"\n\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n";

fn message(from: &str, to: &str, day: u32) -> String {
    format!(
        "From x@x.example Mon Mar {day:02} 09:14:00 2024\nFrom: {from}\nTo: {to}\nDate: Mon, {day:02} Mar 2024 09:14:00 \
         +0000\n\nhello\n\n"
    )
}

/// A mail archive of `bytes`, most of them one attachment, which the file system does not store. Gus wrote and was answered
/// before it, Fay behind it.
fn archive(path: &Path, bytes: u64) {
    let mut file = File::create(path).unwrap();
    let both = |name: &str| {
        let other = format!("{name} Hart <{name}@hart.example>");
        message("ana@acme.example", &other, 11) + &message(&other, "ana@acme.example", 12)
    };
    file.write_all(both("gus").as_bytes()).unwrap();
    file.seek(SeekFrom::Start(bytes)).unwrap();
    file.write_all(format!("\n\n{}", both("fay")).as_bytes()).unwrap();
}

/// Imports `file`; how it ended, its report, and the most memory it had in KiB.
fn import(bench: &Bench, file: &str) -> (Option<i32>, Value, u64) {
    bench.put("team.toml", &format!("{TEAM}files = [\"contacts.csv\", \"{file}\"]\n"));
    let path = |name: &str| bench.path(name).to_str().unwrap().to_owned();
    let arguments =
        ["import", &path("team.toml"), "--tables", &path("tables"), "--report", &path("report.json")];
    let mut child = kith(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    let code = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mark = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most = most.max(mark.map_or(0, |mark| mark.parse().unwrap()));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended.code();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    (code, serde_json::from_str(&bench.text("report.json")).unwrap(), most)
}

fn of<'r>(report: &'r Value, file: &str) -> &'r Value {
    report["files"].as_array().unwrap().iter().find(|entry| entry["file"] == file).unwrap()
}

#[test]
fn mail_of_any_length_is_read_to_its_end_in_little_memory() {
    let row = format!("{LINKEDIN}Kim,Berg,https://www.linkedin.com/in/kim-berg,,Berg,Partner,12 Mar 2024\n");
    let bench = Bench::new(&[("contacts.csv", &row)]);
    archive(&bench.path("short.mbox"), MEGABYTE);
    archive(&bench.path("long.mbox"), 600 * MEGABYTE);
    let (_, _, base) = import(&bench, "short.mbox");
    let (code, report, most) = import(&bench, "long.mbox");
    assert_eq!((code, &of(&report, "long.mbox")["read"]), (Some(0), &4.into()), "{report}");
    let people = bench.text("tables/people.ndjson");
    assert!(people.contains("gus@hart.example") && people.contains("fay@hart.example"), "{people}");
    assert!(most < base + 64 * 1024, "{most} KiB, {base} for a short archive");
    // The control: what is no mail is held as a whole.
    let mut table = File::create(bench.path("long.csv")).unwrap();
    table.write_all(row.as_bytes()).unwrap();
    table.set_len(200 * MEGABYTE).unwrap();
    let (_, _, held) = import(&bench, "long.csv");
    assert!(held > base + 64 * 1024, "the control took {held} KiB");
}

#[test]
fn a_file_beyond_its_bound_is_refused_by_name_and_nothing_of_it_is_used() {
    let row = format!("{LINKEDIN}Kim,Berg,https://www.linkedin.com/in/kim-berg,,Berg,Partner,12 Mar 2024\n");
    for (name, begin) in
        [("long.csv", row.as_bytes()), ("long.zip", b"PK\x03\x04"), ("long.vcf", b"BEGIN:VCARD\n")]
    {
        let bench = Bench::new(&[("contacts.csv", &row)]);
        let mut file = File::create(bench.path(name)).unwrap();
        file.write_all(begin).unwrap();
        file.set_len(256 * MEGABYTE + 1).unwrap();
        let (code, report, _) = import(&bench, name);
        let entry = of(&report, name);
        assert_eq!((code, &entry["read"]), (Some(1), &0.into()), "{name}: {entry}");
        assert!(entry["fault"].as_str().unwrap().contains("268435456 bytes"), "{name}: {entry}");
    }
}

#[test]
fn a_folder_of_more_files_than_are_read_says_so() {
    let bench = Bench::new(&[]);
    fs::create_dir(bench.path("cards")).unwrap();
    for card in 0..=10_000 {
        let text =
            format!("BEGIN:VCARD\nVERSION:3.0\nFN:Kim Berg{card}\nEMAIL:kim{card}@berg.example\nEND:VCARD\n");
        fs::write(bench.path(&format!("cards/{card:05}.vcf")), text).unwrap();
    }
    bench.put("team.toml", &format!("{TEAM}files = [\"cards\"]\n"));
    let ended = bench.import("team.toml", "tables", &[]);
    let report: Value = serde_json::from_str(&bench.text("report.json")).unwrap();
    assert_eq!((ended.code, &report["totals"]["read"]), (Some(1), &10_000.into()));
    let fault = of(&report, "cards")["fault"].as_str().unwrap();
    assert!(fault.contains("10,000"), "{fault}");
}

/// Meetings of every day for eleven years, in a calendar of 400 kB: the days were kept for each person and each two people,
/// which took gigabytes.
#[test]
fn events_that_repeat_without_end_are_counted_up_to_a_bound_and_the_rest_is_reported() {
    let person = |number: u8| {
        format!("Pia{},Ex,,p{number}@x.example,Hart Co,CEO,01 Jan 2025\n", char::from(b'a' + number))
    };
    let rows: String = (0..10).map(person).collect();
    for (people, kept) in [(3_u8, 331), (10, 99)] {
        let guests: String =
            (0..people).map(|guest| format!("ATTENDEE:mailto:p{guest}@x.example\r\n")).collect();
        let event = |number: u32| {
            format!(
                "BEGIN:VEVENT\r\nUID:{number}\r\nDTSTART;VALUE=DATE:20140101\r\nRRULE:FREQ=DAILY\r\n\
                 ORGANIZER:mailto:ana@acme.example\r\n{guests}END:VEVENT\r\n"
            )
        };
        let events: String = (0..1_000).map(event).collect();
        let bench = Bench::new(&[
            ("contacts.csv", &format!("{LINKEDIN}{rows}")),
            ("all.ics", &format!("BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n")),
        ]);
        let (code, report, most) = import(&bench, "all.ics");
        let calendar = of(&report, "all.ics");
        assert_eq!((code, &calendar["merged"]), (Some(0), &kept.into()), "{people}");
        assert_eq!(calendar["skips"].as_array().unwrap().len(), 1_000 - kept, "{people}");
        let notes = report["notes"].to_string();
        assert_eq!(notes.contains("events that repeat derive no edges"), people == 3, "{notes}");
        assert!(most < 512 * 1024, "{people}: {most} KiB");
    }
}
