//! Row numbers, each of its own type.
//!
//! A number never leaves the process and never outlives the dataset or index it counts in.

/// A person's place in the table of people: ascending as their id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonIx(pub u32);

/// A company's place in the table of companies: ascending as its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CompanyIx(pub u32);

/// A member's place in the table of members: ascending as their user id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberIx(pub u32);

/// In a column of references: refers to nothing.
pub const NO_REFERENCE: u32 = u32::MAX;
