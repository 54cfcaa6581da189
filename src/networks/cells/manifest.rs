//! The manifest of a cell: its organizations, each with the identity of the snapshot to serve.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER_PERMISSIVE;
use serde::{Deserialize, Serialize};

use crate::snapshot::Identity;
use kith::limits::ID_BYTES_MAX;

/// Maximum length of an organization's file or object name without its ending, in bytes: file systems allow 255.
const STEM_BYTES_MAX: usize = 240;

/// The organizations of a cell, and the identity of each one's snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Identities by organization.
    pub organizations: BTreeMap<String, Identity>,
}

/// Why a manifest is refused.
#[derive(Debug, thiserror::Error)]
pub enum ManifestFaultOfCell {
    /// It is not a JSON object of the right form.
    #[error("it is not `{{\"organizations\": {{ORGANIZATION: IDENTITY}}}}`: {0}")]
    Form(String),
    /// An organization's id cannot be a file name.
    #[error(
        "{0:?} cannot be an organization: an id has 1 to {ID_BYTES_MAX} bytes, fewer if they are special ones"
    )]
    Organization(String),
    /// An identity is invalid.
    #[error("the identity of {organization} is {got:?}, not 64 hexadecimal digits")]
    Identity {
        /// The organization.
        organization: String,
        /// The value found.
        got: String,
    },
}

#[derive(Deserialize, Serialize)]
struct Written {
    organizations: BTreeMap<String, String>,
}

impl Manifest {
    /// Parses a manifest.
    ///
    /// # Errors
    /// Returns the first fault.
    pub fn read(bytes: &[u8]) -> Result<Self, ManifestFaultOfCell> {
        let written: Written =
            serde_json::from_slice(bytes).map_err(|error| ManifestFaultOfCell::Form(error.to_string()))?;
        let entry = |(organization, hex): (String, String)| {
            if file_stem(&organization).is_none() {
                return Err(ManifestFaultOfCell::Organization(organization));
            }
            match identity(&hex) {
                Some(identity) => Ok((organization, identity)),
                None => Err(ManifestFaultOfCell::Identity { organization, got: hex }),
            }
        };
        let organizations = written.organizations.into_iter().map(entry).collect::<Result<_, _>>()?;
        Ok(Self { organizations })
    }

    /// The manifest as JSON, an organization on each line, ascending.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let organizations =
            self.organizations.iter().map(|(org, identity)| (org.clone(), identity.to_string()));
        let written = Written { organizations: organizations.collect() };
        // Texts in a map can always be written.
        let mut bytes = serde_json::to_vec_pretty(&written).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

/// Parses the 64 hexadecimal digits of an identity; `None` if `hex` is anything else.
#[must_use]
pub fn identity(hex: &str) -> Option<Identity> {
    let bytes = HEXLOWER_PERMISSIVE.decode(hex.as_bytes()).ok()?;
    bytes.try_into().ok().map(Identity)
}

/// The name of the files and objects of `organization`, without an ending: letters, digits, `_`, `-`, and full stops
/// inside stand for themselves, every other byte is `%` and two digits. `None` if the id is empty or too long.
#[must_use]
pub fn file_stem(organization: &str) -> Option<String> {
    let mut stem = String::new();
    for (at, byte) in organization.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => stem.push(byte.into()),
            b'.' if at > 0 => stem.push('.'),
            other => stem.push_str(&format!("%{other:02X}")),
        }
    }
    let fits = !stem.is_empty() && organization.len() <= ID_BYTES_MAX && stem.len() <= STEM_BYTES_MAX;
    fits.then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_as_it_was_written_and_anything_else_is_refused() {
        let mut manifest = Manifest::default();
        for (organization, byte) in [("org_a", 1), ("org_b/../é", 0xab)] {
            manifest.organizations.insert(organization.to_owned(), Identity([byte; 32]));
        }
        assert_eq!(Manifest::read(&manifest.write()).unwrap(), manifest);
        assert_eq!(Manifest::read(b"{\"organizations\":{}}").unwrap(), Manifest::default());
        let hex = "ab".repeat(32);
        for (text, said) in [
            (String::new(), "ORGANIZATION"),
            ("[]".to_owned(), "ORGANIZATION"),
            ("{}".to_owned(), "organizations"),
            ("{\"organizations\":{\"org_a\":1}}".to_owned(), "string"),
            (format!("{{\"organizations\":{{\"org_a\":\"{}\"}}}}", &hex[1..]), "org_a"),
            (format!("{{\"organizations\":{{\"org_a\":\"{hex}00\"}}}}"), "64"),
            (format!("{{\"organizations\":{{\"org_a\":\"{}zz\"}}}}", &hex[2..]), "64"),
            (format!("{{\"organizations\":{{\"\":\"{hex}\"}}}}"), "\"\""),
            (format!("{{\"organizations\":{{\"{}\":\"{hex}\"}}}}", "x".repeat(201)), "1 to 200"),
            (format!("{{\"organizations\":{{\"{}\":\"{hex}\"}}}}", "/".repeat(81)), "1 to 200"),
        ] {
            let refused = Manifest::read(text.as_bytes()).map_err(|fault| fault.to_string());
            assert!(refused.as_ref().is_err_and(|fault| fault.contains(said)), "{text}: {refused:?}");
        }
    }

    #[test]
    fn files_of_an_organization_have_a_name_that_no_path_can_hide_in() {
        for (organization, stem) in [
            ("org_acme-1.x", "org_acme-1.x"),
            ("..", "%2E."),
            (".part", "%2Epart"),
            ("a/b", "a%2Fb"),
            ("a%2Fb", "a%252Fb"),
            ("é\n", "%C3%A9%0A"),
        ] {
            assert_eq!(file_stem(organization).as_deref(), Some(stem), "{organization:?}");
        }
        assert_eq!(file_stem(""), None);
    }
}
