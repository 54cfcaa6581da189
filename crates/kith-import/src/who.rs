//! Joined people, their ids, and who may have an edge to whom.

use std::collections::HashSet;

use crate::dates::CalendarDay;
use crate::forgetting::IsForgotten;
use crate::gather::Gathered;
use crate::identity::rules::{Identified, identify};
use crate::import_error::ImportError;
use crate::manifest::fault::ManifestFault;
use crate::manifest::overrides::Overrides;
use crate::overriding::{Resolved, resolve};
use crate::people::ImportedPeople;
use crate::plan::ImportPlan;
use crate::score::weights::Weights;
use crate::tables::earlier::EarlierTables;
use crate::ties::{Contacts, ScoredEdge, TieTable, edges};

/// The people of some rows.
pub(crate) struct Who {
    pub(crate) resolved: Resolved,
    pub(crate) people: ImportedPeople,
    pub(crate) ties: TieTable,
    /// Rows that fit two people and were not joined.
    pub(crate) namesakes: Vec<u32>,
    /// Addresses without a single owner.
    pub(crate) shared: Vec<Box<str>>,
}

impl Who {
    /// Joins the rows of `gathered` to people.
    ///
    /// # Errors
    /// Returns an error if the overrides contradict each other, or a holder must be forgotten.
    pub(crate) fn of(
        plan: &ImportPlan,
        gathered: &Gathered,
        overrides: &Overrides,
        earlier: &EarlierTables,
        listed: Option<&IsForgotten<'_>>,
    ) -> Result<Self, ImportError> {
        let resolved = resolve(overrides, gathered, earlier);
        let mut identified = identify(&gathered.rows, &gathered.companies, &resolved.rows);
        if let Some(entry) = identified.contradictions.first() {
            let place = overrides.same.get(*entry).map_or(String::new(), |named| named.place.clone());
            return Err(ImportError::Overrides(ManifestFault::SameAndApart(place)));
        }
        let mut people = ImportedPeople::of(plan, gathered, &mut identified, &earlier.people, listed);
        if let Some(holder) = people.forgotten_holders.first() {
            return Err(ImportError::HolderForgotten(place_of(plan, *holder as usize)));
        }
        let Identified { namesakes, shared, .. } = identified;
        let shared_texts: HashSet<&str> = shared.iter().map(AsRef::as_ref).collect();
        people.number(plan, gathered, &shared_texts, &earlier.people, &earlier.files);
        let ties = TieTable::of(plan, gathered, &people);
        Ok(Self { resolved, people, ties, namesakes, shared })
    }

    /// The facts of each tie in the files up to the day `as_of`, and the edges of the ties, in their order.
    pub(crate) fn edges(
        &self,
        plan: &ImportPlan,
        gathered: &Gathered,
        (as_of, weights): (CalendarDay, &Weights),
    ) -> (Contacts, Vec<ScoredEdge>) {
        let Self { people, ties, shared, .. } = self;
        let shared: HashSet<&str> = shared.iter().map(AsRef::as_ref).collect();
        let contacts = Contacts::of(plan, gathered, people, ties, &shared, as_of);
        let edges = edges(plan, gathered, people, ties, &contacts, (as_of, weights));
        (contacts, edges)
    }
}

/// The location of the holder in the manifest, for messages that must not name a person to be forgotten.
fn place_of(plan: &ImportPlan, holder: usize) -> String {
    let is_member = plan.holders[holder].is_member();
    let number = plan.holders[..=holder].iter().filter(|one| one.is_member() == is_member).count();
    format!("{}[{number}]", if is_member { "members" } else { "advocates" })
}
