//! Commands that end by themselves: results on stdout, a sentence on stderr for each fault.
//!
//! Promise: `kith verify` and a reload say what is wrong with the store beside a snapshot.
//! Control: a sound store passes.
//! Also in: `tests/api/search_engines.rs`.
//!
//! Promise: `kith bench` draws the same questions by the same seed, and says which bounds are hit.
//! Control: bounds of 1 in force are hit.
//! Also in: `src/cli/bench/mod.rs`.

use std::fs;
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::program::{Ended, Site, build_tiny, project, run, run_well, tiny_tables};

/// The faults of a command's failure; empty if it failed as expected.
fn faults(ended: &Ended, code: i32, said: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    if ended.code != Some(code) {
        faults.push(format!("exit code {:?} instead of {code}", ended.code));
    }
    if !ended.out.is_empty() {
        faults.push(format!("stdout: {}", ended.out));
    }
    let are_sentences = ended.err.lines().all(|line| line.starts_with("kith: ")) && !ended.err.is_empty();
    if code == 1 && !are_sentences {
        faults.push(format!("no sentences: {}", ended.err));
    }
    faults.extend(said.iter().filter(|part| !ended.err.contains(**part)).map(|part| format!("no {part}")));
    faults
}

#[track_caller]
fn check(args: &[&str], code: i32, said: &[&str]) {
    let ended = run(args);
    assert_eq!(faults(&ended, code, said), [""; 0], "kith {args:?}: {}", ended.err);
}

#[test]
fn a_snapshot_is_built_verified_and_inspected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.kith");
    let (file, tables) = (file.to_str().unwrap(), project("fixtures/tiny"));
    let built = run(&["build", tables.to_str().unwrap(), "--out", file]);
    assert_eq!((built.code, built.err.as_str()), (Some(0), ""));
    let line = |name: &str| {
        let line = built.out.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    };
    for (name, count) in [
        ("people", "16"),
        ("members", "3"),
        ("edges", "35"),
        ("merged", "1"),
        ("self-edges", "1"),
        ("implied", "1"),
    ] {
        assert_eq!(line(name), count, "{name}");
    }
    let bytes = fs::read(file).unwrap();
    assert_eq!(line("bytes").replace(',', ""), bytes.len().to_string());
    assert!(line("seconds").parse::<f64>().unwrap() < 60.0);
    assert!(bytes == fs::read(project("snapshots/tiny.kith")).unwrap(), "the committed snapshot");
    let store = fs::metadata(folder.path().join("tiny.kith.sqlite")).unwrap().len();
    assert_eq!(line("store bytes").replace(',', ""), store.to_string());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "both files and nothing else");

    assert!(run_well(&["verify", file]).contains("is sound"));
    let said: Value = serde_json::from_str(&run_well(&["inspect", file, "--json"])).unwrap();
    assert_eq!(said["organization"], json!({ "id": "org_tiny", "name": "Lanternworks" }));
    assert_eq!(said["counts"]["people"], 16);
    assert_eq!(said["counts"]["connections"], 35);
    assert_eq!((&said["formatVersion"], &said["checksums"]), (&json!(5), &json!("ok")));
    assert_eq!(said["sizeBytes"], bytes.len());
    let said = run_well(&["inspect", file]);
    assert!(said.contains("Lanternworks (org_tiny)") && said.contains("checksums      ok"), "{said}");
}

#[test]
fn verify_says_what_is_wrong_with_the_store_beside_a_snapshot() {
    let site = Site::new();
    let file = site.snapshot("tiny.kith");
    build_tiny(&file, &[]);
    let (path, store) = (file.to_str().unwrap(), site.snapshot("tiny.kith.sqlite"));
    let sound = fs::read(&store).unwrap();
    // The control: a sound store passes.
    assert!(run_well(&["verify", path]).contains("tiny.kith.sqlite is sound"));
    let mut damaged = sound.clone();
    let middle = damaged.len() / 2;
    damaged[middle..].fill(7);
    build_tiny(&site.snapshot("other.kith"), &[("Lanternworks", "Lampworks")]);
    let foreign = fs::read(site.snapshot("other.kith.sqlite")).unwrap();
    for (bytes, said) in [
        (&damaged, "is damaged"),
        (&sound[..middle].to_vec(), "is damaged"),
        (&foreign, "is of another snapshot"),
        (&b"notes".to_vec(), "is not a relational store"),
    ] {
        fs::write(&store, bytes).unwrap();
        check(&["verify", path], 1, &["tiny.kith is sound, but", "tiny.kith.sqlite", said, "kith build"]);
    }
    fs::remove_file(&store).unwrap();
    assert!(run_well(&["verify", path]).contains("note: there is no relational store"));
}

