//! `kith open`: from the exports in a download folder to the page in the browser, in one command.

mod before;
mod folder;
mod further;
pub mod usage;

use std::error::Error;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;

use crate::api::state::{PageImport, PageReport};
use crate::ask_file::service::AskSettings;
use crate::auth::link::LoginLink;
use crate::auth::operator_token::OperatorToken;
use crate::auth::scope::Scopes;
use crate::auth::secret::Secret;
use crate::auth::store::CredentialStore;
use crate::auth::ttl::Ttl;
use crate::cli::browser::start_browser;
use crate::cli::credentials::say_revoked_again;
use crate::cli::drafts;
use crate::cli::environment;
use crate::cli::import::brought::BroughtArgs;
use crate::cli::import::{FilesFailed, ImportCommand, MANIFEST, say_owners};
use crate::cli::logs;
use crate::cli::open::before::Before;
use crate::cli::open::folder::OpenFolder;
use crate::cli::open::further::FurtherImport;
use crate::cli::open::usage::OpenUsageError;
use crate::cli::progress::{self, Meter, ProgressArgs};
use crate::clock;
use crate::exports::read::refusal;
use crate::limits::{LINK_LIFETIME, PAGE_REPORT_ENTRIES_MAX, SESSION_SECONDS_DEFAULT};
use crate::live::predecessor::Keep;
use crate::live::reload::InMemory;
use crate::model::dataset::Role;
use crate::model::text::fold;
use crate::relational::pair;
use crate::service::host::Host;
use crate::service::run::run;
use crate::service::setup::Setup;
use crate::stderr;
use kith_import::imported::Imported;
use kith_import::manifest::is_one_person;
use kith_import::plan::{HolderStanding, ImportPlan, PlannedHolder};
use kith_import::tables::ids::organization_id;
use kith_tables::progress::Progress;
use kith_tables::source::build::read_folder;

/// Import exports, and open the page on them in the browser
///
/// kith open --me "Ana Ruiz" ~/Downloads/Connections.csv contacts.vcf. For a team kith open FOLDER with a folder for each
/// colleague, whose name is that of the folder or in the Profile.csv of their LinkedIn export; or kith open team.toml. It prints a link to the
/// page that works once, serves this machine alone, and ends with Ctrl-C. Everything that it makes lies in one folder, and the
/// next kith open goes on from there. docs/import.md describes the files.
#[derive(Clone, Debug, Args)]
pub struct OpenCommand {
    /// Your exports and folders of them; one folder with a folder for each colleague; or one team file such as team.toml
    #[arg(value_name = "FILES or MANIFEST", required_unless_present = "exports")]
    files: Vec<PathBuf>,
    /// Your name, if all files are yours; with a team file, the member as whom the page opens, if not the first
    #[arg(long, value_name = "NAME")]
    me: Option<String>,
    /// The member as whom the page opens, if not the first: with folders of colleagues, or with --exports alone
    #[arg(long = "as", value_name = "NAME", conflicts_with = "me")]
    as_member: Option<String>,
    /// An address of yours, if there is no manifest; may be repeated. Mail counts only if one of them is on it
    #[arg(long, value_name = "ADDRESS")]
    email: Vec<String>,
    /// The name of your organization, if there is no team file; else it is called your network, or as the folder of colleagues
    #[arg(long, value_name = "NAME")]
    org: Option<String>,
    /// The folder for everything that is made, in place of one among your data
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Rows and people that are one person or two, whatever the rules say
    #[arg(long, value_name = "FILE")]
    overrides: Option<PathBuf>,
    /// The list of people to forget: they are never written, nor shown
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
    /// Derive no ties of people who gave no files
    #[arg(long)]
    no_derive: bool,
    /// Keep the people of last time who are in none of these files, with their edges as they were
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    brought: BroughtArgs,
    /// The file of asks, which kith ask create makes: the page notes whom you asked, and your mail what came of it
    #[arg(long, value_name = "FILE")]
    asks: Option<PathBuf>,
    /// The address of the page, on this machine alone, which no other program should have served before; without it one of
    /// the folder's own, 127.…:8080
    #[arg(long, value_name = "ADDR", value_parser = parse_loopback)]
    listen: Option<SocketAddr>,
    /// Print the link and start no browser
    #[arg(long)]
    no_browser: bool,
}

