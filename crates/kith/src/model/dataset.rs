//! One organization's network as checked tables, before it is indexed.
//!
//! Every table is in the byte order of its ids, and rows refer to each other by number, so comparing two numbers is
//! comparing two ids. Whatever builds a [`Dataset`] (the source reader, the snapshot decoder) guarantees the invariants
//! stated here.

use crate::model::aliases::{Aliases, PersonTexts};
use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::count::OptionalCount;
use crate::model::csr::Offsets;
use crate::model::edges::Edges;
use crate::model::evidence::Evidence;
use crate::model::ix::{CompanyIx, MemberIx, OptionalIx, PersonIx};
use crate::model::names::NameTable;
use crate::model::preferences::PreferenceRow;
use crate::model::time::Timestamp;
use crate::model::vectors::Vectors;

/// The content of one organization's snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dataset {
    /// The organization whose network it is.
    pub organization: Organization,
    /// Companies, ascending by id.
    pub companies: Companies,
    /// People, ascending by id.
    pub people: People,
    /// Members, ascending by user id.
    pub members: Members,
    /// Advocate rows, ascending by person, then member; each pair once.
    pub advocates: Vec<Advocate>,
    /// Intro requests, ascending by person, each person's first row being the one to show (see
    /// [`IntroRequests`]).
    pub intro_requests: IntroRequests,
    /// Ghost opportunities, ascending by id.
    pub opportunities: Opportunities,
    /// Preferences, strictly ascending.
    pub preferences: Vec<PreferenceRow>,
    /// Former employments, strictly ascending.
    pub former: Vec<(CompanyIx, PersonIx)>,
    /// The edges: who knows whom.
    pub edges: Edges,
    /// The evidence behind the scores of edges.
    pub evidence: Evidence,
    /// The distinct breakdowns as compact JSON, strictly ascending; the first is the empty text, for none.
    pub breakdowns: TextColumn,
    /// The names of `people`.
    pub person_names: NameTable,
    /// The names of `companies`.
    pub company_names: NameTable,
    /// The vectors of texts of `people` and `companies`.
    pub vectors: Vectors,
}

/// The organization itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Organization {
    /// `org_…`
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its own company.
    pub company: Option<CompanyIx>,
}

/// The table of companies. All columns have the same length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Companies {
    /// `company_…`, strictly ascending.
    pub ids: TextColumn,
    /// Names; each has a value.
    pub names: TextColumn,
    /// The slug-like handles (`companyId`).
    pub handles: TextColumn,
    /// Industries.
    pub industries: DictionaryColumn,
    /// Headquarters locations.
    pub headquarters: DictionaryColumn,
    /// Minimum sizes, in people.
    pub min_sizes: Vec<OptionalCount>,
    /// Maximum sizes, in people.
    pub max_sizes: Vec<OptionalCount>,
    /// Addresses of logos.
    pub logo_urls: TextColumn,
    /// Domains as sent: matched, never returned.
    pub domains: TextColumn,
}

/// The table of people. All columns but the aliases have the same length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People {
    /// `person_…`, strictly ascending.
    pub ids: TextColumn,
    /// Names; each has a value.
    pub names: TextColumn,
    /// Professional-network handles (`linkedinId`).
    pub handles: TextColumn,
    /// E-mail addresses: matched, never returned.
    pub emails: TextColumn,
    /// Positions.
    pub positions: DictionaryColumn,
    /// Current companies.
    pub companies: Vec<OptionalIx<CompanyIx>>,
    /// Cities.
    pub cities: DictionaryColumn,
    /// Countries.
    pub countries: DictionaryColumn,
    /// Connections on the professional network.
    pub connections_counts: Vec<OptionalCount>,
    /// Other handles and addresses: matched, never returned.
    pub aliases: Aliases,
}

/// The table of members. All columns have the same length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// `user_…`, strictly ascending.
    pub user_ids: TextColumn,
    /// The person each member is; no person twice.
    pub people: Vec<PersonIx>,
    /// The role of each.
    pub roles: Vec<Role>,
    /// The id of each at the identity provider; empty if unknown.
    pub external_ids: TextColumn,
    /// When each joined.
    pub joined_at: Vec<Timestamp>,
    /// When each one's connections were imported.
    pub synced_at: Vec<Option<Timestamp>>,
}

/// The role of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Administers the organization's account.
    Admin,
    /// Uses it.
    Member,
}

/// One row of the advocates table: a person, and a member they help or were invited to help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advocate {
    /// The advocate; never the member's own person.
    pub person: PersonIx,
    /// The member.
    pub member: MemberIx,
    /// Their answer.
    pub status: AdvocateStatus,
    /// When the advocate's connections were imported.
    pub synced_at: Option<Timestamp>,
}

