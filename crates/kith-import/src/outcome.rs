//! The outcome of the rows of each file: the numbers and sentences of the report.

use std::fmt;

use crate::fault::SkipReason;

/// A file, or an entry of an archive, with the outcome of its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedFile {
    /// The file as named; for an archive `ARCHIVE!/ENTRY`.
    pub file: String,
    /// Its name in provenance.
    pub stored: String,
    /// The position of the planned file that it is or is in.
    pub planned: usize,
    /// The name of the export; empty if unknown.
    pub format: String,
    /// Rows read: the sum of `used`, `merged` and the `skips`.
    pub read: u64,
    /// Rows that are the first of their person.
    pub used: u64,
    /// Further rows of a person, and messages already read.
    pub merged: u64,
    /// Rows that were skipped, by line.
    pub skips: Vec<(u64, RowSkip)>,
    /// Why it could not be read, or not to its end.
    pub fault: Option<String>,
    /// Whether no line of it is the header of a known export.
    pub(crate) is_unknown: bool,
    /// The digest of its content: equal for files with the same bytes, wherever they are.
    pub(crate) digest: [u8; 16],
}

/// Why a row is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowSkip {
    /// The row itself cannot be used.
    Unread(SkipReason),
    /// Its owner withholds it.
    LeftOut,
    /// Its person is on the suppression list.
    Suppressed,
    /// The newest evidence of its tie is past the retention period, and nothing else names its person.
    Expired,
    /// It only has an address, which no other row names.
    Unnamed,
    /// A mail or an event with an address that nobody has, under the name of a contact of its owner.
    Unfitted,
    /// A message, a mail or an event with nobody whom its owner's files name.
    Stranger,
    /// A message, a mail or an event between others than its owner.
    OwnerIsNoParty,
    /// A message to a group, or with too many others.
    Crowd,
    /// An edge that starts at neither a member nor an advocate.
    NoHolder,
    /// Its owner was invited as an advocate and did not accept.
    NotAccepted,
}

impl ImportedFile {
    /// The number of rows that were used or merged.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.used + self.merged
    }

    /// Skips the row in line `line`.
    pub(crate) fn skip(&mut self, line: u64, reason: RowSkip) {
        self.skips.push((line, reason));
    }
}

impl fmt::Display for RowSkip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unread(reason) => return reason.fmt(f),
            Self::LeftOut => "its owner leaves it out",
            Self::Suppressed => "its person is on the suppression list",
            Self::Expired => "its newest evidence is older than the team file retains",
            Self::Unnamed => "an address without a name, which no other row names",
            Self::Unfitted => {
                "under the name of a contact of its owner, at an address that is not known to be theirs; it counts once the \
                 contact has the address"
            }
            Self::Stranger => "with nobody whom the files of its owner name",
            Self::OwnerIsNoParty => "its owner is neither sender nor recipient",
            Self::Crowd => "to a group, or with too many others",
            Self::NoHolder => "it starts at no member or advocate",
            Self::NotAccepted => "its owner was asked to help and has not accepted",
        })
    }
}
