//! The fixtures that are not tables of contacts, row by row.
//!
//! Promise: Every row of any file that is imported, tables, cards, mail, calendars, workbooks and archives, is used, or
//!   skipped with its line and the reason: read = used + skipped in each entry, whatever its bytes and wherever it is
//!   cut.
//! Control: rows that an entry does not count, or that are another's.
//! Also in: `tests/formats/import/hostile.rs`.
//!
//! Promise: No word of a message, a subject or a title is kept.
//! Control: the word in a value that is kept is found.

use kith_import::dates::CalendarDay;
use kith_import::files::{FileRow, is_mail_archive, read_file, read_mail};
use kith_import::interaction::{Interaction, Party};
use kith_import::own::CalendarMonth;

use crate::import::files::short;
use crate::import::{AnyRow, fixture, read};

/// Each row as its entry, line and what it is in short; then each entry that has no row, or a fault.
fn said(file: &str, bytes: &[u8]) -> Vec<String> {
    let (rows, counts) = read(file, bytes);
    let mut said: Vec<String> = rows.iter().map(row_in_short).collect();
    for entry in counts.iter().filter(|entry| entry.count.read == 0 || entry.count.fault.is_some()) {
        let fault = entry.count.fault.as_ref().map(|fault| format!(" fault: {fault}")).unwrap_or_default();
        said.push(format!("{}{fault}", entry.file));
    }
    said
}

fn row_in_short((file, line, row): &AnyRow) -> String {
    let what = match row {
        Ok(FileRow::Contact(contact)) => short(contact),
        Ok(FileRow::Interaction(interaction) | FileRow::Mail(interaction, _)) => in_short(interaction),
        Ok(FileRow::Position(own) | FileRow::School(own)) => {
            format!("{} | {} | {} | {}", own.company, own.title, month(own.from), month(own.to))
        }
        Ok(FileRow::Profile(own)) => {
            format!(
                "{} | {} | {} | {} | {} | {}",
                own.name, own.given, own.family, own.maiden, own.industry, own.city
            )
        }
        Ok(FileRow::Tie(tie)) => format!("{} -> {} {:?}", party(&tie.from), party(&tie.to), tie.weight),
        Ok(FileRow::List(list)) => format!("list {list}"),
        Ok(FileRow::OwnAddress(own)) => format!("own address: {} {}", own.email, own.is_primary),
        Err(reason) => format!("skipped: {reason}"),
    };
    format!("{} {line} {what}", file.split_once("!/").map_or("", |(_, entry)| entry)).trim_start().to_owned()
}

fn in_short(interaction: &Interaction) -> String {
    let to: Vec<String> = interaction.to.iter().map(|one| party(one)).collect();
    let until = CalendarDay::new(2024, 12, 31).unwrap();
    let days: Vec<String> = interaction.days(until).iter().map(|one| day(*one)).collect();
    format!("{:?} {} -> {} on {}", interaction.kind, party(&interaction.from), to.join(", "), days.join(" "))
}

fn party(party: &Party) -> String {
    let parts = [Some(&party.name), party.handle.as_ref(), party.email.as_ref()];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("/")
}

fn day(day: CalendarDay) -> String {
    format!("{}-{}-{}", day.year, day.month, day.day)
}

fn month(month: Option<CalendarMonth>) -> String {
    month.map_or(String::new(), |month| format!("{}-{:?}", month.year, month.month))
}

#[track_caller]
fn check(file: &str, expected: &[&str]) {
    assert_eq!(said(file, fixture(file)), expected, "{file}");
}

#[test]
fn columns_that_the_manifest_names_are_read_below_any_preamble() {
    check(
        "mapped.csv",
        &[
            "3 Jörg Müller | joerg-mueller | j.mueller@groesse.example jm@mail.example | Größe & Söhne GmbH | 2022-4-3 | of ann@lee.example",
            "4 skipped: all cells are empty",
            "5 Änne Weiß | ?3/4/2022 | of Ann Lee",
            "6 skipped: neither a name nor an e-mail address",
        ],
    );
    check(
        "edges.csv",
        &[
            "2 ann@lee.example -> priya-sharma-1a2b3c Some(0.75)",
            "3 Ann Lee/ann@lee.example -> Tom Ray None",
            "4 skipped: names no sender, or nobody else",
            "5 skipped: its weight is no number, or may be two",
            "6 ann@lee.example -> Eve Fox Some(0.5)",
        ],
    );
    assert_eq!(
        said("edges.csv", b"Title\nsource,aim,strength\na,b,1\n"),
        [
            "edges.csv fault: no column is called \"target\" as the team file says; the nearest header is: source,aim,strength"
        ]
    );
}

