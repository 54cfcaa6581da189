//! Starts the browser on this machine: the only place that starts another program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::cli::environment;
use crate::system;

/// Variables that are set if a program may open a window.
const SCREENS: [&str; 2] = ["WAYLAND_DISPLAY", "DISPLAY"];

/// Starts the browser with `page`, a file, if there is a screen, and does not wait for it. Other users of this machine
/// can read its command line, so this passes no link. Returns whether something was started.
pub(crate) fn start_browser(page: &Path) -> bool {
    program().is_some_and(|program| start(&program, page))
}

/// The program that opens links; `None` without a screen, since it could take over the terminal.
fn program() -> Option<PathBuf> {
    if cfg!(windows) {
        // By its place: beside this program, or in the working folder, could lie another one of its name.
        return environment::variable("SystemRoot").map(|root| Path::new(&root).join("explorer.exe"));
    }
    if cfg!(target_os = "macos") {
        return Some("open".into());
    }
    let is_set = |name: &&str| environment::lossy(name).is_some_and(|value| !value.trim().is_empty());
    SCREENS.iter().any(is_set).then(|| "xdg-open".into())
}

#[expect(clippy::disallowed_methods, reason = "this is its home")]
fn start(program: &Path, page: &Path) -> bool {
    let mut command = Command::new(program);
    let started = system::set_apart(command.arg(page))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return false };
    // A child that nobody waits for stays in the process list.
    let _ = thread::Builder::new().name("kith-browser".to_owned()).spawn(move || child.wait());
    true
}
