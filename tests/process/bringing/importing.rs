//! What was read is what an import reads, and the next import takes it up.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::bringing::{Link, Service, export};
use crate::program::{Ended, Server, kith, run, run_well};

/// The tables in `folder`, by name.
fn tables(folder: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text = |path: &Path| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
    };
    entries.filter(|path| path.is_file()).map(|path| text(&path)).collect()
}

fn import(service: &Service, of: &[&str], folder: &str) -> Ended {
    let args = service.args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    run(&[&["import"], of, &["--tables", folder], &args].concat())
}

/// Three members and an advocate, each with a link and what they bring.
fn team() -> (Service, Vec<Link>) {
    let service = Service::new();
    let links = vec![
        service.invite(&json!({ "who": "user_ana-ruiz" })),
        service.ben(),
        service.invite(&json!({ "name": "Chloe Tan", "email": "chloe@brook.example" })),
        service.invite(&json!({ "name": "Dee Fox", "email": "dee@fox.example", "as": "advocate" })),
    ];
    links[0].brings("ana/Connections.csv");
    links[0].brings("ana/google.csv");
    links[1].brings("ben/Connections.csv");
    links[2].brings("chloe-connections.csv");
    links[3].brings("dee-connections.csv");
    for (kind, text) in
        [("company", "Harrow & Sons"), ("person", "ida@clinic.example"), ("person", "Hal Ito")]
    {
        links[1].leave_out(&json!({ "kind": kind, "text": text }));
    }
    links[0].leave_out(&json!({ "kind": "label", "text": "family" }));
    (service, links)
}

/// The same team in a team file.
const TEAM: &str = r#"
[organization]
name = "Brook Robotics"

[[members]]
name = "Ana Ruiz"
email = "ana@brook.example"
role = "admin"
files = ["ana@brook.example/*"]
leave_out = { labels = ["Family"] }

[[members]]
name = "Ben Okri"
email = "ben@brook.example"
files = ["ben@brook.example/*"]
leave_out = { companies = ["Harrow & Sons"], people = ["ida@clinic.example", "Hal Ito"] }

[[members]]
name = "Chloe Tan"
email = "chloe@brook.example"
files = ["chloe@brook.example/*"]

[[advocates]]
name = "Dee Fox"
email = "dee@fox.example"
helps = ["Ana Ruiz"]
files = ["dee@fox.example/*"]
"#;

const FILES: [(&str, &str); 5] = [
    ("ana/Connections.csv", "ana@brook.example/Connections.csv"),
    ("ana/google.csv", "ana@brook.example/google.csv"),
    ("ben/Connections.csv", "ben@brook.example/Connections.csv"),
    ("chloe-connections.csv", "chloe@brook.example/chloe-connections.csv"),
    ("dee-connections.csv", "dee@fox.example/dee-connections.csv"),
];

/// The tables of the team file `text` over the same files.
fn by_team_file(service: &Service, text: &str) -> BTreeMap<String, String> {
    for (from, to) in FILES {
        let to = service.site.file(&format!("team/{to}"));
        fs::create_dir_all(Path::new(&to).parent().unwrap()).unwrap();
        fs::copy(export(from), to).unwrap();
    }
    let (team, folder) = (service.site.file("team/team.toml"), service.site.file("by-file"));
    fs::write(&team, text).unwrap();
    let _ = fs::remove_dir_all(&folder);
    run_well(&["import", &team, "--tables", &folder]);
    tables(&folder)
}

#[test]
fn a_team_without_a_team_file_has_the_tables_of_one_with_it() {
    let (service, _) = team();
    let folder = service.site.file("by-links");
    let ended = import(&service, &["--org", "Brook Robotics"], &folder);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let made = tables(&folder);
    assert_eq!(made, by_team_file(&service, TEAM));
    let people = &made["people.ndjson"];
    for gone in ["Hal Ito", "Ida Berg", "Jon Harrow", "Mum"] {
        assert!(!people.contains(gone), "{gone}");
    }
    // The control: without what Ben leaves out.
    let whole = by_team_file(&service, &TEAM.replace(", people = [\"ida@clinic.example\", \"Hal Ito\"]", ""));
    assert!(whole["people.ndjson"].contains("Hal Ito") && whole != made);
}

#[test]
fn what_colleagues_brought_opens_with_the_name_of_the_organization_alone() {
    let (service, _) = team();
    let [exports, key] = ["exports", "exports-key"].map(|name| format!("--{name}"));
    let args = service.args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let home = tempfile::tempdir().unwrap();
    let open = |more: &[&str]| {
        let mut command =
            kith(&[&["open"], &args[..], more, &["--no-browser", "--listen", "127.0.0.1:0"]].concat());
        command.env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
        command
    };
    assert!(args.contains(&exports.as_str()) && args.contains(&key.as_str()));
    let mut opened = Server::start(&mut open(&["--org", "Brook Robotics", "--as", "Ben Okri"]));
    opened.wait_for_output(|line| line.starts_with("Ctrl-C"));
    let printed = opened.printed().join("\n");
    assert!(printed.contains("Ben Okri (user_ben-okri)") && printed.contains("/explore#code="), "{printed}");
    assert_eq!(opened.stop("INT").0, Some(0));
    // The control: without the name of the organization, and without anything.
    let ended = open(&[]).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.code() == Some(2) && said.contains("--org"), "{said}");
}

