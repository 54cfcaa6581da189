//! TLS on the listener: clients that trust the certificate are answered, and a replaced certificate is used without a
//! restart. The certificates in `tls/` and their keys are for this test only: self-signed, for localhost.

use std::fs::Permissions;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kith_server::server::tls::Tls;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::http_front::raw::{Front, SHORT, answers, read_to_end};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/operation/http_front/tls").join(name)
}

/// Asks `front` over TLS, trusting the certificate `trusted` alone; the status, or why there is none.
fn ask(front: &Front, trusted: &str) -> Result<u16, String> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(file(trusted)).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = StreamOwned::new(client, front.connect());
    let request = front.request("Connection: close\r\n");
    stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Ok(answers(&answer)[0].status)
}

#[test]
fn who_trusts_the_certificate_is_answered_and_a_new_one_needs_no_restart() {
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| folder.path().join(name));
    let put = |which: &str, of_key: &str| {
        std::fs::copy(file(&format!("{which}.pem")), &certificate).unwrap();
        std::fs::copy(file(&format!("{of_key}.key.pem")), &key).unwrap();
        std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    };
    put("first", "first");
    let tls = Arc::new(Tls::read(&certificate, &key).unwrap());
    let front = Front::start_with(SHORT, 100, Some(Arc::clone(&tls)));
    assert_eq!(ask(&front, "first.pem"), Ok(200));
    assert!(ask(&front, "second.pem").is_err());

    put("second", "first");
    let said = tls.reload().unwrap_err().to_string();
    assert!(said.contains("certificate.pem"), "{said}");
    assert_eq!(ask(&front, "first.pem"), Ok(200), "what cannot be used changes nothing");

    put("second", "second");
    tls.reload().unwrap();
    assert_eq!(ask(&front, "second.pem"), Ok(200));
    assert!(ask(&front, "first.pem").is_err());
}

#[test]
fn who_speaks_no_tls_or_nothing_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key.pem");
    std::fs::copy(file("first.key.pem"), &key).unwrap();
    std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    let tls = Tls::read(&file("first.pem"), &key).unwrap();
    let front = Front::start_with(SHORT, 100, Some(Arc::new(tls)));
    for sent in [front.request(""), String::new()] {
        let mut stream = front.connect();
        stream.write_all(sent.as_bytes()).unwrap();
        let said = read_to_end(&mut stream);
        assert!(!said.starts_with(b"HTTP"), "{said:?}");
    }
}

#[test]
fn a_key_that_every_user_may_read_or_write_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key.pem");
    std::fs::copy(file("first.key.pem"), &key).unwrap();
    // Owner and group stay allowed: mounted secrets are 0440.
    for (mode, is_taken) in [(0o600, true), (0o440, true), (0o660, true), (0o644, false), (0o602, false)] {
        std::fs::set_permissions(&key, Permissions::from_mode(mode)).unwrap();
        let read = Tls::read(&file("first.pem"), &key).map(drop).map_err(|error| error.to_string());
        assert_eq!(read.is_ok(), is_taken, "{mode:o}: {read:?}");
        assert!(read.is_ok() || read.unwrap_err().contains(&format!("`chmod o= {}`", key.display())));
    }
}

#[test]
fn files_that_cannot_be_used_are_named() {
    for (certificate, key, named) in [
        ("none.pem", "first.key.pem", "none.pem"),
        ("first.pem", "none.pem", "none.pem"),
        ("first.pem", "first.pem", "first.pem"),
        ("first.key.pem", "first.key.pem", "first.key.pem"),
        ("first.pem", "second.key.pem", "first.pem"),
    ] {
        let said = Tls::read(&file(certificate), &file(key)).unwrap_err().to_string();
        assert!(said.contains(named) && said.contains("PEM"), "{certificate} {key}: {said}");
    }
}
