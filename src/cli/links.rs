//! `kith tokens links`: a link for each member that logs them in to the page once.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;

use crate::auth::scope::Scopes;
use crate::auth::store::CredentialStore;
use crate::auth::ttl::Ttl;
use crate::cli::credentials::say_revoked_again;
use crate::cli::exports::private_address;
use crate::cli::opened::{self, ListArg};
use crate::cli::table::escaped;
use crate::graph::index::GraphIndex;
use crate::model::ix::MemberIx;
use crate::model::text::fold;

/// Making the links of colleagues.
#[derive(Debug, Args)]
pub struct LinksCommand {
    /// The snapshot whose members they are
    #[arg(long, value_name = "FILE")]
    snapshot: PathBuf,
    #[command(flatten)]
    list: ListArg,
    /// The credential store of the server; made if there is none
    #[arg(long, value_name = "FILE", env = "KITH_CREDENTIALS")]
    credentials: PathBuf,
    /// The address by which they reach the server
    #[arg(long, value_name = "URL", value_parser = private_address)]
    public_url: String,
    /// This member alone, by name; again for each further one
    #[arg(long = "for", value_name = "NAME")]
    names: Vec<String>,
    /// How long a link holds that was not opened: a whole number and s, m, h or d
    #[arg(long, default_value = "7d")]
    ttl: Ttl,
}

impl LinksCommand {
    /// Makes and prints a link for each member who is meant, by name.
    ///
    /// # Errors
    /// Returns an error if the snapshot or the store cannot be used, or a name is no member's.
    pub(super) fn run(&self, out: &mut impl Write, now: SystemTime) -> Result<(), Box<dyn Error>> {
        let index = opened::open(&self.snapshot, &self.list)?;
        let meant = self.meant(&index)?;
        let store = say_revoked_again(CredentialStore::open(&self.credentials)?);
        let org = &index.data.organization.id;
        for member in meant {
            let user = index.data.members.user_ids.get(member.0);
            let issued = store.create_token(org, user, Scopes::LINK, self.ttl, now)?;
            let (name, code) = (escaped(name_of(&index, member)), issued.secret.reveal());
            writeln!(out, "{name}\n  {}/explore#code={code}", self.public_url)?;
        }
        Ok(out.flush()?)
    }

    /// The members who are meant, by name.
    fn meant(&self, index: &GraphIndex) -> Result<Vec<MemberIx>, String> {
        let mut members: Vec<MemberIx> = (0..index.data.members.people.len() as u32).map(MemberIx).collect();
        members.sort_by_key(|member| fold(name_of(index, *member)));
        if self.names.is_empty() {
            return Ok(members);
        }
        let is_called = |name: &str, member: &MemberIx| fold(name_of(index, *member)) == fold(name);
        if let Some(name) =
            self.names.iter().find(|name| !members.iter().any(|member| is_called(name, member)))
        {
            let known: Vec<&str> = members.iter().map(|member| name_of(index, *member)).collect();
            return Err(format!("--for {name}: no member is called so; members are {}", known.join(", ")));
        }
        members.retain(|member| self.names.iter().any(|name| is_called(name, member)));
        Ok(members)
    }
}

fn name_of(index: &GraphIndex, member: MemberIx) -> &str {
    let person = index.data.members.people[member.0 as usize];
    index.data.people.names.get(person.0)
}
