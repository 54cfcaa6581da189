//! A link that logs in once: its code stands for a credential, and expires after one exchange, after some minutes, or
//! after some wrong guesses.
//!
//! Others may read a link: on the command line of a browser, in a history, over a shoulder. So it contains no
//! credential, and its code is only valid in this process. A code has 256 random bits and is kept as a hash, so the
//! time of a comparison reveals nothing.
//!
//! Promise: The link of `kith open` logs in once, within 10 minutes and 20 guesses, for the page alone; no link,
//!   command line, log or answer has a credential.
//! Control: the same link a moment before its end, after one guess less, and after every refused request: it is good.
//! Also in: `tests/api/explorer/link.rs`, `tests/process/opening/mod.rs`.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use sha2::{Digest, Sha256};

use crate::auth::base62;
use crate::auth::secret::Secret;
use crate::file_system::open_own;
use crate::limits::LINK_GUESSES_MAX;

/// Random bytes in a code.
const CODE_BYTES: usize = 32;
/// Digits of a code.
const CODE_DIGITS: usize = 43;

/// The credential behind a link's code. Only [`Self::redeem`] returns it, once.
#[derive(Debug)]
pub struct LoginLink {
    kept: Mutex<Option<Kept>>,
    /// The file of the addresses at which the page was opened, one per line.
    opened: Option<PathBuf>,
}

#[derive(Debug)]
struct Kept {
    credential: Secret,
    code: [u8; CODE_BYTES],
    ends: Instant,
    guesses_left: u32,
}

impl LoginLink {
    /// A link to `credential` that is valid until `ends`, and its code.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness.
    pub fn new(credential: Secret, ends: Instant) -> Result<(Self, String), getrandom::Error> {
        let code = new_code()?;
        let kept = Kept { credential, code: hash(&code), ends, guesses_left: LINK_GUESSES_MAX };
        Ok((Self { kept: Mutex::new(Some(kept)), opened: None }, code))
    }

    /// The same link, to a page opened at the addresses in the file `opened`, one per line.
    #[must_use]
    pub fn with_addresses(self, opened: PathBuf) -> Self {
        Self { opened: Some(opened), ..self }
    }

    /// Adds `host` to the addresses at which the page was opened. Returns whether it is new: a browser's data for a new
    /// address belong to another program.
    #[must_use]
    pub fn is_first_at(&self, host: &str) -> bool {
        let Some(file) = &self.opened else { return false };
        is_new_line(file, host).unwrap_or_else(|error| {
            tracing::warn!(%error, "the browser keeps what it has of this address, which {} cannot take", file.display());
            false
        })
    }

    /// Returns the credential behind `code`, which expires now. `None` if `code` is wrong, used or expired, or
    /// [`LINK_GUESSES_MAX`] wrong ones were tried.
    #[must_use]
    pub fn redeem(&self, code: &str, now: Instant) -> Option<Secret> {
        let mut held = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = held.as_mut()?;
        if now >= kept.ends {
            *held = None;
            return None;
        }
        if hash(code) == kept.code {
            return held.take().map(|kept| kept.credential);
        }
        kept.guesses_left -= 1;
        if kept.guesses_left == 0 {
            *held = None;
            tracing::warn!("too many wrong codes were sent to the log-in: the link no longer holds");
        }
        None
    }
}

/// Appends `line` to `file` unless it is already there. Returns whether it was appended.
fn is_new_line(file: &Path, line: &str) -> io::Result<bool> {
    let mut file = open_own(OpenOptions::new().read(true).append(true).create(true), file)?;
    let mut lines = String::new();
    file.read_to_string(&mut lines)?;
    if lines.lines().any(|known| known == line) {
        return Ok(false);
    }
    writeln!(file, "{line}")?;
    Ok(true)
}

/// A new code.
///
/// # Errors
/// Returns an error if the system has no randomness.
pub(crate) fn new_code() -> Result<String, getrandom::Error> {
    let mut bytes = [0; CODE_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(base62::encode(&bytes, CODE_DIGITS))
}

/// The hash that is stored instead of a code.
pub(crate) fn hash(code: &str) -> [u8; CODE_BYTES] {
    Sha256::digest(code).into()
}

/// The address `url` of a service, without a slash at its end. Returns `None` if it is no `http` or `https` address.
#[must_use]
pub fn public_address(url: &str) -> Option<String> {
    let url = url.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let is_plain = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || "?#\"<>@".contains(c));
    is_plain.then(|| url.to_owned())
}