/// An import, the place of the member as whom the page opens among the holders of its plan, and the folder that it goes to.
struct OpenImport {
    import: ImportCommand,
    plan: ImportPlan,
    me: usize,
    folder: OpenFolder,
}

/// A network that was imported and built, and what the page needs of it.
struct Ready {
    credential: Secret,
    import: PageImport,
    user: String,
}

impl OpenCommand {
    /// Imports, builds, and serves until SIGTERM or SIGINT.
    ///
    /// # Errors
    /// Returns an error if the command line or the manifest is wrong, no file gave anything, something cannot be written, or
    /// the address cannot be listened on.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let _logs = logs::start_text(environment::lossy(logs::VARIABLE).as_deref())?;
        let OpenImport { import, plan, me, folder } = self.planned()?;
        say_owners(&plan);
        let Ready { credential, import, user } = prepare(&import, plan, me, &folder)?;
        let command = self.clone();
        let remake = Box::new(move |new: &Path| command.remake(new));
        let further = FurtherImport { folder: folder.clone(), remake, taking: Mutex::default() };
        let import = import.with_further(user, Arc::new(further));
        self.serve(&folder, credential, import)
    }

    /// Plans the import, and the folder that it is made in.
    ///
    /// # Errors
    /// Returns an error if the command line or the manifest is wrong, or the folder cannot be used.
    fn planned(&self) -> Result<OpenImport, Box<dyn Error>> {
        let mut import = self.import()?;
        (import.no_derive, import.keep, import.brought) = (self.no_derive, self.keep, self.brought.clone());
        let mut plan = import.plan()?;
        let me = self.place_of_me(&plan)?;
        if !plan.read_as.is_empty() {
            // Who has the files of all decides on the links of all.
            plan.holders[me].standing = HolderStanding::Member { role: Role::Admin, joined: None };
        }
        let folder = OpenFolder::of(self.into.as_deref(), &organization_id(&plan))?;
        plan.files.extend(folder.further(me)?);
        import.tables = folder.tables();
        import.report = Some(folder.report());
        import.asks.clone_from(&self.asks);
        import.overrides =
            self.overrides.clone().or_else(|| Some(folder.answers()).filter(|file| file.exists()));
        import.suppressions = self.suppressions.clone().or_else(|| folder.suppressions());
        Ok(OpenImport { import, plan, me, folder })
    }

    /// Imports everything again with the file at `new`, and builds the snapshot; nothing is written if that file gives nothing.
    fn remake(&self, new: &Path) -> Result<PageReport, Box<dyn Error>> {
        let OpenImport { import, plan, folder, .. } = self.planned()?;
        let place = plan.files.iter().position(|file| file.path == new);
        let imported = import.import(plan)?;
        if let Some(said) = place.and_then(|place| refusal(&imported, place)) {
            return Err(said.into());
        }
        import.put(&imported)?;
        let report = page_report(&imported)?;
        drop(imported);
        build(&import, &folder)?;
        folder.close()?;
        Ok(report)
    }

    /// The import that this command begins with, but for the places that depend on its plan.
    fn import(&self) -> Result<ImportCommand, OpenUsageError> {
        if let Some(manifest) = self.manifest()? {
            if !self.email.is_empty() {
                return Err(OpenUsageError(
                    "--email is for files without a team file; that has the addresses itself".to_owned(),
                ));
            }
            return Ok(ImportCommand::of_manifest(manifest));
        }
        if self.files.is_empty() {
            let organization = self.org.clone().ok_or_else(|| {
                OpenUsageError("name the organization of what colleagues brought by --org NAME".to_owned())
            })?;
            return Ok(ImportCommand::of_brought(organization));
        }
        let Some(me) = &self.me else {
            if !self.email.is_empty() {
                return Err(OpenUsageError("--email is an address of --me \"Your Name\"".to_owned()));
            }
            return Ok(ImportCommand::of_owners(self.files.clone(), self.org.clone()));
        };
        let organization = self.org.clone().unwrap_or_else(|| format!("{}'s network", me.trim()));
        let mut import = ImportCommand::of_files(self.files.clone(), organization, me.clone());
        import.email.clone_from(&self.email);
        Ok(import)
    }

    /// The manifest, or `None` if the files are exports themselves.
    fn manifest(&self) -> Result<Option<PathBuf>, OpenUsageError> {
        let is_manifest =
            |file: &Path| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        let named = self.files.iter().find(|file| is_manifest(file));
        let within = |folder: &PathBuf| Some(folder.join(MANIFEST)).filter(|file| file.is_file());
        match (named, self.files.as_slice(), &self.org) {
            (Some(_), [_, _, ..], _) => Err(OpenUsageError(
                "name one team file alone; its files are listed in it (docs/import.md)".to_owned(),
            )),
            (Some(_), _, Some(_)) => Err(OpenUsageError(
                "--org is for files without a team file; that names the organization itself".to_owned(),
            )),
            (Some(manifest), _, None) => Ok(Some(manifest.clone())),
            (None, [folder], None) => Ok(within(folder)),
            (None, _, _) => Ok(None),
        }
    }

    /// The place among the holders of the member as whom the page opens.
    fn place_of_me(&self, plan: &ImportPlan) -> Result<usize, OpenUsageError> {
        let members = || plan.holders.iter().enumerate().filter(|(_, holder)| holder.is_member());
        let Some(me) = self.as_member.as_ref().or(self.me.as_ref()) else {
            return Ok(members().next().map_or(0, |(place, _)| place));
        };
        let (name, address) = (fold(me), me.trim().to_lowercase());
        let is_called_so =
            |holder: &PlannedHolder| fold(&holder.name) == name || holder.emails.contains(&address);
        let mut alike = members().filter(|(_, holder)| is_one_person(&holder.name, me));
        let found = members()
            .find(|(_, holder)| is_called_so(holder))
            .or_else(|| alike.next().filter(|_| alike.next().is_none()));
        found.map(|(place, _)| place).ok_or_else(|| {
            let names: Vec<&str> = members().map(|(_, holder)| holder.name.as_str()).collect();
            let option = if self.as_member.is_some() { "--as" } else { "--me" };
            OpenUsageError(format!("{option} {me}: no member is called so; members are {}", names.join(", ")))
        })
    }

    fn serve(
        &self,
        folder: &OpenFolder,
        credential: Secret,
        import: PageImport,
    ) -> Result<(), Box<dyn Error>> {
        let (link, code) = LoginLink::new(credential, clock::now() + LINK_LIFETIME)?;
        let (snapshots, credentials) = (folder.snapshots(), folder.credentials());
        let own = SocketAddr::from((folder.address(), Setup::ADDRESS.port()));
        let setup = Setup {
            suppressions: self.suppressions.as_deref(),
            login_link: Some(link.with_addresses(folder.opened())),
            admin_token: Some(OperatorToken::of_nobody()?),
            import: Some(import),
            asks: self.asks.as_deref().map(AskSettings::of),
            ends_at_hangup: true,
            earlier: Some(folder.earlier()).filter(|earlier| earlier.exists()),
            in_memory: InMemory::All(Keep::OneBefore),
            ..Setup::on_loopback(&snapshots, &credentials, own, self.listen)
        };
        let ended = run(setup, Host::new()?, |address| {
            let link = format!("http://{address}/explore#code={code}&to=/report");
            print(&link, folder, self.suppressions.as_deref())?;
            if !self.no_browser {
                start_browser(&folder.write_page(&link)?);
            }
            Ok(())
        });
        folder.remove_page();
        ended
    }
}

