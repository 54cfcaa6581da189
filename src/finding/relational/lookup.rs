//! Finds the people who fit some words, and how well: one SQL statement per field.

use std::time::Instant;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::clock;
use crate::model::named::named;
use crate::relational::error::RelationalError;
use crate::relational::phrase::StoredPhrase;
use crate::relational::store::RelationalStore;
use crate::relational::tally::Tally;

/// A text of a person, or of their current company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextField {
    /// Their position.
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
    /// Their name.
    PersonName,
}

/// A search for people by words.
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'a> {
    /// The fields to search.
    pub fields: &'a [TextField],
    /// Synonyms, the nearest first, each some folded words. A text fits if it contains all words of one of them: in any
    /// order, by their English stems ("manager", "managers"). Other characters than letters and digits are ignored; a
    /// phrase without any fits nobody.
    pub phrases: &'a [Vec<String>],
}

/// A person who fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// The person's number in the network.
    pub person: u32,
    /// How well they fit, 1 to 255: by the field, the phrase's position, and its share of the text.
    pub fit: u8,
}

/// A statement over the fitting texts of a table. `$columns` begins the selected columns, beside the number of words;
/// `$joins` and `$and` may add tables and a condition.
macro_rules! fitting {
    ($texts:literal, [$($columns:literal),+], [$($joins:literal),*], [$($and:literal),*]) => {
        concat!(
            "SELECT ",
            $($columns,)+
            ", ",
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
            $($joins,)*
            " WHERE ",
            $texts,
            "_fts MATCH ?1"
            $(, $and)*
        )
    };
}

/// The statement that finds people by a text they share: for each fitting text, the people in reach, from a covering
/// index.
macro_rules! people_by {
    ($texts:literal, $column:literal) => {
        fitting!(
            $texts,
            ["people.person"],
            [
                " CROSS JOIN people INDEXED BY people_by_",
                $column,
                " ON people.",
                $column,
                " = ",
                $texts,
                ".id"
            ],
            [" AND people.in_reach = 1"]
        )
    };
}

/// The statement that finds people by a text that companies share.
macro_rules! people_by_company {
    ($texts:literal, $column:literal) => {
        fitting!(
            $texts,
            ["people.person"],
            [
                " CROSS JOIN companies INDEXED BY companies_by_",
                $column,
                " ON companies.",
                $column,
                " = ",
                $texts,
                ".id",
                " CROSS JOIN people INDEXED BY people_by_company ON people.company = companies.id"
            ],
            [" AND people.in_reach = 1"]
        )
    };
}

/// The statement that finds the texts themselves.
macro_rules! texts_of {
    ($texts:literal) => {
        fitting!($texts, [$texts, ".id"], [], [])
    };
}

named! {
    /// All fields.
    @all TextField { Position, CompanyName, Industry, Headquarters, City, Country, PersonName }
}

impl TextField {
    /// The fit, 1 to 255, of a text that equals the first phrase. A company's headquarters says less about a person's
    /// place than their own city.
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

    /// The statement that selects the person and the number of words of the fitting text. Its text is constant; the
    /// query is its only parameter.
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

impl TextField {
    /// The statement that selects the number of each fitting text, and the number of its words.
    const fn text_statement(self) -> &'static str {
        match self {
            Self::Position => texts_of!("positions"),
            Self::CompanyName => texts_of!("companies"),
            Self::Industry => texts_of!("industries"),
            Self::Headquarters => texts_of!("headquarters"),
            Self::City => texts_of!("cities"),
            Self::Country => texts_of!("countries"),
            Self::PersonName => {
                "SELECT people.person, people.words FROM people_fts
                 CROSS JOIN people ON people.person = people_fts.rowid WHERE people_fts MATCH ?1"
            }
        }
    }
}

