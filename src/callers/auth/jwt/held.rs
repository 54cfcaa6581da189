//! The keys in use: the last sound set, even if a later read failed, until it is too old.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::auth::jwt::error::KeysFault;
use crate::auth::jwt::key_set::KeySet;
use crate::auth::jwt::refusal::Refusal;
use crate::clock;
use kith::limits::ECHO_CHARS_MAX;

/// The source of an issuer's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrigin {
    /// A file.
    File,
    /// An address.
    Url,
}

/// The state of an issuer's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeysStatus {
    /// Their source.
    pub source: KeyOrigin,
    /// The number of keys in force; 0 if they are too old.
    pub keys: usize,
    /// The time since the last sound read; `None` if there was none.
    pub age: Option<Duration>,
    /// When they were last read and sound.
    pub read_at: Option<SystemTime>,
    /// Whether there was a sound read, but too long ago.
    pub is_too_old: bool,
}

/// The last sound set of an issuer's keys; empty before the first.
#[derive(Debug)]
pub(crate) struct HeldKeys {
    source: KeyOrigin,
    /// How long keys stay in force after the last sound read.
    age_max: Duration,
    keys: Arc<KeySet>,
    /// When `keys` was last confirmed as the content of the source.
    read: Option<(Instant, SystemTime)>,
    /// The fault of the last read; `None` if it was sound.
    fault: Option<KeysFault>,
    /// Whether it was logged that there is no usable key.
    has_logged_empty: bool,
    /// Whether it was logged that the keys are too old.
    has_logged_old: bool,
}

impl KeyOrigin {
    /// The name in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Url => "url",
        }
    }

    /// The configuration key of the source: the address itself can contain a secret.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::File => "oauth.jwks_file",
            Self::Url => "oauth.jwks_url",
        }
    }
}

impl KeysStatus {
    /// Why no JWT can be checked, if the keys were never read or are too old.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let key = self.source.key();
        match self.age {
            None => Some(format!("the JWKS ({key}) was never read: no JWT is accepted")),
            Some(age) if self.is_too_old => Some(format!(
                "the JWKS ({key}) was last read {} s ago, which is too long: no JWT is accepted",
                age.as_secs()
            )),
            Some(_) => None,
        }
    }
}

impl HeldKeys {
    /// Starts without keys; they will come from `source`. A set is in force for `age_max` after its last read.
    pub(crate) fn new(source: KeyOrigin, age_max: Duration) -> Self {
        let (read, fault) = (None, None);
        Self {
            source,
            age_max,
            keys: Arc::default(),
            read,
            fault,
            has_logged_empty: false,
            has_logged_old: false,
        }
    }

    /// The keys in force at `now`.
    ///
    /// # Errors
    /// Returns an error if they are too old, and logs that once.
    pub(crate) fn keys(&mut self, now: Instant) -> Result<Arc<KeySet>, Refusal> {
        if self.is_too_old(now) {
            self.log_too_old();
            return Err(Refusal::OldKeys);
        }
        Ok(Arc::clone(&self.keys))
    }

    /// Whether the last read is in use.
    pub(crate) fn is_current(&self) -> bool {
        self.fault.is_none()
    }

    /// Returns their state at `now`.
    pub(crate) fn status(&self, now: Instant) -> KeysStatus {
        let is_too_old = self.is_too_old(now);
        KeysStatus {
            source: self.source,
            keys: if is_too_old { 0 } else { self.keys.len() },
            age: self.age(now),
            read_at: self.read.map(|(_, at)| at),
            is_too_old,
        }
    }

    /// Confirms that the source, at `now`, still has the content last read.
    pub(crate) fn confirm(&mut self, now: Instant) {
        if self.is_current() {
            self.read = Some((now, clock::wall_time()));
            self.has_logged_old = false;
        }
    }

    /// Puts a set read at `now` in use if it is sound; otherwise the one before stays in use. Logs each fault, and each
    /// unused key, when it is new.
    pub(crate) fn take(&mut self, read: Result<KeySet, KeysFault>, now: Instant) {
        let source = self.source.key();
        match read {
            Ok(keys) => {
                if self.fault.take().is_some() {
                    tracing::info!(source, "the JWKS can be taken again");
                }
                warn_of_unused(source, &keys, &self.keys);
                if keys.is_empty() && !self.has_logged_empty {
                    tracing::warn!(source, "the JWKS has no key to use; no JWT is accepted");
                }
                self.has_logged_empty = keys.is_empty();
                self.keys = Arc::new(keys);
                self.confirm(now);
            }
            Err(fault) if self.fault == Some(fault) => {}
            Err(fault) => {
                self.fault = Some(fault);
                tracing::warn!(source, %fault, "the JWKS cannot be taken; the keys before stay in use");
            }
        }
        if self.is_too_old(now) {
            self.log_too_old();
        }
    }

    fn age(&self, now: Instant) -> Option<Duration> {
        self.read.map(|(at, _)| now.saturating_duration_since(at))
    }

