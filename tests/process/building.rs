//! `kith build` reports what it ignored and all faults at once, and creates the folder of its snapshot.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::program::{Ended, Site, run, run_well, tiny_tables};

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

/// Through each command that writes into a folder of people: the test of the sweep itself asks it alone.
#[test]
fn drafts_of_runs_that_were_killed_go_with_the_next_import_build_and_start() {
    let site = Site::new();
    let folder = Path::new(&site.file("")).to_owned();
    let draft = |place: &str| {
        let path = folder.join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = fs::File::create(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(2 * 86_400)).unwrap();
        path
    };
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    fs::write(folder.join("a.csv"), format!("{LINKEDIN}Kim,Roe,https://www.linkedin.com/in/kim-roe,,,,\n"))
        .unwrap();
    let (tables, out, export) =
        (text(&folder.join("t")), text(&folder.join("o/n.kith")), text(&folder.join("a.csv")));
    let left = [draft("t/.kith-a.tmp"), draft("o/.kith-b.tmp")];
    run_well(&["import", "--org", "Acme", "--me", "Ana Ruiz", "--tables", &tables, "--out", &out, &export]);
    assert!(left.iter().all(|draft| !draft.exists()), "after an import");
    let left = draft("o/.kith-c.tmp");
    run_well(&["build", &tables, "--out", &out]);
    assert!(!left.exists(), "after a build");
    let (left, young) = (site.snapshot(".kith-d.tmp"), site.snapshot(".kith-e.tmp"));
    draft(&text(left.strip_prefix(&folder).unwrap()));
    fs::write(&young, "").unwrap();
    site.serve("warn").stop("TERM");
    assert!(!left.exists() && young.exists(), "after a start of a server");
}
