//! Why nobody signed in.

use crate::auth::error::StoreError;
use crate::auth::jwt::refusal::Refusal;

/// Why nobody signed in. No message holds a code, a token or a secret.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The provider cannot be reached, or breaks off.
    #[error("{asked} of the identity provider cannot be reached, or broke off its answer")]
    Unreachable {
        /// What was asked.
        asked: &'static str,
    },
    /// The provider's certificate is of an authority that is not trusted.
    #[error(
        "no trusted authority vouches for the certificate at {asked} of the identity provider; see outbound.ca_file"
    )]
    Untrusted {
        /// What was asked.
        asked: &'static str,
    },
    /// The provider answers with a status that is none for an answer.
    #[error("{asked} of the identity provider answered with status {status}")]
    Status {
        /// What was asked.
        asked: &'static str,
        /// The status.
        status: u16,
    },
    /// The provider's answer is not what the standard says.
    #[error("{asked} of the identity provider answered without a usable {lacks}")]
    Unusable {
        /// What was asked.
        asked: &'static str,
        /// What is missing or cannot be used.
        lacks: &'static str,
    },
    /// The provider refuses the code or this client: its own word for it.
    #[error("the identity provider refused: {word}")]
    Refused {
        /// `error` of RFC 6749, section 5.2, if it is one of those listed there.
        word: &'static str,
    },
    /// Nobody began this log-in here, or more than a few minutes ago.
    #[error("the log-in was not begun by this browser, or too long ago")]
    NotBegunHere,
    /// As many codes as may be are being exchanged.
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
