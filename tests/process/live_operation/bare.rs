//! The servers of the controls: hyper alone, each in its own process, so that its memory and files are separate from
//! the tests'.

use std::convert::Infallible;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};

use axum::body::Body;
use axum::http::{Request, Response};
use http_body_util::BodyExt;
use hyper_util::rt::TokioIo;

/// The reaction of such a server if it cannot accept a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unaccepted {
    /// It tries again at once.
    Spins,
    /// It has stopped accepting.
    Ends,
}

/// Answers by hyper alone, as connections were served before: its buffers stay for as long as they are open, and
/// nothing bounds what bodies hold together.
fn serve(unaccepted: Unaccepted) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("address {}", listener.local_addr().unwrap());
        loop {
            let stream = match (listener.accept().await, unaccepted) {
                (Ok((stream, _)), _) => stream,
                (Err(_), Unaccepted::Spins) => continue,
                (Err(_), Unaccepted::Ends) => break,
            };
            let service = hyper::service::service_fn(async |request: Request<hyper::body::Incoming>| {
                let body = request.into_body().collect().await;
                let page = body.map_or_else(|_| Body::empty(), |_| Body::from(vec![b'x'; 20_000]));
                Ok::<_, Infallible>(Response::new(page))
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .max_header_size(32 << 10)
                .max_buf_size(64 << 10)
                .serve_connection(TokioIo::new(stream), service);
            tokio::spawn(async move { drop(connection.await) });
        }
        drop(listener);
        std::future::pending::<()>().await;
    });
}

#[test]
#[ignore = "a server of a control: run by it, and never ends"]
fn spins() {
    serve(Unaccepted::Spins);
}

#[test]
#[ignore = "a server of a control: run by it, and never ends"]
fn ends() {
    serve(Unaccepted::Ends);
}

/// A process that runs such a server; killed when it is dropped.
pub(crate) struct HyperAlone {
    child: Child,
    pub(crate) address: SocketAddr,
    /// Open for as long as the process may write to it.
    _out: BufReader<ChildStdout>,
}

impl HyperAlone {
    /// Starts a server with this limit of open files.
    pub(crate) fn start(unaccepted: Unaccepted, files: Option<u32>) -> Self {
        let name = match unaccepted {
            Unaccepted::Spins => "live_operation::bare::spins",
            Unaccepted::Ends => "live_operation::bare::ends",
        };
        let limit = files.map_or_else(String::new, |files| format!("ulimit -n {files} && "));
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{limit}exec \"$0\" \"$@\"")]).arg(std::env::current_exe().unwrap());
        command.args(["--exact", name, "--ignored", "--nocapture"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let address = loop {
            let mut line = String::new();
            assert!(out.read_line(&mut line).unwrap() > 0, "it ends before it listens");
            if let Some((_, address)) = line.trim_end().split_once("address ") {
                break address.parse().unwrap();
            }
        };
        Self { child, address, _out: out }
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for HyperAlone {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
