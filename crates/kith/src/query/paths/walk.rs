//! The bounded walk from a target backwards to the members: one hop, two hops, three.
//!
//! Every bound is the contract's, read literally: scanned edges count even if they yield no path. The walk reads only
//! the edges that start near a member (`graph::near`); their ranks give the number of other edges that the bound would
//! have passed over.

use fixedbitset::FixedBitSet;

use crate::graph::advocacy::AdvocateIx;
use crate::graph::brief::Brief;
use crate::graph::index::GraphIndex;
use crate::graph::near::{NearRow, Standing};
use crate::graph::near_edge::NearEdge;
use crate::limits::Limits;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::warmness::{three_legs, two_legs};
use crate::query::paths::from_set::FromSet;
use crate::query::paths::kept::{KeptPath, KeptPaths};
use crate::query::paths::rank::PathKey;
use crate::query::paths::request::{PathType, PathTypes};

/// The connector in a floor that holds for any connector.
const ANY: PersonIx = PersonIx(0);

/// A walk in progress: the best paths so far, and whether a bound left an edge out.
#[derive(Debug)]
pub struct Walk<'a> {
    index: &'a GraphIndex,
    from: &'a FromSet,
    types: PathTypes,
    limits: &'a Limits,
    kept: KeptPaths,
    edges_capped: bool,
    /// The members with an edge to the current connector; empty between connectors.
    knowing: FixedBitSet,
}

/// A scanned connector on the way to a target.
struct Connector<'a> {
    person: PersonIx,
    row: NearRow<'a>,
    target: PersonIx,
    target_member: Option<MemberIx>,
    /// The weight of the leg connector → target.
    last_leg: u32,
}

impl<'a> Walk<'a> {
    /// Starts a walk.
    #[must_use]
    pub fn new(
        index: &'a GraphIndex,
        from: &'a FromSet,
        types: PathTypes,
        limits: &'a Limits,
        kept: KeptPaths,
    ) -> Self {
        Self { index, from, types, limits, kept, edges_capped: false, knowing: FixedBitSet::new() }
    }

    /// The paths of the page, the number of paths or groups, and whether a bound left an edge out.
    #[must_use]
    pub fn finish(self) -> (Vec<KeptPath>, u64, bool) {
        let (paths, total) = self.kept.finish();
        (paths, total, self.edges_capped)
    }

    /// Counts every path to `targets`, and keeps those that can be on the page.
    ///
    /// Paths of few edges come first: if they fill the page, most connectors are decided by their brief alone.
    pub fn walk_targets(&mut self, targets: &[PersonIx]) {
        if self.from.is_empty() {
            return;
        }
        let index = self.index;
        for &target in targets {
            let row = index.near.row(target);
            if self.types.contains(PathType::Direct) {
                self.walk_members(target, row);
            }
            if self.types.contains(PathType::Advocate) {
                self.walk_advocates(target, row);
            }
        }
        if !self.types.contains(PathType::SecondDegree)
            && !self.types.contains(PathType::AdvocateSecondDegree)
        {
            return;
        }
        self.kept.tighten();
        targets.iter().for_each(|&target| self.walk_connectors(target, index.near.row(target)));
    }

    /// Edges are warmest first: after the first that is too cold, the rest are only counted.
    fn walk_members(&mut self, target: PersonIx, row: NearRow<'_>) {
        let is_from = |edge: &&NearEdge| self.from.contains(MemberIx(edge.source));
        let mut edges = row.members.iter();
        while let Some(edge) = edges.next() {
            let (member, score) = (MemberIx(edge.source), edge.score().weight());
            if !is_from(&edge) {
                continue;
            }
            let floor = PathKey::floor(PathType::Direct, score, score, ANY, target);
            if self.kept.refuses_all(floor) {
                let rest = if self.from.is_everybody() { edges.len() } else { edges.filter(is_from).count() };
                self.kept.count_refused(floor, 1 + rest as u64);
                return;
            }
            let person = self.index.data.members.person(member);
            self.kept.offer(PathKey::new(PathType::Direct, score, score, member, person, target));
        }
    }

