//! The target that one text means: an id, an address, a handle or a name.
//!
//! Promise: WHO matches the person or company that `docs/shell.md` says.
//! Control: none yet.

use crate::graph::index::GraphIndex;
use crate::query::handle::handle_of;
use crate::query::name_match::NameClass;
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::{MatchedBy, find_target};

/// The target that `who` means in `index`. Returns `None` if nobody and no company is meant.
///
/// An id, an e-mail address and the address of a profile mean whom they name and nobody else. Any other text is the
/// handle of a person if there is one, else a name: the person or the company that it fits more closely, the
/// person if both fit alike.
#[must_use]
pub fn meant<'q>(index: &GraphIndex, who: &'q str) -> Option<TargetQuery<'q>> {
    let found = |query: &TargetQuery<'_>| find_target(index, *query).is_some();
    if let Some(exact) = exact(who) {
        return Some(exact).filter(found);
    }
    let handle = Some(TargetQuery::Handle(who)).filter(found);
    let looseness = |query| find_target(index, query).map(|(by, _)| looseness(by));
    let named = || {
        let (person, company) = (TargetQuery::Name(who), TargetQuery::Company(who));
        match (looseness(person), looseness(company)) {
            (Some(of_person), Some(of_company)) if of_company < of_person => Some(company),
            (Some(_), _) => Some(person),
            (None, of_company) => of_company.map(|_| company),
        }
    };
    handle.or_else(named)
}

/// How to look up `who` if it means a person: as [`meant`], but a text that is nothing else is a person's name.
#[must_use]
pub fn meant_person<'q>(index: &GraphIndex, who: &'q str) -> TargetQuery<'q> {
    let is_handle = || find_target(index, TargetQuery::Handle(who)).is_some();
    exact(who).unwrap_or_else(|| if is_handle() { TargetQuery::Handle(who) } else { TargetQuery::Name(who) })
}

/// How to look up `who` if it means a company: by its id, or as [`TargetQuery::Company`].
#[must_use]
pub fn meant_company(who: &str) -> TargetQuery<'_> {
    match exact(who) {
        Some(id @ (TargetQuery::CompanyId(_) | TargetQuery::PersonId(_))) => id,
        _ => TargetQuery::Company(who),
    }
}

/// The id or the address that `who` is. Returns `None` if it is neither.
fn exact(who: &str) -> Option<TargetQuery<'_>> {
    if who.starts_with("person_") {
        Some(TargetQuery::PersonId(who))
    } else if who.starts_with("company_") {
        Some(TargetQuery::CompanyId(who))
    } else if handle_of(who) != who {
        Some(TargetQuery::Handle(who))
    } else if who.contains('@') {
        Some(TargetQuery::Email(who))
    } else {
        None
    }
}

/// Returns how loosely a name fits: 0 if it is the same.
const fn looseness(by: MatchedBy) -> u8 {
    match by {
        MatchedBy::Name(NameClass::Reordered) => 1,
        MatchedBy::Name(NameClass::Prefix) => 2,
        MatchedBy::Name(NameClass::Fuzzy) => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
