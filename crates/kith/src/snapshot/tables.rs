//! Converts records of whole tables to tables of the model, and back.

use crate::model::aliases::{AliasColumn, Aliases};
use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::count::OptionalCount;
use crate::model::csr::Offsets;
use crate::model::dataset::{
    Advocate, Companies, IntroRequests, Members, Opportunities, Organization, People,
};
use crate::model::evidence::Evidence;
use crate::model::ix::{CompanyIx, OptionalIx, PersonIx};
use crate::model::preferences::PreferenceRow;
use crate::model::vectors::Vectors;
use crate::snapshot::codec::Column;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::parts::{
    ADVOCATE_STATUSES, OPPORTUNITY_STATUSES, PREFERENCE_RULES, ROLES, closed, closed_bytes, same_length, text,
};
use crate::snapshot::record::{
    AdvocatesRecord, AliasesRecord, CompaniesRecord, Dictionary, EvidenceRecord, FormerRecord,
    IntroRequestsRecord, MembersRecord, OpportunitiesRecord, OrganizationRecord, PeopleDetailsRecord,
    PreferencesRecord, Record, Texts, Times, VectorsRecord,
};

impl OrganizationRecord {
    pub(crate) fn of(organization: &Organization) -> Self {
        Self {
            id: Column(organization.id.as_bytes().to_vec()),
            name: Column(organization.name.as_bytes().to_vec()),
            company: OptionalIx::from(organization.company).stored(),
        }
    }
}

impl Record for OrganizationRecord {
    type Part = Organization;

    fn into_part(self, _: &'static str) -> Result<Organization, SnapshotError> {
        Ok(Organization {
            id: text("organization.id", self.id)?,
            name: text("organization.name", self.name)?,
            company: OptionalIx::from_stored(self.company).get(),
        })
    }
}

impl CompaniesRecord {
    pub(crate) fn of(companies: &Companies) -> Self {
        Self {
            ids: Texts::of(&companies.ids),
            names: Texts::of(&companies.names),
            handles: Texts::of(&companies.handles),
            industries: Dictionary::of(&companies.industries),
            headquarters: Dictionary::of(&companies.headquarters),
            min_sizes: Column(companies.min_sizes.clone()),
            max_sizes: Column(companies.max_sizes.clone()),
            logo_urls: Texts::of(&companies.logo_urls),
        }
    }
}

impl Record for CompaniesRecord {
    /// Everything but the domains, which are empty.
    type Part = Companies;

    fn into_part(self, _: &'static str) -> Result<Companies, SnapshotError> {
        Ok(Companies {
            ids: self.ids.into_part("companies.ids")?,
            names: self.names.into_part("companies.names")?,
            handles: self.handles.into_part("companies.handles")?,
            industries: self.industries.into_part("companies.industries")?,
            headquarters: self.headquarters.into_part("companies.headquarters")?,
            min_sizes: self.min_sizes.0,
            max_sizes: self.max_sizes.0,
            logo_urls: self.logo_urls.into_part("companies.logo_urls")?,
            domains: TextColumn::default(),
        })
    }
}

/// The short columns of the table of people.
pub(crate) struct PeopleDetails {
    pub(crate) companies: Vec<OptionalIx<CompanyIx>>,
    pub(crate) cities: DictionaryColumn,
    pub(crate) countries: DictionaryColumn,
    pub(crate) connections_counts: Vec<OptionalCount>,
}

impl PeopleDetailsRecord {
    pub(crate) fn of(people: &People) -> Self {
        Self {
            companies: Column(people.companies.clone()),
            cities: Dictionary::of(&people.cities),
            countries: Dictionary::of(&people.countries),
            connections_counts: Column(people.connections_counts.clone()),
        }
    }
}

impl Record for PeopleDetailsRecord {
    type Part = PeopleDetails;

    fn into_part(self, _: &'static str) -> Result<PeopleDetails, SnapshotError> {
        Ok(PeopleDetails {
            companies: self.companies.0,
            cities: self.cities.into_part("people.cities")?,
            countries: self.countries.into_part("people.countries")?,
            connections_counts: self.connections_counts.0,
        })
    }
}

impl MembersRecord {
    pub(crate) fn of(members: &Members) -> Self {
        Self {
            user_ids: Texts::of(&members.user_ids),
            people: Column(members.people.clone()),
            roles: closed_bytes(members.roles.iter().copied(), &ROLES),
            joined_at: Times::of(members.joined_at.iter().copied().map(Some)),
            synced_at: Times::of(members.synced_at.iter().copied()),
        }
    }
}

impl Record for MembersRecord {
    type Part = Members;

    fn into_part(self, _: &'static str) -> Result<Members, SnapshotError> {
        Ok(Members {
            user_ids: self.user_ids.into_part("members.user_ids")?,
            people: self.people.0,
            roles: closed("members.roles", &self.roles, &ROLES)?,
            external_ids: TextColumn::default(),
            joined_at: self.joined_at.required("members.joined_at")?,
            synced_at: self.synced_at.optional("members.synced_at")?,
        })
    }
}

