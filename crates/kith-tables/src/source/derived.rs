//! Finds former employees in affiliations and, with `--derive`, adds ties between people who were together.

use std::collections::HashSet;

use crate::source::tables::affiliations::{AffiliatedPlace, AffiliationTable, Affiliations};
use crate::source::tables::connections::ConnectionTable;
use crate::source::tables::evidence::{EvidenceTable, WrittenEvidence};
use kith::model::column::{ColumnFull, TextColumn};
use kith::model::dataset::{Advocate, AdvocateStatus, Companies, Members, People};
use kith::model::evidence::Evidence;
use kith::model::ix::{CompanyIx, PersonIx};
use kith::model::time::Timestamp;
use kith::model::warmness::Warmness;
use kith::prepare::edges::EdgeRow;
use kith::prepare::together::{Month, TOGETHER_FACTOR, TOGETHER_KIND, Together, newest_month, together};

/// The source in the evidence of these ties.
const SOURCE: &str = "affiliations";

/// The tables from which ties are derived.
pub(crate) struct TogetherTables<'a> {
    pub(crate) companies: &'a Companies,
    pub(crate) people: &'a People,
    pub(crate) members: &'a Members,
    pub(crate) advocates: &'a [Advocate],
    pub(crate) requested_at: &'a [Timestamp],
    /// Whether affiliations add edges.
    pub(crate) derives: bool,
}

/// The ties of a network, sorted.
pub(crate) struct StatedTies {
    pub(crate) rows: Vec<EdgeRow>,
    pub(crate) breakdowns: TextColumn,
    pub(crate) evidence: Evidence,
    /// Pairs of a company and a person who left it, strictly ascending.
    pub(crate) former: Vec<(CompanyIx, PersonIx)>,
    /// The number of edges that affiliations added.
    pub(crate) derived: u64,
}

impl TogetherTables<'_> {
    /// Sorts `connections` and `evidence`, after adding the ties of `affiliations`.
    pub(crate) fn ties(
        &self,
        affiliations: AffiliationTable<'_>,
        mut connections: ConnectionTable<'_>,
        mut evidence: EvidenceTable<'_>,
    ) -> Result<StatedTies, ColumnFull> {
        let affiliations = affiliations.resolve(self.companies);
        let derived = match self.derives {
            true => self.add_ties(&affiliations, &mut connections, &mut evidence)?,
            false => 0,
        };
        let (rows, breakdowns) = connections.sort();
        let former = self.former(affiliations.former);
        Ok(StatedTies { rows, breakdowns, evidence: evidence.sort(), former, derived })
    }

    /// The people of `ended` jobs who do not work there now, strictly ascending.
    fn former(&self, mut ended: Vec<(CompanyIx, PersonIx)>) -> Vec<(CompanyIx, PersonIx)> {
        ended.retain(|(company, person)| self.people.companies[person.0 as usize].get() != Some(*company));
        ended.sort_unstable();
        ended.dedup();
        ended
    }

    /// Adds an edge, with its evidence, between every two people who were together, and returns the number of edges.
    /// Edges start only at accepted advocates and people whom they or members know, never end at a member, and never
    /// repeat an existing edge.
    fn add_ties(
        &self,
        affiliations: &Affiliations,
        connections: &mut ConnectionTable<'_>,
        evidence: &mut EvidenceTable<'_>,
    ) -> Result<u64, ColumnFull> {
        let stays = &affiliations.stays;
        let Some(until) = newest_month(stays, self.newest().and_then(month_of)) else { return Ok(0) };
        let size = |place: u32| self.size(&affiliations.places[place as usize]);
        let pairs = together(stays.clone(), size, until);
        let known = self.known_pairs(connections.rows(), &pairs);
        let members = self.members.people.iter().copied().collect();
        let sources = self.sources(connections.rows(), &members);
        let mut added = 0;
        for tie in &pairs {
            for (from, to) in tie.both_ways() {
                if !sources.contains(&from) || members.contains(&to) || known.contains(&(from, to)) {
                    continue;
                }
                let score = Warmness::new(tie.points).unwrap_or(Warmness::UNSCORED);
                connections.add(from, to, score, &format!("{{\"{TOGETHER_FACTOR}\":{}}}", tie.points))?;
                let place = self.name(&affiliations.places[tie.place as usize]);
                evidence.add(&written_evidence(tie, from, to, place))?;
                added += 1;
            }
        }
        Ok(added)
    }

    /// The newest time of the other tables. People without an end date are still at a place at that time.
    fn newest(&self) -> Option<Timestamp> {
        let synced = self.members.synced_at.iter().chain(self.advocates.iter().map(|row| &row.synced_at));
        synced.flatten().chain(self.requested_at).copied().max()
    }

    /// The known number of people at a place: its maximum size, or else its minimum.
    fn size(&self, place: &AffiliatedPlace) -> Option<u32> {
        let AffiliatedPlace::Company(company) = place else { return None };
        let size = self.companies.max_size(*company).or_else(|| self.companies.min_size(*company))?;
        Some(u32::try_from(size).unwrap_or(u32::MAX))
    }

    fn name<'p>(&'p self, place: &'p AffiliatedPlace) -> &'p str {
        match place {
            AffiliatedPlace::Company(company) => self.companies.names.get(company.0),
            AffiliatedPlace::Institution(name) => name,
        }
    }

    /// The people from whom a tie may start.
    fn sources(&self, rows: &[EdgeRow], members: &HashSet<PersonIx>) -> HashSet<PersonIx> {
        let of_status = |is_accepted: bool| {
            let is = move |advocate: &&Advocate| (advocate.status == AdvocateStatus::Accepted) == is_accepted;
            self.advocates.iter().filter(is).map(|advocate| advocate.person)
        };
        let accepted: HashSet<PersonIx> = of_status(true).collect();
        let is_ours = |row: &&EdgeRow| members.contains(&row.from) || accepted.contains(&row.from);
        let known = rows.iter().filter(is_ours).map(|row| row.to);
        let mut sources: HashSet<PersonIx> = known.chain(accepted.iter().copied()).collect();
        let declined = of_status(false).filter(|person| !accepted.contains(person));
        for person in members.iter().copied().chain(declined) {
            sources.remove(&person);
        }
        sources
    }

    /// The pairs that already have an edge, by its direction.
    fn known_pairs(&self, rows: &[EdgeRow], pairs: &[Together]) -> HashSet<(PersonIx, PersonIx)> {
        let wanted: HashSet<(PersonIx, PersonIx)> = pairs.iter().flat_map(Together::both_ways).collect();
        rows.iter().map(|row| (row.from, row.to)).filter(|pair| wanted.contains(pair)).collect()
    }
}

fn written_evidence(tie: &Together, from: PersonIx, to: PersonIx, place: &str) -> WrittenEvidence {
    let (year, month) = tie.last.year_and_month();
    let first = Timestamp::parse(&format!("{year:04}-{month:02}-01T00:00:00Z"));
    WrittenEvidence {
        from,
        to,
        at: first.unwrap_or(Timestamp { seconds: 0, nanos: 0 }),
        kind: TOGETHER_KIND.to_owned(),
        source: SOURCE.to_owned(),
        note: tie.note(place),
    }
}

/// The month of a time, in UTC.
fn month_of(at: Timestamp) -> Option<Month> {
    Month::parse(at.to_rfc3339_ms().get(..7)?, 1)
}
