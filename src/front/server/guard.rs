//! The stream between a socket and hyper: adds deadlines that hyper lacks, and replaces hyper's own bare error answers.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::api::error::ApiError;
use crate::api::metrics::Metrics;
use crate::limits::{ANSWER_BYTES_MIN, ANSWER_DEADLINE, HEAD_DEADLINE, IDLE_DEADLINE, LINGER_DEADLINE};
use crate::server::refusal;

/// The deadlines for a peer.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    /// From a request's first byte, or the connection's start, to the end of its head.
    pub head: Duration,
    /// Between an answer and the next request's first byte.
    pub idle: Duration,
    /// For taking [`ANSWER_BYTES_MIN`] of an answer, or the rest of it.
    pub answer: Duration,
    /// For reading what a refused peer goes on sending, so that it gets to read the reason.
    pub linger: Duration,
}

impl Deadlines {
    /// The deadlines of a server.
    pub const DEFAULT: Self =
        Self { head: HEAD_DEADLINE, idle: IDLE_DEADLINE, answer: ANSWER_DEADLINE, linger: LINGER_DEADLINE };
}

/// The progress of a connection; the layer that answers requests advances it.
#[derive(Clone, Debug, Default)]
pub struct ConnectionProgress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    phase: AtomicU8,
    /// Whether the last answer leaves a body unread.
    is_unread: AtomicBool,
    /// Whether the connection goes on after the last answer.
    goes_on: AtomicBool,
    /// Whether the last read found nothing.
    is_waiting: AtomicBool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No byte of the first request has come.
    New,
    /// No byte of the next request has come.
    Idle,
    /// A head is arriving.
    Head,
    /// A request is being processed.
    Working,
    /// Its answer is being sent.
    Answered,
}

impl ConnectionProgress {
    const PHASES: [Phase; 5] = [Phase::New, Phase::Idle, Phase::Head, Phase::Working, Phase::Answered];

    /// Marks a request's head as complete.
    pub fn working(&self) {
        self.set(Phase::Working);
    }

    /// Marks the answer as made.
    pub fn answered(&self) {
        self.set(Phase::Answered);
    }

    /// Sets whether the connection goes on after the answer: the request was read to its end, and neither side closes.
    pub(crate) fn goes_on(&self, goes_on: bool) {
        self.0.goes_on.store(goes_on, Ordering::Relaxed);
    }

    /// Marks that the connection ends with an unread body, whose sender is still read for a while.
    pub fn leaves_unread(&self) {
        self.0.is_unread.store(true, Ordering::Relaxed);
    }

    /// Whether the last answer is sent, nothing of the next request has come, and the connection goes on.
    pub(crate) fn waits(&self) -> bool {
        let Shared { goes_on, is_waiting, .. } = &*self.0;
        self.get() == Phase::Idle && goes_on.load(Ordering::Relaxed) && is_waiting.load(Ordering::Relaxed)
    }

    /// Whether a part of a head has arrived.
    pub(crate) fn is_in_head(&self) -> bool {
        self.get() == Phase::Head
    }

    fn set(&self, phase: Phase) {
        self.0.phase.store(phase as u8, Ordering::Relaxed);
    }

    fn get(&self) -> Phase {
        Self::PHASES[usize::from(self.0.phase.load(Ordering::Relaxed)) % Self::PHASES.len()]
    }
}

/// A stream that ends itself when its peer is too slow.
#[derive(Debug)]
pub struct Guarded<S> {
    stream: S,
    deadlines: Deadlines,
    metrics: Arc<Metrics>,
    progress: ConnectionProgress,
    /// The phase seen last, and since when; while an answer is sent, since enough of it was taken.
    seen: (u8, Instant),
    /// The bytes taken since then.
    taken: usize,
    timer: Pin<Box<Sleep>>,
    /// The bytes read before hyper existed, from `ahead_from` on.
    ahead: Vec<u8>,
    ahead_from: usize,
    /// The unwritten bytes of an answer of our own.
    refusal: Vec<u8>,
    /// The deadline for reading refused bytes; `None` if nothing was refused.
    lingers_until: Option<Instant>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Guarded<S> {
    /// Guards `stream`, which has not been used yet.
    pub fn new(stream: S, progress: ConnectionProgress, deadlines: Deadlines, metrics: Arc<Metrics>) -> Self {
        let now = Instant::now();
        let timer = Box::pin(sleep_until(now + deadlines.head));
        let seen = (Phase::New as u8, now);
        Self {
            stream,
            deadlines,
            metrics,
            progress,
            seen,
            taken: 0,
            timer,
            ahead: Vec::new(),
            ahead_from: 0,
            refusal: Vec::new(),
            lingers_until: None,
        }
    }

    /// Returns `bytes` from reads before anything from the socket.
    pub(crate) fn read_ahead(&mut self, bytes: Vec<u8>) {
        (self.ahead, self.ahead_from) = (bytes, 0);
    }

    /// Starts the next request, whose bytes came with the previous one.
    pub(crate) fn begins_anew(&mut self) {
        self.enter(Phase::Head);
    }

    /// Copies bytes read ahead. Returns `false` if there are none.
    fn copy_ahead(&mut self, buffer: &mut ReadBuf<'_>) -> bool {
        let left = &self.ahead[self.ahead_from..];
        if left.is_empty() {
            return false;
        }
        let length = left.len().min(buffer.remaining());
        buffer.put_slice(&left[..length]);
        self.ahead_from += length;
        if self.ahead_from == self.ahead.len() {
            self.read_ahead(Vec::new());
        }
        true
    }

    fn enter(&mut self, phase: Phase) {
        self.progress.set(phase);
        (self.seen, self.taken) = ((phase as u8, Instant::now()), 0);
    }

    /// Counts the bytes of an answer taken by the peer: taking enough of it extends the deadline.
    fn count(&mut self, written: &Poll<io::Result<usize>>) {
        if let Poll::Ready(Ok(written)) = written {
            self.taken += written;
            if self.taken >= ANSWER_BYTES_MIN {
                (self.seen.1, self.taken) = (Instant::now(), 0);
            }
        }
    }

    /// Answers bytes that hyper could not read as a request; the answer is sent when the stream is shut down.
    pub(crate) fn refuse(&mut self, error: &ApiError) {
        self.refusal = refusal::write(error, &self.metrics);
        self.lingers_until = Some(Instant::now() + self.deadlines.linger);
        self.enter(Phase::Answered);
    }

    /// The deadline of the phase.
    fn deadline(&mut self) -> Option<Instant> {
        let phase = self.progress.get();
        if self.seen.0 != phase as u8 {
            (self.seen, self.taken) = ((phase as u8, Instant::now()), 0);
        }
        let allowed = match phase {
            Phase::New | Phase::Head => self.deadlines.head,
            Phase::Idle => self.deadlines.idle,
            Phase::Answered => self.deadlines.answer,
            Phase::Working => return None,
        };
        Some(self.seen.1 + allowed)
    }

    /// Whether the phase is over time; otherwise the task wakes when it is.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        self.deadline().is_some_and(|deadline| self.is_past(deadline, context))
    }

