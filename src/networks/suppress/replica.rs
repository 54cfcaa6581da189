//! Replaces a replica's list of people to forget with one from elsewhere.

use std::path::Path;

use crate::suppress::error::ListError;
use crate::suppress::{file, format};

/// The list at `path` as bytes for [`take_over`].
///
/// # Errors
/// Returns an error if there is none, it cannot be read, or it is not a valid list to the last byte.
pub fn list_for_replicas(path: &Path) -> Result<Vec<u8>, ListError> {
    file::read(path).map(|list| format::write(&list).into_bytes())
}

/// Replaces the list at `path`, if any, with the list in `bytes`. Returns whether it changed.
///
/// # Errors
/// Returns an error if `bytes` are not a valid list, or it cannot be written: then the present list stays.
pub fn take_over(path: &Path, bytes: &[u8]) -> Result<bool, ListError> {
    let line_error = |(line, fault)| ListError::Line { path: path.to_owned(), line, fault };
    let theirs = format::read(bytes).map_err(line_error)?;
    file::change_or_create(path, |list| {
        let is_other = *list != theirs;
        *list = theirs;
        Ok(is_other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::time::Timestamp;
    use crate::suppress::entry::EntryKind;

    #[test]
    fn a_list_is_taken_over_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let (first, replica) = (folder.path().join("first.txt"), folder.path().join("replica.txt"));
        let add = |handle: &str| {
            file::change_or_create(&first, |list| {
                if let Some(entry) = list.entry("org_a", EntryKind::LinkedinId, handle) {
                    list.add("org_a", entry, Timestamp { seconds: 1_700_000_000, nanos: 0 });
                }
                Ok::<_, ListError>(())
            })
        };
        for handle in ["pia", "rui"] {
            add(handle).unwrap();
            let bytes = list_for_replicas(&first).unwrap();
            assert!(take_over(&replica, &bytes).unwrap());
            assert!(!take_over(&replica, &bytes).unwrap());
            assert_eq!(file::read(&replica).unwrap(), file::read(&first).unwrap());
            for cut in [0, bytes.len() / 2, bytes.len() - 1] {
                assert!(take_over(&replica, &bytes[..cut]).is_err(), "{cut}");
            }
            assert_eq!(file::read(&replica).unwrap(), file::read(&first).unwrap());
        }
    }
}
