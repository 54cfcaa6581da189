//! `kith generate`: generates realistic source tables of any size from a seed.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cli::progress::{self, Meter, ProgressArgs};
use crate::clock;
use kith_generate::demo::{DEMO_FOLDERS, demo_plans};
use kith_generate::folder::{Occupied, prepare};
use kith_generate::plan::{Compression, Plan};
use kith_generate::write::write_tables_watched;

/// Write the source tables of a made-up network
///
/// The same arguments give the same tables on every machine.
#[derive(Args, Debug)]
pub struct GenerateCommand {
    /// Folder to write to: a new or an empty one
    out_dir: PathBuf,
    /// Write the two demo networks, each into its own folder under OUT_DIR
    #[arg(long, conflicts_with_all = [
        "people", "edges", "companies", "members", "advocates", "seed", "org", "name", "compress"
    ])]
    demo: bool,
    /// People
    #[arg(long, default_value_t = 2000)]
    people: u32,
    /// Edges [default: 15 for each person, fewer if there are few people]
    #[arg(long)]
    edges: Option<u64>,
    /// Companies [default: one for every 16 people]
    #[arg(long)]
    companies: Option<u32>,
    /// Members [default: grows with the square root of the people]
    #[arg(long)]
    members: Option<u32>,
    /// Accepted advocates [default: seven for every eight members]
    #[arg(long)]
    advocates: Option<u32>,
    /// The seed of all chance: any whole number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Id of the organization
    #[arg(long, default_value = "org_generated")]
    org: String,
    /// Name of the organization
    #[arg(long, default_value = "Generated Network")]
    name: String,
    /// The compression of the tables
    #[arg(long, value_enum, default_value_t = Packing::None)]
    compress: Packing,
    /// Write into a folder that is not empty, and replace the tables in it
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    progress: ProgressArgs,
}

/// A compression of tables.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Packing {
    None,
    Gz,
    Zst,
}

impl GenerateCommand {
    /// Writes the tables, and one line for each network on stdout.
    ///
    /// # Errors
    /// Returns an error if the plan cannot be carried out, the folder is not empty, or the system refuses to
    /// write.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let occupied = if self.force { Occupied::ReplaceTables } else { Occupied::Refuse };
        if self.demo {
            for (plan, folder) in demo_plans().iter().zip(DEMO_FOLDERS) {
                generate_into(plan, &self.out_dir.join(folder), occupied, self.progress)?;
            }
            return Ok(());
        }
        generate_into(&self.plan(), &self.out_dir, occupied, self.progress)
    }

    fn plan(&self) -> Plan {
        let people = u64::from(self.people);
        let edges = self.edges.unwrap_or((people * 15).min(people * people / 4));
        let mut sized = Plan::sized(self.people, edges);
        if let Some(members) = self.members {
            sized = sized.with_members(members);
        }
        Plan {
            seed: self.seed,
            organization_id: self.org.clone(),
            organization_name: self.name.clone(),
            companies: self.companies.unwrap_or(sized.companies),
            advocates: self.advocates.unwrap_or(sized.advocates),
            compression: match self.compress {
                Packing::None => Compression::None,
                Packing::Gz => Compression::Gzip,
                Packing::Zst => Compression::Zstd,
            },
            ..sized
        }
    }
}

fn generate_into(
    plan: &Plan,
    folder: &Path,
    occupied: Occupied,
    args: ProgressArgs,
) -> Result<(), Box<dyn Error>> {
    plan.check()?;
    let start = clock::now();
    prepare(folder, occupied)?;
    let meter = Meter::start(progress::GENERATE, args);
    let written = write_tables_watched(plan, folder, &meter)?;
    drop(meter);
    writeln!(
        io::stdout().lock(),
        "{}: {} people, {} companies, {} connections, {} rows of evidence, {} members, {} advocate rows, \
         {} intro requests, {} opportunities; {} bytes in {:.1} s",
        folder.display(),
        written.people,
        written.companies,
        written.connections,
        written.evidence,
        written.members,
        written.advocates,
        written.intro_requests,
        written.opportunities,
        written.bytes,
        start.elapsed().as_secs_f64()
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        command: GenerateCommand,
    }

    fn parsed(arguments: &[&str]) -> Option<GenerateCommand> {
        let program = Program::try_parse_from(["kith"].iter().chain(arguments));
        program.ok().map(|program| program.command)
    }

    #[test]
    fn what_is_not_named_follows_from_the_people() {
        let plan = parsed(&["out"]).map(|command| command.plan());
        assert_eq!(plan, Some(Plan::sized(2000, 30_000)));
        let arguments = ["out", "--people", "500", "--members", "40", "--seed", "9", "--compress", "zst"];
        let plan = parsed(&arguments).map(|command| command.plan());
        let expected = Plan { seed: 9, compression: Compression::Zstd, ..Plan::sized(500, 7500) };
        assert_eq!(plan, Some(expected.with_members(40)));
    }

    #[test]
    fn any_number_of_people_works_without_naming_more() {
        for people in ["12", "50", "61", "1000000"] {
            let plan = parsed(&["out", "--people", people]).map(|command| command.plan());
            assert_eq!(plan.map(|plan| plan.check()), Some(Ok(())), "{people} people");
        }
    }

    #[test]
    fn the_demo_takes_no_size() {
        assert!(parsed(&["--demo", "out", "--force"]).is_some());
        assert!(parsed(&["--demo", "out", "--people", "500"]).is_none());
        assert!(parsed(&["--demo"]).is_none());
    }

    #[test]
    fn a_folder_that_holds_something_is_refused_with_the_remedy() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("notes.txt"), "")?;
        let command = parsed(&["out", "--people", "50"]);
        let command = command.map(|command| GenerateCommand { out_dir: folder.path().into(), ..command });
        let said = command.and_then(|command| command.run().err()).map(|error| error.to_string());
        assert!(said.is_some_and(|said| said.contains("--force")));
        Ok(())
    }
}
