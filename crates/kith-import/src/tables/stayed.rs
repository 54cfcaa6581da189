//! The members and advocates of the last import who are neither today. With `keep` they stay what they were and keep
//! their edges.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::Deserialize;

use crate::dates::CalendarDay;
use crate::forgetting::{IsForgotten, is_earlier_forgotten};
use crate::gather::Gathered;
use crate::identity::name::compared;
use crate::plan::{HolderStanding, ImportPlan, PlannedHolder};
use crate::tables::earlier::{EarlierFault, EarlierTables, IDENTITIES, IdentityLine};
use crate::tables::folder::{ADVOCATES, MEMBERS, PEOPLE};
use crate::tables::line::{PersonFields, lines};
use kith::model::dataset::{AdvocateStatus, Role};

/// Length of the day in a timestamp: `2026-11-27`.
const DAY_CHARS: usize = 10;

/// A member or an advocate of the last import who is neither today.
#[derive(Debug)]
pub(crate) struct FormerHolder {
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
    user_id: String,
    role: String,
    connections_synced_at: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AdvocateFields {
    person_id: String,
    user_id: String,
    status: String,
    connections_synced_at: Option<String>,
}

/// The members and then the advocates in the tables of `folder` who are no holders of `plan`, but for those who are to be
/// forgotten, and advocates who helped only members who are none any more. A holder of the same name is the same person.
///
/// # Errors
/// Returns an error if a table cannot be read.
pub(crate) fn former_holders(
    plan: &ImportPlan,
    earlier: &EarlierTables,
    folder: &Path,
    is_forgotten: Option<&IsForgotten<'_>>,
) -> Result<Vec<FormerHolder>, EarlierFault> {
    if earlier.users.is_empty() {
        return Ok(Vec::new());
    }
    let mut advocates: BTreeMap<String, Vec<AdvocateFields>> = BTreeMap::new();
    lines(folder, ADVOCATES, |row: AdvocateFields| {
        advocates.entry(row.person_id.clone()).or_default().push(row);
    })?;
    let mut holders =
        HoldersOfLastTime::read(folder, |id| earlier.users.contains_key(id) || advocates.contains_key(id))?;
    let names: HashMap<String, usize> =
        plan.holders.iter().map(|holder| compared(&holder.name)).zip(0..).collect();
    let today = |holder: &PlannedHolder| {
        plan.place_of(holder).or_else(|| names.get(&compared(&holder.name)).copied())
    };
    let (mut former, mut places) = (Vec::new(), HashMap::new());
    lines(folder, MEMBERS, |member: MemberFields| {
        let role = if member.role == "admin" { Role::Admin } else { Role::Member };
        let Some(holder) = holders.take(&member.person_id, role, is_forgotten) else { return };
        let place = today(&holder).unwrap_or(plan.holders.len() + former.len());
        places.insert(member.user_id, place);
        if place >= plan.holders.len() {
            former.push(FormerHolder::new(member.person_id, holder, member.connections_synced_at));
        }
    })?;
    for (id, mut rows) in advocates {
        let Some(mut holder) = holders.take(&id, Role::Member, is_forgotten) else { continue };
        let is_member = |place: &usize| plan.holders.get(*place).is_none_or(PlannedHolder::is_member);
        let helps = rows.iter().filter_map(|row| places.get(&row.user_id).copied()).filter(is_member);
        let helps: Vec<usize> = helps.collect();
        if let Some(row) = rows.pop().filter(|_| !helps.is_empty() && today(&holder).is_none()) {
            let status = match row.status.as_str() {
                "accepted" => AdvocateStatus::Accepted,
                "declined" => AdvocateStatus::Declined,
                _ => AdvocateStatus::Pending,
            };
            holder.standing = HolderStanding::Advocate { helps, status };
            former.push(FormerHolder::new(id, holder, row.connections_synced_at));
        }
    }
    Ok(former)
}

impl FormerHolder {
    fn new(id: String, holder: PlannedHolder, synced: Option<String>) -> Self {
        let day = synced.as_deref().and_then(|at| at.get(..DAY_CHARS)).and_then(CalendarDay::parse);
        Self { id, holder, synced: day }
    }

    /// What they were, in words.
    pub(crate) fn was(&self) -> &'static str {
        if self.holder.is_member() { "a member" } else { "an advocate" }
    }
}

/// The rows and identities of members and advocates of the last import, by id.
struct HoldersOfLastTime {
    people: HashMap<String, PersonFields>,
    identities: HashMap<String, IdentityLine>,
}

impl HoldersOfLastTime {
    fn read(folder: &Path, is_one: impl Fn(&str) -> bool) -> Result<Self, EarlierFault> {
        let (mut people, mut identities) = (HashMap::new(), HashMap::new());
        lines(folder, PEOPLE, |person: PersonFields| {
            if is_one(&person.id) {
                people.insert(person.id.clone(), person);
            }
        })?;
        lines(folder, IDENTITIES, |line: IdentityLine| {
            if is_one(&line.id) {
                identities.insert(line.id.clone(), line);
            }
        })?;
        Ok(Self { people, identities })
    }

    /// The person `id` as a member; `None` the second time, and if they are to be forgotten.
    fn take(
        &mut self,
        id: &str,
        role: Role,
        is_forgotten: Option<&IsForgotten<'_>>,
    ) -> Option<PlannedHolder> {
        let (person, line) = self.people.remove(id).zip(self.identities.remove(id))?;
        let is_listed = is_forgotten.is_some_and(|list| {
            let ids: Vec<&str> = [id].into_iter().chain(line.formerly.iter().map(String::as_str)).collect();
            is_earlier_forgotten(&ids, &line.handles, &line.emails, &[(person.name.as_str(), "")], list)
        });
        let others = line.emails.into_iter().filter(|email| *email != person.email);
        let emails = Some(person.email.clone()).filter(|email| !email.is_empty()).into_iter().chain(others);
        let mut holder = PlannedHolder::member(person.name, emails.collect(), role);
        holder.handle = Some(person.linkedin_id.to_lowercase()).filter(|handle| !handle.is_empty());
        (!is_listed).then_some(holder)
    }
}

/// Makes `former` holders of `plan`.
pub(crate) fn keep_holders(plan: &mut ImportPlan, former: &[FormerHolder]) {
    for one in former {
        plan.stayed.insert(plan.holders.len(), one.id.clone());
        plan.holders.push(one.holder.clone());
    }
}

/// Copies the newest day of their files to `former`, the last holders of `plan`: their files are not read
/// today.
pub(crate) fn keep_days(plan: &ImportPlan, gathered: &mut Gathered, former: &[FormerHolder]) {
    for (place, one) in plan.stayed.keys().zip(former) {
        gathered.newest[*place] = gathered.newest[*place].max(one.synced);
    }
}
