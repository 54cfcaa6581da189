//! Folders of messages: a Maildir, `.eml` and `.emlx` give the same as one archive of the same mail.
//!
//! Promise: The messages of a Maildir, and `.eml` and `.emlx` files, are read as an archive of the same mail is, of any
//!   number; one that several folders hold counts once; what is being delivered is not read.
//! Control: a message with another Message-ID counts; a person who is in the unfinished message alone is nobody.

use serde_json::Value;

use super::{Bench, LINKEDIN};

const CONNECTIONS: &str = "Bo,Hart,https://www.linkedin.com/in/bo-hart,bo@hart.example,Hart AG,CEO,01 Feb 2024\n\
     Cy,Lind,https://www.linkedin.com/in/cy-lind,cy@lind.example,Lind AG,CEO,02 Feb 2024\n";

/// Mail between Ana and Bo, and of Bo and Cy with her in copy; each with its Message-ID.
fn mail() -> Vec<String> {
    let head = |number: usize, from: &str, to: &str| {
        format!(
            "Message-ID: <m{number}@hart.example>\nFrom: {from}\nTo: {to}\nDate: Mon, {:02} Mar 2024 09:14:00 +0000\nSubject: x\n\n\
             From here on a body, with From: nobody@body.example\n",
            number + 3
        )
    };
    let (ana, bo, cy) =
        ("Ana Ruiz <ana@acme.example>", "Bo Hart <bo@hart.example>", "Cy Lind <cy@lind.example>");
    let all = format!("{ana}, {cy}");
    let back = format!("{ana}, {bo}");
    let talk = [(ana, bo), (bo, ana), (bo, &all), (cy, &back), (bo, &all), (ana, cy), (cy, ana)];
    talk.iter().enumerate().map(|(number, (from, to))| head(number, from, to)).collect()
}

/// The edges and people that `files` give beside the connections.
fn tables(files: &[(&str, String)]) -> (String, String) {
    let connections = format!("{LINKEDIN}{CONNECTIONS}");
    let team = "[organization]\nname = \"Acme\"\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n\
                files = [\"Connections.csv\", \"mail\"]\n";
    let bench = Bench::new(&[("Connections.csv", &connections), ("team.toml", team)]);
    files.iter().for_each(|(name, text)| bench.put(&format!("mail/{name}"), text));
    let ended = bench.import("team.toml", "tables", &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let report: Value = bench.report();
    let totals = &report["totals"];
    let sum = ["used", "merged", "skipped"].iter().map(|key| totals[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(totals["read"].as_u64(), Some(sum), "{totals}");
    (bench.text("tables/connections.ndjson"), bench.text("tables/people.ndjson"))
}

#[test]
fn folders_of_messages_give_what_the_same_mail_gives_as_one_archive() {
    let mail = mail();
    let archive: String =
        mail.iter().map(|one| format!("From x@y.example Mon Mar 11 09:14:00 2024\n{one}\n")).collect();
    let expected = tables(&[("all.mbox", archive)]);
    assert!(expected.0.contains("seenTogether"), "the mail derives a tie: {}", expected.0);
    let each = |name: fn(usize) -> &'static str, text: fn(&str) -> String| -> Vec<(String, String)> {
        mail.iter()
            .enumerate()
            .map(|(at, one)| (format!("{}{at}{}", name(at), tail(name(at))), text(one)))
            .collect()
    };
    let as_is = |one: &str| one.to_owned();
    let unfinished = "From: Eve Early <eve@early.example>\nTo: ana@acme.example\n\n".to_owned();
    for mut files in [
        each(|at| ["Inbox/cur/17", "Inbox/new/18", "Inbox/.Sent/cur/19"][at % 3], as_is),
        each(|_| "saved/", as_is),
        each(|_| "apple/deep/Messages/", |one| format!("{}\n{one}<?xml version=\"1.0\"?>\n", one.len())),
        each(|_| "crlf/", |one| one.replace('\n', "\r\n")),
    ] {
        if files[0].0.starts_with("Inbox") {
            // Other files in a Maildir, beside its messages.
            for empty in ["Inbox/new/.keep", "Inbox/.Sent/new/.keep", "Inbox/cur/.keep"] {
                files.push((empty.to_owned(), String::new()));
            }
            files.push(("Inbox/tmp/20".to_owned(), unfinished.clone()));
        }
        let files: Vec<(&str, String)> =
            files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        assert_eq!(tables(&files), expected, "{}", files[0].0);
    }
}

/// How the name of a message ends in the folder `folder`.
fn tail(folder: &str) -> &'static str {
    match folder.split('/').next() {
        Some("saved" | "crlf") => ".eml",
        Some("apple") => ".emlx",
        _ => ".host:2,S",
    }
}

#[test]
fn a_message_that_several_folders_hold_counts_once() {
    let mail = mail();
    let once: Vec<(&str, String)> = vec![("a.eml", mail[0].clone()), ("b.eml", mail[1].clone())];
    let expected = tables(&once);
    let twice =
        [once.clone(), vec![("copy/a.eml", mail[0].clone()), ("copy/b.eml", mail[1].clone())]].concat();
    assert_eq!(tables(&twice), expected);
    // The control: other messages of the same day.
    let others = mail.iter().map(|one| one.replace("<m", "<other"));
    let others: Vec<(&str, String)> = ["copy/a.eml", "copy/b.eml"].into_iter().zip(others).collect();
    assert_ne!(tables(&[once, others].concat()), expected);
}

#[test]
fn a_store_of_outlook_is_refused_by_name_with_the_remedy() {
    let bench = Bench::new(&[("mail.pst", "!BDN and more")]);
    let ended = bench.import_mine(&["mail.pst"], "tables");
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("mail.pst") && ended.err.contains(".mbox or .eml"), "{}", ended.err);
}
