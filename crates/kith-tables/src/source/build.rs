//! Builds a checked dataset from a folder of source tables.

use std::collections::BTreeSet;
use std::path::Path;

use crate::progress::Progress;
use crate::source::blocks::BlockSize;
use crate::source::derived::{StatedTies, TogetherTables};
use crate::source::error::{Reason, SourceError, TableFault};
use crate::source::faults::{FolderFaults, RowFaults, SourceFaults};
use crate::source::folder::{Folder, TableFile};
use crate::source::ignored::{IgnoredFiles, UnknownField};
use crate::source::replaced;
use crate::source::rows::{Reading, Table, read_table};
use crate::source::tables::advocates::AdvocateTable;
use crate::source::tables::affiliations::AffiliationTable;
use crate::source::tables::companies::CompanyTable;
use crate::source::tables::connections::ConnectionTable;
use crate::source::tables::evidence::EvidenceTable;
use crate::source::tables::intro_requests::IntroTable;
use crate::source::tables::members::MemberTable;
use crate::source::tables::opportunities::OpportunityTable;
use crate::source::tables::organization::OrganizationRow;
use crate::source::tables::people::PersonTable;
use crate::source::tables::person_aliases::AliasTable;
use crate::source::tables::preferences::PreferenceTable;
use kith::model::column::{ColumnFull, TextColumn};
use kith::model::dataset::{Advocate, AdvocateStatus, Dataset, Members, Organization, People};
use kith::model::edges::Edges;
use kith::model::ix::PersonIx;
use kith::model::nearest::nearest_of;
use kith::prepare;
use kith::prepare::edges::{EdgeReport, EdgeRow};
use kith_embed::of_tables;

/// The result of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The network. It depends neither on the order of the tables' lines nor on their format.
    pub dataset: Dataset,
    /// The number of rows of `connections` that are not edges, by reason.
    pub report: EdgeReport,
    /// Rows of `evidence` dropped because their pair has no edge.
    pub evidence_dropped: u64,
    /// Edges derived from overlapping affiliations; 0 unless requested.
    pub derived: u64,
    /// Fields that no table has, in the order of the tables, then by name.
    pub warnings: Vec<UnknownField>,
    /// Files of the folder that are not tables.
    pub ignored: IgnoredFiles,
}

/// Reads the tables of `folder` and builds the dataset.
///
/// Holds a few blocks of each table at a time, never its whole text; works on all cores.
///
/// # Errors
/// Returns the first fault, in the order of the tables and their lines.
pub fn read_folder(folder: &Path, progress: &dyn Progress) -> Result<Built, SourceError> {
    read_folder_in_blocks(folder, progress, BlockSize::DEFAULT)
}

/// Like [`read_folder`], with blocks of another size. The size affects only the cost.
///
/// # Errors
/// Returns the errors of [`read_folder`]; the maximum length of a line is that of `size`.
pub fn read_folder_in_blocks(
    folder: &Path,
    progress: &dyn Progress,
    size: BlockSize,
) -> Result<Built, SourceError> {
    read_tables(folder, progress, size, false).map_err(|faults| faults.first)
}