impl AdvocatesRecord {
    pub(crate) fn of(advocates: &[Advocate]) -> Self {
        Self {
            people: Column(advocates.iter().map(|advocate| advocate.person).collect()),
            members: Column(advocates.iter().map(|advocate| advocate.member).collect()),
            statuses: closed_bytes(advocates.iter().map(|advocate| advocate.status), &ADVOCATE_STATUSES),
            synced_at: Times::of(advocates.iter().map(|advocate| advocate.synced_at)),
        }
    }
}

impl Record for AdvocatesRecord {
    type Part = Vec<Advocate>;

    fn into_part(self, _: &'static str) -> Result<Vec<Advocate>, SnapshotError> {
        let statuses = closed("advocates.statuses", &self.statuses, &ADVOCATE_STATUSES)?;
        let synced_at = self.synced_at.optional("advocates.synced_at")?;
        let rows = self.people.0.len();
        same_length("advocates.members", rows, self.members.0.len())?;
        same_length("advocates.statuses", rows, statuses.len())?;
        same_length("advocates.synced_at", rows, synced_at.len())?;
        let ends = self.people.0.into_iter().zip(self.members.0);
        let rows = ends.zip(statuses).zip(synced_at);
        let advocate =
            |(((person, member), status), synced_at)| Advocate { person, member, status, synced_at };
        Ok(rows.map(advocate).collect())
    }
}

impl IntroRequestsRecord {
    pub(crate) fn of(requests: &IntroRequests) -> Self {
        Self {
            people: Column(requests.people.clone()),
            statuses: Dictionary::of(&requests.statuses),
            requested_by: Column(requests.requested_by.clone()),
            requested_at: Times::of(requests.requested_at.iter().copied().map(Some)),
        }
    }
}

impl Record for IntroRequestsRecord {
    type Part = IntroRequests;

    fn into_part(self, _: &'static str) -> Result<IntroRequests, SnapshotError> {
        Ok(IntroRequests {
            people: self.people.0,
            statuses: self.statuses.into_part("intro_requests.statuses")?,
            requested_by: self.requested_by.0,
            requested_at: self.requested_at.required("intro_requests.requested_at")?,
        })
    }
}

impl EvidenceRecord {
    pub(crate) fn of(evidence: &Evidence) -> Self {
        Self {
            from: Column(evidence.from.clone()),
            to: Column(evidence.to.clone()),
            at: Times::of(evidence.at.iter().copied().map(Some)),
            kinds: Dictionary::of(&evidence.kinds),
            sources: Dictionary::of(&evidence.sources),
            notes: Texts::of(&evidence.notes),
        }
    }
}

impl Record for EvidenceRecord {
    type Part = Evidence;

    fn into_part(self, _: &'static str) -> Result<Evidence, SnapshotError> {
        let mut at = self.at.required("evidence.at")?;
        at.shrink_to_fit(); // it was not known to be sound in full length
        Ok(Evidence {
            from: self.from.0,
            to: self.to.0,
            at,
            kinds: self.kinds.into_part("evidence.kinds")?,
            sources: self.sources.into_part("evidence.sources")?,
            notes: self.notes.into_part("evidence.notes")?,
        })
    }
}

impl PreferencesRecord {
    pub(crate) fn of(rows: &[PreferenceRow]) -> Self {
        let people = |of: fn(&PreferenceRow) -> Option<PersonIx>| {
            Column(rows.iter().map(|row| OptionalIx::from(of(row))).collect())
        };
        Self {
            connectors: people(|row| row.connector),
            people: people(|row| row.person),
            companies: Column(rows.iter().map(|row| OptionalIx::from(row.company)).collect()),
            rules: closed_bytes(rows.iter().map(|row| row.rule), &PREFERENCE_RULES),
            through: people(|row| row.through),
            until: Times::of(rows.iter().map(|row| row.until)),
        }
    }
}

impl Record for PreferencesRecord {
    type Part = Vec<PreferenceRow>;

    fn into_part(self, _: &'static str) -> Result<Vec<PreferenceRow>, SnapshotError> {
        let rules = closed("preferences.rules", &self.rules, &PREFERENCE_RULES)?;
        let until = self.until.optional("preferences.until")?;
        let rows = self.connectors.0.len();
        same_length("preferences.people", rows, self.people.0.len())?;
        same_length("preferences.companies", rows, self.companies.0.len())?;
        same_length("preferences.rules", rows, rules.len())?;
        same_length("preferences.through", rows, self.through.0.len())?;
        same_length("preferences.until", rows, until.len())?;
        let row = |at: usize| PreferenceRow {
            connector: self.connectors.0[at].get(),
            person: self.people.0[at].get(),
            company: self.companies.0[at].get(),
            rule: rules[at],
            through: self.through.0[at].get(),
            until: until[at],
        };
        Ok((0..rows).map(row).collect())
    }
}

