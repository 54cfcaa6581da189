//! A server on loopback, and raw bytes to and from it.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener as Listening, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kith::limits::Limits;
use kith_server::limits::CONNECTIONS_BYTES_MAX;
use kith_server::server::budget::ByteBudget;
use kith_server::server::connection::Answering;
use kith_server::server::guard::Deadlines;
use kith_server::server::listen::{ConnectionBounds, serve};
use kith_server::server::peers::PeerBound;
use kith_server::server::tls::Tls;
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
        let budget = ByteBudget::new(CONNECTIONS_BYTES_MAX);
        let answering = Answering { router: served.router.clone(), metrics, deadlines, budget, tls };
        let bounds = ConnectionBounds { connections, peers: PeerBound::none() };
        let (stop, said) = oneshot::channel::<()>();
        let stopped = std::thread::spawn(move || {
            runtime.block_on(serve(listener, answering, bounds, async { drop(said.await) }));
            runtime.shutdown_background();
        });
        Self { address, key, served, stop: Some(stop), stopped: Some(stopped), _credentials: credentials }
    }

    /// Stops the server, and waits until it has stopped.
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

    /// Like [`exchange`], with this server.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        exchange(self.address, bytes)
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

/// Sends `bytes` to the server at `address`, says that nothing more follows, and reads until it ends the connection.
pub(crate) fn exchange(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    stream.set_nodelay(true).unwrap();
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    read_to_end(&mut stream)
}

/// A control: a server before the one at `behind` that closes every so manieth connection without an answer.
pub(crate) fn closing_silently(behind: SocketAddr, every: usize) -> SocketAddr {
    let listener = Listening::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for (number, caller) in listener.incoming().enumerate() {
            let mut caller = caller.unwrap();
            let sent = read_to_end(&mut caller);
            if (number + 1) % every != 0 {
                let _ = caller.write_all(&exchange(behind, &sent));
            }
        }
    });
    address
}

/// A control: the same router behind `axum::serve`, without deadlines, and without answers in shape to what never
/// gets as far as the router.
pub(crate) fn bare(front: &Front) -> SocketAddr {
    let listener = Listening::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let (address, router) = (listener.local_addr().unwrap(), front.served.router.clone());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { axum::serve(TcpListener::from_std(listener).unwrap(), router).await })
    });
    address
}

/// The bytes until the server ends the connection, which it must.
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
#[track_caller]
pub(crate) fn answers(bytes: &[u8]) -> Vec<Taken> {
    in_shape(bytes).unwrap_or_else(|fault| panic!("{fault}"))
}

/// All answers in `bytes`, or what about them is not whole or not in shape.
pub(crate) fn in_shape(mut bytes: &[u8]) -> Result<Vec<Taken>, String> {
    let mut taken = Vec::new();
    while !bytes.is_empty() {
        if let Some(rest) = bytes.strip_prefix(b"HTTP/1.1 100 Continue\r\n\r\n") {
            bytes = rest;
            continue;
        }
        let text = String::from_utf8_lossy(bytes).into_owned();
        let end = text.find("\r\n\r\n").ok_or_else(|| format!("half a head: {text:?}"))? + 4;
        let head = text[..end].to_ascii_lowercase();
        let field = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            line.map(str::to_owned).ok_or_else(|| format!("no {name}: {head}"))
        };
        let status: u16 = head[9..12].parse().map_err(|_| format!("no status: {head}"))?;
        let length: usize = field("content-length")?.parse().map_err(|_| format!("no length: {head}"))?;
        let is_headed = field("service-request-id")?.starts_with("req_")
            && field("cache-control")? == "no-store"
            && field("date")?.ends_with(" gmt");
        let body = text.get(end..end + length).ok_or_else(|| format!("half a body: {text:?}"))?.to_owned();
        let is_logged = || {
            let said: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
            said["error"].is_string() && said["code"].is_string()
        };
        if !is_headed || (status >= 400 && (field("content-type")? != "application/json" || !is_logged())) {
            return Err(format!("out of shape: {head}{body}"));
        }
        taken.push(Taken { status, head, body });
        bytes = &bytes[end + length..];
    }
    Ok(taken)
}
