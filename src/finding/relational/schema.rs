//! The format of a store: its path, its marks, its tables and their indexes.

use std::path::{Path, PathBuf};

/// The version of the tables, in the file's `user_version`.
pub const SCHEMA_VERSION: i32 = 1;
/// "kitr" in ASCII, in the file's `application_id`; no other program uses it, nor does a credential store.
pub(crate) const APPLICATION_ID: i32 = 0x6b69_7472;
/// The page size of the file, in bytes: small networks stay small, and a look-up reads few pages.
pub(crate) const PAGE_BYTES: u32 = 4096;

/// A full-text index over folded texts. It contains no text itself: the table beside it does.
macro_rules! full_text {
    ($name:literal) => {
        concat!(
            "CREATE VIRTUAL TABLE ",
            $name,
            "_fts USING fts5(text, content='', columnsize=0,",
            " tokenize='porter unicode61 remove_diacritics 0');\n"
        )
    };
}

/// A table of distinct texts, ascending by bytes, and their full-text index. `words` is the number of words in a text;
/// it comes before the text, which may be long.
macro_rules! texts {
    ($name:literal) => {
        concat!(
            "CREATE TABLE ",
            $name,
            " (id INTEGER PRIMARY KEY, words INTEGER NOT NULL, text TEXT NOT NULL) STRICT;\n",
            full_text!($name)
        )
    };
}

/// The tables. Missing values are null. Numbers of people and companies are those of the dataset, from 0; numbers of
/// texts are positions in its dictionaries, where 0 is the empty text.
pub(crate) const TABLES: &str = concat!(
    "CREATE TABLE meta (identity BLOB NOT NULL, people INTEGER NOT NULL) STRICT;\n",
    texts!("positions"),
    texts!("cities"),
    texts!("countries"),
    texts!("industries"),
    texts!("headquarters"),
    "CREATE TABLE companies (
        id INTEGER PRIMARY KEY,
        words INTEGER NOT NULL,
        name TEXT NOT NULL,
        industry INTEGER REFERENCES industries (id),
        headquarters INTEGER REFERENCES headquarters (id),
        min_size INTEGER,
        max_size INTEGER
    ) STRICT;\n",
    full_text!("companies"),
    "CREATE TABLE people (
        person INTEGER PRIMARY KEY,
        words INTEGER NOT NULL,
        name TEXT NOT NULL,
        position INTEGER REFERENCES positions (id),
        company INTEGER REFERENCES companies (id),
        city INTEGER REFERENCES cities (id),
        country INTEGER REFERENCES countries (id),
        in_reach INTEGER NOT NULL CHECK (in_reach IN (0, 1))
    ) STRICT;\n",
    full_text!("people"),
);

/// The indexes that look-ups read instead of the tables. Each covers its look-up: an entry ends in the row's number,
/// the only result. `= 1` is spelled out so that SQLite knows from the index alone that a row is in reach. Created when
/// the tables are full.
pub(crate) const INDEXES: &str = "
    CREATE INDEX companies_by_industry ON companies (industry);
    CREATE INDEX companies_by_headquarters ON companies (headquarters);
    CREATE INDEX people_by_position ON people (position) WHERE in_reach = 1;
    CREATE INDEX people_by_company ON people (company) WHERE in_reach = 1;
    CREATE INDEX people_by_city ON people (city) WHERE in_reach = 1;
    CREATE INDEX people_by_country ON people (country) WHERE in_reach = 1;
";

/// The path of the store for the snapshot at `snapshot`: beside it, with `.sqlite` appended to the name.
#[must_use]
pub fn path_beside(snapshot: &Path) -> PathBuf {
    let mut name = snapshot.as_os_str().to_owned();
    name.push(".sqlite");
    PathBuf::from(name)
}

/// The number of words in `text`: runs of letters and digits.
///
/// Never 0, since it divides. It differs from the full-text index's count only in rare scripts, and affects only how
/// well a text fits, never whether.
pub(crate) fn word_count(text: &str) -> u32 {
    let words = text.split(|character: char| !character.is_alphanumeric());
    let count = words.filter(|word| !word.is_empty()).count();
    u32::try_from(count).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_beside_its_snapshot_whatever_the_name() {
        for (snapshot, store) in [("a/net.kith", "a/net.kith.sqlite"), ("net", "net.sqlite")] {
            assert_eq!(path_beside(Path::new(snapshot)), Path::new(store));
        }
    }

    #[test]
    fn words_are_runs_of_letters_and_digits_and_never_none() {
        for (text, count) in [
            ("", 1),
            ("🦀 !", 1),
            ("vp", 1),
            ("vp, sales & marketing", 3),
            ("c++/c# 2nd-line", 4),
            ("東京 ßtraße", 2),
        ] {
            assert_eq!(word_count(text), count, "{text}");
        }
    }
}
