//! Colleagues bring their own exports over links, and the next import takes them up.
//!
//! Promise: What a colleague brings is for their link alone, lies sealed, is bounded and can be taken back; the next import makes of
//!   it the tables that a team file with the same files makes.
//! Control: another link, a team file, a body that ends, a bound that is not met.
//! Also in: `src/networks/exports/seal.rs`, `explorer/test/bring.mjs`.

mod importing;
mod links;
mod sealed;

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::http::{Connection, Reply};
use crate::program::{Server, Site, project, run_well};

const OWN: (&str, &str) = ("sec-fetch-site", "same-origin");
const ORG: &str = "org_brook-robotics";

/// A service of the network of one admin, Ana, to which colleagues bring exports.
struct Service {
    site: Site,
    server: Server,
    token: String,
}

/// A colleague's link.
struct Link {
    api: std::net::SocketAddr,
    code: String,
}

fn export(name: &str) -> PathBuf {
    project("fixtures/team").join(name)
}

/// What ends the addresses that links have.
fn code_of(url: &str) -> String {
    url.trim().split_once("/bring#").unwrap().1.to_owned()
}

impl Service {
    fn new() -> Self {
        Self::with("")
    }

    /// One with `more` under `[exports]`.
    fn with(more: &str) -> Self {
        let site = Site::new();
        let [folder, key, tables] = ["exports", "exports.key", "tables"].map(|name| site.file(name));
        run_well(&["exports", "create", "--exports", &folder, "--exports-key", &key]);
        let (snapshot, own) = (site.snapshot("brook.kith"), export("ana/Connections.csv"));
        run_well(&[
            "import",
            "--org",
            "Brook Robotics",
            "--me",
            "Ana Ruiz",
            "--email",
            "ana@brook.example",
            "--tables",
            &tables,
            "--out",
            snapshot.to_str().unwrap(),
            own.to_str().unwrap(),
        ]);
        let config = format!(
            "[service]\npublic_url = \"http://127.0.0.1:1\"\n[exports]\nfolder = \"{folder}\"\nkey_file = \"{key}\"\n{more}\n"
        );
        fs::write(site.file("kith.toml"), config).unwrap();
        let server = site.serve_with("info", &["--config", &site.file("kith.toml")]);
        let token = token(&site, "mcp:read mcp:write");
        Self { site, server, token }
    }

    /// The options that name the folder and its key.
    fn args(&self) -> [String; 4] {
        [
            "--exports".to_owned(),
            self.site.file("exports"),
            "--exports-key".to_owned(),
            self.site.file("exports.key"),
        ]
    }

    fn post(&self, token: &str, body: &Value) -> Reply {
        let bearer = format!("Bearer {token}");
        let headers = [OWN, ("authorization", &bearer)];
        Connection::open(self.server.api).post_with("/explore/exports", &headers, body.to_string().as_bytes())
    }

    /// The link that the admin makes of `body`.
    fn invite(&self, body: &Value) -> Link {
        let reply = self.post(&self.token, body);
        assert_eq!(reply.status, 200, "{}", reply.json());
        Link { api: self.server.api, code: code_of(reply.json()["url"].as_str().unwrap()) }
    }

    fn ben(&self) -> Link {
        self.invite(&json!({ "name": "Ben Okri", "email": "ben@brook.example" }))
    }

    /// What the admin sees.
    fn listed(&self) -> Vec<Value> {
        let reply = Connection::open(self.server.api).send(
            "GET",
            "/explore/exports",
            &[OWN, ("authorization", &format!("Bearer {}", self.token))],
        );
        assert_eq!(reply.status, 200);
        reply.json()["data"]["colleagues"].as_array().unwrap().clone()
    }

    /// Every file in the folder of exports.
    fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        walk(Path::new(&self.site.file("exports")), &mut found);
        found.retain(|file| file.file_name().is_some_and(|name| name != "lock"));
        found.sort();
        found
    }
}

fn token(site: &Site, scope: &str) -> String {
    let credentials = site.credentials();
    let args = [
        "tokens",
        "create",
        "--credentials",
        &credentials,
        "--org",
        ORG,
        "--user",
        "user_ana-ruiz",
        "--scope",
        scope,
    ];
    run_well(&args).trim().to_owned()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

impl Link {
    fn send(&self, method: &str, path: &str) -> Reply {
        Connection::open(self.api).send(method, path, &[OWN, ("kith-code", &self.code)])
    }

    fn part(&self) -> Value {
        let reply = self.send("GET", "/bring/part");
        assert_eq!(reply.status, 200, "{}", reply.json());
        reply.json()["data"].clone()
    }

    fn bring(&self, name: &str, bytes: &[u8]) -> Reply {
        let name = serde_json::to_string(name).unwrap();
        Connection::open(self.api).post_with(
            "/bring/files",
            &[OWN, ("kith-code", &self.code), ("kith-file", &name)],
            bytes,
        )
    }

    /// Brings a file of the team, which is taken; the part then.
    fn brings(&self, file: &str) -> Value {
        let name = file.rsplit('/').next().unwrap();
        let reply = self.bring(name, &fs::read(export(file)).unwrap());
        assert_eq!(reply.status, 200, "{}", reply.json());
        reply.json()["data"].clone()
    }

    fn leave_out(&self, body: &Value) -> Value {
        let headers = [OWN, ("kith-code", &*self.code)];
        let reply =
            Connection::open(self.api).post_with("/bring/leave-out", &headers, body.to_string().as_bytes());
        assert_eq!(reply.status, 200, "{}", reply.json());
        reply.json()["data"].clone()
    }

    /// Begins to send a file of `length` bytes, sends `bytes` of it, and keeps the connection.
    fn begin(&self, name: &str, length: usize, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.api).unwrap();
        let head = format!(
            "POST /bring/files HTTP/1.1\r\nhost: {}\r\nsec-fetch-site: same-origin\r\nkith-code: {}\r\nkith-file: \"{name}\"\r\n\
             content-length: {length}\r\n\r\n",
            self.api, self.code
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(bytes).unwrap();
        stream
    }
}
