//! The password of HTTP Basic (RFC 7617), for callers that can send no other header: readers of feeds.

use data_encoding::BASE64;

/// The password of the value of an `Authorization` header. Returns `None` if that is not of HTTP Basic. The name of the user may
/// be any.
#[must_use]
pub(crate) fn password_of(value: &str) -> Option<String> {
    let (scheme, encoded) = value.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(BASE64.decode(encoded.trim().as_bytes()).ok()?).ok()?;
    let (_, password) = decoded.split_once(':')?;
    Some(password.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_what_stands_behind_the_first_colon() {
        for (user_and_password, password) in
            [("a:b", Some("b")), (":b", Some("b")), ("a:b:c", Some("b:c")), ("a:", Some("")), ("ab", None)]
        {
            let sent = format!("basic  {}", BASE64.encode(user_and_password.as_bytes()));
            assert_eq!(password_of(&sent).as_deref(), password, "{user_and_password}");
        }
        for sent in ["", "Basic", "Basic ?", "Basic YTpi=", "Bearer YTpi", "YTpi", "Basic /zpi"] {
            assert_eq!(password_of(sent), None, "{sent}");
        }
    }
}
