//! The commands, one file each. Results go to stdout, logs and errors to stderr.

mod addresses;
pub mod ask;
mod batch;
pub mod bench;
mod browser;
pub mod build;
pub mod completions;
pub mod config;
pub mod demo;
pub mod diff;
mod digest;
mod doubles;
mod drafts;
mod environment;
pub mod exports;
pub mod find;
pub mod generate;
pub mod health;
pub mod import;
pub mod inspect;
pub mod keys;
mod credentials;
mod links;
mod listing;
pub mod manual;
pub mod logs;
pub mod mcp;
mod observing;
pub mod open;
mod opened;
pub mod path;
mod person;
pub mod place;
pub mod plan;
pub mod progress;
#[cfg(feature = "store")]
pub mod pull;
#[cfg(feature = "store")]
pub mod push;
mod quiet;
pub mod score;
pub mod serve;
pub mod suppress;
mod table;
mod targets;
pub mod tokens;
pub mod verify;
mod version;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::limits::LOG_STOP_DEADLINE;
use crate::outbound::authorities;
use crate::stderr;

/// The variable that names a file of further certificate authorities.
const AUTHORITIES_VARIABLE: &str = "SSL_CERT_FILE";

/// Who can introduce us? Warm paths through an organization's network, from memory.
#[derive(Debug, Parser)]
#[command(
    name = "kith",
    version = version::short(),
    propagate_version = true,
    about,
    arg_required_else_help = true,
    after_help = "Examples:
  kith demo                        # two made-up organizations, to try it
  kith import --org Acme --me 'Ana Ruiz' --tables tables Connections.csv
  kith build tables --out snapshots/acme.kith
  kith serve --snapshots snapshots --credentials credentials.db
  kith path snapshots/acme.kith 'Deepa Reddy'

Exit codes: 0 on success, 2 for a wrong command line, 1 for anything else.
KITH_LOG sets the level of the log: error, warn, info, debug, trace."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve two made-up organizations, with curl lines to paste
    Demo(demo::DemoCommand),
    /// Make source tables of the exports that members have
    Import(import::ImportCommand),
    /// Import exports, and open the page on them in the browser
    Open(open::OpenCommand),
    /// Build a snapshot from a folder of source tables
    Build(build::BuildCommand),
    /// Show what a snapshot holds
    Inspect(inspect::InspectCommand),
    /// Read every byte of a snapshot, and check all that can be checked
    Verify(verify::VerifyCommand),
    /// Serve a folder of snapshots
    Serve(serve::ServeCommand),
    /// Place organizations in cells, and write the proxy's map
    Place(place::PlaceCommand),
    /// Push snapshots to an object store, and put them in force in a cell
    #[cfg(feature = "store")]
    Push(push::PushCommand),
    /// Pull a cell's snapshots from an object store into the folder that a server serves
    #[cfg(feature = "store")]
    Pull(pull::PullCommand),
    /// Say who can introduce us, from a snapshot and without a server
    Path(path::PathCommand),
    /// Find people by a sentence in plain words, from a snapshot
    Find(find::FindCommand),
    /// Say what changed from one snapshot to a later one
    Diff(diff::DiffCommand),
    /// Say whom to ask now for each target of a list, so that nobody is asked too often
    Plan(plan::PlanCommand),
    /// Say what is new since the snapshot before, as a text, a mail or JSON
    Digest(digest::DigestCommand),
    /// Write the best introduction for each target of a list, as a CRM loads it
    Batch(batch::BatchCommand),
    /// Say which strong ties went quiet, the warmest first
    Quiet(quiet::QuietCommand),
    /// Measure how long questions take, and what each bound costs
    Bench(bench::BenchCommand),
    /// Note whom you asked for introductions, and what came of it
    #[command(subcommand)]
    Ask(ask::AskCommand),
    /// Let colleagues bring their own exports, over a link for each
    #[command(subcommand)]
    Exports(exports::ExportsCommand),
    /// Answer an assistant on this machine, over stdin and stdout (MCP)
    Mcp(mcp::McpCommand),
    /// Say how warm one edge of source tables is, and why
    Score(score::ScoreCommand),
    /// List who may be one person and was not joined by an import
    Doubles(doubles::DoublesCommand),
    /// Write everything that is held about one person, for them
    Person(person::PersonCommand),
    /// Ask a server whether it is ready, for the probes of containers
    Health(health::HealthCommand),
    /// Make, list and revoke organization keys
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Make, list and revoke user tokens
    #[command(subcommand)]
    Tokens(tokens::TokensCommand),
    /// Make, change, show and check the list of people to forget
    #[command(subcommand)]
    Suppress(suppress::SuppressCommand),
    /// Write source tables of a made-up organization of any size
    Generate(generate::GenerateCommand),
    /// Print completions for a shell
    Completions(completions::CompletionsCommand),
    /// Write manual pages into a folder
    Manual(manual::ManualCommand),
}

