//! What can be wrong with a manifest. Nothing is imported then.

/// Why a manifest, or a file of overrides, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ManifestError {
    /// The file, as it was named.
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
    /// The text is no TOML.
    #[error("{0}")]
    NotToml(String),
    /// A key that no manifest has.
    #[error("{place} is not known; did you mean {nearest}?")]
    UnknownKey {
        /// The key and the tables it stands in.
        place: String,
        /// The known key that is most like it.
        nearest: String,
    },
    /// A key that is needed and is not there.
    #[error("{0} is missing")]
    MissingKey(String),
    /// A value of another kind.
    #[error("{place}: expected {expected}")]
    Unfit {
        /// The key and the tables it stands in.
        place: String,
        /// The accepted values, in words.
        expected: &'static str,
    },
    /// A name or an address that is no member's.
    #[error("{place}: {text} is no member's name or address; members are {known}")]
    NoMember {
        /// The key and the tables it stands in.
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
        /// The key and the tables it stands in.
        place: String,
        /// The file.
        file: String,
    },
    /// A weight, or another value of the scores, that cannot be.
    #[error("{0}")]
    Scoring(String),
    /// Rows that are to be one person and two.
    #[error("{0} is listed as the same and apart")]
    SameAndApart(String),
}
