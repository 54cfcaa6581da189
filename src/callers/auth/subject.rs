//! Owners of credentials: the rules for organization ids, user ids and key names.
//!
//! Ids follow the rules of the source tables. The store knows no networks, so it does not check that the organization
//! or member exists.

use crate::limits::TEXT_CHARS_MAX;
use kith::limits::ID_BYTES_MAX;

/// Parses an organization's id: begins with `org_`, at most [`ID_BYTES_MAX`] bytes, no comma, no control character.
///
/// # Errors
/// Returns the rule that `text` breaks.
pub fn parse_organization_id(text: &str) -> Result<String, SubjectError> {
    parse_id(text, "org_")
}

/// Parses a member's id: like an organization's, but begins with `user_`.
///
/// # Errors
/// Returns the rule that `text` breaks.
pub fn parse_user_id(text: &str) -> Result<String, SubjectError> {
    parse_id(text, "user_")
}

/// Parses a key's name: not blank, at most [`TEXT_CHARS_MAX`] characters, no control character.
///
/// # Errors
/// Returns the rule that `text` breaks.
pub fn parse_key_name(text: &str) -> Result<String, SubjectError> {
    if text.trim().is_empty() {
        return Err(SubjectError::Blank);
    }
    if text.chars().count() > TEXT_CHARS_MAX {
        return Err(SubjectError::NameTooLong);
    }
    if text.chars().any(char::is_control) {
        return Err(SubjectError::ControlCharacter);
    }
    Ok(text.to_owned())
}

fn parse_id(text: &str, prefix: &'static str) -> Result<String, SubjectError> {
    if !text.starts_with(prefix) {
        return Err(SubjectError::Prefix(prefix));
    }
    if text.len() > ID_BYTES_MAX {
        return Err(SubjectError::IdTooLong);
    }
    if text.contains(',') {
        return Err(SubjectError::Comma);
    }
    if text.chars().any(char::is_control) {
        return Err(SubjectError::ControlCharacter);
    }
    Ok(text.to_owned())
}

/// The rule that an id or a name breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubjectError {
    /// An id without the prefix of its kind.
    #[error("an id here begins {0}")]
    Prefix(&'static str),
    /// An id is longer than [`ID_BYTES_MAX`] bytes.
    #[error("an id is at most {ID_BYTES_MAX} bytes long")]
    IdTooLong,
    /// An id with a comma: ids are sent in comma-separated lists.
    #[error("an id holds no comma")]
    Comma,
    /// A control character, which could also forge lines of a listing.
    #[error("control characters are not accepted")]
    ControlCharacter,
    /// A name without a visible character.
    #[error("a name holds at least one visible character")]
    Blank,
    /// A name is longer than [`TEXT_CHARS_MAX`] characters.
    #[error("a name is at most {TEXT_CHARS_MAX} characters long")]
    NameTooLong,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_the_rules_of_the_source_tables() {
        let longest = format!("org_{}", "x".repeat(ID_BYTES_MAX - 4));
        for text in ["org_1", "org_", "org_Ä b", &longest] {
            assert_eq!(parse_organization_id(text).as_deref(), Ok(text));
        }
        let too_long = format!("{longest}x");
        for (text, broken) in [
            ("", SubjectError::Prefix("org_")),
            ("user_1", SubjectError::Prefix("org_")),
            ("ORG_1", SubjectError::Prefix("org_")),
            ("org_a,org_b", SubjectError::Comma),
            ("org_a\n", SubjectError::ControlCharacter),
            ("org_\u{9b}", SubjectError::ControlCharacter),
            (&too_long, SubjectError::IdTooLong),
        ] {
            assert_eq!(parse_organization_id(text), Err(broken), "{text:?}");
        }
        assert_eq!(parse_user_id("user_1").as_deref(), Ok("user_1"));
        assert_eq!(parse_user_id("org_1"), Err(SubjectError::Prefix("user_")));
    }

    #[test]
    fn a_key_name_is_visible_short_and_without_control_characters() {
        let longest = "é".repeat(TEXT_CHARS_MAX);
        for text in ["CI", "Anna's laptop, 2nd", &longest] {
            assert_eq!(parse_key_name(text).as_deref(), Ok(text));
        }
        let too_long = format!("{longest}e");
        for (text, broken) in [
            ("", SubjectError::Blank),
            (" \u{a0}\t", SubjectError::Blank),
            ("a\u{1b}[2J", SubjectError::ControlCharacter),
            (&too_long, SubjectError::NameTooLong),
        ] {
            assert_eq!(parse_key_name(text), Err(broken), "{text:?}");
        }
    }
}