impl FormerRecord {
    pub(crate) fn of(rows: &[(CompanyIx, PersonIx)]) -> Self {
        let (companies, people) = rows.iter().copied().unzip();
        Self { companies: Column(companies), people: Column(people) }
    }
}

impl Record for FormerRecord {
    type Part = Vec<(CompanyIx, PersonIx)>;

    fn into_part(self, _: &'static str) -> Result<Vec<(CompanyIx, PersonIx)>, SnapshotError> {
        same_length("former.people", self.companies.0.len(), self.people.0.len())?;
        Ok(self.companies.0.into_iter().zip(self.people.0).collect())
    }
}

impl AliasesRecord {
    pub(crate) fn of(aliases: &Aliases) -> Self {
        let Aliases { handles, emails } = aliases;
        Self {
            handle_people: Column(handles.people.clone()),
            handles: Texts::of(&handles.texts),
            email_people: Column(emails.people.clone()),
            emails: Texts::of(&emails.texts),
        }
    }
}

impl Record for AliasesRecord {
    type Part = Aliases;

    fn into_part(self, _: &'static str) -> Result<Aliases, SnapshotError> {
        let column = |people: Column<_>, texts: Texts, name| {
            Ok(AliasColumn { people: people.0, texts: texts.into_part(name)? })
        };
        Ok(Aliases {
            handles: column(self.handle_people, self.handles, "people.aliases.handles")?,
            emails: column(self.email_people, self.emails, "people.aliases.emails")?,
        })
    }
}

impl OpportunitiesRecord {
    pub(crate) fn of(table: &Opportunities) -> Self {
        Self {
            ids: Texts::of(&table.ids),
            prospects: Column(table.prospects.clone()),
            overall_scores: Texts::of(&table.overall_scores),
            priorities: Dictionary::of(&table.priorities),
            confidence_levels: Texts::of(&table.confidence_levels),
            statuses: closed_bytes(table.statuses.iter().copied(), &OPPORTUNITY_STATUSES),
            discovered_at: Times::of(table.discovered_at.iter().copied().map(Some)),
            search_sources: Dictionary::of(&table.search_sources),
            icp_evaluations: Texts::of(&table.icp_evaluations),
            buying_intents: Texts::of(&table.buying_intents),
            key_insights: Texts::of(&table.key_insights),
            discovered_by: Column(table.discovered_by.clone()),
            path_offsets: Column(table.path_offsets.0.clone()),
            path_connections: Column(table.path_connections.clone()),
            path_types: Dictionary::of(&table.path_types),
            path_strengths: Texts::of(&table.path_strengths),
            path_warmness: Texts::of(&table.path_warmness),
        }
    }
}

impl Record for OpportunitiesRecord {
    type Part = Opportunities;

    fn into_part(self, _: &'static str) -> Result<Opportunities, SnapshotError> {
        let text = Texts::into_part;
        Ok(Opportunities {
            ids: text(self.ids, "opportunities.ids")?,
            prospects: self.prospects.0,
            overall_scores: text(self.overall_scores, "opportunities.overall_scores")?,
            priorities: self.priorities.into_part("opportunities.priorities")?,
            confidence_levels: text(self.confidence_levels, "opportunities.confidence_levels")?,
            statuses: closed("opportunities.statuses", &self.statuses, &OPPORTUNITY_STATUSES)?,
            discovered_at: self.discovered_at.required("opportunities.discovered_at")?,
            search_sources: self.search_sources.into_part("opportunities.search_sources")?,
            icp_evaluations: text(self.icp_evaluations, "opportunities.icp_evaluations")?,
            buying_intents: text(self.buying_intents, "opportunities.buying_intents")?,
            key_insights: text(self.key_insights, "opportunities.key_insights")?,
            discovered_by: self.discovered_by.0,
            path_offsets: Offsets(self.path_offsets.0),
            path_connections: self.path_connections.0,
            path_types: self.path_types.into_part("opportunities.path_types")?,
            path_strengths: text(self.path_strengths, "opportunities.path_strengths")?,
            path_warmness: text(self.path_warmness, "opportunities.path_warmness")?,
        })
    }
}

impl VectorsRecord {
    pub(crate) fn of(vectors: &Vectors) -> Self {
        Self {
            cities: Column(vectors.cities.clone()),
            countries: Column(vectors.countries.clone()),
            industries: Column(vectors.industries.clone()),
            headquarters: Column(vectors.headquarters.clone()),
            model: vectors.model,
        }
    }
}

impl Record for VectorsRecord {
    /// Everything but the positions and the names of companies, which are empty.
    type Part = Vectors;

    fn into_part(self, _: &'static str) -> Result<Vectors, SnapshotError> {
        Ok(Vectors {
            model: self.model,
            positions: Vec::new(),
            cities: self.cities.0,
            countries: self.countries.0,
            industries: self.industries.0,
            headquarters: self.headquarters.0,
            company_names: Vec::new(),
        })
    }
}
