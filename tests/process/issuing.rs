//! Keys and tokens created over HTTP on the operator's listener of the real program.

use std::fs;

use serde_json::json;

use crate::http::{Connection, Reply};
use crate::program::{Server, Site, project, run, run_well};

const PIA: &str = "/api/v1/people/person_pia";
const OWN: (&str, &str) = ("sec-fetch-site", "same-origin");

fn tiny_site() -> Site {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    site
}

/// A server whose operator's listener asks for the token `s3cret`.
fn with_token(site: &Site) -> Server {
    let file = site.file("token");
    fs::write(&file, "s3cret\n").unwrap();
    site.serve_in("info", &[("KITH_ADMIN__TOKEN_FILE", &file)])
}

fn create(server: &Server, kind: &str, body: &serde_json::Value) -> Reply {
    let path = format!("/admin/{kind}");
    Connection::open(server.admin).post(&path, "s3cret", body.to_string().as_bytes())
}

fn revoke(server: &Server, path: &str) -> Reply {
    Connection::open(server.admin).send("DELETE", path, &[("authorization", "Bearer s3cret")])
}

#[test]
fn keys_and_tokens_hold_from_the_next_request_until_they_are_revoked() {
    let site = tiny_site();
    let mut server = with_token(&site);
    for (kind, body, secret, listed) in [
        (
            "keys",
            json!({ "organization": "org_tiny", "name": "CRM", "ttl": "90d" }),
            "key",
            json!({ "name": "CRM", "organization": "org_tiny" }),
        ),
        (
            "tokens",
            json!({ "organization": "org_tiny", "user": "user_ana" }),
            "token",
            json!({ "user": "user_ana", "organization": "org_tiny", "scope": "mcp:read" }),
        ),
    ] {
        let made = create(&server, kind, &body);
        assert_eq!((made.status, made.header("cache-control")), (201, Some("no-store")), "{made:?}");
        let made = made.json();
        let (id, secret) = (made["data"]["id"].as_str().unwrap(), made["data"][secret].as_str().unwrap());
        assert_eq!(made["data"]["inService"], true);
        let ask = || Connection::open(server.api).get(PIA, secret).status;
        assert_eq!(ask(), 200);
        let list = Connection::open(server.admin).get(&format!("/admin/{kind}"), "s3cret");
        let text = String::from_utf8(list.body.clone()).unwrap();
        assert!(!text.contains(secret), "a secret is shown once: {text}");
        let row = list.json()["data"][kind].as_array().unwrap().last().unwrap().clone();
        for (name, value) in listed.as_object().unwrap() {
            assert_eq!(&row[name], value, "{row}");
        }
        assert!(row["id"] == id && row["expiresAt"].is_string() && row["revokedAt"].is_null(), "{row}");
        let path = format!("/admin/{kind}/{id}");
        let revoked = revoke(&server, &path).json();
        assert_eq!((ask(), &revoked["data"]["id"]), (401, &row["id"]));
        assert_eq!(revoke(&server, &path).json(), revoked, "the first time stays");
    }
    server.wait_for_log(|line| line.contains("token.revoked"));
    let log = server.logged().join("\n");
    for event in ["credential.requested", "key.created", "key.revoked", "token.created"] {
        assert!(log.contains(event), "{event}: {log}");
    }
    assert!(!log.contains("service_"), "no secret is logged");
}

#[test]
fn what_cannot_be_taken_makes_nothing_and_says_what_is_wrong() {
    let site = tiny_site();
    let server = with_token(&site);
    let key = json!({ "organization": "org_tiny", "name": "CRM" });
    for (kind, wrong, said) in [
        ("keys", json!({ "name": "CRM" }), "organization"),
        ("keys", json!({ "organization": "tiny", "name": "CRM" }), "organization"),
        ("keys", json!({ "organization": "org_tiny" }), "name"),
        ("keys", json!({ "organization": "org_tiny", "name": "CRM", "ttl": "1y" }), "ttl"),
        ("keys", json!({ "organization": "org_tiny", "name": "CRM", "tll": "1d" }), "tll"),
        ("tokens", key.clone(), "name"),
        ("tokens", json!({ "organization": "org_tiny", "user": "ana" }), "user"),
        ("tokens", json!({ "organization": "org_tiny", "user": "user_ana", "scope": "all" }), "scope"),
        ("tokens", json!({ "organization": "org_tiny", "user": "user_ana", "ttl": "366d" }), "ttl"),
    ] {
        let refused = create(&server, kind, &wrong);
        let error = refused.json()["error"].as_str().unwrap().to_owned();
        assert!(refused.status == 400 && error.contains(said), "{wrong}: {error}");
    }
    let unknown = revoke(&server, "/admin/keys/key_nobody");
    assert!(unknown.status == 404 && unknown.json()["error"].as_str().unwrap().contains("GET /admin/keys"));
    for kind in ["keys", "tokens"] {
        let list = Connection::open(server.admin).get(&format!("/admin/{kind}"), "s3cret").json();
        assert_eq!(list["data"][kind], json!([]));
    }
    let elsewhere = json!({ "organization": "org_elsewhere", "name": "CRM" });
    assert_eq!(create(&server, "keys", &elsewhere).json()["data"]["inService"], false);
}

