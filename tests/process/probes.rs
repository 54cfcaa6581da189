//! The operator's listener and the probes of the real program: hosts, origins, the token, and the drain.
//!
//! Promise: A drain makes the probes unready first, answers until its time is over, and ends at a second signal.
//! Control: without `service.drain_seconds` the listeners close at once: `process`, `serving::sigterm`.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::http::Connection;
use crate::program::{Server, Site, project, run};

const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";

fn tiny_site() -> Site {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    site
}

/// Asks once, with `host` in the place of the address.
fn ask(
    listener: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    host: &str,
) -> (u16, String) {
    let reply = Connection::open(listener).asked_as(host).send(method, path, headers);
    (reply.status, String::from_utf8(reply.body).unwrap())
}

#[test]
fn the_operators_listener_takes_its_own_hosts_and_no_web_page() {
    let site = tiny_site();
    let server = site.serve_in("info", &[("KITH_ADMIN__HOSTS", "kith.example:1, fd00::5")]);
    let port = server.admin.port();
    for (host, is_let_in) in [
        (format!("127.0.0.1:{port}"), true),
        ("127.0.0.1:1".to_owned(), true),
        ("LocalHost.".to_owned(), true),
        (format!("[::1]:{port}"), true),
        ("KITH.example.:80".to_owned(), true),
        ("[FD00::5]".to_owned(), true),
        ("evil.example".to_owned(), false),
        (format!("localhost.evil.example:{port}"), false),
        ("0.0.0.0".to_owned(), false),
    ] {
        for (method, path, status) in [
            ("GET", "/metrics", 200),
            ("POST", "/admin/reload", 200),
            ("GET", "/healthz", 200),
            ("GET", "/no", 404),
        ] {
            let (said, body) = ask(server.admin, method, path, &[("content-length", "0")], &host);
            assert_eq!(said, if is_let_in { status } else { 403 }, "{host} {path}");
            assert_eq!(body.contains("\"code\":\"forbidden_host\""), !is_let_in, "{body}");
            let page = [("origin", "http://localhost"), ("content-length", "0")];
            let (said, body) = ask(server.admin, method, path, &page, &host);
            let code = if is_let_in { "forbidden_origin" } else { "forbidden_host" };
            assert!(said == 403 && body.contains(&format!("\"code\":\"{code}\"")), "{host} {path}: {body}");
        }
    }
    // The API's listener asks neither.
    assert_eq!(
        ask(server.api, "GET", "/readyz", &[("origin", "null")], "evil.example"),
        (200, "ready".into())
    );
}

#[test]
fn with_a_token_all_but_the_probes_need_it_and_sighup_reads_it_again() {
    let site = tiny_site();
    let file = site.file("token");
    fs::write(&file, " s3cret\n").unwrap();
    let mut server = site.serve_in("info", &[("KITH_ADMIN__TOKEN_FILE", &file)]);
    let status = |token: &str, path: &str| {
        let reply = Connection::open(server.admin).get(path, token);
        let is_challenged = reply.header("www-authenticate") == Some("Bearer error=\"invalid_token\"");
        assert_eq!(is_challenged, reply.status == 401, "{path}");
        reply.status
    };
    for (path, expected) in [("/metrics", 200), ("/no", 404), ("/admin/reload", 405)] {
        assert_eq!((status("s3cret", path), status("S3cret", path)), (expected, 401), "{path}");
        let without = Connection::open(server.admin).send("GET", path, &[]);
        assert_eq!((without.status, without.header("www-authenticate")), (401, Some("Bearer")), "{path}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(Connection::open(server.admin).send("GET", path, &[]).status, 200, "{path}");
    }
    fs::write(&file, "another").unwrap();
    server.signal("HUP");
    server.wait_for_log(|line| line.contains("\"outcome\":\"unchanged\"") || line.contains("reloaded"));
    let status = |token: &str| Connection::open(server.admin).get("/metrics", token).status;
    assert_eq!((status("another"), status("s3cret")), (200, 401));
    fs::write(&file, " \n").unwrap();
    server.signal("HUP");
    server.wait_for_log(|line| line.contains("the old token stays in force") && line.contains("blank"));
    assert_eq!(Connection::open(server.admin).get("/metrics", "another").status, 200);
    let (_, log) = server.stop("TERM");
    assert!(!log.iter().any(|line| line.contains("s3cret") || line.contains("another")), "{log:#?}");
}

#[test]
fn a_token_file_without_a_token_or_a_bad_key_stops_the_start_by_name() {
    let site = tiny_site();
    let config = site.file("kith.toml");
    let blank = site.file("blank");
    fs::write(&blank, " \n").unwrap();
    let (args, missing) = (site.serve_args(), site.file("missing"));
    for (toml, said) in [
        (format!("[admin]\ntoken_file = \"{blank}\""), "blank: it is blank"),
        (format!("[admin]\ntoken_file = \"{missing}\""), "missing: "),
        ("[admin]\nhosts = [\"http://a\"]".to_owned(), "admin.hosts names \"http://a\""),
        ("[service]\ndrain_seconds = 601".to_owned(), "service.drain_seconds is 601"),
    ] {
        fs::write(&config, &toml).unwrap();
        let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
        args.extend(["--config", &config]);
        let ended = run(&args);
        assert!(ended.code == Some(1) && ended.err.contains(said), "{toml}: {}", ended.err);
    }
}

#[test]
fn beyond_loopback_without_a_token_the_start_warns() {
    let site = tiny_site();
    let file = site.file("token");
    fs::write(&file, "s3cret").unwrap();
    for (address, token, warns) in
        [("127.0.0.1:0", "", false), ("0.0.0.0:0", "", true), ("0.0.0.0:0", file.as_str(), false)]
    {
        let config = site.file("kith.toml");
        fs::write(&config, format!("[admin]\ntoken_file = \"{token}\"")).unwrap();
        let server = site.serve_at("info", address, &["--config", &config]);
        let warned = |line: &&String| line.contains("\"WARN\"") && line.contains("admin.token_file");
        assert_eq!(server.logged().iter().filter(warned).count(), usize::from(warns), "{address} {token}");
        assert_eq!(server.stop("TERM").0, Some(0));
    }
}

fn draining(site: &Site) -> (Server, Instant) {
    let mut server = site.serve_in("info", &[("KITH_SERVICE__DRAIN_SECONDS", "3")]);
    let begun = Instant::now();
    server.signal("TERM");
    server.wait_for_log(|line| line.contains("unready"));
    (server, begun)
}

#[test]
fn a_drain_fails_both_probes_first_and_answers_until_its_time_is_over() {
    let site = tiny_site();
    let key = site.create_key("org_tiny", "a");
    let (server, begun) = draining(&site);
    for listener in [server.api, server.admin] {
        assert_eq!(ask(listener, "GET", "/readyz", &[], "localhost"), (503, "unready".into()));
        assert_eq!(ask(listener, "GET", "/healthz", &[], "localhost"), (200, "ok".into()));
    }
    assert_eq!(Connection::open(server.api).get(PIA, &key).status, 200, "new connections are still answered");
    let address = server.api;
    let (code, _) = server.ended();
    let took = begun.elapsed();
    assert!(code == Some(0) && took >= Duration::from_secs(3), "{code:?} after {took:?}");
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn a_second_signal_ends_the_wait() {
    for signal in ["TERM", "INT"] {
        let site = tiny_site();
        let (server, begun) = draining(&site);
        assert_eq!(server.stop(signal).0, Some(0));
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    }
}
