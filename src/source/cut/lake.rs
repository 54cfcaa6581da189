//! A folder with the tables of many organizations.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::source::blocks::BlockSize;
use crate::source::cut::error::CutError;
use crate::source::cut::sieve::{LakeTable, Sieve};
use crate::source::error::TableFault;
use crate::source::faults::{FolderFaults, RowFaults};
use crate::source::fields::NamedCell;
use crate::source::folder::find_rows;
use crate::source::ignored::{IgnoredFiles, UnknownField};
use crate::source::nearest::nearest_of;
use crate::source::progress::Progress;
use crate::source::rows::{Reading, read_table};

/// A lake that is being read.
pub(crate) struct Lake<'a> {
    pub(crate) folder: PathBuf,
    pub(crate) reading: Reading<'a>,
    pub(crate) warnings: Vec<UnknownField>,
}

impl<'a> Lake<'a> {
    /// The lake in `folder`.
    ///
    /// # Errors
    /// Returns an error if it cannot be listed, or has one table in two forms.
    pub(crate) fn open(folder: &Path, progress: &'a dyn Progress) -> Result<Self, CutError> {
        std::fs::read_dir(folder).map_err(|cause| CutError::Write(folder.to_owned(), cause))?;
        // Edges and evidence are read twice.
        let passes = [
            ("organizations", 1),
            ("members", 1),
            ("advocates", 1),
            ("intro_requests", 1),
            ("ghost_opportunities", 1),
            ("connections", 2),
            ("evidence", 2),
            ("people", 1),
            ("person_aliases", 1),
            ("companies", 1),
        ];
        let mut bytes = 0;
        for (table, passes) in passes {
            let file = find_rows(folder, table).map_err(CutError::Table)?;
            bytes += file.map_or(0, |file| file.bytes) * passes;
        }
        progress.total(bytes);
        let reading = Reading { progress, size: BlockSize::DEFAULT };
        Ok(Self { folder: folder.to_owned(), reading, warnings: Vec::new() })
    }

    /// Reads the table `L`: what `keep` says of a row goes to `take`. A table without a file is empty.
    ///
    /// # Errors
    /// Returns the faults of its rows.
    pub(crate) fn pass<const N: usize, L: LakeTable<N>, K: Send>(
        &mut self,
        keep: impl Fn(&[NamedCell<'_>; N]) -> Result<Option<K>, TableFault> + Sync,
        take: impl FnMut(K) -> Result<(), TableFault> + Sync,
    ) -> Result<(), CutError> {
        let Some(file) = find_rows(&self.folder, L::NAME).map_err(CutError::Table)? else { return Ok(()) };
        self.reading.progress.stage(L::NAME);
        let (mut faults, mut unknown) = (RowFaults::new(&[]), BTreeSet::new());
        let mut sieve = Sieve::<L, K, _, _>::new(keep, take);
        let end = read_table(&file, &mut sieve, self.reading, &mut faults, &mut unknown).err();
        end.into_iter().for_each(|fault| faults.push(fault));
        for field in unknown {
            let nearly = nearest_of(&field, L::FIELDS.iter().map(|column| column.name));
            let warning = UnknownField { table: file.name.clone(), field, nearly };
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        let mut all = FolderFaults::default();
        all.take_table(&file, faults);
        match all.check() {
            Ok(()) => Ok(()),
            Err(first) => {
                let warnings = std::mem::take(&mut self.warnings);
                Err(CutError::Faults(all.after(first, IgnoredFiles::default(), warnings)))
            }
        }
    }
}