#[test]
fn tables_that_cannot_be_taken_are_reported_with_the_place_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.kith");
    let out = out.to_str().unwrap();
    let absent = folder.path().join("absent");
    check(&["build", absent.to_str().unwrap(), "--out", out], 1, &["absent"]);
    check(
        &["build", folder.path().to_str().unwrap(), "--out", out],
        1,
        &["organization", "people", "members"],
    );
    for (old, new, said) in [
        ("\"warmness\":33", "\"warmness\":101", &["connections.ndjson", "line 11", "warmness", "101"][..]),
        (
            "\"status\":\"declined\"",
            "\"status\":\"maybe\"",
            &["advocates.ndjson", "line 6", "status", "maybe"],
        ),
        ("\"to\":\"person_tom\"", "\"to\":\"person_zoe\"", &["connections.ndjson", "line 33", "person_zoe"]),
        ("{\"from\":\"person_sol\"", "{\"from\"", &["connections.ndjson", "line 36"]),
    ] {
        let tables = tiny_tables(&[(old, new)]);
        check(&["build", tables.path().to_str().unwrap(), "--out", out], 1, said);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{new}");
    }
    fs::write(out, "an older snapshot").unwrap();
    let tables = tiny_tables(&[("\"warmness\":33", "\"warmness\":-1")]);
    check(&["build", tables.path().to_str().unwrap(), "--out", out], 1, &["connections.ndjson"]);
    assert_eq!(fs::read_to_string(out).unwrap(), "an older snapshot");
    let nowhere = folder.path().join("out.kith/absent/out.kith");
    check(
        &["build", project("fixtures/tiny").to_str().unwrap(), "--out", nowhere.to_str().unwrap()],
        1,
        &["out.kith/absent/out.kith", "cannot be made"],
    );
}

#[test]
fn a_store_that_cannot_be_written_fails_the_build_and_no_snapshot_is_put_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let (out, store) = (folder.path().join("out.kith"), folder.path().join("out.kith.sqlite"));
    fs::create_dir(&store).unwrap();
    let tables = project("fixtures/tiny");
    let args = ["build", tables.to_str().unwrap(), "--out", out.to_str().unwrap()];
    check(&args, 1, &["relational store", store.to_str().unwrap(), "make room"]);
    assert!(!out.exists() && fs::read_dir(folder.path()).unwrap().count() == 1);
    // The control: with the place free, both are written.
    fs::remove_dir(&store).unwrap();
    run_well(&args);
    assert!(out.is_file() && store.is_file());
}

