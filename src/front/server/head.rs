//! Reads the head of the next request before hyper sees it: a waiting connection holds only the bytes that arrived.

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

use crate::api::error::ApiError;
use crate::limits::{CONNECTION_BYTES, HEAD_BYTES_MAX, HEAD_FIELDS_MAX};
use crate::server::budget::{ByteBudget, Charge};

/// Bytes read at a time.
const READ_BYTES: usize = 1024;
/// The sizes of the parts that hold a head while it arrives, in bytes. No part is copied into a longer one, which would
/// leave its memory behind; the first is enough for most programs, and the first two need no charge.
const PARTS: [usize; 5] = [
    READ_BYTES,
    CONNECTION_BYTES - READ_BYTES,
    CONNECTION_BYTES,
    CONNECTION_BYTES,
    HEAD_BYTES_MAX - 3 * CONNECTION_BYTES,
];

/// How a connection's wait for a request ended.
#[derive(Debug)]
pub(crate) enum Awaited {
    /// A head and possibly more, or bytes that can never become one: hyper decides.
    Whole(Vec<u8>),
    /// No further bytes, or not in time.
    End,
    /// A request to refuse.
    Refused(ApiError),
}

#[derive(Debug, Default)]
pub(crate) struct ComingHead {
    parts: Vec<Vec<u8>>,
    length: usize,
    /// Whether the last bytes may have decided it.
    is_to_parse: bool,
    charge: Option<Charge>,
}

impl ComingHead {
    /// A head whose first bytes are these; `None` if the budget has no room for them.
    pub(crate) fn begun(bytes: &[u8], budget: &Arc<ByteBudget>) -> Option<Self> {
        let mut head = Self::default();
        head.keep(bytes, budget).then_some(head)
    }

    /// Reads on until the head is complete.
    pub(crate) async fn read<S>(&mut self, stream: &mut S, budget: &Arc<ByteBudget>) -> Awaited
    where
        S: AsyncRead + Unpin,
    {
        poll_fn(|context| self.poll_read(stream, budget, context)).await
    }

    fn poll_read<S>(
        &mut self,
        stream: &mut S,
        budget: &Arc<ByteBudget>,
        context: &mut Context<'_>,
    ) -> Poll<Awaited>
    where
        S: AsyncRead + Unpin,
    {
        loop {
            if let Some(head) = self.decided() {
                return Poll::Ready(Awaited::Whole(head));
            }
            let room = HEAD_BYTES_MAX.saturating_sub(self.length).min(READ_BYTES);
            if room == 0 {
                return Poll::Ready(Awaited::Refused(ApiError::HeadTooLarge));
            }
            let mut read = [0; READ_BYTES];
            let mut read = ReadBuf::new(&mut read[..room]);
            if ready!(Pin::new(&mut *stream).poll_read(context, &mut read)).is_err()
                || read.filled().is_empty()
            {
                return Poll::Ready(Awaited::End);
            }
            if !self.keep(read.filled(), budget) {
                return Poll::Ready(Awaited::Refused(ApiError::Unavailable));
            }
        }
    }

    /// Keeps the arrived bytes. Returns `false` if the budget has no room for them.
    fn keep(&mut self, came: &[u8], budget: &Arc<ByteBudget>) -> bool {
        let is_line_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let is_first = self.length == 0;
        // Empty lines before a request are ignored (RFC 9112, section 2.2).
        let skipped = if is_first { came.iter().take_while(is_line_end).count() } else { 0 };
        let mut came = &came[skipped..];
        let length = self.length + came.len();
        if length > CONNECTION_BYTES && self.charge.is_none() {
            self.charge = budget.take_for_head(length.max(HEAD_BYTES_MAX));
            if self.charge.is_none() {
                return false;
            }
        }
        self.is_to_parse |=
            !came.is_empty() && (is_first || may_end(&[&self.last_three()[..], came].concat()));
        while !came.is_empty() {
            let free = self.parts.last().map_or(0, |part| part.capacity() - part.len());
            if free == 0 {
                let size = PARTS.get(self.parts.len()).copied().unwrap_or(came.len());
                self.parts.push(Vec::with_capacity(size));
                continue;
            }
            let (now, later) = came.split_at(free.min(came.len()));
            if let Some(part) = self.parts.last_mut() {
                part.extend_from_slice(now);
            }
            came = later;
        }
        self.length = length;
        true
    }

