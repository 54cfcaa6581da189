//! `kith build` says what it ignored, all that is wrong at once, and makes the folder of its snapshot.

use std::fs;
use std::path::Path;

use crate::program::{Ended, run, tiny_tables};

const LINKEDIN: &str = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n";

fn build(tables: &Path, out: &Path, more: &[&str]) -> Ended {
    let mut args = vec!["build", tables.to_str().unwrap(), "--out", out.to_str().unwrap()];
    args.extend(more);
    run(&args)
}

#[test]
fn what_is_ignored_is_named_and_refused_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("snapshots/new/out.kith");
    // The control: of these tables nothing is ignored, and nothing is refused.
    let sound = tiny_tables(&[]);
    let ended = build(sound.path(), &out, &["--strict"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert!(out.is_file(), "its folders are made");
    fs::remove_dir_all(folder.path().join("snapshots")).unwrap();

    let tables = tiny_tables(&[("\"linkedinId\"", "\"linkedin_id\"")]);
    fs::rename(tables.path().join("connections.ndjson"), tables.path().join("conections.ndjson")).unwrap();
    fs::write(tables.path().join("Connections (2).csv"), LINKEDIN).unwrap();
    let warnings = [
        "kith: warning: Connections (2).csv is no table and ignored; it looks like LinkedIn's list of connections",
        "kith: warning: conections.ndjson is no table and ignored; did you mean connections.ndjson?",
        "kith: warning: people.ndjson: field linkedin_id is unknown and ignored; did you mean linkedinId?",
    ];
    for (more, code) in [(&["--strict"][..], 1), (&[], 0)] {
        let ended = build(tables.path(), &out, more);
        assert_eq!((ended.code, out.exists()), (Some(code), code == 0), "{}", ended.err);
        let lines: Vec<&str> = ended.err.lines().collect();
        let all_named = warnings.iter().zip(&lines).all(|(warning, line)| line.starts_with(warning));
        assert!(all_named && lines.len() == 3 + code as usize, "{}", ended.err);
        assert!(code == 0 || lines[3].starts_with("kith: with --strict"), "{}", ended.err);
    }
}

#[test]
fn all_that_is_wrong_is_said_at_once_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let (tables, out) = (folder.path().join("tables"), folder.path().join("snapshots/out.kith"));
    fs::create_dir(&tables).unwrap();
    fs::write(tables.join("Connections.csv"), LINKEDIN).unwrap();
    let ended = build(&tables, &out, &[]);
    let lines: Vec<&str> = ended.err.lines().collect();
    assert_eq!((ended.code, lines.len()), (Some(1), 4), "{}", ended.err);
    for (line, begin) in lines.iter().zip([
        "kith: warning: Connections.csv",
        "kith: organization.json: there is no such file",
        "kith: people.ndjson: there is no such file",
        "kith: members.ndjson: there is no such file",
    ]) {
        assert!(line.starts_with(begin), "{line}");
    }
    let tables = tiny_tables(&[("\"warmness\":", "\"warmness\":1")]);
    let ended = build(tables.path(), &out, &[]);
    assert_eq!((ended.code, ended.err.lines().count()), (Some(1), 21), "{}", ended.err);
    assert!(ended.err.lines().all(|line| line.starts_with("kith: ")), "{}", ended.err);
    assert!(ended.err.ends_with(" more faults\n"), "{}", ended.err);
    assert!(!folder.path().join("snapshots").exists());
}
