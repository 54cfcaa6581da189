//! `kith import --watch`: new files are imported, built and served; unusable files change nothing.
//!
//! Promise: An export that arrives is imported and served once it has stopped growing; one that cannot be used changes
//!   nothing and is named once; a server that is not there is asked again.
//! Control: what is due at each change reads a part of the file; the tables are those of one import.
//! Also in: `crates/kith-import/src/arrivals.rs`.
//!
//! Promise: A team file in a watched folder names neither another organization nor a file outside, also by a link;
//!   tables of another organization are refused; no message quotes what is no table.
//! Control: the same folder with its own files and organization.
//! Also in: `crates/kith-import/src/sniff.rs`.

use std::fs;
use std::path::Path;

use super::{Bench, LINKEDIN, copy};
use crate::http::Connection;
use crate::program::{Server, Site, kith, project, run};

/// A folder that is watched, and a server of what comes of it.
struct Watched {
    bench: Bench,
    site: Site,
}

impl Watched {
    fn new() -> Self {
        let bench = Bench::new(&[]);
        fs::create_dir(bench.path("exports")).unwrap();
        Self { bench, site: Site::new() }
    }

    /// Puts an export of this many connections into the folder.
    fn put(&self, name: &str, people: &[&str]) {
        let row =
            |person: &&str| format!("{person},Hart,https://www.linkedin.com/in/{person},,,,01 Feb 2024\n");
        let rows: String = people.iter().map(row).collect();
        self.bench.put(&format!("exports/{name}"), &format!("{LINKEDIN}{rows}"));
    }

    fn snapshot(&self) -> String {
        self.site.snapshot("acme.kith").to_str().unwrap().to_owned()
    }

    /// Watches by the arguments `what`, which come before those that say where.
    fn watch(&self, what: &[&str], reload: &[&str]) -> Server {
        let [exports, tables] =
            ["exports", "tables"].map(|name| self.bench.path(name).to_str().unwrap().to_owned());
        let snapshot = self.snapshot();
        let place = ["--tables", &tables, "--out", &snapshot, "--watch", &exports, "--every", "1"];
        Server::start_unheard(&mut kith(&[&["import"], what, &place[..], reload].concat()))
    }

    fn watch_mine(&self, reload: &[&str]) -> Server {
        self.watch(&["--org", "Acme", "--me", "Ana Ruiz"], reload)
    }
}

const MINE: &str = "imported ";

fn served(connection: &mut Connection, key: &str, handle: &str) -> bool {
    let path = format!("/api/v1/search/warm-paths?prospectLinkedinId={handle}");
    connection.get(&path, key).json()["data"]["prospect"]["id"].is_string()
}

