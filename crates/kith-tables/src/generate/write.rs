//! A plan to a folder of source tables.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;

use crate::generate::output::TableWriter;
use crate::generate::plan::Plan;
use crate::generate::world::World;
use crate::generate::{company_table, connections, folder, ghosts, ids, intros, people, role_tables};
use crate::progress::{Progress, Silent};

/// What was written: rows of each table, and bytes of all files together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenTables {
    /// Rows of `companies`.
    pub companies: u64,
    /// Rows of `people`.
    pub people: u64,
    /// Rows of `members`.
    pub members: u64,
    /// Rows of `advocates`: one for each member whom a person was asked to help.
    pub advocates: u64,
    /// Rows of `connections`, parallel edges and self-edges among them.
    pub connections: u64,
    /// Rows of `intro_requests`.
    pub intro_requests: u64,
    /// Rows of `ghost_opportunities`.
    pub opportunities: u64,
    /// Bytes on disk, packed as the plan says.
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
/// Equal plans give equal tables: the same bytes, except that a later version of a packer may pack
/// them otherwise. Costs about a dozen bytes of memory for each person, and time in proportion to
/// the rows.
///
/// # Errors
/// Returns an error if the plan cannot be carried out (kind `InvalidInput`, with a [`crate::generate::plan::PlanFault`]), or
/// the system refuses to write.
pub fn write_tables(plan: &Plan, folder: &Path) -> io::Result<WrittenTables> {
    write_tables_watched(plan, folder, &Silent)
}

/// Like [`write_tables`], and reports tables and their rows to `progress`.
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
    let rows = |name: &str, fill: fn(&World<'_>, &mut TableWriter<'_>) -> io::Result<()>| {
        progress.stage(name);
        let mut table = TableWriter::create(folder, name, plan.compression, progress)?;
        fill(&world, &mut table)?;
        table.finish()
    };
    let [companies, people, members, advocates, connections, intro_requests, opportunities] = folder::TABLES;
    Ok(WrittenTables {
        companies: rows(companies, company_table::write)?,
        people: rows(people, people::write)?,
        members: rows(members, role_tables::write_members)?,
        advocates: rows(advocates, role_tables::write_advocates)?,
        connections: rows(connections, connections::write)?,
        intro_requests: rows(intro_requests, intros::write)?,
        opportunities: rows(opportunities, ghosts::write)?,
        bytes: size_bytes(plan, folder)?,
    })
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
