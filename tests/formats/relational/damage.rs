//! Damage of any kind anywhere in the file never causes a panic or a person who does not exist.

use std::fs;

use kith_server::model::text::fold;
use kith_server::relational::lookup::TextField;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::relational::networks::{Files, find, fixture};

/// The outcomes of look-ups in a damaged store.
#[derive(Debug, Default)]
struct Outcomes {
    /// Opening it was refused.
    refused: usize,
    /// A look-up was.
    said: usize,
    /// Nothing was noticed.
    answered: usize,
}

/// The tiny network's store, and phrases that find something in each field.
struct Subject {
    files: Files,
    sound: Vec<u8>,
    phrases: Vec<Vec<String>>,
}

impl Subject {
    fn new() -> Self {
        let dataset = fixture("fixtures/tiny");
        let files = Files::of(&dataset);
        let (people, companies) = (&dataset.people, &dataset.companies);
        let columns = [&people.positions.values, &people.names, &people.cities.values, &companies.names];
        let columns = columns.into_iter().chain([&companies.industries.values, &people.countries.values]);
        let words = columns.flat_map(|column| column.iter().map(fold).collect::<Vec<_>>());
        let phrases = words.step_by(4).map(|text| text.split(' ').map(str::to_owned).collect()).collect();
        Self { sound: fs::read(files.store()).unwrap(), files, phrases }
    }

    /// Looks everything up in a store of these bytes.
    fn check(&self, bytes: &[u8], outcomes: &mut Outcomes) {
        fs::write(self.files.store(), bytes).unwrap();
        let Ok(store) = self.files.open() else {
            outcomes.refused += 1;
            return;
        };
        let mut is_logged = false;
        for field in TextField::ALL {
            match find(&store, &[field], &self.phrases) {
                Ok(found) => assert!(found.iter().all(|found| found.person < self.files.people)),
                Err(_) => is_logged = true,
            }
        }
        if is_logged { outcomes.said += 1 } else { outcomes.answered += 1 }
    }
}

#[test]
fn each_block_may_be_lost_in_turn() {
    let subject = Subject::new();
    let mut outcomes = Outcomes::default();
    for start in (0..subject.sound.len()).step_by(512) {
        let mut bytes = subject.sound.clone();
        bytes[start..start + 512].fill(0);
        subject.check(&bytes, &mut outcomes);
    }
    // The control: damage is noticed, at both times, and look-ups were made at all.
    assert!(outcomes.refused > 0 && outcomes.said > 0 && outcomes.answered > 0, "{outcomes:?}");
}

#[test]
fn any_bytes_may_be_others() {
    let subject = Subject::new();
    let mut outcomes = Outcomes::default();
    let mut dice = ChaCha8Rng::seed_from_u64(20_261_121);
    for _ in 0..600 {
        let mut bytes = subject.sound.clone();
        for _ in 0..1 + dice.next_u32() % 8 {
            let at = dice.next_u32() as usize % bytes.len();
            bytes[at] = dice.next_u32() as u8;
        }
        subject.check(&bytes, &mut outcomes);
    }
    assert!(outcomes.refused > 0 && outcomes.answered > 0, "{outcomes:?}");
}

/// The control: nothing is wrong with the sound one.
#[test]
fn an_untouched_store_answers_in_every_field() {
    let subject = Subject::new();
    let mut outcomes = Outcomes::default();
    subject.check(&subject.sound, &mut outcomes);
    assert_eq!((outcomes.refused, outcomes.said, outcomes.answered), (0, 0, 1));
    let store = subject.files.open().unwrap();
    for field in TextField::ALL {
        let found = find(&store, &[field], &subject.phrases).unwrap();
        assert!(!found.is_empty() || field == TextField::Headquarters, "{field:?}");
    }
}
