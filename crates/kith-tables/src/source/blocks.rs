//! Splits table files into blocks of whole lines, unpacking them as they are read, never a whole table at once.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use crate::limits::LINE_BYTES_MAX;
use crate::progress::Progress;
use crate::source::error::{Reason, TableFault};
use crate::source::folder::{Format, Packing, TableFile};

/// The size of the part of a table that is held at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// Approximate bytes per block; a longer line makes a longer block.
    pub block_bytes: usize,
    /// Maximum length of a line or CSV record, in bytes.
    pub line_bytes_max: usize,
}

impl BlockSize {
    /// The default of production; tests use smaller blocks, so that a few lines fill many.
    pub const DEFAULT: Self = Self { block_bytes: 2 << 20, line_bytes_max: LINE_BYTES_MAX };
}

/// Whole lines of a table; for CSV, whole records.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The line number of the block's first line, from 1.
    pub(crate) first_line: u64,
}

/// Splits a table file into blocks.
pub(crate) struct Cutter<'a> {
    input: Box<dyn Read + Send + 'a>,
    format: Format,
    packing: Packing,
    size: BlockSize,
    /// Bytes read and not in a block yet; they begin with line `line`.
    rest: Vec<u8>,
    line: u64,
    /// Nothing more can be read: the file ended, or reading failed with `fault`.
    ended: bool,
    fault: Option<TableFault>,
}

/// The point at which a block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// After its first non-empty line.
    FirstLine,
    /// After the last line read.
    LastLine,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Counts the bytes read from disk.
struct Watched<'a> {
    file: File,
    progress: &'a dyn Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.progress.advance(read as u64);
        Ok(read)
    }
}

/// Asks a decoder for the same number of bytes each time: how much of a damaged file is unpacked before the fault is
/// found does not depend on the block size.
struct EvenReads<R>(BufReader<R>);

impl<R: Read> Read for EvenReads<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let unpacked = self.0.fill_buf()?;
        let length = unpacked.len().min(buffer.len());
        buffer[..length].copy_from_slice(&unpacked[..length]);
        self.0.consume(length);
        Ok(length)
    }
}

impl<'a> Cutter<'a> {
    /// Opens `file`, skipping a byte order mark at its start.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, or its first bytes cannot be read.
    pub(crate) fn open(
        file: &TableFile,
        size: BlockSize,
        progress: &'a dyn Progress,
    ) -> Result<Self, TableFault> {
        let watched = Watched { file: File::open(&file.path).map_err(Reason::Unreadable)?, progress };
        let input: Box<dyn Read + Send + 'a> = match file.packing {
            Packing::Plain => Box::new(watched),
            Packing::Gzip => Box::new(EvenReads(BufReader::new(flate2::read::MultiGzDecoder::new(watched)))),
            Packing::Zstd => Box::new(zstd::stream::read::Decoder::new(watched).map_err(Reason::Damaged)?),
        };
        let size = BlockSize { block_bytes: size.block_bytes.max(BYTE_ORDER_MARK.len()), ..size };
        let (format, packing) = (file.format, file.packing);
        let mut cutter =
            Self { input, format, packing, size, rest: Vec::new(), line: 1, ended: false, fault: None };
        cutter.fill(size.block_bytes);
        if cutter.rest.starts_with(BYTE_ORDER_MARK) {
            cutter.rest.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(cutter)
    }

    /// The next block; `None` at the end of the file.
    ///
    /// # Errors
    /// Returns an error if reading fails, after all whole lines before that, or if a line is too long.
    pub(crate) fn next_block(&mut self) -> Result<Option<Block>, TableFault> {
        self.next(End::LastLine)
    }

    /// The next non-empty line (in CSV the next record) and the empty ones before it; `None` at the end of the file.
    ///
    /// # Errors
    /// Returns the errors of [`Self::next_block`].
    pub(crate) fn next_line(&mut self) -> Result<Option<Block>, TableFault> {
        self.next(End::FirstLine)
    }

    /// The whole file, which is one JSON object.
    ///
    /// # Errors
    /// Returns an error if reading fails, or the file is longer than the maximum length of a line.
    pub(crate) fn whole(mut self) -> Result<Vec<u8>, TableFault> {
        self.fill(self.size.line_bytes_max.saturating_add(1));
        match self.fault {
            Some(fault) => Err(fault),
            None if !self.ended => Err(Reason::LineTooLong(self.size.line_bytes_max).into()),
            None => Ok(self.rest),
        }
    }

