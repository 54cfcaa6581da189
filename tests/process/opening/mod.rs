//! `kith open`: from a folder of exports to introductions over HTTP in one command, by a one-time link.
//!
//! Promise: `kith open`: from a folder of exports to all four types of paths by the link's cookie; its folder is closed
//!   to others and used again with ids and credentials, also by the `kith serve` that it prints; a taken port is left
//!   alone; what cannot be opened leaves nothing.
//! Control: another folder: other ids; a file that gives something beside one that does not; a list of people to
//!   forget.
//! Also in: `src/cli/open/mod.rs`.

mod addresses;
mod browser;
mod colleagues;
mod decided;
mod further;

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http::Connection;
use crate::program::{Ended, Server, kith, project, run_in, run_well};

const OWN: (&str, &str) = ("sec-fetch-site", "same-origin");
const LINKEDIN: &str = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n";

/// A home with a download folder in it.
struct Home {
    folder: TempDir,
}

impl Home {
    fn new(files: &[(&str, &str)]) -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        for (name, text) in files {
            let path = home.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        home
    }

    /// One with the exports of one member: two formats, a row that is skipped, and a person in both.
    fn of_ana() -> Self {
        let connections = format!(
            "{LINKEDIN}Fay,Lind,https://www.linkedin.com/in/fay-lind,fay@lind.example,Lind AG,CFO,03 Mar 2024\n\
             Gus,Hart,https://www.linkedin.com/in/gus-hart,,Hart Ltd,Founder,12 May 2025\n,,,,,,\n"
        );
        let google = "First Name,Last Name,E-mail Address,E-mail 2 Address\nFay,Lind,fay@lind.example,\nKim,Roe,kim@roe.example,\n";
        Self::new(&[("Downloads/Connections.csv", &connections), ("Downloads/google.csv", google)])
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = kith(&[&["open"], args].concat());
        command.env("HOME", self.folder.path()).env("PATH", "/usr/bin:/bin");
        command
    }

    /// Runs the command with these arguments, on a free port.
    fn open(&self, args: &[&str]) -> Opened {
        Opened::start(&mut self.command(&[args, &["--listen", "127.0.0.1:0"]].concat()))
    }

    /// The same, until it ends by itself.
    fn fails(&self, args: &[&str]) -> Ended {
        run_in(&[&["open"], args].concat(), &[("HOME", &self.text(""))])
    }
}

/// A running `kith open`, and what it printed.
struct Opened {
    server: Server,
    link: String,
    code: String,
    /// The command that serves it again, without the program.
    serve: Vec<String>,
}

impl Opened {
    fn start(command: &mut Command) -> Self {
        let mut server = Server::start(command);
        let link = server.wait_for_output(|line| line.contains("/explore#")).trim().to_owned();
        let serve = server.wait_for_output(|line| line.contains("kith serve "));
        server.wait_for_output(|line| line.starts_with("Ctrl-C"));
        let code = link.split_once("#code=").unwrap().1.split('&').next().unwrap().to_owned();
        let serve = serve.split_once("kith serve ").unwrap().1.split(' ').map(str::to_owned).collect();
        Self { server, link, code, serve }
    }

    /// Posts `code` as the page does; the status, and the cookie and its half if there is a session.
    fn post(&self, code: &str) -> (u16, Option<(String, String)>) {
        let body = json!({ "code": code }).to_string();
        let reply = Connection::open(self.server.api).post_with("/explore/login", &[OWN], body.as_bytes());
        let cookie = reply.header("set-cookie").map(|set| set.split(';').next().unwrap().to_owned());
        (reply.status, cookie.map(|cookie| (cookie, reply.json()["half"].as_str().unwrap().to_owned())))
    }

    /// Logs in by the link.
    fn enter(&self) -> Page {
        let (status, session) = self.post(&self.code);
        assert_eq!(status, 200);
        let (cookie, half) = session.unwrap();
        Page { api: Connection::open(self.server.api), cookie, half }
    }
}

/// The actions of a browser that is logged in.
struct Page {
    api: Connection,
    cookie: String,
    half: String,
}

impl Page {
    fn get(&mut self, path: &str) -> Value {
        let reply = self.api.send("GET", path, &[OWN, ("cookie", &self.cookie), ("kith-page", &self.half)]);
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.body));
        reply.json()
    }

    fn types_to(&mut self, who: &str) -> BTreeSet<String> {
        let answer = self.get(&format!("/api/v1/search/warm-paths?{who}&limit=50"));
        let paths = answer["data"]["paths"].as_array().unwrap();
        paths.iter().map(|path| path["connectionType"].as_str().unwrap().to_owned()).collect()
    }

    /// The ids of the caller's own contacts, by name.
    fn contacts(&mut self) -> Vec<(String, String)> {
        let answer = self.get("/api/v1/connections?limit=50");
        let text = |of: &Value, key: &str| of[key].as_str().unwrap().to_owned();
        let all = answer["data"]["connections"].as_array().unwrap();
        all.iter().map(|one| (text(one, "name"), text(one, "id"))).collect()
    }
}

