//! Professional-network handles as callers write them: bare, or inside a profile's URL.

use std::borrow::Cow;

/// The handle that `given` names.
///
/// `/in/HANDLE` on any `linkedin.com` host, percent-decoded, with or without a scheme; any other text is the handle
/// itself.
#[must_use]
pub fn handle_of(given: &str) -> Cow<'_, str> {
    in_profile_url(given).and_then(percent_decode).map_or(Cow::Borrowed(given), Cow::Owned)
}

fn in_profile_url(given: &str) -> Option<&str> {
    // Most handles are bare.
    given.find('/')?;
    let after_scheme = given.split_once("://").map_or(given, |(scheme, rest)| {
        if scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http") { rest } else { "" }
    });
    let (authority, path) = after_scheme.split_once('/')?;
    let host = authority.split_once(':').map_or(authority, |(host, _)| host).to_ascii_lowercase();
    if host != "linkedin.com" && !host.ends_with(".linkedin.com") {
        return None;
    }
    let (kind, rest) = path.split_once('/')?;
    let handle = rest.split(['/', '?', '#']).next().unwrap_or("");
    (kind.eq_ignore_ascii_case("in") && !handle.is_empty()).then_some(handle)
}

/// `text` with each byte written as `%XX`, except those that stand for themselves in any part of an address (RFC 3986).
#[must_use]
pub fn percent_encode(text: &str) -> String {
    let encoded = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    encoded.collect()
}

/// `text` with each `%XX` replaced by its byte; `None` if an escape is broken or the result is not UTF-8.
#[must_use]
pub fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            decoded.push((high * 16 + low) as u8);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_addresses_and_bare_handles_name_the_same_person() {
        for (given, handle) in [
            ("ana-m", "ana-m"),
            ("https://www.linkedin.com/in/ana-m", "ana-m"),
            ("http://LinkedIn.com/in/ana-m/", "ana-m"),
            ("https://uk.linkedin.com:443/in/ana-m?trk=x#top", "ana-m"),
            ("www.linkedin.com/in/ana-m/details/skills", "ana-m"),
            ("https://www.linkedin.com/in/jos%C3%A9", "josé"),
            ("https://www.linkedin.com/in/broken%C3", "https://www.linkedin.com/in/broken%C3"),
            ("https://www.linkedin.com/company/acme", "https://www.linkedin.com/company/acme"),
            ("https://linkedin.com.example.org/in/ana", "https://linkedin.com.example.org/in/ana"),
            ("https://notlinkedin.com/in/ana", "https://notlinkedin.com/in/ana"),
            ("ftp://linkedin.com/in/ana", "ftp://linkedin.com/in/ana"),
            ("https://linkedin.com/in/", "https://linkedin.com/in/"),
            ("50%", "50%"),
        ] {
            assert_eq!(handle_of(given), handle);
        }
    }
}
