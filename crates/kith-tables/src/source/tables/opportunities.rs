//! The table of ghost opportunities, and the paths of each.

use std::collections::BTreeSet;

use crate::source::error::TableFault;
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::Ids;
use crate::source::ndjson_rows;
use crate::source::rows::Table;
use kith::model::column::{ColumnFull, DictionaryColumn, TextColumn};
use kith::model::csr::Offsets;
use kith::model::dataset::{Opportunities, OpportunityStatus};
use kith::model::ix::{MemberIx, PersonIx};
use kith::model::time::Timestamp;

const PATH_COLUMNS: [TableColumn; 4] = [
    required("connectionId"),
    required("connectionType"),
    required("strengthScore"),
    optional("userToHomieWarmness"),
];

/// The opportunities read so far, in the order of the file.
pub(crate) struct OpportunityTable<'a> {
    people: &'a Ids,
    user_ids: &'a Ids,
    ids: Ids,
    rows: Vec<OpportunityRow>,
    /// Names of unknown fields inside paths, as `paths.NAME`.
    unknown_in_paths: BTreeSet<String>,
}

/// One row. Missing texts are empty.
pub(crate) struct OpportunityRow {
    line: u64,
    id: String,
    prospect: PersonIx,
    overall_score: String,
    priority: String,
    confidence_level: String,
    status: OpportunityStatus,
    discovered_at: Timestamp,
    search_source: String,
    icp_evaluation: String,
    buying_intent: String,
    key_insights: String,
    discovered_by: MemberIx,
    paths: Vec<PathRow>,
}

pub(crate) struct PathRow {
    connection: PersonIx,
    connection_type: String,
    strength: String,
    warmness: String,
}

/// The opportunities of one block.
#[derive(Default)]
pub(crate) struct OpportunityPart {
    rows: Vec<OpportunityRow>,
    unknown_in_paths: BTreeSet<String>,
}

impl<'a> OpportunityTable<'a> {
    /// No opportunities yet; members, whose ids are `user_ids`, discover `people`.
    pub(crate) fn new(people: &'a Ids, user_ids: &'a Ids) -> Self {
        let ids = Ids::new("ghost_opportunities", "ghost_");
        Self { people, user_ids, ids, rows: Vec::new(), unknown_in_paths: BTreeSet::new() }
    }

    /// The table sorted by id.
    ///
    /// # Errors
    /// Returns an error if a column would exceed 4 GiB, or if there are more paths than can be numbered.
    pub(crate) fn sort(mut self) -> Result<Opportunities, ColumnFull> {
        let order = self.ids.sort();
        let rows: Vec<&OpportunityRow> = order.iter().map(|&row| &self.rows[row as usize]).collect();
        let mut sorted = to_columns(&rows)?;
        sorted.ids = self.ids.into_column();
        Ok(sorted)
    }

    fn add(&mut self, row: OpportunityRow) -> Result<(), TableFault> {
        self.ids.add(row.line, "id", &row.id)?;
        self.rows.push(row);
        Ok(())
    }

    fn read_paths(
        &self,
        paths: NamedCell<'_>,
        unknown: &mut BTreeSet<String>,
    ) -> Result<Vec<PathRow>, TableFault> {
        let mut names = BTreeSet::new();
        let items = paths.optional_items()?.into_iter().enumerate();
        let rows = items.map(|(place, item)| {
            let row =
                ndjson_rows::fields(item, &PATH_COLUMNS, &mut names).and_then(|row| self.read_path(row));
            row.map_err(|fault| fault.within(&format!("{}[{place}]", paths.name)))
        });
        let rows = rows.collect();
        unknown.extend(names.iter().map(|name| format!("{}.{name}", paths.name)));
        rows
    }

