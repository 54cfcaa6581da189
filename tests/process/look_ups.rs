//! The log of look-ups of the real program.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::http::Connection;
use crate::program::{Site, project, run};

/// The lines in the files of `folder`, and the rights of the files.
fn logged(folder: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let text = fs::read_to_string(file.path()).unwrap();
        lines.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    lines
}

#[test]
fn each_answer_about_one_person_is_a_line_and_no_other_is() {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    let (key, token) = (site.create_key("org_tiny", "a"), site.create_token("org_tiny", "user_ana"));
    let folder = site.file("look-ups");
    let server = site.serve_in("info", &[("KITH_LOOK_UPS__FOLDER", &folder), ("KITH_MCP__ENABLED", "true")]);
    let mut api = Connection::open(server.api);
    let paths = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";
    for (path, credential, status) in [
        ("/api/v1/people/person_pia", &key, 200),
        (paths, &token, 200),
        // The same again, which the cache would answer.
        (paths, &token, 200),
        (paths, &token, 200),
        ("/api/v1/people/network?personId=person_ana", &token, 200),
        // The controls: nobody, no credential, a company, lists and searches.
        ("/api/v1/people/person_nobody", &key, 404),
        ("/api/v1/people/person_pia", &"service_sk_wrong".to_owned(), 401),
        ("/api/v1/search/warm-paths?prospectName=Nobody%20Atall", &key, 200),
        ("/api/v1/search/people?q=pia", &key, 200),
        ("/api/v1/connections", &token, 200),
    ] {
        assert_eq!(api.get(path, credential).status, status, "{path}");
    }
    let batch = br#"{"targets":[{"id":"person_pia"},{"name":"Nobody Atall"}]}"#;
    assert_eq!(api.post("/api/v1/search/warm-paths/batch", &key, batch).status, 200);
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "get_person", "arguments": { "id": "person_pia" } } });
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", &*bearer), ("accept", "application/json, text/event-stream")];
    assert_eq!(api.post_with("/mcp", &headers, call.to_string().as_bytes()).status, 200);
    drop(api);
    let (code, log) = server.stop("TERM");
    assert_eq!(code, Some(0));
    let lines = logged(&folder);
    let said: Vec<_> = lines
        .iter()
        .map(|line| {
            let text = |name: &str| line[name].as_str().unwrap_or("-").to_owned();
            [text("operation"), text("person"), text("user")].join(" ")
        })
        .collect();
    let pia = "searchWarmPaths person_pia user_ana";
    assert_eq!(
        said,
        [
            "getPerson person_pia -",
            pia,
            pia,
            pia,
            "getPeopleNetwork person_ana user_ana",
            "searchWarmPathsBatch person_pia -",
            "get_person person_pia user_ana",
        ]
    );
    assert!(lines.iter().all(|line| line["organization"] == "org_tiny" && line["at"].is_string()));
    let ids = ["key_", "tok_"];
    assert!(
        lines.iter().all(|line| ids.iter().any(|id| line["credential"].as_str().unwrap().starts_with(id)))
    );
    assert!(!log.join("\n").contains("person_pia"), "it lies nowhere else");
}

#[test]
fn a_folder_that_cannot_be_made_stops_the_start() {
    let site = Site::new();
    let file = site.file("a-file");
    fs::write(&file, "").unwrap();
    let config = site.file("kith.toml");
    fs::write(&config, format!("[look_ups]\nfolder = \"{file}/below\"\n")).unwrap();
    let mut args = site.serve_args();
    args.extend(["--config".to_owned(), config]);
    let ended = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(ended.code == Some(1) && ended.err.contains("look_ups.folder"), "{}", ended.err);
}
