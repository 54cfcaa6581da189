//! Mail and meetings with contacts whose address no file has: whose they are, and what is said of the others.
//!
//! Promise: An address in mail or an event is a contact's if its name and the company of its domain are theirs alone: then
//!   what was written, met or answered counts, in either direction. It makes no person, and no tie to a colleague's contact.
//! Control: the same name without the company, the name of two at one company, a name that no contact has; each says why.

use serde_json::Value;

use super::{Bench, LINKEDIN};
use crate::program::run_well;

const TEAM: &str = "[organization]\nname = \"Acme\"\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n\
                    role = \"admin\"\nfiles = [\"Connections.csv\", \"all.mbox\", \"ana.ics\"]\n\
                    [[members]]\nname = \"Ben Okri\"\nemail = \"ben@acme.example\"\nfiles = [\"ben/Connections.csv\"]\n";
/// Ana's contacts. None has an address but one of the two Kim Ray.
const CONTACTS: [&str; 7] = [
    "Omar,Lefèvre 🌍,https://www.linkedin.com/in/omar-l,,Quantumwave,CTO,02 Jun 2026",
    "Fabian,Reddy,https://www.linkedin.com/in/fabian-r,,Hansa Scale GmbH,CFO,02 Jun 2020",
    "Eva,Cho,https://www.linkedin.com/in/eva-c,,Quantumwave,COO,02 Jun 2020",
    "Emil,Günther,https://www.linkedin.com/in/emil-g,,,,02 Jun 2020",
    "Kim,Ray,https://www.linkedin.com/in/kim-1,kim@hansascale.example,Hansascale,,02 Jun 2020",
    "Kim,Ray,https://www.linkedin.com/in/kim-2,,Hansascale,,02 Jun 2020",
    "Lea,Koch,https://www.linkedin.com/in/lea-k,,Quantumwave,,02 Jun 2020",
];
const OF_BEN: &str = "Bo,Berg,https://www.linkedin.com/in/bo-b,,Quantumwave,,02 Jun 2020";

fn mail(from: &str, to: &str, day: &str) -> String {
    format!(
        "From x@x.example Mon Mar 11 09:14:00 2024\nFrom: {from}\nTo: {to}\nDate: {day} 09:14:00 +0000\n\nhello\n\n"
    )
}

/// A folder with the exports of the team, and its import.
fn imported(more: &[&str]) -> Bench {
    let me = "Ana Ruiz <ana@acme.example>";
    let to_me = |from: &str, day: &str| mail(from, me, day);
    let by_me = |to: &str, day: &str| mail(me, to, day);
    let mails = [
        // Omar wrote, and Ana answered: nobody answered her.
        to_me("Omar Lefevre <omar@quantumwave.example>", "1 Mar 2022"),
        by_me("\"Lefèvre, Omar\" <omar@quantumwave.example>", "2 Mar 2022"),
        by_me("fabian reddy <fabian@hansascale.example>", "3 Mar 2022"),
        to_me("Emil Günther <emil@quantumwave.example>", "4 Mar 2022"),
        by_me("Kim Ray <kray@hansascale.example>", "5 Mar 2022"),
        by_me("Bo Berg <bo@quantumwave.example>", "6 Mar 2022"),
        by_me("Lea Kohl <lea@quantumwave.example>", "7 Mar 2022"),
    ];
    let event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20220308T090000Z\nSTATUS:CONFIRMED\n\
                 ORGANIZER;CN=Ana Ruiz:mailto:ana@acme.example\n\
                 ATTENDEE;CN=Eva Cho;PARTSTAT=ACCEPTED:mailto:e.cho@quantumwave.example\nEND:VEVENT\nEND:VCALENDAR\n";
    let bench = Bench::new(&[
        ("team.toml", TEAM),
        ("Connections.csv", &format!("{LINKEDIN}{}\n", CONTACTS.join("\n"))),
        ("ben/Connections.csv", &format!("{LINKEDIN}{OF_BEN}\n")),
        ("all.mbox", &mails.concat()),
        ("ana.ics", event),
    ]);
    let ended = bench.import("team.toml", "tables", more);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    bench
}

