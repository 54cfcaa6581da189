//! Where logs go: stderr, as JSON lines for a server, as text for a person.

use tracing_subscriber::EnvFilter;

/// Starts JSON logs. `KITH_LOG` sets the level, for instance `debug` or `kith=debug`; default `info`.
pub fn start_json() {
    let filter = EnvFilter::try_from_env("KITH_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let logs = tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter);
    // A second start in one process keeps the first.
    let _ = logs.with_target(false).with_writer(std::io::stderr).try_init();
}

/// Starts logs for a person at a terminal: warnings and errors, unless `KITH_LOG` says otherwise.
pub fn start_text() {
    let filter = EnvFilter::try_from_env("KITH_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let logs = tracing_subscriber::fmt().with_env_filter(filter);
    let _ = logs.with_target(false).with_writer(std::io::stderr).try_init();
}