/// Whether what is sent to the public address `url` can be read on its way: it is not under TLS, and leaves the machine.
#[must_use]
pub fn is_readable_by_others(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://") else { return false };
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, _)) => host,
        None => authority.split(':').next().unwrap_or_default(),
    };
    let is_loopback = host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    !is_loopback && !host.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::auth::secret::CredentialKind;
    use crate::clock;
    use crate::limits::LINK_LIFETIME;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// A link made now, its code, its credential, and the time.
    fn link() -> Result<(LoginLink, String, String, Instant), Box<dyn std::error::Error>> {
        let credential = Secret::generate(CredentialKind::UserToken)?;
        let (shown, now) = (credential.reveal().to_owned(), clock::now());
        let (link, code) = LoginLink::new(credential, now + LINK_LIFETIME)?;
        Ok((link, code, shown, now))
    }

    /// How a code is redeemed: like the link does, or with a check missing.
    type Redeem = fn(&LoginLink, &str, Instant) -> Option<Secret>;

    /// Whether the code of a fresh link works after `before` was tried, at `at` after its start.
    fn is_good(redeem: Redeem, before: &[&str], at: Duration) -> Result<bool, Box<dyn std::error::Error>> {
        let (link, code, _, now) = link()?;
        for guess in before {
            let _ = redeem(&link, if *guess == "itself" { &code } else { guess }, now);
        }
        Ok(redeem(&link, &code, now + at).is_some())
    }

    /// The cases in which `redeem` is wrong.
    fn wrong(redeem: Redeem) -> Result<Vec<&'static str>, Box<dyn std::error::Error>> {
        let moment = Duration::from_millis(1);
        let guesses = vec!["x"; LINK_GUESSES_MAX as usize];
        let mut wrong = Vec::new();
        for (case, before, at, expected) in [
            ("fresh", &[][..], Duration::ZERO, true),
            ("just in time", &[], LINK_LIFETIME - moment, true),
            ("after its time", &[], LINK_LIFETIME, false),
            ("long after", &[], LINK_LIFETIME * 1_000, false),
            ("used", &["itself"], moment, false),
            ("some guesses", &["", "x", "é"], moment, true),
            ("one guess left", &guesses[1..], moment, true),
            ("too many guesses", &guesses, moment, false),
        ] {
            if is_good(redeem, before, at)? != expected {
                wrong.push(case);
            }
        }
        Ok(wrong)
    }

    #[test]
    fn a_code_is_good_once_in_its_time_and_after_a_bounded_number_of_guesses() -> Outcome {
        assert_eq!(wrong(LoginLink::redeem)?, [""; 0]);
        // The controls: links that lack one of the three checks.
        let reused: Redeem = |link, code, now| {
            let given = link.redeem(code, now)?;
            let again = Secret::generate(CredentialKind::UserToken).ok()?;
            let mut held = link.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let (ends, guesses_left) = (now + LINK_LIFETIME, LINK_GUESSES_MAX);
            *held = Some(Kept { credential: again, code: hash(code), ends, guesses_left });
            Some(given)
        };
        let endless: Redeem = |link, code, now| {
            let ends = link.kept.lock().ok()?.as_ref().map_or(now, |kept| kept.ends);
            // The clock starts with the machine: every machine has run for a moment, but not for a whole lifetime of a
            // link.
            link.redeem(code, ends.checked_sub(Duration::from_millis(1))?)
        };
        let patient: Redeem = |link, code, now| {
            if let Some(kept) = link.kept.lock().ok()?.as_mut() {
                kept.guesses_left = LINK_GUESSES_MAX;
            }
            link.redeem(code, now)
        };
        assert_eq!(wrong(reused)?, ["used"]);
        assert_eq!(wrong(endless)?, ["after its time", "long after"]);
        assert_eq!(wrong(patient)?, ["too many guesses"]);
        Ok(())
    }

    #[test]
    fn an_address_is_new_once_for_each_folder() -> Outcome {
        let folder = tempfile::tempdir()?;
        let link = || -> Result<LoginLink, Box<dyn std::error::Error>> {
            Ok(link()?.0.with_addresses(folder.path().join("opened.txt")))
        };
        for (host, is_first) in [("127.9.8.7:8080", true), ("127.9.8.7:8080", false), ("127.9.8.7:808", true)]
        {
            assert_eq!(link()?.is_first_at(host), is_first, "{host}");
        }
        let nowhere = link()?.with_addresses(folder.path().join("gone/opened.txt"));
        assert!(!nowhere.is_first_at("127.9.8.7:1"), "lists that people keep are worth more");
        Ok(())
    }

    #[test]
    fn of_many_who_send_a_code_at_once_one_is_let_in() -> Outcome {
        for _ in 0..20 {
            let (link, code, _, now) = link()?;
            let barrier = Barrier::new(8);
            let let_in = thread::scope(|scope| {
                let send = || {
                    barrier.wait();
                    link.redeem(&code, now).is_some()
                };
                let sent: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
                sent.into_iter().filter_map(|thread| thread.join().ok()).filter(|is_in| *is_in).count()
            });
            assert_eq!(let_in, 1);
        }
        Ok(())
    }

    #[test]
    fn no_other_text_is_a_code_and_a_link_shows_neither_code_nor_credential() -> Outcome {
        let (link, code, credential, now) = link()?;
        assert_eq!((code.len(), code.contains("service_")), (CODE_DIGITS, false));
        let shown = format!("{link:?}");
        assert!(!shown.contains(&code) && !shown.contains(&credential[11..]), "{shown}");
        for guess in
            [&code[1..], &code.to_lowercase(), &format!("{code} "), &credential, &"A".repeat(1 << 20)]
        {
            assert!(link.redeem(guess, now).is_none());
        }
        let given = link.redeem(&code, now);
        assert_eq!(given.as_ref().map(Secret::reveal), Some(&*credential), "the control");
        Ok(())
    }
}
