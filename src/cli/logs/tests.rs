//! What `KITH_LOG` may say.

use super::*;

#[test]
fn a_level_is_taken_blank_is_unset_and_a_target_changes_that_target_alone() {
    for (level, filter_says) in [
        (None, "info"),
        (Some(""), "info"),
        (Some(" \t"), "info"),
        (Some("debug"), "debug"),
        (Some("WARN"), "warn"),
        (Some("off"), "off"),
        (Some("kith=debug"), "kith=debug,info"),
        (Some("kith::live=trace, warn"), "kith::live=trace,warn"),
        (Some("kiht=off"), "kiht=off,info"),
    ] {
        let filter = filter(level, "info").map(|filter| filter.to_string());
        assert_eq!(filter.as_deref().ok(), Some(filter_says), "{level:?}");
    }
}

#[test]
fn what_is_no_level_is_refused_by_name_with_what_is_taken() {
    for (level, named) in [
        ("inof", "inof"),
        ("info,", ""),
        ("kith", "kith"),
        ("kith::live", "kith::live"),
        ("warn,kith=", "kith="),
        ("=info", "=info"),
        ("kith=loud", "kith=loud"),
        ("kith = info", "kith = info"),
        ("info debug", "info debug"),
        ("[{}]=info", "[{}]=info"),
        ("6", "6"),
        ("\u{fffd}", "\u{fffd}"),
    ] {
        let told = filter(Some(level), "info").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told.contains(&format!("{VARIABLE} says \"{named}\"")), "{level:?}: {told}");
        assert!(told.contains("off, error, warn, info, debug, trace"), "{level:?}: {told}");
    }
}
