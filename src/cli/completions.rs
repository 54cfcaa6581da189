//! `kith completions`: completions of this command line for a shell.

use std::error::Error;
use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith completions bash > /usr/share/bash-completion/completions/kith
  kith completions zsh > ~/.zfunc/_kith
  kith completions fish > ~/.config/fish/completions/kith.fish")]
pub struct CompletionsCommand {
    /// The shell
    shell: Shell,
}

impl CompletionsCommand {
    /// Prints the completions of `program` on stdout.
    ///
    /// # Errors
    /// Returns an error if stdout cannot be written.
    pub fn run(self, mut program: clap::Command) -> Result<(), Box<dyn Error>> {
        // Generated as a whole first: the generator panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "kith", &mut script);
        Ok(io::stdout().lock().write_all(&script)?)
    }
}
