//! The only home of bincode: a section holds plain bincode, fixed width and little-endian, as its own `Vec` and tuple
//! types would write it.
//!
//! bincode's own decoder is not used for lists, because it sizes a list from a count that it has not compared with the
//! bytes left. [`Column`] compares them, then fills exactly as much memory as the count says.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use bincode::config::{Configuration, Fixint, LittleEndian, NoLimit};
use bincode::de::read::Reader;
use bincode::de::{BorrowDecode, BorrowDecoder, Decoder};
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
pub(crate) use bincode::{Decode, Encode};

use crate::model::count::OptionalCount;
use crate::model::ix::{CompanyIx, MemberIx, OptionalIx, PersonIx};
use crate::model::vectors::{DIMENSIONS, Quantized};
use crate::snapshot::checksum::Checksum;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::format::TABLE_BYTES_MAX;

const CONFIG: Configuration<LittleEndian, Fixint, NoLimit> =
    bincode::config::legacy().with_little_endian().with_fixed_int_encoding().with_no_limit();

/// Bytes passed from the reader to a column at a time; a multiple of every width.
const PIECE_BYTES: usize = 16 << 10;

/// Bytes left in a section: the reader lowers it, columns compare counts with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Left(Rc<Cell<u64>>);

/// One column of a record.
#[derive(Debug, Default)]
pub(crate) struct Column<T>(pub(crate) Vec<T>);

/// One row of the section table.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct TableEntry {
    /// The number of the section; 1 for the first.
    pub(crate) kind: u32,
    /// Its offset, in bytes from the start of the file.
    pub(crate) offset: u64,
    /// Its length in bytes.
    pub(crate) length: u64,
    /// The checksum of its bytes and its kind.
    pub(crate) checksum: Checksum,
}

/// Why bytes are not a record.
#[derive(Debug)]
pub(crate) enum RecordFault {
    /// The record needs this many bytes more than there are.
    Overrun(u64),
    /// The bytes could not be read, or there is not enough memory for them.
    Io(io::Error),
}

/// A value type that a column can hold.
pub(crate) trait Fixed: Sized + Copy + Encode + 'static {
    /// Appends the values in `bytes`, which hold whole ones.
    fn extend(values: &mut Vec<Self>, bytes: &[u8]);
}

impl Left {
    pub(crate) fn new(bytes: u64) -> Self {
        Self(Rc::new(Cell::new(bytes)))
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.get()
    }

    pub(crate) fn take(&self, bytes: usize) {
        self.0.set(self.0.get().saturating_sub(bytes as u64));
    }
}

/// Encodes `record`.
pub(crate) fn encode<R: Encode>(record: &R) -> Result<Vec<u8>, SnapshotError> {
    bincode::encode_to_vec(record, CONFIG)
        .map_err(|error| SnapshotError::Io { action: "encode", cause: io::Error::other(error) })
}

/// Decodes the record at the start of `bytes`; `left` is their number.
pub(crate) fn decode<R: Decode<Left>>(bytes: &mut impl Read, left: Left) -> Result<R, RecordFault> {
    bincode::decode_from_std_read_with_context(bytes, CONFIG, left).map_err(|error| match error {
        DecodeError::Io { inner, additional } if inner.kind() == io::ErrorKind::UnexpectedEof => {
            RecordFault::Overrun(additional as u64)
        }
        DecodeError::Io { inner, .. } => RecordFault::Io(inner),
        DecodeError::UnexpectedEnd { additional } => RecordFault::Overrun(additional as u64),
        other => RecordFault::Io(io::Error::other(other)), // no other fault is in numbers and columns
    })
}

/// Encodes the section table.
pub(crate) fn encode_table(table: &[TableEntry]) -> Result<Vec<u8>, SnapshotError> {
    encode(&table)
}