/// Like [`read_folder_in_blocks`], and continues after a fault; with `derives` it also derives edges from affiliations.
///
/// # Errors
/// Returns the first faults and the number of the others, in the order of the tables and their lines. If some rows of a
/// table could not be read, references to missing rows of it are not faults.
pub fn read_tables(
    folder: &Path,
    progress: &dyn Progress,
    size: BlockSize,
    derives: bool,
) -> Result<Built, SourceFaults> {
    let mut faults = FolderFaults::default();
    // Tables that an interrupted run had prepared.
    let ignored = match replaced::put_in_place(folder).and_then(|()| IgnoredFiles::among(folder)) {
        Ok(ignored) => ignored,
        Err(cause) => {
            let fault = TableFault::from(Reason::Unreadable(cause)).in_file(&folder.display().to_string());
            return Err(faults.after(fault, IgnoredFiles::default(), Vec::new()));
        }
    };
    let files = match Folder::find(folder) {
        Ok(files) => files,
        Err(first) => {
            let again = Folder::faults(folder).into_iter().filter(|fault| fault.file != first.file);
            again.for_each(|fault| faults.push(fault));
            return Err(faults.after(first, ignored, Vec::new()));
        }
    };
    progress.total(files.bytes());
    let mut reader = Reader { reading: Reading { progress, size }, warnings: Vec::new(), faults };
    match reader.read(&files, derives) {
        Ok((dataset, report, evidence_dropped, derived)) => {
            Ok(Built { dataset, report, evidence_dropped, derived, warnings: reader.warnings, ignored })
        }
        Err(first) => Err(reader.faults.after(first, ignored, reader.warnings)),
    }
}

/// Reads table after table.
struct Reader<'a> {
    reading: Reading<'a>,
    warnings: Vec<UnknownField>,
    faults: FolderFaults,
}

