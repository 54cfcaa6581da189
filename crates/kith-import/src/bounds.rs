//! Whether a text fits in a table.

use kith_tables::limits::TABLE_TEXT_BYTES_MAX;

/// Whether `text` fits in a table.
pub(crate) fn is_within_bounds(text: &str) -> bool {
    // Without control characters, only a quote and a backslash take two bytes in JSON.
    text.len() + text.matches(['"', '\\']).count() <= TABLE_TEXT_BYTES_MAX
}
