//! Keys and tokens created over HTTP on the operator's listener of the real program.

use std::fs;

use serde_json::json;

use crate::http::{Connection, Reply};
use crate::program::{Server, Site, project};

const PIA: &str = "/api/v1/people/person_pia";

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
