//! The connector's link, and taking back an answer given over it.

use std::error::Error;
use std::io::{self, Write};

use clap::Args;

use crate::api::asking::AskWriter;
use crate::ask_file::store::AskStore;
use crate::auth::link::public_address;
use crate::auth::ttl::Ttl;
use crate::cli::ask::book::AskedSnapshot;
use crate::clock;
use crate::model::dataset::Role;
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::{Target, find_target};
use kith::limits::Limits;

/// Make the link by which a connector answers, in the place of the one before
#[derive(Debug, Args)]
pub struct LinkCommand {
    /// The id of the ask (`ask_…`)
    ask: String,
    /// The address by which the connector reaches the server
    #[arg(long, value_name = "URL", value_parser = parse_address)]
    public_url: String,
    /// A text that the connector may forward
    #[arg(long)]
    text: Option<String>,
    /// How long it holds: a whole number and s, m, h or d; 30d if none is named
    #[arg(long)]
    ttl: Option<Ttl>,
    #[command(flatten)]
    of: AskedSnapshot,
}

/// Take back what a person said over links
#[derive(Debug, Args)]
pub struct AllowCommand {
    /// The person, as people write it
    who: String,
    #[command(flatten)]
    of: AskedSnapshot,
}

impl LinkCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let store = AskStore::open(&self.of.file.asks)?;
        let overlay = self.of.overlay()?;
        let writer =
            AskWriter { overlay: &overlay, member: self.of.member(&overlay)?, limits: &Limits::DEFAULT };
        let made = writer.make_link(&store, &self.ask, self.text.as_deref(), self.ttl, clock::wall_time());
        let (code, _) = made.map_err(|error| error.sentence())?;
        Ok(writeln!(io::stdout(), "{}/answer#{code}", self.public_url)?)
    }
}

impl AllowCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let store = AskStore::open(&self.of.file.asks)?;
        let overlay = self.of.overlay()?;
        let (index, member) = (&overlay.index, self.of.member(&overlay)?);
        if index.data.members.roles[member.0 as usize] != Role::Admin {
            return Err("forbidden: that is for an admin of the organization".into());
        }
        let Some((_, Target::Person(person))) = find_target(index, TargetQuery::Text(&self.who)) else {
            return Err(format!("nobody in {} is meant by {:?}", self.of.snapshot.display(), self.who).into());
        };
        let id = index.data.people.ids.get(person.0);
        let former = overlay.book.formerly.keys().filter(|former| overlay.book.present_id(former) == id);
        let ids: Vec<String> = former.cloned().chain([id.to_owned()]).collect();
        let gone = store.allow(&index.data.organization.id, &ids)?;
        Ok(writeln!(io::stdout(), "taken back: {gone}")?)
    }
}

fn parse_address(text: &str) -> Result<String, &'static str> {
    public_address(text).ok_or("an address that begins with https:// or http://")
}
