//! The bounds of searches in plain language: on look-ups, and on cached conditions.

/// Maximum offset of a page of a network search.
pub const SEARCH_OFFSET_MAX: u64 = 1_000;
/// Maximum words of a phrase in a look-up of the relational store.
pub const PHRASE_WORDS_MAX: usize = 64;
/// Maximum size of such a phrase, in bytes.
pub const PHRASE_BYTES_MAX: usize = 4 << 10;
/// Maximum size of one network's cache of conditions compared by vector, in bytes.
pub const RECENT_FITS_BYTES: usize = 16 << 20;
/// Maximum conditions in that cache.
pub const RECENT_FITS_MAX: usize = 256;
