//! The cookie that carries a credential in the page's requests: which requests it is valid for, and how it is set.
//!
//! Cookies know no port and no path: a browser also sends this one to other services on the same host, and with
//! requests of their pages. So it counts only together with its other half, which only the page has and sends as a
//! header, and only on requests that the browser itself marks as coming from the page's origin (`Sec-Fetch-Site:
//! same-origin`), a header that no page can set. `SameSite` is a further defence.

use std::time::{Duration, SystemTime};

use crate::api::error::ApiError;
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::auth::error::StoreError;
use crate::auth::session::{SessionSealer, Visitor};

/// The cookie's name on a host of its own; the prefix makes browsers refuse it from other hosts, for a path, or without
/// TLS.
pub const NAME: &str = "__Host-kith";
/// The cookie's name below a path, where the `__Host-` prefix is not allowed. Browsers accept it over TLS only.
const NAME_BELOW: &str = "__Secure-kith";
/// The header in which browsers state the origin of a request.
pub const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// The header with the half of the session.
pub const HALF: HeaderName = HeaderName::from_static("kith-page");
/// The value of [`SITE`] if the page's own origin sent the request.
pub const SAME_ORIGIN: &str = "same-origin";

/// The cookie of the page at one address.
#[derive(Debug)]
pub struct PageCookie {
    name: &'static str,
    /// Its scope: who may read it, and which requests carry it.
    attributes: String,
    /// The path of the page.
    page: String,
}

/// Whether the browser marks the request as coming from the page's own origin.
#[must_use]
pub fn is_same_origin(headers: &HeaderMap) -> bool {
    let mut sent = headers.get_all(SITE).iter();
    matches!((sent.next(), sent.next()), (Some(one), None) if one == SAME_ORIGIN)
}

impl PageCookie {
    /// The cookie of a page below the path `base`, with a leading and no trailing `/`; `None` is the root.
    #[must_use]
    pub fn below(base: Option<&str>) -> Self {
        let (name, path) = base.map_or((NAME, "/"), |base| (NAME_BELOW, base));
        let attributes = format!("Path={path}; Secure; HttpOnly; SameSite=Strict");
        Self { name, attributes, page: format!("{}/explore", base.unwrap_or_default()) }
    }

    /// The path of the page, as browsers see it.
    #[must_use]
    pub fn page(&self) -> &str {
        &self.page
    }

    /// The visitor behind the cookie of a request from the page's own origin; otherwise whether such a cookie was sent
    /// at all.
    ///
    /// # Errors
    /// Returns an error if the credential store cannot be read.
    pub fn visitor(
        &self,
        headers: &HeaderMap,
        sealer: &SessionSealer,
        now: SystemTime,
    ) -> Result<Result<Visitor, bool>, StoreError> {
        let Some((sealed, half)) = self.session(headers) else { return Ok(Err(false)) };
        Ok(sealer.open(sealed, half, now)?.ok_or(true))
    }

    /// The seal and the half of a request from the page's own origin.
    #[must_use]
    pub fn session<'a>(&self, headers: &'a HeaderMap) -> Option<(&'a str, &'a str)> {
        let mut halves = headers.get_all(HALF).iter();
        let half = halves.next().filter(|_| halves.next().is_none())?.to_str().ok()?;
        Some((self.sealed(headers)?, half)).filter(|_| is_same_origin(headers))
    }

    /// The value of the only cookie with this name.
    fn sealed<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let mut values = pairs.filter(|(name, _)| *name == self.name).map(|(_, value)| value);
        match (values.next(), values.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    }

    /// The `Set-Cookie` that makes a browser keep `sealed` for `life`; `None` if a header cannot hold it.
    #[must_use]
    pub fn keep(&self, sealed: &str, life: Duration) -> Option<HeaderValue> {
        let (Self { name, attributes, .. }, seconds) = (self, life.as_secs());
        HeaderValue::from_str(&format!("{name}={sealed}; Max-Age={seconds}; {attributes}")).ok()
    }

    /// The `Set-Cookie` that makes a browser drop it; `None` if a header cannot hold it.
    #[must_use]
    pub fn forget(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&format!("{}=; Max-Age=0; {}", self.name, self.attributes)).ok()
    }
}