    /// Like `walk_members`; a table counts the cold ones if all members may start paths and the target is not a member.
    fn walk_advocates(&mut self, target: PersonIx, row: NearRow<'_>) {
        let has_all = self.from.is_everybody() && row.standing.member.is_none();
        for (place, edge) in row.advocates.iter().enumerate() {
            let last = edge.score().weight();
            let floor = PathKey::floor(PathType::Advocate, last, last, ANY, target);
            if has_all && self.kept.refuses_all(floor) {
                let over =
                    |edge: &NearEdge| u64::from(self.index.advocacy.paths_over(AdvocateIx(edge.source)));
                self.kept.count_refused(floor, row.advocates[place..].iter().map(over).sum());
                return;
            }
            let (advocate, person) = self.advocate(edge);
            if self.from.contains_standing(self.index.near.standing(person)) {
                continue;
            }
            for helped in self.index.advocacy.helped_by(advocate) {
                if self.from.contains(helped.member) && Some(helped.member) != row.standing.member {
                    let warmness = two_legs(helped.score.weight(), last);
                    let kind = PathType::Advocate;
                    self.kept.offer(PathKey::new(kind, warmness, last, helped.member, person, target));
                }
            }
        }
    }

    /// Scans the target's first incoming edges, except sources in the from-set.
    fn walk_connectors(&mut self, target: PersonIx, row: NearRow<'_>) {
        let bound = self.limits.edges_per_target;
        let is_everybody = self.from.is_everybody();
        // Once a bound has left something out, the edges of other targets need not be counted.
        if !self.edges_capped {
            let is_in_set = |edge: &&NearEdge| is_everybody || self.from.contains(MemberIx(edge.source));
            let in_set = row.members.iter().filter(is_in_set).count();
            self.edges_capped = self.index.data.edges.into.edge_count(target) - in_set as u32 > bound;
        }
        let mut left_out = 0;
        for (edge, brief) in row.bridges.iter().zip(row.briefs.iter()) {
            if edge.rank() - left_out >= bound {
                break;
            }
            if is_everybody && brief.is_member() {
                left_out += 1;
                continue;
            }
            let person = PersonIx(edge.source);
            let last_leg = edge.score().weight();
            let brief = Some(brief).filter(|_| is_everybody && row.standing.member.is_none());
            if brief.is_some_and(|brief| self.passes_over(brief, row.standing, (person, target), last_leg)) {
                continue;
            }
            let connector = self.index.near.row(person);
            if self.from.contains_standing(connector.standing) {
                left_out += 1;
                continue;
            }
            self.walk_connector(&Connector {
                person,
                row: connector,
                target,
                target_member: row.standing.member,
                last_leg,
            });
        }
    }

    /// Counts the paths over a connector, from all members to a target of this `standing` who is not a member, if its
    /// brief shows that none of them can be on the page.
    fn passes_over(
        &mut self,
        brief: Brief,
        standing: Standing,
        (connector, target): (PersonIx, PersonIx),
        last_leg: u32,
    ) -> bool {
        let Some(warmest) = brief.warmest() else { return false };
        let bound = self.limits.edges_per_connector;
        let floor = |kind, first_legs| {
            PathKey::floor(kind, two_legs(first_legs, last_leg), last_leg, connector, target)
        };
        let (members, advocates) = (u32::from(brief.members), u32::from(brief.advocates));
        let second = (self.types.contains(PathType::SecondDegree) && members > 0)
            .then(|| floor(PathType::SecondDegree, warmest));
        let over = (self.types.contains(PathType::AdvocateSecondDegree) && advocates > 0)
            .then(|| floor(PathType::AdvocateSecondDegree, u32::from(brief.warmest_over_advocates)));
        // A brief does not say which members or advocates beyond the bound lead to no path.
        let is_known = (second.is_none() || members <= bound || brief.paths == brief.members)
            && (over.is_none() || advocates <= bound && standing.advocate.is_none());
        if !is_known || [second, over].iter().flatten().any(|&floor| !self.kept.refuses(floor)) {
            return false;
        }
        if let Some(floor) = second {
            self.edges_capped |= members > bound;
            self.kept.count_refused(floor, u64::from(brief.paths).min(u64::from(bound)));
        }
        if let Some(floor) = over {
            self.kept.count_refused(floor, u64::from(brief.paths_over_advocates));
        }
        true
    }

