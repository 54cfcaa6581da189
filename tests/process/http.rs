//! A small blocking HTTP/1.1 client: one keep-alive connection that never reconnects by itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// No answer takes longer.
const WAIT: Duration = Duration::from_secs(30);

/// A connection to a server; requests go one after the other.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
}

/// The reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Names in lower case, in the order sent.
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect_timeout(&address, WAIT).unwrap();
        stream.set_read_timeout(Some(WAIT)).unwrap();
        stream.set_write_timeout(Some(WAIT)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream), host: address.to_string() }
    }

    /// The same, with another `Host` in its requests.
    pub(crate) fn asked_as(self, host: &str) -> Self {
        Self { host: host.to_owned(), ..self }
    }

    /// GET with a credential.
    pub(crate) fn get(&mut self, path: &str, credential: &str) -> Reply {
        self.send("GET", path, &[("authorization", &format!("Bearer {credential}"))])
    }

    /// Any request without a body.
    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.begin(method, path, headers);
        self.read_reply(method == "HEAD")
    }

    /// Sends a request without a body, and does not wait for the answer.
    pub(crate) fn begin(&mut self, method: &str, path: &str, headers: &[(&str, &str)]) {
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.host);
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("\r\n");
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
    }

    /// Waits for the answer to a request that was begun.
    pub(crate) fn end(&mut self) -> Reply {
        self.read_reply(false)
    }

    /// POST with a credential and a JSON body, sent whole before the answer is read.
    pub(crate) fn post(&mut self, path: &str, credential: &str, body: &[u8]) -> Reply {
        self.post_with(path, &[("authorization", &format!("Bearer {credential}"))], body)
    }

    /// The same with any headers.
    pub(crate) fn post_with(&mut self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut head = format!("POST {path} HTTP/1.1\r\nhost: {}\r\n", self.host);
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let length = body.len();
        head.push_str(&format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n"));
        self.stream.get_mut().write_all(head.as_bytes()).unwrap();
        self.stream.get_mut().write_all(body).unwrap();
        self.read_reply(false)
    }

    /// Whether the server has closed its side; waits until it does.
    pub(crate) fn is_closed(&mut self) -> bool {
        matches!(self.stream.read(&mut [0]), Ok(0))
    }

    fn read_reply(&mut self, is_head: bool) -> Reply {
        let status_line = self.read_line();
        let status = status_line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status line: {status_line:?}"));
        let mut headers = Vec::new();
        loop {
            let line = self.read_line();
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut reply = Reply { status, headers, body: Vec::new() };
        if !is_head {
            let length = reply.header("content-length").and_then(|length| length.parse().ok());
            reply.body = vec![0; length.unwrap_or_else(|| panic!("no length: {reply:?}"))];
            self.stream.read_exact(&mut reply.body).unwrap();
        }
        reply
    }

    fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        assert!(line.ends_with("\r\n"), "the connection ended at {line:?}");
        line.truncate(line.len() - 2);
        line
    }
}
