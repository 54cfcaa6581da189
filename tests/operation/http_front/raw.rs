//! A server on loopback, and raw bytes to and from it.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kith::limits::Limits;
use kith::server::connection::Answering;
use kith::server::guard::Deadlines;
use kith::server::listen::serve;
use kith::server::tls::Tls;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::support::{Credentials, Served, project};

/// No answer takes longer, or the server hangs.
pub(crate) const WAIT: Duration = Duration::from_secs(20);

/// Deadlines that a test can wait for.
pub(crate) const SHORT: Deadlines = Deadlines {
    head: Duration::from_millis(600),
    idle: Duration::from_millis(900),
    answer: Duration::from_millis(600),
    linger: Duration::from_millis(300),
};

/// A server that stops when it is dropped.
pub(crate) struct Front {
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
    pub(crate) served: Served,
    stop: Option<oneshot::Sender<()>>,
    stopped: Option<std::thread::JoinHandle<()>>,
    _credentials: Credentials,
}

impl Front {
    pub(crate) fn start(deadlines: Deadlines, connections: usize) -> Self {
        Self::start_with(deadlines, connections, None)
    }

    pub(crate) fn start_with(deadlines: Deadlines, connections: usize, tls: Option<Arc<Tls>>) -> Self {
        let credentials = Credentials::new();
        let key = credentials.key("org_tiny");
        let served = Served::folders(&[&project("fixtures/tiny")], &credentials, Limits::DEFAULT);
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let metrics = Arc::clone(&served.state.metrics);
        let answering = Answering { router: served.router.clone(), metrics, deadlines, tls };
        let (stop, told) = oneshot::channel::<()>();
        let stopped = std::thread::spawn(move || {
            runtime.block_on(serve(listener, answering, connections, async { drop(told.await) }));
            runtime.shutdown_background();
        });
        Self { address, key, served, stop: Some(stop), stopped: Some(stopped), _credentials: credentials }
    }

    /// Tells the server to stop, and waits until it has.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(stopped) = self.stopped.take() {
            stopped.join().unwrap();
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(WAIT)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// Sends `bytes`, says that nothing more follows, and reads until the server ends the connection.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        read_to_end(&mut stream)
    }

    /// A whole request for a person's page.
    pub(crate) fn request(&self, more: &str) -> String {
        let key = &self.key;
        format!(
            "GET /api/v1/people/person_ana HTTP/1.1\r\nHost: kith\r\nAuthorization: Bearer {key}\r\n{more}\r\n"
        )
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What comes until the server ends the connection, which it must.
pub(crate) fn read_to_end(stream: &mut TcpStream) -> Vec<u8> {
    let (mut all, mut part) = (Vec::new(), [0; 4096]);
    let began = Instant::now();
    loop {
        match stream.read(&mut part) {
            Ok(0) => return all,
            Ok(length) => all.extend_from_slice(&part[..length]),
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) => {
                return all;
            }
            Err(error) => panic!("{error} after {:?}: {}", began.elapsed(), String::from_utf8_lossy(&all)),
        }
    }
}

/// One answer taken from bytes.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// All answers in `bytes`, which must be whole and in shape, every one of them.
pub(crate) fn answers(mut bytes: &[u8]) -> Vec<Taken> {
    let mut taken = Vec::new();
    while !bytes.is_empty() {
        if let Some(rest) = bytes.strip_prefix(b"HTTP/1.1 100 Continue\r\n\r\n") {
            bytes = rest;
            continue;
        }
        let text = String::from_utf8_lossy(bytes).into_owned();
        let end = text.find("\r\n\r\n").unwrap_or_else(|| panic!("half a head: {text:?}")) + 4;
        let head = text[..end].to_ascii_lowercase();
        let field = |name: &str| {
            let line =
                head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned));
            line.unwrap_or_else(|| panic!("no {name}: {head}"))
        };
        let status: u16 = head[9..12].parse().unwrap();
        let length: usize = field("content-length").parse().unwrap();
        assert!(field("service-request-id").starts_with("req_"), "{head}");
        assert_eq!(field("cache-control"), "no-store", "{head}");
        assert!(field("date").ends_with(" gmt"), "{head}");
        let body = text.get(end..end + length).unwrap_or_else(|| panic!("half a body: {text:?}")).to_owned();
        if status >= 400 {
            let told: serde_json::Value = serde_json::from_str(&body).unwrap();
            assert!(told["error"].is_string() && told["code"].is_string(), "{body}");
            assert_eq!(field("content-type"), "application/json", "{head}");
        }
        taken.push(Taken { status, head, body });
        bytes = &bytes[end + length..];
    }
    taken
}
