//! Writes one table: a JSON object per line, compressed as planned.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;
use flate2::{Compression as GzipLevel, GzBuilder};
use serde::Serialize;

use crate::folder::at_path;
use crate::plan::Compression;
use kith_tables::progress::Progress;

/// Bytes buffered before a write.
const BUFFER_BYTES: usize = 1 << 18;
/// Rows between two reports of progress.
const ROWS_REPORTED: u64 = 8_192;

/// Writes the rows of one table.
pub(crate) struct TableWriter<'a> {
    progress: &'a dyn Progress,
    path: PathBuf,
    packer: Packer,
    line: Vec<u8>,
    rows: u64,
}

enum Packer {
    None(BufWriter<File>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
    Zstd(Box<zstd::Encoder<'static, BufWriter<File>>>),
}

impl<'a> TableWriter<'a> {
    /// Creates an empty table `name` in `folder`.
    pub(crate) fn create(
        folder: &Path,
        name: &str,
        compression: Compression,
        progress: &'a dyn Progress,
    ) -> io::Result<Self> {
        let path = folder.join(format!("{name}{}", compression.suffix()));
        let file = BufWriter::with_capacity(
            BUFFER_BYTES,
            File::create(&path).map_err(|error| at_path(&path, &error))?,
        );
        let packer = match compression {
            Compression::None => Packer::None(file),
            Compression::Gzip => {
                Packer::Gzip(Box::new(GzBuilder::new().mtime(0).write(file, GzipLevel::best())))
            }
            Compression::Zstd => Packer::Zstd(Box::new(zstd::Encoder::new(file, 3)?)),
        };
        Ok(Self { progress, path, packer, line: Vec::with_capacity(1024), rows: 0 })
    }

    /// Writes one row.
    pub(crate) fn row(&mut self, row: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, row)?;
        self.line.push(b'\n');
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_REPORTED) {
            self.progress.advance(ROWS_REPORTED);
        }
        match &mut self.packer {
            Packer::None(file) => file.write_all(&self.line),
            Packer::Gzip(file) => file.write_all(&self.line),
            Packer::Zstd(file) => file.write_all(&self.line),
        }
    }

    /// Writes the remaining rows and returns their total number. A table without rows gets no file: a missing table is
    /// an empty one.
    pub(crate) fn finish(self) -> io::Result<u64> {
        match self.packer {
            Packer::None(file) => file,
            Packer::Gzip(file) => file.finish()?,
            Packer::Zstd(file) => file.finish()?,
        }
        .flush()?;
        if self.rows == 0 {
            fs::remove_file(&self.path)?;
        }
        Ok(self.rows)
    }
}
