//! Why signing in failed.

use crate::auth::error::StoreError;
use crate::auth::jwt::refusal::Refusal;

/// Why signing in failed. No message contains a code, a token or a secret.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The provider cannot be reached, or breaks off.
    #[error("{asked} of the identity provider cannot be reached, or broke off its answer")]
    Unreachable {
        /// The endpoint.
        asked: &'static str,
    },
    /// No trusted authority vouches for the provider's certificate.
    #[error(
        "no trusted authority vouches for the certificate at {asked} of the identity provider; see outbound.ca_file"
    )]
    Untrusted {
        /// The endpoint.
        asked: &'static str,
    },
    /// The provider answers with an unexpected status.
    #[error("{asked} of the identity provider answered with status {status}")]
    Status {
        /// The endpoint.
        asked: &'static str,
        /// The status.
        status: u16,
    },
    /// The provider's answer does not follow the standard.
    #[error("{asked} of the identity provider answered without a usable {lacks}")]
    Unusable {
        /// The endpoint.
        asked: &'static str,
        /// The missing or unusable part.
        lacks: &'static str,
    },
    /// The provider refuses the code or this client, with its own error word.
    #[error("the identity provider refused: {word}")]
    Refused {
        /// `error` of RFC 6749, section 5.2, if it is listed there.
        word: &'static str,
    },
    /// This log-in was not begun here, or too long ago.
    #[error("the log-in was not begun by this browser, or too long ago")]
    NotBegunHere,
    /// The maximum number of codes is being exchanged.
    #[error("too many log-ins end at once")]
    Busy,
    /// The ID token breaks a rule.
    #[error("the ID token is refused: {0}")]
    Token(Refusal),
    /// The credential store cannot be used.
    #[error("{0}")]
    Store(StoreError),
    /// The system has no randomness.
    #[error("the system has no randomness for a log-in: {0}")]
    Random(getrandom::Error),
    /// TLS cannot be set up.
    #[error("TLS cannot be set up for oauth.issuer")]
    Tls,
}

impl From<Refusal> for SignInError {
    fn from(refusal: Refusal) -> Self {
        Self::Token(refusal)
    }
}

impl From<StoreError> for SignInError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<getrandom::Error> for SignInError {
    fn from(error: getrandom::Error) -> Self {
        Self::Random(error)
    }
}
