//! A few bytes about a connector that let a walk skip it; [`crate::graph::briefs`] keeps them beside edges.
//!
//! Most connectors of a well-known target lead to no path of the page. A brief says how many paths lead over the
//! connector from all members, and bounds their warmness, so that a walk reads briefs in sequence and few full rows.

use crate::graph::advocacy::{Advocacy, AdvocateIx};
use crate::graph::near_edge::NearEdge;
use crate::model::ix::MemberIx;

/// The paths over a connector, from all members to a target who is not a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Brief {
    /// Members who know the connector.
    pub members: u8,
    /// Members among them whose advocate the connector is not: one path each.
    pub paths: u8,
    /// The weight of the warmest edge from one of them, 0 to 100; or one of the marks below.
    pub(crate) warmest: u8,
    /// Advocates who know the connector and are not members.
    pub advocates: u8,
    /// Paths over those advocates, from members who do not know the connector.
    pub paths_over_advocates: u8,
    /// The highest two-leg score to the connector on these paths, rounded up, 0 to 100.
    pub warmest_over_advocates: u8,
}

/// In [`Brief::warmest`]: the brief cannot hold all that is known of the connector.
const MORE: u8 = u8::MAX;
/// In [`Brief::warmest`]: the connector is a member.
const MEMBER: u8 = u8::MAX - 1;

impl Brief {
    /// An empty brief: the walk must read the connector's row.
    pub(crate) const MORE: Self = Self::marked(MORE);

    const fn marked(mark: u8) -> Self {
        Self {
            members: 0,
            paths: 0,
            warmest: mark,
            advocates: 0,
            paths_over_advocates: 0,
            warmest_over_advocates: 0,
        }
    }

    /// The brief of a connector with these incoming edges, who is the accepted advocate `own`, if any.
    pub(crate) fn of(
        (members, advocates): (&[NearEdge], &[NearEdge]),
        own: Option<AdvocateIx>,
        advocacy: &Advocacy,
        is_member: impl Fn(AdvocateIx) -> bool,
    ) -> Self {
        Self::fitting((members, advocates), own, advocacy, is_member).unwrap_or(Self::MORE)
    }

    /// The brief of a connector who is a member.
    pub(crate) const fn of_member() -> Self {
        Self::marked(MEMBER)
    }

    /// Returns `None` if a number does not fit.
    fn fitting(
        (members, advocates): (&[NearEdge], &[NearEdge]),
        own: Option<AdvocateIx>,
        advocacy: &Advocacy,
        is_member: impl Fn(AdvocateIx) -> bool,
    ) -> Option<Self> {
        // Checked before any pairwise comparison, so that the work is bounded.
        let known_by = u8::try_from(members.len()).ok()?;
        u8::try_from(advocates.len()).ok()?;
        let helps = |edge: &&NearEdge| own.is_some_and(|own| advocacy.helps(own, MemberIx(edge.source)));
        let helped = members.iter().filter(helps).count();
        let (mut outside, mut over, mut warmest) = (0_u8, 0_u8, 0_u32);
        for edge in advocates.iter().filter(|edge| !is_member(AdvocateIx(edge.source))) {
            outside += 1;
            for helped in advocacy.helped_by(AdvocateIx(edge.source)) {
                if !members.iter().any(|known| known.source == helped.member.0) {
                    over = over.checked_add(1)?;
                    warmest = warmest.max(helped.score.weight() * edge.score().weight());
                }
            }
        }
        Some(Self {
            members: known_by,
            paths: known_by - helped as u8,
            warmest: members.first().map_or(0, |edge| edge.score().weight() as u8),
            advocates: outside,
            paths_over_advocates: over,
            warmest_over_advocates: warmest.div_ceil(100) as u8,
        })
    }

    /// Whether the connector is a member.
    #[must_use]
    pub const fn is_member(self) -> bool {
        self.warmest == MEMBER
    }

    /// The weight of the warmest edge from a member to the connector, 0 to 100; `None` if the connector is a member, or
    /// the brief cannot hold it.
    #[must_use]
    pub const fn warmest(self) -> Option<u32> {
        if self.warmest <= 100 { Some(self.warmest as u32) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::brief::Brief;
    use crate::model::ix::PersonIx;
    use crate::sketch::{Net, net};

    /// The brief of the connector `name`, who knows pat: members, paths, the warmest; the same of advocates.
    fn brief(net: &Net, name: &str) -> Option<[u32; 6]> {
        let (row, person) = (net.near.row(net.person("pat")), net.person(name));
        let place = row.bridges.iter().position(|edge| PersonIx(edge.source) == person)?;
        let brief = row.briefs.iter().nth(place)?;
        let Brief { members, paths, advocates, paths_over_advocates, warmest_over_advocates, .. } = brief;
        let [members, paths, advocates, over, warmest] =
            [members, paths, advocates, paths_over_advocates, warmest_over_advocates].map(u32::from);
        Some([members, paths, brief.warmest()?, advocates, over, warmest])
    }

    #[test]
    fn a_brief_counts_the_paths_over_a_connector_and_says_how_warm_they_are_at_most() {
        let mut text = String::from(
            "
            member ann, bea, cat
            advocate yan of ann
            advocate yan of bea
            advocate cat of ann
            ann -50-> bob -90-> pat
            bea -70-> bob
            ann -30-> yan -81-> bob
            bea -20-> yan
            cat -90-> bob
            yan -60-> pat
            yan -51-> eve -10-> pat
            cat -10-> pat
            ann -10-> hub -10-> pat
        ",
        );
        (0..300).for_each(|number| text += &format!("advocate a{number} of ann\na{number} -50-> hub\n"));
        let net = net(&text);
        // Both of yan's members know bob. cat is a member, so she is not an advocate to ask.
        assert_eq!(brief(&net, "bob"), Some([3, 3, 90, 1, 0, 0]));
        // yan is the advocate of both members who know them.
        assert_eq!(brief(&net, "yan"), Some([2, 0, 30, 0, 0, 0]));
        // 30 and 51 hundredths are 15.3, rounded up.
        assert_eq!(brief(&net, "eve"), Some([0, 0, 0, 1, 2, 16]));
        // A member, and more advocates than a brief can count.
        assert_eq!([brief(&net, "cat"), brief(&net, "hub")], [None; 2]);
        let is_member = |name| {
            let row = net.near.row(net.person("pat"));
            let place = row.bridges.iter().position(|edge| edge.source == net.person(name).0);
            place.and_then(|place| row.briefs.iter().nth(place)).map(Brief::is_member)
        };
        assert_eq!([is_member("cat"), is_member("hub")], [Some(true), Some(false)]);
    }
}