/// The evidence of Ana's ties besides connections, as `name kind day`.
fn contacts(bench: &Bench) -> Vec<String> {
    let people = bench.people("tables");
    let name =
        |id: &Value| people.iter().find(|(_, own)| **own == *id).map_or("?", |(name, _)| name.as_str());
    let rows = bench.table("tables/evidence.ndjson");
    let rows = rows.iter().filter(|row| row["kind"] != "connection");
    let mut found: Vec<String> = rows
        .map(|row| {
            let [kind, at] = ["kind", "at"].map(|key| row[key].as_str().unwrap());
            format!("{} {kind} {}", name(&row["to"]), &at[..10])
        })
        .collect();
    found.sort();
    found
}

/// Why each mail was skipped, in their order.
fn reasons(bench: &Bench) -> Vec<String> {
    let report = bench.report();
    let files = report["files"].as_array().unwrap();
    let mails = files.iter().find(|file| file["format"] == "mail archive").unwrap();
    let skips = mails["skips"].as_array().unwrap().iter();
    skips.map(|skip| skip["reason"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn mail_and_meetings_count_for_the_only_contact_of_the_name_at_the_company_of_the_address() {
    let bench = imported(&[]);
    let expected = [
        "Eva Cho meeting 2022-03-08",
        "Fabian Reddy mail_sent 2022-03-03",
        "Omar Lefèvre 🌍 mail_received 2022-03-01",
        "Omar Lefèvre 🌍 mail_sent 2022-03-02",
    ];
    assert_eq!(contacts(&bench), expected);
    assert_eq!(bench.table("tables/people.ndjson").len(), CONTACTS.len() + 1 + 2, "nobody is new");
    assert_eq!(bench.table("tables/connections.ndjson").len(), CONTACTS.len() + 1, "nor is a tie");
    let explained = bench.text("tables/identities.ndjson");
    let omar = explained.lines().find(|line| line.contains("omar-l")).unwrap();
    assert!(omar.contains("omar@quantumwave.example") && omar.contains("name and company"), "{omar}");
}

#[test]
fn mail_that_is_not_certainly_a_contacts_says_so_and_who_is_to_be_forgotten_is() {
    let (like, nobody) = (
        "under the name of a contact of its owner, at an address that is not known to be theirs; it counts once the contact has \
         the address",
        "with nobody whom the files of its owner name",
    );
    assert_eq!(reasons(&imported(&[])), [like, like, nobody, nobody], "Emil, Kim, Bo, Lea");

    let list = tempfile::tempdir().unwrap();
    let path = list.path().join("forgotten.txt");
    let path = path.to_str().unwrap();
    run_well(&["suppress", "create", "--suppressions", path]);
    let omar = ["--email", "omar@quantumwave.example"];
    run_well(&[&["suppress", "add", "--suppressions", path, "--org", "org_acme"], &omar[..]].concat());
    let bench = imported(&["--suppressions", path]);
    assert!(!bench.text("tables/people.ndjson").contains("Omar"));
    let forgotten = "its person is on the suppression list";
    assert_eq!(reasons(&bench), [forgotten, forgotten, like, like, nobody, nobody]);
}

#[test]
fn mail_with_an_address_without_a_name_is_with_nobody_and_not_to_be_forgotten() {
    let bench = Bench::new(&[
        ("team.toml", &TEAM.replace(", \"ana.ics\"", "")),
        ("Connections.csv", &format!("{LINKEDIN},,,x@where.example,,,\n{}\n", CONTACTS[0])),
        ("ben/Connections.csv", &format!("{LINKEDIN}{OF_BEN}\n")),
        ("all.mbox", &mail("ana@acme.example", "x@where.example", "1 Mar 2022")),
    ]);
    bench.import("team.toml", "tables", &[]);
    assert_eq!(reasons(&bench), ["with nobody whom the files of its owner name"]);
}
