//! Who makes links, what they lead to, and how they end.

use std::fs;

use serde_json::{Value, json};

use crate::bringing::{Link, ORG, Service, code_of, export, token};
use crate::http::Connection;
use crate::program::{run, run_well};

#[test]
fn an_admin_whose_token_may_write_makes_links_and_nobody_else_does() {
    let service = Service::new();
    let body = json!({ "name": "Ben Okri", "email": "ben@brook.example" });
    let reading = token(&service.site, "mcp:read");
    let key = service.site.create_key(ORG, "all");
    for (credential, status) in
        [(&reading, 403), (&key, 403), (&"service_at_x".to_owned(), 401), (&service.token, 200)]
    {
        assert_eq!(service.post(credential, &body).status, status);
    }
    // A page of another site.
    let bearer = format!("Bearer {}", service.token);
    let foreign = [("sec-fetch-site", "cross-site"), ("authorization", &*bearer)];
    let reply = Connection::open(service.server.api).post_with(
        "/explore/exports",
        &foreign,
        body.to_string().as_bytes(),
    );
    assert_eq!(reply.status, 400);
    for body in [
        json!({ "name": "Ben" }),
        json!({ "email": "ben@brook.example" }),
        json!({ "name": "B", "email": "x", "as": "boss" }),
    ] {
        assert_eq!(service.post(&service.token, &body).status, 400, "{body}");
    }
    assert_eq!(service.post(&service.token, &json!({ "who": "user_nobody" })).status, 404);
    assert_eq!(service.post(&service.token, &json!({ "who": "user_ana-ruiz" })).status, 200);
}

#[test]
fn a_link_leads_to_ones_own_part_until_it_is_replaced_revoked_or_over() {
    let service = Service::new();
    let (ben, dee) = (
        service.ben(),
        service.invite(&json!({ "name": "Dee Fox", "email": "dee@fox.example", "as": "advocate" })),
    );
    ben.brings("ben/Connections.csv");
    let (own, other) = (ben.part(), dee.part());
    assert_eq!((own["name"].as_str(), own["files"].as_array().unwrap().len()), (Some("Ben Okri"), 1));
    assert_eq!(
        (other["helps"][0].as_str(), other["files"].as_array().unwrap().len()),
        (Some("ana@brook.example"), 0)
    );
    assert!(!other.to_string().contains("Ben") && !other.to_string().contains("Hal"), "{other}");
    // Nothing of the other's file.
    let id = own["files"][0]["id"].as_str().unwrap();
    assert_eq!(dee.send("DELETE", &format!("/bring/files/{id}")).status, 404);
    assert_eq!(ben.part()["files"][0]["id"], id);
    // A new link, in the place of the one before, to the same part.
    let again = service.ben();
    assert_eq!(
        (ben.send("GET", "/bring/part").status, again.part()["files"][0]["id"].as_str()),
        (404, Some(id))
    );
    // Revoked by the admin, who sees numbers alone; what was brought stays.
    let line = service.listed().into_iter().find(|line| line["name"] == "Ben Okri").unwrap();
    assert_eq!((&line["files"], line.get("label")), (&json!(1), None));
    let bearer = format!("Bearer {}", service.token);
    let path = format!("/explore/exports/{}", line["part"].as_str().unwrap());
    let revoked = Connection::open(service.server.api).send(
        "DELETE",
        &path,
        &[crate::bringing::OWN, ("authorization", &bearer)],
    );
    assert_eq!((revoked.status, again.send("GET", "/bring/part").status), (200, 404));
    let line = service.listed().into_iter().find(|line| line["name"] == "Ben Okri").unwrap();
    assert_eq!((&line["files"], line.get("linkEndsAt")), (&json!(1), None));
    // One that is over after a second, by which the control still holds.
    let again = service.invite(&json!({ "who": line["part"] }));
    assert_eq!(again.part()["files"][0]["id"], id);
    let short = service.invite(&json!({ "name": "Ben Okri", "email": "ben@brook.example", "ttl": "1s" }));
    let is_over = || short.send("GET", "/bring/part").status == 404;
    assert!((0..100_000).any(|_| is_over()));
    assert_eq!(dee.send("GET", "/bring/part").status, 200);
}

#[test]
fn wrong_codes_open_nothing_and_after_twenty_an_address_waits() {
    let service = Service::new();
    let ben = service.ben();
    let mut other: Vec<char> = ben.code.chars().collect();
    let last = other.pop().unwrap();
    other.push(if last == 'a' { 'b' } else { 'a' });
    let nearly: String = other.into_iter().collect();
    for code in
        [&*nearly, &ben.code[..33], "", "../../../../etc/passwd", &"A".repeat(76), &ben.code.to_lowercase()]
    {
        let link = Link { api: ben.api, code: code.to_owned() };
        assert_eq!(link.send("GET", "/bring/part").status, 404, "{code}");
    }
    let wrong = Link { api: ben.api, code: nearly };
    let statuses: Vec<u16> = (0..16).map(|_| wrong.bring("a.csv", b"x").status).collect();
    assert_eq!(
        (statuses[..14].iter().all(|status| *status == 404), &statuses[14..]),
        (true, &[429, 429][..])
    );
    // The control.
    assert_eq!(ben.send("GET", "/bring/part").status, 200);
}

