//! Running the program: commands that end by themselves, and servers that end on a signal.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Maximum wait for anything; only a failing test waits that long.
const WAIT: Duration = Duration::from_secs(60);

/// A folder or file of the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The program with arguments, and with nothing of this process's environment.
pub(crate) fn kith(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
    command.args(args).env_clear().stdin(Stdio::null());
    command
}

/// The end of a command, and its output.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program until it ends.
pub(crate) fn run(args: &[&str]) -> Ended {
    run_in(args, &[])
}

/// Like [`run`], with variables in its environment.
pub(crate) fn run_in(args: &[&str], environment: &[(&str, &str)]) -> Ended {
    let mut command = kith(args);
    command.envs(environment.iter().copied());
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(command.output()));
    let output = receiver.recv_timeout(WAIT).unwrap_or_else(|_| panic!("kith {args:?} does not end"));
    let Output { status, stdout, stderr } = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// Runs the program, which has to end well, and returns what it printed.
#[track_caller]
pub(crate) fn run_well(args: &[&str]) -> String {
    let ended = run(args);
    assert_eq!(ended.code, Some(0), "kith {args:?}: {}", ended.err);
    ended.out
}

/// Builds the snapshot `file` from the tiny tables, each text replaced by another one first.
pub(crate) fn build_tiny(file: &Path, replaced: &[(&str, &str)]) {
    let folder = tiny_tables(replaced);
    run_well(&["build", folder.path().to_str().unwrap(), "--out", file.to_str().unwrap()]);
}

/// The tiny tables in a folder of their own, each text replaced by another one.
pub(crate) fn tiny_tables(replaced: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(project("fixtures/tiny")).unwrap() {
        let path = entry.unwrap().path();
        let mut text = fs::read_to_string(&path).unwrap();
        for (old, new) in replaced {
            text = text.replace(old, new);
        }
        fs::write(folder.path().join(path.file_name().unwrap()), text).unwrap();
    }
    folder
}

/// A folder with snapshots and credentials to serve from.
pub(crate) struct Site {
    folder: TempDir,
}

impl Site {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("snapshots")).unwrap();
        Self { folder }
    }

    /// The path of the snapshot of this name, if it is there or not.
    pub(crate) fn snapshot(&self, name: &str) -> PathBuf {
        self.folder.path().join("snapshots").join(name)
    }

    pub(crate) fn snapshots(&self) -> String {
        self.folder.path().join("snapshots").to_str().unwrap().to_owned()
    }

    pub(crate) fn credentials(&self) -> String {
        self.file("credentials.db")
    }

    /// The path of the file of this name, if it is there or not, beside the snapshots' folder.
    pub(crate) fn file(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// A new key, made by the program.
    pub(crate) fn create_key(&self, organization: &str, name: &str) -> String {
        let args =
            ["keys", "create", "--credentials", &self.credentials(), "--org", organization, "--name", name];
        one_line(&run_well(&args))
    }

    /// A new token, made by the program.
    pub(crate) fn create_token(&self, organization: &str, user: &str) -> String {
        let args =
            ["tokens", "create", "--credentials", &self.credentials(), "--org", organization, "--user", user];
        one_line(&run_well(&args))
    }

    /// Serves the folder on free ports.
    pub(crate) fn serve(&self, log_level: &str) -> Server {
        self.serve_in(log_level, &[])
    }

    /// Like [`Self::serve`], with more arguments.
    pub(crate) fn serve_with(&self, log_level: &str, more: &[&str]) -> Server {
        let args = self.serve_args();
        let mut command = kith(&args.iter().map(String::as_str).collect::<Vec<_>>());
        Server::start(command.args(more).env("KITH_LOG", log_level))
    }

    /// Like [`Self::serve_with`], with the operator's listener at an address of its own.
    pub(crate) fn serve_at(&self, log_level: &str, admin: &str, more: &[&str]) -> Server {
        let mut args = self.serve_args();
        args.truncate(args.len() - 1);
        args.push(admin.to_owned());
        let mut command = kith(&args.iter().map(String::as_str).collect::<Vec<_>>());
        Server::start(command.args(more).env("KITH_LOG", log_level))
    }

    /// Like [`Self::serve`], with more in its environment.
    pub(crate) fn serve_in(&self, log_level: &str, environment: &[(&str, &str)]) -> Server {
        let args = self.serve_args();
        let mut command = kith(&args.iter().map(String::as_str).collect::<Vec<_>>());
        Server::start(command.envs(environment.iter().copied()).env("KITH_LOG", log_level))
    }

    /// Like [`Self::serve_in`], with this limit of open files.
    pub(crate) fn serve_with_files(
        &self,
        log_level: &str,
        files: u32,
        environment: &[(&str, &str)],
    ) -> Server {
        let script = format!("ulimit -n {files} && exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_kith")]).args(self.serve_args());
        command.env_clear().envs(environment.iter().copied()).env("KITH_LOG", log_level);
        Server::start(command.stdin(Stdio::null()))
    }

    /// The command line that serves the folder on free ports.
    pub(crate) fn serve_args(&self) -> Vec<String> {
        let (snapshots, credentials) = (self.snapshots(), self.credentials());
        let args = ["serve", "--snapshots", &snapshots, "--credentials", &credentials];
        let free = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        args.iter().chain(&free).map(|&arg| arg.to_owned()).collect()
    }
}

