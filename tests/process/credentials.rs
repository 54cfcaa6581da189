//! Credentials of a running server: JWTs of a configured issuer, and the last use of keys and tokens.

use std::fs;

use serde_json::Value;

use crate::http::Connection;
use crate::program::{Site, project, run, run_well};
use crate::support::issuer::{AUDIENCE, ISSUER, Signer, claims, jwks};

const CONNECTIONS: &str = "/api/v1/connections?limit=1";

fn tiny_site() -> Site {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    site
}

/// A configuration file with these lines under `[oauth]`.
fn config(site: &Site, lines: &str) -> String {
    let file = site.file("kith.toml");
    fs::write(&file, format!("[oauth]\n{lines}\n")).unwrap();
    file
}

fn names() -> String {
    format!("issuer = \"{ISSUER}\"\naudience = \"{AUDIENCE}\"")
}

#[test]
fn a_jwt_is_let_in_until_its_key_leaves_the_file_and_no_part_of_it_is_logged() {
    let site = tiny_site();
    let (old, new, shared) = (Signer::ed25519("old"), Signer::p256("new"), Signer::ed25519("spare"));
    let file = site.file("jwks.json");
    let mut unfit = shared.jwk();
    unfit["use"] = "enc".into();
    fs::write(&file, jwks(&[old.jwk(), unfit])).unwrap();
    let config = config(&site, &format!("jwks_file = \"{file}\"\n{}", names()));
    let server = site.serve_with("debug", &["--config", &config]);
    let mut api = Connection::open(server.api);
    let (first, second, third) = (old.token(&claims()), new.token(&claims()), shared.token(&claims()));
    assert_eq!(api.get(CONNECTIONS, &first).status, 200);
    for refused in [&second, &third] {
        let answer = api.get(CONNECTIONS, refused);
        assert_eq!((answer.status, answer.json()["code"].as_str()), (401, Some("unauthorized")));
    }
    fs::write(&file, jwks(&[new.jwk()])).unwrap();
    assert_eq!(api.get(CONNECTIONS, &first).status, 401, "the very next request");
    assert_eq!(api.get(CONNECTIONS, &second).status, 200);
    fs::write(&file, "canary").unwrap();
    assert_eq!(api.get(CONNECTIONS, &second).status, 200);
    assert_eq!(api.get(CONNECTIONS, &second).status, 200);
    fs::write(&file, jwks(&[])).unwrap();
    assert_eq!(api.get(CONNECTIONS, &second).status, 401);
    assert_eq!(api.get(CONNECTIONS, &second).status, 401);

    let (code, logs) = server.stop("TERM");
    assert_eq!(code, Some(0));
    let said = |what: &str| logs.iter().filter(|line| line.contains(what)).count();
    assert_eq!(said("a key of the JWKS is not used"), 1, "{logs:#?}");
    assert_eq!(said("\"kid\":\"spare\""), 1, "{logs:#?}");
    assert_eq!(said("the JWKS cannot be taken"), 1, "{logs:#?}");
    assert_eq!(said("the JWKS has no key to use"), 1, "{logs:#?}");
    assert_eq!(said("no key of the JWKS has its kid and alg"), 5, "{logs:#?}");
    let logs = logs.join("\n");
    for secret in [&first, &second, &third].into_iter().flat_map(|token| token.split('.')) {
        assert!(!logs.contains(secret), "{secret} is in the log");
    }
    assert!(!logs.contains("canary") && !logs.contains("user_cai"), "{logs}");
}

