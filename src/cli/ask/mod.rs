//! `kith ask`: who was asked for introductions, from a snapshot and a file of asks, without a server.

mod ask_file_arg;
mod book;
mod forget;
mod link;
mod observe;
mod report;
mod shown;
mod write;

use std::error::Error;
use std::path::PathBuf;

use clap::Subcommand;

use crate::ask_file::database;

/// Note whom you asked for introductions, and what came of it
#[derive(Debug, Subcommand)]
pub enum AskCommand {
    /// Make a file of asks
    Create {
        /// The file, which is not there yet
        #[arg(long, value_name = "FILE", env = "KITH_ASKS", hide_env_values = true)]
        asks: PathBuf,
    },
    /// Say that you asked for an introduction
    Add(write::AddCommand),
    /// Say what came of an ask: agreed, introduced, in_touch, met, declined, no_answer, withdrawn, reopened
    Outcome(write::OutcomeCommand),
    /// Say what the connector answered
    Answer(write::AnswerCommand),
    /// Say that you ask no longer
    Withdraw(write::NamedAsk),
    /// Take back what was said last of an ask
    Reopen(write::NamedAsk),
    /// List asks, the latest first
    List(book::ListCommand),
    /// Write all events, one a line
    Export(book::ExportCommand),
    /// Take people out of the file, to the last byte
    Forget(forget::ForgetCommand),
    /// Make the link by which a connector answers
    Link(link::LinkCommand),
    /// Take back what a person said over links: they may be asked again
    Allow(link::AllowCommand),
    /// Note introductions, replies and meetings that mail and calendars show
    Observe(observe::ObserveCommand),
    /// Count what came of asks
    Report(report::ReportCommand),
}

impl AskCommand {
    /// Runs the command and prints its result.
    ///
    /// # Errors
    /// Returns an error if a file cannot be used, or the rules do not allow the write.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Create { asks } => Ok(database::create(&asks)?),
            Self::Add(command) => command.run(),
            Self::Outcome(command) => command.run(),
            Self::Answer(command) => command.run(),
            Self::Withdraw(named) => named.run("withdrawn"),
            Self::Reopen(named) => named.run("reopened"),
            Self::List(command) => command.run(),
            Self::Export(command) => command.run(),
            Self::Forget(command) => command.run(),
            Self::Link(command) => command.run(),
            Self::Allow(command) => command.run(),
            Self::Observe(command) => command.run(),
            Self::Report(command) => command.run(),
        }
    }
}
