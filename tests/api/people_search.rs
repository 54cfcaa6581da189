//! People search beyond small networks: in a network too large to check one by one, scanning whole columns finds the
//! same people as a plain look at everybody.

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::graph::index::GraphIndex;
use kith_server::model::ix::PersonIx;
use kith_server::query::people_search::search;
use kith_server::query::person::Degree;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::drawn::{at_least, share};

fn index() -> GraphIndex {
    let folder = tempfile::tempdir().unwrap();
    write_tables(&Plan::sized(50_000, 300_000), folder.path()).unwrap();
    GraphIndex::build(read_folder(folder.path(), &Silent).unwrap().dataset)
}

/// The four texts of the person at `place`.
fn texts(index: &GraphIndex, place: usize) -> [&str; 4] {
    let text = &index.people_text;
    let company = text.companies[place].get().map(|company| company.0);
    [
        text.names.get(place as u32),
        text.emails.get(place as u32),
        text.plain_positions.get(text.positions[place]),
        company.map_or("", |company| index.company_text.names.get(company)),
    ]
}

/// The places of everybody who has the text, ascending.
fn look_at_all(index: &GraphIndex, folded: &str) -> Vec<usize> {
    let people = 0..index.people_text.people.len();
    people.filter(|&place| texts(index, place).iter().any(|text| text.contains(folded))).collect()
}

/// A piece of some person's text, of up to 12 characters; now and then with one changed.
fn query(index: &GraphIndex, dice: &mut ChaCha8Rng) -> String {
    let mut below = |bound: usize| (dice.next_u64() % bound as u64) as usize;
    loop {
        let place = below(index.people_text.people.len());
        let letters: Vec<char> = texts(index, place)[below(4)].chars().collect();
        let start = below(letters.len().max(1));
        let mut piece: String = letters.iter().skip(start).take(1 + below(12)).collect();
        if below(8) == 0 {
            piece.push('q');
        }
        if !piece.is_empty() {
            return piece;
        }
    }
}

#[test]
fn scanning_columns_finds_whom_looking_at_everybody_finds() {
    const FIRST_PLACES: usize = 2048;
    let index = index();
    let people = &index.people_text.people;
    let first_degree = people.iter().filter(|&&person| index.near.is_first_degree(person)).count();
    assert!(people.len() > 34_000 && first_degree > 4_000, "{} people, {first_degree} near", people.len());
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let (mut far, mut nothing) = (0, 0);
    for _ in 0..share(250) {
        let folded = query(&index, &mut dice);
        let places = look_at_all(&index, &folded);
        for (end, farthest) in [(people.len(), Degree::Second), (first_degree, Degree::First)] {
            for limit in [1, 20, 50, 5_000] {
                let within = places.iter().copied().filter(|&place| place < end).take(limit);
                let expected: Vec<PersonIx> = within.clone().map(|place| people[place]).collect();
                let found = search(&index, &folded, limit, farthest);
                assert!(found == expected, "{folded:?}, {limit}, {farthest:?}: {found:?} {expected:?}");
                far += usize::from(within.last().is_some_and(|place| place >= FIRST_PLACES));
                nothing += usize::from(expected.is_empty());
            }
        }
    }
    assert!(far > at_least(500) && nothing > at_least(50), "{far} answers from afar, {nothing} empty");
}
