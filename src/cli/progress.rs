//! The progress bar of long builds: on a terminal only, and gone when the build ends.

use indicatif::{ProgressBar, ProgressStyle};

use crate::source::progress::Progress;

/// A bar on stderr; hidden where stderr is no terminal.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        let bar = ProgressBar::new(0);
        let style = "{msg:12} [{bar:40}] {bytes}/{total_bytes} {bytes_per_sec}";
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }
}

impl Default for Bar {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn total_bytes(&self, bytes: u64) {
        self.0.set_length(bytes);
    }

    fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }

    fn stage(&self, name: &str) {
        self.0.set_message(name.to_owned());
    }
}