#[test]
fn without_the_section_nothing_of_it_is_there_and_half_of_it_or_plain_http_is_refused() {
    let service = Service::new();
    let plain = service.site.serve("info");
    for path in ["/bring", "/bring/part", "/explore/exports"] {
        assert_eq!(
            Connection::open(plain.api).send("GET", path, &[crate::bringing::OWN]).status,
            404,
            "{path}"
        );
    }
    let whole = fs::read_to_string(service.site.file("kith.toml")).unwrap();
    for (from, to, said) in [
        ("key_file", "#key_file", "exports.key_file is missing"),
        ("folder", "#folder", "exports.folder is missing"),
        ("public_url", "#public_url", "service.public_url is missing"),
        ("http://127.0.0.1:1", "http://kith.example.com", "where others can read them on the way"),
        ("exports.key", "exports/lock.key", "exports/lock.key"),
    ] {
        let file = service.site.file("wrong.toml");
        fs::write(&file, whole.replacen(from, to, 1)).unwrap();
        let args = service.site.serve_args();
        let args: Vec<&str> = args.iter().map(String::as_str).chain(["--config", &file]).collect();
        let ended = run(&args);
        assert!(ended.code != Some(0) && ended.err.contains(said), "{to}: {}", ended.err);
    }
}

#[test]
fn the_shell_makes_lists_and_revokes_links_as_the_page_does() {
    let service = Service::new();
    let args = service.args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let of = [&args[..], &["--org", "Brook Robotics"]].concat();
    let link = |url: &'static str| {
        let of_chloe = ["--for", "Chloe Tan", "--email", "chloe@brook.example", "--public-url", url];
        [&["exports", "link"], &of[..], &of_chloe].concat()
    };
    let refused = run(&link("http://kith.example.com"));
    assert!(refused.code == Some(2) && refused.err.contains("others could read"), "{}", refused.err);
    let made = run_well(&link("https://kith.example.com"));
    let chloe = Link { api: service.server.api, code: code_of(&made) };
    chloe.brings("chloe-connections.csv");
    let list = || run_well(&[&["exports", "list"], &of[..]].concat());
    assert!(list().contains("chloe@brook.example") && !list().contains("Kim"), "{}", list());
    run_well(&[&["exports", "revoke"], &of[..], &["--for", "chloe tan"]].concat());
    assert_eq!((chloe.send("GET", "/bring/part").status, service.files().len()), (404, 3));
    run_well(&[&["exports", "revoke"], &of[..], &["--for", "chloe@brook.example", "--with-files"]].concat());
    assert_eq!(service.files(), [""; 0].map(std::path::PathBuf::from));
    let nobody = run(&[&["exports", "revoke"], &of[..], &["--for", "Chloe Tan"]].concat());
    assert!(nobody.code == Some(1) && nobody.err.contains("kith exports list"), "{}", nobody.err);
}

#[test]
fn the_log_has_each_change_by_ids_and_no_name_code_or_content() {
    let service = Service::new();
    let ben = service.ben();
    let part = ben.brings("ben/Connections.csv");
    let file = part["files"][0]["id"].as_str().unwrap().to_owned();
    ben.leave_out(&json!({ "kind": "person", "text": "Hal Ito" }));
    assert_eq!(ben.bring("holiday.txt", b"Hal Ito was here").status, 409);
    assert_eq!(ben.send("DELETE", &format!("/bring/files/{file}")).status, 200);
    assert_eq!(ben.send("DELETE", "/bring/part").status, 200);
    let (_, log) = service.server.stop("TERM");
    let lines = log.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let events: Vec<(String, Value)> = lines
        .filter(|line| line["audit"].as_str().is_some_and(|event| event.starts_with("export.")))
        .map(|line| (line["audit"].as_str().unwrap().to_owned(), line))
        .collect();
    let names: Vec<&str> = events.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(
        names,
        ["export.link_made", "export.brought", "export.left_out", "export.removed", "export.part_left"]
    );
    assert_eq!(
        (&events[0].1["by"], &events[1].1["file"], &events[1].1["organization"]),
        (&json!("user_ana-ruiz"), &json!(file), &json!(ORG))
    );
    let all = log.join("\n");
    for secret in [&ben.code[33..], "Ben Okri", "ben@brook", "Hal", "Connections.csv", "holiday"] {
        assert!(!all.contains(secret), "{secret}");
    }
    assert!(export("ben/Connections.csv").exists());
}
