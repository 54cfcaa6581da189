//! The amount of work in a test: small enough for a check of every change, or the full size of `TESTING.md`.

/// `usual`, or `full` if the environment says `KITH_SCALE=full`.
pub(crate) fn of(usual: u64, full: u64) -> u64 {
    if std::env::var("KITH_SCALE").is_ok_and(|scale| scale == "full") { full } else { usual }
}
