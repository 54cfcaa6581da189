//! Writes an import as source tables and provenance: the same bytes for the same files.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::Arc;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::forgetting::{company_form, name_form};
use crate::identity::why::{JoinReasons, JoinRule};
use crate::imported::Imported;
use crate::people::GONE;
use crate::plan::HolderStanding;
use crate::rows::{ImportedRow, NOBODY, OwnHistory};
use crate::tables::earlier::IDENTITIES;
use crate::tables::folder::{
    ADVOCATES, ALIASES, COMPANIES, CONNECTIONS, EVIDENCE, INTRO_REQUESTS, MEMBERS, ORGANIZATION, PEOPLE,
    TableFolder,
};
use crate::ties::{TieRow, source_names};
use kith::model::dataset::{AdvocateStatus, Role};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrganizationLine<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    company_id: Option<&'a String>,
}

#[derive(Serialize)]
struct CompanyLine<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PersonLine<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    linkedin_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    email: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    position: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_company_id: Option<&'a String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    city: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    country: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AliasLine<'a> {
    person_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    linkedin_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    email: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberLine<'a> {
    user_id: &'a str,
    person_id: &'a str,
    role: &'a str,
    joined_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    connections_synced_at: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AdvocateLine<'a> {
    person_id: &'a str,
    user_id: &'a str,
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    connections_synced_at: Option<String>,
}

#[derive(Serialize)]
struct EdgeLine<'a> {
    from: &'a str,
    to: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    warmness: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct EvidenceLine<'a> {
    from: &'a str,
    to: &'a str,
    kind: &'a str,
    at: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct IntroLine<'a> {
    person_id: &'a str,
    status: &'a str,
    requested_by: &'a str,
    requested_at: String,
}

#[derive(Serialize)]
struct IdentityLine<'a> {
    id: &'a str,
    rows: Vec<IdentityRowLine<'a>>,
    handles: BTreeSet<&'a str>,
    emails: BTreeSet<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    formerly: &'a [String],
    /// Names with companies of single rows that compare differently from the written ones.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    names: BTreeSet<(&'a str, &'a str)>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    bare: BTreeSet<&'a str>,
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct IdentityRowLine<'a> {
    file: &'a str,
    line: u64,
    rule: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    value: Cow<'a, str>,
}

impl Imported {
    /// Writes all tables to `folder`.
    ///
    /// # Errors
    /// Returns an error if they cannot be written. Existing tables are not touched.
    pub fn write(&self, folder: &mut TableFolder) -> io::Result<()> {
        let by_id = self.by_id();
        if self.keeps {
            folder.keep(Arc::clone(&self.missing.lines));
        }
        let folder = &*folder;
        let small = || {
            self.write_organization(folder)?;
            self.write_holders(folder)?;
            self.write_derived(folder)?;
            self.write_doubles(folder)?;
            self.write_intros(folder)?;
            self.write_preferences(folder)?;
            self.write_affiliations(folder)
        };
        let large: [&(dyn Fn() -> io::Result<()> + Sync); 4] = [
            &|| self.write_identities(folder, &by_id),
            &|| self.write_edges(folder),
            &|| self.write_people(folder, &by_id),
            &small,
        ];
        large.par_iter().try_for_each(|write| write())
    }

    /// The people in the byte order of their ids.
    fn by_id(&self) -> Vec<u32> {
        let mut by_id: Vec<u32> = (0..self.people.people.len() as u32).collect();
        by_id.par_sort_unstable_by_key(|person| self.id(*person));
        by_id
    }

    fn write_organization(&self, folder: &TableFolder) -> io::Result<()> {
        let mut table = folder.table(ORGANIZATION)?;
        table.row(&OrganizationLine {
            id: &self.organization_id,
            name: &self.plan.organization,
            company_id: self.company_ids.get(&self.own_company),
        })?;
        folder.add(table)?;
        let mut table = folder.table(COMPANIES)?;
        let by_id: BTreeMap<&String, u32> = self.company_ids.iter().map(|(group, id)| (id, *group)).collect();
        for (id, group) in by_id {
            let company = self.gathered.companies.company(group);
            table.row(&CompanyLine { id, name: &company.name, domain: company.domain.as_deref() })?;
        }
        folder.add(table)
    }

