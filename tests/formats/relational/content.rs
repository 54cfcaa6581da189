//! The store contains every column of the dataset.

use kith_server::model::column::DictionaryColumn;
use kith_server::model::count::OptionalCount;
use kith_server::model::dataset::Dataset;
use rusqlite::{Connection, Row};

use crate::relational::networks::{Files, fixture, strange};
use crate::relational::oracle::in_reach;

/// All rows of a table, by its first column.
fn rows<T>(files: &Files, sql: &str, read: impl Fn(&Row<'_>) -> rusqlite::Result<T>) -> Vec<T> {
    let connection = Connection::open(files.store()).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| read(row)).unwrap().map(Result::unwrap).collect()
}

fn value(column: &DictionaryColumn, row: u32) -> Option<String> {
    Some(column.get(row).to_owned()).filter(|text| !text.is_empty())
}

type PersonRow = (u32, String, Option<String>, Option<u32>, Option<String>, Option<String>, bool);

fn people_stored(files: &Files) -> Vec<PersonRow> {
    let sql = "SELECT person, name, positions.text, company, cities.text, countries.text, in_reach
               FROM people LEFT JOIN positions ON positions.id = position
               LEFT JOIN cities ON cities.id = city LEFT JOIN countries ON countries.id = country
               ORDER BY person";
    let person = |row: &Row<'_>| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
    };
    rows(files, sql, person)
}

fn people_shown(dataset: &Dataset) -> Vec<PersonRow> {
    let (people, reach) = (&dataset.people, in_reach(dataset));
    let person = |ix: u32| {
        let company = people.companies[ix as usize].get();
        (
            ix,
            people.names.get(ix).to_owned(),
            value(&people.positions, ix),
            company.map(|company| company.0),
            value(&people.cities, ix),
            value(&people.countries, ix),
            reach.contains(&ix),
        )
    };
    (0..people.len() as u32).map(person).collect()
}

type CompanyRow = (u32, String, Option<String>, Option<String>, Option<i64>, Option<i64>);

fn companies_stored(files: &Files) -> Vec<CompanyRow> {
    let sql = "SELECT companies.id, name, industries.text, headquarters.text, min_size, max_size
               FROM companies LEFT JOIN industries ON industries.id = industry
               LEFT JOIN headquarters ON headquarters.id = companies.headquarters
               ORDER BY companies.id";
    rows(files, sql, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?)))
}

fn companies_shown(dataset: &Dataset) -> Vec<CompanyRow> {
    let companies = &dataset.companies;
    let size = |size: OptionalCount| size.get().map(|size| size as i64);
    let company = |ix: u32| {
        (
            ix,
            companies.names.get(ix).to_owned(),
            value(&companies.industries, ix),
            value(&companies.headquarters, ix),
            size(companies.min_sizes[ix as usize]),
            size(companies.max_sizes[ix as usize]),
        )
    };
    (0..companies.ids.len() as u32).map(company).collect()
}

#[test]
fn every_person_and_company_is_in_the_store_with_every_column() {
    for dataset in [fixture("fixtures/tiny"), fixture("fixtures/demo/harbourlight"), strange()] {
        let files = Files::of(&dataset);
        let people = people_shown(&dataset);
        assert!(people.iter().any(|person| person.6) && people.iter().any(|person| person.2.is_some()));
        assert!(people_stored(&files) == people, "people of {}", dataset.organization.id);
        let companies = companies_shown(&dataset);
        assert!(companies.iter().any(|company| company.4.is_some()));
        assert!(companies_stored(&files) == companies, "companies of {}", dataset.organization.id);
    }
}

/// The control: one city changed in the dataset is seen.
#[test]
fn a_difference_in_one_column_is_caught() {
    let mut dataset = fixture("fixtures/tiny");
    let files = Files::of(&dataset);
    let cities = &mut dataset.people.cities;
    let other = (cities.rows[0] + 1) % cities.values.len() as u32;
    cities.rows[0] = other;
    assert!(people_stored(&files) != people_shown(&dataset));
}

#[test]
fn each_distinct_text_is_there_once_and_none_is_empty() {
    let dataset = fixture("fixtures/demo/harbourlight");
    let files = Files::of(&dataset);
    for (table, column) in [
        ("positions", &dataset.people.positions),
        ("cities", &dataset.people.cities),
        ("countries", &dataset.people.countries),
        ("industries", &dataset.companies.industries),
        ("headquarters", &dataset.companies.headquarters),
    ] {
        let stored: Vec<(u32, String)> =
            rows(&files, &format!("SELECT id, text FROM {table} ORDER BY id"), |row| {
                Ok((row.get(0)?, row.get(1)?))
            });
        let said = (0..).zip(column.values.iter().map(str::to_owned)).filter(|(_, text)| !text.is_empty());
        assert!(stored == said.collect::<Vec<_>>() && !stored.is_empty(), "{table}");
    }
}

#[test]
fn sqlite_itself_finds_the_file_sound_and_its_references_kept() {
    for dataset in [fixture("fixtures/tiny"), strange()] {
        let files = Files::of(&dataset);
        assert_eq!(rows(&files, "PRAGMA integrity_check", |row| row.get::<_, String>(0)), ["ok"]);
        assert_eq!(rows(&files, "PRAGMA foreign_key_check", |_| Ok(())).len(), 0);
        assert_eq!(rows(&files, "SELECT people FROM meta", |row| row.get::<_, u32>(0)), [files.people]);
    }
}