/// `kith demo` with `flags`, and with its temporary files in `folder`.
pub(crate) fn start_demo(folder: &Path, flags: &[&str]) -> Server {
    Server::start(kith(&["demo", "--listen", "127.0.0.1:0"]).args(flags).env("TMPDIR", folder))
}

/// `kith demo`, sent a signal as soon as it has made a file in `folder`; its exit code.
pub(crate) fn stop_demo_at_its_first_file(folder: &Path, signal: &str) -> Option<i32> {
    let mut command = kith(&["demo", "--listen", "127.0.0.1:0"]);
    let mut child =
        command.env("TMPDIR", folder).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut out = Lines::of(child.stdout.take().unwrap());
    let deadline = Instant::now() + WAIT;
    while fs::read_dir(folder).unwrap().next().is_none() {
        assert!(Instant::now() < deadline, "the demo makes no file");
        thread::sleep(Duration::from_millis(1));
    }
    send_signal(&child, signal);
    out.read_to_end();
    child.wait().unwrap().code()
}

/// Memory that a process has in use, in kilobytes, as Linux says it.
pub(crate) fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn send_signal(child: &Child, name: &str) {
    let command = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

fn one_line(printed: &str) -> String {
    let line = printed.strip_suffix('\n').unwrap();
    assert!(!line.is_empty() && !line.contains(['\n', ' ']), "a secret is printed alone: {line:?}");
    line.to_owned()
}

/// A running server. Killed when it is dropped; [`Self::stop`] ends it in order.
pub(crate) struct Server {
    child: Child,
    /// The addresses of the API and of the operator's listener.
    pub(crate) api: SocketAddr,
    pub(crate) admin: SocketAddr,
    out: Lines,
    err: Lines,
}

impl Server {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = Lines::of(child.stdout.take().unwrap());
        let mut err = Lines::of(child.stderr.take().unwrap());
        let mut address = |before: &str| {
            let line = err.wait_for(|line| line.starts_with(before));
            line[before.len()..].parse().unwrap()
        };
        let (api, admin) = (address("listening on http://"), address("admin on http://"));
        Self { child, api, admin, out, err }
    }

    /// Starts a program that runs on and listens nowhere.
    pub(crate) fn start_unheard(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = Lines::of(child.stdout.take().unwrap());
        let err = Lines::of(child.stderr.take().unwrap());
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        Self { child, api: nowhere, admin: nowhere, out, err }
    }

    /// The next line on stdout that is wanted.
    pub(crate) fn wait_for_output(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        self.out.wait_for(wanted)
    }

    /// The next line in the log that is wanted.
    pub(crate) fn wait_for_log(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        self.err.wait_for(wanted)
    }

    /// All lines on stdout that were waited for or passed over.
    pub(crate) fn printed(&self) -> &[String] {
        &self.out.seen
    }

    /// All lines of the log that were waited for or passed over.
    pub(crate) fn logged(&self) -> &[String] {
        &self.err.seen
    }

    /// Memory that the server has in use, in kilobytes.
    pub(crate) fn resident(&self) -> u64 {
        resident(self.child.id())
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        send_signal(&self.child, name);
    }

    /// Sends a signal that ends the server; its exit code, and everything it logged.
    pub(crate) fn stop(self, signal: &str) -> (Option<i32>, Vec<String>) {
        self.signal(signal);
        self.ended()
    }

    /// Waits for the end of a server that is ending; its exit code, and everything it logged.
    pub(crate) fn ended(mut self) -> (Option<i32>, Vec<String>) {
        // A process that closed its outputs is at its end.
        self.out.read_to_end();
        self.err.read_to_end();
        let code = self.child.wait().unwrap().code();
        (code, std::mem::take(&mut self.err.seen))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of an output as they come, and those that came.
struct Lines {
    incoming: Receiver<String>,
    seen: Vec<String>,
}

impl Lines {
    fn of(output: impl Read + Send + 'static) -> Self {
        let (sender, incoming) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.into_iter().all(|line| sender.send(line).is_ok())
        });
        Self { incoming, seen: Vec::new() }
    }

    fn wait_for(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + WAIT;
        loop {
            match self.incoming.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.seen.push(line.clone());
                    if wanted(&line) {
                        return line;
                    }
                }
                Err(error) => panic!("{error} before the line came; there were {:#?}", self.seen),
            }
        }
    }

    fn read_to_end(&mut self) {
        let deadline = Instant::now() + WAIT;
        loop {
            match self.incoming.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.seen.push(line),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end: {:#?}", self.seen),
            }
        }
    }
}