/// Decodes the section table in `bytes`, if they are one. Takes memory for at most [`TABLE_BYTES_MAX`], whatever its
/// count says.
pub(crate) fn decode_table(bytes: &[u8]) -> Option<Vec<TableEntry>> {
    let config = CONFIG.with_limit::<{ TABLE_BYTES_MAX as usize }>();
    let (table, used) = bincode::decode_from_slice(bytes, config).ok()?;
    (used == bytes.len()).then_some(table)
}

impl<T: Fixed> Encode for Column<T> {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        self.0.encode(encoder)
    }
}

impl<T: Fixed> Decode<Left> for Column<T> {
    fn decode<D: Decoder<Context = Left>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let count = u64::decode(decoder)?;
        let left = decoder.context().bytes();
        let size = count.saturating_mul(size_of::<T>() as u64);
        if size > left {
            let missing = usize::try_from(size - left).unwrap_or(usize::MAX);
            return Err(DecodeError::UnexpectedEnd { additional: missing });
        }
        let count = usize::try_from(count).map_err(|_| DecodeError::OutsideUsizeRange(count))?;
        let mut values = Vec::new();
        let no_memory = |error| DecodeError::Io { inner: io::Error::from(error), additional: 0 };
        values.try_reserve_exact(count).map_err(no_memory)?;
        let mut piece = [0; PIECE_BYTES];
        let mut missing = count * size_of::<T>();
        while missing > 0 {
            let piece = &mut piece[..missing.min(PIECE_BYTES)];
            decoder.reader().read(piece)?;
            T::extend(&mut values, piece);
            missing -= piece.len();
        }
        Ok(Self(values))
    }
}

// bincode's derive needs both kinds of decoding; only the one above is used.
impl<'de, T: Fixed> BorrowDecode<'de, Left> for Column<T> {
    fn borrow_decode<D: BorrowDecoder<'de, Context = Left>>(decoder: &mut D) -> Result<Self, DecodeError> {
        Self::decode(decoder)
    }
}

impl Fixed for u8 {
    fn extend(values: &mut Vec<Self>, bytes: &[u8]) {
        values.extend_from_slice(bytes);
    }
}

macro_rules! fixed {
    ($($Number:ty),+) => {$(
        impl Fixed for $Number {
            fn extend(values: &mut Vec<Self>, bytes: &[u8]) {
                let (numbers, _) = bytes.as_chunks();
                values.extend(numbers.iter().map(|&number| Self::from_le_bytes(number)));
            }
        }
    )+};
}

fixed!(u32, u64, i64);

/// Values that are each stored as a number.
macro_rules! fixed_as {
    ($($Value:ty as $Number:ty: $of:expr, $to:expr;)+) => {$(
        impl Encode for $Value {
            fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
                let to: fn($Value) -> $Number = $to;
                to(*self).encode(encoder)
            }
        }

        impl Fixed for $Value {
            fn extend(values: &mut Vec<Self>, bytes: &[u8]) {
                let of: fn($Number) -> $Value = $of;
                let (numbers, _) = bytes.as_chunks();
                values.extend(numbers.iter().map(|&number| of(<$Number>::from_le_bytes(number))));
            }
        }
    )+};
}

fixed_as! {
    PersonIx as u32: PersonIx, |person| person.0;
    CompanyIx as u32: CompanyIx, |company| company.0;
    MemberIx as u32: MemberIx, |member| member.0;
    OptionalIx<CompanyIx> as u32: OptionalIx::from_stored, OptionalIx::stored;
    OptionalIx<PersonIx> as u32: OptionalIx::from_stored, OptionalIx::stored;
    OptionalCount as u64: OptionalCount::from_stored, OptionalCount::stored;
}