impl Reader<'_> {
    fn read(
        &mut self,
        folder: &Folder,
        derives: bool,
    ) -> Result<(Dataset, EdgeReport, u64, u64), SourceError> {
        let organization = self.organization(&folder.organization);
        let companies = self.table(folder.companies.as_ref(), CompanyTable::new())?;
        let (company_ids, mut companies) = companies.sort();
        let organization = organization.and_then(|row| row.resolve(&company_ids));

        let people = self.table(Some(&folder.people), PersonTable::new(&company_ids))?;
        let (person_ids, mut people) = people.sort();
        people.aliases = self.table(folder.person_aliases.as_ref(), AliasTable::new(&person_ids))?.sort();
        let members = self.table(Some(&folder.members), MemberTable::new(&person_ids))?;
        let (user_ids, mut members) = members.sort().map_err(full("members"))?;
        let advocates = AdvocateTable::new(&person_ids, &user_ids, &members);
        let advocates = self.table(folder.advocates.as_ref(), advocates)?.sort();

        let connections = self.table(folder.connections.as_ref(), ConnectionTable::new(&person_ids))?;
        let intro_requests = IntroTable::new(&person_ids, &user_ids);
        let intro_requests = self.table(folder.intro_requests.as_ref(), intro_requests)?;
        let intro_requests = intro_requests.sort().map_err(full("intro_requests"))?;
        let opportunities = OpportunityTable::new(&person_ids, &user_ids);
        let opportunities = self.table(folder.opportunities.as_ref(), opportunities)?;
        let opportunities = opportunities.sort().map_err(full("ghost_opportunities"))?;

        let preferences = PreferenceTable::new(&person_ids, &company_ids);
        let preferences = self.table(folder.preferences.as_ref(), preferences)?.sort();
        let evidence = self.table(folder.evidence.as_ref(), EvidenceTable::new(&person_ids))?;
        let affiliations = AffiliationTable::new(&person_ids, &company_ids);
        let affiliations = self.table(folder.affiliations.as_ref(), affiliations)?;
        self.check(&organization)?;
        let organization = organization?;
        self.faults.check()?;

        let together = TogetherTables {
            companies: &companies,
            people: &people,
            members: &members,
            advocates: &advocates,
            requested_at: &intro_requests.requested_at,
            derives,
        };
        let made = together.ties(affiliations, connections, evidence).map_err(full("affiliations"))?;
        let StatedTies { rows: edge_rows, breakdowns, evidence, former, derived } = made;

        companies.ids = company_ids.into_column();
        people.ids = person_ids.into_column();
        members.user_ids = user_ids.into_column();
        let (edges, breakdowns, report) = self.edges(edge_rows, breakdowns, &people, &members, &advocates)?;
        let (evidence, evidence_dropped) = prepare::evidence::of_edges(&evidence, &edges);
        self.reading.progress.stage("names");
        let person_names = prepare::names::build(&people.names).map_err(full("people"))?;
        let company_names = prepare::names::build(&companies.names).map_err(full("companies"))?;
        self.reading.progress.stage("vectors");
        let vectors = of_tables::build(&people, &companies);
        let dataset = Dataset {
            organization,
            companies,
            people,
            members,
            advocates,
            intro_requests,
            opportunities,
            preferences,
            edges,
            former,
            evidence,
            breakdowns,
            person_names,
            company_names,
            vectors,
        };
        Ok((dataset, report, evidence_dropped, derived))
    }

    fn organization(&mut self, file: &TableFile) -> Result<OrganizationRow, SourceError> {
        self.reading.progress.stage(file.table);
        let (row, unknown) = OrganizationRow::read(file, self.reading)?;
        self.warn(file, unknown, &OrganizationRow::COLUMNS.map(|column| column.name));
        Ok(row)
    }

    /// Reads a table; one without a file is empty.
    ///
    /// # Errors
    /// Returns the first fault of the folder if reading cannot continue; other faults are kept.
    fn table<const N: usize, T: Table<N>>(
        &mut self,
        file: Option<&TableFile>,
        mut table: T,
    ) -> Result<T, SourceError> {
        let Some(file) = file else { return Ok(table) };
        self.reading.progress.stage(file.table);
        let (mut faults, mut unknown) = (RowFaults::new(self.faults.broken()), BTreeSet::new());
        let end = read_table(file, &mut table, self.reading, &mut faults, &mut unknown).err();
        let ends_reading = end.as_ref().is_some_and(|fault| fault.reason.ends_reading());
        end.into_iter().for_each(|fault| faults.push(fault));
        self.faults.take_table(file, faults);
        let columns: Vec<&'static str> =
            T::COLUMNS.iter().map(|column| column.name).chain(T::INSIDE.iter().copied()).collect();
        self.warn(file, unknown, &columns);
        if ends_reading {
            self.faults.check()?;
        }
        Ok(table)
    }

    fn warn(&mut self, file: &TableFile, unknown: BTreeSet<String>, columns: &[&'static str]) {
        let warning = |field: String| UnknownField {
            table: file.name.clone(),
            nearly: nearest_of(&field, columns.iter().copied()),
            field,
        };
        self.warnings.extend(unknown.into_iter().map(warning));
    }

    /// Continues unless the organization's company may be among the rows that could not be read.
    fn check(&mut self, organization: &Result<Organization, SourceError>) -> Result<(), SourceError> {
        let is_missing = matches!(organization, Err(SourceError { reason: Reason::NoSuchRow { .. }, .. }));
        if is_missing && self.faults.broken().contains(&"companies") { self.faults.check() } else { Ok(()) }
    }

    fn edges(
        &self,
        rows: Vec<EdgeRow>,
        breakdowns: TextColumn,
        people: &People,
        members: &Members,
        advocates: &[Advocate],
    ) -> Result<(Edges, TextColumn, EdgeReport), SourceError> {
        self.reading.progress.stage("edges");
        let accepted = advocates.iter().filter(|advocate| advocate.status == AdvocateStatus::Accepted);
        let advocacies: Vec<(PersonIx, PersonIx)> =
            accepted.map(|advocate| (members.person(advocate.member), advocate.person)).collect();
        let (mut edges, report) = prepare::edges::build(people.len(), rows, &advocacies)
            .map_err(|many| TableFault::from(Reason::TooManyEdges(many)).in_file("connections"))?;
        // Drops the breakdowns that only dropped and merged rows used.
        let breakdowns = prepare::edges::keep_used(&breakdowns, &mut edges.breakdowns);
        Ok((edges, breakdowns, report))
    }
}

/// The fault of a table that is too large for a snapshot.
fn full(table: &str) -> impl FnOnce(ColumnFull) -> SourceError {
    move |full| TableFault::from(full).in_file(table)
}
