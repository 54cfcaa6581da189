//! What every snapshot of this format begins with, and the longest section table it may have.

/// The one format version that this program writes and reads.
pub const FORMAT_VERSION: u32 = 1;
/// The day on which that format was laid down.
pub const FORMAT_DATE: &str = "2026-11-21";

/// How every snapshot begins. A transfer that drops the eighth bit or touches line ends breaks it.
pub(crate) const MAGIC: [u8; 8] = *b"\x89KITH\r\n\n";
/// The longest section table, in bytes.
pub(crate) const TABLE_BYTES_MAX: u32 = 16 << 10;
