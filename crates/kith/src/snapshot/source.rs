//! A snapshot's bytes in a file or in memory, read at any offset by any thread.

use std::fs::File;
use std::io;

use crate::file_system;

/// Bytes that can be read at any offset.
pub(crate) trait ByteSource: Sync {
    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// Returns an error if there are too few, or the system refuses.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
}

impl ByteSource for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        file_system::read_exact_at(self, buffer, offset)
    }
}

impl ByteSource for [u8] {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let bytes = usize::try_from(offset).ok().and_then(|start| self.get(start..));
        let bytes = bytes.and_then(|rest| rest.get(..buffer.len())).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}