    fn write_people(&self, folder: &TableFolder, by_id: &[u32]) -> io::Result<()> {
        let mut table = folder.table(PEOPLE)?;
        for person in by_id {
            let of = &self.people.people[*person as usize];
            table.row(&PersonLine {
                id: self.id(*person),
                name: &self.gathered.rows[of.name as usize].name,
                linkedin_id: &of.handle,
                email: &of.email,
                position: &self.gathered.texts[of.position as usize],
                current_company_id: self.company_ids.get(&of.company),
                city: &self.gathered.texts[of.place.0 as usize],
                country: &self.gathered.texts[of.place.1 as usize],
            })?;
        }
        folder.add(table)?;
        self.write_aliases(folder, by_id)
    }

    /// Writes the handles and addresses of people besides those in the table of people.
    fn write_aliases(&self, folder: &TableFolder, by_id: &[u32]) -> io::Result<()> {
        let rows = || self.gathered.rows.iter();
        let behind: HashSet<&str> =
            rows().flat_map(|row| row.other_handles.iter().map(AsRef::as_ref)).collect();
        // Another row may identify their owner.
        let first: HashSet<&str> =
            rows().map(|row| &*row.handle).filter(|own| behind.contains(own)).collect();
        let mut table = folder.table(ALIASES)?;
        for person in by_id {
            let (of, person_id) = (&self.people.people[*person as usize], self.id(*person));
            let others = self.rows_of(*person).flat_map(|row| row.other_handles.iter().map(AsRef::as_ref));
            let mut handles = self.handles(*person);
            handles.extend(others.filter(|handle| !first.contains(handle)));
            let mut emails = self.emails(*person);
            handles.remove(&*of.handle);
            emails.remove(&*of.email);
            for linkedin_id in handles {
                table.row(&AliasLine { person_id, linkedin_id, email: "" })?;
            }
            for email in emails {
                table.row(&AliasLine { person_id, linkedin_id: "", email })?;
            }
        }
        folder.add(table)
    }

    fn write_holders(&self, folder: &TableFolder) -> io::Result<()> {
        let (mut members, mut advocates) = (BTreeMap::new(), BTreeMap::new());
        for (place, holder) in self.plan.holders.iter().enumerate() {
            let person_id = self.id(self.people.holder(place as u32));
            let synced = self.gathered.newest[place].map(|day| day.timestamp().to_rfc3339_ms());
            match &holder.standing {
                HolderStanding::Member { role, .. } => {
                    let user_id = self.user_ids[place].as_str();
                    let joined_at = self.joined[place].clone();
                    let role = if *role == Role::Admin { "admin" } else { "member" };
                    let line =
                        MemberLine { user_id, person_id, role, joined_at, connections_synced_at: synced };
                    members.insert(user_id, line);
                }
                HolderStanding::Advocate { helps, status } => {
                    let status = match status {
                        AdvocateStatus::Accepted => "accepted",
                        AdvocateStatus::Pending => "pending",
                        AdvocateStatus::Declined => "declined",
                    };
                    for user_id in helps.iter().map(|member| self.user_ids[*member].as_str()) {
                        let connections_synced_at = synced.clone();
                        let line = AdvocateLine { person_id, user_id, status, connections_synced_at };
                        advocates.insert((person_id, user_id), line);
                    }
                }
            }
        }
        let mut table = folder.table(MEMBERS)?;
        members.values().try_for_each(|member| table.row(member))?;
        folder.add(table)?;
        let mut table = folder.table(ADVOCATES)?;
        advocates.values().try_for_each(|advocate| table.row(advocate))?;
        folder.add(table)
    }

    fn write_edges(&self, folder: &TableFolder) -> io::Result<()> {
        let mut edges: Vec<&_> =
            self.edges.iter().chain(&self.derived.edges).chain(&self.derived.together).collect();
        edges.par_sort_unstable_by_key(|edge| (self.id(edge.from), self.id(edge.to)));
        let sources = source_names(&self.gathered);
        let (mut table, mut evidence) = (folder.table(CONNECTIONS)?, folder.table(EVIDENCE)?);
        for edge in edges {
            let (from, to) = (self.id(edge.from), self.id(edge.to));
            let is_scored = !edge.scored.factors.is_empty();
            let breakdown = Some(&edge.breakdown).filter(|_| is_scored);
            let breakdown = breakdown.map(|text| RawValue::from_string(text.clone())).transpose()?;
            table.row(&EdgeLine {
                from,
                to,
                warmness: is_scored.then_some(edge.scored.warmness),
                breakdown,
            })?;
            for row in &edge.evidence {
                let source = sources.get(row.source as usize).copied().unwrap_or("");
                let (kind, at, note) = (row.kind.name(), row.at_rfc3339(), row.note.as_str());
                evidence.row(&EvidenceLine { from, to, kind, at, source, note })?;
            }
        }
        folder.add(table)?;
        folder.add(evidence)
    }

