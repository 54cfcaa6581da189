//! The bounds of the engine that an operator or a caller can feel.
//!
//! Those on the work of a request come from the configuration and default to [`Limits::DEFAULT`]; the others are
//! constants.

/// Bounds on the work one request may cause. Part of the configuration (`[limits]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Employees considered as targets in company mode.
    pub company_candidates: u32,
    /// Incoming edges scanned for each target.
    pub edges_per_target: u32,
    /// Incoming edges scanned for each connector, those of members and of advocates each.
    pub edges_per_connector: u32,
    /// First-degree contacts through whom second-degree connections are listed.
    pub bridges: u32,
    /// Outgoing edges listed through each of so many contacts, more of each if a member has fewer; edges to people known
    /// already do not count.
    pub edges_per_bridge: u32,
    /// Outgoing edges read of each of those contacts, listed or not.
    pub edges_read_per_bridge: u32,
}

impl Limits {
    /// The bounds in production if the configuration is silent.
    pub const DEFAULT: Self = Self {
        company_candidates: 500,
        edges_per_target: 256,
        edges_per_connector: 64,
        bridges: 200,
        edges_per_bridge: 100,
        edges_read_per_bridge: 1_000,
    };

    /// The greatest value any bound may be set to; ranks in the index hold 24 bits.
    pub const MAX: u32 = 1_000_000;
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

const _: () = assert!(Limits::MAX < 1 << 24);
const _: () = assert!(Limits::DEFAULT.edges_per_target <= Limits::MAX);

/// Entries of a page if the caller names no `limit`.
pub const PAGE_LIMIT_DEFAULT: u32 = 20;
/// The longest page.
pub const PAGE_LIMIT_MAX: u32 = 50;
/// The longest id, in bytes, in source tables and in requests.
pub const ID_BYTES_MAX: usize = 200;
/// The deepest nesting accepted in a free-form object.
pub const JSON_DEPTH_MAX: usize = 128;
/// The longest `note` of evidence, in characters.
pub const NOTE_CHARS_MAX: usize = 500;
/// The most entries of evidence that an answer lists of one edge, the newest.
pub const EVIDENCE_ENTRIES_MAX: usize = 10;
/// The most others that an answer lists whom a target may have meant; all are counted.
pub const ALTERNATIVES_MAX: usize = 5;
/// The longest text of a target as people write it, in characters once it is folded.
pub const TARGET_CHARS_MAX: usize = 300;
/// The most people whose names are nearest to a target that was not found.
pub const NEAR_PEOPLE_MAX: usize = 3;
/// The most paths to the firm of a target that was not found, or to whom no path leads.
pub const NEAR_PATHS_MAX: u32 = 3;
/// The longest e-mail address in a request or an import, in characters.
pub const EMAIL_CHARS_MAX: usize = 254;
/// Characters of a refused value that an error repeats.
pub const ECHO_CHARS_MAX: usize = 100;
