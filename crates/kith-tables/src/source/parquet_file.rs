//! Splits Parquet files into blocks of columns: some rows of one row group at a time, never a whole column.
//!
//! The parts of a table are read in the order of their names. A row's number includes its part ([`row_number`]), so
//! that a fault in one part can refer to a row of another.

use std::cell::Cell;
use std::fs::File;
use std::io::{Read, Seek};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::progress::Progress;
use crate::source::blocks::BlockSize;
use crate::source::error::{Reason, TableFault, echo};
use crate::source::fields::TableColumn;
use crate::source::folder::{TableFile, TablePart};
use crate::source::parquet_rows::{ColumnBlock, ColumnValues, ParquetColumn, row_number};
use crate::source::parquet_schema::{ColumnKind, PartSchema};

/// Maximum rows of a block; fewer for long rows.
const BLOCK_ROWS_MAX: usize = 8192;
/// The first bytes of each Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// Reads the parts of a table with `N` columns.
pub(crate) struct PartReader<'a, const N: usize> {
    file: &'a TableFile,
    columns: &'static [TableColumn; N],
    size: BlockSize,
    progress: &'a dyn Progress,
    next: usize,
    open: Option<OpenPart<N>>,
}

/// A part that is being read.
struct OpenPart<const N: usize> {
    reader: SerializedFileReader<File>,
    schema: PartSchema<N>,
    /// Its index among the parts.
    part: usize,
    next_group: usize,
    readers: [Option<ColumnReader>; N],
    /// Unread rows of the row group.
    rows_left: usize,
    /// The number of rows per block.
    block_rows: usize,
    /// The rows read before, in all row groups.
    rows_read: u64,
    /// Bytes of the file not yet reported as read.
    bytes_left: u64,
}

impl<'a, const N: usize> PartReader<'a, N> {
    /// Reads `file`, whose table has the columns `columns`, in blocks of about the size `size`.
    pub(crate) fn new(
        file: &'a TableFile,
        columns: &'static [TableColumn; N],
        size: BlockSize,
        progress: &'a dyn Progress,
    ) -> Self {
        Self { file, columns, size, progress, next: 0, open: None }
    }

    /// The next block; `None` after the last. The first block of each part has no rows and describes its columns.
    ///
    /// # Errors
    /// Returns an error if a part cannot be read.
    pub(crate) fn next_block(&mut self) -> Result<Option<ColumnBlock<N>>, TableFault> {
        let at = |number| move |reason: Reason| TableFault::from(reason).at(row_number(number, 0));
        if let Some(part) = &mut self.open {
            let block = guarded(|| part.next_rows(self.size, self.progress)).map_err(at(part.part))?;
            if block.is_some() {
                return Ok(block);
            }
            self.progress.advance(part.bytes_left);
            self.open = None;
        }
        let Some(file) = self.file.parts.get(self.next) else { return Ok(None) };
        let number = self.next;
        self.next += 1;
        self.start(file, number).map(Some).map_err(at(number))
    }

    fn start(&mut self, file: &TablePart, part: usize) -> Result<ColumnBlock<N>, Reason> {
        let reader = open(file)?;
        let mut schema = guarded(|| {
            let schema = reader.metadata().file_metadata().schema_descr_ptr();
            Ok(PartSchema::new(&schema, self.columns))
        })?;
        let mut head = ColumnBlock::head(row_number(part, 0));
        head.unknown = std::mem::take(&mut schema.unknown);
        head.faults = std::mem::take(&mut schema.faults);
        if head.faults.is_empty() {
            let readers = std::array::from_fn(|_| None);
            let (next_group, rows_left, block_rows, rows_read) = (0, 0, 1, 0);
            let bytes_left = file.bytes;
            self.open = Some(OpenPart {
                reader,
                schema,
                part,
                next_group,
                readers,
                rows_left,
                block_rows,
                rows_read,
                bytes_left,
            });
        } else {
            self.progress.advance(file.bytes);
        }
        Ok(head)
    }
}

