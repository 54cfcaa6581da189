//! The limits of source tables.

/// Maximum length of a line, in bytes.
pub const LINE_BYTES_MAX: usize = 16 << 20;
/// Maximum number of faults, and of ignored files, that a build lists; further ones are counted.
pub const SOURCE_FAULTS_MAX: usize = 20;
/// Maximum length of a text as JSON writes it, in bytes; also of a number, which keeps its digits.
pub const TABLE_TEXT_BYTES_MAX: usize = 4 << 10;
/// Maximum length of the compact `breakdown` of a connection, in bytes.
pub const BREAKDOWN_BYTES_MAX: usize = 4 << 10;
/// Maximum length of any other free-form object in its compact form, in bytes.
pub const TABLE_OBJECT_BYTES_MAX: usize = 64 << 10;
