//! The page and the API reference below a path prefix that a proxy removes.
//!
//! Promise: Below a path of a proxy the page and `/docs` load and link everything below it, and the cookie is of this
//!   path alone.
//! Control: an address from the root is found; a cookie of the whole host is none there.

use axum::http::Method;

use crate::explorer::{Session, log_in, send, session_of, tiny};
use kith_server::api::cookie::PageCookie;

/// The addresses in `page` that lead to this server.
fn addresses(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for attribute in ["href=\"", "src=\""] {
        found.extend(page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()));
    }
    found.retain(|address| !address.starts_with(['#']) && !address.contains(':') && !address.is_empty());
    found
}

/// Those of `addresses` that leave the path of a proxy.
fn leaving<'a>(addresses: &[&'a str]) -> Vec<&'a str> {
    addresses.iter().copied().filter(|address| address.starts_with('/') || address.contains("..")).collect()
}

#[tokio::test]
async fn the_page_and_the_reference_stay_below_the_path() {
    let (credentials, served) = tiny();
    let key = credentials.key("org_tiny");
    for path in ["/explore", "/docs"] {
        let page = served.ask(Method::GET, path, &[("accept", "text/html")]).await;
        let text = String::from_utf8(page.bytes).unwrap();
        let found = addresses(&text);
        assert_eq!(leaving(&found), [""; 0], "{path}");
        // A browser asks for them below the path, and the proxy cuts it off.
        assert!(!found.is_empty());
        for address in found {
            assert_eq!(served.get(&format!("/{address}"), &key).await.status, 200, "{path}: {address}");
        }
    }
    // The control.
    assert_eq!(leaving(&addresses("<a href=\"/explore\">")), ["/explore"]);
}

#[tokio::test]
async fn the_cookie_is_of_the_path_alone() {
    let (credentials, served) = tiny();
    let served = served.changed(|state| state.page_cookie = PageCookie::below(Some("/a/kith")));
    let key = credentials.key("org_tiny");
    let set = log_in(&served, &key).await.header("set-cookie").unwrap().to_owned();
    assert!(set.starts_with("__Secure-kith=") && set.contains("; Path=/a/kith;"), "{set}");
    let session = session_of(&served, &key).await;
    let ask = async |session: &Session| {
        send(&served, Method::GET, "/api/v1/people/person_pia", &session.own(), "").await
    };
    assert_eq!(ask(&session).await.status, 200);
    // The control: the same under the name that a cookie of the whole host has.
    let of_host =
        Session { cookie: session.cookie.replace("__Secure-", "__Host-"), half: session.half.clone() };
    assert_eq!(ask(&of_host).await.status, 401);
}
