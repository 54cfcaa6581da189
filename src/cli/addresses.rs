//! Addresses to listen on, as people type them.

use std::net::{Ipv4Addr, SocketAddr};

/// An IP address and a port, or `localhost` and a port, which is 127.0.0.1. Port 0 picks a free one.
///
/// # Errors
/// Returns a sentence with an example if `text` is anything else; other names are not looked up.
pub(super) fn listening(text: &str) -> Result<SocketAddr, String> {
    let local = |port: &str| port.parse().ok().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Some(address) = text.strip_prefix("localhost:").and_then(local) {
        return Ok(address);
    }
    Err(match local(text) {
        Some(address) => format!("a port alone: write {address} for this machine, 0.0.0.0:{text} for all"),
        None => "expected an IP address and a port from 0 to 65535, as 127.0.0.1:8080 or [::1]:8080, or localhost and a port"
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_and_a_port_or_localhost_and_a_port_are_taken() {
        for (text, address) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("localhost:8080", "127.0.0.1:8080"),
            ("localhost:0", "127.0.0.1:0"),
            ("[::1]:80", "[::1]:80"),
            ("0.0.0.0:65535", "0.0.0.0:65535"),
        ] {
            assert_eq!(listening(text).map(|address| address.to_string()), Ok(address.to_owned()), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused_with_what_to_write() {
        for (text, said) in [
            ("8080", "127.0.0.1:8080"),
            ("localhost", "127.0.0.1:8080"),
            ("localhost:65536", "0 to 65535"),
            ("127.0.0.1", "0 to 65535"),
            (":8080", "127.0.0.1:8080"),
            ("example.com:80", "an IP address"),
            ("", "an IP address"),
        ] {
            assert!(listening(text).is_err_and(|sentence| sentence.contains(said)), "{text}");
        }
    }
}