#[test]
fn a_jwks_that_cannot_be_used_ends_the_start_with_a_sentence_that_names_the_fault() {
    let site = tiny_site();
    let file = site.file("jwks.json");
    fs::write(&file, "{}").unwrap();
    let by_file = format!("jwks_file = \"{file}\"");
    for (lines, said) in [
        (format!("{by_file}\n{}", names()), file.as_str()),
        (format!("{by_file}\n{}", names()), "is not a JWKS"),
        (format!("jwks_file = \"/no/such/file\"\n{}", names()), "/no/such/file"),
        (
            format!("{by_file}\njwks_url = \"https://idp.example\"\n{}", names()),
            "oauth.jwks_url and oauth.jwks_file",
        ),
        (format!("jwks_url = \"http://idp.example/keys\"\n{}", names()), "oauth.jwks_url"),
        (by_file.clone(), "oauth.issuer"),
        (format!("{by_file}\nissuer = \"{ISSUER}\"\naudience = \" \""), "oauth.audience"),
    ] {
        let config = config(&site, &lines);
        let ended = run(&[
            "serve",
            "--snapshots",
            &site.snapshots(),
            "--credentials",
            &site.credentials(),
            "--config",
            &config,
        ]);
        let sentence = ended.err.lines().filter(|line| line.starts_with("kith: ")).count();
        assert!(ended.code == Some(1) && sentence == 1 && ended.err.contains(said), "{said}: {ended:?}");
    }
}

#[test]
fn what_no_credential_can_have_is_refused_with_a_word_on_what_it_can_have() {
    let site = Site::new();
    let file = site.file("credentials.db");
    let token = ["tokens", "create", "--credentials", &file, "--org", "org_t", "--user", "user_t"];
    let key = ["keys", "create", "--credentials", &file, "--org"];
    for (command, more, said) in [
        (&token[..], &["--ttl", "1w"][..], "'1w' for '--ttl <TTL>': write a whole number and a unit"),
        (&token, &["--ttl", "2000d"], "a token lives from 1s to 365d"),
        (&token, &["--scope", "admin"], "not a scope; write mcp:read, mcp:write or both"),
        (&token, &["--scope", ""], "no scope is named"),
        (&key, &["user_t", "--name", "n"], "'user_t' for '--org <ORG>': an id here begins org_"),
        (&key, &["org_t", "--name", "n", "--ttl", "366d"], "a key or a token lives from 1s to 365d"),
        (&key, &["org_t", "--name", " "], "a name holds at least one visible character"),
    ] {
        let ended = run(&[command, more].concat());
        assert_eq!(ended.code, Some(2), "{more:?}: {}", ended.err);
        assert!(ended.err.contains(said), "{more:?}: {}", ended.err);
    }
    assert!(!std::path::Path::new(&file).exists());
}

#[test]
fn a_server_says_when_it_stops_which_keys_and_tokens_it_let_in() {
    let site = tiny_site();
    let (key, token) = (site.create_key("org_tiny", "used"), site.create_token("org_tiny", "user_cai"));
    site.create_key("org_tiny", "unused");
    let server = site.serve("warn");
    let mut api = Connection::open(server.api);
    assert_eq!(api.get("/api/v1/search/people?q=a", &key).status, 200);
    assert_eq!(api.get(CONNECTIONS, &token).status, 200);
    assert_eq!(server.stop("TERM").0, Some(0));

    let credentials = site.credentials();
    let list = |kind: &str, more: &[&str]| {
        run_well(&[&[kind, "list", "--credentials", &credentials], more].concat())
    };
    let rows = |kind: &str| -> Vec<Value> { serde_json::from_str(&list(kind, &["--json"])).unwrap() };
    let (keys, tokens) = (rows("keys"), rows("tokens"));
    for used in [&keys[0], &tokens[0]] {
        assert!(used["lastUsed"].as_str() > used["createdAt"].as_str(), "{used}");
    }
    assert_eq!((keys[1]["name"].as_str(), keys[1].get("lastUsed")), (Some("unused"), None));
    let table = list("keys", &[]);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].ends_with("REVOKED  LAST USED"), "{table}");
    assert!(lines[1].ends_with(keys[0]["lastUsed"].as_str().unwrap()), "{table}");
    assert!(lines[2].ends_with("-        -"), "{table}");
}
