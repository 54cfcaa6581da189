//! The bounds of cells: what is pushed to an object store and pulled from it.

use std::time::Duration;

/// The longest manifest of a cell, and the longest note in a replica's folder, in bytes: some 100,000 organizations.
pub const CELL_FILE_BYTES_MAX: usize = 16 << 20;
/// The longest list of credentials of a cell, in bytes: some 200,000 credentials.
pub const CELL_CREDENTIALS_BYTES_MAX: usize = 64 << 20;
/// The length of a part of a file that is sent, in bytes; a shorter file is sent in one request.
pub const CELL_PART_BYTES: usize = 8 << 20;
/// How often a request to the store that failed, or a stream that tore, is tried again.
pub const CELL_RETRIES: usize = 3;
/// The longest that a request is tried again.
pub const CELL_RETRY_MAX: Duration = Duration::from_secs(30);
/// The longest that the head of an answer of the store is waited for.
pub const CELL_ANSWER_MAX: Duration = Duration::from_secs(60);
/// The longest that the next bytes of an object are waited for.
pub const CELL_STALL_MAX: Duration = Duration::from_secs(30);
/// Seconds between two looks at a cell if none are named.
pub const CELL_EVERY_SECONDS: u64 = 1;
/// The most seconds between two looks at a cell.
pub const CELL_EVERY_SECONDS_MAX: u64 = 3_600;
/// The pause before what could not be put in place is tried again.
pub const CELL_PAUSE: Duration = Duration::from_secs(30);
/// How long the files of an organization that left stay, in seconds: a day.
pub const CELL_LEFT_SECONDS: u64 = 24 * 60 * 60;

const _: () = assert!(CELL_EVERY_SECONDS <= CELL_EVERY_SECONDS_MAX);
