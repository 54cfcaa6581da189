//! The bounds of cells: pushes to and pulls from an object store.

use std::time::Duration;

/// Maximum size of a cell's manifest, and of the note in a replica's folder, in bytes: some 100,000 organizations.
pub const CELL_FILE_BYTES_MAX: usize = 16 << 20;
/// Maximum size of a cell's list of credentials, in bytes: some 200,000 credentials.
pub const CELL_CREDENTIALS_BYTES_MAX: usize = 64 << 20;
/// Size of a part of an uploaded file, in bytes; a shorter file is sent in one request.
pub const CELL_PART_BYTES: usize = 8 << 20;
/// Retries of a failed request to the store, or of a broken stream.
pub const CELL_RETRIES: usize = 3;
/// Maximum time for retries of a request.
pub const CELL_RETRY_MAX: Duration = Duration::from_secs(30);
/// Maximum wait for the head of the store's answer.
pub const CELL_ANSWER_MAX: Duration = Duration::from_secs(60);
/// Maximum wait for the next bytes of an object.
pub const CELL_STALL_MAX: Duration = Duration::from_secs(30);
/// Default number of seconds between two looks at a cell.
pub const CELL_EVERY_SECONDS: u64 = 1;
/// Maximum number of seconds between two looks at a cell.
pub const CELL_EVERY_SECONDS_MAX: u64 = 3_600;
/// The pause before retrying organizations that could not be put in place.
pub const CELL_PAUSE: Duration = Duration::from_secs(30);
/// How long the files of an organization stay after it left, in seconds: a day.
pub const CELL_LEFT_SECONDS: u64 = 24 * 60 * 60;

const _: () = assert!(CELL_EVERY_SECONDS <= CELL_EVERY_SECONDS_MAX);
