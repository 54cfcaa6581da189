//! Removes people from the file of asks.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::ask_file::store::AskStore;
use crate::cli::ask::ask_file_arg::AskFile;
use crate::snapshot::read::load;
use crate::suppress::file;
use crate::suppress::list::Suppressions;
use kith_import::forgetting::ForgettingKey;

/// Take every event about, over or by people out of the file, to the last byte
#[derive(Debug, Args)]
pub struct ForgetCommand {
    #[command(flatten)]
    file: AskFile,
    /// The list of people to forget
    #[arg(long, value_name = "FILE", required_unless_present = "ids")]
    suppressions: Option<PathBuf>,
    /// A snapshot of the organization, to find also those whom the list names otherwise than by id, and asks by members
    #[arg(long, value_name = "FILE")]
    snapshot: Option<PathBuf>,
    /// Ids of people (`person_…`) and of members (`user_…`)
    ids: Vec<String>,
}

impl ForgetCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let store = AskStore::open(&self.file.asks)?;
        let list = self.suppressions.as_deref().map(file::read).transpose()?;
        let snapshot = self.snapshot.as_deref().map(load).transpose()?;
        let mut gone = 0;
        for org in store.organizations()? {
            let listed = list.as_ref().and_then(|list| list.of(&org).cloned());
            let mut ids: BTreeSet<String> = self.ids.iter().cloned().collect();
            if let Some(listed) = &listed {
                ids.extend(store.people_of(&org)?.into_iter().filter(|id| names(listed, id)));
            }
            let of_org = snapshot.as_ref().filter(|loaded| loaded.dataset.organization.id == org);
            if let Some(loaded) = of_org {
                let data = &loaded.dataset;
                let rows = listed.map_or_else(Vec::new, |listed| listed.named_in(data));
                ids.extend(rows.iter().map(|&row| data.people.ids.get(row).to_owned()));
                // A member has both ids.
                for (row, person) in data.members.people.iter().enumerate() {
                    if ids.contains(data.people.ids.get(person.0)) {
                        ids.insert(data.members.user_ids.get(row as u32).to_owned());
                    }
                }
            }
            let (users, people) = ids.into_iter().partition(|id| id.starts_with("user_"));
            gone += store.forget(&org, &people, &users)?;
        }
        Ok(writeln!(io::stdout(), "events taken out: {gone}")?)
    }
}

/// Whether `listed` names the person with this id by it.
fn names(listed: &Suppressions, id: &str) -> bool {
    listed.names(&ForgettingKey::Id(id))
}
