//! Collects the people found, each once with their best fit.

use crate::relational::lookup::Match;

/// The people found, and how well they fit. Takes a byte per person of the network.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The best fit of each person, 0 for those not found.
    fits: Vec<u8>,
    /// The people found, in the order of appearance.
    found: Vec<u32>,
}

/// A person who is not in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfRange;

impl Tally {
    /// Starts empty, for `people` people.
    pub(crate) fn new(people: u32) -> Self {
        Self { fits: vec![0; people as usize], found: Vec::new() }
    }

    /// Records that `person` fits with `fit`, which is not 0.
    ///
    /// # Errors
    /// Returns an error if there is no such person.
    pub(crate) fn note(&mut self, person: i64, fit: u8) -> Result<(), OutOfRange> {
        let person = u32::try_from(person).map_err(|_| OutOfRange)?;
        let held = self.fits.get_mut(person as usize).ok_or(OutOfRange)?;
        if *held == 0 {
            self.found.push(person);
        }
        *held = fit.max(*held);
        Ok(())
    }

    /// Everyone who was found.
    pub(crate) fn into_matches(self) -> Vec<Match> {
        let fit = |person: u32| self.fits[person as usize];
        self.found.iter().map(|&person| Match { person, fit: fit(person) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_is_there_once_with_their_best_fit_and_nobody_else_is_taken() {
        let mut tally = Tally::new(3);
        for (person, fit, outcome) in [
            (2, 7, Ok(())),
            (0, 9, Ok(())),
            (2, 200, Ok(())),
            (0, 1, Ok(())),
            (3, 1, Err(OutOfRange)),
            (-1, 1, Err(OutOfRange)),
            (1 << 32, 1, Err(OutOfRange)),
        ] {
            assert_eq!(tally.note(person, fit), outcome, "{person}");
        }
        let expected = [Match { person: 2, fit: 200 }, Match { person: 0, fit: 9 }];
        assert_eq!(tally.into_matches(), expected);
        assert_eq!(Tally::new(0).note(0, 1), Err(OutOfRange));
    }
}
