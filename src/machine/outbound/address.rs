//! The addresses that may be contacted: plain http and https ones.

use std::net::IpAddr;

use hyper::Uri;
use hyper::http::uri::PathAndQuery;

/// A parsed address.
pub(crate) type Address = Uri;

/// Parses `text`; `None` if it is not http or https with a host, or has a user or a fragment.
pub(crate) fn parse(text: &str) -> Option<Uri> {
    // A fragment would be dropped silently.
    if text.contains('#') {
        return None;
    }
    let address: Uri = text.parse().ok()?;
    let authority = address.authority()?;
    let has_known_scheme = matches!(address.scheme_str(), Some("http" | "https"));
    // Anything besides the host and its port would be a user or an invalid port.
    let plain = match address.port_u16() {
        Some(port) => format!("{}:{port}", address.host()?),
        None => address.host()?.to_owned(),
    };
    (has_known_scheme && !plain.is_empty() && plain == authority.as_str()).then_some(address)
}

/// `address`, with `path` if it has no path of its own.
pub(crate) fn with_default_path(address: Uri, path: &'static str) -> Uri {
    if address.path_and_query().is_some_and(|path| path.as_str() != "/") {
        return address;
    }
    let mut parts = address.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::from_static(path));
    Uri::from_parts(parts).unwrap_or(address)
}

/// Whether others can read and change the data on the way: http to another machine.
pub(crate) fn is_exposed(address: &Uri) -> bool {
    address.scheme_str() != Some("https") && !address.host().is_some_and(is_loopback)
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_plain_http_or_https() {
        for text in [
            "https://host",
            "https://host/v1",
            "http://127.0.0.1:11434/v1",
            "http://[::1]:80",
            "https://host/a?b=c",
        ] {
            assert!(parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "host/v1",
            "/v1",
            "https://",
            "https:///v1",
            "ftp://host/v1",
            "file:///etc/passwd",
            "https://user:pass@host/v1",
            "https://user@host/v1",
            "https://@host/v1",
            "https://host/v1#x",
            "https://host:99999/v1",
            "https://host:/v1",
            "https://ho st/v1",
            "https://host/v1\r\nx: y",
        ] {
            assert!(parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn only_http_to_another_machine_is_exposed() {
        for (text, exposed) in [
            ("https://host", false),
            ("http://127.0.0.1:1/x", false),
            ("http://127.9.9.9", false),
            ("http://[::1]:80", false),
            ("http://LocalHost", false),
            ("http://host", true),
            ("http://127.0.0.1.example.com", true),
            ("http://10.0.0.1", true),
            ("http://localhost.example.com", true),
            ("http://0.0.0.0", true),
        ] {
            assert_eq!(parse(text).as_ref().map(is_exposed), Some(exposed), "{text}");
        }
    }
}