    fn read_path(&self, row: [NamedCell<'_>; 4]) -> Result<PathRow, TableFault> {
        let [connection, connection_type, strength, warmness] = row;
        Ok(PathRow {
            connection: PersonIx(connection.reference(self.people)?),
            connection_type: connection_type.text()?,
            strength: strength.number()?,
            warmness: warmness.optional_number()?,
        })
    }
}

impl Table<13> for OpportunityTable<'_> {
    const COLUMNS: [TableColumn; 13] = [
        required("id"),
        required("prospectId"),
        required("overallScore"),
        optional("priority"),
        optional("confidenceLevel"),
        required("status"),
        required("discoveredAt"),
        optional("searchSource"),
        optional("icpEvaluation"),
        optional("buyingIntent"),
        optional("keyInsights"),
        required("discoveredBy"),
        optional("paths"),
    ];
    const INSIDE: &'static [&'static str] =
        &["paths.connectionId", "paths.connectionType", "paths.strengthScore", "paths.userToHomieWarmness"];
    type Part = OpportunityPart;

    fn read(
        &self,
        row: [NamedCell<'_>; 13],
        line: u64,
        part: &mut OpportunityPart,
    ) -> Result<(), TableFault> {
        let [id, prospect, score, priority, confidence, status, at, source, icp, intent, insights, by, paths] =
            row;
        part.rows.push(OpportunityRow {
            line,
            id: id.own_id(self.ids.prefix)?,
            prospect: PersonIx(prospect.reference(self.people)?),
            overall_score: score.number()?,
            priority: priority.optional_text()?,
            confidence_level: confidence.optional_number()?,
            status: status.one_of(&OpportunityStatus::NAMES, &OpportunityStatus::ALL)?,
            discovered_at: at.time()?,
            search_source: source.optional_text()?,
            icp_evaluation: icp.optional_object()?,
            buying_intent: intent.optional_object()?,
            key_insights: insights.optional_object()?,
            discovered_by: MemberIx(by.reference(self.user_ids)?),
            paths: self.read_paths(paths, &mut part.unknown_in_paths)?,
        });
        Ok(())
    }

    fn take(&mut self, part: OpportunityPart, faults: &mut RowFaults) -> Result<(), TableFault> {
        self.unknown_in_paths.extend(part.unknown_in_paths);
        part.rows.into_iter().try_for_each(|row| faults.keep(row.line, self.add(row)))
    }

    fn unknown_inside(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.unknown_in_paths)
    }
}

/// The columns of `rows`, except the ids.
fn to_columns(rows: &[&OpportunityRow]) -> Result<Opportunities, ColumnFull> {
    let texts = |text: fn(&OpportunityRow) -> &str| TextColumn::from_texts(rows.iter().map(|row| text(row)));
    let paths = || rows.iter().flat_map(|row| &row.paths);
    let path_texts = |text: fn(&PathRow) -> &str| TextColumn::from_texts(paths().map(text));
    Ok(Opportunities {
        ids: TextColumn::default(),
        prospects: rows.iter().map(|row| row.prospect).collect(),
        overall_scores: texts(|row| &row.overall_score)?,
        priorities: DictionaryColumn::from_texts(&texts(|row| &row.priority)?),
        confidence_levels: texts(|row| &row.confidence_level)?,
        statuses: rows.iter().map(|row| row.status).collect(),
        discovered_at: rows.iter().map(|row| row.discovered_at).collect(),
        search_sources: DictionaryColumn::from_texts(&texts(|row| &row.search_source)?),
        icp_evaluations: texts(|row| &row.icp_evaluation)?,
        buying_intents: texts(|row| &row.buying_intent)?,
        key_insights: texts(|row| &row.key_insights)?,
        discovered_by: rows.iter().map(|row| row.discovered_by).collect(),
        path_offsets: path_offsets(rows)?,
        path_connections: paths().map(|path| path.connection).collect(),
        path_types: DictionaryColumn::from_texts(&path_texts(|path| &path.connection_type)?),
        path_strengths: path_texts(|path| &path.strength)?,
        path_warmness: path_texts(|path| &path.warmness)?,
    })
}

fn path_offsets(rows: &[&OpportunityRow]) -> Result<Offsets, ColumnFull> {
    u32::try_from(rows.iter().map(|row| row.paths.len()).sum::<usize>()).map_err(|_| ColumnFull)?;
    let mut offsets = Offsets::with_capacity(rows.len());
    let mut end = 0_usize;
    for row in rows {
        end += row.paths.len();
        offsets.push(end);
    }
    Ok(offsets)
}
