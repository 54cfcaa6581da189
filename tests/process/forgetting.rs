//! `kith suppress add` and `check`: the people they find, their errors, and what is left of a person after the next
//! import.
//!
//! Promise: Each outcome of `suppress add`, `remove` and `check`: nobody found, several, people whom an import cannot
//!   distinguish, values that cannot be, another organization, standard input.
//! Control: people beside them stay; what is certain is cleaned.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

use crate::http::Connection;
use crate::program::{Ended, Site, build_tiny, kith, run, run_well};

const HEADER: &str = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n";

/// The exports of two members, in which Gus Hart has three rows and shares an address, two people are called Lou Vale and
/// another two Noname Only.
struct Team {
    folder: TempDir,
}

impl Team {
    fn new() -> Self {
        let team = Self { folder: tempfile::tempdir().unwrap() };
        let ana = "Gus,Hart,https://www.linkedin.com/in/gus-hart,,Hart Co,CEO,01 Jan 2024\n\
                   Gus,Hart,https://www.linkedin.com/in/gus-hart,gus@mail.example,Old Ltd,CTO,01 Jan 2020\n\
                   Lou,Vale,https://www.linkedin.com/in/lou-1,,Kumo,CFO,01 Jan 2024\n\
                   Noname,Only,,,,,01 Jan 2024\n";
        let ben = "Gus,Hart,,,Hart Co,CEO,01 Feb 2024\n\
                   Lou,Vale,https://www.linkedin.com/in/lou-2,,Acme,CFO,01 Jan 2024\n\
                   Noname,Only,,,,,01 Jan 2023\n\
                   Mia,Roe,,,Blue Ltd,CFO,01 Jan 2024\n";
        for (file, rows) in [("ana.csv", ana), ("ben.csv", ben)] {
            fs::write(team.path(file), format!("{HEADER}{rows}")).unwrap();
        }
        team.import(&["ana", "ben"], "");
        team
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Imports the files of `members` into `t` and `n.kith`, keeping to `list`, if there is one.
    fn import(&self, members: &[&str], more: &str) -> Ended {
        let member = |name: &&str| {
            format!(
                "[[members]]\nname = \"{name} Member\"\nemail = \"{name}@acme.example\"\nfiles = [\"{name}.csv\"]\n"
            )
        };
        let members: String = members.iter().map(member).collect();
        fs::write(self.path("team.toml"), format!("[organization]\nname = \"Acme\"\n{members}{more}"))
            .unwrap();
        fs::remove_dir_all(self.path("t")).ok();
        let [team, tables, snapshot, report, list] =
            ["team.toml", "t", "n.kith", "report.json", "list.txt"].map(|name| self.text(name));
        let mut args = vec!["import", &team, "--tables", &tables, "--out", &snapshot, "--report", &report];
        if self.path("list.txt").exists() {
            args.extend(["--suppressions", &list]);
        }
        let ended = run(&args);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        ended
    }

    fn suppress(&self, command: &str, named: &[&str]) -> Ended {
        run(&[&["suppress", command, "--suppressions", &self.text("list.txt")], named].concat())
    }

    fn add(&self, named: &[&str]) -> Ended {
        self.suppress("add", named)
    }

    /// The ids and handles of the people called `name`.
    fn called(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path("t/people.ndjson")).unwrap();
        let people = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        people.filter(|one| one["name"] == name).map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    }

