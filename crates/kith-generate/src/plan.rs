//! The plan of a network: the size and shape of one organization's data.

use crate::ids::ROWS_MAX;
use kith::limits::ID_BYTES_MAX;

/// The size and shape of one network. Equal plans give equal tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The seed of all random choices.
    pub seed: u64,
    /// `org_…`
    pub organization_id: String,
    /// The name of the organization, and of its company.
    pub organization_name: String,
    /// The industry of the organization's own company.
    pub organization_industry: String,
    /// Rows of `people`.
    pub people: u32,
    /// Rows of `companies`, including the organization's own.
    pub companies: u32,
    /// Rows of `connections`, including a few parallel edges and self-edges.
    pub edges: u64,
    /// Edges with a history of messages and meetings, which becomes `evidence`; members' and advocates' edges come
    /// first. The other edges have a score from a list.
    pub histories: u64,
    /// Rows of `members`; nine of ten work at the organization's own company.
    pub members: u32,
    /// People outside the organization who accepted to be advocates, each for one to three members. One more in eight
    /// was asked and has not accepted.
    pub advocates: u32,
    /// Rows of `intro_requests`.
    pub intro_requests: u32,
    /// Rows of `ghost_opportunities`.
    pub opportunities: u32,
    /// The compression of the tables.
    pub compression: Compression,
}

/// A compression of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Uncompressed: `.ndjson`.
    #[default]
    None,
    /// `.ndjson.gz`, without a time stamp.
    Gzip,
    /// `.ndjson.zst`.
    Zstd,
}

/// Why a plan is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanFault {
    /// A number is outside the range that the rest of the plan allows.
    #[error("{got} {what} do not fit the rest of the plan; use {least} to {most}")]
    OutOfRange {
        /// The name of the number.
        what: &'static str,
        /// The value in the plan.
        got: u64,
        /// The minimum allowed value.
        least: u64,
        /// The maximum allowed value.
        most: u64,
    },
    /// The organization's id does not begin with `org_`, is too long, or contains a comma or a control character.
    #[error("organization id '{}' must begin with org_, be at most {ID_BYTES_MAX} bytes, and hold no \
             comma and no control character", .0.escape_debug())]
    OrganizationId(String),
    /// The organization's name is blank.
    #[error("the organization's name is blank; give it one")]
    BlankName,
}

/// Default maximum of edges with a history.
const HISTORIES_MAX: u64 = 250_000;
/// Minimum number of people in a network.
pub const PEOPLE_MIN: u32 = 12;

impl Plan {
    /// A plan for `people` people and `edges` edges; everything else follows from the number of people:
    ///
    /// - one company for every 16 people,
    /// - members: 1.5 times the square root of the people, at most 500 and a fifth of the people,
    /// - advocates: seven for every eight members, at most a tenth of the people,
    /// - a history for 250,000 edges,
    /// - one intro request for every 80 people and one opportunity for every 40, at most 5,000 each.
    #[must_use]
    pub fn sized(people: u32, edges: u64) -> Self {
        let members = (people.isqrt() * 3 / 2).clamp(2, 500).min((people / 5).max(2));
        Self {
            seed: 1,
            organization_id: "org_generated".to_owned(),
            organization_name: "Generated Network".to_owned(),
            organization_industry: "Software Development".to_owned(),
            people,
            companies: (people / 16).max(4),
            edges,
            histories: edges.min(HISTORIES_MAX),
            members: 0,
            advocates: 0,
            intro_requests: (people / 80).clamp(3, 5000),
            opportunities: (people / 40).clamp(4, 5000),
            compression: Compression::None,
        }
        .with_members(members)
    }

    /// The plan with `members` members, and a matching number of advocates.
    #[must_use]
    pub fn with_members(self, members: u32) -> Self {
        let advocates = (members - members / 8).clamp(1, (self.people / 10).max(1));
        Self { members, advocates, ..self }
    }

    /// Employees of the organization's own company: nine of ten members, and a third as many others.
    pub(crate) fn own_headcount(&self) -> u32 {
        let employed = self.employed_members();
        (employed + employed / 3 + 1).min(self.people / 2)
    }

    /// Members who work at the organization's own company.
    pub(crate) fn employed_members(&self) -> u32 {
        (self.members - self.members / 10).min(self.people / 2)
    }

    /// Checks that the plan can be carried out.
    ///
    /// # Errors
    /// Returns the first invalid part of the plan.
    pub fn check(&self) -> Result<(), PlanFault> {
        let id = &self.organization_id;
        let unfit = |character: char| character == ',' || character.is_control();
        if !id.starts_with("org_") || id.len() > ID_BYTES_MAX || id.contains(unfit) {
            return Err(PlanFault::OrganizationId(id.clone()));
        }
        if self.organization_name.trim().is_empty() {
            return Err(PlanFault::BlankName);
        }
        let people = u64::from(self.people);
        in_range("people", people, u64::from(PEOPLE_MIN), u64::from(ROWS_MAX) / 4)?;
        in_range("companies", u64::from(self.companies), 2, people)?;
        in_range("edges", self.edges, 0, (people * people / 4).min(u64::from(u32::MAX)))?;
        in_range("histories", self.histories, 0, self.edges)?;
        in_range("members", u64::from(self.members), 1, people / 4)?;
        in_range("advocates", u64::from(self.advocates), 0, people / 8)?;
        in_range("intro requests", u64::from(self.intro_requests), 0, people * 4)?;
        in_range("opportunities", u64::from(self.opportunities), 0, people * 4)
    }
}

fn in_range(what: &'static str, got: u64, least: u64, most: u64) -> Result<(), PlanFault> {
    if (least..=most).contains(&got) { Ok(()) } else { Err(PlanFault::OutOfRange { what, got, least, most }) }
}

impl Compression {
    /// The suffix of a table's name.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::None => ".ndjson",
            Self::Gzip => ".ndjson.gz",
            Self::Zstd => ".ndjson.zst",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_fit_every_size() {
        for people in [PEOPLE_MIN, 20, 100, 4000, 1_000_000, 100_000_000] {
            assert_eq!(Plan::sized(people, u64::from(people) * 2).check(), Ok(()), "{people} people");
        }
    }

    #[test]
    fn plans_that_cannot_be_carried_out_are_refused() {
        let plan = Plan::sized(100, 500);
        for (faulty, what) in [
            (Plan { people: 3, ..plan.clone() }, "people"),
            (Plan { companies: 101, ..plan.clone() }, "companies"),
            (Plan { edges: 2501, ..plan.clone() }, "edges"),
            (Plan { histories: 501, ..plan.clone() }, "histories"),
            (Plan { members: 0, ..plan.clone() }, "members"),
            (Plan { advocates: 13, ..plan.clone() }, "advocates"),
            (Plan { organization_id: "acme".into(), ..plan.clone() }, "begin with org_"),
            (Plan { organization_id: "org_a,b".into(), ..plan.clone() }, "no comma"),
            (Plan { organization_name: " ".into(), ..plan }, "blank"),
        ] {
            let said = faulty.check().unwrap_err().to_string();
            assert!(said.contains(what), "{what}: {said}");
        }
    }
}
