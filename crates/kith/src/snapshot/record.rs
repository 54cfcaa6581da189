//! The records of the sections, field by field, in the newest format version.
//!
//! Changing a field here changes the format. A text column is its offsets and its arena; a dictionary its distinct
//! texts and a number per row; times are a column of seconds and one of nanoseconds; closed sets are one byte per row.

use crate::model::count::OptionalCount;
use crate::model::ix::{CompanyIx, MemberIx, OptionalIx, PersonIx};
use crate::model::vectors::{ModelHash, Quantized};
use crate::snapshot::codec::{Column, Decode, Encode, Left};
use crate::snapshot::error::SnapshotError;

/// The content of a section.
pub(crate) trait Record: Encode + Decode<Left> {
    /// The part of a dataset that the record encodes.
    type Part: Send;

    /// Decodes the record to its part; `section` names its section in errors.
    ///
    /// # Errors
    /// Returns the first invalid column.
    fn into_part(self, section: &'static str) -> Result<Self::Part, SnapshotError>;
}

/// A column of texts.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct Texts {
    pub(crate) offsets: Column<u32>,
    pub(crate) arena: Column<u8>,
}

/// A column of repeating texts.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct Dictionary {
    pub(crate) values: Texts,
    pub(crate) rows: Column<u32>,
}

/// A column of points in time. A missing one is 0 seconds and [`NO_TIME`] nanoseconds.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct Times {
    pub(crate) seconds: Column<i64>,
    pub(crate) nanos: Column<u32>,
}

/// Means "no time" in the nanoseconds.
pub(crate) const NO_TIME: u32 = u32::MAX;

/// The first edge of each row in one direction, and the edges' other ends.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct Ends {
    pub(crate) offsets: Column<u32>,
    pub(crate) ends: Column<PersonIx>,
}

/// The organization itself.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct OrganizationRecord {
    pub(crate) id: Column<u8>,
    pub(crate) name: Column<u8>,
    /// The company's row; 2³² - 1 for none.
    pub(crate) company: u32,
}

/// The table of companies.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct CompaniesRecord {
    pub(crate) ids: Texts,
    pub(crate) names: Texts,
    pub(crate) handles: Texts,
    pub(crate) industries: Dictionary,
    pub(crate) headquarters: Dictionary,
    pub(crate) min_sizes: Column<OptionalCount>,
    pub(crate) max_sizes: Column<OptionalCount>,
    pub(crate) logo_urls: Texts,
}

/// The short columns of the table of people; the long ones have their own sections.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct PeopleDetailsRecord {
    pub(crate) companies: Column<OptionalIx<CompanyIx>>,
    pub(crate) cities: Dictionary,
    pub(crate) countries: Dictionary,
    pub(crate) connections_counts: Column<OptionalCount>,
}

/// The table of members.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct MembersRecord {
    pub(crate) user_ids: Texts,
    pub(crate) people: Column<PersonIx>,
    /// 0 admin, 1 member.
    pub(crate) roles: Column<u8>,
    pub(crate) joined_at: Times,
    pub(crate) synced_at: Times,
}

/// The table of advocates.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct AdvocatesRecord {
    pub(crate) people: Column<PersonIx>,
    pub(crate) members: Column<MemberIx>,
    /// 0 accepted, 1 pending, 2 declined.
    pub(crate) statuses: Column<u8>,
    pub(crate) synced_at: Times,
}

/// The table of intro requests.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct IntroRequestsRecord {
    pub(crate) people: Column<PersonIx>,
    pub(crate) statuses: Dictionary,
    pub(crate) requested_by: Column<MemberIx>,
    pub(crate) requested_at: Times,
}

/// The table of ghost opportunities.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct OpportunitiesRecord {
    pub(crate) ids: Texts,
    pub(crate) prospects: Column<PersonIx>,
    pub(crate) overall_scores: Texts,
    pub(crate) priorities: Dictionary,
    pub(crate) confidence_levels: Texts,
    /// 0 visible, 1 saved, 2 accepted, 3 intro requested, 4 dismissed.
    pub(crate) statuses: Column<u8>,
    pub(crate) discovered_at: Times,
    pub(crate) search_sources: Dictionary,
    pub(crate) icp_evaluations: Texts,
    pub(crate) buying_intents: Texts,
    pub(crate) key_insights: Texts,
    pub(crate) discovered_by: Column<MemberIx>,
    pub(crate) path_offsets: Column<u32>,
    pub(crate) path_connections: Column<PersonIx>,
    pub(crate) path_types: Dictionary,
    pub(crate) path_strengths: Texts,
    pub(crate) path_warmness: Texts,
}

/// The table of evidence.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct EvidenceRecord {
    pub(crate) from: Column<PersonIx>,
    pub(crate) to: Column<PersonIx>,
    pub(crate) at: Times,
    pub(crate) kinds: Dictionary,
    pub(crate) sources: Dictionary,
    pub(crate) notes: Texts,
}

/// Aliases of people.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct AliasesRecord {
    pub(crate) handle_people: Column<PersonIx>,
    pub(crate) handles: Texts,
    pub(crate) email_people: Column<PersonIx>,
    pub(crate) emails: Texts,
}

/// The table of preferences.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct PreferencesRecord {
    pub(crate) connectors: Column<OptionalIx<PersonIx>>,
    pub(crate) people: Column<OptionalIx<PersonIx>>,
    pub(crate) companies: Column<OptionalIx<CompanyIx>>,
    /// 0 never, 1 through.
    pub(crate) rules: Column<u8>,
    pub(crate) through: Column<OptionalIx<PersonIx>>,
    pub(crate) until: Times,
}

/// Former employments.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct FormerRecord {
    pub(crate) companies: Column<CompanyIx>,
    pub(crate) people: Column<PersonIx>,
}

/// The names of a table in name order.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct NameOrder {
    pub(crate) sorted: Texts,
    pub(crate) order: Column<u32>,
}

/// The words of the names of a table.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct NameWords {
    pub(crate) words: Texts,
    pub(crate) row_offsets: Column<u32>,
    pub(crate) row_words: Column<u32>,
}

/// The vectors of the short columns, and the model of all vectors; the long ones have their own sections.
#[derive(Debug, Encode, Decode)]
#[bincode(decode_context = "Left")]
pub(crate) struct VectorsRecord {
    pub(crate) cities: Column<Quantized>,
    pub(crate) countries: Column<Quantized>,
    pub(crate) industries: Column<Quantized>,
    pub(crate) headquarters: Column<Quantized>,
    pub(crate) model: ModelHash,
}
