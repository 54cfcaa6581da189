//! What can be wrong with a snapshot's content: bytes that were written that way.

use std::fmt;

use crate::limits::{ID_BYTES_MAX, JSON_DEPTH_MAX};
use crate::model::count::COUNT_MAX;
use crate::model::csr::ColumnFault;

/// What is wrong at one place of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The column is not as long as its table.
    Length {
        /// Rows the table has (offsets: one more).
        expected: usize,
        /// Rows the column has.
        got: usize,
    },
    /// The text is no UTF-8 from this byte on.
    NotUtf8 {
        /// The first byte that belongs to no character.
        at: usize,
    },
    /// The offsets make no rows.
    Offsets(ColumnFault),
    /// A byte that stands for none of the values the column knows.
    Value {
        /// The byte.
        got: u8,
    },
    /// No time that can be written.
    Time {
        /// Seconds since 1970.
        seconds: i64,
        /// Nanoseconds after them.
        nanos: u32,
    },
    /// A required text is empty.
    Empty,
    /// An id of too many bytes.
    TooLong {
        /// How many.
        bytes: usize,
    },
    /// An id that does not begin as ids of its table do.
    Prefix {
        /// How they begin.
        expected: &'static str,
    },
    /// An id with a comma or a control character.
    Character,
    /// The row does not come after the row before it.
    Unsorted,
    /// The column's first value is not the empty text.
    FirstNotEmpty,
    /// A reference to a row that is not there.
    Reference {
        /// The row referred to.
        got: u32,
        /// How many rows there are.
        rows: usize,
    },
    /// A count above the greatest one.
    Count {
        /// The count.
        got: u64,
    },
    /// One person as two members.
    PersonTwice,
    /// A member as their own advocate.
    OwnPerson,
    /// An accepted advocate whom the member has no edge to.
    NoEdge,
    /// No JSON number, or no finite one.
    NotANumber,
    /// No compact JSON object, or a deeper one than is accepted.
    NotAnObject,
    /// An edge's score byte that stores no score.
    Score {
        /// The byte.
        got: u8,
    },
    /// An edge from a person to themselves.
    SelfEdge,
    /// Two edges with the same ends.
    EndTwice {
        /// The person at the other end.
        end: u32,
    },
    /// The incoming edges are not the outgoing ones.
    OtherEdges,
    /// A row stands twice, so another one is missing.
    NotAPermutation,
    /// A component of a vector that no rounding gives.
    Component,
    /// A vector that is neither of unit length nor zero.
    VectorLength {
        /// The square of its length.
        squared: u32,
    },
    /// The empty text with a vector that is not zero.
    NotZero,
    /// What was prepared is not what the table gives.
    Stale,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, got } => write!(out, "{got} rows where the table needs {expected}"),
            Self::NotUtf8 { at } => write!(out, "the text is no UTF-8 from byte {at} on"),
            Self::Offsets(fault) => fault.fmt(out),
            Self::Value { got } => write!(out, "{got} stands for no value of this column"),
            Self::Time { seconds, nanos } => {
                write!(out, "{seconds} seconds and {nanos} nanoseconds are no time of the years 0 to 9999")
            }
            Self::Empty => write!(out, "the text is empty and must not be"),
            Self::TooLong { bytes } => {
                write!(out, "the id has {bytes} bytes, {ID_BYTES_MAX} are the most")
            }
            Self::Prefix { expected } => write!(out, "the id does not begin with {expected}"),
            Self::Character => write!(out, "the id holds a comma or a control character"),
            Self::Unsorted => write!(out, "the row does not come after the one before it"),
            Self::FirstNotEmpty => write!(out, "the first value is not the empty text"),
            Self::Reference { got, rows } => write!(out, "refers to row {got} of a table of {rows} rows"),
            Self::Count { got } => write!(out, "the count {got} is above {COUNT_MAX}"),
            Self::PersonTwice => write!(out, "the person is an earlier member already"),
            Self::OwnPerson => write!(out, "the advocate is the member's own person"),
            Self::NoEdge => write!(out, "the member has no edge to the accepted advocate"),
            Self::NotANumber => write!(out, "the text is no finite JSON number"),
            Self::NotAnObject => {
                write!(out, "the text is no compact JSON object of at most {JSON_DEPTH_MAX} levels")
            }
            Self::Score { got } => write!(out, "the byte {got} stores no score"),
            Self::SelfEdge => write!(out, "the person has an edge to themselves"),
            Self::EndTwice { end } => write!(out, "the person has two edges with person {end}"),
            Self::OtherEdges => write!(out, "these are not the edges that edges.out tells"),
            Self::NotAPermutation => write!(out, "the row stands here a second time"),
            Self::Component => write!(out, "the vector has the component -128, the least is -127"),
            Self::VectorLength { squared } => {
                write!(out, "the vector's squared length is {squared}, neither about 127² nor 0")
            }
            Self::NotZero => write!(out, "the vector of the empty text is not zero"),
            Self::Stale => write!(out, "this is not what the tables give when it is prepared again"),
        }
    }
}
