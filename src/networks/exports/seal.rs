//! Bytes sealed in chunks, so that a file of any length is written and read in little memory.
//!
//! A sealed file is a mark, a salt, and chunks of 64 KiB, each with its tag (AES-256-GCM). Its key is derived from that of the
//! folder, the salt and the place of the file, so that no file opens in the place of another. A chunk's nonce is its number and
//! whether it is the last: none can be left out, moved or put behind the end.
//!
//! Promise: Sealed bytes show no text, and what was cut, reordered, exchanged or changed is refused.
//! Control: the same bytes whole and in their order, by their key and in their place.

use std::fmt;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;

use crate::auth::secret;
use crate::exports::error::ExportsError;
use crate::file_system::{Use, others_may};

/// The first bytes of a sealed file.
const MARK: &[u8; 8] = b"kith-ex1";
/// Bytes of a salt, and of the key.
const KEY_BYTES: usize = 32;
/// Bytes of a whole chunk before it is sealed.
const CHUNK_BYTES: usize = 64 << 10;
/// Bytes of a chunk's tag.
const TAG_BYTES: usize = 16;

/// The key that opens what lies in the folder.
pub struct ExportsKey(hmac::Key);

impl fmt::Debug for ExportsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExportsKey(withheld)")
    }
}

/// Random bytes.
///
/// # Errors
/// Returns an error if the system has none.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], ExportsError> {
    secret::random().map_err(ExportsError::Random)
}

impl ExportsKey {
    /// Reads the key in the file at `path`.
    ///
    /// # Errors
    /// Returns an error if there is none, or others than its owner may read it.
    pub fn read(path: &Path) -> Result<Self, ExportsError> {
        let read = kith::regular_file::read(path, KEY_BYTES);
        let bytes =
            read.map_err(|fault| ExportsError::unreadable(path)(io::Error::other(fault.to_string())))?.bytes;
        let found = fs::metadata(path).map_err(ExportsError::unreadable(path))?;
        if others_may(Use::Any, path, &found) {
            return Err(ExportsError::OpenToOthers { path: path.to_owned() });
        }
        let key: [u8; KEY_BYTES] =
            bytes.try_into().map_err(|_| ExportsError::NotAKey { path: path.to_owned() })?;
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &key)))
    }

    /// The key of the file at `place` with this salt.
    fn of_file(&self, salt: &[u8; KEY_BYTES], place: &str) -> io::Result<LessSafeKey> {
        let derived = hmac::sign(&self.0, &[MARK, salt.as_slice(), place.as_bytes()].concat());
        let key = UnboundKey::new(&AES_256_GCM, derived.as_ref());
        key.map(LessSafeKey::new).map_err(|_| io::Error::other("no key can be derived"))
    }

    /// Seals what is written into `to`, for the file at `place`.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness, or it cannot be written.
    pub(crate) fn seal<W: Write>(&self, mut to: W, place: &str) -> io::Result<Sealing<W>> {
        let salt = random().map_err(io::Error::other)?;
        to.write_all(MARK)?;
        to.write_all(&salt)?;
        Ok(Sealing {
            to,
            key: self.of_file(&salt, place)?,
            chunk: Vec::with_capacity(CHUNK_BYTES + TAG_BYTES),
            number: 0,
        })
    }

    /// Opens the file at `place` that `from` holds.
    ///
    /// # Errors
    /// Returns an error if it is no sealed file.
    pub(crate) fn open<R: Read>(&self, from: R, place: &str) -> io::Result<Unsealing<R>> {
        let mut from = BufReader::with_capacity(CHUNK_BYTES, from);
        let (mut mark, mut salt) = ([0; MARK.len()], [0; KEY_BYTES]);
        from.read_exact(&mut mark)?;
        from.read_exact(&mut salt)?;
        if mark != *MARK {
            return Err(broken());
        }
        let key = self.of_file(&salt, place)?;
        Ok(Unsealing { from, key, chunk: Vec::new(), at: 0, number: 0, is_over: false })
    }
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it was cut or changed, or its key is another one")
}

/// The nonce of the chunk `number`.
fn nonce(number: u64, is_last: bool) -> Nonce {
    let mut bytes = [0; NONCE_LEN];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    bytes[8] = is_last.into();
    Nonce::assume_unique_for_key(bytes)
}

/// Seals what is written; [`Self::finish`] seals the last chunk.
pub(crate) struct Sealing<W> {
    to: W,
    key: LessSafeKey,
    chunk: Vec<u8>,
    number: u64,
}

