//! Text searches for the first page: people and companies, for texts that occur often, rarely and never.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

mod network;

use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;

use criterion::Criterion;
use kith_server::graph::index::GraphIndex;
use kith_server::graph::names::Names;
use kith_server::model::column::TextColumn;
use kith_server::model::ix::{CompanyIx, PersonIx};
use kith_server::query::page::Page;
use kith_server::query::person::Degree;
use kith_server::query::substring::RowsHolding;
use kith_server::query::{company_search, people_search};
use memchr::memmem::Finder;

/// Entries per page if the caller gives no number.
const PAGE: usize = 20;
/// In no text.
const NOWHERE: &str = "zzqx";

/// The first people with the text, found by checking everybody.
fn people_with(index: &GraphIndex, folded: &str, second_degree: bool) -> Vec<PersonIx> {
    let text = &index.people_text;
    let has_it = |place: &usize| {
        let row = *place as u32;
        let company = text.companies[*place].get().map(|company| company.0);
        text.names.get(row).contains(folded)
            || text.emails.get(row).contains(folded)
            || text.plain_positions.get(text.positions[*place]).contains(folded)
            || company.is_some_and(|company| index.company_text.names.get(company).contains(folded))
    };
    let found = (0..text.people.len()).filter(has_it).map(|place| text.people[place]);
    found.filter(|&person| second_degree || index.near.is_first_degree(person)).take(PAGE).collect()
}

/// The number of companies with the text, found by checking all of them.
fn companies_with(index: &GraphIndex, folded: &str) -> usize {
    let (companies, text) = (&index.data.companies, &index.company_text);
    let has_it = |row: &u32| {
        let place = *row as usize;
        text.names.get(*row).contains(folded)
            || text.industries.get(companies.industries.rows[place]).contains(folded)
            || text.headquarters.get(companies.headquarters.rows[place]).contains(folded)
    };
    (0..companies.ids.len() as u32).filter(has_it).count()
}

/// The most frequent of the wanted words.
fn commonest(names: Names<'_>, wanted: impl Fn(&str) -> bool) -> &str {
    let words = (0..names.table.words.len() as u32).filter(|&word| wanted(names.table.words.get(word)));
    let word = words.max_by_key(|&word| names.rows_with(word).len());
    word.map_or("", |word| names.table.words.get(word))
}

/// Three letters in at most `of_thousand` of every thousand names, as many as possible.
fn syllable(names: Names<'_>, of_thousand: usize) -> String {
    let mut held: HashMap<&str, usize> = HashMap::new();
    for word in (0..names.table.words.len() as u32).filter(|&word| names.table.words.get(word).is_ascii()) {
        let (text, rows) = (names.table.words.get(word), names.rows_with(word).len());
        (2..text.len()).for_each(|end| *held.entry(&text[end - 2..=end]).or_default() += rows);
    }
    let most = names.table.order.len() * of_thousand / 1000;
    let common = held.into_iter().filter(|&(_, rows)| rows <= most);
    common.max_by_key(|&(text, rows)| (rows, text)).map_or_else(String::new, |(text, _)| text.to_owned())
}

/// Whether a word is written in Han characters.
fn is_han(word: &str) -> bool {
    word.chars().all(|character| ('\u{4e00}'..='\u{9fff}').contains(&character))
}

fn bench_people(criterion: &mut Criterion, index: &GraphIndex) {
    let (names, text) = (index.person_names(), &index.people_text);
    // Late in the list: a search for these reads nearly all people before finding them.
    let late = (text.people.len() * 15 / 16) as u32;
    let company = text.companies[late as usize..].iter().find_map(|company| company.get());
    let mut group = criterion.benchmark_group("people");
    for (kind, folded, second_degree) in [
        ("rare", text.names.get(late), true),
        ("common", commonest(names, |word| word.len() > 3), true),
        ("one_letter", "a", true),
        ("syllable_of_30_in_1000", &syllable(names, 30), true),
        ("syllable_of_3_in_1000", &syllable(names, 3), true),
        ("cjk", commonest(names, is_han), true),
        ("company", company.map_or("", |company| index.company_text.names.get(company.0)), true),
        ("nobody", NOWHERE, true),
        ("nobody_in_first_degree", NOWHERE, false),
    ] {
        assert!(!folded.is_empty(), "{kind}: nothing to look for");
        let farthest = if second_degree { Degree::Second } else { Degree::First };
        let find = || people_search::search(index, folded, PAGE, farthest);
        assert_eq!(find(), people_with(index, folded, second_degree), "{kind}: {folded}");
        assert_eq!(find().is_empty(), folded == NOWHERE, "{kind}: {folded}");
        group.bench_function(kind, |bencher| bencher.iter(|| black_box(find())));
    }
    // The cost of a search that reads every name and address to the end: one memchr scan.
    let finder = Finder::new(text.names.get(late));
    let scan = |column: &TextColumn| RowsHolding::new(column, &finder, 0..column.len()).count();
    assert!(scan(&text.names) > 0, "the scan finds nobody");
    group.bench_function("rare_by_scan_alone", |bencher| {
        bencher.iter(|| black_box(rayon::join(|| scan(&text.names), || scan(&text.emails))));
    });
    group.finish();
}

fn bench_companies(criterion: &mut Criterion, index: &GraphIndex) {
    let (names, companies) = (index.company_names(), &index.data.companies);
    let last = companies.ids.len() as u32 - 1;
    let industries = &index.company_text.industries;
    let page = Page { limit: PAGE as u32, offset: 0 };
    let mut group = criterion.benchmark_group("companies");
    for (kind, folded) in [
        ("rare", index.company_text.names.get(last)),
        ("common", commonest(names, |word| word.len() > 3)),
        ("one_letter", "a"),
        ("cjk", commonest(names, is_han)),
        ("industry", industries.get(industries.len() as u32 - 1)),
        ("nobody", NOWHERE),
    ] {
        if folded.is_empty() {
            continue;
        }
        let find = || company_search::search(index, folded, page);
        let (found, total): (Vec<CompanyIx>, u64) = find();
        assert_eq!(total, companies_with(index, folded) as u64, "{kind}: {folded}");
        assert_eq!(found.len() as u64, total.min(PAGE as u64), "{kind}: {folded}");
        assert_eq!(found.is_empty(), folded == NOWHERE, "{kind}: {folded}");
        group.bench_function(kind, |bencher| bencher.iter(|| black_box(find())));
    }
    group.finish();
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let index = network::index()?;
    bench_people(&mut criterion, &index);
    bench_companies(&mut criterion, &index);
    criterion.final_summary();
    Ok(())
}
