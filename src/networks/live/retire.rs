//! Frees replaced networks, never on the thread of a request.
//!
//! The thread that drops the last reference to a network frees it, which takes a while for a large one. So the retiring
//! thread keeps a reference of its own until it has the last one.

use std::any::Any;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::clock;
use crate::limits::RETIRE_WAIT_MAX;

/// The pause between two checks of the reference count.
const PAUSE: Duration = Duration::from_millis(1);

/// A value to free, of any type.
pub(crate) type Retired = Arc<dyn Any + Send + Sync>;

/// Frees `whole`, then `parts` in order, each once no other thread holds it, on a thread of its own.
///
/// If the system has no thread for that, the last request that reads a value frees it.
pub(crate) fn retire<W: Send + Sync + 'static>(whole: Arc<W>, parts: Vec<Retired>) -> Option<JoinHandle<()>> {
    let free = move || {
        let deadline = clock::now() + RETIRE_WAIT_MAX;
        free_when_unread(whole, deadline);
        parts.into_iter().for_each(|part| free_when_unread(part, deadline));
    };
    thread::Builder::new().name("kith-retire".to_owned()).spawn(free).ok()
}

/// Drops `value` as soon as this is the last reference, or at the deadline. It must already be unreachable: then no
/// other thread can get a new reference.
fn free_when_unread<T: ?Sized>(value: Arc<T>, deadline: Instant) {
    while Arc::strong_count(&value) > 1 && clock::now() < deadline {
        clock::sleep(PAUSE);
    }
    drop(value);
}
