//! The kinds of question that are measured.

/// Questions drawn of each kind; some may be drawn twice.
pub(super) const DRAWN: usize = 1_000;

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Person,
    PathsToPerson,
    PathsToWellKnown,
    PathsToCompany,
    PersonNetwork,
    Connections,
    SecondDegree,
    SecondDegreeAgain,
    People,
    Companies,
    PlainWords,
}

impl Kind {
    pub(super) const ALL: [Self; 11] = [
        Self::Person,
        Self::PathsToPerson,
        Self::PathsToWellKnown,
        Self::PathsToCompany,
        Self::PersonNetwork,
        Self::Connections,
        Self::SecondDegree,
        Self::SecondDegreeAgain,
        Self::People,
        Self::Companies,
        Self::PlainWords,
    ];

    /// Returns the name of the kind in JSON.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::PathsToPerson => "pathsToPerson",
            Self::PathsToWellKnown => "pathsToWellKnownPerson",
            Self::PathsToCompany => "pathsToCompany",
            Self::PersonNetwork => "personNetwork",
            Self::Connections => "connections",
            Self::SecondDegree => "secondDegreeFirst",
            Self::SecondDegreeAgain => "secondDegreeAgain",
            Self::People => "searchPeople",
            Self::Companies => "searchCompanies",
            Self::PlainWords => "searchNetwork",
        }
    }

    /// Returns the name of the kind in the tables, in at most 29 columns.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Person => "one person",
            Self::PathsToPerson => "paths to a person",
            Self::PathsToWellKnown => "paths to a well-known person",
            Self::PathsToCompany => "paths to a company",
            Self::PersonNetwork => "whom a person knows",
            Self::Connections => "a member's contacts",
            Self::SecondDegree => "second degree, the first time",
            Self::SecondDegreeAgain => "second degree, again",
            Self::People => "people by a part of a text",
            Self::Companies => "companies by a part of a name",
            Self::PlainWords => "people in plain words",
        }
    }

    /// Whether a bound of `[limits]` is on it.
    pub(super) const fn is_bounded(self) -> bool {
        matches!(
            self,
            Self::PathsToPerson
                | Self::PathsToWellKnown
                | Self::PathsToCompany
                | Self::SecondDegree
                | Self::SecondDegreeAgain
        )
    }

    /// How many questions are drawn: of those that take milliseconds, fewer.
    pub(super) const fn draws(self) -> usize {
        if matches!(self, Self::PlainWords) { DRAWN / 20 } else { DRAWN }
    }
}