/// Imports `plan`, prints what became of the rows, builds the snapshot, and makes a token of the member at `me` among the
/// holders, which ends with the session that it is for.
fn prepare(
    import: &ImportCommand,
    plan: ImportPlan,
    me: usize,
    folder: &OpenFolder,
) -> Result<Ready, Box<dyn Error>> {
    let imported = import.import(plan)?;
    if !imported.is_empty() {
        folder.make()?;
    }
    match import.finish(&imported) {
        Err(error) if error.is::<FilesFailed>() && !imported.is_empty() => {
            let said = error.to_string().replace('\n', "\nkith: ");
            stderr::write(format!("kith: {said}\n").as_bytes());
        }
        ended => ended?,
    }
    let page = PageImport::new(
        imported.organization_id().to_owned(),
        page_report(&imported)?,
        import.overrides.clone().unwrap_or_else(|| folder.answers()),
        folder.tables(),
    );
    let user = imported.user_ids[me].clone();
    drop(imported);
    build(import, folder)?;
    let store = say_revoked_again(CredentialStore::open(&folder.credentials())?);
    let ttl =
        Ttl::from_seconds(LINK_LIFETIME.as_secs() + SESSION_SECONDS_DEFAULT).ok_or("no such life time")?;
    let now = clock::wall_time();
    let issued = store.create_token(&page.organization_id, &user, Scopes::ALL, ttl, now)?;
    folder.close()?;
    Ok(Ready { credential: issued.secret, import: page, user })
}