#[test]
fn beside_a_team_file_and_beside_ones_own_files_each_is_one_person() {
    let (service, _) = team();
    let whole = by_team_file(&service, TEAM);
    // Ana and Ben stand in a team file with some of their files; what Ben leaves out over his link holds too.
    let part = "[organization]\nname = \"Brook Robotics\"\n\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@brook.example\"\nrole = \"admin\"\n\
                files = [\"ana@brook.example/*\"]\n\n[[members]]\nname = \"Ben Okri\"\nemail = \"ben@brook.example\"\n";
    let (file, folder) = (service.site.file("part.toml"), service.site.file("merged"));
    fs::write(&file, part.replace("files = [", "files = [\"team/").replace("\"team/\"ana", "\"team/ana"))
        .unwrap();
    let ended = import(&service, &[&file], &folder);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    for table in ["people.ndjson", "members.ndjson", "connections.ndjson", "advocates.ndjson"] {
        assert_eq!(tables(&folder).get(table), whole.get(table), "{table}");
    }
    // Ana's own files on the command line, without her address.
    let (own, folder) = (export("ana/google.csv"), service.site.file("own"));
    let ended =
        import(&service, &["--org", "Brook Robotics", "--me", "Ana Ruiz", own.to_str().unwrap()], &folder);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_eq!(tables(&folder).get("members.ndjson"), whole.get("members.ndjson"));
    assert_eq!(tables(&folder).get("people.ndjson"), whole.get("people.ndjson"));
    // Another organization has nothing there.
    let ended = import(&service, &["--org", "Another"], &service.site.file("another"));
    assert!(ended.code == Some(2) && ended.err.contains("kith exports list"), "{}", ended.err);
}

#[test]
fn what_was_read_is_the_report_of_an_import_of_the_same_files() {
    let service = Service::new();
    let ben = service.ben();
    let connections = ben.brings("ben/Connections.csv");
    let shown = ben.brings("ana/google.csv");
    assert_eq!(connections["report"]["files"][0]["read"], 6);
    let (report, folder) = (service.site.file("report.json"), service.site.file("tables-of-ben"));
    let files = ["ben/Connections.csv", "ana/google.csv"].map(export);
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let import = [
        "import",
        "--org",
        "Brook Robotics",
        "--me",
        "Ben Okri",
        "--email",
        "ben@brook.example",
        "--tables",
        &folder,
        "--report",
        &report,
    ];
    run_well(&[&import, &files[..]].concat());
    let mut expected: Value = serde_json::from_str(&fs::read_to_string(&report).unwrap()).unwrap();
    for file in expected["files"].as_array_mut().unwrap() {
        let name = file["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        file["file"] = name.into();
    }
    assert_eq!(shown["report"], expected);
    // Read again when the page is opened, and after each change.
    assert_eq!(ben.part()["report"], expected);
    let less = ben.leave_out(&json!({ "kind": "person", "text": "https://www.linkedin.com/in/hal-ito" }));
    let skips = less["report"]["files"][0]["skips"].as_array().unwrap();
    assert_eq!(skips, &[json!({ "line": 5, "reason": "its owner leaves it out" })]);
    let back = ben
        .leave_out(&json!({ "kind": "person", "text": "https://www.linkedin.com/in/hal-ito", "back": true }));
    assert_eq!(back["report"], expected);
}

#[test]
fn who_leaves_or_takes_a_file_back_is_not_in_the_next_import() {
    let (service, links) = team();
    let folder = service.site.file("tables-of-all");
    let names = || {
        let ended = import(&service, &["--org", "Brook Robotics"], &folder);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        tables(&folder)["people.ndjson"].clone()
    };
    assert!(names().contains("Kim Roe") && names().contains("Lou Vale"));
    let id = links[0].part()["files"][1]["id"].as_str().unwrap().to_owned();
    assert_eq!(links[0].send("DELETE", &format!("/bring/files/{id}")).status, 200);
    assert_eq!(links[2].send("DELETE", "/bring/part").status, 200);
    assert_eq!(links[2].send("GET", "/bring/part").status, 404);
    let after = names();
    assert!(!after.contains("Kim Roe") && !after.contains("Chloe") && after.contains("Lou Vale"), "{after}");
    // An advocate whose member left is reported, and the others are imported.
    assert_eq!(links[0].send("DELETE", "/bring/part").status, 200);
    let ended = import(&service, &["--org", "Brook Robotics"], &folder);
    assert!(ended.code == Some(1) && ended.err.contains("an advocate who helps no member"), "{}", ended.err);
    assert!(tables(&folder)["people.ndjson"].contains("Ben Okri"));
}

#[test]
fn an_import_that_watches_takes_up_what_is_brought_and_what_is_taken_back() {
    let service = Service::new();
    let ben = service.ben();
    ben.brings("ben/Connections.csv");
    let [tables, out, folder] = ["watched", "watched.kith", "exports"].map(|name| service.site.file(name));
    let args = service.args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let import = [
        "import",
        "--org",
        "Brook Robotics",
        "--tables",
        &tables,
        "--out",
        &out,
        "--watch",
        &folder,
        "--every",
        "1",
    ];
    let mut watching = Server::start_unheard(&mut kith(&[&import[..], &args].concat()));
    watching.wait_for_output(|line| line.starts_with("imported 1 files: 6 rows read, 0 skipped"));
    ben.leave_out(&json!({ "kind": "person", "text": "Hal Ito" }));
    watching.wait_for_output(|line| line.starts_with("imported 1 files: 6 rows read, 1 skipped"));
    ben.brings("ana/google.csv");
    watching.wait_for_output(|line| line.starts_with("imported 2 files"));
    assert_eq!(watching.stop("TERM").0, Some(0));
}
