//! A provider on a loopback port that returns configured answers, and records every byte it receives.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use kith_server::language_model::LanguageModel;
use kith_server::language_model::settings::{ApiKey, ProviderSettings};
use kith_server::limits::PROVIDER_TIMEOUT_MS_MAX;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Duration, sleep};

/// A deadline that is met on a busy machine, too.
pub(crate) const LONG_MS: u64 = PROVIDER_TIMEOUT_MS_MAX;

/// The marker in every text of the provider, so that any leak is detected.
pub(crate) const CANARY: &str = "XPROVIDERX";
/// The length, in bytes, at which an endless answer ends after all.
pub(crate) const ENDLESS_BYTES: usize = 64 << 20;

/// The settings for a provider at `address`.
pub(crate) fn settings(address: SocketAddr, timeout_ms: u64) -> ProviderSettings {
    let key = ApiKey::new("KEY", Some("sk-test")).unwrap();
    ProviderSettings::new(&format!("http://{address}/v1"), "small", Some(key), timeout_ms).unwrap()
}

/// A language model that asks the provider at `address`.
pub(crate) fn model(address: SocketAddr, timeout_ms: u64) -> LanguageModel {
    LanguageModel::new(Some(&settings(address, timeout_ms))).unwrap()
}

/// The reply to one request.
#[derive(Clone)]
pub(crate) enum Reply {
    /// These bytes; the connection stays open.
    Bytes(Vec<u8>),
    /// These bytes, and the end of the connection.
    BytesThenClose(Vec<u8>),
    /// These bytes, and a reset.
    BytesThenReset(Vec<u8>),
    /// These bytes, and then one byte after the other for ever, slowly.
    Drip(Vec<u8>),
    /// These bytes, and then as many as are taken.
    Endless(Vec<u8>),
    /// Nothing, for ever.
    Hang,
}

/// The requests that the stub has seen.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    pub(crate) connections: usize,
    pub(crate) requests: Vec<Vec<u8>>,
    /// Bytes of [`Reply::Endless`] that were taken, for each one that came to an end.
    pub(crate) endless: Vec<usize>,
}

/// A running provider; it goes with the runtime of its test.
pub(crate) struct Stub {
    pub(crate) address: SocketAddr,
    seen: Arc<watch::Sender<Seen>>,
}

impl Stub {
    /// Answers the requests with `replies` in turn, and all further ones with the last.
    pub(crate) async fn start(replies: &[Reply]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(watch::Sender::new(Seen::default()));
        let script = Arc::new(Mutex::new((replies.to_vec(), 0)));
        let said = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                said.send_modify(|seen| seen.connections += 1);
                tokio::spawn(converse(stream, Arc::clone(&script), Arc::clone(&said)));
            }
        });
        Self { address, seen }
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }

    pub(crate) fn contacts(&self) -> usize {
        self.seen.borrow().requests.len()
    }

    /// Waits until `is_so`.
    pub(crate) async fn until(&self, is_so: impl Fn(&Seen) -> bool) -> Seen {
        self.seen.subscribe().wait_for(|seen| is_so(seen)).await.unwrap().clone()
    }
}

type Script = Arc<Mutex<(Vec<Reply>, usize)>>;

async fn converse(mut stream: TcpStream, script: Script, seen: Arc<watch::Sender<Seen>>) {
    while let Some(request) = read_request(&mut stream).await {
        let reply = next(&script);
        seen.send_modify(|seen| seen.requests.push(request));
        match reply {
            Reply::Bytes(bytes) => {
                if write_all(&mut stream, &bytes).await.is_err() {
                    return;
                }
            }
            Reply::BytesThenClose(bytes) => {
                let _ = write_all(&mut stream, &bytes).await;
                return;
            }
            Reply::BytesThenReset(bytes) => {
                let _ = write_all(&mut stream, &bytes).await;
                // Bytes that were not read make the kernel reset the connection; so does this.
                stream.set_zero_linger().unwrap();
                return;
            }
            Reply::Drip(bytes) => return drip(&mut stream, &bytes).await,
            Reply::Endless(bytes) => {
                let taken = pour(&mut stream, &bytes).await;
                return seen.send_modify(|seen| seen.endless.push(taken));
            }
            Reply::Hang => std::future::pending().await,
        }
    }
}

fn next(script: &Script) -> Reply {
    let mut script = script.lock().unwrap();
    let place = script.1.min(script.0.len() - 1);
    script.1 += 1;
    script.0[place].clone()
}

/// The slowness is the fault that is played; nothing waits for it.
async fn drip(stream: &mut TcpStream, bytes: &[u8]) {
    for byte in bytes.iter().copied().chain(std::iter::repeat(b' ')) {
        if write_all(stream, &[byte]).await.is_err() {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
}

async fn pour(stream: &mut TcpStream, head: &[u8]) -> usize {
    let (mut taken, block) = (0, vec![b' '; 64 << 10]);
    if write_all(stream, head).await.is_err() {
        return taken;
    }
    while taken < ENDLESS_BYTES && write_all(stream, &block).await.is_ok() {
        taken += block.len();
    }
    taken
}

/// Reads what there is, once there is something; 0 at the end.
pub(crate) async fn read(stream: &mut TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        stream.readable().await?;
        match stream.try_read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            read => return read,
        }
    }
}

/// Writes all of `bytes`.
pub(crate) async fn write_all(stream: &mut TcpStream, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        stream.writable().await?;
        match stream.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            written => bytes = &bytes[written?..],
        }
    }
    Ok(())
}

/// Head and body of a request. Returns `None` if the connection ends.
async fn read_request(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let (mut request, mut buffer) = (Vec::new(), [0; 8 << 10]);
    loop {
        if body_of(&request).is_some() {
            return Some(request);
        }
        match read(stream, &mut buffer).await {
            Ok(count) if count > 0 => request.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
}

/// The head of a request.
pub(crate) fn head_of(request: &[u8]) -> Option<&str> {
    let end = request.windows(4).position(|window| window == b"\r\n\r\n")?;
    std::str::from_utf8(&request[..end]).ok()
}

/// The body of a request that is there as a whole, as its `content-length` says; without one it is empty.
pub(crate) fn body_of(request: &[u8]) -> Option<&[u8]> {
    let head = head_of(request)?;
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    let body = &request[head.len() + 4..];
    (body.len() == length.parse::<usize>().ok()?).then_some(body)
}

/// A whole answer with `body`.
pub(crate) fn http(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} {CANARY}\r\nx-note: {CANARY}\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

/// The answer of a provider if the model wrote `content`.
pub(crate) fn completion(content: &str) -> String {
    let message = json!({ "role": "assistant", "content": content });
    json!({ "id": CANARY, "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] })
        .to_string()
}

/// The reply of a provider if the model wrote `content`.
pub(crate) fn says(content: &str) -> Reply {
    Reply::Bytes(http(200, "content-type: application/json\r\n", &completion(content)))
}

/// The text of an obedient model.
pub(crate) const LEGAL: &str = r#"{"terms":[{"kind":"role","text":"head of finance","negated":false,"past":false}],"networks":["advocate"]}"#;
