//! Row numbers, each of its own type.
//!
//! A number never leaves the process and never outlives the dataset or index it counts in.

use std::marker::PhantomData;

/// A row number of some table.
pub trait Ix: Copy {
    /// The row numbered `number`.
    fn from_number(number: u32) -> Self;
    /// The row's number, from 0.
    fn number(self) -> u32;
}

/// A person's position in the table of people; ascending like their id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PersonIx(pub u32);

/// A company's position in the table of companies; ascending like its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct CompanyIx(pub u32);

/// A member's position in the table of members; ascending like their user id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct MemberIx(pub u32);

/// A row or none, in four bytes: the greatest number means none.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct OptionalIx<I> {
    number: u32,
    of: PhantomData<I>,
}

/// Means no row.
const NO_ROW: u32 = u32::MAX;

impl<I: Ix> OptionalIx<I> {
    /// No row.
    pub const NONE: Self = Self::from_stored(NO_ROW);

    /// The row, or `None`.
    #[inline]
    #[must_use]
    pub fn get(self) -> Option<I> {
        (self.number != NO_ROW).then(|| I::from_number(self.number))
    }

    /// Decodes a stored `number`: a row's number, or 2³² - 1 for none.
    #[must_use]
    pub const fn from_stored(number: u32) -> Self {
        Self { number, of: PhantomData }
    }

    /// Encodes for [`Self::from_stored`].
    #[must_use]
    pub const fn stored(self) -> u32 {
        self.number
    }
}

impl<I: Ix> From<Option<I>> for OptionalIx<I> {
    fn from(row: Option<I>) -> Self {
        row.map_or(Self::NONE, |row| Self::from_stored(row.number()))
    }
}

impl<I: Ix + std::fmt::Debug> std::fmt::Debug for OptionalIx<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

macro_rules! ix {
    ($($Ix:ident),+) => {$(
        impl Ix for $Ix {
            #[inline]
            fn from_number(number: u32) -> Self {
                Self(number)
            }

            #[inline]
            fn number(self) -> u32 {
                self.0
            }
        }
    )+};
}

ix!(PersonIx, CompanyIx, MemberIx);

impl Ix for u32 {
    #[inline]
    fn from_number(number: u32) -> Self {
        number
    }

    #[inline]
    fn number(self) -> u32 {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_or_none_takes_no_more_than_the_row() {
        for row in [None, Some(PersonIx(0)), Some(PersonIx(u32::MAX - 1))] {
            let optional = OptionalIx::from(row);
            assert_eq!((optional.get(), OptionalIx::from_stored(optional.stored())), (row, optional));
        }
        assert_eq!(size_of::<OptionalIx<PersonIx>>(), size_of::<u32>());
    }
}
