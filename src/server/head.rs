//! The head of the next request, read before hyper sees it: while a connection waits for one it holds nothing but
//! the bytes that came.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

use crate::api::error::ApiError;
use crate::limits::{CONNECTION_BYTES, HEAD_BYTES_MAX, HEAD_FIELDS_MAX};
use crate::server::budget::{ByteBudget, Charge};

/// How much is read at a time, and how much of a head is kept at first, in bytes.
const PART_BYTES: usize = 1024;

/// What came while a connection waited for a request.
#[derive(Debug)]
pub(crate) enum Awaited {
    /// A head and perhaps more, or what can never become one: hyper's to judge.
    Whole(Vec<u8>),
    /// Nothing more, or not in time.
    End,
    /// What has to be refused.
    Refused(ApiError),
}

/// A head that is coming.
#[derive(Debug, Default)]
pub(crate) struct ComingHead {
    bytes: Vec<u8>,
    /// How many of them were looked at.
    seen: usize,
    charge: Option<Charge>,
}

impl ComingHead {
    /// A head of which these bytes came already. Returns `None` if the budget has no room for them.
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
            if self.is_decided() {
                return Poll::Ready(Awaited::Whole(std::mem::take(&mut self.bytes)));
            }
            let room = HEAD_BYTES_MAX.saturating_sub(self.bytes.len()).min(PART_BYTES);
            if room == 0 {
                return Poll::Ready(Awaited::Refused(ApiError::HeadTooLarge));
            }
            let mut part = [0; PART_BYTES];
            let mut part = ReadBuf::new(&mut part[..room]);
            if ready!(Pin::new(&mut *stream).poll_read(context, &mut part)).is_err()
                || part.filled().is_empty()
            {
                return Poll::Ready(Awaited::End);
            }
            if !self.keep(part.filled(), budget) {
                return Poll::Ready(Awaited::Refused(ApiError::Unavailable));
            }
        }
    }

    /// Keeps bytes that came. Returns `false` if the budget has no room for them.
    fn keep(&mut self, part: &[u8], budget: &Arc<ByteBudget>) -> bool {
        let is_line_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        // Empty lines before a request mean nothing (RFC 9112, section 2.2).
        let skipped = if self.bytes.is_empty() { part.iter().take_while(is_line_end).count() } else { 0 };
        let part = &part[skipped..];
        let length = self.bytes.len() + part.len();
        if length > self.bytes.capacity() {
            let sizes = [PART_BYTES, CONNECTION_BYTES, HEAD_BYTES_MAX];
            let size = sizes.into_iter().find(|&size| size >= length).unwrap_or(length);
            if size > CONNECTION_BYTES && self.charge.is_none() {
                self.charge = budget.take_for_head(size);
                if self.charge.is_none() {
                    return false;
                }
            }
            self.bytes.reserve_exact(size - self.bytes.len());
        }
        self.bytes.extend_from_slice(part);
        true
    }

    /// Whether the head is complete, or can never become one. As hyper does, it looks at the bytes that came first
    /// and at those with which a head may end.
    fn is_decided(&mut self) -> bool {
        let from = self.seen.saturating_sub(3);
        let seen = std::mem::replace(&mut self.seen, self.bytes.len());
        let is_new = seen < self.bytes.len();
        if !is_new || (seen > 0 && !may_end(&self.bytes[from..])) {
            return false;
        }
        let mut fields = [httparse::EMPTY_HEADER; HEAD_FIELDS_MAX];
        let parsed = httparse::Request::new(&mut fields).parse(&self.bytes);
        !parsed.is_ok_and(|parsed| parsed.is_partial())
    }
}

/// Whether an empty line is in `bytes`.
fn may_end(bytes: &[u8]) -> bool {
    [&b"\n\r\n"[..], b"\n\n"].into_iter().any(|end| memchr::memmem::find(bytes, end).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "GET / HTTP/1.1\r\nHost: kith\r\n\r\n";

    /// What comes of `bytes` that arrive in parts of `size`, and how much is held then.
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
        (awaited, head.bytes.capacity())
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
                // Bytes that are no head are found at first sight, or when a line ends: as hyper does.
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
        assert!(matches!(awaited, Awaited::End) && held == PART_BYTES, "{awaited:?} {held}");
        let (_, held) = read(b"", 5000, 0).await;
        assert_eq!(held, 0);
    }
}
