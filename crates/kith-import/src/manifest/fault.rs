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
    /// A file is another person's, by the profile in it.
    #[error(
        "an export of {owner}, and --me says that all files are those of {me}; give only your own folder, or leave --me out: \
         then each folder is its owner's. If both names are yours, write --me \"{owner}\""
    )]
    OfAnother {
        /// The name in the profile.
        owner: String,
        /// The name on the command line.
        me: String,
    },
    /// No file says whose it is.
    #[error(
        "whose files are these? Say so by --me \"Your Name\"; or give a folder with one folder for each colleague, called as the \
         colleague or with the Profile.csv of their LinkedIn export in it; or a team file, team.toml (docs/import.md)"
    )]
    NoOwner,
    /// A folder has the profiles of two people.
    #[error(
        "it holds the exports of both {} and {}; give each of them a folder of their own in one folder, and give that one", .0[0], .0[1]
    )]
    TwoOwners([String; 2]),
    /// A folder has the name of two colleagues.
    #[error("whose exports are these? Its name is that of both {} and {}; call the folder by the whole name", .0[0], .0[1])]
    TwoCalledSo([String; 2]),
    /// A folder among those of colleagues has no owner.
    #[error(
        "whose exports are these? There is no Profile.csv of LinkedIn in it, and its name is nobody's; call the folder as its owner, \
         take it out, or write a team file (docs/import.md)"
    )]
    OwnerUnknown,
    /// A person's export lies beside the folders of colleagues.
    #[error(
        "whose export is this? It lies beside the folders of colleagues; move it into that of its owner, or write a team file \
         (docs/import.md)"
    )]
    Beside,
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
