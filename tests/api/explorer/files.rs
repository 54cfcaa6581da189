//! The files of the page: their headers for browsers, their caching, and that they are built from the sources.
//!
//! Promise: `/` is the page for browsers and for all others what it was; what is committed of the page is built of its
//!   sources and at most 80 KiB packed.
//! Control: the service without the page; the sources with one byte more.

use std::io::Write;
use std::path::{Path, PathBuf};

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use data_encoding::BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use kith_server::auth::web_origin::WebOrigin;
use sha2::{Digest, Sha256};
use tower::ServiceExt;

use crate::explorer::tiny;
use crate::support::{Served, project};

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
/// Maximum bytes of the page, compressed with gzip: a phone loads these before its first request.
const PAGE_BYTES_MAX: usize = 80 << 10;

#[tokio::test]
async fn a_browser_gets_the_page_at_the_root_and_a_program_what_it_got_before() {
    let (_, served) = tiny();
    let (_, before) = tiny();
    let before = before.without_page();
    for (method, accept) in [
        (Method::GET, ""),
        (Method::GET, "*/*"),
        (Method::GET, "application/json"),
        (Method::GET, "application/json, text/plain, */*"),
        (Method::GET, "text/plain"),
        (Method::HEAD, "*/*"),
        (Method::POST, "*/*"),
        (Method::POST, "text/html"),
        (Method::OPTIONS, "text/html"),
        (Method::DELETE, "text/html"),
    ] {
        let headers = [("accept", accept)];
        let (now, then) =
            (served.ask(method.clone(), "/", &headers).await, before.ask(method, "/", &headers).await);
        assert_eq!(now.visible(), then.visible(), "{accept}");
        assert_eq!(now.status, 404);
    }
    for (method, path, accept) in [
        (Method::GET, "/", BROWSER),
        (Method::HEAD, "/", BROWSER),
        (Method::GET, "/", ("accept", "TEXT/HTML;q=0.5")),
        (Method::GET, "/explore", ("accept", "*/*")),
        (Method::GET, "/explore", BROWSER),
    ] {
        let answer = served.ask(method.clone(), path, &[accept]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-type")),
            (200, Some("text/html; charset=utf-8"))
        );
        assert_eq!(answer.bytes.is_empty(), method == Method::HEAD);
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
    }
    for path in [
        "/explore",
        "/explore/app.js",
        "/explore/app.css",
        "/explore/icon.svg",
        "/explore/manifest.webmanifest",
        "/explore/login",
    ] {
        assert_eq!(before.ask(Method::GET, path, &[BROWSER]).await.status, 404, "{path}");
    }
    assert_eq!(served.ask(Method::GET, "/explore/nowhere", &[BROWSER]).await.status, 404);
    assert_eq!(served.ask(Method::POST, "/explore", &[BROWSER]).await.status, 405);
}

#[tokio::test]
async fn every_file_is_held_to_this_server_and_kept_by_the_address_that_the_page_has_for_it() {
    let (_, served) = tiny();
    let page = served.ask(Method::GET, "/explore", &[]).await;
    let page_text = String::from_utf8(page.bytes.clone()).unwrap();
    let named = |file: &str| {
        let at = page_text.find(file).unwrap();
        format!("/{}", page_text[at..].split('"').next().unwrap())
    };
    for (path, kept) in [
        ("/explore".to_owned(), "no-cache"),
        ("/explore/icon.svg".to_owned(), "no-cache"),
        ("/explore/icon.png".to_owned(), "no-cache"),
        ("/explore/manifest.webmanifest".to_owned(), "no-cache"),
        ("/explore/app.js".to_owned(), "no-cache"),
        ("/explore/app.js?v=0123456789abcdef".to_owned(), "no-cache"),
        ("/explore/app.js?v=".to_owned(), "no-cache"),
        (named("explore/app.js?v="), "public, max-age=31536000, immutable"),
        (named("explore/app.css?v="), "public, max-age=31536000, immutable"),
    ] {
        let answer = served.ask(Method::GET, &path, &[]).await;
        assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, Some(kept)), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self';",
            "style-src 'self';",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains('*'), "{policy}");
        for (name, value) in [
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
        assert_eq!(answer.header("set-cookie"), None);
        let tag = answer.header("etag").unwrap().to_owned();
        let again = served.ask(Method::GET, &path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0), "{path}");
    }
    // The control: answers of the API are kept by nobody.
    let answer = served.ask(Method::GET, "/api/v1/connections", &[]).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn the_page_shows_pictures_of_the_hosts_that_are_named_and_of_no_other() {
    let (credentials, served) = super::tiny();
    let of = async |served: &Served, path: &str| {
        let answer = served.ask(Method::GET, path, &[BROWSER]).await;
        let policy = answer.header("content-security-policy").unwrap().to_owned();
        let pictures = policy.split("; ").find(|part| part.starts_with("img-src")).unwrap().to_owned();
        (pictures, answer.header("etag").unwrap().to_owned())
    };
    let (before, tag) = of(&served, "/explore").await;
    assert_eq!(before, "img-src 'self' blob:");
    let key = credentials.key("org_tiny");
    assert_eq!(super::log_in(&served, &key).await.json()["data"]["logoHosts"], serde_json::Value::Null);
    let host = WebOrigin::parse("https://logos.example.com").unwrap();
    let served = served.changed(|state| state.logo_hosts = vec![host]);
    for path in ["/", "/explore"] {
        let (pictures, other) = of(&served, path).await;
        assert_eq!(pictures, "img-src 'self' blob: https://logos.example.com", "{path}");
        assert_ne!(other, tag, "browsers keep the policy of the answer that had the page");
    }
    let (of_script, _) = of(&served, "/explore/app.js").await;
    assert_eq!(of_script, before);
    let who = super::log_in(&served, &key).await.json();
    assert_eq!(who["data"]["logoHosts"], serde_json::json!(["https://logos.example.com"]));
}

