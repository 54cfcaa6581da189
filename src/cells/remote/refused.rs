//! What a store refused, in our words.

use object_store::Error;
use object_store::path::Path;

use crate::cells::error::CellError;

/// What the store says of `object` when it was to `action` it.
pub(super) fn refused(action: &'static str, object: &Path) -> impl Fn(Error) -> CellError {
    move |error| match error {
        Error::NotFound { .. } => CellError::Missing { object: object.to_string() },
        other => CellError::Store { action, object: object.to_string(), cause: one_line(&other.to_string()) },
    }
}

/// `text` on one line: stores send documents of several.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
