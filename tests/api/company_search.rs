//! Searches companies by the words of their names and by prepared lists: in a network of thousands, every page and
//! total equals that of a full scan.
//!
//! Promise: Every page and total of `search/companies` is that of a look at all companies.
//! Control: the same look word by word misses what stands across words.
//! Also in: `tests/api/props/reads.rs`.

use std::cmp::Reverse;

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::graph::index::GraphIndex;
use kith_server::model::ix::CompanyIx;
use kith_server::model::text::words;
use kith_server::query::company_search::search;
use kith_server::query::page::Page;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const COMPANIES: u32 = 3_000;
const QUERIES: usize = 600;

fn index() -> GraphIndex {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { companies: COMPANIES, ..Plan::sized(6_000, 30_000) };
    write_tables(&plan, folder.path()).unwrap();
    GraphIndex::build(read_folder(folder.path(), &Silent).unwrap().dataset)
}

/// The folded name, industry and headquarters of a company.
fn texts(index: &GraphIndex, row: u32) -> [&str; 3] {
    let (text, companies) = (&index.company_text, &index.data.companies);
    [
        text.names.get(row),
        text.industries.get(companies.industries.rows[row as usize]),
        text.headquarters.get(companies.headquarters.rows[row as usize]),
    ]
}

/// The companies that match, in order, by looking at all of them; `holds` says whether a name does.
fn look_at_all(index: &GraphIndex, folded: &str, holds: fn(&str, &str) -> bool) -> Vec<CompanyIx> {
    let class = |row: u32| {
        let [name, industry, headquarters] = texts(index, row);
        match name.strip_prefix(folded) {
            _ if !holds(name, folded) => {
                (industry.contains(folded) || headquarters.contains(folded)).then_some(3)
            }
            Some("") => Some(0),
            Some(_) => Some(1),
            None => Some(2),
        }
    };
    let mut found: Vec<_> = (0..index.data.companies.ids.len() as u32)
        .filter_map(|row| {
            let employees = Reverse(index.employee_count(CompanyIx(row)));
            Some((class(row)?, employees, index.company_names().folded(row), row))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(.., row)| CompanyIx(row)).collect()
}

/// A piece of some company's text of up to 12 characters, spaces too; now and then all of it, or with a letter more.
fn query(index: &GraphIndex, dice: &mut ChaCha8Rng) -> String {
    let mut below = |bound: usize| (dice.next_u64() % bound as u64) as usize;
    loop {
        let row = below(index.data.companies.ids.len()) as u32;
        let letters: Vec<char> = texts(index, row)[below(3)].chars().collect();
        let (start, length) =
            if below(6) == 0 { (0, 200) } else { (below(letters.len().max(1)), 1 + below(12)) };
        let mut piece: String = letters.iter().skip(start).take(length).collect();
        if below(10) == 0 {
            piece.push('q');
        }
        if !piece.is_empty() {
            return piece;
        }
    }
}

#[test]
fn every_page_and_total_is_that_of_a_look_at_all_companies() {
    let index = index();
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let (mut across, mut of_words_differ, mut classes) = (0, 0, [0; 2]);
    for _ in 0..QUERIES {
        let folded = query(&index, &mut dice);
        let expected = look_at_all(&index, &folded, |name, folded| name.contains(folded));
        for (limit, offset) in [(20, 0), (1, 0), (50, 3), (7, 40), (50, 5_000), (3, u64::MAX)] {
            let (found, total) = search(&index, &folded, Page { limit, offset });
            let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
            let page: Vec<CompanyIx> = expected.iter().copied().skip(skipped).take(limit as usize).collect();
            assert_eq!((total, found), (expected.len() as u64, page), "{folded:?}, {limit} from {offset}");
        }
        classes[usize::from(expected.len() > 100)] += 1;
        // The control: names that are asked word by word, whatever stands in the text that is looked for.
        let by_words =
            look_at_all(&index, &folded, |name, folded| words(name).any(|word| word.contains(folded)));
        across += usize::from(!words(&folded).eq([folded.as_str()]));
        of_words_differ += usize::from(by_words != expected);
    }
    assert!(classes.iter().all(|count| *count > 40), "few and many: {classes:?}");
    assert!(across > 40 && of_words_differ > 20, "{across} across words, {of_words_differ} differ");
}
