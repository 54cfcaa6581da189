//! The e-mail addresses in a cell.

use crate::limits::IMPORT_ADDRESSES_MAX;
use kith::limits::EMAIL_CHARS_MAX;

/// Appends the e-mail addresses of `cell` to `found`, each once and in lower case. Exports join several with ` ::: `, a
/// comma or a semicolon; each may be `Name <address>` or `mailto:address`. Stops after one more than a row may have.
pub fn addresses_in(cell: &str, found: &mut Vec<String>) {
    for part in cell.split([',', ';', '\n']).flat_map(|part| part.split(":::")) {
        if found.len() > IMPORT_ADDRESSES_MAX {
            break;
        }
        let inside = part.rsplit_once('<').map_or(part, |(_, rest)| rest.split('>').next().unwrap_or(rest));
        let address = inside.trim().to_lowercase();
        let address = address.strip_prefix("mailto:").unwrap_or(&address);
        if is_address(address) && !found.iter().any(|known| known == address) {
            found.push(address.to_owned());
        }
    }
}

/// Whether `text` has the form of an e-mail address.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let is_plain = !text.chars().any(|c| c.is_whitespace() || c.is_control() || "\"()<>[]\\".contains(c));
    let has_labels = domain.contains('.') && domain.split('.').all(|label| !label.is_empty());
    !local.is_empty()
        && has_labels
        && !domain.contains('@')
        && is_plain
        && text.chars().count() <= EMAIL_CHARS_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_however_they_are_joined_and_each_once() {
        for (cell, expected) in [
            ("Ann@Acme.example", &["ann@acme.example"][..]),
            ("a@x.example ::: b@x.example", &["a@x.example", "b@x.example"]),
            ("a@x.example, A@X.example;b@x.example", &["a@x.example", "b@x.example"]),
            ("Ann Ås <a@x.example>", &["a@x.example"]),
            ("mailto:a@x.example", &["a@x.example"]),
            ("a@b", &[]),
            ("a b@x.example", &[]),
            ("@x.example", &[]),
            ("a@x..example", &[]),
            ("a@b@x.example", &[]),
            ("none", &[]),
            ("", &[]),
        ] {
            let mut found = Vec::new();
            addresses_in(cell, &mut found);
            assert_eq!(found, expected, "{cell}");
        }
        let mut found = Vec::new();
        addresses_in(&format!("{}@x.example", "a".repeat(EMAIL_CHARS_MAX)), &mut found);
        assert_eq!(found, [""; 0]);
    }
}