#[test]
fn an_unknown_field_is_one_warning_for_each_name_and_no_failure() {
    let tables =
        tiny_tables(&[("\"city\":\"Porto\"", "\"town\":\"Porto\""), ("\"role\"", "\"x\":1,\"role\"")]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.kith");
    let ended = run(&["build", tables.path().to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let mut warnings: Vec<&str> = ended.err.lines().collect();
    warnings.sort_unstable();
    assert_eq!(warnings.len(), 2, "{}", ended.err);
    assert!(warnings[0].contains("members") && warnings[0].contains('x'), "{}", ended.err);
    assert!(warnings[1].contains("people") && warnings[1].contains("town"), "{}", ended.err);
}

#[test]
fn a_damaged_snapshot_is_refused_with_the_first_fault() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("damaged.kith");
    let (path, sound) =
        (file.to_str().unwrap().to_owned(), fs::read(project("snapshots/tiny.kith")).unwrap());
    check(&["verify", &path], 1, &[&path, "cannot find"]);
    check(&["inspect", &path], 1, &[&path, "cannot find"]);
    check(&["verify", folder.path().to_str().unwrap()], 1, &["a regular file"]);

    let mut other = kith_server::snapshot::decode(&sound).unwrap().dataset;
    other.vectors.model[0] ^= 1;
    kith_server::snapshot::write(&file, &other).unwrap();
    let said = run_well(&["verify", &path]);
    assert!(said.contains("is sound") && said.contains("of another model than this program's"), "{said}");

    let mut damaged = sound.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&file, &damaged).unwrap();
    check(&["verify", &path], 1, &[&path, "section", "checksum"]);
    let inspected = run(&["inspect", &path, "--json"]);
    let said: Value = serde_json::from_str(&inspected.out).unwrap();
    assert_eq!((inspected.code, &said["checksums"]), (Some(1), &json!("bad")));
    let sections = said["sections"].as_array().unwrap();
    assert_eq!(sections.iter().filter(|section| section["checksum"] == "bad").count(), 1);

    for (bytes, said) in [
        (&sound[..sound.len() - 1], "cut off"),
        (&sound[..20], "header"),
        (&[], "0 bytes"),
        (
            b"{\"id\":\"org_tiny\",\"name\":\"Lanternworks\",\"companyId\":\"company_lantern\"}",
            "another kind of file",
        ),
    ] {
        fs::write(&file, bytes).unwrap();
        check(&["verify", &path], 1, &[&path, said]);
        check(&["inspect", &path], 1, &[&path, said]);
    }
}

#[test]
fn a_usage_error_is_exit_code_2_and_help_is_0() {
    let (dir, file) = ("--snapshots", "--credentials");
    for args in [
        &[][..],
        &["frobnicate"],
        &["build"],
        &["build", "somewhere"],
        &["build", "--out", "x.kith"],
        &["inspect"],
        &["verify", "a", "b"],
        &["serve", dir, "x"],
        &["serve", file, "x"],
        &["serve", dir, "x", file, "y", "--listen", "nowhere"],
        &["serve", dir, "x", file, "y", "--listen", "127.0.0.1:65536"],
        &["demo", "--colour"],
        &["bench"],
        &["bench", "x.kith", "--seconds", "0"],
        &["bench", "x.kith", "--seconds", "3601"],
        &["keys"],
        &["keys", "create", file, "x", "--org", "tiny", "--name", "n"],
        &["keys", "create", file, "x", "--org", "org_tiny"],
        &["tokens", "create", file, "x", "--org", "org_tiny", "--user", "ana"],
        &["tokens", "create", file, "x", "--org", "org_tiny", "--user", "user_ana", "--ttl", "soon"],
    ] {
        check(args, 2, &["--help"]);
    }
    for args in [&["--help"][..], &["--version"], &["help", "build"], &["serve", "--help"]] {
        let ended = run(args);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{args:?}");
        assert!(ended.out.contains("kith"), "{args:?}");
    }
}

#[test]
fn what_cannot_be_done_is_one_sentence_and_exit_code_1() {
    let site = Site::new();
    let (snapshots, credentials) = (site.snapshots(), site.credentials());
    let absent = format!("{snapshots}/absent");
    check(&["keys", "list", "--credentials", &credentials], 1, &["credentials.db"]);
    assert!(!site.create_key("org_tiny", "first").is_empty());
    check(&["keys", "revoke", "--credentials", &credentials, "key_none"], 1, &["key_none", "kith keys list"]);
    check(&["tokens", "revoke", "--credentials", &credentials, "tok_none"], 1, &["tok_none"]);
    let serve = |snapshots: &str, more: &[&str], said: &[&str]| {
        let mut args = vec!["serve", "--snapshots", snapshots, "--credentials", &credentials];
        args.extend(["--admin-listen", "127.0.0.1:0"]);
        args.extend(if more.contains(&"--listen") { &[][..] } else { &["--listen", "127.0.0.1:0"] });
        args.extend(more);
        check(&args, 1, said);
    };
    serve(&absent, &[], &["absent"]);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    serve(&snapshots, &["--listen", &address], &["cannot listen on", &address]);
    serve(&snapshots, &["--config", &absent], &["configuration"]);
    let config = site.snapshot("kith.toml");
    fs::write(&config, "[limits]\nbridge = 1\n").unwrap();
    serve(&snapshots, &["--config", config.to_str().unwrap()], &["bridge"]);
}

#[test]
fn a_bench_says_how_long_questions_take_and_how_often_bounds_are_hit() {
    let site = Site::new();
    let file = site.snapshot("tiny.kith");
    build_tiny(&file, &[]);
    let file = file.to_str().unwrap();
    let bench = |more: &[&str]| -> Value {
        serde_json::from_str(&run_well(&[&["bench", file, "--seconds", "1", "--json"], more].concat()))
            .unwrap()
    };
    let said = bench(&[]);
    assert_eq!(
        (&said["organization"], &said["people"], &said["seed"]),
        (&json!("org_tiny"), &json!(16), &json!(1))
    );
    let rows = |said: &Value, list: &str| said[list].as_array().unwrap().clone();
    assert_eq!((rows(&said, "questions").len(), rows(&said, "bounds").len()), (11, 18));
    for row in rows(&said, "questions").iter().chain(&rows(&said, "bounds")) {
        let times = &row["oneThread"];
        let [p50, p99] = ["p50Microseconds", "p99Microseconds"].map(|key| times[key].as_f64().unwrap());
        assert!(times["answers"].as_u64().unwrap() > 0 && p50 > 0.0 && p99 >= p50, "{row}");
    }
    let shares = |said: &Value| {
        let rows = rows(said, "questions").into_iter().chain(rows(said, "bounds"));
        rows.map(|row| row["capped"].clone()).collect::<Vec<Value>>()
    };
    // The tiny network meets no default bound. The control: one that is in force by the configuration is met.
    assert!(shares(&said).iter().all(|share| share.is_null() || *share == 0.0), "{said:#}");
    let config = site.snapshot("kith.toml");
    fs::write(&config, "[limits]\nbridges = 1\nedges_per_target = 1\n").unwrap();
    let [bound, same] = [(); 2].map(|()| bench(&["--config", config.to_str().unwrap()]));
    assert_eq!(shares(&bound), shares(&same), "the same seed");
    assert_ne!(shares(&bound), shares(&said));
    let capped = |row: &Value| row["capped"].as_f64() > Some(0.0);
    let hit: Vec<String> = rows(&bound, "bounds")
        .iter()
        .filter(|row| row["inForce"] == true && capped(row))
        .map(|row| row["bound"].as_str().unwrap().to_owned())
        .collect();
    assert!(hit.contains(&"bridges".to_owned()) && hit.contains(&"edges_per_target".to_owned()), "{hit:?}");

    let printed = run_well(&["bench", file, "--seconds", "1"]);
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    for part in
        ["org_tiny: 16 people, 35 edges", "1 THREAD", "paths to a company", "edges_per_connector", "64 *"]
    {
        assert!(printed.contains(part), "no {part}: {printed}");
    }
    check(&["bench", "absent.kith"], 1, &["absent.kith", "cannot find"]);
}

/// The control: the checks above see a failure that is badly reported.
#[test]
fn each_thing_a_failure_can_lack_is_caught() {
    let right = || Ended { code: Some(1), out: String::new(), err: "kith: x.kith: cut off\n".to_owned() };
    assert_eq!(faults(&right(), 1, &["x.kith"]), [""; 0]);
    for (what, wrong) in [
        ("the code", Ended { code: Some(0), ..right() }),
        ("a signal", Ended { code: None, ..right() }),
        ("a result", Ended { out: "sound\n".to_owned(), ..right() }),
        ("silence", Ended { err: String::new(), ..right() }),
        ("the place", Ended { err: "kith: cut off\n".to_owned(), ..right() }),
        ("a backtrace", Ended { err: "kith: x.kith: cut off\n0: main\n".to_owned(), ..right() }),
        ("a panic", Ended { err: "thread 'main' panicked at x.kith\n".to_owned(), ..right() }),
    ] {
        assert!(!faults(&wrong, 1, &["x.kith"]).is_empty(), "{what}");
    }
}