    fn next(&mut self, end: End) -> Result<Option<Block>, TableFault> {
        let mut wanted = self.size.block_bytes;
        loop {
            self.fill(wanted);
            if let Some(end) = self.find_end(end) {
                return Ok(Some(self.cut(end)));
            }
            if self.ended {
                return self.fault.take().map_or(Ok(None), Err);
            }
            if self.rest.len() > self.size.line_bytes_max {
                self.ended = true;
                self.rest.clear();
                return Err(TableFault::from(Reason::LineTooLong(self.size.line_bytes_max)).at(self.line));
            }
            wanted = self.rest.len() + self.size.block_bytes;
        }
    }

    fn find_end(&self, end: End) -> Option<usize> {
        let whole = Some(self.rest.len()).filter(|&end| end > 0 && self.ended && self.fault.is_none());
        match end {
            End::FirstLine => first_line_end(self.format, &self.rest).or(whole),
            End::LastLine => whole.or_else(|| last_line_end(self.format, &self.rest)),
        }
    }

    /// Reads until at least `wanted` bytes are not in a block, or the file ends.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.rest.len());
        if self.ended || missing == 0 {
            return;
        }
        match (&mut self.input).take(missing as u64).read_to_end(&mut self.rest) {
            Ok(read) => self.ended = read < missing,
            Err(cause) => {
                self.ended = true;
                let reason = match self.packing {
                    Packing::Plain => Reason::Unreadable(cause),
                    Packing::Gzip | Packing::Zstd => Reason::Damaged(cause),
                };
                self.fault = Some(reason.into());
            }
        }
    }

    fn cut(&mut self, end: usize) -> Block {
        let mut rest = Vec::with_capacity(self.rest.len() - end + self.size.block_bytes);
        rest.extend_from_slice(&self.rest[end..]);
        self.rest.truncate(end);
        let block = Block { bytes: std::mem::replace(&mut self.rest, rest), first_line: self.line };
        self.line += line_ends(&block.bytes);
        block
    }
}

/// Counts the line ends in `bytes`.
pub(crate) fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// The end of the last whole line of `bytes`. In CSV a line end inside quotes does not count: `bytes` begin outside
/// quotes, so a position after an even number of them is outside.
pub(crate) fn last_line_end(format: Format, bytes: &[u8]) -> Option<usize> {
    if format != Format::Csv {
        return bytes.iter().rposition(|&byte| byte == b'\n').map(|at| at + 1);
    }
    let mut quoted = bytes.iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
    let at = bytes.iter().rposition(|&byte| {
        quoted ^= byte == b'"';
        byte == b'\n' && !quoted
    });
    at.map(|at| at + 1)
}

/// The end of the first non-empty line of `bytes`; quotes as in [`last_line_end`].
fn first_line_end(format: Format, bytes: &[u8]) -> Option<usize> {
    let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'))?;
    let mut quoted = false;
    let length = bytes[start..].iter().position(|&byte| {
        quoted ^= byte == b'"' && format == Format::Csv;
        byte == b'\n' && !quoted
    });
    length.map(|length| start + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_outside_quotes_in_csv_and_anywhere_else() {
        for (bytes, format, first, last) in [
            ("a\nb\nc", Format::Ndjson, Some(2), Some(4)),
            ("a\"\nb\n\"c", Format::Ndjson, Some(3), Some(5)),
            ("a,\"\n\"\nb\n\"\n", Format::Csv, Some(6), Some(8)),
            ("a,\"\"\"\n\"\n", Format::Csv, Some(8), Some(8)),
            ("a,\"\n", Format::Csv, None, None),
            ("\r\n\na\nb\n", Format::Csv, Some(5), Some(7)),
            ("\n\n", Format::Csv, None, Some(2)),
            ("", Format::Csv, None, None),
        ] {
            let found = (first_line_end(format, bytes.as_bytes()), last_line_end(format, bytes.as_bytes()));
            assert_eq!(found, (first, last), "{bytes:?}");
        }
    }
}