impl<const N: usize> OpenPart<N> {
    fn next_rows(
        &mut self,
        size: BlockSize,
        progress: &dyn Progress,
    ) -> Result<Option<ColumnBlock<N>>, ParquetError> {
        while self.rows_left == 0 {
            if self.next_group == self.reader.num_row_groups() {
                return Ok(None);
            }
            self.start_group(size, progress)?;
        }
        let rows = self.rows_left.min(self.block_rows);
        let mut block = ColumnBlock::head(row_number(self.part, self.rows_read + 1));
        block.rows = rows;
        for (place, reader) in self.readers.iter_mut().enumerate() {
            if let (Some(reader), Some((_, kind))) = (reader, self.schema.leaves[place]) {
                block.columns[place] = Some(read_column(reader, rows, kind)?);
            }
        }
        self.rows_left -= rows;
        self.rows_read += rows as u64;
        Ok(Some(block))
    }

    fn start_group(&mut self, size: BlockSize, progress: &dyn Progress) -> Result<(), ParquetError> {
        let group = self.reader.get_row_group(self.next_group)?;
        self.next_group += 1;
        let metadata = group.metadata();
        self.rows_left = usize::try_from(metadata.num_rows())
            .map_err(|_| ParquetError::General("a row group has a negative number of rows".to_owned()))?;
        let row_bytes = usize::try_from(metadata.total_byte_size()).unwrap_or(0) / self.rows_left.max(1);
        self.block_rows = (size.block_bytes / row_bytes.max(1)).clamp(1, BLOCK_ROWS_MAX);
        let bytes = u64::try_from(metadata.compressed_size()).unwrap_or(0).min(self.bytes_left);
        self.bytes_left -= bytes;
        progress.advance(bytes);
        for (place, leaf) in self.schema.leaves.iter().enumerate() {
            self.readers[place] = leaf.map(|(leaf, _)| group.get_column_reader(leaf)).transpose()?;
        }
        Ok(())
    }
}

/// Opens the part `file` and reads its footer.
fn open(file: &TablePart) -> Result<SerializedFileReader<File>, Reason> {
    let mut head = Vec::new();
    let mut opened = File::open(&file.path).map_err(Reason::Unreadable)?;
    (&mut opened).take(MAGIC.len() as u64).read_to_end(&mut head).map_err(Reason::Unreadable)?;
    if head != MAGIC {
        return Err(Reason::NotParquet);
    }
    opened.rewind().map_err(Reason::Unreadable)?;
    guarded(|| SerializedFileReader::new(opened))
}

thread_local! {
    /// Whether a panic of this thread is a fault of a file rather than of the program.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// The result of `read`. A panic of the library, which should not happen, becomes a fault and prints nothing to stderr.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Reason> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                report(panic);
            }
        }));
    });
    IS_GUARDED.set(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    match read {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(Reason::DamagedParquet(sentence(&error))),
        Err(_) => Err(Reason::DamagedParquet("its parts do not fit together".to_owned())),
    }
}

/// The library's message on one line.
fn sentence(error: &ParquetError) -> String {
    let said = match error {
        ParquetError::General(said) | ParquetError::EOF(said) => said.clone(),
        other => other.to_string(),
    };
    echo(&said)
}

fn read_column(
    reader: &mut ColumnReader,
    rows: usize,
    kind: ColumnKind,
) -> Result<ParquetColumn, ParquetError> {
    let mut levels = Vec::new();
    let values = match reader {
        ColumnReader::BoolColumnReader(reader) => ColumnValues::Flags(records(reader, rows, &mut levels)?),
        ColumnReader::Int32ColumnReader(reader) => ColumnValues::Small(records(reader, rows, &mut levels)?),
        ColumnReader::Int64ColumnReader(reader) => ColumnValues::Large(records(reader, rows, &mut levels)?),
        ColumnReader::FloatColumnReader(reader) => ColumnValues::Singles(records(reader, rows, &mut levels)?),
        ColumnReader::DoubleColumnReader(reader) => {
            ColumnValues::Doubles(records(reader, rows, &mut levels)?)
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            ColumnValues::Texts(records(reader, rows, &mut levels)?)
        }
        _ => return Err(ParquetError::General("a column changed its type".to_owned())),
    };
    Ok(ParquetColumn { values, levels, kind })
}

/// The values of the next `rows` rows; `levels` is set to whether each row has a value, unless the column is
/// required.
fn records<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    levels: &mut Vec<i16>,
) -> Result<Vec<T::T>, ParquetError> {
    let mut values = Vec::new();
    let (read, ..) = reader.read_records(rows, Some(levels), None, &mut values)?;
    if read == rows { Ok(values) } else { Err(ParquetError::General("a column ends too early".to_owned())) }
}
