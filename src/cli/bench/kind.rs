//! The measured kinds of question.

use crate::model::named::named;

/// Questions drawn of each kind, with repetition.
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

named! {
    /// All of them.
    Kind as key, title {
        Person = "person", "one person";
        PathsToPerson = "pathsToPerson", "paths to a person";
        PathsToWellKnown = "pathsToWellKnownPerson", "paths to a well-known person";
        PathsToCompany = "pathsToCompany", "paths to a company";
        PersonNetwork = "personNetwork", "whom a person knows";
        Connections = "connections", "a member's contacts";
        SecondDegree = "secondDegreeFirst", "second degree, the first time";
        SecondDegreeAgain = "secondDegreeAgain", "second degree, again";
        People = "searchPeople", "people by a part of a text";
        Companies = "searchCompanies", "companies by a part of a name";
        PlainWords = "searchNetwork", "people in plain words";
    }
}

impl Kind {
    /// Whether a bound of `[limits]` applies to it.
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

    /// The number of questions to draw: fewer for kinds that take milliseconds.
    pub(super) const fn draws(self) -> usize {
        if matches!(self, Self::PlainWords) { DRAWN / 20 } else { DRAWN }
    }
}