/// Everything below `folder` that others may read, write or enter.
fn open_to_others(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut all = vec![folder.to_owned()];
    while let Some(path) = all.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.permissions().mode() & 0o077 != 0 {
            found.push(path.clone());
        }
        if metadata.is_dir() {
            all.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found
}

#[test]
fn from_a_folder_of_exports_to_warm_paths_and_a_report_and_again() {
    let home = Home::new(&[]);
    let copied = Command::new("cp").arg("-r").arg(project("fixtures/team")).arg(home.path("team")).status();
    assert!(copied.unwrap().success());
    let opened = home.open(&[&home.text("team"), "--no-browser"]);
    let mut page = opened.enter();
    assert_eq!(page.get("/explore/login")["data"]["member"]["name"], "Ana Ruiz");
    let all = ["direct", "advocate", "second_degree", "advocate_second_degree"].map(str::to_owned);
    assert_eq!(page.types_to("prospectLinkedinId=max-orr"), BTreeSet::from(all));
    // The report is that of the file, and the numbers are what is served.
    let place = home.path(".local/share/kith/brook-robotics");
    let written: Value = serde_json::from_slice(&fs::read(place.join("report.json")).unwrap()).unwrap();
    let shown = page.get("/explore/report");
    assert_eq!(shown, written);
    assert_eq!((&shown["totals"]["read"], &shown["totals"]["skipped"]), (&json!(26), &json!(4)));
    let tables = place.join("tables/people.ndjson");
    let people = fs::read_to_string(tables).unwrap().lines().count();
    assert_eq!(shown["network"]["people"], people);
    let printed = opened.server.printed().join("\n");
    assert!(
        printed.contains("ana/Connections.csv") && printed.contains(place.to_str().unwrap()),
        "{printed}"
    );
    assert_eq!(open_to_others(&place), Vec::<PathBuf>::new());
    let serve = opened.serve.clone();
    assert_eq!(opened.server.stop("INT").0, Some(0));
    assert_eq!(open_to_others(&place), Vec::<PathBuf>::new());

    // The printed command serves the same later, with its own key.
    let serve: Vec<&str> = serve.iter().map(String::as_str).collect();
    let credentials = place.join("credentials.db");
    let credentials = credentials.to_str().unwrap();
    let key = run_well(&[
        "keys",
        "create",
        "--credentials",
        credentials,
        "--org",
        "org_brook-robotics",
        "--name",
        "x",
    ]);
    let free = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let server = Server::start(&mut kith(&[&["serve"], &serve[..], &free].concat()));
    let search = "/api/v1/search/warm-paths?prospectLinkedinId=max-orr";
    let served = Connection::open(server.api).get(search, key.trim());
    assert_eq!((served.status, &served.json()["data"]["totalCount"]), (200, &json!(4)));
    assert_eq!(Connection::open(server.api).get("/explore/report", key.trim()).status, 404);
    assert_eq!(server.stop("TERM").0, Some(0));

    // Another member, over the same folder; the key holds on.
    let opened = home.open(&[&home.text("team/team.toml"), "--me", "Ben Okri", "--no-browser"]);
    assert_eq!(opened.enter().get("/explore/login")["data"]["member"]["name"], "Ben Okri");
    assert_eq!(Connection::open(opened.server.api).get(search, key.trim()).status, 200);
}

#[test]
fn a_link_works_once_and_neither_link_nor_log_nor_command_line_holds_a_credential() {
    let home = Home::of_ana();
    let opened = home.open(&["--me", "Ana Ruiz", &home.text("Downloads"), "--no-browser"]);
    let (token_path, link) = (home.path(".local/share/kith/ana-ruiz-s-network/credentials.db"), &opened.link);
    assert!(token_path.is_file() && !link.contains("service_"), "{link}");
    assert_eq!(opened.post("nonsense").0, 401);
    let (first, second) = (opened.post(&opened.code), opened.post(&opened.code));
    assert_eq!((first.0, second.0, second.1), (200, 401, None));
    let arguments = fs::read(format!("/proc/{}/cmdline", opened.server.process_id())).unwrap();
    let arguments = String::from_utf8_lossy(&arguments).into_owned();
    assert!(!arguments.contains(&opened.code) && !arguments.contains("service_"), "{arguments}");
    let (printed, code) = (opened.server.printed().join("\n"), opened.code.clone());
    assert_eq!(printed.matches(&code).count(), 1, "in the link alone");
    let (ended, log) = opened.server.stop("INT");
    let log = log.join("\n");
    assert_eq!(ended, Some(0));
    assert!(!log.contains(&code) && !log.contains("service_") && !printed.contains("service_"), "{log}");
    assert!(log.contains("listening on http://127.0.0.1:"), "the control");
}

#[test]
fn guesses_end_the_link_and_the_log_says_so() {
    let home = Home::of_ana();
    let mut opened = home.open(&["--me", "Ana Ruiz", &home.text("Downloads"), "--no-browser"]);
    for guess in 0..20 {
        assert_eq!(opened.post(&format!("guess{guess}")).0, 401);
    }
    assert_eq!(opened.post(&opened.code).0, 401);
    opened.server.wait_for_log(|line| line.contains("the link no longer holds"));
}

#[test]
fn the_next_open_goes_on_with_the_same_ids_also_with_a_file_more() {
    let home = Home::of_ana();
    let into = home.text("mine");
    let args = ["--me", "Ana Ruiz", "--org", "Brook", "--into", &into, "--no-browser"];
    let opened = home.open(&[&args[..], &[&home.text("Downloads")]].concat());
    let before = opened.enter().contacts();
    assert_eq!(opened.server.stop("INT").0, Some(0));
    assert!(!home.path(".local").exists(), "with --into nothing lies elsewhere");
    // The only thing by which Kim was known is another one now: without the tables of last time the id is another.
    let connections = fs::read_to_string(home.path("Downloads/Connections.csv")).unwrap();
    let more = format!("{connections}Kim,Roe,https://www.linkedin.com/in/kim-roe,kim@roe.example,,,\n");
    fs::write(home.path("Downloads/Connections.csv"), more).unwrap();
    fs::set_permissions(&into, fs::Permissions::from_mode(0o755)).unwrap();
    let again = home.open(&[&args[..], &[&home.text("Downloads")]].concat());
    assert_eq!(again.enter().contacts(), before);
    assert_eq!(open_to_others(Path::new(&into)), Vec::<PathBuf>::new(), "closed again");
    let other = home.text("other");
    let fresh =
        ["--me", "Ana Ruiz", "--org", "Brook", "--into", &other, "--no-browser", &home.text("Downloads")];
    assert_ne!(home.open(&fresh).enter().contacts(), before, "the control");
}

#[test]
fn a_taken_port_is_left_to_its_owner_and_a_named_one_is_an_error() {
    let home = Home::of_ana();
    let args = ["--me", "Ana Ruiz", &home.text("Downloads"), "--no-browser"];
    // This test has the port, or another program.
    let taken = TcpListener::bind("127.0.0.1:8080");
    let opened = Opened::start(&mut home.command(&args));
    // It has an address of its own, where other programs' pages keep nothing.
    assert_ne!(opened.server.api, "127.0.0.1:8080".parse().unwrap());
    assert!(opened.server.api.ip().is_loopback() && opened.server.admin.ip().is_loopback());
    assert!(opened.enter().types_to("prospectLinkedinId=fay-lind").contains("direct"));
    let mine = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = mine.local_addr().unwrap().to_string();
    let ended = home.fails(&[&args[..], &["--listen", &address]].concat());
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains(&format!("cannot listen on {address}")), "{}", ended.err);
    drop(taken);
}