#[test]
fn an_export_whose_header_is_not_certain_is_refused_by_name_with_the_mapping() {
    for (file, bytes, says) in [
        (
            "linkedin-french.csv",
            &include_bytes!("../../../fixtures/exports/linkedin-french.csv")[..],
            "LinkedIn connections in French",
        ),
        ("affinity.csv", include_bytes!("../../../fixtures/exports/affinity.csv"), "a list of Affinity"),
    ] {
        let said = said(file, bytes).join("\n");
        assert!(said.contains(says) && said.contains(&format!("[[columns]]\nfile = \"{file}\"\n")), "{said}");
    }
}

#[test]
fn cards_are_read_in_each_version_as_phones_write_them() {
    check(
        "android.vcf",
        &[
            "1 Jörg Müller | j.mueller@groesse.example | Größe & Söhne | Chef",
            "14 Änne Weiß",
            "18 skipped: neither a name nor an e-mail address",
            "22 skipped: cut short: its end is missing",
            "26 Tom Ray | tom@ray.example",
        ],
    );
    check(
        "apple.vcf",
        &[
            "1 Priya Sharma | priya-sharma-1a2b3c psharma | priya@mill.example priya@mail.example | Copper Mill, Inc. | Technical Recruiter | #Friends #Private",
            "22 skipped: a group, a company or a place, not a person",
            "29 skipped: a group, a company or a place, not a person",
            "36 only@address.example",
        ],
    );
    check(
        "version4.vcf",
        &[
            "1 山田太郎 | taro-yamada | taro@kumo.example | Kumo",
            "10 skipped: a group, a company or a place, not a person",
            "15 Dr. Ben J. Okri | Editor, Poetry",
        ],
    );
}

#[test]
fn the_whole_archive_of_linkedin_is_read_entry_by_entry() {
    check(
        "linkedin.zip",
        &[
            "Connections.csv 5 Priya Sharma | priya-sharma-1a2b3c | Copper Mill, Inc. | Technical Recruiter | 2024-3-12",
            "Connections.csv 6 Zoë 🚀 Ås, MBA | zoë-as | zoe@lantern.example | Lanternworks | Head of \"Odd\" Jobs | 2022-4-3",
            "Connections.csv 7 skipped: a closed account: no name",
            "Connections.csv 8 skipped: all cells are empty",
            "Connections.csv 9 Tom",
            "Connections.csv 10 Mai Tran | Two Lines | Engineer | ?someday",
            "Connections.csv 13 Priya Sharma | priya-sharma-1a2b3c | Copper Mill | Recruiter | 2024-3-12",
            "messages.csv 2 Message Ann Lee/ann-lee -> Priya Sharma/priya-sharma-1a2b3c on 2024-7-1",
            "messages.csv 4 Message Priya Sharma/priya-sharma-1a2b3c -> Ann Lee/ann-lee on 2024-7-2",
            "messages.csv 5 Message Ann Lee/ann-lee -> Priya Sharma/priya-sharma-1a2b3c, Tom Ray/tom-ray on 2024-7-3",
            "messages.csv 6 skipped: a draft",
            "messages.csv 7 skipped: bulk mail or spam",
            "messages.csv 8 skipped: names no sender, or nobody else",
            "Invitations.csv 2 Invitation Ann Lee/ann-lee -> Priya Sharma/priya-sharma-1a2b3c on 2024-7-8",
            "Invitations.csv 3 Invitation Zoë Ås/zoë-as -> Ann Lee/ann-lee on 2023-12-31",
            "Positions.csv 2 Brook | CTO | 2024-Some(1) | ",
            "Positions.csv 3 Copper Mill | Engineer | 2019-None | 2023-Some(12)",
            "Positions.csv 4 skipped: a position without a company",
            "Profile.csv 2 Ann Lee | Ann | Lee | Ray | Software Development | Berlin, Germany",
            "linkedin.zip!/Skills.csv",
            "linkedin.zip!/Jobs/Saved Jobs.csv",
            "linkedin.zip!/photo.jpg",
        ],
    );
}

#[test]
fn a_workbook_is_read_by_what_its_cells_show() {
    check(
        "linkedin.xlsx",
        &[
            "4 Ann Lee | ann-lee | Brook & Co <1> | CTO | 2022-2-7",
            "5 Bob Ray | 42 | 2024-3-12",
            "7 skipped: all cells are empty",
            "9 skipped: a closed account: no name",
            "More 2 Cy Orr | 2024-3-12",
            "linkedin.xlsx!/Totals",
        ],
    );
}

