//! Any bytes under any file name give rows, each used or skipped, or a fault; and `kith build` accepts everything that
//! is imported.

use std::fs;

use kith_import::columns::{ColumnMapping, MappedColumn};
use kith_import::dates::CalendarDay;
use kith_import::files::{EntryCount, FileRow, read_file, read_mail};
use kith_import::imported::{ImportSettings, import};
use kith_import::limits::{IMPORT_ADDRESSES_MAX, IMPORT_LINE_BYTES_MAX, IMPORT_REPEATS_MAX};
use kith_import::manifest::overrides::Overrides;
use kith_import::manifest::plan_of_files;
use kith_import::tables::folder::TableFolder;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use tempfile::TempDir;

use super::choices::Choices;

/// File names; one further choice takes any bytes as the name.
const NAMES: [&str; 7] = [
    "Connections.csv",
    "contacts.vcf",
    "mail.mbox",
    "calendar.ics",
    "export.zip",
    "book.xlsx",
    "a\n\u{202e}b",
];
/// One input in this many is imported as a whole, which writes files.
const WHOLE_ONE_IN: u8 = 16;
/// The day of the imports.
const TODAY: CalendarDay = CalendarDay { year: 2026, month: 5, day: 4 };

/// The outcome for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// No row was used.
    Nothing,
    /// Some rows were.
    Used,
    /// It was imported as a whole, and nothing was written.
    NothingWritten,
    /// It was imported as a whole, and the tables made a network.
    Built,
}

/// A folder for files and tables.
pub struct Desk {
    root: TempDir,
}

/// A row: its entry, its line, and whether it was used.
type Taken = (String, u64, bool);

impl Desk {
    /// An empty one.
    pub fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }

    /// Reads the file that `input` describes: one byte each for a name, columns of a manifest, and whether it is
    /// imported as a whole; then the bytes of the file.
    pub fn check(&self, input: &[u8]) -> Outcome {
        let mut choices = Choices::new(input);
        let name = match NAMES.get(choices.below(NAMES.len() + 1)) {
            Some(name) => (*name).to_owned(),
            None => {
                let count = choices.below(32);
                String::from_utf8_lossy(choices.take(count)).into_owned()
            }
        };
        let columns = mapping(choices.below(3));
        let is_whole = choices.byte() % WHOLE_ONE_IN == 1;
        let bytes = choices.rest();
        let (rows, counts) = read(&name, bytes, columns.as_ref());
        assert!(
            read(&name, bytes, columns.as_ref()) == (rows.clone(), counts.clone()),
            "read twice, it differs"
        );
        for entry in &counts {
            check_entry(entry, &rows);
        }
        let counted: u64 = counts.iter().map(|entry| entry.count.read).sum();
        assert_eq!(counted, rows.len() as u64, "a row is counted in no entry");
        if kith_import::files::is_mail_archive(bytes) {
            let mut of_mail = Vec::new();
            let count = read_mail(&name, &mut &bytes[..], &mut |file, line, row| {
                if !is_beside(&row) {
                    of_mail.push((file.to_owned(), line, row.is_ok()));
                }
            });
            assert!((of_mail, vec![count]) == (rows.clone(), counts), "mail that is held is other mail");
        }
        match (is_whole, rows.iter().any(|(_, _, is_used)| *is_used)) {
            (true, _) => self.import(bytes),
            (false, true) => Outcome::Used,
            (false, false) => Outcome::Nothing,
        }
    }

    /// Imports `bytes` as the only file of a member.
    fn import(&self, bytes: &[u8]) -> Outcome {
        let [file, tables] = ["export", "tables"].map(|name| self.root.path().join(name));
        fs::write(&file, bytes).unwrap();
        let _ = fs::remove_dir_all(&tables);
        let plan = plan_of_files("Acme", "Ana Ruiz", &[], std::slice::from_ref(&file)).unwrap();
        let settings = ImportSettings {
            today: TODAY,
            tables: &tables,
            overrides: Overrides::default(),
            keep: false,
            is_forgotten: None,
        };
        let imported = import(plan, &settings).unwrap_or_else(|error| panic!("a file is no error: {error}"));
        for file in imported.files() {
            let totals = file.totals();
            let whole = totals.used + totals.merged + totals.skipped;
            assert_eq!(totals.read, whole, "{}: rows are lost", file.file);
        }
        if imported.is_empty() {
            return Outcome::NothingWritten;
        }
        let mut folder = TableFolder::open(&tables).unwrap();
        imported.write(&mut folder).unwrap();
        folder.put().unwrap();
        let built = read_folder(&tables, &Silent);
        let built = built.unwrap_or_else(|error| panic!("what was imported does not build: {error}"));
        assert_eq!(
            (built.warnings.len(), built.ignored.count()),
            (0, 0),
            "the tables have what no table has"
        );
        assert!(
            built.dataset.edges.out.ends.len() < built.dataset.people.len(),
            "one member, an edge to each"
        );
        Outcome::Built
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}