/// Builds the snapshot of the tables, and keeps the one before it if that was another network.
fn build(import: &ImportCommand, folder: &OpenFolder) -> Result<(), Box<dyn Error>> {
    let snapshot = folder.snapshot();
    drafts::sweep_beside(&snapshot);
    let meter = Meter::start(progress::BUILD, ProgressArgs::default());
    let dataset = read_folder(&folder.tables(), &meter)?.dataset;
    meter.stage("writing");
    let fault = |error: &dyn Error| format!("{}: {error}", snapshot.display());
    let before = Before::keep(&snapshot, &folder.earlier()).map_err(|error| fault(&error))?;
    pair::write(&snapshot, &dataset).map_err(|error| fault(&error))?;
    before.settle(&snapshot).map_err(|error| fault(&error))?;
    before::forget(&folder.earlier(), import.suppressions.as_deref())
}

/// The report of the import for the page, with a bounded number of rows and likely doubles.
fn page_report(imported: &Imported) -> io::Result<PageReport> {
    let (mut report, mut doubles) = (Vec::new(), Vec::new());
    imported.write_report_up_to(PAGE_REPORT_ENTRIES_MAX, &mut report)?;
    imported.write_doubles_up_to(PAGE_REPORT_ENTRIES_MAX, &mut doubles)?;
    Ok(PageReport { report: report.into(), doubles: doubles.into() })
}

fn print(link: &str, folder: &OpenFolder, suppressions: Option<&Path>) -> io::Result<()> {
    let minutes = LINK_LIFETIME.as_secs() / 60;
    let mut serve = format!(
        "kith serve --snapshots {} --credentials {} --watch-seconds 10 --session-days 30",
        quoted(&folder.snapshots()),
        quoted(&folder.credentials())
    );
    if let Some(list) = suppressions {
        serve.push_str(&format!(" --suppressions {}", quoted(list)));
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "\nSee who can introduce you; this link works once, in the next {minutes} minutes:\n\n  {link}\n"
    )?;
    writeln!(out, "Everything made for this lies in {}, for you alone.", folder.path().display())?;
    writeln!(
        out,
        "For your colleagues, in a window that stays open, and then in another one:\n\n  {serve}\n\n  \
         kith tokens links --snapshot {} --credentials {} --public-url http://127.0.0.1:8080\n",
        quoted(&folder.snapshot()),
        quoted(&folder.credentials())
    )?;
    writeln!(
        out,
        "The second prints a link for each, which logs them in once. Name the https address by which they reach the\n\
         server in the place of http://127.0.0.1:8080, which is this machine alone.\n"
    )?;
    writeln!(out, "Ctrl-C ends it.")?;
    out.flush()
}

/// `path` as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "/._-+,=@%:".contains(one);
    if text.chars().all(is_plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// An address of this machine alone.
fn parse_loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text.parse().map_err(|_| "expected an address and a port, 127.0.0.1:8080")?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    Err("not a loopback address; kith serve serves others, with keys of their own".to_owned())
}

#[cfg(test)]
mod tests;
