//! The members of the last import who are not members today. With `keep` they stay members and keep their edges.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;

use crate::dates::CalendarDay;
use crate::forgetting::{IsForgotten, is_earlier_forgotten};
use crate::gather::Gathered;
use crate::identity::name::compared;
use crate::plan::{ImportPlan, PlannedHolder};
use crate::tables::earlier::{EarlierFault, EarlierTables, IDENTITIES, IdentityLine};
use crate::tables::folder::{MEMBERS, PEOPLE};
use crate::tables::line::{PersonFields, lines};
use kith::model::dataset::Role;

/// Length of the day in a timestamp: `2026-11-27`.
const DAY_CHARS: usize = 10;

/// A member of the last import who is not a member today.
#[derive(Debug)]
pub(crate) struct FormerMember {
    /// The id of the person.
    pub(crate) id: String,
    pub(crate) holder: PlannedHolder,
    /// The newest day in their files.
    synced: Option<CalendarDay>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MemberFields {
    person_id: String,
    role: String,
    connections_synced_at: Option<String>,
}

/// The members in the tables of `folder` who are no holders of `plan`, but for those who are to be forgotten. A holder of the
/// same name is the same person.
///
/// # Errors
/// Returns an error if a table cannot be read.
pub(crate) fn former_members(
    plan: &ImportPlan,
    earlier: &EarlierTables,
    folder: &Path,
    is_forgotten: Option<&IsForgotten<'_>>,
) -> Result<Vec<FormerMember>, EarlierFault> {
    if earlier.users.is_empty() {
        return Ok(Vec::new());
    }
    let mut people: HashMap<String, PersonFields> = HashMap::new();
    lines(folder, PEOPLE, |person: PersonFields| {
        if earlier.users.contains_key(&person.id) {
            people.insert(person.id.clone(), person);
        }
    })?;
    let mut known: HashMap<String, IdentityLine> = HashMap::new();
    lines(folder, IDENTITIES, |line: IdentityLine| {
        if earlier.users.contains_key(&line.id) {
            known.insert(line.id.clone(), line);
        }
    })?;
    let names: HashSet<String> = plan.holders.iter().map(|holder| compared(&holder.name)).collect();
    let mut former = Vec::new();
    lines(folder, MEMBERS, |member: MemberFields| {
        let id = member.person_id;
        let Some((person, line)) = people.remove(&id).zip(known.remove(&id)) else { return };
        let is_listed = is_forgotten.is_some_and(|list| {
            let ids: Vec<&str> = [&id].into_iter().chain(&line.formerly).map(String::as_str).collect();
            is_earlier_forgotten(&ids, &line.handles, &line.emails, &[(person.name.as_str(), "")], list)
        });
        let role = if member.role == "admin" { Role::Admin } else { Role::Member };
        let others = line.emails.into_iter().filter(|email| *email != person.email);
        let emails = Some(person.email.clone()).filter(|email| !email.is_empty()).into_iter().chain(others);
        let mut holder = PlannedHolder::member(person.name, emails.collect(), role);
        holder.handle = Some(person.linkedin_id.to_lowercase()).filter(|handle| !handle.is_empty());
        let is_here = plan.place_of(&holder).is_some() || names.contains(&compared(&holder.name));
        if !is_listed && !is_here {
            let synced = member.connections_synced_at.as_deref().and_then(|at| at.get(..DAY_CHARS));
            former.push(FormerMember { id, holder, synced: synced.and_then(CalendarDay::parse) });
        }
    })?;
    Ok(former)
}

/// Makes `former` members of `plan`.
pub(crate) fn keep_members(plan: &mut ImportPlan, former: &[FormerMember]) {
    for member in former {
        plan.stayed.insert(plan.holders.len(), member.id.clone());
        plan.holders.push(member.holder.clone());
    }
}

/// Copies the newest day of their files to `former`, the last holders of `plan`: their files are not read
/// today.
pub(crate) fn keep_days(plan: &ImportPlan, gathered: &mut Gathered, former: &[FormerMember]) {
    for (place, member) in plan.stayed.keys().zip(former) {
        gathered.newest[*place] = gathered.newest[*place].max(member.synced);
    }
}
