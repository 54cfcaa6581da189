//! Values of `KITH_LOG`.
//!
//! Promise: A value that is no level, and a variable that is nearly a setting, stop the start; the message quotes them.
//! Control: what is a setting, what orchestrators set and what is of others passes in the same tables.
//! Also in: `src/cli/config/variables.rs`, `tests/process/logging.rs`.

use std::sync::Mutex;

use tracing_subscriber::layer::SubscriberExt;

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
        (Some("kith::live=trace, warn"), "kith_server::live=trace,warn"),
        (Some("kiht=off"), "kiht=off,info"),
    ] {
        let filter = filter(level, &["info"]).map(|filter| filter.to_string());
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
        let said = filter(Some(level), &["info"]).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains(&format!("{VARIABLE} says \"{named}\"")), "{level:?}: {said}");
        assert!(said.contains("off, error, warn, info, debug, trace"), "{level:?}: {said}");
    }
}

/// Whether, under `level`, lines of the audit log are written, and errors of another target.
fn logged(level: Option<&str>, defaults: &[&str]) -> (bool, bool) {
    let filter = filter(level, defaults).unwrap_or_else(|error| panic!("{error}"));
    tracing::subscriber::with_default(tracing_subscriber::registry().with(filter), || {
        (
            tracing::enabled!(target: crate::audit::TARGET, tracing::Level::INFO),
            tracing::enabled!(target: "kith_server::live::reload", tracing::Level::ERROR),
        )
    })
}

#[test]
fn the_audit_log_stays_on_until_its_own_target_is_turned_off() {
    for (level, is_audited, is_logged) in [
        (None, true, true),
        (Some("warn"), true, true),
        (Some("off"), true, false),
        (Some("off,kith=off"), true, false),
        (Some("kith::live=off"), true, false),
        (Some("info,kith::audit=off"), false, true),
        (Some("kith::audit=off,info"), false, true),
        (Some("kith::audit=warn"), false, true),
    ] {
        assert_eq!(logged(level, &["info", AUDIT]), (is_audited, is_logged), "{level:?}");
    }
    // The control: without a level of its own it follows the general one.
    assert_eq!(logged(Some("off"), &["info"]), (false, false));
}

/// The line of an event, as a server writes it.
fn line_of(event: impl FnOnce()) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    let logs =
        tracing_subscriber::fmt().event_format(JsonLine).with_writer(Mutex::new(file.reopen().unwrap()));
    tracing::subscriber::with_default(logs.finish(), event);
    std::fs::read_to_string(file.path()).unwrap()
}

#[test]
fn a_line_holds_the_fields_in_their_order_and_the_texts_as_they_are() {
    let (none, text) = (None::<&str>, "a \"b\\\n\u{1}\u{e9}\u{202e}");
    let line = line_of(|| {
        tracing::warn!(zeta = 7_u64, alpha = text, none, down = -1, is_so = true, shown = %text, "it {}", "is");
    });
    let (head, fields) = line.split_once(",\"message\":").unwrap();
    assert!(head.starts_with("{\"timestamp\":\"2") && head.ends_with("Z\",\"level\":\"WARN\""), "{head}");
    let quoted = serde_json::to_string(text).unwrap();
    let all =
        format!("\"it is\",\"zeta\":7,\"alpha\":{quoted},\"down\":-1,\"is_so\":true,\"shown\":{quoted}}}\n");
    assert_eq!(fields, all);
    let read: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(read["alpha"], text);
}
