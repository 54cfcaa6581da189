//! Why there is no path, or fewer than possible.

use crate::model::named::named;
use crate::query::paths::target::Target;

/// One reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathReason {
    /// The target means no person or company.
    TargetUnknown,
    /// The target is a member.
    TargetIsMember,
    /// The from-set is empty.
    FromSetEmpty,
    /// Nobody works at the company, or nobody in such a position.
    NoCandidates,
    /// An introduction to all of them was already requested.
    AllWithheld,
    /// There is a path, but of a type that was not requested.
    OnlyExcludedTypes,
    /// There is no path of any type.
    NoEdgeNear,
    /// A bound left something out.
    BoundsHit,
}

named! {
    /// All reasons, in the order of the list.
    PathReason as code, message {
        TargetUnknown = "target_unknown", "Nobody in your organization's network matches the target.";
        TargetIsMember = "target_is_member", "The target is a member of your organization: ask them directly.";
        FromSetEmpty = "from_set_empty", "No member is left whom paths may start from; see scope and fromUserIds.";
        NoCandidates = "no_candidates", "Nobody is known to work there now, or nobody in such a position.";
        AllWithheld = "all_withheld", "Everybody there was asked for already; includeIntroRequested=true lists them too.";
        OnlyExcludedTypes = "only_excluded_types", "There are paths, but none of the connectionTypes asked for.";
        NoEdgeNear = "no_edge_near", "Neither these members, nor their advocates, nor anybody they know knows the target.";
        BoundsHit = "bounds_hit", "A bound left out employees or edges, so that there may be more paths.";
    }
}

/// The facts of a finished search.
#[derive(Clone, Copy, Debug)]
pub struct SearchFacts {
    /// The person or company that was found.
    pub target: Option<Target>,
    /// Whether the target is a member.
    pub is_member: bool,
    /// Whether the from-set is empty.
    pub from_set_is_empty: bool,
    /// The number of people who were targets.
    pub candidates: u32,
    /// The number of employees withheld.
    pub withheld: u32,
    /// Whether the bound on candidates left an employee out.
    pub candidates_capped: bool,
    /// Whether any bound left something out.
    pub is_capped: bool,
    /// Whether there is a path.
    pub has_path: bool,
}

impl PathReason {
    /// Lists every reason that applies. Calls `has_path_of_any_type` only if there is no path; it returns whether one
    /// of any type is within the limits.
    #[must_use]
    pub fn all_of(facts: &SearchFacts, has_path_of_any_type: impl FnOnce() -> bool) -> Vec<Self> {
        let is_company = matches!(facts.target, Some(Target::Company(_)));
        let has_open = facts.candidates > 0 || facts.candidates_capped;
        let is_searched = facts.candidates > 0 && !facts.from_set_is_empty && !facts.has_path;
        let only_excluded = is_searched && has_path_of_any_type();
        let holds = |reason: &Self| match reason {
            Self::TargetUnknown => facts.target.is_none(),
            Self::TargetIsMember => facts.is_member,
            Self::FromSetEmpty => facts.from_set_is_empty,
            Self::NoCandidates => is_company && !has_open && facts.withheld == 0,
            Self::AllWithheld => is_company && !has_open && facts.withheld > 0,
            Self::OnlyExcludedTypes => only_excluded,
            Self::NoEdgeNear => is_searched && !only_excluded,
            Self::BoundsHit => facts.is_capped,
        };
        Self::ALL.into_iter().filter(holds).collect()
    }
}
