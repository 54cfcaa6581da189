//! `kith inspect`: shows the content of a snapshot, and which of its sections are valid.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::cli::listing::grouped;
use crate::graph::analytics::shape;
use crate::model::dataset::Dataset;
use crate::snapshot::inspect::{Inspection, inspect};
use crate::snapshot::{format, read};

/// Show what a snapshot holds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith inspect snapshots/acme.kith --json")]
pub struct InspectCommand {
    /// The snapshot
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl InspectCommand {
    /// Prints the snapshot's content; for a damaged one, its header and the damaged sections.
    ///
    /// # Errors
    /// Returns an error if the header cannot be read; and, after printing, if the content is damaged.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let file = self.file.display();
        let inspection = inspect(&self.file).map_err(|error| format!("{file}: {error}"))?;
        let loaded = read::load(&self.file);
        let dataset = loaded.as_ref().ok().map(|loaded| &loaded.dataset);
        let said = report(&inspection, dataset);
        if self.json {
            writeln!(std::io::stdout(), "{said:#}")?;
        } else {
            print_lines(&inspection, &said)?;
        }
        loaded.map(drop).map_err(|error| format!("{file}: {error}").into())
    }
}

fn report(inspection: &Inspection, dataset: Option<&Dataset>) -> Value {
    let checksum = |sound| if sound { "ok" } else { "bad" };
    let sections: Vec<Value> = inspection
        .sections
        .iter()
        .map(|section| {
            json!({
                "name": section.name,
                "offset": section.offset,
                "sizeBytes": section.size_bytes,
                "checksum": checksum(section.sound),
            })
        })
        .collect();
    json!({
        "formatVersion": inspection.format_version,
        "formatDate": format::date_of(inspection.format_version),
        "identity": inspection.identity.to_string(),
        "sizeBytes": inspection.size_bytes,
        "checksums": checksum(inspection.sections.iter().all(|section| section.sound)),
        "organization": dataset.map(|dataset| {
            json!({ "id": dataset.organization.id, "name": dataset.organization.name })
        }),
        "counts": dataset.map(counts),
        "shape": dataset.map(|dataset| {
            let shape = shape(&dataset.edges);
            json!({
                "components": shape.components,
                "largestComponent": shape.largest_component,
                "mostIncomingEdges": shape.in_degree_max,
                "mostOutgoingEdges": shape.out_degree_max,
            })
        }),
        "sections": sections,
    })
}

fn counts(dataset: &Dataset) -> Value {
    json!({
        "people": dataset.people.len(),
        "companies": dataset.companies.ids.len(),
        "members": dataset.members.len(),
        "advocates": dataset.advocates.len(),
        "connections": dataset.edges.out.ends.len(),
        "introRequests": dataset.intro_requests.people.len(),
        "ghostOpportunities": dataset.opportunities.ids.len(),
        "distinctBreakdowns": dataset.breakdowns.len() - 1,
        "evidence": dataset.evidence.len(),
        "aliases": dataset.people.aliases.handles.len() + dataset.people.aliases.emails.len(),
    })
}

fn print_lines(inspection: &Inspection, said: &Value) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let date = format::date_of(inspection.format_version).unwrap_or("");
    writeln!(out, "format         {} ({date})", inspection.format_version)?;
    writeln!(out, "identity       {}", inspection.identity)?;
    writeln!(out, "bytes          {}", grouped(inspection.size_bytes))?;
    writeln!(out, "checksums      {}", said["checksums"].as_str().unwrap_or("bad"))?;
    if let Some(organization) = said["organization"].as_object() {
        let field = |name: &str| organization.get(name).and_then(Value::as_str).unwrap_or("");
        writeln!(out, "organization   {} ({})", field("name"), field("id"))?;
    }
    for part in ["counts", "shape"] {
        for (name, count) in said[part].as_object().into_iter().flatten() {
            writeln!(out, "{name:20} {:>14}", grouped(count.as_u64().unwrap_or(0)))?;
        }
    }
    for section in &inspection.sections {
        let state = if section.sound { "ok" } else { "BAD" };
        writeln!(out, "section {:28} {:>14} bytes  {state}", section.name, grouped(section.size_bytes))?;
    }
    Ok(())
}
