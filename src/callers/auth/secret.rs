//! The shape of credentials: how to make one, and how to recognize a malformed one without a look-up.
//!
//! A credential is a prefix that names its kind, 43 base-62 digits that hold 256 random bits, and 6 digits that hold
//! the CRC-32 of everything before them. The checksum finds every single mistyped character; it proves nothing; that is
//! the look-up's task.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::auth::base62;
use crate::model::named::named;

/// Random bytes in a credential.
const RANDOM_BYTES: usize = 32;
/// Digits of the random bytes.
const RANDOM_DIGITS: usize = 43;
/// Digits of the checksum.
const CHECKSUM_DIGITS: usize = 6;
/// Random bytes in an id: enough that no two are equal.
const ID_RANDOM_BYTES: usize = 16;
/// Digits of an id.
const ID_RANDOM_DIGITS: usize = 22;

/// A kind of credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CredentialKind {
    /// A whole organization.
    OrganizationKey,
    /// One member of an organization.
    UserToken,
}

named! {
    /// All of them.
    CredentialKind as prefix, id_prefix {
        OrganizationKey = "service_sk_", "key_";
        UserToken = "service_at_", "tok_";
    }
}

/// SHA-256 of a whole credential: the store's key for it.
pub(crate) type Hash = [u8; 32];

/// A new credential. Neither `{}` nor `{:?}` shows it; only [`Secret::reveal`] does.
pub struct Secret(String);

impl Secret {
    /// Makes a credential from 256 random bits of the operating system.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness to give.
    pub fn generate(kind: CredentialKind) -> Result<Self, getrandom::Error> {
        random::<RANDOM_BYTES>().map(|bytes| Self::from_random(kind, &bytes))
    }

    /// The credential itself, to be shown once to its requester.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The last four characters, by which people distinguish credentials. They are part of the checksum.
    pub(crate) fn last_four(&self) -> &str {
        // All characters are ASCII and there are more than four.
        &self.0[self.0.len() - 4..]
    }

    /// Returns the hash for the store.
    pub(crate) fn hash(&self) -> Hash {
        hash(&self.0)
    }

    fn from_random(kind: CredentialKind, bytes: &[u8; RANDOM_BYTES]) -> Self {
        let mut text = format!("{}{}", kind.prefix(), base62::encode(bytes, RANDOM_DIGITS));
        text += &checksum(&text);
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(withheld)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(withheld)")
    }
}

/// A well-formed credential from a request: its kind, and the hash to look it up by.
pub struct Credential {
    kind: CredentialKind,
    hash: Hash,
}

impl Credential {
    /// Returns its kind, if it is the store's.
    #[must_use]
    pub fn kind(&self) -> CredentialKind {
        self.kind
    }

    pub(crate) fn hash(&self) -> &Hash {
        &self.hash
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Parses a presented credential; `None` if it is malformed or mistyped.
///
/// Needs no look-up, and never allocates.
#[must_use]
pub fn parse(presented: &str) -> Option<Credential> {
    let kind = CredentialKind::ALL.into_iter().find(|kind| presented.starts_with(kind.prefix()))?;
    let checked_length = kind.prefix().len() + RANDOM_DIGITS;
    let well_formed = presented.len() == checked_length + CHECKSUM_DIGITS
        && presented.bytes().skip(kind.prefix().len()).all(|byte| byte.is_ascii_alphanumeric());
    if !well_formed {
        return None;
    }
    let (checked, sum) = presented.split_at(checked_length);
    let is_right = base62::decode(sum) == Some(u64::from(crc32fast::hash(checked.as_bytes())));
    is_right.then(|| Credential { kind, hash: hash(presented) })
}

/// Whether `presented` is meant to be a credential of the store: no JWT begins like one.
#[must_use]
pub(crate) fn is_meant(presented: &str) -> bool {
    CredentialKind::ALL.into_iter().any(|kind| presented.starts_with(kind.prefix()))
}

/// Makes the public id of a credential of `kind`; it reveals nothing about the credential.
///
/// # Errors
/// Returns an error if the system has no randomness to give.
pub(crate) fn generate_id(kind: CredentialKind) -> Result<String, getrandom::Error> {
    let bytes = random::<ID_RANDOM_BYTES>()?;
    Ok(format!("{}{}", kind.id_prefix(), base62::encode(&bytes, ID_RANDOM_DIGITS)))
}

fn checksum(checked: &str) -> String {
    base62::encode(&crc32fast::hash(checked.as_bytes()).to_be_bytes(), CHECKSUM_DIGITS)
}

fn hash(text: &str) -> Hash {
    Sha256::digest(text).into()
}

pub(crate) fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_bits_become_the_same_credential_forever() {
        let counting: [u8; RANDOM_BYTES] = std::array::from_fn(|place| place as u8);
        for (kind, bytes, text) in [
            (
                CredentialKind::OrganizationKey,
                [0; 32],
                "service_sk_00000000000000000000000000000000000000000000ZZZii",
            ),
            (
                CredentialKind::UserToken,
                [0xff; 32],
                "service_at_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10e1Ht7",
            ),
            (
                CredentialKind::OrganizationKey,
                counting,
                "service_sk_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf0vBqf2",
            ),
        ] {
            let secret = Secret::from_random(kind, &bytes);
            assert_eq!(secret.reveal(), text);
            let read = parse(text).map(|credential| (credential.kind(), *credential.hash()));
            assert_eq!(read, Some((kind, secret.hash())));
        }
    }

    #[test]
    fn nothing_but_reveal_shows_a_secret() {
        let secret = Secret::from_random(CredentialKind::UserToken, &[7; RANDOM_BYTES]);
        let shown = format!("{secret} {secret:?} {secret:#?} {:?}", parse(secret.reveal()));
        let expected =
            "(withheld) Secret(withheld) Secret(withheld) Some(Credential { kind: UserToken, .. })";
        assert_eq!(shown, expected);
        assert!(!shown.contains(secret.last_four()), "{shown}");
        assert!(!shown.contains(CredentialKind::UserToken.prefix()), "{shown}");
        assert!(secret.reveal().ends_with(secret.last_four()));
    }

    #[test]
    fn ids_are_never_the_same_and_name_their_kind() -> Result<(), getrandom::Error> {
        let (first, second) =
            (generate_id(CredentialKind::OrganizationKey)?, generate_id(CredentialKind::OrganizationKey)?);
        assert_ne!(first, second);
        assert!(first.starts_with("key_") && first.len() == 26, "{first}");
        assert!(generate_id(CredentialKind::UserToken)?.starts_with("tok_"));
        Ok(())
    }
}
