//! Tables of who is let in to what.

use std::error::Error;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderName, Request, header};
use axum::middleware::from_fn;
use axum::routing::any;
use tower::ServiceExt;

use super::*;
use ApiError::{ForbiddenHost, ForbiddenOrigin};

const TOKEN: &str = "s3cret";

fn keeper(address: &str, hosts: &[&str], token: Option<&str>) -> Result<Doorkeeper, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("token");
    std::fs::write(&file, token.unwrap_or_default())?;
    let token = token.map(|_| OperatorToken::read(&file).map(Arc::new)).transpose()?;
    let hosts = hosts.iter().filter_map(|host| HostName::parse(host)).collect();
    Ok(Doorkeeper::new(address.parse()?, hosts, token))
}

fn asked(uri: &str, headers: &[(HeaderName, &'static str)]) -> Result<Request<()>, axum::http::Error> {
    let request = Request::get(uri);
    headers.iter().fold(request, |request, (name, value)| request.header(name, *value)).body(())
}

#[test]
fn a_host_is_the_listeners_a_loopback_one_or_a_named_one() -> Result<(), Box<dyn Error>> {
    let ours = ["Kith.Example:1", "fd00::5"];
    for (listener, host, is_let_in) in [
        ("127.0.0.1", "127.0.0.1:9090", true),
        ("127.0.0.1", "127.0.0.1", true),
        ("127.0.0.1", "127.9.9.9:1", true),
        ("127.0.0.1", "[::1]:9090", true),
        ("127.0.0.1", "LOCALHOST.:80", true),
        ("127.0.0.1", "kith.example", true),
        ("127.0.0.1", "KITH.EXAMPLE.:9090", true),
        ("127.0.0.1", "[FD00::5]:9090", true),
        ("10.1.2.3", "10.1.2.3:9090", true),
        ("10.1.2.3", "localhost", true),
        ("::", "[::]:9090", true),
        ("::ffff:10.1.2.3", "10.1.2.3", true),
        ("0.0.0.0", "0.0.0.0:9090", true),
        ("127.0.0.1", "0.0.0.0:9090", false),
        ("0.0.0.0", "10.1.2.3", false),
        ("10.1.2.3", "10.1.2.4", false),
        ("127.0.0.1", "evil.example", false),
        ("127.0.0.1", "localhost.evil.example", false),
        ("127.0.0.1", "evil.localhost", false),
        ("127.0.0.1", "127.0.0.1.evil.example", false),
        ("127.0.0.1", "kith.example.evil.example", false),
        ("127.0.0.1", "2130706433", false),
        ("127.0.0.1", "me@localhost", false),
        ("127.0.0.1", "[fd00::6]", false),
        ("127.0.0.1", "", false),
    ] {
        let said = keeper(listener, &ours, None)?.check(&asked("/metrics", &[(header::HOST, host)])?);
        assert_eq!(said, if is_let_in { Ok(()) } else { Err(ForbiddenHost) }, "{listener} {host}");
    }
    let keeper = keeper("127.0.0.1", &[], None)?;
    for (uri, is_let_in) in [("http://localhost/metrics", true), ("http://evil.example/metrics", false)] {
        let said = keeper.check(&asked(uri, &[(header::HOST, "localhost")])?);
        assert_eq!(said.is_ok(), is_let_in, "{uri}");
    }
    assert_eq!(keeper.check(&asked("/metrics", &[])?), Ok(()), "HTTP/1.0 may do without");
    Ok(())
}

#[test]
fn host_origin_and_token_are_asked_for_in_this_order_and_probes_need_no_token() -> Result<(), Box<dyn Error>>
{
    let unauthorized = |was_sent| Err(ApiError::Unauthorized { was_sent });
    let (evil, own) = ((header::HOST, "evil.example"), (header::HOST, "localhost"));
    let (page, null) = ((header::ORIGIN, "http://localhost"), (header::ORIGIN, "null"));
    let good = (header::AUTHORIZATION, "Bearer s3cret");
    let without = keeper("127.0.0.1", &[], None)?;
    let with = keeper("127.0.0.1", &[], Some(TOKEN))?;
    for (headers, open, closed) in [
        (&[own.clone()][..], Ok(()), unauthorized(false)),
        (&[own.clone(), good.clone()], Ok(()), Ok(())),
        (&[own.clone(), (header::AUTHORIZATION, "bearer  s3cret ")], Ok(()), Ok(())),
        (&[own.clone(), (header::AUTHORIZATION, "Bearer s3cre")], Ok(()), unauthorized(true)),
        (&[own.clone(), (header::AUTHORIZATION, "Bearer S3CRET")], Ok(()), unauthorized(true)),
        (&[own.clone(), (header::AUTHORIZATION, "Basic s3cret")], Ok(()), unauthorized(true)),
        (&[own.clone(), good.clone(), good.clone()], Ok(()), unauthorized(true)),
        (&[evil.clone(), good.clone()], Err(ForbiddenHost), Err(ForbiddenHost)),
        (&[evil.clone(), page.clone()], Err(ForbiddenHost), Err(ForbiddenHost)),
        (&[own.clone(), page.clone(), good.clone()], Err(ForbiddenOrigin), Err(ForbiddenOrigin)),
        (&[own.clone(), null.clone()], Err(ForbiddenOrigin), Err(ForbiddenOrigin)),
    ] {
        for path in ["/metrics", "/admin/reload", "/nowhere", "/healthz/", "/healthz", "/readyz?a=b"] {
            let request = asked(path, headers)?;
            let is_probe = is_probe(request.uri().path());
            assert_eq!(without.check(&request), open, "{path} {headers:?}");
            assert_eq!(
                with.check(&request),
                if is_probe { open.clone() } else { closed.clone() },
                "{path} {headers:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn a_listener_is_open_beyond_loopback_without_a_token() -> Result<(), Box<dyn Error>> {
    for (address, is_open) in [
        ("127.0.0.1", false),
        ("127.8.0.1", false),
        ("::1", false),
        ("::ffff:127.0.0.1", false),
        ("0.0.0.0", true),
        ("::", true),
        ("10.0.0.1", true),
    ] {
        assert_eq!(keeper(address, &["a"], None)?.is_open(), is_open, "{address}");
        assert!(!keeper(address, &[], Some(TOKEN))?.is_open(), "{address}");
    }
    Ok(())
}

/// A listener behind the doorkeeper, with or without a page.
fn listener(token: Option<&str>, has_page: bool) -> Result<Router, Box<dyn Error>> {
    let keeper = Arc::new(keeper("127.0.0.1", &[], token)?);
    let page = async |headers: HeaderMap| {
        if headers.contains_key(IF_NONE_MATCH) {
            return (StatusCode::NOT_MODIFIED, HeaderMap::new(), "");
        }
        let headers = HeaderMap::from_iter([
            (ETAG, HeaderValue::from_static("\"tag\"")),
            (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ]);
        (StatusCode::OK, headers, "the page")
    };
    let routes = if has_page { Router::new().route("/", any(page)) } else { Router::new() };
    let routes = routes.route("/metrics", any(async || "figures")).fallback(async || ApiError::UnknownPath);
    Ok(routes.layer(from_fn(move |request: Request<Body>, next: Next| {
        let keeper = Arc::clone(&keeper);
        async move { keeper.answer(request, next).await }
    })))
}

#[tokio::test]
async fn a_browser_without_the_token_gets_the_page_as_the_body_of_its_401_and_nobody_gets_more()
-> Result<(), Box<dyn Error>> {
    const BROWSER: (HeaderName, &str) = (header::ACCEPT, "text/html,*/*;q=0.8");
    const GOOD: (HeaderName, &str) = (header::AUTHORIZATION, "Bearer s3cret");
    let own = (HOST, "localhost");
    let json = "{\"error\"";
    // The listener's token, whether it has a page, the path, the request's headers; the status, the start of the body.
    let cases = [
        (Some(TOKEN), true, "/", vec![BROWSER], 401, "the page"),
        (Some(TOKEN), true, "/", vec![BROWSER, (IF_NONE_MATCH, "\"tag\"")], 401, "the page"),
        (Some(TOKEN), true, "/", vec![BROWSER, (header::AUTHORIZATION, "Bearer wrong")], 401, "the page"),
        (Some(TOKEN), true, "/", vec![BROWSER, GOOD], 200, "the page"),
        (Some(TOKEN), true, "/", vec![], 401, json),
        (Some(TOKEN), true, "/", vec![(header::ACCEPT, "*/*")], 401, json),
        (Some(TOKEN), true, "/", vec![BROWSER, (ORIGIN, "http://localhost")], 403, json),
        (Some(TOKEN), true, "/", vec![BROWSER, (HOST, "evil.example")], 403, json),
        (Some(TOKEN), true, "/metrics", vec![BROWSER], 401, json),
        (Some(TOKEN), true, "/metrics", vec![BROWSER, GOOD], 200, "figures"),
        (Some(TOKEN), true, "/nowhere", vec![BROWSER], 401, json),
        // The controls: without a page the refusal stays as it is, and without a token there is none.
        (Some(TOKEN), false, "/", vec![BROWSER], 401, json),
        (None, true, "/", vec![BROWSER], 200, "the page"),
    ];
    for (token, has_page, path, headers, status, begins) in cases {
        let request =
            asked(path, &[std::slice::from_ref(&own), &headers[..]].concat())?.map(|()| Body::empty());
        let Ok(response) = listener(token, has_page)?.oneshot(request).await;
        let (parts, body) = response.into_parts();
        let body = String::from_utf8(to_bytes(body, 4096).await?.to_vec())?;
        assert_eq!(parts.status, status, "{path} {headers:?}");
        assert!(body.starts_with(begins), "{path} {headers:?}: {body}");
        assert_eq!(parts.headers.contains_key(WWW_AUTHENTICATE), status == 401, "{path} {headers:?}");
        if status == 401 && begins == "the page" {
            assert_eq!(parts.headers[CACHE_CONTROL], "no-store");
            assert!(!parts.headers.contains_key(ETAG), "no browser may keep it for an answer");
        }
    }
    Ok(())
}