    /// The head, if it is complete or can never become one. Like hyper, it looks at the first bytes, and at bytes that
    /// can end a head.
    fn decided(&mut self) -> Option<Vec<u8>> {
        if !std::mem::take(&mut self.is_to_parse) {
            return None;
        }
        let bytes = match &self.parts[..] {
            [only] => Cow::Borrowed(&only[..]),
            parts => Cow::Owned(parts.concat()),
        };
        let mut fields = [httparse::EMPTY_HEADER; HEAD_FIELDS_MAX];
        let parsed = httparse::Request::new(&mut fields).parse(&bytes);
        if parsed.is_ok_and(|parsed| parsed.is_partial()) {
            return None;
        }
        let joined = match bytes {
            Cow::Owned(joined) => Some(joined),
            Cow::Borrowed(_) => None,
        };
        joined.or_else(|| self.parts.pop())
    }

    /// The last three bytes that arrived, or fewer.
    fn last_three(&self) -> Vec<u8> {
        let mut last: Vec<u8> = self.parts.iter().flatten().rev().take(3).copied().collect();
        last.reverse();
        last
    }
}

/// Whether `bytes` contain an empty line.
fn may_end(bytes: &[u8]) -> bool {
    [&b"\n\r\n"[..], b"\n\n"].into_iter().any(|end| memchr::memmem::find(bytes, end).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "GET / HTTP/1.1\r\nHost: kith\r\n\r\n";

    /// The outcome of `bytes` that arrive in parts of `size`, and the bytes held then.
    async fn read(bytes: &[u8], size: usize, budget: usize) -> (Awaited, usize) {
        let budget = ByteBudget::new(budget);
        let (mut near, mut far) = tokio::io::duplex(size);
        let mut head = ComingHead::default();
        let write = async {
            use tokio::io::AsyncWriteExt;
            let _ = far.write_all(bytes).await;
            let _ = far.shutdown().await;
        };
        let awaited = async {
            let awaited = head.read(&mut near, &budget).await;
            drop(near);
            awaited
        };
        let (awaited, ()) = tokio::join!(awaited, write);
        (awaited, head.parts.iter().map(Vec::capacity).sum())
    }

    fn long(bytes: usize) -> String {
        HEAD.replace("\r\n\r\n", &format!("\r\nX: {}\r\n\r\n", "a".repeat(bytes - HEAD.len() - 5)))
    }

    #[tokio::test]
    async fn a_head_is_handed_on_as_soon_as_it_is_complete_or_hopeless() {
        for (sent, is_whole) in [
            (HEAD.to_owned(), true),
            (HEAD.replace('\r', ""), true),
            (format!("\r\n\r\n\n{HEAD}"), true),
            (long(HEAD_BYTES_MAX), true),
            ("PRI * HTTP/2.0\r\n".to_owned(), true),
            ("\x16\x03\x01".to_owned(), true),
            (HEAD[..HEAD.len() - 1].to_owned(), false),
            ("\r\n\r\n".repeat(3000), false),
            (String::new(), false),
        ] {
            for size in [1, 7, 5000] {
                // Bytes that are not a head are recognized at first sight, or at the end of a line, like in hyper.
                let size = if sent.len() < 20 { 5000 } else { size };
                let (awaited, _) = read(sent.as_bytes(), size, HEAD_BYTES_MAX * 2).await;
                match awaited {
                    Awaited::Whole(bytes) => {
                        assert!(is_whole && sent.as_bytes().ends_with(&bytes), "{sent:.40?} {size}");
                    }
                    Awaited::End => assert!(!is_whole, "{sent:.40?} {size}"),
                    Awaited::Refused(error) => panic!("{sent:.40?} {size}: {error:?}"),
                }
            }
        }
    }

    #[tokio::test]
    async fn a_head_holds_what_came_of_it_and_is_refused_beyond_its_bound_or_the_budget() {
        let too_long = long(HEAD_BYTES_MAX + 1);
        let (awaited, held) = read(too_long.as_bytes(), 5000, HEAD_BYTES_MAX * 2).await;
        assert!(matches!(awaited, Awaited::Refused(ApiError::HeadTooLarge)), "{awaited:?}");
        assert_eq!(held, HEAD_BYTES_MAX);
        let (awaited, held) = read(too_long.as_bytes(), 5000, HEAD_BYTES_MAX).await;
        assert!(matches!(awaited, Awaited::Refused(ApiError::Unavailable)), "{awaited:?}");
        assert_eq!(held, CONNECTION_BYTES);
        let (awaited, held) = read(&HEAD.as_bytes()[..20], 5000, 0).await;
        assert!(matches!(awaited, Awaited::End) && held == READ_BYTES, "{awaited:?} {held}");
        let (_, held) = read(b"", 5000, 0).await;
        assert_eq!(held, 0);
    }
}
