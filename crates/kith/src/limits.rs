//! The bounds of the engine that an operator or a caller can notice.
//!
//! Bounds on the work of a request come from the configuration and default to [`Limits::DEFAULT`]; the others are
//! constants.

/// Bounds on the work one request may cause. Part of the configuration (`[limits]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Employees considered as targets in company mode.
    pub company_candidates: u32,
    /// Incoming edges scanned for each target.
    pub edges_per_target: u32,
    /// Incoming edges scanned for each connector, of members and of advocates separately.
    pub edges_per_connector: u32,
    /// First-degree contacts through whom second-degree connections are listed.
    pub bridges: u32,
    /// New people listed through each of these contacts; more if a member has fewer contacts.
    pub edges_per_bridge: u32,
    /// Outgoing edges read of each of these contacts, listed or not.
    pub edges_read_per_bridge: u32,
}

impl Limits {
    /// The bounds in production unless configured.
    pub const DEFAULT: Self = Self {
        company_candidates: 500,
        edges_per_target: 256,
        edges_per_connector: 64,
        bridges: 200,
        edges_per_bridge: 100,
        edges_read_per_bridge: 1_000,
    };

    /// Maximum value of any bound; ranks in the index have 24 bits.
    pub const MAX: u32 = 1_000_000;
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

const _: () = assert!(Limits::MAX < 1 << 24);
const _: () = assert!(Limits::DEFAULT.edges_per_target <= Limits::MAX);

/// Entries of a page if the caller gives no `limit`.
pub const PAGE_LIMIT_DEFAULT: u32 = 20;
/// Maximum entries of a page.
pub const PAGE_LIMIT_MAX: u32 = 50;
/// Maximum length of an id, in bytes, in source tables and in requests.
pub const ID_BYTES_MAX: usize = 200;
/// Maximum nesting of a free-form object.
pub const JSON_DEPTH_MAX: usize = 128;
/// Maximum length of an evidence `note`, in characters.
pub const NOTE_CHARS_MAX: usize = 500;
/// Maximum entries of evidence that an answer lists for one edge, newest first.
pub const EVIDENCE_ENTRIES_MAX: usize = 10;
/// Maximum number of other possible targets that an answer lists; it counts them all.
pub const ALTERNATIVES_MAX: usize = 5;
/// Maximum length of a target in words, in characters after folding.
pub const TARGET_CHARS_MAX: usize = 300;
/// Maximum number of people listed with names nearest to a target that was not found.
pub const NEAR_PEOPLE_MAX: usize = 3;
/// Maximum number of paths to the firm of a target that was not found or has no path.
pub const NEAR_PATHS_MAX: u32 = 3;
/// Maximum length of an e-mail address in a request or an import, in characters.
pub const EMAIL_CHARS_MAX: usize = 254;
/// Characters of a refused value that an error repeats.
pub const ECHO_CHARS_MAX: usize = 100;
