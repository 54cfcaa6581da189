//! `kith demo`: serves two made-up organizations, with keys and curl lines to paste.

use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use clap::Args;

use crate::auth::scope::Scopes;
use crate::auth::store::CredentialStore;
use crate::auth::ttl::Ttl;
use crate::cli::addresses::listening;
use crate::cli::environment;
use crate::cli::listing::grouped;
use crate::cli::logs;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::mcp::settings::McpSettings;
use crate::model::dataset::Role;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::query::handle::percent_encode;
use crate::query::page::Page;
use crate::query::paths::answer::PathAnswer;
use crate::query::paths::find;
use crate::query::paths::request::{PathRequest, PathType, TargetQuery};
use crate::relational::pair;
use crate::service::host::Host;
use crate::service::run::run;
use crate::service::setup::Setup;
use kith::limits::{Limits, PAGE_LIMIT_MAX};
use kith_generate::demo::demo_plans;
use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;

/// Serve two made-up organizations, with keys and curl lines to paste.
#[derive(Debug, Args)]
pub struct DemoCommand {
    /// The address of the API; port 0 picks a free one. Without it 127.0.0.1:8080, or a free port if that one is taken
    #[arg(long, value_name = "ADDR", value_parser = listening)]
    listen: Option<SocketAddr>,
    /// Print every example: all types of path, the caller's own, and how to add it to an assistant
    #[arg(long, short)]
    verbose: bool,
}

/// Examples per organization without `--verbose`: as many as fit a screen.
const BRIEF: [usize; 2] = [2, 1];

impl DemoCommand {
    /// Serves until SIGTERM or SIGINT, then removes everything it made.
    ///
    /// # Errors
    /// Returns an error if the address is taken, or a temporary folder cannot be written.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let _logs = logs::start_text(environment::lossy(logs::VARIABLE).as_deref())?;
        // Before any file exists, so that no signal leaves one behind.
        let host = Host::new()?;
        let folder = tempfile::Builder::new().prefix("kith-demo-").tempdir()?;
        let (snapshots, credentials) =
            (folder.path().join("snapshots"), folder.path().join("credentials.db"));
        std::fs::create_dir(&snapshots)?;
        let store = CredentialStore::open(&credentials)?;
        let mut shows = Vec::new();
        for plan in demo_plans() {
            let index = build(&plan, folder.path(), &snapshots)?;
            shows.push(Show::new(&index, &store)?);
        }
        let setup = Setup {
            mcp: Some(McpSettings::default()),
            takes_links: true,
            ..Setup::on_loopback(&snapshots, &credentials, Setup::ADDRESS, self.listen)
        };
        let served = run(setup, host, |address| {
            let is_elsewhere = self.listen.is_none() && address != Setup::ADDRESS;
            Ok(print(&shows, address, is_elsewhere, self.verbose)?)
        });
        // Windows removes no file that is open.
        drop(store);
        let removed = folder.close();
        served?;
        Ok(removed?)
    }
}

/// Makes the tables of `plan`, their snapshot and its store, like `generate` and `build`.
fn build(plan: &Plan, folder: &Path, snapshots: &Path) -> Result<GraphIndex, Box<dyn Error>> {
    let tables = folder.join(&plan.organization_id);
    std::fs::create_dir(&tables)?;
    write_tables(plan, &tables)?;
    let dataset = read_folder(&tables, &Silent)?.dataset;
    pair::write(&snapshots.join(format!("{}.kith", plan.organization_id)), &dataset)?;
    std::fs::remove_dir_all(&tables)?;
    Ok(GraphIndex::build(dataset))
}

/// The lines printed for one organization.
#[derive(Debug)]
struct Show {
    title: String,
    key: String,
    token: String,
    /// The address of the page, below the server's.
    page: String,
    examples: Vec<Example>,
}

/// A request to try.
#[derive(Debug)]
struct Example {
    /// The question it answers.
    question: String,
    /// A short form of the answer; `None` if there is none.
    answer: Option<String>,
    /// Its path and query.
    request: String,
    /// Whether it needs the token: a key has no contacts of its own.
    needs_token: bool,
    /// Whether it is printed without `--verbose`.
    is_first: bool,
}

impl Show {
    fn new(index: &GraphIndex, store: &CredentialStore) -> Result<Self, Box<dyn Error>> {
        let organization = &index.data.organization;
        let now = clock::wall_time();
        let key = store.create_key(&organization.id, "demo", now)?;
        let member = first_admin(index);
        let user = index.data.members.user_ids.get(member.0);
        let ttl: Ttl = "1d".parse()?;
        let token = store.create_token(&organization.id, user, Scopes::READ, ttl, now)?;
        let token = token.secret.reveal().to_owned();
        Ok(Self {
            title: format!(
                "{} ({}): {} people, {} edges, {} members",
                organization.name,
                organization.id,
                grouped(index.data.people.len() as u64),
                grouped(index.data.edges.out.ends.len() as u64),
                index.data.members.len(),
            ),
            key: key.secret.reveal().to_owned(),
            page: page_of(index, &token),
            token,
            examples: examples(index),
        })
    }
}

/// The address that logs in to the page with the made-up `token`, and shows a person reached by paths of all types.
/// Browsers never send the part after the `#`.
fn page_of(index: &GraphIndex, token: &str) -> String {
    let shown =
        showcase_person(index).map(|person| format!("/paths/{}", index.data.people.ids.get(person.0)));
    format!("/explore#key={token}&to={}", shown.as_deref().unwrap_or("/"))
}