#[tokio::test]
async fn the_operators_page_runs_and_wears_what_it_holds_and_nothing_else() {
    let ask = async |accept: &str| {
        let request = Request::get("/").header("accept", accept).body(Body::empty()).unwrap();
        let Ok(response) = kith_server::explorer::operator::page_alone().oneshot(request).await;
        let (parts, body) = response.into_parts();
        (parts, String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap())
    };
    let (parts, page) = ask(BROWSER.1).await;
    assert_eq!(
        (parts.status.as_u16(), &parts.headers["content-type"]),
        (200, &"text/html; charset=utf-8".parse().unwrap())
    );
    let policy = parts.headers["content-security-policy"].to_str().unwrap();
    let between = |start: &str, end: &str| page.split(start).nth(1).unwrap().split(end).next().unwrap();
    let hash_of = |text: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text.as_bytes())));
    let (script, style) = (between("<script type=\"module\">", "</script>"), between("<style>", "</style>"));
    assert!(policy.contains(&format!("script-src {};", hash_of(script))), "{policy}");
    assert!(policy.contains(&format!("style-src {};", hash_of(style))), "{policy}");
    // The control: one letter more is another script.
    assert!(!policy.contains(&hash_of(&format!("{script} "))));
    for part in [
        "default-src 'none'",
        "connect-src 'self';",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    assert_eq!((page.matches("<script").count(), page.matches("<style").count()), (1, 1));
    assert!(!page.contains(" src=\"") && !page.contains("href=\"http"));
    for accept in ["*/*", "application/json", ""] {
        assert_eq!(ask(accept).await.0.status, 404, "{accept}");
    }
}

/// The files below `folder`, by their paths from `from`.
fn files(folder: &Path, from: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| {
        if path.is_dir() {
            files(&path, from)
        } else {
            vec![path.strip_prefix(from).unwrap().to_str().unwrap().to_owned()]
        }
    };
    entries.flat_map(of).collect()
}

/// The digest of what the page is built of, as `explorer/build.mjs` makes it; `change` is put behind the first file.
fn digest(change: &[u8]) -> String {
    let root = project("explorer");
    let mut names = files(&root.join("src"), &root);
    names.extend(["build.mjs", "package-lock.json", "tsconfig.json"].map(str::to_owned));
    names.sort_unstable();
    let mut digest = Sha256::new();
    for (place, name) in names.iter().enumerate() {
        let mut bytes = std::fs::read(root.join(name)).unwrap();
        bytes.extend(change.iter().filter(|_| place == 0));
        digest.update(format!("{name}\n{}\n", bytes.len()));
        digest.update(&bytes);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn what_is_committed_is_built_of_the_sources() {
    let written = std::fs::read_to_string(project("explorer/dist/SOURCES")).unwrap();
    assert_eq!(written.trim(), digest(b""), "explorer/dist is older than its sources: run explorer/build");
    assert_ne!(written.trim(), digest(b" "), "the control");
}

#[test]
fn the_whole_page_is_small() {
    let packed = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap().len()
    };
    let dist = project("explorer/dist");
    let all: usize =
        files(&dist, &dist).iter().map(|name| packed(&std::fs::read(dist.join(name)).unwrap())).sum();
    assert!((10 << 10..=PAGE_BYTES_MAX).contains(&all), "{all} bytes");
}
