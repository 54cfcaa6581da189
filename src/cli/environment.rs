//! The environment of the process: only this file reads it for the configuration.

use std::io::IsTerminal as _;

/// The variable `name`, or `None` if it is not set or is not UTF-8.
#[expect(clippy::disallowed_methods, reason = "this is its home")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The variable `name`, lossily decoded as [`variables`] does, or `None` if it is not set.
pub(crate) fn lossy(name: &str) -> Option<String> {
    variables().find(|(variable, _)| variable == name).map(|(_, value)| value)
}

/// All variables, lossily decoded: bytes that are not UTF-8 become U+FFFD, which no setting accepts.
#[expect(clippy::disallowed_methods, reason = "this is its home")]
pub(crate) fn variables() -> impl Iterator<Item = (String, String)> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    std::env::vars_os().map(move |(name, value)| (text(name), text(value)))
}

/// Whether `argument` is on the command line, before `--`.
pub(crate) fn is_argument(argument: &str) -> bool {
    std::env::args_os().skip(1).take_while(|given| given != "--").any(|given| given == argument)
}

/// Whether stderr is a terminal that shows bold text, and plain text was not requested (`NO_COLOR`, `TERM=dumb`).
pub(crate) fn shows_colour() -> bool {
    // A console of Windows shows the codes of bold text themselves unless a program switches it.
    let is_plain = cfg!(windows)
        || lossy("NO_COLOR").is_some_and(|value| !value.is_empty())
        || lossy("TERM").is_some_and(|term| term == "dumb");
    !is_plain && std::io::stderr().is_terminal()
}