fn first_admin(index: &GraphIndex) -> MemberIx {
    let admin = index.data.members.roles.iter().position(|&role| role == Role::Admin);
    MemberIx(admin.unwrap_or(0) as u32)
}

fn examples(index: &GraphIndex) -> Vec<Example> {
    let base = "/api/v1/search/warm-paths";
    let mut examples = Vec::new();
    let example = |question: String, target: &str, options: &str| Example {
        question,
        answer: None,
        request: format!("{base}?{target}{options}"),
        needs_token: false,
        is_first: false,
    };
    let mut person_target = String::new();
    if let Some(person) = showcase_person(index) {
        let handle = index.data.people.handles.get(person.0);
        person_target = format!("prospectLinkedinId={}", percent_encode(handle));
        let question = format!("who can introduce us to {}?", index.data.people.names.get(person.0));
        let answer = in_brief(index, &ask(index, TargetQuery::Handle(handle)));
        examples.push(Example { answer, is_first: true, ..example(question, &person_target, "") });
        for kind in PathType::ALL {
            let options = format!("&connectionTypes={}&limit=1", kind.name());
            examples.push(example(format!("the warmest {} path", kind.name()), &person_target, &options));
        }
    }
    if let Some(company) = showcase_company(index) {
        let name = index.data.companies.names.get(company.0);
        let question = format!("who can introduce us to anyone at {name}?");
        let target = format!("prospectCompany={}", percent_encode(name));
        examples.push(Example { is_first: true, ..example(question, &target, "&limit=5") });
    }
    let own =
        example("whom can I ask myself? (with the token)".to_owned(), &person_target, "&scope=me&limit=5");
    examples.push(Example { needs_token: true, ..own });
    examples
}

/// The number of paths, and who asks whom on the first one; `None` without a path.
fn in_brief(index: &GraphIndex, answer: &PathAnswer) -> Option<String> {
    let first = answer.paths.first()?;
    let name = |person: PersonIx| index.data.people.names.get(person.0);
    let by = match first.kind {
        PathType::Direct => "directly".to_owned(),
        _ => format!("through {}", name(first.connector)),
    };
    let member = name(index.data.members.person(first.member));
    Some(format!("{} paths; the first: {member} {by}, warmness {}", answer.total, first.warmness))
}

fn ask(index: &GraphIndex, target: TargetQuery<'_>) -> PathAnswer {
    let page = Page { limit: PAGE_LIMIT_MAX, offset: 0 };
    find(index, &PathRequest::to(target, page), &Limits::DEFAULT)
}

fn shows_all_types(answer: &PathAnswer) -> bool {
    PathType::ALL.iter().all(|kind| answer.paths.iter().any(|path| path.kind == *kind))
}

/// A person whose first page has paths of all four types: the one with the fewest paths, preferably with a name that
/// every terminal shows.
fn showcase_person(index: &GraphIndex) -> Option<PersonIx> {
    let people = (0..index.data.people.len() as u32).map(PersonIx);
    let with_handle = people.filter(|person| index.data.people.handles.value(person.0).is_some());
    with_handle
        .map(|person| (ask(index, TargetQuery::Handle(index.data.people.handles.get(person.0))), person))
        .filter(|(answer, _)| shows_all_types(answer))
        .min_by_key(|&(ref answer, person)| {
            (!index.data.people.names.get(person.0).is_ascii(), answer.total, person)
        })
        .map(|(_, person)| person)
}

/// The company with the most employees that is found by its name.
fn showcase_company(index: &GraphIndex) -> Option<CompanyIx> {
    let companies = (0..index.data.companies.ids.len() as u32).map(CompanyIx);
    companies
        .filter(|&company| Some(company) != index.data.organization.company)
        .max_by_key(|&company| (index.employee_count(company), std::cmp::Reverse(company)))
}

fn print(shows: &[Show], address: SocketAddr, is_elsewhere: bool, is_verbose: bool) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    // In PowerShell `curl` is another command, and in cmd single quotes are none.
    let (curl, quote) = if cfg!(windows) { ("curl.exe", '"') } else { ("curl", '\'') };
    writeln!(out, "Two made-up organizations at http://{address}, until you press Ctrl-C.")?;
    if is_elsewhere {
        writeln!(out, "Port {} is taken by another program: this is a free one.", Setup::ADDRESS.port())?;
    }
    for (show, brief) in shows.iter().zip(BRIEF) {
        let shown = if is_verbose { show.examples.len() } else { brief };
        writeln!(out, "\n{}\npage   http://{address}{}", show.title, show.page)?;
        writeln!(out, "key    {}\ntoken  {}", show.key, show.token)?;
        for example in show.examples.iter().filter(|example| is_verbose || example.is_first).take(shown) {
            let credential = if example.needs_token { &show.token } else { &show.key };
            writeln!(out, "\n# {}", example.question)?;
            if let Some(answer) = &example.answer {
                writeln!(out, "# {answer}")?;
            }
            let request = &example.request;
            let header = format!("{quote}Authorization: Bearer {credential}{quote}");
            writeln!(out, "{curl} -s -H {header} {quote}http://{address}{request}{quote}")?;
        }
        if is_verbose {
            writeln!(out, "\n# add it to an assistant (docs/mcp.md)")?;
            let header = format!("{quote}Authorization: Bearer {}{quote}", show.token);
            writeln!(out, "claude mcp add --transport http kith http://{address}/mcp --header {header}")?;
        }
    }
    if !is_verbose {
        writeln!(out, "\nMore: kith demo --verbose, http://{address}/docs")?;
    }
    out.flush()
}
