//! The folders that a cut writes: each takes its name when all of them are whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::source::cut::asked::AskedOrganizations;
use crate::source::cut::error::CutError;
use crate::source::cut::marks::Mask;
use crate::source::cut::report::CutOrganization;
use crate::source::folder::table_of;

/// The folders that are being written.
pub(crate) struct Folders {
    all: Vec<OrganizationFolder>,
    /// The first write that failed; nothing is written after it.
    failed: Option<(PathBuf, io::Error)>,
}

struct OrganizationFolder {
    id: String,
    /// The folder that is written, which no one reads.
    staged: PathBuf,
    /// The folder that takes its place.
    path: PathBuf,
    file: Option<BufWriter<File>>,
    rows: Vec<(&'static str, u64)>,
}

impl Folders {
    /// A folder of `out` for each organization, with its own row in it.
    ///
    /// # Errors
    /// Returns an error if one of them holds what is no table, or cannot be made.
    pub(crate) fn new(out: &Path, asked: &AskedOrganizations) -> Result<Self, CutError> {
        let mut all = Vec::new();
        for organization in &asked.organizations {
            let id = organization.id.clone();
            let (staged, path) = (out.join(format!(".{id}.new")), out.join(&id));
            check_tables(&path)?;
            make_empty(&staged).map_err(|cause| CutError::Write(staged.clone(), cause))?;
            let file = staged.join("organization.json");
            fs::write(&file, format!("{}\n", organization.line))
                .map_err(|cause| CutError::Write(file.clone(), cause))?;
            all.push(OrganizationFolder { id, staged, path, file: None, rows: Vec::new() });
        }
        Ok(Self { all, failed: None })
    }

    /// Begins the table `table` in each folder.
    ///
    /// # Errors
    /// Returns an error if the one before could not be written, or if this one cannot be.
    pub(crate) fn begin(&mut self, table: &'static str) -> Result<(), CutError> {
        self.end()?;
        for folder in &mut self.all {
            let path = folder.staged.join(format!("{table}.ndjson"));
            let file = File::create(&path).map_err(|cause| CutError::Write(path.clone(), cause))?;
            folder.file = Some(BufWriter::new(file));
            folder.rows.push((table, 0));
        }
        Ok(())
    }

    /// Writes `line` to the table of the organizations `mask`. What fails is returned at the end of the table.
    pub(crate) fn write(&mut self, mask: Mask, line: &str) {
        let mut left = mask;
        while left != 0 && self.failed.is_none() {
            let folder = &mut self.all[left.trailing_zeros() as usize];
            left &= left - 1;
            if let (Some(file), Some((_, rows))) = (&mut folder.file, folder.rows.last_mut()) {
                *rows += 1;
                let written = file.write_all(line.as_bytes()).and_then(|()| file.write_all(b"\n"));
                self.failed = written.err().map(|cause| (folder.staged.clone(), cause));
            }
        }
    }

    fn end(&mut self) -> Result<(), CutError> {
        if let Some((path, cause)) = self.failed.take() {
            return Err(CutError::Write(path, cause));
        }
        for folder in &mut self.all {
            let Some(file) = folder.file.take() else { continue };
            let ended = file.into_inner().map_err(io::IntoInnerError::into_error);
            ended
                .and_then(|file| file.sync_all())
                .map_err(|cause| CutError::Write(folder.staged.clone(), cause))?;
        }
        Ok(())
    }

    /// Ends the last table and gives each folder its name.
    ///
    /// # Errors
    /// Returns an error if a folder cannot take its name.
    pub(crate) fn put_in_place(mut self) -> Result<Vec<CutOrganization>, CutError> {
        self.end()?;
        for folder in &self.all {
            let put = || {
                if folder.path.exists() {
                    fs::remove_dir_all(&folder.path)?;
                }
                fs::rename(&folder.staged, &folder.path)
            };
            put().map_err(|cause| CutError::Write(folder.path.clone(), cause))?;
        }
        let cut = |folder: OrganizationFolder| CutOrganization {
            id: folder.id,
            folder: folder.path,
            rows: folder.rows,
        };
        Ok(std::mem::take(&mut self.all).into_iter().map(cut).collect())
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in &self.all {
            // A folder that stays is emptied by the next cut.
            let _ = fs::remove_dir_all(&folder.staged);
        }
    }
}

/// Checks that `folder`, if it is there, holds tables alone, so that it may be replaced.
fn check_tables(folder: &Path) -> Result<(), CutError> {
    let entries = match fs::read_dir(folder) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|cause| CutError::Write(folder.to_owned(), cause))?,
    };
    for entry in entries {
        let name = entry.map_err(|cause| CutError::Write(folder.to_owned(), cause))?.file_name();
        let name = name.to_string_lossy();
        if table_of(&name).is_none() {
            return Err(CutError::Occupied(folder.to_owned(), name.into_owned()));
        }
    }
    Ok(())
}

fn make_empty(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
        _ => {}
    }
    fs::create_dir_all(folder)
}
