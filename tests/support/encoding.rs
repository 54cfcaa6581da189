//! Parameters in the encoding of an address.
#![allow(dead_code, reason = "each binary uses a part of this")]

/// `params` as a query string.
pub(crate) fn query_string(params: &[(String, String)]) -> String {
    let pairs: Vec<String> =
        params.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    pairs.join("&")
}

/// `text`, percent-encoded but for letters, digits and what a path segment of ours holds.
pub(crate) fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}
