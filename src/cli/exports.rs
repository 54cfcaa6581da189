//! `kith exports`: the folder of the exports that colleagues bring, and their links, without a server.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use kith_import::addresses::addresses_in;
use kith_import::plan::ImportPlan;
use kith_import::tables::ids::organization_id;

use crate::auth::clock::{duration_millis, from_millis, to_millis};
use crate::auth::link::{is_readable_by_others, public_address};
use crate::auth::ttl::Ttl;
use crate::cli::table::write_fitted;
use crate::clock;
use crate::exports::folder::ExportsFolder;
use crate::exports::part::{Colleague, Part};
use crate::limits::EXPORT_LINK_LIFETIME;

/// Let colleagues bring their own exports, over a link for each
#[derive(Debug, Subcommand)]
pub enum ExportsCommand {
    /// Make the folder and its key
    Create(ExportsFolderArgs),
    /// Make the link of a colleague, in the place of the one before
    Link(ExportLinkCommand),
    /// List the colleagues who have a part: until when their link holds, and how many files they brought
    List(OfOrganization),
    /// End the link of a colleague; what they brought stays, unless --with-files
    Revoke(ExportRevokeCommand),
}

/// The folder and its key.
#[derive(Debug, Args)]
pub struct ExportsFolderArgs {
    /// The folder in which what colleagues bring lies sealed
    #[arg(long, value_name = "DIR")]
    exports: PathBuf,
    /// The file of its key, which lies elsewhere
    #[arg(long, value_name = "FILE")]
    exports_key: PathBuf,
}

/// The parts of one organization in the folder.
#[derive(Debug, Args)]
pub struct OfOrganization {
    #[command(flatten)]
    folder: ExportsFolderArgs,
    /// The name of the organization, as imports have it, or its id (org_…)
    #[arg(long, value_name = "NAME")]
    org: String,
}

/// The role of a colleague in the organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColleagueRole {
    Member,
    Admin,
}

/// Making a link.
#[derive(Debug, Args)]
pub struct ExportLinkCommand {
    #[command(flatten)]
    of: OfOrganization,
    /// Their name
    #[arg(long = "for", value_name = "NAME")]
    who: String,
    /// Their e-mail address; again for each further one. By it an import knows them
    #[arg(long, value_name = "ADDRESS", required = true, value_parser = address)]
    email: Vec<String>,
    /// Their role, if they are a member
    #[arg(long, value_enum, default_value_t = ColleagueRole::Member)]
    role: ColleagueRole,
    /// They are an advocate of this member, by name or address; again for each further one
    #[arg(long, value_name = "MEMBER", conflicts_with = "role")]
    helps: Vec<String>,
    /// The address by which they reach the server
    #[arg(long, value_name = "URL", value_parser = private_address)]
    public_url: String,
    /// How long it holds: a whole number and s, m, h or d; 30d if none is named
    #[arg(long)]
    ttl: Option<Ttl>,
}

/// Ending a link.
#[derive(Debug, Args)]
pub struct ExportRevokeCommand {
    #[command(flatten)]
    of: OfOrganization,
    /// Their name or address
    #[arg(long = "for", value_name = "WHO")]
    who: String,
    /// Remove what they brought too
    #[arg(long)]
    with_files: bool,
}

impl ExportsCommand {
    /// Does what the command says and prints its result.
    ///
    /// # Errors
    /// Returns an error if the folder or its key cannot be used, or nobody is meant.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Create(folder) => folder.create(),
            Self::Link(command) => command.run(),
            Self::List(of) => of.list(),
            Self::Revoke(command) => command.run(),
        }
    }
}

impl ExportsFolderArgs {
    fn create(&self) -> Result<(), Box<dyn Error>> {
        ExportsFolder::create(&self.exports, &self.exports_key)?;
        let (folder, key) = (self.exports.display(), self.exports_key.display());
        Ok(writeln!(
            io::stdout(),
            "Start the server that your colleagues reach with:\n\n  kith serve … --exports {folder} --exports-key {key} \\\n    \
             --public-url https://ADDRESS\n\nThen kith exports link makes the link of a colleague, and kith open or kith import with\n\
             --exports takes up what they brought."
        )?)
    }

    fn open(&self) -> Result<ExportsFolder, Box<dyn Error>> {
        Ok(ExportsFolder::open(&self.exports, &self.exports_key)?)
    }
}

impl OfOrganization {
    /// The id of the organization, as an import makes it of a name.
    fn id(&self) -> String {
        let org = self.org.trim().to_owned();
        if org.starts_with("org_") {
            org
        } else {
            organization_id(&ImportPlan { organization: org, ..ImportPlan::default() })
        }
    }

    fn list(&self) -> Result<(), Box<dyn Error>> {
        let now = to_millis(clock::wall_time());
        let row = |(part, _): &(Part, PathBuf)| {
            let until = part.link_ends_at(now).and_then(from_millis);
            [
                part.who.name.clone(),
                part.who.emails.first().cloned().unwrap_or_default(),
                if part.who.helps.is_empty() { "member".to_owned() } else { "advocate".to_owned() },
                until.map_or_else(|| "-".to_owned(), |until| until.to_rfc3339_ms()[..10].to_owned()),
                part.files.len().to_string(),
            ]
        };
        let rows: Vec<_> = self.folder.open()?.parts(&self.id())?.iter().map(row).collect();
        Ok(write_fitted(&mut io::stdout().lock(), ["NAME", "ADDRESS", "AS", "LINK UNTIL", "FILES"], &rows)?)
    }
}

impl ExportLinkCommand {
    fn run(self) -> Result<(), Box<dyn Error>> {
        let ttl = self.ttl.map_or(EXPORT_LINK_LIFETIME, Ttl::as_duration);
        let ends_at = to_millis(clock::wall_time()).saturating_add(duration_millis(ttl));
        let is_admin = self.role == ColleagueRole::Admin;
        let who = Colleague {
            name: self.who.trim().to_owned(),
            emails: self.email,
            handle: None,
            helps: self.helps,
            is_admin,
        };
        let (id, name) = (self.of.id(), self.of.org.trim());
        let (_, code) = self.of.folder.open()?.make_link((&id, name), &who, ends_at)?;
        Ok(writeln!(io::stdout(), "{}/bring#{code}", self.public_url)?)
    }
}

impl ExportRevokeCommand {
    fn run(self) -> Result<(), Box<dyn Error>> {
        let (folder, id) = (self.of.folder.open()?, self.of.id());
        let asked = Colleague {
            name: self.who.clone(),
            emails: address(&self.who).into_iter().collect(),
            handle: None,
            helps: Vec::new(),
            is_admin: false,
        };
        let parts = folder.parts(&id)?;
        let mut meant = parts.iter().filter(|(part, _)| part.who.is(&asked));
        let (Some((part, _)), None) = (meant.next(), meant.next()) else {
            return Err(format!(
                "--for {}: nobody, or more than one, is meant; kith exports list has their addresses",
                self.who
            )
            .into());
        };
        Ok(folder.revoke(&id, &part.id, self.with_files)?)
    }
}

fn address(text: &str) -> Result<String, &'static str> {
    let mut found = Vec::new();
    addresses_in(text, &mut found);
    if found.len() == 1 { found.pop().ok_or("an e-mail address") } else { Err("an e-mail address") }
}

/// An address at which nobody on the way reads what is sent.
pub(super) fn private_address(text: &str) -> Result<String, &'static str> {
    let expected = "an address that begins with https://; http:// is for this machine alone, since others could read what is sent";
    public_address(text).filter(|url| !is_readable_by_others(url)).ok_or(expected)
}