    fn write_intros(&self, folder: &TableFolder) -> io::Result<()> {
        let mut table = folder.table(INTRO_REQUESTS)?;
        let mut lines = BTreeSet::new();
        for (person, intro) in &self.intros {
            let asked = intro.at.to_rfc3339_ms();
            lines.insert((self.id(*person), intro.status.as_str(), self.user_ids[intro.by].as_str(), asked));
        }
        for (person_id, status, requested_by, requested_at) in lines {
            table.row(&IntroLine { person_id, status, requested_by, requested_at })?;
        }
        folder.add(table)
    }

    fn write_identities(&self, folder: &TableFolder, by_id: &[u32]) -> io::Result<()> {
        let mut table = folder.table(IDENTITIES)?;
        let shared: HashSet<&str> = self.shared.iter().map(AsRef::as_ref).collect();
        let reasons = JoinReasons { gathered: &self.gathered, shared: &shared, overridden: &self.overridden };
        let mut contacted: HashMap<u32, Vec<&TieRow>> = HashMap::new();
        self.contacts.kept.iter().for_each(|row| contacted.entry(row.person).or_default().push(row));
        let own = (0..).zip(&self.gathered.own).map(|(place, own)| (self.people.holder(place), own));
        let own: HashMap<u32, &OwnHistory> = own.collect();
        let line = |file: u32, line: u64, rule: JoinRule, value| {
            let file = self.gathered.outcomes[file as usize].stored.as_str();
            IdentityRowLine { file, line, rule: rule.name(), value }
        };
        for person in by_id {
            let members = self.people.rows(*person);
            let contacts = contacted.get(person).into_iter().flatten();
            let mut rows: Vec<IdentityRowLine<'_>> = contacts
                .map(|row| line(row.file, row.line, JoinRule::Contact, Cow::from(&*row.value)))
                .collect();
            let own = own.get(person).into_iter().flat_map(|own| &own.rows);
            rows.extend(own.map(|(file, at)| line(*file, *at, JoinRule::Own, Cow::default())));
            for (row, (rule, value)) in members.iter().zip(reasons.of(&self.gathered.rows, members)) {
                let of = &self.gathered.rows[*row as usize];
                if of.is_of_file() {
                    rows.push(line(of.file, of.line, rule, value.into()));
                }
            }
            rows.sort_unstable();
            table.row(&IdentityLine {
                id: self.id(*person),
                rows,
                handles: self.handles(*person),
                emails: self.emails(*person),
                formerly: &self.people.ids[*person as usize].formerly,
                names: self.other_names(*person),
                bare: self.people.bare_names(*person, &self.gathered.rows),
            })?;
        }
        folder.add(table)
    }

    pub(super) fn rows_of(&self, person: u32) -> impl Iterator<Item = &ImportedRow> {
        self.people.rows(person).iter().map(|row| &self.gathered.rows[*row as usize])
    }

    fn handles(&self, person: u32) -> BTreeSet<&str> {
        self.rows_of(person).map(|row| &*row.handle).filter(|handle| !handle.is_empty()).collect()
    }

    fn emails(&self, person: u32) -> BTreeSet<&str> {
        self.rows_of(person).flat_map(|row| row.emails.iter().map(AsRef::as_ref)).collect()
    }

    /// Names with companies by which single rows of the `person` would be known, besides the written ones.
    fn other_names(&self, person: u32) -> BTreeSet<(&str, &str)> {
        let of = &self.people.people[person as usize];
        let companies = &self.gathered.companies;
        let written =
            (&*self.gathered.rows[of.name as usize].name, companies.company(of.company).name.as_str());
        let form = |(name, company): (&str, &str)| (name_form(name), company_form(company));
        let rows = self.rows_of(person).filter(|row| !row.name.is_empty());
        let mut names: BTreeSet<_> = rows.map(|row| (&*row.name, companies.spelling(row.company))).collect();
        names.remove(&written);
        names.retain(|other| form(*other) != form(written) && *other != (written.0, ""));
        names
    }

    pub(super) fn id(&self, person: u32) -> &str {
        let kept = || self.kept().get((person as usize).checked_sub(self.people.ids.len())?);
        let own = self.people.ids.get(person as usize).map(|ids| &ids.id);
        own.or_else(|| kept().map(|person| &person.identity.id)).map_or("", String::as_str)
    }
}

const _: () = assert!(NOBODY == GONE);