    fn is_too_old(&self, now: Instant) -> bool {
        self.age(now).is_some_and(|age| age >= self.age_max)
    }

    fn log_too_old(&mut self) {
        if !self.has_logged_old {
            self.has_logged_old = true;
            let (source, seconds) = (self.source.key(), self.age_max.as_secs());
            tracing::error!(source, seconds, "the JWKS was last read too long ago; no JWT is accepted");
        }
    }
}

fn warn_of_unused(source: &'static str, keys: &KeySet, before: &KeySet) {
    for unused in keys.unused.iter().filter(|unused| !before.unused.contains(unused)) {
        let kid: String = unused.kid.as_deref().unwrap_or("none").chars().take(ECHO_CHARS_MAX).collect();
        tracing::warn!(source, kid, why = %unused.why, "a key of the JWKS is not used");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::logged::logged;

    const GOOD: &str =
        r#"{"kty":"OKP","crv":"Ed25519","kid":"a","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    const SECRET: &str = r#"{"kty":"oct","kid":"b","k":"AA"}"#;

    fn set(keys: &[&str]) -> Result<KeySet, KeysFault> {
        KeySet::parse(format!(r#"{{"keys":[{}]}}"#, keys.join(",")).as_bytes())
    }

    const AGE_MAX: Duration = Duration::from_secs(60);

    #[test]
    fn a_fault_is_logged_when_it_is_new_and_the_last_sound_set_stays() -> Result<(), Refusal> {
        let (mut held, now) = (HeldKeys::new(KeyOrigin::Url, AGE_MAX), Instant::now());
        for (step, (read, is_current, usable, said)) in [
            (Err(KeysFault::Late), false, false, &["in time"][..]),
            (Err(KeysFault::Late), false, false, &[]),
            (Err(KeysFault::NoSet), false, false, &["not a JWKS"]),
            (set(&[GOOD]), true, true, &["can be taken again"]),
            (set(&[GOOD]), true, true, &[]),
            (Err(KeysFault::NoSet), false, true, &["the keys before stay"]),
            (set(&[]), true, false, &["can be taken again", "no key to use"]),
            (set(&[]), true, false, &[]),
            (set(&[GOOD, SECRET]), true, true, &["a shared secret"]),
            (set(&[GOOD, SECRET]), true, true, &[]),
            (set(&[SECRET]), true, false, &["no key to use"]),
        ]
        .into_iter()
        .enumerate()
        {
            let lines = logged(|| held.take(read, now));
            let is_logged = lines.iter().zip(said).all(|(line, said)| line.contains(said));
            assert!(lines.len() == said.len() && is_logged, "step {step}: {lines:?}");
            assert_eq!((held.is_current(), !held.keys(now)?.is_empty()), (is_current, usable), "step {step}");
        }
        Ok(())
    }

    #[test]
    fn keys_that_were_last_read_too_long_ago_are_not_in_force_until_they_are_read_again() {
        let (mut held, start) = (HeldKeys::new(KeyOrigin::Url, AGE_MAX), Instant::now());
        let moment = Duration::from_millis(1);
        held.take(set(&[GOOD]), start);
        held.take(Err(KeysFault::Late), start + moment);
        let usable = |held: &mut HeldKeys, now| held.keys(now).map(|keys| keys.len());
        assert_eq!(usable(&mut held, start + AGE_MAX - moment), Ok(1));
        assert_eq!(held.status(start + AGE_MAX - moment).fault(), None);
        let lines = logged(|| {
            assert_eq!(usable(&mut held, start + AGE_MAX), Err(Refusal::OldKeys));
            held.take(Err(KeysFault::Late), start + AGE_MAX);
            // An unreadable source confirms nothing.
            held.confirm(start + AGE_MAX);
            assert_eq!(usable(&mut held, start + AGE_MAX), Err(Refusal::OldKeys));
        });
        assert!(lines.len() == 1 && lines[0].contains("too long ago"), "{lines:?}");
        let status = held.status(start + AGE_MAX);
        assert_eq!((status.keys, status.age, status.is_too_old), (0, Some(AGE_MAX), true));
        assert!(status.fault().is_some_and(|fault| fault.contains("last read 60 s ago")));
        held.take(set(&[GOOD]), start + AGE_MAX);
        assert_eq!(usable(&mut held, start + 2 * AGE_MAX - moment), Ok(1));
        held.confirm(start + 2 * AGE_MAX);
        assert_eq!(usable(&mut held, start + 2 * AGE_MAX), Ok(1));
    }

    /// No token needs to come for that: the source is read periodically.
    #[test]
    fn that_keys_are_too_old_is_logged_by_the_read_that_fails_and_anew_each_time() {
        let (mut held, mut now) = (HeldKeys::new(KeyOrigin::File, AGE_MAX), Instant::now());
        for round in 0..2 {
            held.take(set(&[GOOD]), now);
            now += AGE_MAX;
            let lines = logged(|| held.take(Err(KeysFault::Late), now));
            assert!(lines.len() == 2 && lines[1].contains("oauth.jwks_file"), "{round}: {lines:?}");
        }
    }
}