#[test]
fn what_cannot_be_opened_says_why_and_leaves_nothing() {
    let home = Home::of_ana();
    fs::write(home.path("Downloads/google.csv"), "Date,Amount\n1,2\n").unwrap();
    let google = home.text("Downloads/google.csv");
    let manifest = home.text("team.toml");
    fs::write(&manifest, "[organisation]\nname = \"x\"\n").unwrap();
    let nowhere = home.text("nowhere.csv");
    let downloads = home.text("Downloads");
    for (args, code, said) in [
        (&[google.as_str()][..], 2, "--me"),
        (&[], 2, "FILES"),
        (&[&manifest], 2, "did you mean organization"),
        (&[&manifest, "--org", "Acme"], 2, "--org"),
        (&["--me", "Ana", &google, "--listen", "0.0.0.0:0"], 2, "loopback"),
        (&["--me", "Ana", &google, "--into", &downloads], 2, "which kith open did not make"),
        (&["--me", "Ana", &google], 1, "no file gave anything"),
        (&["--me", "Ana", &nowhere], 1, "no file gave anything"),
    ] {
        let ended = home.fails(args);
        assert_eq!(ended.code, Some(code), "{args:?}: {}{}", ended.out, ended.err);
        assert!(ended.err.contains(said), "{args:?}: {}", ended.err);
        assert!(!ended.err.contains("listening") && !home.path(".local").exists(), "{args:?}");
        assert_eq!(ended.out.contains("no tables were written"), code == 1, "{args:?}: {}", ended.out);
    }
    // A file that gives nothing beside one that does is named, and the other is served.
    let opened = home.open(&["--me", "Ana", &downloads, "--no-browser"]);
    let log = opened.server.logged().join("\n");
    assert!(log.contains("google.csv: no header of a known export"), "{log}");
    assert_eq!(opened.enter().contacts().len(), 2);
    opened.server.signal("INT");
    assert_eq!(opened.server.ended().0, Some(0));
    let ended = run_in(&["open", "--me", "Ana", &downloads], &[]);
    assert!(ended.code == Some(2) && ended.err.contains("--into"), "{}", ended.err);
}

