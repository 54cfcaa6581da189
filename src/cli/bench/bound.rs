//! The bounds on the work of a request, each varied by itself.

use crate::cli::bench::kind::Kind;
use crate::model::named::named;
use kith::limits::Limits;

/// One of the bounds of `[limits]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    CompanyCandidates,
    EdgesPerTarget,
    EdgesPerConnector,
    Bridges,
    EdgesPerBridge,
    EdgesReadPerBridge,
}

named! {
    /// All of them.
    Bound as key {
        CompanyCandidates = "company_candidates",
        EdgesPerTarget = "edges_per_target",
        EdgesPerConnector = "edges_per_connector",
        Bridges = "bridges",
        EdgesPerBridge = "edges_per_bridge",
        EdgesReadPerBridge = "edges_read_per_bridge",
    }
}

impl Bound {
    /// The configured value of a bound, in halves of itself.
    pub(super) const IN_FORCE: u32 = 2;
    /// The measured values of each bound, in halves of it.
    pub(super) const SCALES: [u32; 3] = [1, Self::IN_FORCE, 4];

    /// The kind of question that the bound affects most.
    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::CompanyCandidates => Kind::PathsToCompany,
            Self::EdgesPerTarget | Self::EdgesPerConnector => Kind::PathsToWellKnown,
            Self::Bridges | Self::EdgesPerBridge | Self::EdgesReadPerBridge => Kind::SecondDegree,
        }
    }

    pub(super) fn value(self, limits: &Limits) -> u32 {
        let mut limits = *limits;
        *self.of(&mut limits)
    }

    /// `limits` with this bound set to `halves` halves of its value there.
    pub(super) fn scaled(self, limits: &Limits, halves: u32) -> Limits {
        let mut scaled = *limits;
        let bound = self.of(&mut scaled);
        *bound = (u64::from(*bound) * u64::from(halves) / 2).min(u64::from(Limits::MAX)) as u32;
        scaled
    }

    fn of(self, limits: &mut Limits) -> &mut u32 {
        match self {
            Self::CompanyCandidates => &mut limits.company_candidates,
            Self::EdgesPerTarget => &mut limits.edges_per_target,
            Self::EdgesPerConnector => &mut limits.edges_per_connector,
            Self::Bridges => &mut limits.bridges,
            Self::EdgesPerBridge => &mut limits.edges_per_bridge,
            Self::EdgesReadPerBridge => &mut limits.edges_read_per_bridge,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bound_changes_and_the_others_stay() {
        for bound in Bound::ALL {
            let value = bound.value(&Limits::DEFAULT);
            for (halves, expected) in [(1, value / 2), (2, value), (4, 2 * value)] {
                let scaled = bound.scaled(&Limits::DEFAULT, halves);
                let others = Bound::ALL.into_iter().filter(|other| *other != bound);
                let are_alike = |other: Bound| other.value(&scaled) == other.value(&Limits::DEFAULT);
                assert_eq!(bound.value(&scaled), expected, "{bound:?}");
                assert!(others.into_iter().all(are_alike), "{bound:?}");
            }
        }
        let greatest = Limits { bridges: Limits::MAX, ..Limits::DEFAULT };
        assert_eq!(Bound::Bridges.scaled(&greatest, 4).bridges, Limits::MAX);
    }
}