#[test]
fn without_the_operators_token_at_a_replica_or_on_the_apis_listener_none_is_made() {
    let site = tiny_site();
    let body = json!({ "organization": "org_tiny", "name": "CRM" });
    let server = with_token(&site);
    let ask = |listener, token: &str| {
        Connection::open(listener).post("/admin/keys", token, body.to_string().as_bytes())
    };
    assert_eq!(ask(server.admin, "wrong").status, 401);
    assert_eq!(ask(server.api, "s3cret").status, 404);
    server.stop("TERM");
    let server = site.serve("info");
    let refused = ask(server.admin, "s3cret");
    assert!(refused.status == 403 && refused.json()["error"].as_str().unwrap().contains("admin.token_file"));
    assert_eq!(Connection::open(server.admin).get("/admin/keys", "s3cret").status, 403);
    server.stop("TERM");
    let (folder, file) = (site.file("cell"), site.file("token"));
    fs::create_dir(&folder).unwrap();
    let server = site.serve_in("info", &[("KITH_ADMIN__TOKEN_FILE", &file), ("KITH_CELL__FOLDER", &folder)]);
    let refused = ask(server.admin, "s3cret");
    assert!(refused.status == 403 && refused.json()["error"].as_str().unwrap().contains("pushed from"));
}

/// The links that `kith tokens links` prints, by name.
fn links(site: &Site, more: &[&str]) -> Vec<(String, String)> {
    let (snapshot, credentials) = (site.snapshot("tiny.kith").display().to_string(), site.credentials());
    let places =
        ["--snapshot", &snapshot, "--credentials", &credentials, "--public-url", "https://kith.test/"];
    let printed = run_well(&[&["tokens", "links"], &places[..], more].concat());
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let code = |link: &str| link.strip_prefix("https://kith.test/explore#code=").unwrap().to_owned();
    lines.chunks(2).map(|pair| (pair[0].to_owned(), code(pair[1]))).collect()
}

#[test]
fn the_link_of_a_member_logs_them_in_once_and_opens_nothing_else() {
    let site = tiny_site();
    let made = links(&site, &[]);
    let names: Vec<&str> = made.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["Ana Moreira", "Ben O'Brien", "Cai Łuczak"]);
    let [(_, ben)] = &links(&site, &["--for", "ben  O'BRIEN"])[..] else { panic!("one link") };
    let server = site.serve("info");
    let enter = |code: &str| {
        let body = json!({ "code": code }).to_string();
        Connection::open(server.api).post_with("/explore/login", &[OWN], body.as_bytes())
    };
    assert_eq!(Connection::open(server.api).get(PIA, ben).status, 403, "a link is no token of the API");
    let pasted = json!({ "credential": ben }).to_string();
    let pasted = Connection::open(server.api).post_with("/explore/login", &[OWN], pasted.as_bytes());
    assert_eq!(pasted.status, 403);
    for (name, code) in made.iter().skip(1).chain([&("Ben O'Brien".to_owned(), ben.clone())]) {
        let entered = enter(code);
        assert_eq!((entered.status, &entered.json()["data"]["member"]["name"]), (200, &json!(name)));
        assert_eq!(enter(code).status, 401, "{name}, again");
    }
    // A member who is not in the network yet: the link is not used up.
    let later = ["tokens", "create", "--org", "org_tiny", "--user", "user_later", "--scope", "link"];
    let later = run_well(&[&later[..], &["--credentials", &site.credentials()]].concat());
    assert_eq!(enter(later.trim()).status, 401);
    let list = run_well(&["tokens", "list", "--json", "--credentials", &site.credentials()]);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let of_later = list.as_array().unwrap().iter().find(|row| row["user"] == "user_later").unwrap();
    assert!(of_later["revokedAt"].is_null(), "{of_later}");
    // The control: a token, which is no link, and a link that was revoked.
    assert_eq!(enter(&site.create_token("org_tiny", "user_ana")).status, 401);
    let (ana, list) =
        (&made[0].1, run_well(&["tokens", "list", "--json", "--credentials", &site.credentials()]));
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let of_ana = |row: &&serde_json::Value| row["user"] == "user_ana" && row["scope"] == "link";
    let id = list.as_array().unwrap().iter().find(of_ana).unwrap()["id"].as_str().unwrap().to_owned();
    run_well(&["tokens", "revoke", &id, "--credentials", &site.credentials()]);
    assert_eq!(enter(ana).status, 401);
    let unknown = ["tokens", "links", "--for", "Dee", "--public-url", "https://kith.test", "--snapshot"];
    let snapshot = site.snapshot("tiny.kith").display().to_string();
    let refused = run(&[&unknown[..], &[&*snapshot, "--credentials", &site.credentials()]].concat());
    assert!(refused.err.contains("members are Ana Moreira, Ben O'Brien, Cai Łuczak"), "{}", refused.err);
}
