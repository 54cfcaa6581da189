//! The bounds of what is imported: files, archives, workbooks, and what one row of them may hold.

/// The longest export, in bytes.
pub const IMPORT_FILE_BYTES_MAX: usize = 256 << 20;
/// The longest export that is not UTF-8, in bytes: its text is held beside it, at most three times as long.
pub const IMPORT_RECODED_BYTES_MAX: usize = 64 << 20;
/// The longest record of an export, in bytes; also what is kept of a card, of an event and of the head of a message.
pub const IMPORT_LINE_BYTES_MAX: usize = 1 << 20;
/// The most lines above the header of an export.
pub const IMPORT_PREAMBLE_LINES_MAX: u64 = 10;
/// The longest manifest of an import, or file of overrides, in bytes.
pub const IMPORT_MANIFEST_BYTES_MAX: usize = 4 << 20;
/// The most files that one folder or pattern of a manifest stands for.
pub const IMPORT_FILES_MAX: usize = 10_000;
/// The depth below a folder of a manifest to which files are looked for.
pub const IMPORT_FOLDER_DEPTH_MAX: usize = 8;
/// The most people of one name and one company among whom a row is compared; with more, none is joined by its name.
pub const IMPORT_NAMESAKES_MAX: usize = 64;
/// The longest archive, in bytes: its directory may be read thrice.
pub const IMPORT_ARCHIVE_BYTES_MAX: usize = 128 << 20;
/// The most entries of an archive.
pub const IMPORT_ARCHIVE_ENTRIES_MAX: usize = 10_000;
/// The longest entry of an archive, unpacked, in bytes: it is held beside the archive.
pub const IMPORT_ENTRY_BYTES_MAX: usize = 128 << 20;
/// The most bytes to which the entries of an archive unpack together.
pub const IMPORT_UNPACKED_BYTES_MAX: usize = 1 << 30;
/// The most times its packed bytes to which an entry unpacks, beyond its first megabyte. Text packs to a tenth, and what
/// is the same over and over to a thousandth.
pub const IMPORT_UNPACKED_RATIO_MAX: usize = 200;
/// The longest sheet of a workbook, unpacked, in bytes.
pub const IMPORT_SHEET_BYTES_MAX: usize = 64 << 20;
/// The longest part of a workbook that is no sheet, unpacked, in bytes: its texts are held in memory.
pub const IMPORT_WORKBOOK_PART_BYTES_MAX: usize = 16 << 20;
/// The longest part of a workbook that names styles, unpacked, in bytes: each takes many times its bytes in memory.
pub const IMPORT_STYLES_BYTES_MAX: usize = 2 << 20;
/// The most sheets of a workbook.
pub const IMPORT_SHEETS_MAX: usize = 100;
/// The most cells of a row of a sheet; those behind are not read.
pub const IMPORT_COLUMNS_MAX: usize = 1_000;
/// The most addresses of a row, the most profiles, and the most labels.
pub const IMPORT_ADDRESSES_MAX: usize = 100;
/// The most people beside one's own on a message or an event that counts.
pub const IMPORT_OTHERS_MAX: usize = 10;
/// The most events that repeat by a rule in one calendar.
pub const IMPORT_REPEATING_EVENTS_MAX: u64 = 5_000;
/// The most days of one event that repeats.
pub const IMPORT_REPEATS_MAX: usize = 10_000;
/// The most days that the rules of all events of an import look at, together: 5,000 events for eleven years.
pub const IMPORT_REPEAT_DAYS_MAX: u64 = 20_000_000;
/// The most that is kept of the days of all events of an import that repeat: for each day one of each person, or of each two.
pub const IMPORT_REPEAT_KEPT_MAX: u64 = 4_000_000;
/// The most days that an event names beside its rule: further ones, and those on which it does not take place.
pub const IMPORT_EXCEPTIONS_MAX: usize = 1_000;

const _: () = assert!(
    IMPORT_FILE_BYTES_MAX + 3 * IMPORT_RECODED_BYTES_MAX < 512 << 20
        && IMPORT_ARCHIVE_BYTES_MAX + IMPORT_ENTRY_BYTES_MAX + 3 * IMPORT_RECODED_BYTES_MAX < 512 << 20,
    "a file is read in 512 MiB"
);
