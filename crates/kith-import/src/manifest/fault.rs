//! Faults of a manifest. Nothing is imported then.

/// Why a manifest, or a file of overrides, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ManifestError {
    /// The file, as named.
    pub file: String,
    /// The fault.
    pub fault: ManifestFault,
}

/// A fault of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestFault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The text is not TOML.
    #[error("{0}")]
    NotToml(String),
    /// An unknown key.
    #[error("{place} is not known; did you mean {nearest}?")]
    UnknownKey {
        /// The key, with the tables it is in.
        place: String,
        /// The known key nearest to it.
        nearest: String,
    },
    /// A required key is missing.
    #[error("{0} is missing")]
    MissingKey(String),
    /// A value of the wrong type.
    #[error("{place}: expected {expected}")]
    Unfit {
        /// The key, with the tables it is in.
        place: String,
        /// A description of the accepted values.
        expected: &'static str,
    },
    /// A name or an address of no member.
    #[error("{place}: {text} is no member's name or address; members are {known}")]
    NoMember {
        /// The key, with the tables it is in.
        place: String,
        /// The text.
        text: String,
        /// The names of all members.
        known: String,
    },
    /// One person is named twice.
    #[error("{0} is named twice; a person is one member or one advocate")]
    PersonTwice(String),
    /// A file has two owners.
    #[error("{0} is listed twice; a file has one owner")]
    FileTwice(String),
    /// Columns are mapped for a file that is not listed.
    #[error("{place}: {file} is listed by nobody")]
    NoSuchFile {
        /// The key, with the tables it is in.
        place: String,
        /// The file.
        file: String,
    },
    /// An invalid weight, or another invalid value of the scores.
    #[error("{0}")]
    Scoring(String),
    /// The same rows are to be both one person and two.
    #[error("{0} is listed as the same and apart")]
    SameAndApart(String),
}
