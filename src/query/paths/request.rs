//! What a caller asks of warm paths, already valid.

use crate::model::ix::MemberIx;
use crate::query::page::Page;

/// How a path gets from a member to its target; in the order in which paths are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathType {
    /// The member knows the target.
    Direct,
    /// An advocate of the member knows the target.
    Advocate,
    /// The member knows someone who knows the target.
    SecondDegree,
    /// An advocate of the member knows someone who knows the target.
    AdvocateSecondDegree,
}

impl PathType {
    /// All types, in the order of their tiers.
    pub const ALL: [Self; 4] = [Self::Direct, Self::Advocate, Self::SecondDegree, Self::AdvocateSecondDegree];

    /// The type's name in requests and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Advocate => "advocate",
            Self::SecondDegree => "second_degree",
            Self::AdvocateSecondDegree => "advocate_second_degree",
        }
    }
}

/// A set of path types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathTypes(u8);

impl PathTypes {
    /// All four.
    pub const ALL: Self = Self(0b1111);

    /// Whether `kind` is in the set.
    #[must_use]
    pub const fn contains(self, kind: PathType) -> bool {
        self.0 & (1 << kind as u8) != 0
    }
}

impl FromIterator<PathType> for PathTypes {
    fn from_iter<I: IntoIterator<Item = PathType>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u8))
    }
}

/// Whom the paths should lead to.
#[derive(Clone, Copy, Debug)]
pub enum TargetQuery<'a> {
    /// The person with this handle or profile address.
    Handle(&'a str),
    /// The person whose name matches best.
    Name(&'a str),
    /// Anyone at the company whose name matches best.
    Company(&'a str),
}

/// Whose paths are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of every member.
    Organization,
    /// Those of the member who asks.
    Me,
}

impl Scope {
    /// Both; the first is the one that applies if none is asked for.
    pub const ALL: [Self; 2] = [Self::Organization, Self::Me];

    /// The scope's name in requests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Organization => "organization",
            Self::Me => "me",
        }
    }

    /// The members paths may start from: of those `named`, or of all if `None` are, the ones within this
    /// scope of `asking`. `None` stands for every member. A key asks for no member, and has no scope of its
    /// own.
    #[must_use]
    pub fn members(self, asking: Option<MemberIx>, named: Option<Vec<MemberIx>>) -> Option<Vec<MemberIx>> {
        match (self, asking) {
            (Self::Organization, _) | (Self::Me, None) => named,
            (Self::Me, Some(own)) => Some(
                named.map_or_else(|| vec![own], |named| named.into_iter().filter(|&it| it == own).collect()),
            ),
        }
    }
}

/// One question.
#[derive(Clone, Debug)]
pub struct PathRequest<'a> {
    /// Whom the paths should lead to.
    pub target: TargetQuery<'a>,
    /// The members paths may start from; all where nothing is said.
    pub from: Option<Vec<MemberIx>>,
    /// The types to look for.
    pub types: PathTypes,
    /// Company mode: whether employees already asked for are targets too.
    pub include_intro_requested: bool,
    /// Which of the paths to list.
    pub page: Page,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_of_ones_own_leaves_the_named_members_that_one_is() {
        let members = |rows: &[u32]| Some(rows.iter().copied().map(MemberIx).collect::<Vec<_>>());
        let own = Some(MemberIx(1));
        for (scope, asking, named, expected) in [
            (Scope::Organization, own, None, None),
            (Scope::Organization, own, members(&[0, 2]), members(&[0, 2])),
            (Scope::Organization, None, members(&[0]), members(&[0])),
            (Scope::Me, own, None, members(&[1])),
            (Scope::Me, own, members(&[0, 1, 2]), members(&[1])),
            (Scope::Me, own, members(&[0, 2]), members(&[])),
            (Scope::Me, own, members(&[1, 1]), members(&[1, 1])),
            (Scope::Me, None, members(&[0]), members(&[0])),
        ] {
            let found = scope.members(asking, named.clone());
            assert_eq!(found, expected, "{scope:?} of {asking:?} among {named:?}");
        }
    }
}
