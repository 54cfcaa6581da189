//! A store's refusals in our words.

use object_store::Error;
use object_store::path::Path;

use crate::cells::error::CellError;

/// Adds the `action` and the `object` to the store's error.
pub(super) fn refused(action: &'static str, object: &Path) -> impl Fn(Error) -> CellError {
    move |error| match error {
        Error::NotFound { .. } => CellError::Missing { object: object.to_string() },
        other => CellError::Store { action, object: object.to_string(), cause: one_line(&other.to_string()) },
    }
}

/// `text` on one line: stores send multi-line documents.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
