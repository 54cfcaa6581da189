//! The edges of the last import to people missing from today's files, and of members and advocates without files today.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::plan::{LeaveOut, PlannedHolder};
use crate::score::evidence::written;
use crate::tables::absent::{Keeping, MissingPerson, Today};
use crate::tables::earlier::EarlierFault;
use crate::tables::folder::{CONNECTIONS, EVIDENCE, KeptLines};
use crate::tables::line::{add, lines, text};

/// The factors of derived edges.
const DERIVED_FACTORS: [&str; 2] = ["\"seenTogether\"", "\"sharedInstitution\""];

/// The edges of the last import that stay, or would.
#[derive(Default)]
pub(super) struct EdgesOfLastTime {
    /// The lines of the edges and of their evidence.
    pub(super) lines: KeptLines,
    /// The edges from kept members and advocates to people in today's files, as pairs of today's ids.
    pub(super) taken: HashSet<(String, String)>,
    /// The number of the edges of each former member and advocate, by the id of the person.
    pub(super) of_former: HashMap<String, usize>,
}

#[derive(Deserialize, Serialize)]
struct EdgeFields {
    from: String,
    to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    warmness: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<Box<RawValue>>,
}

#[derive(Deserialize, Serialize)]
struct EvidenceFields {
    from: String,
    to: String,
    kind: String,
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl EdgeFields {
    fn is_derived(&self) -> bool {
        let breakdown = self.breakdown.as_ref();
        breakdown.is_some_and(|text| DERIVED_FACTORS.iter().any(|factor| text.get().contains(factor)))
    }
}

impl Keeping<'_> {
    /// Moves the edges from today's members and advocates to `people` and those of former ones who stay, with their evidence, to
    /// `kept`. Keeps a person only if one of these edges leads to them, or no edge ever did; if nobody is kept, each whom nobody
    /// withholds.
    pub(super) fn take_edges(
        &self,
        folder: &Path,
        today: &Today<'_>,
        people: &mut BTreeMap<String, MissingPerson>,
        kept: &mut EdgesOfLastTime,
    ) -> Result<(), EarlierFault> {
        let (holders, here) = (self.holders(), self.here());
        let former: HashSet<&str> = self.former.iter().map(|member| member.id.as_str()).collect();
        let expired = self.expired(folder, people, &former)?;
        let (mut lost, mut withheld) = (HashSet::new(), HashSet::new());
        // The ends of last time, and the second one of today.
        let mut taken: HashMap<(String, String), String> = HashMap::new();
        lines(folder, CONNECTIONS, |edge: EdgeFields| {
            let ends = (edge.from.clone(), edge.to.clone());
            let holder = holders.get(edge.from.as_str());
            let is_former = former.contains(edge.from.as_str());
            let is_gone = edge.is_derived() || expired.contains(&ends);
            let to = if let Some(person) = people.get_mut(&edge.to) {
                let is_withheld = holder.is_some_and(|(place, _)| self.is_kept_back(*place, person, today));
                if is_withheld {
                    withheld.insert(edge.to.clone());
                }
                if is_gone || is_withheld || (self.keeps && holder.is_none()) {
                    lost.insert(edge.to);
                    return;
                }
                person.facts.edges += 1;
                edge.to.clone()
            } else {
                let from = holder.map_or(edge.from.as_str(), |(_, from)| from);
                match here.get(edge.to.as_str()).filter(|_| is_former && !is_gone) {
                    Some(to) if kept.taken.insert((from.to_owned(), (*to).to_owned())) => (*to).to_owned(),
                    _ => return,
                }
            };
            if is_former {
                *kept.of_former.entry(edge.from.clone()).or_default() += 1;
            }
            if let Some((_, from)) = holder {
                taken.insert(ends, to.clone());
                let edge = EdgeFields { from: (*from).to_owned(), to, ..edge };
                add(&mut kept.lines, CONNECTIONS, [text(&edge)]);
            }
        })?;
        let without = if self.keeps { lost } else { withheld };
        people.retain(|id, person| person.facts.edges > 0 || !without.contains(id));
        lines(folder, EVIDENCE, |row: EvidenceFields| {
            let pair = (row.from, row.to);
            if let Some(((_, from), to)) = holders.get(pair.0.as_str()).zip(taken.get(&pair)) {
                let row = EvidenceFields { from: (*from).to_owned(), to: to.clone(), ..row };
                add(&mut kept.lines, EVIDENCE, [text(&row)]);
            }
        })
    }

    /// The ends of the edges to `people`, and of those from `former`, whose newest evidence is expired.
    fn expired(
        &self,
        folder: &Path,
        people: &BTreeMap<String, MissingPerson>,
        former: &HashSet<&str>,
    ) -> Result<HashSet<(String, String)>, EarlierFault> {
        let Some(from) = self.kept_from.map(written) else { return Ok(HashSet::new()) };
        let mut newest: HashMap<(String, String), String> = HashMap::new();
        lines(folder, EVIDENCE, |row: EvidenceFields| {
            if people.contains_key(&row.to) || former.contains(row.from.as_str()) {
                let known = newest.entry((row.from, row.to)).or_default();
                *known = std::mem::take(known).max(row.at);
            }
        })?;
        // Written days sort like days.
        Ok(newest.into_iter().filter(|(_, day)| *day < from).map(|(pair, _)| pair).collect())
    }

    /// The members and accepted advocates by person id, each with today's id.
    fn holders(&self) -> HashMap<&str, (u32, &str)> {
        let mut holders = HashMap::new();
        for place in (0..self.plan.holders.len()).filter(|place| self.plan.holders[*place].has_edges()) {
            let place = place as u32;
            let Some(ids) = self.people.ids.get(self.people.holder(place) as usize) else { continue };
            let all = [&ids.id].into_iter().chain(&ids.formerly);
            holders.extend(all.map(|id| (id.as_str(), (place, ids.id.as_str()))));
        }
        holders
    }

    /// The people of today's files who are no members, by each of their ids, with today's.
    fn here(&self) -> HashMap<&str, &str> {
        let mut here = HashMap::new();
        for (person, ids) in self.people.people.iter().zip(&self.people.ids) {
            let holder = self.plan.holders.get(person.holder as usize);
            if !holder.is_some_and(PlannedHolder::is_member) {
                let all = [&ids.id].into_iter().chain(&ids.formerly);
                here.extend(all.map(|id| (id.as_str(), ids.id.as_str())));
            }
        }
        here
    }

    /// Whether the holder withholds the person, in the manifest or by a row of today.
    fn is_kept_back(&self, holder: u32, person: &MissingPerson, today: &Today<'_>) -> bool {
        let companies = person.names().map(|(_, company)| company);
        self.plan.holders[holder as usize].leave_out != LeaveOut::default() && {
            let keys: Vec<String> =
                person.keys(&today.files).into_iter().chain(person.names_at_companies()).collect();
            self.gathered.keeps_back(self.plan, holder, &keys, companies)
        }
    }
}
