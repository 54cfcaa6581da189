//! What can be wrong with a snapshot's content: bytes that were written that way.

use crate::limits::{ID_BYTES_MAX, JSON_DEPTH_MAX, NOTE_CHARS_MAX};
use crate::model::count::COUNT_MAX;
use crate::model::csr::ColumnFault;

/// A fault at one place of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContentFault {
    /// The column is not as long as its table.
    #[error("{got} rows where the table needs {expected}")]
    Length {
        /// Rows the table has (offsets: one more).
        expected: usize,
        /// Rows the column has.
        got: usize,
    },
    /// The text is not UTF-8 from this byte on.
    #[error("the text is no UTF-8 from byte {at} on")]
    NotUtf8 {
        /// The first byte that belongs to no character.
        at: usize,
    },
    /// The offsets make no rows.
    #[error("{0}")]
    Offsets(ColumnFault),
    /// A byte that stands for none of the values the column knows.
    #[error("{got} stands for no value of this column")]
    Value {
        /// The byte.
        got: u8,
    },
    /// No time that can be written.
    #[error("{seconds} seconds and {nanos} nanoseconds are no time of the years 0 to 9999")]
    Time {
        /// Seconds since 1970.
        seconds: i64,
        /// Nanoseconds after them.
        nanos: u32,
    },
    /// A required text is empty.
    #[error("the text is empty and must not be")]
    Empty,
    /// An id of too many bytes.
    #[error("the id has {bytes} bytes, {ID_BYTES_MAX} are the most")]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// An id that does not begin as ids of its table do.
    #[error("the id does not begin with {expected}")]
    Prefix {
        /// The required prefix.
        expected: &'static str,
    },
    /// An id with a comma or a control character.
    #[error("the id holds a comma or a control character")]
    Character,
    /// The row does not come after the row before it.
    #[error("the row does not come after the one before it")]
    Unsorted,
    /// The column's first value is not the empty text.
    #[error("the first value is not the empty text")]
    FirstNotEmpty,
    /// A reference to a row that is not there.
    #[error("refers to row {got} of a table of {rows} rows")]
    Reference {
        /// The row referred to.
        got: u32,
        /// The number of rows.
        rows: usize,
    },
    /// A count above the greatest one.
    #[error("the count {got} is above {COUNT_MAX}")]
    Count {
        /// The count.
        got: u64,
    },
    /// One person as two members.
    #[error("the person is an earlier member already")]
    PersonTwice,
    /// A member as their own advocate.
    #[error("the advocate is the member's own person")]
    OwnPerson,
    /// An accepted advocate whom the member has no edge to.
    #[error("the member has no edge to the accepted advocate")]
    NoEdge,
    /// A note of too many characters.
    #[error("the note has {chars} characters, {NOTE_CHARS_MAX} are the most")]
    TooManyChars {
        /// Its length in characters.
        chars: usize,
    },
    /// Evidence of a pair that is no edge.
    #[error("the pair is no edge, so nothing rests on this")]
    PairWithoutEdge,
    /// No JSON number, or no finite one.
    #[error("the text is no finite JSON number")]
    NotANumber,
    /// No compact JSON object, or a deeper one than is accepted.
    #[error("the text is no compact JSON object of at most {JSON_DEPTH_MAX} levels")]
    NotAnObject,
    /// An edge's score byte that stores no score.
    #[error("the byte {got} stores no score")]
    Score {
        /// The byte.
        got: u8,
    },
    /// An edge from a person to themselves.
    #[error("the person has an edge to themselves")]
    SelfEdge,
    /// Two edges with the same ends.
    #[error("the person has two edges with person {end}")]
    EndTwice {
        /// The person at the other end.
        end: u32,
    },
    /// The incoming edges are not the outgoing ones.
    #[error("these are not the edges of edges.out")]
    OtherEdges,
    /// A row stands twice, so another one is missing.
    #[error("the row stands here a second time")]
    NotAPermutation,
    /// A component of a vector that no rounding gives.
    #[error("the vector has the component -128, the least is -127")]
    Component,
    /// A vector that is neither of unit length nor zero.
    #[error("the vector's squared length is {squared}, neither about 127² nor 0")]
    VectorLength {
        /// The square of its length.
        squared: u32,
    },
    /// The empty text with a vector that is not zero.
    #[error("the vector of the empty text is not zero")]
    NotZero,
    /// The prepared columns are not those that the table gives.
    #[error("this is not what the tables give when it is prepared again")]
    Stale,
}
