//! A column of numbers, two bytes for each as long as all of them fit.

use crate::model::column::held;

/// Numbers below 2³². Equal numbers make equal columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// All of them are below 2¹⁶.
    Narrow(Vec<u16>),
    /// At least one is not.
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
    /// The number at `place`.
    ///
    /// # Panics
    /// Panics if there is no such place.
    #[inline]
    #[must_use]
    pub fn get(&self, place: usize) -> u32 {
        match self {
            Self::Narrow(numbers) => u32::from(numbers[place]),
            Self::Wide(numbers) => numbers[place],
        }
    }

    /// Returns how many there are.
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

    /// The numbers with four bytes each. Costs a copy.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u32> {
        match self {
            Self::Narrow(numbers) => numbers.iter().copied().map(u32::from).collect(),
            Self::Wide(numbers) => numbers.clone(),
        }
    }

    /// Puts what `change` makes of the numbers in their place, and returns what it returns. Costs a copy.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut Vec<u32>) -> R) -> R {
        let mut numbers = self.to_vec();
        let returned = change(&mut numbers);
        *self = numbers.into();
        returned
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
            assert_eq!(
                (&got, column.to_vec(), column.is_empty()),
                (&numbers, numbers.clone(), numbers.is_empty())
            );
            assert_eq!(column.size_bytes(), bytes * numbers.len());
        }
    }

    #[test]
    fn a_column_is_as_wide_as_its_numbers_after_each_change() {
        let mut column = Numbers::from(vec![1, 2]);
        column.change(|numbers| numbers.push(65_536));
        assert_eq!(column, Numbers::Wide(vec![1, 2, 65_536]));
        column.change(|numbers| _ = numbers.pop());
        assert_eq!(column, Numbers::Narrow(vec![1, 2]));
    }
}
