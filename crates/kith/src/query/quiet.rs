//! Strong ties that went quiet: members' contacts without recent evidence.

use std::cmp::Reverse;

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::time::Timestamp;
use crate::query::card::{MemberCard, PersonCard};

/// Minimum score of a strong tie; a bare connection scores lower.
pub const STRONG_MIN: u8 = 31;
/// Days without evidence after which a tie is quiet, by default.
pub const QUIET_DAYS: u32 = 365;
const DAY_SECONDS: i64 = 86_400;

/// A strong tie that went quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietTie<'a> {
    /// The member.
    pub member: MemberCard<'a>,
    /// The contact, who is not a member.
    pub person: PersonCard<'a>,
    /// The score of the edge, from [`STRONG_MIN`] to 100.
    pub warmness: u8,
    /// The time of the newest evidence of the edge.
    pub last: Timestamp,
    /// Whole days from `last` to the newest evidence of any member's edge.
    pub days: u32,
}

/// The time of the newest evidence of members' edges, if there is any. Costs a pass over the table of evidence.
#[must_use]
pub fn newest_evidence(index: &GraphIndex) -> Option<Timestamp> {
    let evidence = &index.data.evidence;
    let rows = evidence.from.iter().zip(&evidence.at);
    let of_members = rows.filter(|(from, _)| index.near.standing(**from).member.is_some());
    of_members.map(|(_, at)| *at).max()
}

/// The strong ties of `member`, or of all members, whose newest evidence is `days` or more older than
/// [`newest_evidence`]; warmest first, then the longest quiet, then by member and person. A tie without evidence is
/// left out: its age is unknown.
///
/// Costs two binary searches in the table of evidence for each strong tie, and a pass over the table.
#[must_use]
pub fn quiet_ties(index: &GraphIndex, member: Option<MemberIx>, days: u32) -> Vec<QuietTie<'_>> {
    let Some(newest) = newest_evidence(index) else { return Vec::new() };
    let members = match member {
        Some(member) => vec![member],
        None => (0..index.data.members.len() as u32).map(MemberIx).collect(),
    };
    let mut ties: Vec<(QuietTie<'_>, u32, PersonIx)> = Vec::new();
    for member in members {
        let from = index.data.members.person(member);
        for (person, score) in index.data.edges.out.row(from).iter() {
            let Some(warmness) = score.score().filter(|score| *score >= STRONG_MIN) else { break };
            let newest_of_tie = index.data.evidence.at[index.data.evidence.rows_of(from, person)].first();
            let Some(&last) = newest_of_tie.filter(|_| index.near.standing(person).member.is_none()) else {
                continue;
            };
            let quiet = u32::try_from((newest.seconds - last.seconds) / DAY_SECONDS).unwrap_or_default();
            if quiet >= days {
                let (member_card, card) = (MemberCard::of(index, member), PersonCard::of(index, person));
                let tie = QuietTie { member: member_card, person: card, warmness, last, days: quiet };
                ties.push((tie, member.0, person));
            }
        }
    }
    ties.sort_by_key(|(tie, member, person)| (Reverse(tie.warmness), Reverse(tie.days), *member, *person));
    ties.into_iter().map(|(tie, _, _)| tie).collect()
}