    /// The kinds of the entries of the list.
    fn kinds(&self) -> Vec<String> {
        let listed = run_well(&["suppress", "list", "--suppressions", &self.text("list.txt"), "--json"]);
        let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
        listed.iter().map(|entry| entry["kind"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn every_key_of_a_person_is_entered_and_no_row_brings_them_back() {
    for by in [
        &["--linkedin-id", "https://www.linkedin.com/in/Gus-Hart/"][..],
        &["--email", "Gus <GUS@mail.example>"],
    ] {
        let team = Team::new();
        let tables = team.text("t");
        let ended = team.add(&[by, &["--tables", &tables]].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        assert!(ended.out.contains("all that is known of 1 person in org_acme"), "{}", ended.out);
        assert_eq!(team.kinds(), ["linkedinId", "email", "person", "name", "name"]);
        let check = team.suppress("check", &[&team.text("n.kith")]);
        assert!(check.code == Some(1) && check.err.contains("1 person is in"), "{}", check.err);
        let intro = "[[intros]]\nperson = \"https://www.linkedin.com/in/gus-hart\"\nby = \"ben Member\"\nstatus = \"asked\"\nat = 2024-01-01\n";
        for members in [&["ana", "ben"][..], &["ben"], &["ben", "ana"]] {
            let ended = team.import(members, intro);
            assert!(ended.out.contains("intros[1].person: no row is of that person"), "{}", ended.out);
            let mut left = ended.out + &ended.err;
            for file in ["t/people.ndjson", "t/identities.ndjson", "t/person_aliases.ndjson", "report.json"] {
                left += &fs::read_to_string(team.path(file)).unwrap();
            }
            assert!(!left.contains("gus-hart") && !left.contains("Gus Hart"), "{left}");
            assert!(left.contains("Mia Roe"));
            let check = team.suppress("check", &[&team.text("n.kith")]);
            assert!(
                check.code == Some(0) && check.out.contains("of the 5 entries of org_acme"),
                "{}",
                check.out
            );
        }
    }
    // The control: the handle alone, and the file that has it is gone.
    let team = Team::new();
    assert_eq!(team.add(&["--org", "org_acme", "--linkedin-id", "gus-hart"]).code, Some(0));
    team.import(&["ben"], "");
    assert_eq!(team.called("Gus Hart").len(), 1);
}

#[test]
fn a_person_with_neither_handle_nor_address_is_forgotten_by_name_and_company_or_id() {
    let ways: [fn(&Team) -> Vec<String>; 4] = [
        |team| vec!["--tables".into(), team.text("t"), "--name".into(), "mia  ROE".into()],
        |team| vec!["--snapshot".into(), team.text("n.kith"), "--name".into(), "Mia Roe".into()],
        |team| vec!["--org".into(), "org_acme".into(), "--id".into(), team.called("Mia Roe").remove(0)],
        |_| ["--org", "org_acme", "--name", "Mia Roe", "--company", "BLUE ltd."].map(str::to_owned).to_vec(),
    ];
    for way in ways {
        let team = Team::new();
        let named = way(&team);
        let ended = team.add(&named.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ended.code, Some(0), "{named:?} {}", ended.err);
        team.import(&["ben"], "");
        assert_eq!(team.called("Mia Roe"), [""; 0], "{named:?}");
        assert_eq!(team.called("Gus Hart").len(), 1, "the control");
    }
}

#[test]
fn nobody_is_forgotten_unasked_and_who_is_not_found_is_an_error() {
    let team = Team::new();
    let (tables, snapshot) = (team.text("t"), team.text("n.kith"));
    let lous = team.called("Lou Vale");
    let nonames = team.called("Noname Only");
    for place in [["--tables", &tables], ["--snapshot", &snapshot]] {
        let none = team.add(&[&place[..], &["--email", "nobody@acme.example"]].concat());
        assert!(none.code == Some(1) && none.err.contains("nobody in"), "{none:?}");
        assert!(!none.err.contains("nobody@"), "{}", none.err);
        let several = team.add(&[&place[..], &["--name", "Lou Vale"]].concat());
        assert!(several.code == Some(1) && several.err.contains("2 people"), "{several:?}");
        assert!(lous.iter().all(|id| several.out.contains(id.as_str())), "{}", several.out);
        let other = team.add(&[&place[..], &["--org", "org_akme", "--linkedin-id", "gus-hart"]].concat());
        assert!(other.code == Some(1) && other.err.contains("org_acme and not of org_akme"), "{other:?}");
        // Nothing sets the two apart at an import but which file is there.
        let double = team.add(&[&place[..], &["--id", &nonames[0]]].concat());
        assert!(double.code == Some(1) && double.out.contains(&nonames[1]), "{double:?}");
    }
    assert!(!team.path("list.txt").exists(), "nobody is on a list that was not made");
    let one = team.add(&["--tables", &tables, "--name", "Lou Vale", "--company", "Kumo"]);
    assert_eq!(one.code, Some(0), "{}", one.err);
    let both = team.add(&["--tables", &tables, "--id", &nonames[0], "--id", &nonames[1]]);
    assert_eq!(both.code, Some(0), "{}", both.err);
    team.import(&["ana", "ben"], "");
    assert_eq!((team.called("Lou Vale").len(), team.called("Noname Only").len()), (1, 0));
    for members in [["ana"], ["ben"]] {
        team.import(&members, "");
        assert_eq!(team.called("Noname Only").len(), 0);
    }
}

#[test]
fn a_value_that_cannot_be_what_it_claims_is_refused_with_the_remedy() {
    let team = Team::new();
    for (named, said) in [
        (&["--linkedin-id", "person_0123"][..], "give it by --id"),
        (&["--linkedin-id", "gus@mail.example"], "give it by --email"),
        (&["--linkedin-id", "Noname Only"], "--name NAME"),
        (&["--linkedin-id", "https://www.linkedin.com/company/acme"], "/in/"),
        (&["--linkedin-id", " "], "blank"),
        (&["--email", "Noname"], "--name NAME or --id"),
        (&["--email", "Dot <dot@x>"], "not one e-mail address"),
        (&["--email", "mailto:"], "not one e-mail address"),
        (&["--email", "a@b.example, c@d.example"], "not one e-mail address"),
        (&["--id", "gus-hart"], "person_"),
        (&["--name", "Mia Roe"], "--company"),
        (&["--name", "Mia Roe", "--company", "self-employed"], "names no company"),
        (&[], "say who"),
        (&["--email", "-", "--linkedin-id", "-"], "once"),
    ] {
        let ended = team.add(&[&["--org", "org_acme"], named].concat());
        assert!(ended.code == Some(2) && ended.err.contains(said), "{named:?} {ended:?}");
        assert!(!team.path("list.txt").exists(), "{named:?}");
    }
    let nowhere = team.add(&["--linkedin-id", "gus-hart"]);
    assert!(nowhere.code == Some(2) && nowhere.err.contains("--org"), "{nowhere:?}");
    // Certain rows are cleaned.
    for address in ["mailto:Gus@mail.example", "Gus Hart <gus@MAIL.example>"] {
        assert_eq!(team.add(&["--org", "org_acme", "--email", address]).code, Some(0));
    }
    assert_eq!(team.kinds(), ["email"]);
    // An organization that the list does not know is said.
    let strange = team.add(&["--org", "org_akme", "--linkedin-id", "gus-hart"]);
    assert!(strange.code == Some(0) && strange.err.contains("no entry of org_akme before"), "{strange:?}");
    let check = team.suppress("check", &[&team.text("n.kith")]);
    assert_eq!(check.code, Some(1), "{check:?}");
}

#[test]
fn values_are_read_from_standard_input() {
    let team = Team::new();
    let list = team.text("list.txt");
    let pipe = |named: &[&str], text: &str| {
        let args = [&["suppress", "add", "--suppressions", &list, "--org", "org_acme"], named].concat();
        let mut child =
            kith(&args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let ended = child.wait_with_output().unwrap();
        (
            ended.status.code(),
            String::from_utf8(ended.stdout).unwrap(),
            String::from_utf8(ended.stderr).unwrap(),
        )
    };
    let (code, out, err) = pipe(&["--linkedin-id", "-"], "gus-hart\n\n lou-1 \n");
    assert_eq!((code, out.lines().next()), (Some(0), Some("2 added, 0 there already")), "{err}");
    let tables = team.text("t");
    let (code, out, err) = pipe(&["--email", "-", "--tables", &tables], "gus@mail.example\n");
    assert_eq!((code, out.lines().next()), (Some(0), Some("4 added, 1 there already")), "{err}");
    let (code, _, err) = pipe(&["--email", "-"], "a@b.example\nNoname\n");
    assert!(code == Some(2) && err.contains("line 2") && !err.contains("Noname"), "{err}");
    let (code, _, err) = pipe(&["--email", "-"], "\n");
    assert!(code == Some(2) && err.contains("say who"), "{err}");
}

#[test]
fn who_was_entered_by_every_key_is_taken_off_by_every_key() {
    let team = Team::new();
    let snapshot = team.text("n.kith");
    let named = ["--snapshot", snapshot.as_str(), "--linkedin-id", "gus-hart"];
    assert_eq!(team.add(&named).code, Some(0));
    let one = team.suppress("remove", &["--org", "org_acme", "--linkedin-id", "gus-hart"]);
    assert!(
        one.code == Some(0) && one.err.contains("entries that were added at the same time stay"),
        "{one:?}"
    );
    let rest = team.suppress("remove", &named);
    assert!(rest.code == Some(0) && team.kinds().is_empty(), "{rest:?}");
    let again = team.suppress("remove", &named);
    assert!(again.code == Some(1) && again.err.contains("nothing was removed"), "{again:?}");
    let check = team.suppress("check", &[&snapshot]);
    assert!(check.code == Some(0) && check.out.contains("no entry of org_acme"), "{check:?}");
}

#[test]
fn an_older_copy_of_the_list_is_held_against_and_no_server_starts_with_it() {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let key = site.create_key("org_tiny", "a");
    let list = site.snapshot("suppressions.txt").to_str().unwrap().to_owned();
    let add = |handle: &str| {
        run_well(&["suppress", "add", "--suppressions", &list, "--org", "org_tiny", "--linkedin-id", handle]);
    };
    add("ana-moreira");
    let older = fs::read(&list).unwrap();
    add("pia-weiss");
    let server = site.serve("info");
    let has_pia = || {
        let reply = Connection::open(server.api).get("/api/v1/search/people?q=pia&limit=50", &key);
        String::from_utf8_lossy(&reply.body).contains("person_pia")
    };
    assert!(!has_pia());
    let newest = fs::read(&list).unwrap();
    fs::write(&list, &older).unwrap();
    assert!(!has_pia(), "the newer state stays in force");
    let ready = Connection::open(server.admin).get("/readyz", "");
    assert_eq!(ready.status, 503);
    let args = site.serve_args();
    let started = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(started.code == Some(1) && started.err.contains("is an older copy"), "{started:?}");
    let refused =
        run(&["suppress", "add", "--suppressions", &list, "--org", "org_tiny", "--linkedin-id", "que"]);
    assert!(refused.code == Some(1) && refused.err.contains("put back the newest copy"), "{refused:?}");
    fs::write(&list, newest).unwrap();
    assert!(!has_pia());
    assert_eq!(Connection::open(server.admin).get("/readyz", "").status, 200);
}
