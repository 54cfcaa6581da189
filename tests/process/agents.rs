//! `kith mcp`, which answers an assistant over stdin and stdout, and `POST /mcp` of a server.
//!
//! Promise: `kith mcp` answers as a server does, without the people on the list; the log has no word of a call, at any
//!   level.
//! Control: the same commands without the list.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::http::Connection;
use crate::program::{Ended, Site, build_tiny, kith, run, run_well};

/// A running `kith mcp`.
struct Assistant {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Assistant {
    fn start(args: &[&str]) -> Self {
        let mut command = kith(&[&["mcp"], args].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut assistant = Self { child, input, output };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" }
        });
        let answer = assistant.ask("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "kith", "{answer}");
        assistant.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assistant
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        answer["result"].clone()
    }

    /// Ends the input; the exit code.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}

/// The answer of a server to the same call.
fn served(connection: &mut Connection, key: &str, tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let authorization = format!("Bearer {key}");
    let headers = [
        ("authorization", authorization.as_str()),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    let reply = connection.post_with("/mcp", &headers, body.as_bytes());
    reply.json()["result"].clone()
}

/// A result without its cursor, which is of its network: a server's counts its generations.
fn comparable(mut result: Value) -> Value {
    if let Some(data) = result["structuredContent"]["data"].as_object_mut() {
        data.remove("next_cursor");
        result.as_object_mut().unwrap().remove("content");
    }
    result
}

fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("find_introductions", json!({ "person": "pia-weiss" })),
        ("find_introductions", json!({ "company": "Copper Mill", "only_me": true })),
        ("find_introductions", json!({ "targets": ["person_pia", "Copper Mill", "nobody at all"] })),
        ("find_person", json!({ "query": "a" })),
        ("search_network", json!({ "description": "heads of operations in Porto" })),
        ("get_person", json!({ "id": "person_pia", "with_connections": true })),
        ("get_person", json!({ "id": "person_nobody" })),
        ("find_company", json!({ "query": "mill" })),
        ("list_my_network", json!({ "degree": "second" })),
        ("list_opportunities", json!({})),
        ("find_person", json!({ "query": 5 })),
    ]
}

#[test]
fn over_stdin_the_tools_answer_as_a_server_does() {
    let site = Site::new();
    let file = site.snapshot("tiny.kith");
    build_tiny(&file, &[]);
    let file = file.to_str().unwrap().to_owned();
    let (token, key) = (site.create_token("org_tiny", "user_ana"), site.create_key("org_tiny", "a"));
    let server = site.serve_in("trace", &[("KITH_MCP__ENABLED", "true")]);
    let mut connection = Connection::open(server.api);
    for (credential, who) in [(&token, &["--as", "user_ana"][..]), (&key, &[])] {
        let mut assistant = Assistant::start(&[&["--snapshot", &file][..], who].concat());
        for (tool, arguments) in calls() {
            let expected = served(&mut connection, credential, tool, &arguments);
            assert!(expected["content"].is_array(), "{tool} {arguments}: {expected}");
            let answer = assistant.call(tool, &arguments);
            assert_eq!(comparable(answer), comparable(expected), "{tool} {arguments} {who:?}");
        }
        assert_eq!(assistant.end(), Some(0), "{who:?}");
    }
    // The log has each call by its tool, and nothing that was asked or answered, whatever the level.
    let (code, log) = server.stop("TERM");
    assert_eq!(code, Some(0));
    assert!(
        log.iter()
            .any(|line| line.contains("\"tool\":\"search_network\"") && line.contains("\"route\":\"/mcp\""))
    );
    for line in &log {
        for text in ["Porto", "pia", "Copper", "jsonrpc", "arguments"] {
            assert!(!line.contains(text), "{text}: {line}");
        }
    }
}

#[test]
fn who_is_to_be_forgotten_is_not_shown_to_an_assistant_and_members_are_found_by_id_or_address() {
    let site = Site::new();
    let file = site.snapshot("tiny.kith");
    build_tiny(&file, &[]);
    let file = file.to_str().unwrap().to_owned();
    let list = site.file("forget.txt");
    run_well(&["suppress", "create", "--suppressions", &list]);
    run_well(&[
        "suppress",
        "add",
        "--suppressions",
        &list,
        "--org",
        "org_tiny",
        "--linkedin-id",
        "pia-weiss",
    ]);
    for (args, is_logged) in [(vec![], true), (vec!["--suppressions", list.as_str()], false)] {
        let mut assistant = Assistant::start(
            &[&["--snapshot", &file, "--as", "ana@lanternworks.example"][..], &args].concat(),
        );
        let mut said = String::new();
        for (tool, arguments) in [
            ("find_person", json!({ "query": "weiss" })),
            ("find_person", json!({ "query": "pia" })),
            ("find_introductions", json!({ "company": "Copper Mill" })),
            ("get_person", json!({ "id": "person_pia" })),
        ] {
            said.push_str(&assistant.call(tool, &arguments).to_string());
        }
        assert_eq!(said.contains("Pia Wei"), is_logged, "{args:?}: {said}");
        let mine = assistant.call("list_my_network", &json!({}));
        assert_eq!(mine["isError"], false, "{mine}");
        assert_eq!(assistant.end(), Some(0));
    }
    for (args, parts) in [
        (["--snapshot", file.as_str(), "--as", "person_pia"], "no member in"),
        (["--snapshot", "/nowhere.kith", "--as", "user_ana"], "/nowhere.kith"),
    ] {
        let Ended { code, out, err } = run(&[&["mcp"][..], &args].concat());
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.starts_with("kith: ") && err.contains(parts), "{err}");
    }
}
