//! The bounds of searches in plain language: what a look-up may ask, and what is kept of conditions.

/// The most people before a page of a network search.
pub const SEARCH_OFFSET_MAX: u64 = 1_000;
/// The most words of one phrase in a look-up of the relational store.
pub const PHRASE_WORDS_MAX: usize = 64;
/// The longest phrase there, in bytes.
pub const PHRASE_BYTES_MAX: usize = 4 << 10;
/// The most that one organization's network keeps of what conditions of searches gave by sense, in bytes.
pub const RECENT_FITS_BYTES: usize = 16 << 20;
/// The most conditions of which it keeps that.
pub const RECENT_FITS_MAX: usize = 256;