    /// The timer is moved only when it fires or is too late: most deadlines are met, and never need one.
    fn is_past(&mut self, deadline: Instant, context: &mut Context<'_>) -> bool {
        while Instant::now() < deadline {
            if self.timer.deadline() > deadline || self.timer.is_elapsed() {
                self.timer.as_mut().reset(deadline);
            }
            if self.timer.as_mut().poll(context).is_pending() {
                return false;
            }
        }
        true
    }

    /// Sends the peer the answer that its request came too slowly, if the peer takes it at once.
    fn answer_late(&mut self, context: &mut Context<'_>) {
        let answer = refusal::write(&ApiError::RequestTimeout, &self.metrics);
        if let Poll::Ready(Ok(_)) = Pin::new(&mut self.stream).poll_write(context, &answer) {
            let _ = Pin::new(&mut self.stream).poll_flush(context);
        }
    }

    /// Writes an answer of our own until all of it is sent.
    fn poll_refusal(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.refusal.is_empty() {
            match Pin::new(&mut self.stream).poll_write(context, &self.refusal)? {
                Poll::Ready(0) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(written) => drop(self.refusal.drain(..written)),
                Poll::Pending if self.is_late(context) => return Poll::Ready(Err(timed_out())),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Call it after the stream was shut down: reads and discards what a refused peer still sends, until its end or the
    /// deadline. It is not part of the shutdown, during which hyper keeps all its buffers.
    pub(crate) async fn linger(&mut self) {
        poll_fn(|context| self.poll_linger(context)).await;
    }

    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(until) = self.lingers_until else { return Poll::Ready(()) };
        let mut bytes = [0; 4096];
        loop {
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() && Instant::now() < until => {}
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending if self.is_past(until, context) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

fn timed_out() -> io::Error {
    io::ErrorKind::TimedOut.into()
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.copy_ahead(buffer) {
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(Ok(())) if buffer.filled().len() > before => {
                self.progress.0.is_waiting.store(false, Ordering::Relaxed);
                if matches!(self.progress.get(), Phase::New | Phase::Idle) {
                    self.enter(Phase::Head);
                }
                // A head that drips on must end in time as well.
                if self.progress.get() == Phase::Head && self.is_late(context) {
                    buffer.set_filled(before);
                    self.answer_late(context);
                }
                Poll::Ready(Ok(()))
            }
            Poll::Pending if self.is_late(context) => match self.progress.get() {
                Phase::Answered => Poll::Ready(Err(timed_out())),
                phase => {
                    if phase == Phase::Head {
                        self.answer_late(context);
                    }
                    Poll::Ready(Ok(()))
                }
            },
            other => {
                self.progress.0.is_waiting.store(other.is_pending(), Ordering::Relaxed);
                other
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let is_answering = matches!(self.progress.get(), Phase::Working | Phase::Answered);
        if !is_answering && let Some(error) = refusal::made_by_hyper(bytes) {
            self.refuse(&error);
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.count(&written);
        match written {
            Poll::Pending if self.is_late(context) => Poll::Ready(Err(timed_out())),
            other => other,
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // hyper's own answers are just a head.
        if let [bytes] = slices {
            return self.poll_write(context, bytes);
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.count(&written);
        match written {
            Poll::Pending if self.is_late(context) => Poll::Ready(Err(timed_out())),
            other => other,
        }
    }

    /// Lets hyper write answers from where they are: otherwise it would keep a copy for as long as the connection.
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        std::task::ready!(self.poll_refusal(context))?;
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        match flushed {
            Poll::Ready(Ok(())) if self.progress.get() == Phase::Answered => self.enter(Phase::Idle),
            Poll::Pending if self.is_late(context) => return Poll::Ready(Err(timed_out())),
            _ => {}
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.progress.0.is_waiting.store(false, Ordering::Relaxed);
        std::task::ready!(self.poll_refusal(context))?;
        std::task::ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        if self.progress.0.is_unread.swap(false, Ordering::Relaxed) {
            self.lingers_until = Some(Instant::now() + self.deadlines.linger);
        }
        Poll::Ready(Ok(()))
    }
}