/// A mapping that a manifest may give for a file.
fn mapping(choice: usize) -> Option<ColumnMapping> {
    use MappedColumn::{Company, Connected, Email, From, Labels, Name, Owner, Position, To, Url, Weight};
    let columns: &[(MappedColumn, &str)] = match choice {
        0 => return None,
        1 => &[(From, "a"), (To, "b"), (Weight, "c")],
        _ => &[
            (Name, "a"),
            (Email, "b"),
            (Company, "c"),
            (Position, "d"),
            (Url, "e"),
            (Connected, "f"),
            (Owner, "g"),
            (Labels, "h"),
        ],
    };
    Some(ColumnMapping { columns: columns.iter().map(|(is, header)| (*is, (*header).to_owned())).collect() })
}

fn read(name: &str, bytes: &[u8], columns: Option<&ColumnMapping>) -> (Vec<Taken>, Vec<EntryCount>) {
    let mut rows = Vec::new();
    let counts = read_file(name, bytes, columns, &mut |file, line, row| {
        if let Ok(row) = &row {
            check_row(row);
        }
        if !is_beside(&row) {
            rows.push((file.to_owned(), line, row.is_ok()));
        }
    });
    (rows, counts)
}

/// Whether this accompanies a row rather than being one.
fn is_beside<E>(row: &Result<FileRow, E>) -> bool {
    matches!(row, Ok(FileRow::List(_)))
}

/// Checks that the rows of an entry are those passed on, each used or skipped, and that a fault has a message.
pub fn check_entry(entry: &EntryCount, rows: &[Taken]) {
    let count = &entry.count;
    assert_eq!(count.read, count.used + count.skipped, "{}: a row is neither used nor skipped", entry.file);
    let own = || rows.iter().filter(|(file, _, _)| *file == entry.file);
    let is_only = count.read == own().count() as u64;
    assert!(!is_only || count.used == own().filter(|(_, _, is_used)| *is_used).count() as u64);
    assert!(own().all(|(_, line, _)| *line > 0), "{}: a row stands in no line", entry.file);
    assert!(count.fault.as_ref().is_none_or(|fault| !fault.to_string().is_empty()));
    assert!(count.without_date <= count.used);
}

/// Checks that no row exceeds the limits of a table.
fn check_row(row: &FileRow) {
    match row {
        FileRow::Contact(contact) => {
            assert!(!contact.names.full.is_empty() || !contact.emails.is_empty(), "a row of nobody");
            let lists = [&contact.handles, &contact.emails, &contact.labels];
            assert!(lists.iter().all(|list| list.len() <= IMPORT_ADDRESSES_MAX));
            let texts = [&contact.names.full, &contact.company, &contact.position, &contact.owner];
            assert!(texts.iter().all(|text| text.len() <= IMPORT_LINE_BYTES_MAX));
        }
        FileRow::Interaction(interaction) | FileRow::Mail(interaction, _) => {
            assert!(interaction.days(TODAY).len() <= IMPORT_REPEATS_MAX, "more days than any event has");
        }
        FileRow::Position(_)
        | FileRow::School(_)
        | FileRow::Profile(_)
        | FileRow::OwnAddress(_)
        | FileRow::Tie(_)
        | FileRow::List(_) => {}
    }
}