#[test]
fn an_export_that_arrives_is_served_and_a_bad_one_changes_nothing() {
    let watched = Watched::new();
    watched.put("first.csv", &["gus"]);
    let key = watched.site.create_key("org_acme", "test");
    let server = watched.site.serve("info");
    let admin = format!("http://{}", server.admin);
    let mut connection = Connection::open(server.api);
    let mut watch = watched.watch_mine(&["--reload", &admin]);
    let line = watch.wait_for_output(|line| line.starts_with(MINE));
    assert!(line.contains("1 files: 1 rows read"), "{line}");
    watch.wait_for_output(|line| line == "the server has reloaded");
    assert!(served(&mut connection, &key, "gus") && !served(&mut connection, &key, "hal"));

    // A file that a browser is still writing is ignored until it has its final name.
    watched.put("second.csv.crdownload", &["hal"]);
    let finished = watched.bench.path("exports/second.csv");
    fs::rename(watched.bench.path("exports/second.csv.crdownload"), finished).unwrap();
    watch.wait_for_output(|line| line == "the server has reloaded");
    assert!(served(&mut connection, &key, "gus") && served(&mut connection, &key, "hal"));

    // A file that cannot be used: said once, with its name and what to do, and all stays as it was.
    let good = fs::read(watched.snapshot()).unwrap();
    let tables = watched.bench.bytes("tables");
    watched.bench.put("exports/third.zip", "PK\u{3}\u{4} cut off");
    watch.wait_for_log(|line| line.contains("third.zip"));
    let remedy = watch.wait_for_log(|line| line.contains("the snapshot stays as it is"));
    assert!(remedy.contains("mend or remove"), "{remedy}");
    assert!(fs::read(watched.snapshot()).unwrap() == good && watched.bench.bytes("tables") == tables);
    assert!(served(&mut connection, &key, "hal"));

    // Once it is gone, the next export is taken.
    fs::remove_file(watched.bench.path("exports/third.zip")).unwrap();
    watch.wait_for_output(|line| line == "the server has reloaded");
    watched.put("third.csv", &["ivo"]);
    watch.wait_for_output(|line| line == "the server has reloaded");
    assert!(served(&mut connection, &key, "ivo"));
    let (code, log) = watch.stop("TERM");
    assert_eq!(code, Some(0));
    assert_eq!(log.iter().filter(|line| line.contains("third.zip")).count(), 1, "{log:#?}");
    assert!(no_leftovers(&watched.bench.path("tables")));
    assert_eq!(server.stop("TERM").0, Some(0));
}

fn no_leftovers(tables: &Path) -> bool {
    fs::read_dir(tables).unwrap().all(|entry| !entry.unwrap().file_name().to_string_lossy().ends_with(".tmp"))
}

#[test]
fn a_server_that_is_not_there_is_named_once_and_asked_again() {
    let watched = Watched::new();
    watched.put("first.csv", &["gus"]);
    let key = watched.site.create_key("org_acme", "test");
    // A port that was free a moment ago.
    let admin = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut watch = watched.watch_mine(&["--reload", &format!("http://{admin}")]);
    let said = watch.wait_for_log(|line| line.contains("does not answer"));
    assert!(said.contains("start the server"), "{said}");
    let server = watched.site.serve_at("info", &admin, &[]);
    watch.wait_for_output(|line| line == "the server has reloaded");
    assert!(served(&mut Connection::open(server.api), &key, "gus"));
    let (code, log) = watch.stop("INT");
    assert_eq!((code, log.iter().filter(|line| line.contains("does not answer")).count()), (Some(0), 1));
    assert_eq!(server.stop("TERM").0, Some(0));
}

#[test]
fn a_team_is_watched_by_the_manifest_in_its_folder() {
    let watched = Watched::new();
    copy(&project("fixtures/team"), &watched.bench.path("exports")).unwrap();
    let mut watch = watched.watch(&["--organization", "org_brook-robotics"], &[]);
    watch.wait_for_output(|line| line.starts_with(MINE));
    // The control: the tables are those of one import.
    assert_eq!(watched.bench.import("exports/team.toml", "once", &[]).code, Some(0));
    assert!(watched.bench.bytes("tables") == watched.bench.bytes("once"));
    // A manifest that is wrong later is named, and the last snapshot stays.
    let good = fs::read(watched.snapshot()).unwrap();
    let manifest = watched.bench.text("exports/team.toml");
    watched.bench.put("exports/team.toml", &manifest.replace("[[members]]", "[[membres]]"));
    watch.wait_for_log(|line| line.contains("membres"));
    watch.wait_for_log(|line| line.contains("the snapshot stays as it is"));
    assert!(fs::read(watched.snapshot()).unwrap() == good);
    watched.bench.put("exports/team.toml", &manifest);
    watch.wait_for_output(|line| line.starts_with(MINE));
    assert_eq!(watch.stop("TERM").0, Some(0));
}

