//! The cut: what is within an organization's reach, and nothing that it may not see.

use std::collections::BTreeMap;
use std::path::Path;

use kith_server::source::build::read_folder;
use kith_server::source::cut::cut;
use kith_server::source::cut::report::Cut;
use kith_server::source::progress::Silent;

use crate::source::network::{File, Network, in_folder};
use crate::source::parquet::writing::{Layout, parquet};

/// A lake of two organizations. Ann (org_a) knows Bea, Bea knows Cat, Cat knows Dan; Eve is her accepted advocate and knows
/// Fay; Gus is only asked. Org_b alone may see that Ann knows Hal. An own row of org_a names Ian.
fn lake() -> Network {
    let person = |name: &str| {
        format!(r#"{{"id":"person_{name}","name":"{name}","currentCompanyId":"company_{name}"}}"#)
    };
    let edge =
        |from: &str, to: &str, rest: &str| format!(r#"{{"from":"person_{from}","to":"person_{to}"{rest}}}"#);
    let member = |org: &str, name: &str| {
        format!(
            r#"{{"org":"org_{org}","userId":"user_{name}","personId":"person_{name}","role":"admin","joinedAt":"2026-01-01T00:00:00Z"}}"#
        )
    };
    let advocate = |name: &str, status: &str| {
        format!(r#"{{"org":"org_a","personId":"person_{name}","userId":"user_ann","status":"{status}"}}"#)
    };
    let evidence = |from: &str, to: &str, rest: &str| {
        format!(
            r#"{{"from":"person_{from}","to":"person_{to}","kind":"meeting","at":"2026-01-01T00:00:00Z"{rest}}}"#
        )
    };
    let names = ["ann", "bea", "cat", "dan", "eve", "fay", "gus", "hal", "ian", "joe"];
    let company = |name: &str| format!(r#"{{"id":"company_{name}","name":"C {name}"}}"#);
    let hidden = r#","visibleTo":"org_b""#;
    let own = r#","visibleTo":"org_a","warmness":7,"breakdown":{"b":0.30}"#;
    let tables = [
        ("organizations", vec![r#"{"id":"org_a","name":"A","companyId":"company_joe"}"#.to_owned(), r#"{"id":"org_b","name":"B"}"#.to_owned()]),
        ("people", names.map(person).to_vec()),
        ("companies", names.map(company).to_vec()),
        ("members", vec![member("a", "ann"), member("b", "dan")]),
        ("advocates", vec![advocate("eve", "accepted"), advocate("gus", "pending")]),
        ("connections", vec![
            edge("ann", "bea", own), edge("bea", "cat", ""), edge("cat", "dan", ""), edge("eve", "fay", ""),
            edge("gus", "hal", ""), edge("ann", "hal", hidden), edge("joe", "ann", ""),
        ]),
        ("evidence", vec![
            evidence("ann", "bea", ""), evidence("ann", "eve", ""), evidence("ann", "hal", ""),
            evidence("bea", "cat", hidden), evidence("cat", "dan", ""),
        ]),
        ("person_aliases", vec![r#"{"personId":"person_cat","linkedinId":"cat-old"}"#.to_owned(), r#"{"personId":"person_hal","linkedinId":"hal-old"}"#.to_owned()]),
        ("ghost_opportunities", vec![r#"{"org":"org_a","id":"ghost_1","prospectId":"person_fay","overallScore":1.50,"status":"saved","discoveredAt":"2026-01-01T00:00:00Z","discoveredBy":"user_ann","paths":[{"connectionId":"person_ian","connectionType":"direct","strengthScore":8.50}]}"#.to_owned()]),
    ];
    Network { organization: String::new(), tables: tables.into() }
}

/// The files of the lake, which has no organization of its own.
fn files(written: Vec<File>) -> Vec<File> {
    written.into_iter().filter(|(name, _)| name != "organization.json").collect()
}

/// Cuts `ids` out of the lake `files`; what was written, by organization and file.
fn cut_of(files: &[File], ids: &[&str]) -> Result<BTreeMap<String, String>, String> {
    in_folder(files, |lake| {
        let out = tempfile::tempdir().unwrap();
        let ids: Vec<String> = ids.iter().map(|&id| id.to_owned()).collect();
        let Cut { organizations, warnings } =
            cut(lake, &ids, out.path(), &Silent).map_err(|error| error.to_string())?;
        assert!(warnings.is_empty(), "{warnings:?}");
        let mut written = BTreeMap::new();
        for organization in organizations {
            read_folder(&organization.folder, &Silent).unwrap();
            for file in std::fs::read_dir(&organization.folder).unwrap() {
                let path = file.unwrap().path();
                let name = format!("{}/{}", organization.id, path.file_name().unwrap().to_string_lossy());
                written.insert(name, std::fs::read_to_string(path).unwrap());
            }
        }
        assert!(std::fs::read_dir(out.path()).unwrap().all(|entry| !is_hidden(&entry.unwrap().path())));
        Ok(written)
    })
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().unwrap().to_string_lossy().starts_with('.')
}

/// The names in a file: of people, or of the ends of edges.
fn names(text: &str) -> Vec<String> {
    let names = text.split('"').filter_map(|word| word.strip_prefix("person_"));
    names.map(str::to_owned).collect()
}

#[test]
fn an_organization_gets_what_is_within_its_reach_and_may_be_seen() {
    let written = cut_of(&files(lake().ndjson()), &["org_a", "org_b"]).unwrap();
    let said = |file: &str| names(&written[file]).join(" ");
    // Of Cat, who is two steps away, no edge is needed; Gus is named and no seed; Hal is hidden.
    assert_eq!(said("org_a/connections.ndjson"), "ann bea bea cat eve fay");
    assert_eq!(said("org_a/people.ndjson"), "ann bea cat eve fay gus ian");
    assert_eq!(said("org_a/evidence.ndjson"), "ann bea ann eve");
    assert_eq!(said("org_a/person_aliases.ndjson"), "cat");
    assert_eq!(written["org_a/companies.ndjson"].matches("company_").count(), 8, "theirs, and its own");
    assert_eq!(
        written["org_a/organization.json"],
        "{\"id\":\"org_a\",\"name\":\"A\",\"companyId\":\"company_joe\"}\n"
    );
    let first = written["org_a/connections.ndjson"].lines().next().unwrap();
    assert_eq!(first, r#"{"from":"person_ann","to":"person_bea","warmness":7,"breakdown":{"b":0.30}}"#);
    assert_eq!(
        (said("org_b/people.ndjson"), said("org_b/connections.ndjson")),
        ("dan".to_owned(), String::new())
    );
    assert!(!written.iter().any(|(name, text)| name.starts_with("org_a/") && text.contains("hal")));

    // The controls: with the edge open to all Hal is there; an advocate who accepted brings his edges; a second hop more.
    let changed = |from: &str, to: &str| {
        let mut lake = lake();
        for row in lake.tables.values_mut().flatten() {
            *row = row.replace(from, to);
        }
        names(&cut_of(&files(lake.ndjson()), &["org_a"]).unwrap()["org_a/people.ndjson"]).join(" ")
    };
    assert_eq!(changed(r#","visibleTo":"org_b""#, ""), "ann bea cat eve fay gus hal ian");
    assert_eq!(changed("pending", "accepted"), "ann bea cat eve fay gus hal ian");
    assert_eq!(changed(r#""from":"person_bea""#, r#""from":"person_joe""#), "ann bea eve fay gus ian");
}

#[test]
fn a_lake_in_every_format_is_cut_into_the_same_bytes() {
    let expected = cut_of(&files(lake().ndjson()), &["org_b", "org_a"]).unwrap();
    for written in [
        lake().csv(),
        parquet(&lake(), || Layout::PLAIN),
        parquet(&lake(), || Layout { part_rows: Some(2), ..Layout::PLAIN }),
    ] {
        assert_eq!(cut_of(&files(written), &["org_a", "org_b"]).unwrap(), expected);
    }
}

#[test]
fn the_tables_of_one_organization_are_a_lake_too() {
    let written = cut_of(&Network::small().ndjson(), &["org_acme"]).unwrap();
    assert_eq!(names(&written["org_acme/people.ndjson"]).join(" "), "eve bob ann dee cy");
    assert_eq!(written["org_acme/connections.ndjson"].lines().count(), 5);
    let built = in_folder(&Network::small().ndjson(), |folder| read_folder(folder, &Silent)).unwrap();
    let cut =
        written.iter().map(|(name, text)| (name["org_acme/".len()..].to_owned(), text.clone().into_bytes()));
    let cut = in_folder(&cut.collect::<Vec<File>>(), |folder| read_folder(folder, &Silent)).unwrap();
    // All are within reach, so that only evidence without an edge is gone.
    assert_eq!(cut.dataset, built.dataset);
}

#[test]
fn what_cannot_be_cut_is_reported_to_the_letter() {
    let bad = |table: &'static str, row: &str| files(lake().with_row(table, row).ndjson());
    let sound = files(lake().ndjson());
    let no_org =
        r#"{"userId":"user_x","personId":"person_hal","role":"admin","joinedAt":"2026-01-01T00:00:00Z"}"#;
    for (files, ids, said) in [
        (
            sound.clone(),
            &["org_x"][..],
            "org_x is no organization of this lake: it is in neither organizations nor organization.json",
        ),
        (sound.clone(), &["org_a", "org_a"], "org_a is named twice"),
        (
            sound.clone(),
            &["org_/../x"],
            "org_/../x cannot be the name of a folder; ids here are letters, digits, '_', '-' and '.'",
        ),
        (sound.clone(), &["org_a"; 65], "65 organizations at once; name at most 64, or use deploy/lake"),
        (
            bad("members", no_org),
            &["org_a"],
            "members.ndjson line 3: field org: has no value, and every row needs one",
        ),
        (
            bad("connections", r#"{"from":"ann","to":"person_bea"}"#),
            &["org_a"],
            "connections.ndjson line 8: field from: expected an id that begins with person_, has at most 200 bytes, no comma and no control character, got \"ann\"",
        ),
    ] {
        assert_eq!(cut_of(&files, ids).unwrap_err(), said);
    }
}

#[test]
fn a_folder_of_tables_is_replaced_and_any_other_refused() {
    in_folder(&files(lake().ndjson()), |lake| {
        let out = tempfile::tempdir().unwrap();
        let again =
            || cut(lake, &["org_a".to_owned()], out.path(), &Silent).map_err(|error| error.to_string());
        again().unwrap();
        again().unwrap();
        let folder = out.path().join("org_a");
        std::fs::write(folder.join("notes.txt"), "mine").unwrap();
        let said = format!(
            "{} holds notes.txt, which is no table; name another folder, or empty this one",
            folder.display()
        );
        assert_eq!(again().unwrap_err(), said);
        assert_eq!(std::fs::read_to_string(folder.join("notes.txt")).unwrap(), "mine");
    });
}