impl<W: Write> Sealing<W> {
    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        let sealed =
            self.key.seal_in_place_append_tag(nonce(self.number, is_last), Aad::empty(), &mut self.chunk);
        sealed.map_err(|_| io::Error::other("it cannot be sealed"))?;
        self.to.write_all(&self.chunk)?;
        self.chunk.clear();
        self.number += 1;
        Ok(())
    }

    /// Seals the last chunk. Returns what was written to.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.to)
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A whole chunk waits for what follows: it may be the last.
        if self.chunk.len() == CHUNK_BYTES && !bytes.is_empty() {
            self.seal(false)?;
        }
        let taken = bytes.len().min(CHUNK_BYTES - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads what was sealed.
pub(crate) struct Unsealing<R> {
    from: BufReader<R>,
    key: LessSafeKey,
    chunk: Vec<u8>,
    at: usize,
    number: u64,
    is_over: bool,
}

impl<R: Read> Unsealing<R> {
    fn next_chunk(&mut self) -> io::Result<()> {
        self.chunk.clear();
        self.at = 0;
        Read::by_ref(&mut self.from).take((CHUNK_BYTES + TAG_BYTES) as u64).read_to_end(&mut self.chunk)?;
        self.is_over = self.from.fill_buf()?.is_empty();
        let opened = self.key.open_in_place(nonce(self.number, self.is_over), Aad::empty(), &mut self.chunk);
        let length = opened.map_err(|_| broken())?.len();
        self.chunk.truncate(length);
        self.number += 1;
        Ok(())
    }
}

impl<R: Read> Read for Unsealing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.chunk.len() {
            if self.is_over {
                return Ok(0);
            }
            self.next_chunk()?;
        }
        let taken = buffer.len().min(self.chunk.len() - self.at);
        buffer[..taken].copy_from_slice(&self.chunk[self.at..self.at + taken]);
        self.at += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of the mark and the salt.
    const HEAD_BYTES: usize = MARK.len() + KEY_BYTES;

    fn key(byte: u8) -> ExportsKey {
        ExportsKey(hmac::Key::new(hmac::HMAC_SHA256, &[byte; KEY_BYTES]))
    }

    fn sealed(text: &[u8]) -> Vec<u8> {
        let mut sealing = key(1).seal(Vec::new(), "a").unwrap();
        // In pieces of another length than chunks.
        text.chunks(1_000).for_each(|piece| sealing.write_all(piece).unwrap());
        sealing.finish().unwrap()
    }

    fn opened(key: &ExportsKey, place: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        key.open(bytes, place).ok()?.read_to_end(&mut text).ok().map(|_| text)
    }

    #[test]
    fn what_is_sealed_opens_whole_whatever_its_length_and_shows_no_text() {
        for length in [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES] {
            let text: Vec<u8> = b"Fay Lind,fay@lind.example\n".iter().copied().cycle().take(length).collect();
            let bytes = sealed(&text);
            assert_eq!(opened(&key(1), "a", &bytes).as_deref(), Some(&*text), "{length}");
            assert!(!bytes.windows(8).any(|window| window == b"Fay Lind"), "{length}");
        }
    }

    #[test]
    fn what_was_cut_reordered_exchanged_or_changed_is_refused() {
        let whole = sealed(&[7; 3 * CHUNK_BYTES + 5]);
        let chunk = CHUNK_BYTES + TAG_BYTES;
        let (head, chunks) = whole.split_at(HEAD_BYTES);
        let parts: Vec<&[u8]> = chunks.chunks(chunk).collect();
        assert_eq!(parts.len(), 4);
        let of = |order: &[usize]| -> Vec<u8> {
            [head].into_iter().chain(order.iter().map(|part| parts[*part])).collect::<Vec<_>>().concat()
        };
        let is_good = |bytes: &[u8]| opened(&key(1), "a", bytes).is_some();
        // The control: the chunks as they were.
        assert!(is_good(&of(&[0, 1, 2, 3])));
        for order in
            [&[0, 1, 2][..], &[0], &[], &[1, 0, 2, 3], &[0, 2, 3], &[0, 1, 2, 3, 3], &[0, 1, 2, 2, 3]]
        {
            assert!(!is_good(&of(order)), "{order:?}");
        }
        for at in [0, MARK.len(), HEAD_BYTES, whole.len() - 1] {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert!(!is_good(&changed), "byte {at}");
            assert!(!is_good(&whole[..at]), "{at} bytes");
        }
        assert!(opened(&key(2), "a", &whole).is_none(), "another key");
        assert!(opened(&key(1), "b", &whole).is_none(), "another place");
    }
}
