//! One warm path: its scores, its rank, and its form in an answer.

use std::cmp::Reverse;

use serde_json::{Map, Value};

use super::network::{Edge, Member, Network};
use super::rules::Mistake;
use super::show::{Fields, known_breakdown};

/// The types of path, in the order of their tiers.
pub(crate) const TYPES: [&str; 4] = ["direct", "advocate", "second_degree", "advocate_second_degree"];

/// One warm path.
pub(crate) struct WarmPath<'a> {
    /// Its type, as a place in [`TYPES`].
    pub(crate) tier: usize,
    pub(crate) member: &'a Member,
    /// The advocate asked first, on advocate_second_degree paths alone.
    pub(crate) advocate: Option<&'a str>,
    pub(crate) connector: &'a str,
    pub(crate) target: &'a str,
    /// The edges from the member to the target, in order: one, two or three.
    pub(crate) legs: Vec<&'a Edge>,
}

impl<'a> WarmPath<'a> {
    /// Member, connector, target and advocate.
    fn ids(&self) -> [&'a str; 4] {
        [&self.member.user_id, self.connector, self.target, self.advocate.unwrap_or("")]
    }
}

impl Network {
    /// Tier, then warmness and last leg descending, then member, connector, target and advocate.
    pub(crate) fn sort_paths(&self, paths: &mut [WarmPath<'_>]) {
        paths.sort_by_key(WarmPath::ids);
        if self.rules.make(Mistake::PathTiesDescend) {
            paths.reverse();
        }
        let last_leg = |path: &WarmPath<'_>| self.leg_score(path.legs[path.legs.len() - 1]);
        paths.sort_by_cached_key(|path| {
            (path.tier, Reverse(self.product(&path.legs)), Reverse(last_leg(path)))
        });
    }

    /// One entry of `paths`; in company mode it names the target.
    pub(crate) fn show_path(&self, path: &WarmPath<'_>, with_target: bool, with_evidence: bool) -> Value {
        let member = &self.people[&path.member.person_id];
        let (last, before) = path.legs.split_last().unwrap();
        let target = with_target.then(|| self.person_with_handle(&self.people[path.target]).done());
        // Only a path of two legs has one edge between the member and the connector.
        let first = if before.len() == 1 { Some(before[0]) } else { None };
        let of_edge = |from, to| if with_evidence { self.shown_evidence(from, to) } else { None };
        let via = path.advocate.map(|advocate| {
            let person = self.person_with_handle(&self.people[advocate]);
            person.maybe("warmness", path.legs[0].warmness).done()
        });
        Fields::new()
            .put("fromUserId", path.member.user_id.clone())
            .put("fromUserName", member.name.clone())
            .put("connector", self.brief_person(&self.people[path.connector]).done())
            .put("connectionType", TYPES[path.tier])
            .put("warmness", self.product(&path.legs))
            .put("userToConnectorWarmness", self.product(before))
            .maybe("userToConnectorBreakdown", first.and_then(known_breakdown))
            .maybe("userToConnectorSignals", first.and_then(Edge::signals))
            .put("connectorToProspectWarmness", self.leg_score(last))
            .put("connectorToProspectBreakdown", known_breakdown(last).unwrap_or(Value::Object(Map::new())))
            .maybe("connectorToProspectSignals", last.signals())
            .maybe("userToConnectorEvidence", first.and(of_edge(&path.member.person_id, path.connector)))
            .maybe("connectorToProspectEvidence", of_edge(path.connector, path.target))
            .maybe("target", target)
            .maybe("viaAdvocate", via)
            .done()
    }

    /// The product of legs in hundredths, halves up; 100 for no leg at all.
    pub(crate) fn product(&self, legs: &[&Edge]) -> u64 {
        let scores: Vec<u64> = legs.iter().map(|leg| self.leg_score(leg)).collect();
        let less = u64::from(self.rules.make(Mistake::HalvesRoundDown));
        match scores[..] {
            [] => 100,
            [w] => w,
            [w1, w2] => (w1 * w2 + 50 - less) / 100,
            [w1, w2, w3] if self.rules.make(Mistake::LegsRoundedOneByOne) => {
                ((w1 * w2 + 50) / 100 * w3 + 50) / 100
            }
            [w1, w2, w3] => (w1 * w2 * w3 + 5000 - less) / 10_000,
            _ => panic!("a path has at most three legs, not {}", scores.len()),
        }
    }

    /// A leg without a score counts 0.
    pub(crate) fn leg_score(&self, leg: &Edge) -> u64 {
        let unscored = if self.rules.make(Mistake::UnscoredCountsFifty) { 50 } else { 0 };
        leg.warmness.unwrap_or(unscored)
    }
}
