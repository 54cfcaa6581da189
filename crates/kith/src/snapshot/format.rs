//! The start of every snapshot, the maximum length of a section table, and the versions of the format.

/// The format version that this program writes, and the newest that it reads.
pub const FORMAT_VERSION: u32 = 5;
/// The oldest format version that this program reads.
pub const FORMAT_VERSION_MIN: u32 = 1;

/// For each supported version: the day of its release and its number of sections. A version has the sections of the one
/// before it, followed by its own.
const VERSIONS: [(&str, usize); (FORMAT_VERSION - FORMAT_VERSION_MIN + 1) as usize] = [
    ("2026-11-21", 25),
    ("2026-11-22", 27),
    ("2026-11-22", 28),
    ("2026-11-28", 30),
    ("2026-11-28", SECTION_COUNT),
];
/// The number of sections of the version that is written.
pub(crate) const SECTION_COUNT: usize = 31;

/// The first bytes of every snapshot. A transfer that drops the eighth bit or changes line ends breaks them.
pub(crate) const MAGIC: [u8; 8] = *b"\x89KITH\r\n\n";
/// Maximum length of a section table, in bytes.
pub(crate) const TABLE_BYTES_MAX: u32 = 16 << 10;

/// Returns the release day of `version`, or `None` if this program does not read it.
#[must_use]
pub fn date_of(version: u32) -> Option<&'static str> {
    version_of(version).map(|(date, _)| date)
}

/// Returns the number of sections in a file of `version`, or `None` if this program does not read it.
pub(crate) fn section_count(version: u32) -> Option<usize> {
    version_of(version).map(|(_, sections)| sections)
}

fn version_of(version: u32) -> Option<(&'static str, usize)> {
    let place = version.checked_sub(FORMAT_VERSION_MIN)?;
    VERSIONS.get(place as usize).copied()
}
