//! The people and ties for a derivation, and who may be at either end of an edge.

use std::collections::BTreeSet;

use crate::dates::CalendarDay;
use crate::gather::Gathered;
use crate::people::ImportedPeople;
use crate::plan::{HolderStanding, ImportPlan};
use crate::rows::RowKind;
use crate::ties::TieTable;
use kith::model::dataset::AdvocateStatus;

/// The people and ties, after rows are joined to people.
pub(super) struct Known<'a> {
    pub(super) plan: &'a ImportPlan,
    pub(super) gathered: &'a Gathered,
    pub(super) people: &'a ImportedPeople,
    pub(super) ties: &'a TieTable,
    pub(super) untied: &'a BTreeSet<(u32, u32)>,
    pub(super) as_of: CalendarDay,
}

impl Known<'_> {
    /// Whether `person` is a member: no edge may lead to members.
    pub(super) fn is_member(&self, person: u32) -> bool {
        self.standing(person).is_some_and(|holder| self.plan.holders[holder].is_member())
    }

    /// Whether no edge may start at `person`: a member, an advocate who has not accepted, or a person whose own mail or
    /// calendar is among the files, which is better evidence.
    pub(super) fn is_no_source(&self, person: u32) -> bool {
        let Some(holder) = self.standing(person) else { return false };
        match &self.plan.holders[holder].standing {
            HolderStanding::Member { .. } => true,
            HolderStanding::Advocate { status, .. } => {
                *status != AdvocateStatus::Accepted
                    || self.has_mail(holder)
                    || self.has_file(holder, "calendar")
            }
        }
    }

    pub(super) fn has_mail(&self, holder: usize) -> bool {
        self.has_file(holder, "mail archive")
    }

    fn has_file(&self, holder: usize, format: &str) -> bool {
        let is_of =
            |planned: usize| self.plan.files.get(planned).and_then(|file| file.holder) == Some(holder);
        self.gathered.outcomes.iter().any(|file| file.format == format && is_of(file.planned))
    }

    /// The position of the holder who is `person`.
    pub(super) fn standing(&self, person: u32) -> Option<usize> {
        let holder = self.people.people.get(person as usize)?.holder as usize;
        (holder < self.plan.holders.len()).then_some(holder)
    }

    pub(super) fn is_untied(&self, one: u32, other: u32) -> bool {
        self.untied.contains(&(one.min(other), one.max(other)))
    }

    /// Whether no row names `person`.
    pub(super) fn is_newcomer(&self, person: u32) -> bool {
        self.people.rows(person).iter().all(|row| self.gathered.rows[*row as usize].kind == RowKind::Seen)
    }
}
