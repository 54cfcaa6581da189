//! A further export, sent to the page of `kith open`.
//!
//! Promise: A file that the owner adds on the page of `kith open` is in the next answer, in the next report and in the next `kith open`; one
//!   that gives nothing or breaks off changes nothing.
//! Control: before it was added; the same file to its end.
//! Also in: `explorer/test/bring.mjs`.

use std::fs;
use std::io::Write;
use std::net::TcpStream;

use serde_json::Value;

use super::{Home, LINKEDIN, OWN, Opened, Page, open_to_others};
use crate::http::{Connection, Reply};

const LATER: &str = "Nia,Poe,https://www.linkedin.com/in/nia-poe,,Poe AG,CEO,01 Apr 2026\n";

impl Page {
    /// Sends a file as the page does.
    fn add(&mut self, name: &str, text: &str) -> Reply {
        let name = serde_json::to_string(name).unwrap();
        let headers = [OWN, ("cookie", &*self.cookie), ("kith-page", &self.half), ("kith-file", &name)];
        self.api.post_with("/explore/import", &headers, text.as_bytes())
    }

    fn names(&mut self) -> Vec<String> {
        self.contacts().into_iter().map(|(name, _)| name).collect()
    }

    fn files(&mut self) -> Vec<Value> {
        self.get("/explore/report")["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["file"].clone())
            .collect()
    }
}

fn opened(home: &Home) -> Opened {
    home.open(&["--me", "Ana Ruiz", "--into", &home.text("mine"), &home.text("Downloads"), "--no-browser"])
}

#[test]
fn what_the_owner_adds_is_in_the_next_answer_and_in_the_next_open() {
    let home = Home::of_ana();
    let first = opened(&home);
    let mut page = first.enter();
    assert_eq!(page.get("/explore/login")["data"]["adds"], true);
    let (before, generation) = (page.names(), page.get("/explore/login")["data"]["generation"].clone());
    assert!(!before.contains(&"Nia Poe".to_owned()), "the control");
    let added = page.add("later.csv", &format!("{LINKEDIN}{LATER}"));
    assert_eq!(added.status, 200, "{}", added.json());
    assert!(page.names().contains(&"Nia Poe".to_owned()) && page.names().len() == before.len() + 1);
    assert!(page.files().contains(&"added/later.csv".into()));
    // What was before can be compared with.
    assert_eq!(page.get("/explore/login")["data"]["before"], generation);
    // Of the same name: in the place of the one before.
    let other = LATER.replace("Nia,Poe", "Nora,Poe").replace("nia-poe", "nora-poe");
    assert_eq!(page.add("later.csv", &format!("{LINKEDIN}{other}")).status, 200);
    assert!(page.names().contains(&"Nora Poe".to_owned()) && !page.names().contains(&"Nia Poe".to_owned()));
    assert_eq!(open_to_others(&home.path("mine")), Vec::<std::path::PathBuf>::new());
    assert_eq!(first.server.stop("INT").0, Some(0));
    let second = opened(&home);
    let mut again = second.enter();
    assert!(
        again.names().contains(&"Nora Poe".to_owned()) && again.files().contains(&"added/later.csv".into())
    );
}

#[test]
fn what_gives_nothing_or_breaks_off_changes_nothing() {
    let home = Home::of_ana();
    let first = opened(&home);
    let mut page = first.enter();
    assert_eq!(page.add("later.csv", &format!("{LINKEDIN}{LATER}")).status, 200);
    let (names, files) = (page.names(), page.files());
    let folder = home.path("mine");
    let listed = || {
        let all = [folder.clone(), folder.join("added")].map(|folder| fs::read_dir(folder).unwrap());
        let mut all: Vec<_> = all.into_iter().flatten().map(|entry| entry.unwrap().file_name()).collect();
        all.retain(|name| !name.to_string_lossy().starts_with("credentials.db"));
        all.sort();
        all
    };
    let before = listed();
    for name in ["holiday.csv", "later.csv"] {
        let refused = page.add(name, "Where,When\nLisbon,May\n");
        let said = refused.json()["error"].as_str().unwrap().to_owned();
        assert!(refused.status == 409 && said.starts_with(&format!("added/{name}: ")), "{said}");
    }
    let half = format!(
        "POST /explore/import HTTP/1.1\r\nhost: {}\r\nsec-fetch-site: same-origin\r\ncookie: {}\r\nkith-page: {}\r\n\
         kith-file: \"half.csv\"\r\ncontent-length: 100000\r\n\r\n{LINKEDIN}{LATER}",
        first.server.api, page.cookie, page.half
    );
    let mut stream = TcpStream::connect(first.server.api).unwrap();
    stream.write_all(half.as_bytes()).unwrap();
    drop(stream);
    assert!((0..100_000).any(|_| listed() == before), "{:?}", listed());
    assert_eq!((page.names(), page.files()), (names, files));
    let text = fs::read_to_string(folder.join("added/later.csv")).unwrap();
    assert!(text.contains("Nia"), "what was there is there");
    // Not without the page, and not by another site.
    let name = ("kith-file", "\"x.csv\"");
    let mut api = Connection::open(first.server.api);
    assert_eq!(api.post_with("/explore/import", &[OWN, name], b"x").status, 401);
    let foreign =
        [("sec-fetch-site", "cross-site"), ("cookie", &*page.cookie), ("kith-page", &page.half), name];
    assert_eq!(Connection::open(first.server.api).post_with("/explore/import", &foreign, b"x").status, 401);
}