#[test]
fn what_cannot_be_watched_is_a_usage_error() {
    let bench = Bench::team();
    let [manifest, inside, out, folder] = ["team.toml", "ana/tables", "x.kith", "ana"]
        .map(|name| bench.path(name).to_str().unwrap().to_owned());
    let tables = bench.path("tables").to_str().unwrap().to_owned();
    for (args, said) in [
        (
            vec!["--tables", &tables, "--out", &out, "--watch", "no-such-folder"],
            "--watch names a folder that is there",
        ),
        (vec!["--tables", &inside, "--out", &out, "--watch", &folder], "outside of the folder"),
        (vec!["--tables", &tables, "--watch", &folder], "--out"),
        (vec!["--tables", &tables, "--out", &out, "--watch", &folder, "--every", "0"], "0 is not in"),
        (vec!["--tables", &tables, "--out", &out, "--reload"], "--watch"),
        (
            vec!["--tables", &tables, "--out", &out, "--watch", &folder, "--reload", "here"],
            "--reload takes an address",
        ),
    ] {
        let ended = run(&[&["import", manifest.as_str()], &args[..]].concat());
        assert_eq!(ended.code, Some(2), "{args:?} {}", ended.err);
        assert!(ended.err.contains(said), "{args:?} {}", ended.err);
    }
    // Without a manifest the folder has one, or it is said that it has none.
    let ended = run(&["import", "--tables", &tables, "--out", &out, "--watch", &folder]);
    assert!(ended.code == Some(2) && ended.err.contains("team.toml"), "{}", ended.err);
}

/// A program that may put exports into the folder may write its team.toml too.
#[test]
fn a_team_file_in_a_watched_folder_names_neither_another_organization_nor_files_outside() {
    let bench = Bench::team();
    let (tables, out) = (bench.path("tables"), bench.path("x.kith"));
    let (tables, out) = (tables.to_str().unwrap().to_owned(), out.to_str().unwrap().to_owned());
    bench.put("drop/c.csv", &format!("{LINKEDIN}Gus,Hart,https://www.linkedin.com/in/gus,,,,01 Feb 2024\n"));
    bench.put("secret", "root:$y$j9T$SECRET:19000::\n");
    std::os::unix::fs::symlink(bench.path("secret"), bench.path("drop/link.csv")).unwrap();
    let folder = bench.path("drop").to_str().unwrap().to_owned();
    let team = |id: &str, file: &str| {
        let team = format!(
            "[organization]\nname = \"Acme\"\n{id}[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n\
             files = [\"c.csv\"{file}]\n"
        );
        bench.put("drop/team.toml", &team);
    };
    let args =
        ["import", "--tables", &tables, "--out", &out, "--watch", &folder, "--organization", "org_acme"];
    let outside = format!(", \"{}\"", bench.path("secret").display());
    for (id, file, args, said) in [
        ("", "", &args[..7], "--organization org_"),
        ("id = \"org_globex\"\n", "", &args, "org_globex"),
        ("", &*outside, &args, "outside of the folder"),
        ("", ", \"../secret\"", &args, "outside of the folder"),
        ("", ", \"link.csv\"", &args, "outside of the folder"),
    ] {
        team(id, file);
        let ended = run(args);
        assert_eq!(ended.code, Some(2), "{said}: {}", ended.err);
        assert!(ended.err.contains(said) && !ended.err.contains("SECRET"), "{said}: {}", ended.err);
    }
    // The control: its own files and organization.
    team("id = \"org_acme\"\n", "");
    let mut watch = Server::start_unheard(&mut kith(&args));
    watch.wait_for_output(|line| line.starts_with(MINE));
    assert_eq!(watch.stop("TERM").0, Some(0));
    // From then on the tables say whose they are, also to an import without a watch.
    team("id = \"org_globex\"\n", "");
    assert_eq!(run(&args[..7]).code, Some(2));
    let ended = run(&["import", bench.path("drop/team.toml").to_str().unwrap(), "--tables", &tables]);
    assert!(
        ended.code == Some(1) && ended.err.contains("those of org_acme"),
        "{:?} {}",
        ended.code,
        ended.err
    );
}