/// The answer of a person who was invited to be an advocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdvocateStatus {
    /// Yes: only these are advocates.
    Accepted,
    /// Nothing yet.
    Pending,
    /// No.
    Declined,
}

/// The table of intro requests, as columns.
///
/// Ascending by person; for one person by `requested_at` descending, then member descending, then status descending:
/// the first row of a person is the one shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntroRequests {
    /// The people that the organization asked to meet.
    pub people: Vec<PersonIx>,
    /// Any text; only `ACTIVE` has a meaning here.
    pub statuses: DictionaryColumn,
    /// The member who asked.
    pub requested_by: Vec<MemberIx>,
    /// When.
    pub requested_at: Vec<Timestamp>,
}

/// The table of ghost opportunities. Columns have one entry for each opportunity, `path_…` columns
/// one for each path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opportunities {
    /// `ghost_…`, strictly ascending.
    pub ids: TextColumn,
    /// The person discovered.
    pub prospects: Vec<PersonIx>,
    /// Scores as JSON numbers, as written; each has a value and is finite.
    pub overall_scores: TextColumn,
    /// The type of each path; the set of types is open.
    pub priorities: DictionaryColumn,
    /// JSON numbers, as written.
    pub confidence_levels: TextColumn,
    /// The status of each.
    pub statuses: Vec<OpportunityStatus>,
    /// When each was discovered.
    pub discovered_at: Vec<Timestamp>,
    /// Open-ended.
    pub search_sources: DictionaryColumn,
    /// Compact JSON objects.
    pub icp_evaluations: TextColumn,
    /// Compact JSON objects.
    pub buying_intents: TextColumn,
    /// Compact JSON objects.
    pub key_insights: TextColumn,
    /// The member who ran the discovery.
    pub discovered_by: Vec<MemberIx>,
    /// The position of each opportunity's first path.
    pub path_offsets: Offsets,
    /// The person each path goes through.
    pub path_connections: Vec<PersonIx>,
    /// Open-ended.
    pub path_types: DictionaryColumn,
    /// JSON numbers, as written; each has a value and is finite.
    pub path_strengths: TextColumn,
    /// JSON numbers, as written.
    pub path_warmness: TextColumn,
}

/// The status of an opportunity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpportunityStatus {
    /// Shown; nothing done yet.
    Visible,
    /// Kept for later.
    Saved,
    /// Taken up.
    Accepted,
    /// An introduction was requested.
    IntroRequested,
    /// Dismissed; the only status outside the active set.
    Dismissed,
}

impl OpportunityStatus {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Visible, Self::Saved, Self::Accepted, Self::IntroRequested, Self::Dismissed];
    /// Their names in tables and answers, in the order of [`Self::ALL`].
    pub const NAMES: [&'static str; 5] = ["visible", "saved", "accepted", "intro_requested", "dismissed"];

    /// Returns the name of the status.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl Companies {
    /// Minimum number of people at `company`.
    #[must_use]
    pub fn min_size(&self, company: CompanyIx) -> Option<u64> {
        self.min_sizes[company.0 as usize].get()
    }

    /// Maximum number of people at `company`.
    #[must_use]
    pub fn max_size(&self, company: CompanyIx) -> Option<u64> {
        self.max_sizes[company.0 as usize].get()
    }
}

impl People {
    /// Returns the number of people.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no people.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The current company of `person`.
    #[must_use]
    pub fn company(&self, person: PersonIx) -> Option<CompanyIx> {
        self.companies[person.0 as usize].get()
    }

    /// All handles by which people are found.
    #[must_use]
    pub fn handle_texts(&self) -> PersonTexts<'_> {
        PersonTexts { own: &self.handles, others: &self.aliases.handles }
    }

    /// All e-mail addresses by which people are found.
    #[must_use]
    pub fn email_texts(&self) -> PersonTexts<'_> {
        PersonTexts { own: &self.emails, others: &self.aliases.emails }
    }

    /// Returns the number of connections that `person` has on the professional network.
    #[must_use]
    pub fn connections_count(&self, person: PersonIx) -> Option<u64> {
        self.connections_counts[person.0 as usize].get()
    }
}

impl Members {
    /// Returns the number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.people.len()
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.people.is_empty()
    }

    /// The person of `member`.
    #[must_use]
    pub fn person(&self, member: MemberIx) -> PersonIx {
        self.people[member.0 as usize]
    }
}
