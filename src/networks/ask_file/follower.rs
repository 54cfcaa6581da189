//! A thread that keeps the books equal to a database: it waits for notices of changes, and reads new events.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::ask_file::books::KeptBooks;
use crate::ask_file::error::AskStoreError;
use crate::ask_file::server::{ServerDatabase, on_own_thread};
use crate::ask_file::sql::{lock, without_password};
use crate::clock;

/// The time between two looks at the database without a notice.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The time without a look after which asks count as unreadable.
const STALE_AFTER: Duration = Duration::from_secs(5);

/// A thread that keeps the books equal to the database.
#[derive(Debug)]
pub(crate) struct Follower {
    place: String,
    seen: Arc<Mutex<Seen>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The state of the database at the last look.
#[derive(Debug)]
struct Seen {
    at: Instant,
    fault: Option<String>,
}

impl Follower {
    /// Reads `address` into `books`, and follows its changes.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub(crate) fn start(address: &str, books: &Arc<Mutex<KeptBooks>>) -> Result<Self, AskStoreError> {
        let mut database = ServerDatabase::open(address)?;
        on_own_thread(|| look(&mut database, books))?;
        let place = without_password(address);
        let seen = Arc::new(Mutex::new(Seen { at: clock::now(), fault: None }));
        let is_over = Arc::new(AtomicBool::new(false));
        let following = {
            let (books, seen, is_over) = (Arc::clone(books), Arc::clone(&seen), Arc::clone(&is_over));
            move || follow(&mut database, &books, &seen, &is_over)
        };
        let thread = thread::Builder::new().name("asks".to_owned()).spawn(following).map_err(|error| {
            AskStoreError::Server { place: place.clone(), reason: format!("no thread to follow it: {error}") }
        })?;
        Ok(Self { place, seen, is_over, thread: Some(thread) })
    }

    /// Checks that the database was read recently.
    ///
    /// # Errors
    /// Returns an error if it was not.
    pub(crate) fn check(&self) -> Result<(), AskStoreError> {
        let seen = lock(&self.seen);
        if clock::now().saturating_duration_since(seen.at) < STALE_AFTER {
            return Ok(());
        }
        let reason = seen.fault.clone().unwrap_or_else(|| "it does not answer".to_owned());
        Err(AskStoreError::Server { place: self.place.clone(), reason })
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

fn look(database: &mut ServerDatabase, books: &Mutex<KeptBooks>) -> Result<(), AskStoreError> {
    // First, so that nothing is written between the look and the wait without a notice.
    database.listen()?;
    database.read(|sql| KeptBooks::catch_up_in(books, sql))
}

fn follow(database: &mut ServerDatabase, books: &Mutex<KeptBooks>, seen: &Mutex<Seen>, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        match database.wait(LOOK_EVERY).and_then(|()| look(database, books)) {
            Ok(()) => *lock(seen) = Seen { at: clock::now(), fault: None },
            Err(error) => {
                let mut seen = lock(seen);
                if seen.fault.is_none() {
                    tracing::error!(%error, "asks cannot be read");
                }
                seen.fault = Some(error.to_string());
                drop(seen);
                clock::sleep(LOOK_EVERY);
            }
        }
    }
}
