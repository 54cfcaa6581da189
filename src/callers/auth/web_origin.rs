//! The origin of a web page.

use std::net::Ipv6Addr;

/// An origin as browsers send it: a scheme, a host, and a port unless it is the scheme's default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebOrigin(String);

impl WebOrigin {
    /// Parses an origin; `None` if no browser sends `text`, trimmed, as one; `null` and `*` are refused.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (scheme, authority) = text.split_once("://")?;
        let (host, port) = match authority.rfind(':').filter(|_| !authority.ends_with(']')) {
            Some(colon) => (&authority[..colon], Some(&authority[colon + 1..])),
            None => (authority, None),
        };
        let is_port = port.is_none_or(|port| is_port(port) && !is_own_port(scheme, port));
        let is_origin = is_scheme(scheme) && is_host(host) && is_port;
        is_origin.then(|| Self(text.to_owned()))
    }

    /// The origin as sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_scheme(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.bytes().all(is_plain)
}

fn is_host(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    match inside {
        Some(address) => address.parse::<Ipv6Addr>().is_ok_and(|read| read.to_string() == address),
        None => !text.is_empty() && text.bytes().all(is_plain),
    }
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok_and(|port| port > 0 && port.to_string() == text)
}

fn is_own_port(scheme: &str, port: &str) -> bool {
    matches!((scheme, port), ("http", "80") | ("https", "443"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_what_browsers_send_as_one() {
        for text in [
            "https://app.example.com",
            " https://app.example.com\n",
            "http://localhost:3000",
            "http://127.0.0.1:8080",
            "http://[::1]:5173",
            "https://[2001:db8::7]",
            "https://xn--bcher-kva.example",
            "http://app.example:443",
            "chrome-extension://abcdefghijklmnop",
        ] {
            let read = WebOrigin::parse(text);
            assert_eq!(read.as_ref().map(WebOrigin::as_str), Some(text.trim()), "{text}");
        }
        for text in [
            "",
            "*",
            "null",
            "app.example.com",
            "https://",
            "https://*.example.com",
            "https://app.example.com/",
            "https://app.example.com/path",
            "https://app.example.com?x",
            "https://App.example.com",
            "HTTPS://app.example.com",
            "https://app.example.com:443",
            "http://app.example.com:80",
            "https://app.example.com:",
            "https://app.example.com:0",
            "https://app.example.com:0443",
            "https://app.example.com:65536",
            "https://app.example.com:x",
            "https://user@app.example.com",
            "https://bücher.example",
            "https://a b",
            "https://[::1",
            "https://[::01]",
            "https://a,https://b",
            "1https://a",
        ] {
            assert_eq!(WebOrigin::parse(text), None, "{text}");
        }
    }
}