#[test]
fn what_changed_since_the_last_time_is_said_until_something_changes_again() {
    let home = Home::of_ana();
    let into = home.text("mine");
    let args =
        ["--me", "Ana Ruiz", "--org", "Brook", "--into", &into, "--no-browser", &home.text("Downloads")];
    let changes = |args: &[&str]| -> Option<Vec<String>> {
        let opened = home.open(args);
        let mut page = opened.enter();
        let since = page.get("/explore/login")["data"]["before"].as_u64();
        let said = since.map(|since| {
            let answer = page.get(&format!("/api/v1/changes?since={since}&limit=50"));
            let change = |it: &Value| {
                format!("{} {}", it["kind"].as_str().unwrap(), it["person"]["name"].as_str().unwrap())
            };
            answer["data"]["changes"].as_array().unwrap().iter().map(change).collect()
        });
        assert_eq!(opened.server.stop("INT").0, Some(0));
        said
    };
    // The control: the first time there is nothing to compare with.
    assert_eq!(changes(&args), None);
    assert_eq!(changes(&args), None, "nor if nothing is new");
    let connections = fs::read_to_string(home.path("Downloads/Connections.csv")).unwrap();
    let more = format!("{connections}Lou,Vale,https://www.linkedin.com/in/lou-vale,,,,\n");
    fs::write(home.path("Downloads/Connections.csv"), more).unwrap();
    let new = Some(vec!["reachable Lou Vale".to_owned()]);
    assert_eq!(changes(&args), new);
    assert_eq!(changes(&args), new, "a second look on the same day does not lose it");
    // Nobody who is forgotten stays in it.
    let earlier = home.path("mine/earlier.kith");
    assert!(earlier.exists());
    let list = home.text("forget.txt");
    run_well(&["suppress", "create", "--suppressions", &list]);
    let of = ["suppress", "add", "--suppressions", &list, "--org", "org_brook", "--linkedin-id", "fay-lind"];
    run_well(&of);
    assert_eq!(changes(&[&args[..], &["--suppressions", &list]].concat()), None);
    assert!(!earlier.exists());
}

#[test]
fn people_to_forget_are_neither_written_nor_shown() {
    let home = Home::of_ana();
    let into = home.text("mine");
    let args =
        ["--me", "Ana Ruiz", "--org", "Brook", "--into", &into, "--no-browser", &home.text("Downloads")];
    let opened = home.open(&args);
    assert!(opened.enter().contacts().iter().any(|(name, _)| name == "Fay Lind"), "the control");
    assert_eq!(opened.server.stop("INT").0, Some(0));
    // The list that `kith serve` finds among the snapshots is kept to without a word.
    let list = home.text("mine/snapshots/suppressions.txt");
    run_well(&["suppress", "create", "--suppressions", &list]);
    run_well(&[
        "suppress",
        "add",
        "--suppressions",
        &list,
        "--org",
        "org_brook",
        "--linkedin-id",
        "fay-lind",
    ]);
    let opened = home.open(&args);
    let mut page = opened.enter();
    assert!(page.contacts().iter().all(|(name, _)| name != "Fay Lind"));
    assert_eq!(page.get("/explore/report")["totals"]["skipped"], 3);
    let people = fs::read_to_string(home.path("mine/tables/people.ndjson")).unwrap();
    assert!(!people.contains("Fay") && people.contains("Gus"), "{people}");
}