/// Accepts only requests of the page.
///
/// # Errors
/// Returns 400 for all others.
pub(crate) fn check_site(headers: &HeaderMap) -> Result<(), ApiError> {
    if is_same_origin(headers) {
        return Ok(());
    }
    let expected = "same-origin, which browsers send for the page itself, over https and on loopback alone";
    let sent = headers.get(SITE).map(|sent| String::from_utf8_lossy(sent.as_bytes()));
    Err(match sent {
        Some(sent) => ApiError::invalid("Sec-Fetch-Site", &sent, expected),
        None => ApiError::missing("Sec-Fetch-Site", expected),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::auth::session::Session;
    use crate::auth::store::CredentialStore;

    #[test]
    fn the_cookie_counts_once_and_from_the_pages_own_origin_alone() -> Result<(), Box<dyn std::error::Error>>
    {
        let folder = tempfile::tempdir()?;
        let store = CredentialStore::open(&folder.path().join("credentials.db"))?;
        let (verifier, now) = (store.verifier()?, SystemTime::now());
        let sealer = SessionSealer::new(Arc::new(Mutex::new(store)), verifier, Duration::from_secs(600))?;
        let Session { sealed, half } =
            sealer.seal(&Visitor::Credential("key".to_owned()), now)?.ok_or("not sealed")?;
        let good = format!("{NAME}={sealed}");
        let other = format!("theme=dark; {good}; x=1");
        for (sites, cookies, expected) in [
            (&["same-origin"][..], &[&*good][..], Ok("key")),
            (&["same-origin"], &[&other], Ok("key")),
            (&["same-origin"], &["a=b", &good], Ok("key")),
            (&["same-origin"], &[&good, &good], Err(false)),
            (&["same-origin"], &[&format!("{good}; {good}")], Err(false)),
            (&["same-origin"], &[], Err(false)),
            (&["same-origin"], &["__Host-kith=x"], Err(true)),
            (&["same-origin"], &["__Host-kith="], Err(true)),
            (&["same-origin"], &[&good[2..]], Err(false)),
            (&["same-origin"], &[&good.to_lowercase()], Err(false)),
            (&["same-site"], &[&good], Err(false)),
            (&["cross-site"], &[&good], Err(false)),
            (&["none"], &[&good], Err(false)),
            (&["Same-Origin"], &[&good], Err(false)),
            (&["same-origin, same-origin"], &[&good], Err(false)),
            (&["same-origin", "same-origin"], &[&good], Err(false)),
            (&["same-origin", "cross-site"], &[&good], Err(false)),
            (&[""], &[&good], Err(false)),
            (&[], &[&good], Err(false)),
        ] {
            let mut headers = HeaderMap::new();
            headers.append(HALF, half.parse()?);
            for site in sites {
                headers.append(SITE, site.parse()?);
            }
            for cookie in cookies {
                headers.append(COOKIE, cookie.parse()?);
            }
            let expected: Result<&str, bool> = expected;
            assert_eq!(
                PageCookie::below(None).visitor(&headers, &sealer, now)?,
                expected.map(|key| Visitor::Credential(key.to_owned())),
                "{sites:?} {cookies:?}"
            );
        }
        for (halves, expected) in [
            (&[&*half][..], Ok(Visitor::Credential("key".to_owned()))),
            (&[], Err(false)),
            (&[&half, &half], Err(false)),
            (&["AAAAAAAAAAAAAAAAAAAAAA"], Err(true)),
            (&[""], Err(true)),
        ] {
            let mut headers = HeaderMap::new();
            headers.append(SITE, SAME_ORIGIN.parse()?);
            headers.append(COOKIE, good.parse()?);
            for half in halves {
                headers.append(HALF, half.parse()?);
            }
            assert_eq!(PageCookie::below(None).visitor(&headers, &sealer, now)?, expected, "{halves:?}");
        }
        Ok(())
    }

    #[test]
    fn what_is_set_is_for_this_host_its_requests_and_no_script() {
        for (base, name, path) in
            [(None, "__Host-kith=", "; Path=/;"), (Some("/a/kith"), "__Secure-kith=", "; Path=/a/kith;")]
        {
            let cookie = PageCookie::below(base);
            for set in [cookie.keep("sealed", Duration::from_secs(600)), cookie.forget()] {
                let set = set.as_ref().and_then(|set| set.to_str().ok()).unwrap_or_default();
                assert!(set.starts_with(name) && !set.contains("Domain"), "{set}");
                for attribute in [path, "; Secure", "; HttpOnly", "; SameSite=Strict", "; Max-Age="] {
                    assert!(set.contains(attribute), "{set}");
                }
            }
        }
    }
}
