//! How much a test does: what fits a check of every change, or the whole figure of `TESTING.md`.

/// `usual`, or `full` if the environment says `KITH_SCALE=full`.
pub(crate) fn of(usual: u64, full: u64) -> u64 {
    if std::env::var("KITH_SCALE").is_ok_and(|scale| scale == "full") { full } else { usual }
}
