//! `retain`: ties whose newest evidence is older are removed, with the people whom nothing else names.
//!
//! Promise: With `retain` a tie whose newest evidence is older than that goes, derived ones and those of `--keep` too,
//!   and so do the people whom nothing else names, in tables, notes and answers; the report counts them.
//! Control: the same files without `retain`; a day more of it; an introduction, a colleague's newer row or a row
//!   without a date keeps the person.

use std::collections::BTreeSet;

use super::{Bench, LINKEDIN};

/// The row of a person connected to Ana or Ben since `day`.
fn row(name: &str, day: &str) -> String {
    let (first, _) = name.split_once(' ').unwrap();
    let handle = first.to_lowercase();
    format!(
        "{first},Roe,https://www.linkedin.com/in/{handle},{handle}@{handle}.example,{first} AG,CEO,{day}\n"
    )
}

fn mail(number: usize, from: &str, to: &str, day: &str) -> String {
    format!(
        "From x@y.example Mon Mar 11 09:14:00 2024\nMessage-ID: <{number}@x>\nFrom: {from}\nTo: {to}\nDate: {day} 09:14:00 +0000\n\n\n"
    )
}

/// A team of two. The newest day is 1 June 2024. Of Ana's contacts Old is too old by a day, Edge just not, Mailed had mail
/// since, Both is Ben's too and newer there, Asked is asked for, Dateless has no day, and Far and Near write to each other
/// with her in copy, Far and Gone long ago.
fn bench(retain: &str) -> Bench {
    let ana: String = [
        row("Old Roe", "31 May 2021"),
        row("Edge Roe", "01 Jun 2021"),
        row("Mailed Roe", "01 Jan 2019"),
        row("Both Roe", "02 Jan 2019"),
        row("Asked Roe", "03 Jan 2019"),
        row("Dateless Roe", ""),
        row("Far Roe", "01 Jun 2024"),
        row("Near Roe", "01 Jun 2024"),
    ]
    .concat();
    let [me, mailed, far, near, gone] = [
        "Ana Ruiz <ana@acme.example>",
        "Mailed Roe <mailed@mailed.example>",
        "Far Roe <far@far.example>",
        "Near Roe <near@near.example>",
        "Gone Roe <gone@gone.example>",
    ];
    let all: String = [
        mail(1, me, mailed, "1 Feb 2024"),
        mail(2, far, &format!("{me}, {near}"), "2 Feb 2024"),
        mail(3, near, &format!("{me}, {far}"), "3 Feb 2024"),
        mail(4, far, &format!("{me}, {gone}"), "4 Feb 2018"),
        mail(5, gone, &format!("{me}, {far}"), "5 Feb 2018"),
    ]
    .concat();
    let team = format!(
        "[organization]\nname = \"Acme\"\n{retain}[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\nrole = \"admin\"\n\
         files = [\"ana.csv\", \"all.mbox\"]\n[[members]]\nname = \"Ben Okri\"\nemail = \"ben@acme.example\"\nfiles = [\"ben.csv\"]\n\
         [[intros]]\nperson = \"asked\"\nby = \"Ana Ruiz\"\nstatus = \"requested\"\nat = 2024-01-01\n"
    );
    let ben = format!("{LINKEDIN}{}", row("Both Roe", "01 May 2024"));
    Bench::new(&[
        ("ana.csv", &format!("{LINKEDIN}{ana}")),
        ("ben.csv", &ben),
        ("all.mbox", &all),
        ("team.toml", &team),
    ])
}

fn names(bench: &Bench) -> BTreeSet<String> {
    bench.people("tables").keys().map(|name| name.replace(" Roe", "")).collect()
}

#[test]
fn what_is_older_than_is_retained_goes_with_whom_nothing_else_names() {
    let all =
        ["Ana Ruiz", "Asked", "Ben Okri", "Both", "Dateless", "Edge", "Far", "Gone", "Mailed", "Near", "Old"];
    let left = |gone: &[&str]| -> BTreeSet<String> {
        all.into_iter().filter(|name| !gone.contains(name)).map(str::to_owned).collect()
    };
    for (retain, gone, ties) in [
        ("retain = \"36 months\"\n", &["Old", "Gone"][..], 3),
        ("retain = \"3 years\"\n", &["Old", "Gone"], 3),
        ("retain = \"37 months\"\n", &["Gone"], 2),
        ("retain = \"200 months\"\n", &[], 0),
        ("", &[], 0),
    ] {
        let bench = bench(retain);
        let ended = bench.import("team.toml", "tables", &[]);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        assert_eq!(names(&bench), left(gone), "{retain}");
        let report = bench.report();
        let totals = &report["totals"];
        let kept = |key: &str| totals[key].as_u64();
        assert_eq!(
            kept("read"),
            Some(["used", "merged", "skipped"].iter().filter_map(|key| kept(key)).sum())
        );
        if retain.is_empty() {
            assert!(totals.get("expired").is_none() && totals.get("expiredPeople").is_none());
        } else {
            let people = u64::from(gone.contains(&"Old"));
            assert_eq!((kept("expired"), kept("expiredPeople")), (Some(ties), Some(people)), "{retain}");
        }
        let written: Vec<u8> = bench.bytes("tables").into_values().flatten().collect();
        let written = String::from_utf8(written).unwrap();
        for name in gone {
            assert!(!written.contains(&name.to_lowercase()), "{retain}: {name}");
        }
    }
}

#[test]
fn who_is_kept_from_last_time_is_kept_no_longer_than_that() {
    let keep = |retain: &str| {
        let bench = bench("");
        assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
        let team =
            bench.text("team.toml").replace("name = \"Acme\"\n", &format!("name = \"Acme\"\n{retain}"));
        let team = team.replace("\"ana.csv\", ", "");
        bench.put("team.toml", &format!("as_of = 2024-06-01\n{team}"));
        let ended = bench.import("team.toml", "tables", &["--keep"]);
        assert_eq!(ended.code, Some(1), "mail of strangers alone: {}", ended.err);
        (names(&bench).contains("Old"), names(&bench).contains("Edge"))
    };
    assert_eq!(keep(""), (true, true));
    assert_eq!(keep("retain = \"36 months\"\n"), (false, true));
}

#[test]
fn a_span_that_is_none_is_refused_with_what_is_expected() {
    for wrong in [
        "\"36\"",
        "\"0 months\"",
        "\"-1 months\"",
        "\"a while\"",
        "36",
        "\"36 months ago\"",
        "\"9999999 years\"",
    ] {
        let bench = bench(&format!("retain = {wrong}\n"));
        let ended = bench.import("team.toml", "tables", &[]);
        assert_eq!(ended.code, Some(2), "{wrong}: {}", ended.err);
        assert!(ended.err.contains("organization.retain"), "{}", ended.err);
    }
}
