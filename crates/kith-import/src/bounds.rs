//! Whether a table holds a text.

use kith_tables::limits::TABLE_TEXT_BYTES_MAX;

/// Whether a table holds `text`.
pub(crate) fn is_within_bounds(text: &str) -> bool {
    // Without control characters, a quote and a backslash alone are two bytes in JSON.
    text.len() + text.matches(['"', '\\']).count() <= TABLE_TEXT_BYTES_MAX
}
