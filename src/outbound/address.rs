//! Which addresses may be contacted: plain http and https ones.

use hyper::Uri;

/// The address `text`; nothing where it is not http or https with a host, or has a user or a fragment.
pub(crate) fn parse(text: &str) -> Option<Uri> {
    // A fragment would be dropped without a word.
    if text.contains('#') {
        return None;
    }
    let address: Uri = text.parse().ok()?;
    let authority = address.authority()?;
    let has_known_scheme = matches!(address.scheme_str(), Some("http" | "https"));
    // Whatever is not the host, and its port, would be a user or a port that is none.
    let plain = match address.port_u16() {
        Some(port) => format!("{}:{port}", address.host()?),
        None => address.host()?.to_owned(),
    };
    (has_known_scheme && !plain.is_empty() && plain == authority.as_str()).then_some(address)
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
}