/// The command line, with its long version only on request: it needs the hash of the embedding model.
fn program() -> clap::Command {
    let command = Cli::command();
    if environment::is_argument("--version") { command.long_version(version::long()) } else { command }
}

/// Parses the command line; ends the program with its help, its version, or a usage error.
fn parsed() -> Cli {
    let read = Cli::from_arg_matches(&program().get_matches());
    read.unwrap_or_else(|error| error.format(&mut program()).exit())
}

/// Runs the command line. Exit code 0 on success, 2 for a usage error, 1 for any other failure.
#[must_use]
pub fn run() -> ExitCode {
    let command = parsed().command;
    trust_own_authorities();
    let outcome = match command {
        Command::Demo(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Open(command) => command.run(),
        Command::Build(command) => command.run(),
        Command::Inspect(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Place(command) => command.run(),
        #[cfg(feature = "store")]
        Command::Push(command) => command.run(),
        #[cfg(feature = "store")]
        Command::Pull(command) => command.run(),
        Command::Path(command) => command.run(),
        Command::Find(command) => command.run(),
        Command::Diff(command) => command.run(),
        Command::Plan(command) => command.run(),
        Command::Batch(command) => command.run(),
        Command::Digest(command) => command.run(),
        Command::Quiet(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Ask(command) => command.run(),
        Command::Exports(command) => command.run(),
        Command::Mcp(command) => command.run(),
        Command::Score(command) => command.run(),
        Command::Doubles(command) => command.run(),
        Command::Person(command) => command.run(),
        Command::Health(command) => command.run(),
        Command::Keys(command) => command.run(),
        Command::Tokens(command) => command.run(),
        Command::Suppress(command) => command.run(),
        Command::Generate(command) => command.run(),
        Command::Completions(command) => command.run(program()),
        Command::Manual(command) => command.run(program()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_output(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr::write(sentence(&error.to_string(), environment::shows_colour()).as_bytes());
            stderr::flush(LOG_STOP_DEADLINE);
            exit_code_of(error.as_ref())
        }
    }
}

/// Trusts the authorities in the file named by `SSL_CERT_FILE`, as other programs do; warns if they cannot be read.
fn trust_own_authorities() {
    let file = environment::lossy(AUTHORITIES_VARIABLE).filter(|file| !file.is_empty());
    if let Some(Err(error)) = file.map(|file| authorities::trust(Path::new(&file))) {
        let said = format!("{AUTHORITIES_VARIABLE} is left out of account: {error}");
        stderr::write(sentence(&said, environment::shows_colour()).as_bytes());
    }
}

/// `said` for stderr: without terminal control sequences, each line after the program's name, in bold on a terminal.
fn sentence(said: &str, is_bold: bool) -> String {
    let name = if is_bold { "\u{1b}[1mkith:\u{1b}[0m " } else { "kith: " };
    said.lines().fold(String::new(), |text, line| text + name + &table::escaped(line) + "\n")
}

/// 2 for an impossible command line or manifest, 1 for any other failure.
fn exit_code_of(error: &(dyn Error + 'static)) -> ExitCode {
    let is_usage = error.is::<import::ImportUsageError>()
        || error.is::<open::usage::OpenUsageError>()
        || error.is::<suppress::usage::SuppressUsageError>();
    if is_usage { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Whether our output was closed, as by `head`: that is not a failure.
fn is_closed_output(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests;