impl Fixed for Quantized {
    fn extend(values: &mut Vec<Self>, bytes: &[u8]) {
        let (vectors, _) = bytes.as_chunks();
        values.extend(vectors.iter().map(|vector: &[u8; DIMENSIONS]| vector.map(u8::cast_signed)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Encode, Decode)]
    #[bincode(decode_context = "Left")]
    struct Record {
        bytes: Column<u8>,
        numbers: Column<u32>,
        times: Column<i64>,
    }

    fn decode_all(bytes: &[u8]) -> Result<Record, RecordFault> {
        struct Counted<'a>(&'a [u8], Left);
        impl Read for Counted<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let taken = self.0.read(buffer)?;
                self.1.take(taken);
                Ok(taken)
            }
        }
        let left = Left::new(bytes.len() as u64);
        decode(&mut Counted(bytes, left.clone()), left)
    }

    fn sample() -> Record {
        let numbers = (0..10_000).map(|n: u32| n.wrapping_mul(0x9E37_79B9)).collect();
        Record {
            bytes: Column(b"abc".to_vec()),
            numbers: Column(numbers),
            times: Column(vec![-1, i64::MIN, i64::MAX]),
        }
    }

    #[test]
    fn columns_are_what_bincode_itself_makes_of_lists() -> Result<(), Box<dyn std::error::Error>> {
        let bytes = encode(&sample())?;
        type Plain = (Vec<u8>, Vec<u32>, Vec<i64>);
        let (plain, used): (Plain, usize) = bincode::decode_from_slice(&bytes, CONFIG)?;
        assert_eq!(
            (&plain.0, &plain.1, &plain.2),
            (&sample().bytes.0, &sample().numbers.0, &sample().times.0)
        );
        assert_eq!(used, bytes.len());
        let decoded = decode_all(&bytes).map_err(|fault| format!("{fault:?}"))?;
        assert_eq!((decoded.bytes.0, decoded.numbers.0, decoded.times.0), plain);
        Ok(())
    }

    #[test]
    fn columns_take_exactly_the_memory_of_their_values() -> Result<(), SnapshotError> {
        let decoded = decode_all(&encode(&sample())?);
        assert!(decoded.is_ok_and(|record| record.numbers.0.capacity() == record.numbers.0.len()));
        Ok(())
    }

    #[test]
    fn counts_beyond_the_bytes_are_refused_before_memory_is_taken() {
        let no_bytes = 0_u64.to_le_bytes(); // the first column, empty: then the count is one of u32
        for (before, count, rest, missing) in [
            (&[][..], u64::MAX, 0_usize, u64::MAX),
            (&[], 1 << 40, 8, (1 << 40) - 8),
            (&[], 9, 8, 1),
            (&no_bytes, u64::MAX, 0, u64::MAX),
            (&no_bytes, u64::MAX / 4 + 1, 0, u64::MAX), // four times this is 0 in 64 bits
            (&no_bytes, 3, 8, 4),
        ] {
            let bytes = [before, &count.to_le_bytes(), &vec![0; rest]].concat();
            let fault = decode_all(&bytes);
            assert!(
                matches!(fault, Err(RecordFault::Overrun(said)) if said == missing),
                "{count}: {fault:?}"
            );
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_file_that_ends_early() {
        struct Broken(io::ErrorKind);
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::from(self.0))
            }
        }
        let read = |kind| decode::<Record>(&mut Broken(kind), Left::new(64));
        let denied = read(io::ErrorKind::PermissionDenied);
        assert!(
            matches!(&denied, Err(RecordFault::Io(error)) if error.kind() == io::ErrorKind::PermissionDenied),
            "{denied:?}"
        );
        let ended = read(io::ErrorKind::UnexpectedEof);
        assert!(matches!(ended, Err(RecordFault::Overrun(_))), "{ended:?}");
    }

    #[test]
    fn a_table_with_a_hostile_count_or_trailing_bytes_is_none() -> Result<(), SnapshotError> {
        let entry = TableEntry { kind: 1, offset: 64, length: 8, checksum: [7; 32] };
        let mut bytes = encode_table(&[entry.clone(), entry.clone()])?;
        assert_eq!(decode_table(&bytes), Some(vec![entry.clone(), entry]));
        bytes.push(0);
        assert_eq!(decode_table(&bytes), None);
        bytes.pop();
        bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(decode_table(&bytes), None);
        Ok(())
    }
}
