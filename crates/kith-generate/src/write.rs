//! Writes a plan as a folder of source tables.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;

use crate::connections::EdgeTables;
use crate::output::TableWriter;
use crate::plan::Plan;
use crate::world::World;
use crate::{company_table, connections, folder, ghosts, ids, intros, people, role_tables};
use kith_tables::progress::{Progress, Silent};

/// Rows written to each table, and bytes of all files together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenTables {
    /// Rows of `companies`.
    pub companies: u64,
    /// Rows of `people`.
    pub people: u64,
    /// Rows of `members`.
    pub members: u64,
    /// Rows of `advocates`: one for each pair of an advocate and a member.
    pub advocates: u64,
    /// Rows of `connections`, including parallel edges and self-edges.
    pub connections: u64,
    /// Rows of `evidence`.
    pub evidence: u64,
    /// Rows of `intro_requests`.
    pub intro_requests: u64,
    /// Rows of `ghost_opportunities`.
    pub opportunities: u64,
    /// Bytes on disk, compressed as planned.
    pub bytes: u64,
}

/// `organization.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrganizationFile<'a> {
    id: &'a str,
    name: &'a str,
    company_id: ids::Id,
}

/// Writes the tables of `plan` into `folder`, which must exist (see [`folder::prepare`]).
///
/// Equal plans give equal tables: the same bytes, unless a later version of a compressor writes other ones. Costs about
/// a dozen bytes of memory per person, and time in proportion to the rows.
///
/// # Errors
/// Returns an error if the plan cannot be carried out (kind `InvalidInput`, with a [`crate::plan::PlanFault`]), or the
/// system refuses to write.
pub fn write_tables(plan: &Plan, folder: &Path) -> io::Result<WrittenTables> {
    write_tables_watched(plan, folder, &Silent)
}

/// Like [`write_tables`], reporting tables and rows to `progress`.
///
/// # Errors
/// Returns the errors of [`write_tables`].
pub fn write_tables_watched(
    plan: &Plan,
    folder: &Path,
    progress: &dyn Progress,
) -> io::Result<WrittenTables> {
    plan.check().map_err(|fault| io::Error::new(io::ErrorKind::InvalidInput, fault))?;
    let world = World::new(plan);
    write_organization(&world, folder)?;
    progress.total(u64::from(plan.people) + u64::from(plan.companies) + plan.edges);
    let at = Destination { folder, plan, progress };
    let [companies, people, members, advocates, connections, evidence, intro_requests, opportunities] =
        folder::TABLES;
    let (companies, ()) = at.write(companies, |table| company_table::write(&world, table))?;
    let (people, names) = at.write(people, |table| people::write(&world, table))?;
    let (members, ()) = at.write(members, |table| role_tables::write_members(&world, table))?;
    let (advocates, ()) = at.write(advocates, |table| role_tables::write_advocates(&world, table))?;
    let (connections, evidence) = at.write(connections, |connections| {
        let mut evidence = TableWriter::create(folder, evidence, plan.compression, &Silent)?;
        connections::write(&world, &names, &mut EdgeTables { connections, evidence: &mut evidence })?;
        evidence.finish()
    })?;
    let (intro_requests, ()) = at.write(intro_requests, |table| intros::write(&world, table))?;
    let (opportunities, ()) = at.write(opportunities, |table| ghosts::write(&world, table))?;
    let bytes = size_bytes(plan, folder)?;
    Ok(WrittenTables {
        companies,
        people,
        members,
        advocates,
        connections,
        evidence,
        intro_requests,
        opportunities,
        bytes,
    })
}

/// The folder that tables go to.
struct Destination<'a> {
    folder: &'a Path,
    plan: &'a Plan,
    progress: &'a dyn Progress,
}

impl Destination<'_> {
    /// Writes a table; returns the number of its rows and the result of `fill`.
    fn write<T>(
        &self,
        name: &str,
        fill: impl FnOnce(&mut TableWriter<'_>) -> io::Result<T>,
    ) -> io::Result<(u64, T)> {
        self.progress.stage(name);
        let mut table = TableWriter::create(self.folder, name, self.plan.compression, self.progress)?;
        let filled = fill(&mut table)?;
        Ok((table.finish()?, filled))
    }
}

fn write_organization(world: &World<'_>, folder: &Path) -> io::Result<()> {
    let organization = OrganizationFile {
        id: &world.plan.organization_id,
        name: &world.plan.organization_name,
        company_id: world.ids.get(ids::IdKind::Company, 0),
    };
    let mut text = serde_json::to_string_pretty(&organization)?;
    text.push('\n');
    fs::write(folder.join("organization.json"), text)
}

fn size_bytes(plan: &Plan, folder: &Path) -> io::Result<u64> {
    let mut bytes = fs::metadata(folder.join("organization.json"))?.len();
    for table in folder::TABLES {
        match fs::metadata(folder.join(format!("{table}{}", plan.compression.suffix()))) {
            Ok(file) => bytes += file.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}
