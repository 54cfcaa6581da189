//! Threads of their own for searches and loads.
//!
//! A search goes over everybody, on all cores it gets. With threads of their own, fewer than there are processors,
//! searches leave other requests a processor and the shared (rayon) threads.

use std::io;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Starts the shared threads under a name of their own; otherwise they take the name of the first thread that needs
/// them. Existing threads keep their names.
pub fn start_shared() {
    let _ = ThreadPoolBuilder::new().thread_name(|number| format!("work-{number}")).build_global();
}

/// Threads for one kind of work. Dropping this ends them.
#[derive(Debug)]
pub struct OwnThreads(ThreadPool);

impl OwnThreads {
    /// Starts `count` threads, called `name-0` and so on.
    ///
    /// # Errors
    /// Returns an error if the system gives no threads.
    pub fn start(name: &str, count: usize) -> io::Result<Self> {
        Self::start_with(name, count, || {})
    }

    /// Like [`OwnThreads::start`]; each thread calls `first` before any work.
    ///
    /// # Errors
    /// Returns an error if the system gives no threads.
    pub fn start_with(name: &str, count: usize, first: fn()) -> io::Result<Self> {
        let builder = ThreadPoolBuilder::new().num_threads(count.max(1)).start_handler(move |_| first());
        let name = name.to_owned();
        let named = builder.thread_name(move |number| format!("{name}-{number}"));
        named.build().map(Self).map_err(io::Error::other)
    }

    /// Runs `work` on these threads, including all its parallel parts, and waits for it.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.0.install(work)
    }

    /// Hands `work` to one of these threads, and returns at once.
    pub fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        self.0.spawn(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_search_runs_on_threads_of_its_own() -> io::Result<()> {
        let threads = OwnThreads::start("search", 2)?;
        let name = || std::thread::current().name().map(str::to_owned).unwrap_or_default();
        let (one, other) = threads.run(|| rayon::join(name, name));
        assert!(one.starts_with("search-") && other.starts_with("search-"), "{one}, {other}");
        Ok(())
    }
}