    fn walk_connector(&mut self, connector: &Connector<'_>) {
        if self.types.contains(PathType::SecondDegree) {
            if self.from.is_everybody()
                && connector.target_member.is_none()
                && connector.row.standing.advocate.is_none()
            {
                self.walk_all_members_of(connector);
            } else {
                self.walk_members_of(connector);
            }
        }
        if self.types.contains(PathType::AdvocateSecondDegree) && !connector.row.advocates.is_empty() {
            self.walk_advocates_of(connector);
        }
    }

    /// Second degree if every scanned member yields a path: cold ones are only counted.
    fn walk_all_members_of(&mut self, connector: &Connector<'_>) {
        let members = self.first_members(connector.row.members);
        for (place, edge) in members.iter().enumerate() {
            let warmness = two_legs(edge.score().weight(), connector.last_leg);
            let &Connector { person, target, last_leg, .. } = connector;
            let floor = PathKey::floor(PathType::SecondDegree, warmness, last_leg, person, target);
            if self.kept.refuses(floor) {
                self.kept.count_refused(floor, (members.len() - place) as u64);
                return;
            }
            self.offer_second_degree(connector, edge);
        }
    }

    fn first_members<'e>(&mut self, edges: &'e [NearEdge]) -> &'e [NearEdge] {
        let bound = self.limits.edges_per_connector as usize;
        self.edges_capped |= edges.len() > bound;
        &edges[..edges.len().min(bound)]
    }

    fn walk_members_of(&mut self, connector: &Connector<'_>) {
        let mut scanned = 0;
        for edge in connector.row.members {
            let member = MemberIx(edge.source);
            if !self.from.contains(member) {
                continue;
            }
            if scanned == self.limits.edges_per_connector {
                self.edges_capped = true;
                return;
            }
            scanned += 1;
            let is_advocate = connector.row.standing.advocate;
            let is_own_advocate =
                is_advocate.is_some_and(|advocate| self.index.advocacy.helps(advocate, member));
            if Some(member) != connector.target_member && !is_own_advocate {
                self.offer_second_degree(connector, edge);
            }
        }
    }

    fn offer_second_degree(&mut self, connector: &Connector<'_>, edge: &NearEdge) {
        let &Connector { person, target, last_leg, .. } = connector;
        let warmness = two_legs(edge.score().weight(), last_leg);
        let member = MemberIx(edge.source);
        self.kept.offer(PathKey::new(PathType::SecondDegree, warmness, last_leg, member, person, target));
    }

    fn walk_advocates_of(&mut self, connector: &Connector<'_>) {
        self.knowing.grow(self.index.data.members.len());
        for edge in connector.row.members {
            self.knowing.insert(edge.source as usize);
        }
        let mut scanned = 0;
        for edge in connector.row.advocates {
            let (advocate, person) = self.advocate(edge);
            let is_left_out = !self.from.has_advocate(advocate)
                || person == connector.target
                || self.from.contains_standing(self.index.near.standing(person));
            if is_left_out {
                continue;
            }
            if scanned == self.limits.edges_per_connector {
                self.edges_capped = true;
                break;
            }
            scanned += 1;
            self.offer_over_advocate(connector, edge);
        }
        for edge in connector.row.members {
            self.knowing.remove(edge.source as usize);
        }
    }

    /// The paths of every member whom the advocate at the start of `edge` helps.
    fn offer_over_advocate(&mut self, connector: &Connector<'_>, edge: &NearEdge) {
        let &Connector { person, target, last_leg, target_member, .. } = connector;
        let (advocate, _) = self.advocate(edge);
        for helped in self.index.advocacy.helped_by(advocate) {
            let member = helped.member;
            let knows = self.knowing.contains(member.0 as usize);
            if self.from.contains(member) && Some(member) != target_member && !knows {
                let warmness = three_legs(helped.score.weight(), edge.score().weight(), last_leg);
                let kind = PathType::AdvocateSecondDegree;
                let key = PathKey::new(kind, warmness, last_leg, member, person, target);
                self.kept.offer(key.via(advocate));
            }
        }
    }

    fn advocate(&self, edge: &NearEdge) -> (AdvocateIx, PersonIx) {
        let advocate = AdvocateIx(edge.source);
        (advocate, self.index.advocacy.person(advocate))
    }
}
