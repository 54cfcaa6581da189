//! `kith health`: 0 for a ready server, 1 with a sentence for any other, 2 for an invalid address.
//!
//! Promise: `kith health` is 0 for a server that is ready and 1, with a sentence, for any other.
//! Control: asked for `/healthz`, it takes an unready server for ready.
//!
//! Promise: Outgoing requests trust the authorities of `SSL_CERT_FILE` in addition to the built-in ones, and a
//!   certificate that none vouches for is reported as that and not as a server that is not there; `outbound.ca_file`
//!   that is none stops the start.
//! Control: another certificate in that file.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::Instant;

use crate::program::{Ended, Site, kith, project, run, run_in};

fn health(url: &str) -> Ended {
    run(&["health", "--url", url])
}

fn tiny_site() -> Site {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    site
}

#[track_caller]
fn check_unready(url: &str, said: &str) {
    let Ended { code, out, err } = health(url);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    assert!(err.starts_with(&format!("kith: {url}")) && err.contains(said), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[test]
fn a_server_that_is_ready_is_healthy_on_both_listeners() {
    let site = tiny_site();
    let server = site.serve("info");
    for url in [
        format!("http://{}/readyz", server.api),
        format!("http://{}", server.api),
        format!("http://{}/", server.admin),
        format!("http://localhost:{}/readyz", server.api.port()),
    ] {
        let Ended { code, out, err } = health(&url);
        assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""), "{url}");
    }
    let without_path = health(&format!("http://{}/no", server.api));
    assert!(without_path.code == Some(1) && without_path.err.contains("answers 404, not 200"));
}

#[test]
fn a_server_without_a_network_is_unready_and_only_its_readiness_says_so() {
    let server = Site::new().serve("info");
    check_unready(&format!("http://{}/readyz", server.api), "answers 503, not 200");
    // The control: a probe that looks at the wrong thing.
    assert_eq!(health(&format!("http://{}/healthz", server.api)).code, Some(0));
}

#[test]
fn a_server_that_drains_is_unready_and_one_that_has_stopped_cannot_be_reached() {
    let site = tiny_site();
    let mut server = site.serve_in("info", &[("KITH_SERVICE__DRAIN_SECONDS", "60")]);
    let url = format!("http://{}/readyz", server.api);
    assert_eq!(health(&url).code, Some(0));
    server.signal("TERM");
    server.wait_for_log(|line| line.contains("unready"));
    check_unready(&url, "answers 503, not 200");
    assert_eq!(server.stop("TERM").0, Some(0));
    check_unready(&url, "cannot be connected to");
}

#[test]
fn a_peer_that_says_nothing_or_nothing_of_http_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/readyz", silent.local_addr().unwrap());
    let began = Instant::now();
    check_unready(&url, "does not answer within 5 s");
    assert!(began.elapsed().as_secs() < 30);
    let rude = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/readyz", rude.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = rude.accept().unwrap();
        std::io::Read::read(&mut stream, &mut [0; 1024]).unwrap();
        std::io::Write::write_all(&mut stream, b"220 mail\r\n\r\n").unwrap();
    });
    check_unready(&url, "does not answer in HTTP");
}

#[test]
fn what_is_no_address_is_a_usage_error_and_no_argument_asks_the_default_port() {
    for url in ["", "127.0.0.1:8080", "ftp://127.0.0.1/", "http://"] {
        let Ended { code, err, .. } = health(url);
        assert_eq!(code, Some(2), "{url}: {err}");
    }
    // Help is wrapped.
    let help = run(&["health", "--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[default: http://127.0.0.1:8080/readyz]"), "{help}");
}

/// A server that ends with the test.
struct EndedOnDrop(Child);

impl Drop for EndedOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_server_whose_certificate_is_of_an_authority_of_ones_own_is_healthy_by_that_authority() {
    let site = tiny_site();
    let pem = |name: &str| project("tests/operation/http_front/tls").join(name);
    let text = |name: &str| pem(name).to_str().unwrap().to_owned();
    let key = site.file("key.pem");
    fs::copy(pem("first.key.pem"), &key).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let certificate = text("first.pem");
    let server = kith(&site.serve_args().iter().map(String::as_str).collect::<Vec<_>>())
        .env("KITH_TLS__CERTIFICATE_FILE", &certificate)
        .env("KITH_TLS__KEY_FILE", &key)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut server = EndedOnDrop(server);
    let mut lines = BufReader::new(server.0.stderr.take().unwrap()).lines().map_while(Result::ok);
    let port = lines.find_map(|line| Some(line.strip_prefix("listening on https://127.0.0.1:")?.to_owned()));
    let url = format!("https://localhost:{}/readyz", port.unwrap());
    // Read on, so that the server can write.
    std::thread::spawn(move || lines.for_each(drop));
    let by = |file: &str| run_in(&["health", "--url", &url], &[("SSL_CERT_FILE", file)]);
    assert_eq!(by(&certificate).code, Some(0), "{}", by(&certificate).err);
    // The control, and without a file.
    let other = by(&text("second.pem"));
    assert!(other.code == Some(1) && other.err.contains("no trusted authority vouches for"), "{}", other.err);
    check_unready(&url, "no trusted authority vouches for");
    // What is no file of authorities is said, and nothing of it is trusted.
    let none = by(&key);
    assert!(
        none.code == Some(1) && none.err.contains("SSL_CERT_FILE is left out of account"),
        "{}",
        none.err
    );
    assert!(none.err.contains("there is no certificate of an authority in it"), "{}", none.err);
    let ended = run_in(
        &["serve", "--snapshots", &site.snapshots(), "--credentials", &site.credentials()],
        &[("KITH_OUTBOUND__CA_FILE", &key)],
    );
    assert!(ended.code == Some(1) && ended.err.contains("key.pem"), "{}", ended.err);
}
