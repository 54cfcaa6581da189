//! The control: permits go to organizations in rotation by request, however long one is held, and waits are predicted
//! from the overall mean. kith once worked like this.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith_server::admission::class::Class;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::Policy;

pub(super) struct Rotation {
    state: Mutex<State>,
    count: usize,
    wait_max: Duration,
}

struct State {
    free: usize,
    /// One for each organization that waits, the next one first; none is empty.
    queues: VecDeque<(&'static str, VecDeque<oneshot::Sender<RotatedPermit>>)>,
    mean: Duration,
}

pub(super) struct RotatedPermit {
    /// The admission it returns to; `None` once it was taken back.
    rotation: Option<Arc<Rotation>>,
    began: Instant,
}

impl Rotation {
    pub(super) fn new(count: NonZeroUsize, wait_max: Duration) -> Arc<Self> {
        let count = count.get();
        let state = Mutex::new(State { free: count, queues: VecDeque::new(), mean: Duration::ZERO });
        Arc::new(Self { state, count, wait_max })
    }

    fn permit(self: &Arc<Self>) -> RotatedPermit {
        RotatedPermit { rotation: Some(Arc::clone(self)), began: Instant::now() }
    }

    fn release(self: &Arc<Self>, took: Duration) {
        let mut state = self.state.lock().unwrap();
        state.mean = if state.mean.is_zero() { took } else { state.mean - state.mean / 8 + took / 8 };
        while let Some((organization, mut waiting)) = state.queues.pop_front() {
            let first = waiting.pop_front();
            if !waiting.is_empty() {
                state.queues.push_back((organization, waiting));
            }
            match first.unwrap().send(self.permit()) {
                Ok(()) => return,
                Err(mut unused) => unused.rotation = None,
            }
        }
        state.free += 1;
    }

    fn join(self: &Arc<Self>, organization: &'static str) -> Result<RotatedPermit, Option<Waiting>> {
        let mut state = self.state.lock().unwrap();
        if state.free > 0 {
            state.free -= 1;
            return Ok(self.permit());
        }
        let at = state.queues.iter().position(|(name, _)| *name == organization);
        let before = at.map_or(0, |at| state.queues[at].1.len()) * state.queues.len().max(1);
        if state.mean * before as u32 / self.count as u32 > self.wait_max {
            return Err(None);
        }
        let (sender, permit) = oneshot::channel();
        match at {
            Some(at) => state.queues[at].1.push_back(sender),
            None => state.queues.push_back((organization, VecDeque::from([sender]))),
        }
        Err(Some(permit))
    }
}

type Waiting = oneshot::Receiver<RotatedPermit>;

impl Policy for Rotation {
    type Permit = RotatedPermit;

    async fn acquire(self: &Arc<Self>, organization: &'static str, _: Class) -> Option<RotatedPermit> {
        let permit = match self.join(organization) {
            Ok(permit) => return Some(permit),
            Err(waiting) => waiting?,
        };
        let mut permit = timeout(self.wait_max, permit).await.ok()?.ok()?;
        permit.began = Instant::now();
        Some(permit)
    }
}

impl Drop for RotatedPermit {
    fn drop(&mut self) {
        if let Some(rotation) = self.rotation.take() {
            rotation.release(self.began.elapsed());
        }
    }
}
