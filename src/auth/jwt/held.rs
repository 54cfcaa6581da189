//! The keys in use: the last sound set, whatever was read after it.

use std::sync::Arc;

use crate::auth::jwt::error::KeysFault;
use crate::auth::jwt::key_set::KeySet;
use crate::limits::ECHO_CHARS_MAX;

/// The last sound set of an issuer's keys; none at all before the first.
#[derive(Debug, Default)]
pub(crate) struct Held {
    keys: Arc<KeySet>,
    /// What was wrong with what was read last.
    fault: Option<KeysFault>,
    /// Whether the log says that there is no key to use.
    is_told_empty: bool,
}

impl Held {
    /// The keys in use.
    pub(crate) fn keys(&self) -> Arc<KeySet> {
        Arc::clone(&self.keys)
    }

    /// Whether what was read last is in use.
    pub(crate) fn is_current(&self) -> bool {
        self.fault.is_none()
    }

    /// Takes in what was read of `source`, a key of the configuration. A sound set is in use from now
    /// on; anything else leaves the one before in use. Logs each fault, and each key that is not used,
    /// when it is new.
    pub(crate) fn take(&mut self, source: &'static str, read: Result<KeySet, KeysFault>) {
        match read {
            Ok(keys) => {
                if self.fault.take().is_some() {
                    tracing::info!(source, "the JWKS can be taken again");
                }
                warn_of_unused(source, &keys, &self.keys);
                if keys.is_empty() && !self.is_told_empty {
                    tracing::warn!(source, "the JWKS has no key to use; no JWT is accepted");
                }
                self.is_told_empty = keys.is_empty();
                self.keys = Arc::new(keys);
            }
            Err(fault) if self.fault == Some(fault) => {}
            Err(fault) => {
                self.fault = Some(fault);
                tracing::warn!(source, %fault, "the JWKS cannot be taken; the keys before stay in use");
            }
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

    #[test]
    fn what_is_wrong_is_told_when_it_is_new_and_the_last_sound_set_stays() {
        let mut held = Held::default();
        for (step, (read, is_current, usable, told)) in [
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
            let lines = logged(|| held.take("keys", read));
            let is_told = lines.iter().zip(told).all(|(line, told)| line.contains(told));
            assert!(lines.len() == told.len() && is_told, "step {step}: {lines:?}");
            assert_eq!((held.is_current(), !held.keys().is_empty()), (is_current, usable), "step {step}");
        }
    }
}
