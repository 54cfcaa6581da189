//! A validated request for warm paths.

use crate::model::ix::MemberIx;
use crate::model::named::named;
use crate::query::page::Page;

/// The types of path, in the order in which paths are listed. The edge from the member to their advocate counts as a
/// leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathType {
    /// The member knows the target.
    Direct,
    /// An advocate of the member knows the target.
    Advocate,
    /// The member knows a person, not their advocate, who knows the target.
    SecondDegree,
    /// An advocate of the member knows a person who knows the target and whom the member does not know.
    AdvocateSecondDegree,
}

named! {
    /// All types, in the order of their tiers.
    PathType {
        Direct = "direct",
        Advocate = "advocate",
        SecondDegree = "second_degree",
        AdvocateSecondDegree = "advocate_second_degree",
    }
}

/// A set of path types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathTypes(u8);

impl PathTypes {
    /// All four.
    pub const ALL: Self = Self(0b1_1111);

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

/// The first key by which paths are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathSort {
    /// Their type, then warmness.
    Tier,
    /// Warmness, then their type.
    Warmness,
}

named! {
    /// Both orders; the first is the default.
    PathSort { Tier = "tier", Warmness = "warmness" }
}

/// How paths are grouped: only the first of each group is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// By connector; for a direct path, by the member.
    Connector,
    /// By target.
    Target,
}

named! {
    /// All groupings, by name.
    GroupBy { Connector = "connector", Target = "target" }
}

/// An optional part of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathExtra {
    /// How the target was found, and the other possible targets.
    Match,
    /// Why there is no path, or fewer than possible.
    Reasons,
    /// The evidence of the legs.
    Evidence,
    /// The nearest people and paths, if the target was not found or has no path.
    Near,
    /// How often people are asked, and which preferences paths break.
    Asks,
}

named! {
    /// Every such part.
    PathExtra { Match = "match", Reasons = "reasons", Evidence = "evidence", Near = "near", Asks = "asks" }
}

impl PathExtra {
    /// The parts available without asks.
    pub const WITHOUT_ASKS: [Self; 4] = [Self::Match, Self::Reasons, Self::Evidence, Self::Near];
}

/// A set of optional parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathExtras(u8);

impl PathExtras {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self(0b1111);

    /// Whether `extra` is in the set.
    #[must_use]
    pub const fn contains(self, extra: PathExtra) -> bool {
        self.0 & (1 << extra as u8) != 0
    }
}

impl FromIterator<PathExtra> for PathExtras {
    fn from_iter<I: IntoIterator<Item = PathExtra>>(extras: I) -> Self {
        Self(extras.into_iter().fold(0, |set, extra| set | 1 << extra as u8))
    }
}

/// The target of the paths.
#[derive(Clone, Copy, Debug)]
pub enum TargetQuery<'a> {
    /// The target in this text, as people write it: see [`crate::query::paths::written`].
    Text(&'a str),
    /// The person with this handle or profile address.
    Handle(&'a str),
    /// The person with this id.
    PersonId(&'a str),
    /// The person with this e-mail address.
    Email(&'a str),
    /// The person whose name matches best.
    Name(&'a str),
    /// The person whose name matches best among those who work at the company that `company` names.
    NameAt {
        /// The person's name.
        name: &'a str,
        /// The company, as for [`TargetQuery::Company`].
        company: &'a str,
    },
    /// Anyone at the company with this id.
    CompanyId(&'a str),
    /// Anyone at the company with this name, handle or domain, or whose name matches best.
    Company(&'a str),
}

impl TargetQuery<'_> {
    /// Whether the target is anyone at a company.
    #[must_use]
    pub const fn is_company(&self) -> bool {
        matches!(self, Self::CompanyId(_) | Self::Company(_))
    }
}

/// Whose paths to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The paths of every member.
    Organization,
    /// The paths of the asking member.
    Me,
}

named! {
    /// Both scopes; the first is the default.
    Scope { Organization = "organization", Me = "me" }
}

impl Scope {
    /// The members that paths may start from: those of `named` (or all if `None`) within this scope of `asking`. `None`
    /// means every member. Without an `asking` member (an organization key) the scope has no effect; the API refuses
    /// `scope=me` with a key before this.
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
    /// The target of the paths.
    pub target: TargetQuery<'a>,
    /// Company mode: a plain text that the employees' plain positions contain; `None` means all employees.
    pub position: Option<String>,
    /// The members that paths may start from; `None` means all.
    pub from: Option<Vec<MemberIx>>,
    /// The types to look for.
    pub types: PathTypes,
    /// Company mode: whether employees already asked for are targets too.
    pub include_intro_requested: bool,
    /// The order of the list.
    pub sort: PathSort,
    /// How paths are grouped; `None` lists every path.
    pub group_by: Option<GroupBy>,
    /// The optional parts of the answer.
    pub extras: PathExtras,
    /// The page of paths to list.
    pub page: Page,
}

impl<'a> PathRequest<'a> {
    /// Requests the paths to `target` on `page`, from every member and of every type.
    #[must_use]
    pub const fn to(target: TargetQuery<'a>, page: Page) -> Self {
        Self {
            target,
            position: None,
            from: None,
            types: PathTypes::ALL,
            include_intro_requested: false,
            sort: PathSort::Tier,
            group_by: None,
            extras: PathExtras::NONE,
            page,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_me_keeps_only_the_caller_among_the_named_members() {
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
