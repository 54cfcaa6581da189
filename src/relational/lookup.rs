//! Which people fit some words, and how well: one SQL statement for each field.

use std::time::Instant;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::clock;
use crate::relational::error::RelationalError;
use crate::relational::phrase::StoredPhrase;
use crate::relational::store::RelationalStore;
use crate::relational::tally::Tally;

/// A text of a person, or of their current company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextField {
    /// What they do.
    Position,
    /// The name of their company.
    CompanyName,
    /// The industry of their company.
    Industry,
    /// The headquarters of their company.
    Headquarters,
    /// The city they are in.
    City,
    /// The country they are in.
    Country,
    /// What they are called.
    PersonName,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'a> {
    /// The texts to look at.
    pub fields: &'a [TextField],
    /// Ways to say it, the nearest first, each some folded words. A text fits where it holds all words
    /// of one of them: in any order, by their stems, as English inflects ("manager", "managers"). What
    /// is neither letter nor digit is passed over; a phrase of nothing else fits nobody.
    pub phrases: &'a [Vec<String>],
}

/// A person who fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// The person's number in the network.
    pub person: u32,
    /// How well they fit, 1 to 255: by the field, the phrase's place, and how much of the text it is.
    pub fit: u8,
}

/// The statement that finds people by one of the texts they share. It walks the texts that fit, and
/// for each of them the people in reach, in an index that covers them.
macro_rules! people_by {
    ($texts:literal, $column:literal) => {
        concat!(
            "SELECT people.person, ",
            $texts,
            ".words FROM ",
            $texts,
            "_fts CROSS JOIN ",
            $texts,
            " ON ",
            $texts,
            ".id = ",
            $texts,
            "_fts.rowid",
            " CROSS JOIN people INDEXED BY people_by_",
            $column,
            " ON people.",
            $column,
            " = ",
            $texts,
            ".id",
            " WHERE ",
            $texts,
            "_fts MATCH ?1 AND people.in_reach = 1"
        )
    };
}

/// The statement that finds people by one of the texts that companies share.
macro_rules! people_by_company {
    ($texts:literal, $column:literal) => {
        concat!(
            "SELECT people.person, ",
            $texts,
            ".words FROM ",
            $texts,
            "_fts CROSS JOIN ",
            $texts,
            " ON ",
            $texts,
            ".id = ",
            $texts,
            "_fts.rowid",
            " CROSS JOIN companies INDEXED BY companies_by_",
            $column,
            " ON companies.",
            $column,
            " = ",
            $texts,
            ".id",
            " CROSS JOIN people INDEXED BY people_by_company ON people.company = companies.id",
            " WHERE ",
            $texts,
            "_fts MATCH ?1 AND people.in_reach = 1"
        )
    };
}

impl TextField {
    /// All fields.
    pub const ALL: [Self; 7] = [
        Self::Position,
        Self::CompanyName,
        Self::Industry,
        Self::Headquarters,
        Self::City,
        Self::Country,
        Self::PersonName,
    ];

    /// The fit, 1 to 255, of a text that is the first phrase and nothing else. A company's headquarters
    /// says less about a person's place than their own city.
    #[must_use]
    pub const fn weight(self) -> u8 {
        match self {
            Self::Headquarters => 200,
            Self::Position
            | Self::CompanyName
            | Self::Industry
            | Self::City
            | Self::Country
            | Self::PersonName => 255,
        }
    }

    /// The statement that selects the person and the number of words of the text that fits. It is
    /// always the same text; what is looked for is its one parameter.
    const fn statement(self) -> &'static str {
        match self {
            Self::Position => people_by!("positions", "position"),
            Self::CompanyName => people_by!("companies", "company"),
            Self::Industry => people_by_company!("industries", "industry"),
            Self::Headquarters => people_by_company!("headquarters", "headquarters"),
            Self::City => people_by!("cities", "city"),
            Self::Country => people_by!("countries", "country"),
            Self::PersonName => {
                "SELECT people.person, people.words FROM people_fts
                 CROSS JOIN people ON people.person = people_fts.rowid
                 WHERE people_fts MATCH ?1 AND people.in_reach = 1"
            }
        }
    }
}

