//! The operator's token: read from a file, kept as a hash, and read again on demand.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use sha2::{Digest, Sha256};

use crate::file_system::closing_command;
use crate::limits::OPERATOR_TOKEN_BYTES_MAX;
use crate::regular_file::{self, FileRead};

/// The token in a file when last read, or a random token that is given to no one.
pub struct OperatorToken {
    file: Option<PathBuf>,
    hash: RwLock<[u8; 32]>,
}

/// Why a file has no valid operator's token.
#[derive(Debug, thiserror::Error)]
#[error("the operator's token cannot be taken from {file}: {fault}")]
pub struct OperatorTokenError {
    file: PathBuf,
    fault: TokenFault,
}

#[derive(Debug, thiserror::Error)]
enum TokenFault {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(io::Error),
    /// Users other than its owner and group can write it.
    #[error("every user of this machine may write it, and so choose the token: `{}`", closing_command("o-w", .0))]
    OpenToAll(PathBuf),
    /// It contains only white space.
    #[error("it is blank; put the token there, or leave admin.token_file away")]
    Blank,
    /// It is too long.
    #[error("it is longer than {OPERATOR_TOKEN_BYTES_MAX} bytes")]
    TooLong,
    /// It contains characters that no request header can carry.
    #[error("it holds more than one line of printable ASCII, which no header carries")]
    NotPrintable,
}

impl OperatorToken {
    /// Reads the token in `file`, trimmed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is blank, or contains characters that no header can carry.
    pub fn read(file: &Path) -> Result<Self, OperatorTokenError> {
        let hash = read_hash(file)?;
        Ok(Self { file: Some(file.to_owned()), hash: RwLock::new(hash) })
    }

    /// Makes a random token that is given to no one, so that only the probes are answered.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness.
    pub fn of_nobody() -> Result<Self, getrandom::Error> {
        let mut hash = [0; 32];
        getrandom::fill(&mut hash)?;
        Ok(Self { file: None, hash: RwLock::new(hash) })
    }

    /// Reads the file again, for later requests.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read`]; the old token then stays in force.
    pub fn reload(&self) -> Result<(), OperatorTokenError> {
        let Some(file) = &self.file else { return Ok(()) };
        let hash = read_hash(file)?;
        *self.hash.write().unwrap_or_else(PoisonError::into_inner) = hash;
        Ok(())
    }

    /// Returns whether `presented` is the token, in a time that depends only on the length of `presented`.
    #[must_use]
    pub fn is(&self, presented: &str) -> bool {
        let presented: [u8; 32] = Sha256::digest(presented).into();
        let kept = *self.hash.read().unwrap_or_else(PoisonError::into_inner);
        let difference = kept.iter().zip(presented).fold(0, |all, (kept, sent)| all | (kept ^ sent));
        std::hint::black_box(difference) == 0
    }
}

impl fmt::Debug for OperatorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperatorToken").field("file", &self.file).finish_non_exhaustive()
    }
}

fn read_hash(file: &Path) -> Result<[u8; 32], OperatorTokenError> {
    let refused = |fault| OperatorTokenError { file: file.to_owned(), fault };
    let read = regular_file::read(file, OPERATOR_TOKEN_BYTES_MAX);
    let FileRead { bytes, is_open_to_all, .. } =
        read.map_err(|cause| refused(TokenFault::Unreadable(cause)))?;
    if is_open_to_all {
        return Err(refused(TokenFault::OpenToAll(file.to_owned())));
    }
    if bytes.len() > OPERATOR_TOKEN_BYTES_MAX {
        return Err(refused(TokenFault::TooLong));
    }
    let token = bytes.trim_ascii();
    if token.is_empty() {
        return Err(refused(TokenFault::Blank));
    }
    if !token.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err(refused(TokenFault::NotPrintable));
    }
    Ok(Sha256::digest(token).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_token_is_the_trimmed_content_of_its_file() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("token");
        fs::write(&file, "\n  s3cret of ours \r\n")?;
        let token = OperatorToken::read(&file)?;
        for (presented, is_it) in [
            ("s3cret of ours", true),
            ("s3cret of our", false),
            ("s3cret of ourS", false),
            (" s3cret of ours", false),
            ("", false),
        ] {
            assert_eq!(token.is(presented), is_it, "{presented:?}");
        }
        assert!(!format!("{token:?}").contains("s3cret"));

        fs::write(&file, "another")?;
        assert!(token.is("s3cret of ours"), "until it is read again");
        token.reload()?;
        assert!(token.is("another") && !token.is("s3cret of ours"));
        fs::write(&file, " \n")?;
        assert!(token.reload().is_err() && token.is("another"), "the old one stays in force");
        fs::write(&file, "a third")?;
        for (mode, is_taken) in [(0o602, false), (0o666, false), (0o660, true), (0o644, true)] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode))?;
            assert_eq!(token.reload().is_ok(), is_taken, "{mode:o}");
        }
        Ok(())
    }

    #[test]
    fn a_file_without_a_token_is_refused_by_name() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("token");
        let refused = |path: &Path| {
            let error = OperatorToken::read(path).err();
            error.map(|error| (error.source().is_none(), error.to_string())).unwrap_or_default()
        };
        let long = "x".repeat(OPERATOR_TOKEN_BYTES_MAX + 1);
        for (content, said) in [
            ("", "is blank"),
            (" \n\t", "is blank"),
            (&long, "is longer than"),
            ("two\nlines", "more than one line"),
            ("schlüssel", "printable ASCII"),
        ] {
            fs::write(&file, content)?;
            let (is_root, sentence) = refused(&file);
            assert!(is_root && sentence.contains(said) && sentence.contains("token:"), "{sentence}");
        }
        for path in [folder.path(), &folder.path().join("none")] {
            let (is_root, sentence) = refused(path);
            assert!(is_root && sentence.contains(&*path.to_string_lossy()), "{sentence}");
        }
        Ok(())
    }
}