impl RelationalStore {
    /// How well each text of each field fits, or 0: for `fields[i]` a table of `texts[i]` entries, by the text's number
    /// in the snapshot's dictionaries; names of companies and people by theirs.
    ///
    /// Like [`Self::find`], without the people: costs only the texts. It ignores who is in reach, and the numbers are
    /// those of the snapshot: see [`Self::is_renumbered`].
    ///
    /// # Errors
    /// Returns the errors of [`Self::find`].
    pub fn find_texts(
        &self,
        lookup: &Lookup<'_>,
        texts: &[usize],
        deadline: Instant,
    ) -> Result<Vec<Vec<u8>>, RelationalError> {
        let mut tables: Vec<Vec<u8>> = texts.iter().map(|&count| vec![0; count]).collect();
        let found = self.each_phrase(lookup, deadline, |connection, place, phrase| {
            let (field, table) = (lookup.fields[place], &mut tables[place]);
            select(connection, field.text_statement(), phrase, field, |text, fit| {
                let held = usize::try_from(text).ok().and_then(|text| table.get_mut(text));
                held.map(|held| *held = fit.max(*held))
                    .ok_or_else(|| RelationalError::damaged("a text that is not there"))
            })
        });
        found.inspect_err(|error| self.pool.note(error)).map(|()| tables)
    }

    /// Everyone in reach who fits, each once with their best fit, in no order.
    ///
    /// In reach means having an edge from a member or an accepted advocate. Costs a statement per field and phrase,
    /// with its results, and a byte per person of the network.
    ///
    /// # Errors
    /// Returns [`RelationalError::Late`] soon after `deadline`, even if a statement is running. Returns an error if a
    /// phrase is too long, or if the store is damaged or cannot be read.
    pub fn find(&self, lookup: &Lookup<'_>, deadline: Instant) -> Result<Vec<Match>, RelationalError> {
        self.look_up(lookup, deadline).inspect_err(|error| self.pool.note(error))
    }

    fn look_up(&self, lookup: &Lookup<'_>, deadline: Instant) -> Result<Vec<Match>, RelationalError> {
        let mut tally = Tally::new(self.people);
        self.each_phrase(lookup, deadline, |connection, place, phrase| {
            let field = lookup.fields[place];
            select(connection, field.statement(), phrase, field, |person, fit| {
                tally.note(person, fit).map_err(|_| RelationalError::damaged("a person that is not there"))
            })
        })?;
        Ok(self.in_network(tally.into_matches()))
    }

    /// Calls `look` for each phrase of `lookup` and each position of its fields.
    fn each_phrase(
        &self,
        lookup: &Lookup<'_>,
        deadline: Instant,
        mut look: impl FnMut(&Connection, usize, &StoredPhrase) -> Result<(), RelationalError>,
    ) -> Result<(), RelationalError> {
        let is_late = move || clock::now() >= deadline;
        self.pool.lend(deadline)?.reader().run(is_late, |connection| {
            for (place, words) in lookup.phrases.iter().enumerate() {
                let Some(phrase) = StoredPhrase::new(words, place)? else { continue };
                for field in 0..lookup.fields.len() {
                    // A short statement ends before its own look at the clock.
                    if is_late() {
                        return Err(RelationalError::Late);
                    }
                    look(connection, field, &phrase)?;
                }
            }
            Ok(())
        })
    }
}

/// Runs `sql` for `phrase` in `field` and passes each selected number and its fit to `note`. No value is trusted: its
/// type is checked here, and its range by `note`.
fn select(
    connection: &Connection,
    sql: &str,
    phrase: &StoredPhrase,
    field: TextField,
    mut note: impl FnMut(i64, u8) -> Result<(), RelationalError>,
) -> Result<(), RelationalError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([&phrase.query])?;
    while let Some(row) = rows.next()? {
        let (ValueRef::Integer(number), ValueRef::Integer(words)) = (row.get_ref(0)?, row.get_ref(1)?) else {
            return Err(RelationalError::damaged("a number is missing"));
        };
        let words = u32::try_from(words).map_err(|_| RelationalError::damaged("a text of no length"))?;
        note(number, phrase.fit(field.weight(), words))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relational::schema::{INDEXES, TABLES};

    /// Returns SQLite's plan of a statement, one line per table.
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
        for field in TextField::ALL {
            let plan = plan(&connection, field.text_statement())?;
            assert!(is_indexed(&plan, "INTEGER PRIMARY KEY") && plan.len() == 2, "{field:?}: {plan:#?}");
        }
        // The control: a statement that reads everybody is noticed.
        let plan = plan(&connection, "SELECT person FROM people WHERE name = ?1")?;
        assert!(!is_indexed(&plan, ""), "{plan:#?}");
        Ok(())
    }
}
