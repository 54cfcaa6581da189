//! Every numeric bound of the service, in one place.
//!
//! Bounds on work come from the configuration and default to [`Limits::DEFAULT`]; bounds on what a
//! caller may send are constants of the API. Nothing here knows what the bounds are applied to.

use std::time::Duration;

/// Bounds on the work one request may cause. Part of the configuration (`[limits]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Employees considered as targets in company mode.
    pub company_candidates: u32,
    /// Incoming edges scanned for each target.
    pub edges_per_target: u32,
    /// Incoming edges scanned for each connector, those of members and of advocates each.
    pub edges_per_connector: u32,
    /// First-degree contacts considered in second-degree connections.
    pub bridges: u32,
    /// Outgoing edges scanned through each of those contacts.
    pub edges_per_bridge: u32,
}

impl Limits {
    /// What production uses where the configuration is silent.
    pub const DEFAULT: Self = Self {
        company_candidates: 500,
        edges_per_target: 256,
        edges_per_connector: 64,
        bridges: 200,
        edges_per_bridge: 100,
    };

    /// The greatest value any bound may be set to; ranks in the index hold 24 bits.
    pub const MAX: u32 = 1_000_000;
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Entries of a page where the caller names no `limit`.
pub const PAGE_LIMIT_DEFAULT: u32 = 20;
/// The longest page.
pub const PAGE_LIMIT_MAX: u32 = 50;
/// The longest id, in bytes, in source tables and in requests.
pub const ID_BYTES_MAX: usize = 200;
/// The longest name or search text in a request, in characters.
pub const TEXT_CHARS_MAX: usize = 200;
/// The longest query of a network search, in characters.
pub const QUERY_CHARS_MAX: usize = 1000;
/// How much of a refused value an error repeats, in characters.
pub const ECHO_CHARS_MAX: usize = 100;
/// The deepest nesting accepted in a free-form object.
pub const JSON_DEPTH_MAX: usize = 128;
/// The longest line of a source table, in bytes.
pub const LINE_BYTES_MAX: usize = 16 << 20;
/// The largest request body, in bytes.
pub const BODY_BYTES_MAX: usize = 64 << 10;
/// How long a request body may take to arrive.
pub const BODY_DEADLINE: Duration = Duration::from_secs(10);
/// The longest head of a request, its first line and headers, in bytes.
pub const HEAD_BYTES_MAX: usize = 32 << 10;
/// The most headers of a request.
pub const HEAD_FIELDS_MAX: usize = 100;
/// The longest signed user token, in bytes.
pub const TOKEN_BYTES_MAX: usize = 8 << 10;
/// The largest set of an issuer's keys, in bytes.
pub const JWKS_BYTES_MAX: usize = 1 << 20;
/// The most keys in it.
pub const JWKS_KEYS_MAX: usize = 100;
/// The longest suppression list, in bytes: some half a million entries.
pub const SUPPRESSION_LIST_BYTES_MAX: usize = 64 << 20;
/// The most words of one phrase in a look-up of the relational store.
pub const PHRASE_WORDS_MAX: usize = 64;
/// The longest phrase there, in bytes.
pub const PHRASE_BYTES_MAX: usize = 4 << 10;
/// The most look-ups that one relational store answers at the same time.
pub const STORE_READERS_MAX: usize = 8;

const _: () = assert!(STORE_READERS_MAX > 0);
const _: () = assert!(PAGE_LIMIT_DEFAULT <= PAGE_LIMIT_MAX);
const _: () = assert!(Limits::MAX < 1 << 24);
const _: () = assert!(Limits::DEFAULT.edges_per_target <= Limits::MAX);