#[test]
fn mail_is_who_wrote_to_whom_and_bulk_crowds_and_drafts_count_for_nothing() {
    let crowd: Vec<String> = (0..10).map(|number| format!("p{number}@crowd.example")).collect();
    check(
        "mail.mbox",
        &[
            "1 Mail Ann Lee/ann@lee.example -> Fox, Dee/dee@fox.example on 2024-3-11",
            "10 Mail Jörg Müller/jm@mail.example -> ann@lee.example, Tom Ray/tom@ray.example, dee@fox.example on 2024-3-12",
            "21 skipped: bulk mail or spam",
            "28 skipped: bulk mail or spam",
            "35 skipped: bulk mail or spam",
            "41 skipped: a draft",
            "48 skipped: more than 10 other people",
            &format!("54 Mail Ann Lee/ann@lee.example -> {} on ", crowd.join(", ")),
            "60 skipped: names no sender, or nobody else",
            "66 skipped: bulk mail or spam",
            "73 Mail dee@fox.example -> Ann Lee/ann@lee.example on ",
        ],
    );
}

#[test]
fn mail_is_read_from_a_stream_as_from_memory() {
    let bytes = fixture("mail.mbox");
    assert!(is_mail_archive(bytes) && !is_mail_archive(fixture("linkedin.csv")));
    let (mut streamed, mut held) = (Vec::new(), Vec::new());
    // Three bytes at a time: each line comes in pieces.
    let mut slow = std::io::BufReader::with_capacity(3, bytes);
    let count = read_mail("mail.mbox", &mut slow, &mut |_, line, row| streamed.push((line, row)));
    let counts = read_file("mail.mbox", bytes, None, &mut |_, line, row| held.push((line, row)));
    assert_eq!((streamed, vec![count]), (held, counts));
}

#[test]
fn a_calendar_gives_the_meetings_that_took_place() {
    check(
        "calendar.ics",
        &[
            "13 Meeting Ann Lee/ann@lee.example -> Fox, Dee/dee@fox.example on 2024-3-11",
            "26 Meeting ann@lee.example -> tom@ray.example on 2024-3-4 2024-3-25 2024-4-1",
            "34 Meeting ann@lee.example -> tom@ray.example on 2024-3-12",
            "41 skipped: cancelled",
            "48 skipped: declined",
            "54 skipped: names no sender, or nobody else",
            "59 skipped: more than 10 other people",
            "75 skipped: no day that can be read",
            "80 skipped: cut short: its end is missing",
        ],
    );
    let cancelled =
        String::from_utf8_lossy(fixture("calendar.ics")).replace("METHOD:PUBLISH", "METHOD:CANCEL");
    assert!(said("c.ics", cancelled.as_bytes()).iter().all(|row| row.ends_with("skipped: cancelled")));
}

#[test]
fn days_of_what_repeats_are_counted_up_to_a_day_and_say_so() {
    let (rows, _) = read("calendar.ics", fixture("calendar.ics"));
    let meetings: Vec<&Interaction> = rows
        .iter()
        .filter_map(|(.., row)| match row {
            Ok(FileRow::Interaction(meeting)) => Some(meeting),
            _ => None,
        })
        .collect();
    let days = |up_to: &str| -> Vec<usize> {
        meetings.iter().map(|meeting| meeting.days(CalendarDay::parse(up_to).unwrap()).len()).collect()
    };
    assert_eq!(days("2024-03-03"), [0, 0, 0]);
    assert_eq!(days("2024-03-11"), [1, 1, 0]);
    assert_eq!(days("2024-03-25"), [1, 2, 1]);
    // The one that stands for a day of the others repeats too: it never says how new the file is.
    assert_eq!(
        meetings.iter().map(|meeting| meeting.repeats.is_some()).collect::<Vec<_>>(),
        [false, true, true]
    );
}

/// No word of what was written to others is in what is read.
#[test]
fn nothing_that_was_written_or_planned_is_kept() {
    let kept = |file: &str, bytes: &[u8]| format!("{:?}", read(file, bytes));
    for file in ["linkedin.zip", "mail.mbox", "calendar.ics"] {
        let kept = kept(file, fixture(file));
        assert!(!kept.to_lowercase().contains("secret"), "{file}: {kept}");
    }
    // The control: a file that has the word in a value that is kept.
    assert!(kept("a.csv", b"First Name,Last Name,Connected On\nSecret,Name,\n").contains("Secret"));
}
