//! A column of numbers that takes two bytes per number if all of them fit.
//!
//! Promise: A column of numbers is the same in two bytes as in four.
//! Control: the four-byte list that it is made of.

use std::mem::take;

use crate::model::column::held;

/// Numbers below 2³². Equal numbers make equal columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// All of them are below 2¹⁶.
    Narrow(Vec<u16>),
    /// At least one is 2¹⁶ or more.
    Wide(Vec<u32>),
}

impl Default for Numbers {
    /// No numbers.
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl From<Vec<u32>> for Numbers {
    /// Costs two passes over the numbers.
    fn from(numbers: Vec<u32>) -> Self {
        let bits = numbers.iter().fold(0, |bits, number| bits | number);
        if bits > u32::from(u16::MAX) {
            return Self::Wide(numbers);
        }
        Self::Narrow(numbers.iter().map(|&number| number as u16).collect())
    }
}

impl Numbers {
    /// The number at position `place`.
    ///
    /// # Panics
    /// Panics if there is no such position.
    #[inline]
    #[must_use]
    pub fn get(&self, place: usize) -> u32 {
        match self {
            Self::Narrow(numbers) => u32::from(numbers[place]),
            Self::Wide(numbers) => numbers[place],
        }
    }

    /// Returns the number of numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(numbers) => numbers.len(),
            Self::Wide(numbers) => numbers.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let (narrow, wide): (&[u16], &[u32]) = match self {
            Self::Narrow(numbers) => (numbers, &[]),
            Self::Wide(numbers) => (&[], numbers),
        };
        narrow.iter().copied().map(u32::from).chain(wide.iter().copied())
    }

    /// Replaces each number by `lower` of it.
    ///
    /// # Panics
    /// Panics if the result is greater than the number.
    pub fn lower(&mut self, lower: impl Fn(u32) -> u32) {
        let lowered = |number: u32| {
            let lowered = lower(number);
            assert!(lowered <= number, "{number} is lowered, not raised to {lowered}");
            lowered
        };
        match self {
            Self::Narrow(numbers) => {
                numbers.iter_mut().for_each(|number| *number = lowered(u32::from(*number)) as u16);
            }
            Self::Wide(numbers) => {
                numbers.iter_mut().for_each(|number| *number = lowered(*number));
                *self = take(numbers).into();
            }
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        match self {
            Self::Narrow(numbers) => held(numbers),
            Self::Wide(numbers) => held(numbers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_in_two_bytes_and_in_four() {
        for (numbers, bytes) in
            [(vec![], 0), (vec![0, 7, 65_535], 2), (vec![65_536, 0], 4), (vec![3, u32::MAX], 4)]
        {
            let column = Numbers::from(numbers.clone());
            let got: Vec<u32> = (0..column.len()).map(|place| column.get(place)).collect();
            let in_order: Vec<u32> = column.iter().collect();
            assert_eq!((&got, in_order, column.is_empty()), (&numbers, numbers.clone(), numbers.is_empty()));
            assert_eq!(column.size_bytes(), bytes * numbers.len());
        }
    }

    #[test]
    fn a_column_is_as_wide_as_its_lowered_numbers() {
        for (numbers, lowered) in [
            (vec![9, 65_535], Numbers::Narrow(vec![7, 65_533])),
            (vec![9, 65_536], Numbers::Narrow(vec![7, 65_534])),
            (vec![9, 65_538], Numbers::Wide(vec![7, 65_536])),
        ] {
            let mut column = Numbers::from(numbers);
            column.lower(|number| number - 2);
            assert_eq!(column, lowered);
        }
    }
}