impl RelationalStore {
    /// Everyone in reach who fits, each once with their best fit, in no order.
    ///
    /// In reach is whom a member or an accepted advocate has an edge to. Costs a statement for each
    /// field and phrase, and what those find; a byte for each person of the network besides.
    ///
    /// # Errors
    /// Returns [`RelationalError::Late`] soon after `deadline`, even if a statement is running. Returns an
    /// error if a phrase is too long, or if the store is damaged or cannot be read.
    pub fn find(&self, lookup: &Lookup<'_>, deadline: Instant) -> Result<Vec<Match>, RelationalError> {
        self.look_up(lookup, deadline).inspect_err(|error| self.pool.note(error))
    }

    fn look_up(&self, lookup: &Lookup<'_>, deadline: Instant) -> Result<Vec<Match>, RelationalError> {
        let is_late = move || clock::now() >= deadline;
        let mut tally = Tally::new(self.people);
        self.pool.lend(deadline)?.reader().run(is_late, |connection| {
            for (place, words) in lookup.phrases.iter().enumerate() {
                let Some(phrase) = StoredPhrase::new(words, place)? else { continue };
                for &field in lookup.fields {
                    // A short statement ends before its own look at the clock.
                    if is_late() {
                        return Err(RelationalError::Late);
                    }
                    select(connection, field, &phrase, &mut tally)?;
                }
            }
            Ok(())
        })?;
        Ok(self.in_network(tally.into_matches()))
    }
}

/// Runs the one statement of `field` for `phrase`. No value is believed: its kind is looked at, and
/// whether there is such a person.
fn select(
    connection: &Connection,
    field: TextField,
    phrase: &StoredPhrase,
    tally: &mut Tally,
) -> Result<(), RelationalError> {
    let mut statement = connection.prepare_cached(field.statement())?;
    let mut rows = statement.query([&phrase.query])?;
    while let Some(row) = rows.next()? {
        let (ValueRef::Integer(person), ValueRef::Integer(words)) = (row.get_ref(0)?, row.get_ref(1)?) else {
            return Err(RelationalError::damaged("a number is missing"));
        };
        let words = u32::try_from(words).map_err(|_| RelationalError::damaged("a text of no length"))?;
        let fit = phrase.fit(field.weight(), words);
        tally.note(person, fit).map_err(|_| RelationalError::damaged("a person that is not there"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relational::schema::{INDEXES, TABLES};

    /// How SQLite goes about a statement, one line for each table.
    fn plan(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        statement.query_map(["\"a\""], |row| row.get(3))?.collect()
    }

    fn is_indexed(plan: &[String], by: &str) -> bool {
        let people = plan.iter().filter(|line| line.contains("people ")).collect::<Vec<_>>();
        plan.first().is_some_and(|line| line.contains("VIRTUAL TABLE"))
            && people.iter().all(|line| line.contains(by))
            && !plan.iter().any(|line| line.starts_with("SCAN ") && !line.contains("VIRTUAL TABLE"))
    }

    #[test]
    fn every_statement_starts_at_the_full_text_index_and_is_covered() -> rusqlite::Result<()> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch(INDEXES)?;
        for field in TextField::ALL {
            let by = if field == TextField::PersonName {
                "INTEGER PRIMARY KEY"
            } else {
                "COVERING INDEX people_by_"
            };
            let plan = plan(&connection, field.statement())?;
            assert!(is_indexed(&plan, by), "{field:?}: {plan:#?}");
        }
        // The control: a statement that reads everybody is seen.
        let plan = plan(&connection, "SELECT person FROM people WHERE name = ?1")?;
        assert!(!is_indexed(&plan, ""), "{plan:#?}");
        Ok(())
    }
}
