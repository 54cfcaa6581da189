//! The host that a request names.

use std::net::{IpAddr, Ipv6Addr};

/// The host of a URL or a `Host` header without its port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostName {
    /// An address; IPv4 addresses mapped to IPv6 become IPv4.
    Address(IpAddr),
    /// A name in lower case, without a final full stop.
    Name(String),
}

impl HostName {
    /// Parses a host, with or without a port, an IPv6 address with or without brackets; `None` if `text` is not a host.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let address = |address: IpAddr| Self::Address(address.to_canonical());
        if let Ok(bare) = text.parse() {
            return Some(address(bare));
        }
        if let Some(bracketed) = text.strip_prefix('[') {
            let (inside, behind) = bracketed.split_once(']')?;
            let inside: Ipv6Addr = inside.parse().ok()?;
            return is_port(behind).then(|| address(inside.into()));
        }
        let (host, port) = text.split_at(text.find(':').unwrap_or(text.len()));
        let host = host.strip_suffix('.').unwrap_or(host);
        if !is_port(port) || !is_name(host) {
            return None;
        }
        Some(host.parse().map_or_else(|_| Self::Name(host.to_ascii_lowercase()), address))
    }
}

/// Whether `text` is empty, or a colon and a port.
fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !text.is_empty() && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_an_address_or_a_name_whatever_its_port_and_case() -> Result<(), std::net::AddrParseError> {
        for (text, address) in [
            ("127.0.0.1", "127.0.0.1"),
            ("127.0.0.1:9090", "127.0.0.1"),
            ("127.0.0.1.:9090", "127.0.0.1"),
            (" 10.1.2.3: ", "10.1.2.3"),
            ("::1", "::1"),
            ("[::1]", "::1"),
            ("[::1]:9090", "::1"),
            ("[FD00::A]:1", "fd00::a"),
            ("[::ffff:127.0.0.1]:1", "127.0.0.1"),
        ] {
            assert_eq!(HostName::parse(text), Some(HostName::Address(address.parse()?)), "{text}");
        }
        for (text, name) in [
            ("localhost", "localhost"),
            ("LocalHost.:9090", "localhost"),
            ("kith_1.Example.", "kith_1.example"),
            ("127.1", "127.1"),
            ("0x7f000001", "0x7f000001"),
            ("localhost..", "localhost."),
        ] {
            assert_eq!(HostName::parse(text), Some(HostName::Name(name.to_owned())), "{text}");
        }
        for text in [
            "",
            " ",
            ":9090",
            ".",
            "a b",
            "a/b",
            "http://a",
            "me@localhost",
            "localhost:x",
            "[::1",
            "[::1]x",
            "[::1%lo]",
            "[127.0.0.1]",
            "localhost:9090:1",
            "*.example",
            "l\u{f6}calhost",
        ] {
            assert_eq!(HostName::parse(text), None, "{text}");
        }
        Ok(())
    }
}
