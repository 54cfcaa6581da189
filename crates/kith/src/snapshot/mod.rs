//! A dataset as one file, and back: every byte of the file is checked.
//!
//! The file is a fixed preamble, a table of sections and the sections themselves, each of them one record as plain
//! bincode (fixed width, little-endian). Two layers of checks stand between bytes and a
//! [`Dataset`](crate::model::dataset::Dataset): checksums refuse damaged files, and checks of the content refuse forged
//! ones with correct checksums. The errors do not repeat the file's path: the caller puts it in front.
//!
//! - [`format`](mod@format), [`header`][]: preamble, section table, layout; a file's identity.
//! - `checksum`, `source`, `section`: bytes, hashed on their way into memory.
//! - `codec`, `record`, `parts`, `tables`, `sections`: the content of each section.
//! - [`encode`](mod@encode), [`read`], [`write`](mod@write) and [`inspect`](mod@inspect): the operations.
//! - [`check`](mod@check), [`prepared`]: the rules of a sound dataset.
//! - [`error`], [`fault`]: the message of each refusal.

pub mod format;
pub mod error;
pub mod fault;
mod checksum;
mod source;
mod codec;
pub mod header;
mod section;
mod record;
mod parts;
mod tables;
mod sections;
pub mod check;
pub mod prepared;
pub mod encode;
pub mod read;
pub mod write;
pub mod inspect;

pub use check::check;
pub use encode::encode;
pub use error::SnapshotError;
pub use fault::ContentFault;
pub use format::{FORMAT_VERSION, FORMAT_VERSION_MIN};
pub use header::Identity;
pub use inspect::{Inspection, SectionState, inspect};
pub use prepared::Prepared;
pub use read::{Loaded, decode, load, read_identity};
pub use write::{Written, write};
