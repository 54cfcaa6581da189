//! Faults of a snapshot's content: its bytes are intact, but were written that way.

use crate::limits::{ID_BYTES_MAX, JSON_DEPTH_MAX, NOTE_CHARS_MAX};
use crate::model::count::COUNT_MAX;
use crate::model::csr::ColumnFault;

/// A fault at one position of a dataset.
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
        /// The position of the first byte that is not part of a character.
        at: usize,
    },
    /// The offsets do not form rows.
    #[error("{0}")]
    Offsets(ColumnFault),
    /// A byte that encodes none of the column's values.
    #[error("{got} stands for no value of this column")]
    Value {
        /// The byte.
        got: u8,
    },
    /// A time out of range.
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
    /// An id that is too long.
    #[error("the id has {bytes} bytes, {ID_BYTES_MAX} are the most")]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// An id without the prefix of its table.
    #[error("the id does not begin with {expected}")]
    Prefix {
        /// The required prefix.
        expected: &'static str,
    },
    /// An id with a comma or a control character.
    #[error("the id holds a comma or a control character")]
    Character,
    /// The row does not sort after the row before it.
    #[error("the row does not come after the one before it")]
    Unsorted,
    /// The column's first value is not the empty text.
    #[error("the first value is not the empty text")]
    FirstNotEmpty,
    /// A reference to a row that does not exist.
    #[error("refers to row {got} of a table of {rows} rows")]
    Reference {
        /// The row referred to.
        got: u32,
        /// The number of rows.
        rows: usize,
    },
    /// A count above the maximum.
    #[error("the count {got} is above {COUNT_MAX}")]
    Count {
        /// The count.
        got: u64,
    },
    /// Two members with the same person.
    #[error("the person is an earlier member already")]
    PersonTwice,
    /// A member as their own advocate.
    #[error("the advocate is the member's own person")]
    OwnPerson,
    /// An accepted advocate to whom the member has no edge.
    #[error("the member has no edge to the accepted advocate")]
    NoEdge,
    /// A note that is too long.
    #[error("the note has {chars} characters, {NOTE_CHARS_MAX} are the most")]
    TooManyChars {
        /// Its length in characters.
        chars: usize,
    },
    /// Evidence of a pair without an edge.
    #[error("the pair is no edge, so nothing rests on this")]
    PairWithoutEdge,
    /// Not a JSON number, or not a finite one.
    #[error("the text is no finite JSON number")]
    NotANumber,
    /// Not a compact JSON object, or one nested too deep.
    #[error("the text is no compact JSON object of at most {JSON_DEPTH_MAX} levels")]
    NotAnObject,
    /// A byte that encodes no score.
    #[error("the byte {got} stores no score")]
    Score {
        /// The byte.
        got: u8,
    },
    /// An edge from a person to themselves.
    #[error("the person has an edge to themselves")]
    SelfEdge,
    /// Two edges with the same ends in one row.
    #[error("the person has two edges with person {end}")]
    EndTwice {
        /// The person at the other end.
        end: u32,
    },
    /// The incoming edges differ from the outgoing ones.
    #[error("these are not the edges of edges.out")]
    OtherEdges,
    /// A row occurs twice, so another one is missing.
    #[error("the row stands here a second time")]
    NotAPermutation,
    /// A component that rounding cannot give.
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
    /// The prepared columns differ from those computed from the table.
    #[error("this is not what the tables give when it is prepared again")]
    Stale,
}
