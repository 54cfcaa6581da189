//! A shell in its own home folder, with the program, the demo's server and the earlier output of commands.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::program::Server;

/// The home of the reader, as documents show it.
const HOME: &str = "/home/ana";
/// The address of the server in documents.
const ADDRESS: &str = "127.0.0.1:8080";

pub(crate) struct Session {
    folder: TempDir,
    api: SocketAddr,
    key: String,
    /// The id of the last key that was listed.
    key_id: Option<String>,
    /// The generation before the one in service.
    since: Option<String>,
    servers: Vec<Server>,
}

/// The key of Fernhollow Robotics, which the demo prints.
pub(crate) fn fernhollow_key(demo: &mut Server) -> String {
    demo.wait_for_output(|line| line.starts_with("Fernhollow Robotics"));
    let line = demo.wait_for_output(|line| line.starts_with("key "));
    line.split_whitespace().nth(1).unwrap().to_owned()
}

impl Session {
    pub(crate) fn new(api: SocketAddr, key: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bin", "home/work/snapshots", "home/Downloads", "tmp"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_kith"), folder.path().join("bin/kith")).unwrap();
        Self { folder, api, key: key.to_owned(), key_id: None, since: None, servers: Vec::new() }
    }

    /// Asks `server` from now on, with `key`; the generation before its own is `since`.
    pub(crate) fn ask(&mut self, server: SocketAddr, key: &str, since: &str) {
        (self.api, self.key, self.since) = (server, key.to_owned(), Some(since.to_owned()));
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// A file or folder where commands run.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        match name.strip_prefix("~/") {
            Some(name) => self.home().join(name),
            None => self.home().join("work").join(name),
        }
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Runs a command as it is shown. Returns what it printed on stdout, with the addresses and folders of documents.
    ///
    /// # Errors
    /// Returns an error if it fails, or a server refuses.
    pub(crate) fn run(&mut self, shown: &str) -> Result<String, String> {
        let command = self.completed(shown)?;
        if is_server(&command) {
            return Ok(self.start(&command));
        }
        let Output { status, stdout, stderr } = self.shell(&command).output().unwrap();
        let (out, err) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
        if !status.success() {
            return Err(format!("{command}\nended with {status}:\n{out}{err}"));
        }
        if command.starts_with("curl ") && (out.is_empty() || out.starts_with("{\"error\"")) {
            return Err(format!("{command}\nwas answered:\n{out}{err}"));
        }
        let mut ids = out.split_whitespace().filter(|word| word.starts_with("key_"));
        self.key_id = ids.next_back().map(str::to_owned).or(self.key_id.take());
        Ok(self.as_shown(&out, self.api))
    }

    pub(crate) fn stop_servers(&mut self) {
        self.servers.clear();
    }

    /// `shown` with what documents leave out.
    fn completed(&self, shown: &str) -> Result<String, String> {
        let id = self.key_id.as_deref().unwrap_or("key_…");
        let command = shown.replace("cargo run --release -- ", "kith ").replace("service_sk_…", &self.key);
        let since = self.since.as_deref().unwrap_or("…");
        let command = command.replace("key_…", id).replace("since=…", &format!("since={since}"));
        let command = command.replace(ADDRESS, &self.api.to_string());
        if command.contains('…') {
            Err(format!("{command}: what does … stand for?"))
        } else {
            Ok(command)
        }
    }

    fn shell(&self, command: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("sh");
        shell.args(["-ec", command]).env_clear().stdin(Stdio::null()).current_dir(self.path(""));
        shell.env("PATH", format!("{}:{path}", self.folder.path().join("bin").display()));
        shell.env("HOME", self.home()).env("TMPDIR", self.folder.path().join("tmp"));
        shell.env("KITH_LISTEN", "127.0.0.1:0").env("KITH_ADMIN_LISTEN", "127.0.0.1:0");
        shell
    }

    /// Starts a program that runs until it is stopped, and waits until it has begun.
    fn start(&mut self, command: &str) -> String {
        let mut shell = self.shell(&format!("exec {command}"));
        let mut server = if command.contains(" --watch ") {
            let mut server = Server::start_unheard(&mut shell);
            server.wait_for_output(|line| line.starts_with("imported "));
            server
        } else {
            Server::start(&mut shell)
        };
        let is_last = |line: &str| line.starts_with("Ctrl-C ends it") || line.starts_with("More: ");
        if !command.starts_with("kith serve") && !command.contains(" --watch ") {
            server.wait_for_output(is_last);
        }
        let printed = server.printed().iter().map(|line| format!("{line}\n")).collect::<String>();
        let printed = self.as_shown(&printed, server.api);
        self.servers.push(server);
        printed
    }

    fn as_shown(&self, printed: &str, address: SocketAddr) -> String {
        let home = self.home();
        printed.replace(&*home.to_string_lossy(), HOME).replace(&address.to_string(), ADDRESS)
    }
}

/// Whether the command runs until it is stopped.
fn is_server(command: &str) -> bool {
    ["kith serve ", "kith demo", "kith open "].iter().any(|start| command.starts_with(start))
        || command.contains(" --watch ")
}

/// Copies a folder or file with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap().success(), "{from:?}");
}
