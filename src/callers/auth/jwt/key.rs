//! Public keys, each bound to its only algorithm.

use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};

/// Accepted sizes of an RSA modulus, in bits.
const MODULUS_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;
/// Maximum size of an RSA exponent, in bytes.
const EXPONENT_BYTES_MAX: usize = 4;
/// Size of an Ed25519 key, and of a P-256 coordinate, in bytes.
const COORDINATE_BYTES: usize = 32;

/// A signature algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// Ed25519 (RFC 8037).
    EdDsa,
    /// ECDSA on P-256 with SHA-256 (RFC 7518).
    Es256,
    /// RSA, PKCS #1 v1.5, with SHA-256 (RFC 7518).
    Rs256,
}

impl Algorithm {
    /// Finds the algorithm that headers and keys call `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::EdDsa, Self::Es256, Self::Rs256].into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Returns the name in headers and keys.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::EdDsa => "EdDSA",
            Self::Es256 => "ES256",
            Self::Rs256 => "RS256",
        }
    }
}

/// A key for checking signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PublicKey {
    /// An Ed25519 key: 32 bytes.
    Ed25519(Vec<u8>),
    /// A point on P-256, uncompressed: 4, then both coordinates of 32 bytes.
    P256(Vec<u8>),
    /// An RSA key: modulus and exponent, big-endian.
    Rsa {
        /// 2,048 to 8,192 bits, odd, without leading zeros.
        modulus: Vec<u8>,
        /// At least 3, odd, without leading zeros.
        exponent: Vec<u8>,
    },
}

impl PublicKey {
    /// An Ed25519 key; `None` if `x` is not 32 bytes long.
    pub(crate) fn ed25519(x: Vec<u8>) -> Option<Self> {
        (x.len() == COORDINATE_BYTES).then_some(Self::Ed25519(x))
    }

    /// A key on P-256; `None` if a coordinate is not 32 bytes long. A pair that is not on the curve becomes a key that
    /// verifies no signature.
    pub(crate) fn p256(x: &[u8], y: &[u8]) -> Option<Self> {
        let is_sound = x.len() == COORDINATE_BYTES && y.len() == COORDINATE_BYTES;
        is_sound.then(|| Self::P256([&[4], x, y].concat()))
    }

    /// An RSA key; `None` if its modulus is too small or too large, or if either number is invalid.
    pub(crate) fn rsa(modulus: Vec<u8>, exponent: Vec<u8>) -> Option<Self> {
        let bits = modulus.len() * 8 - modulus.first()?.leading_zeros() as usize;
        let is_sound = modulus[0] != 0
            && is_odd(&modulus)
            && MODULUS_BITS.contains(&bits)
            && *exponent.first()? != 0
            && is_odd(&exponent)
            && exponent != [1]
            && exponent.len() <= EXPONENT_BYTES_MAX;
        is_sound.then_some(Self::Rsa { modulus, exponent })
    }

    /// Its only algorithm, whatever a token says.
    pub(crate) fn algorithm(&self) -> Algorithm {
        match self {
            Self::Ed25519(_) => Algorithm::EdDsa,
            Self::P256(_) => Algorithm::Es256,
            Self::Rsa { .. } => Algorithm::Rs256,
        }
    }

    /// Whether this key's owner made `signature` over `message`.
    pub(crate) fn is_signer_of(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match self {
            Self::Ed25519(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature),
            Self::P256(key) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key).verify(message, signature)
            }
            Self::Rsa { modulus, exponent } => RsaPublicKeyComponents { n: modulus, e: exponent }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                message,
                signature,
            ),
        };
        verified.is_ok()
    }
}

fn is_odd(number: &[u8]) -> bool {
    number.last().is_some_and(|last| last % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_algorithm_is_called_by_its_name_alone() {
        for name in ["EdDSA", "ES256", "RS256"] {
            assert_eq!(Algorithm::named(name).map(Algorithm::name), Some(name));
        }
        for name in ["", "none", "HS256", "es256", "ES256K", "ES384", "RS512", "PS256", "Ed25519", " EdDSA"] {
            assert_eq!(Algorithm::named(name), None, "{name}");
        }
    }

    #[test]
    fn keys_have_the_sizes_of_their_algorithm() {
        assert!(PublicKey::ed25519(vec![1; 32]).is_some());
        assert!(PublicKey::p256(&[1; 32], &[1; 32]).is_some());
        for bytes in [0, 31, 33, 64] {
            assert_eq!(PublicKey::ed25519(vec![1; bytes]), None, "{bytes}");
            assert_eq!(PublicKey::p256(&[1; 32], &vec![1; bytes]), None, "{bytes}");
            assert_eq!(PublicKey::p256(&vec![1; bytes], &[1; 32]), None, "{bytes}");
        }
        let modulus = |bytes: usize, first: u8| {
            let mut modulus = vec![0xff; bytes];
            modulus[0] = first;
            modulus
        };
        for (bytes, first, exponent, accepted) in [
            (256, 0x80, &[1, 0, 1][..], true),
            (256, 0xff, &[3], true),
            (1_024, 0xff, &[1, 0, 1], true),
            (256, 0x7f, &[1, 0, 1], false),
            (257, 0x00, &[1, 0, 1], false),
            (128, 0xff, &[1, 0, 1], false),
            (1_025, 0x01, &[1, 0, 1], false),
            (256, 0x80, &[], false),
            (256, 0x80, &[0], false),
            (256, 0x80, &[1], false),
            (256, 0x80, &[2], false),
            (256, 0x80, &[0, 3], false),
            (256, 0x80, &[1, 0, 0, 0, 1], false),
        ] {
            let key = PublicKey::rsa(modulus(bytes, first), exponent.to_vec());
            assert_eq!(key.is_some(), accepted, "{bytes} {first} {exponent:?}");
        }
        assert_eq!(PublicKey::rsa(Vec::new(), vec![3]), None);
        assert_eq!(PublicKey::rsa(vec![0xfe; 256], vec![3]), None, "an even modulus");
    }
}
