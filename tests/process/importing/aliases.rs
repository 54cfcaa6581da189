//! Every handle and address of a merged person finds and suppresses them; none is shown.

use serde_json::Value;

use super::{Bench, LINKEDIN};
use crate::http::Connection;
use crate::program::{Site, run, run_well};

/// All identifiers of Fay; only the first two are in answers and tables.
const FAY: [&str; 6] =
    ["fay-lind", "fay@lind.example", "fay@home.example", "fay@old.example", "fay-old", "fay-third"];

/// Fay in three files: by two handles, which an override joins, a third one beside the first, and three addresses.
fn bench() -> Bench {
    let mine = format!(
        "{LINKEDIN}Fay,Lind,https://www.linkedin.com/in/fay-lind,fay@lind.example,Lind AG,CEO,01 Feb 2024\n\
         Fay,Lind-Old,https://www.linkedin.com/in/fay-old,fay@old.example,,,02 Feb 2020\n\
         Gus,Hart,https://www.linkedin.com/in/gus-hart,gus@hart.example,,,03 Feb 2021\n"
    );
    let outlook =
        "First Name,Last Name,E-mail Address,E-mail 2 Address\nFay,Lind,fay@lind.example,fay@home.example\n";
    let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Fay Lind\nEMAIL:fay@lind.example\n\
        URL:https://www.linkedin.com/in/fay-lind\nURL:https://www.linkedin.com/in/fay-third\nEND:VCARD\n";
    Bench::new(&[
        ("mine.csv", &mine),
        ("outlook.csv", outlook),
        ("card.vcf", card),
        (
            "team.toml",
            "[organization]\nname = \"Acme\"\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\nrole = \"admin\"\n\
             files = [\"mine.csv\", \"outlook.csv\", \"card.vcf\"]\n",
        ),
        ("overrides.toml", "[[same]]\nrows = [\"mine.csv:2\", \"mine.csv:3\"]\n"),
    ])
}

/// Imports with or without the override, to `snapshot`.
fn import(bench: &Bench, snapshot: &str, is_overridden: bool) {
    let overrides = bench.path("overrides.toml");
    let overrides = ["--overrides", overrides.to_str().unwrap()];
    let more = if is_overridden { &overrides[..] } else { &[] };
    let ended = bench.import("team.toml", "tables", &[&["--out", snapshot], more].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
}

/// The id of the person whom `who` means in the snapshot, or the empty text.
fn meant(snapshot: &str, who: &str, more: &[&str]) -> String {
    let ended = run(&[&["path", snapshot, who, "--json"], more].concat());
    let said: Value = serde_json::from_str(&ended.out).unwrap_or_default();
    said["data"]["prospect"]["id"].as_str().unwrap_or("").to_owned()
}

#[test]
fn each_handle_and_address_of_a_merged_person_finds_them() {
    let bench = bench();
    let snapshot = bench.path("acme.kith");
    let snapshot = snapshot.to_str().unwrap();
    import(&bench, snapshot, true);
    let fay = bench.people("tables")["Fay Lind"].clone();
    for who in FAY {
        assert_eq!(meant(snapshot, who, &[]), fay, "{who}");
    }
    // The control: without the override the other handle is another person's.
    import(&bench, snapshot, false);
    assert_ne!(meant(snapshot, "fay-old", &[]), meant(snapshot, "fay-lind", &[]));
    assert_ne!(meant(snapshot, "fay@old.example", &[]), "");
}

#[test]
fn each_handle_and_address_of_a_merged_person_forgets_them() {
    let bench = bench();
    let snapshot = bench.path("acme.kith");
    let snapshot = snapshot.to_str().unwrap();
    import(&bench, snapshot, true);
    let gus = meant(snapshot, "gus-hart", &[]);
    for forgotten in FAY {
        let list = bench.path(&format!("{forgotten}.txt"));
        let list = list.to_str().unwrap();
        run_well(&["suppress", "create", "--suppressions", list]);
        let kind = if forgotten.contains('@') { "--email" } else { "--linkedin-id" };
        run_well(&["suppress", "add", "--suppressions", list, "--org", "org_acme", kind, forgotten]);
        for who in FAY {
            assert_eq!(
                meant(snapshot, who, &["--suppressions", list]),
                "",
                "{who}, forgotten by {forgotten}"
            );
        }
        assert_eq!(meant(snapshot, "gus-hart", &["--suppressions", list]), gus);
        // Nor is she imported again.
        let again = bench.path(&format!("{forgotten}.kith"));
        let ended = bench.import(
            "team.toml",
            "again",
            &[
                "--out",
                again.to_str().unwrap(),
                "--suppressions",
                list,
                "--overrides",
                bench.path("overrides.toml").to_str().unwrap(),
            ],
        );
        assert_ne!(ended.code, Some(2), "{}", ended.err);
        let all: Vec<u8> = bench.bytes("again").into_values().flatten().collect();
        let all = String::from_utf8(all).unwrap();
        assert!(FAY.iter().all(|who| !all.contains(who)), "forgotten by {forgotten}");
        assert!(all.contains("gus-hart"), "the control");
    }
}

#[test]
fn a_server_finds_by_aliases_and_shows_none() {
    let (bench, site) = (bench(), Site::new());
    import(&bench, site.snapshot("acme.kith").to_str().unwrap(), true);
    let fay = bench.people("tables")["Fay Lind"].clone();
    let key = site.create_key("org_acme", "test");
    let server = site.serve("info");
    let mut connection = Connection::open(server.api);
    for (path, pointer) in [
        ("search/warm-paths?prospectLinkedinId=FAY-OLD&include=match", "/data/prospect/id"),
        ("search/warm-paths?prospectEmail=Fay%40home.example&include=match", "/data/prospect/id"),
        (
            "people/network?linkedinId=https%3A%2F%2Flinkedin.com%2Fin%2Ffay-third&include=match",
            "/data/person/id",
        ),
        ("search/people?q=y%40old.ex", "/data/0/id"),
    ] {
        let reply = connection.get(&format!("/api/v1/{path}"), &key);
        let text = String::from_utf8(reply.body.clone()).unwrap();
        assert_eq!(reply.json().pointer(pointer), Some(&Value::from(fay.clone())), "{path}: {text}");
        let shown = FAY[1..].iter().find(|alias| text.to_lowercase().contains(**alias));
        assert_eq!(shown, None, "{path}: {text}");
    }
    assert_eq!(server.stop("TERM").0, Some(0));
}
