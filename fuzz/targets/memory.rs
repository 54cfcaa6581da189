//! Counts the allocated memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, counting allocated bytes.
pub struct Counting {
    held: AtomicUsize,
    peak: AtomicUsize,
    /// Allocated bytes at the last restart.
    start: AtomicUsize,
}

impl Counting {
    pub const fn new() -> Self {
        Self { held: AtomicUsize::new(0), peak: AtomicUsize::new(0), start: AtomicUsize::new(0) }
    }

    /// Starts counting from the current allocation.
    pub fn restart(&self) {
        let held = self.held.load(Relaxed);
        self.start.store(held, Relaxed);
        self.peak.store(held, Relaxed);
    }

    /// Maximum of allocated bytes since the restart, minus those allocated then.
    pub fn peak_bytes(&self) -> usize {
        self.peak.load(Relaxed).saturating_sub(self.start.load(Relaxed))
    }

    fn grow(&self, bytes: usize) {
        let held = self.held.fetch_add(bytes, Relaxed).wrapping_add(bytes);
        self.peak.fetch_max(held, Relaxed);
    }

    fn shrink(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator as it came; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        self.shrink(layout.size());
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.grow(size); // both blocks may be held for a moment
        self.shrink(layout.size());
        unsafe { System.realloc(block, layout, size) }
    }
}
