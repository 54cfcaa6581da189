//! Debounce: a watched folder is read again after it changed and then stayed the same for one poll.

use crate::live::folder::FolderStamp;

/// The stamps found by the latest poll of a folder.
#[derive(Debug, Default)]
pub struct Debounce {
    last: Option<FolderStamp>,
}

impl Debounce {
    /// Whether to reload, if the folder's stamps are `now`, and were `loaded` when last read.
    ///
    /// The stamps must equal those of the previous poll, so that no file is read while it is still being written.
    pub fn is_due(&mut self, now: &FolderStamp, loaded: &FolderStamp) -> bool {
        let is_stable = self.last.as_ref() == Some(now);
        let is_due = is_stable && now != loaded;
        self.last = Some(now.clone());
        is_due
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;

    use super::*;

    #[test]
    fn a_folder_is_read_again_once_it_changed_and_then_stayed_the_same() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (one, two) = (folder.path().join("one.kith"), folder.path().join("two.kith"));
        let poll = || FolderStamp::of(folder.path());
        let (mut debounce, mut loaded) = (Debounce::default(), poll()?);
        let mut is_due = |loaded: &FolderStamp| io::Result::Ok(debounce.is_due(&poll()?, loaded));
        assert_eq!([is_due(&loaded)?, is_due(&loaded)?], [false, false], "nothing happened");

        fs::write(&one, "a")?;
        assert!(!is_due(&loaded)?, "it may still be written to");
        fs::write(&one, "ab")?;
        assert!(!is_due(&loaded)?, "and it was");
        assert!(is_due(&loaded)?);
        assert!(is_due(&loaded)?, "for as long as nobody reads it");
        loaded = poll()?;
        assert!(!is_due(&loaded)?);

        fs::write(folder.path().join("notes.txt"), "of no matter")?;
        assert_eq!([is_due(&loaded)?, is_due(&loaded)?], [false, false]);
        for change in [
            &|| fs::rename(&one, &two),
            &|| fs::write(folder.path().join("two.kith.sqlite"), "a store"),
            &|| {
                fs::write(folder.path().join("new"), "ab")
                    .and_then(|()| fs::rename(folder.path().join("new"), &two))
            },
            &|| fs::remove_file(&two),
        ] as [&dyn Fn() -> io::Result<()>; 4]
        {
            change()?;
            assert_eq!([is_due(&loaded)?, is_due(&loaded)?], [false, true]);
            loaded = poll()?;
        }
        Ok(())
    }
}
