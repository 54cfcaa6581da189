//! The bounds of source tables.

/// The longest line of a source table, in bytes.
pub const LINE_BYTES_MAX: usize = 16 << 20;
/// The most faults of source tables that a build shows at once, and the most ignored files; the others are counted.
pub const SOURCE_FAULTS_MAX: usize = 20;
/// The longest text of a source table, in bytes, as JSON writes it; a number too, which is kept to the letter.
pub const TABLE_TEXT_BYTES_MAX: usize = 4 << 10;
/// The longest `breakdown` of a connection, in bytes of its compact form.
pub const BREAKDOWN_BYTES_MAX: usize = 4 << 10;
/// The longest of all other free-form objects of a source table, in bytes of its compact form.
pub const TABLE_OBJECT_BYTES_MAX: usize = 64 << 10;
