//! The bounds of imports: files, archives, workbooks, and the content of a row.

/// Maximum size of an export, in bytes.
pub const IMPORT_FILE_BYTES_MAX: usize = 256 << 20;
/// Maximum size of an export that is not UTF-8, in bytes: its text is held beside it, at most three times as long.
pub const IMPORT_RECODED_BYTES_MAX: usize = 64 << 20;
/// Maximum size of a record of an export, in bytes; also of the kept part of a card, an event or the head of a message.
pub const IMPORT_LINE_BYTES_MAX: usize = 1 << 20;
/// Maximum lines above the header of an export.
pub const IMPORT_PREAMBLE_LINES_MAX: u64 = 10;
/// Maximum size of a manifest or a file of overrides, in bytes.
pub const IMPORT_MANIFEST_BYTES_MAX: usize = 4 << 20;
/// Maximum files in one folder or pattern of a manifest.
pub const IMPORT_FILES_MAX: usize = 10_000;
/// Maximum depth below a folder of a manifest in which files are found.
pub const IMPORT_FOLDER_DEPTH_MAX: usize = 8;
/// Maximum people with the same name and company among whom a row is compared; with more, none is joined by name.
pub const IMPORT_NAMESAKES_MAX: usize = 64;
/// Maximum size of an archive, in bytes: its directory may be read three times.
pub const IMPORT_ARCHIVE_BYTES_MAX: usize = 128 << 20;
/// Maximum entries in an archive.
pub const IMPORT_ARCHIVE_ENTRIES_MAX: usize = 10_000;
/// Maximum unpacked size of an entry, in bytes: it is held beside the archive.
pub const IMPORT_ENTRY_BYTES_MAX: usize = 128 << 20;
/// Maximum unpacked size of all entries together, in bytes.
pub const IMPORT_UNPACKED_BYTES_MAX: usize = 1 << 30;
/// Maximum ratio of an entry's unpacked to packed size, beyond its first megabyte. Text packs to a tenth, and
/// repetition to a thousandth.
pub const IMPORT_UNPACKED_RATIO_MAX: usize = 200;
/// Maximum unpacked size of a sheet of a workbook, in bytes.
pub const IMPORT_SHEET_BYTES_MAX: usize = 64 << 20;
/// Maximum unpacked size of a workbook's other parts, in bytes: their texts are held in memory.
pub const IMPORT_WORKBOOK_PART_BYTES_MAX: usize = 16 << 20;
/// Maximum unpacked size of a workbook's part with styles, in bytes: each style takes many times its bytes in memory.
pub const IMPORT_STYLES_BYTES_MAX: usize = 2 << 20;
/// Maximum sheets of a workbook.
pub const IMPORT_SHEETS_MAX: usize = 100;
/// Maximum cells of a row of a sheet; further ones are not read.
pub const IMPORT_COLUMNS_MAX: usize = 1_000;
/// Maximum addresses, profiles, and labels of a row, each.
pub const IMPORT_ADDRESSES_MAX: usize = 100;
/// Maximum people besides oneself on a message or an event that counts.
pub const IMPORT_OTHERS_MAX: usize = 10;
/// Maximum events in one calendar that repeat by a rule.
pub const IMPORT_REPEATING_EVENTS_MAX: u64 = 5_000;
/// Maximum days of one recurring event.
pub const IMPORT_REPEATS_MAX: usize = 10_000;
/// Maximum days that the rules of all events of an import inspect altogether: 5,000 events for eleven years.
pub const IMPORT_REPEAT_DAYS_MAX: u64 = 20_000_000;
/// Maximum entries kept for the days of all recurring events of an import: for each day, one per person or pair.
pub const IMPORT_REPEAT_KEPT_MAX: u64 = 4_000_000;
/// Maximum days that an event names besides its rule: further ones, and exceptions.
pub const IMPORT_EXCEPTIONS_MAX: usize = 1_000;

const _: () = assert!(
    IMPORT_FILE_BYTES_MAX + 3 * IMPORT_RECODED_BYTES_MAX < 512 << 20
        && IMPORT_ARCHIVE_BYTES_MAX + IMPORT_ENTRY_BYTES_MAX + 3 * IMPORT_RECODED_BYTES_MAX < 512 << 20,
    "a file is read in 512 MiB"
);
