//! The queue for permits: the permits each organization holds, who waits, and who is next.
//!
//! A state machine that is given the time and never reads a clock. `W` represents a waiting caller.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::admission::class::Class;

/// Half-life of an organization's past use: within seconds the past is forgotten.
const HALF_LIFE: Duration = Duration::from_secs(1);
/// After this long without a request, an organization is forgotten.
const FORGET_AFTER: Duration = Duration::from_secs(10);

/// The permits, their holders, and the waiting requests. `W` is a waiting request.
#[derive(Debug)]
pub(super) struct Line<W> {
    permits: usize,
    free: usize,
    long_held: usize,
    /// The number of all waiting requests.
    waiting: usize,
    /// The number of tickets drawn; a ticket is a position in the order of arrival.
    tickets: u64,
    wait_max: Duration,
    accounts: HashMap<Arc<str>, Account<W>>,
    forgot_at: Option<Instant>,
}

/// The reply to a request for a permit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// It may work now; holds the name of its organization, for giving the permit back.
    Now(Arc<str>),
    /// No permit is free for it: it may join the queue.
    Later,
    /// It would wait too long.
    Never,
}

/// A permit for a request that waited.
#[derive(Debug)]
pub(super) struct Grant<W> {
    pub(super) organization: Arc<str>,
    pub(super) class: Class,
    pub(super) ticket: u64,
    pub(super) waiter: W,
}

/// An organization with recent requests.
#[derive(Debug)]
struct Account<W> {
    /// The average number of permits it held, a moving mean as of `as_of`.
    load: f64,
    as_of: Instant,
    held: usize,
    /// The waiting requests of each class, by ticket, ascending.
    queues: [VecDeque<(u64, W)>; 2],
    /// How long its permits of each class were held, a moving mean; `None` before the first.
    means: [Option<Duration>; 2],
}

impl<W> Line<W> {
    pub(super) fn new(permits: usize, wait_max: Duration) -> Self {
        Self {
            permits,
            free: permits,
            long_held: 0,
            waiting: 0,
            tickets: 0,
            wait_max,
            accounts: HashMap::new(),
            forgot_at: None,
        }
    }

    /// Takes a permit for a request of `organization`, if one is free for it.
    pub(super) fn ask(&mut self, organization: &str, class: Class, now: Instant) -> Asked {
        let name = self.open(organization, now);
        if !self.has_free(class) {
            let is_long_wait = self.expected_wait(organization, class) > self.wait_max;
            return if is_long_wait { Asked::Never } else { Asked::Later };
        }
        self.take(&name, class, now);
        Asked::Now(name)
    }

    /// Adds `waiter` behind the others of its organization and class; returns its ticket, to leave with.
    pub(super) fn join(&mut self, organization: &str, class: Class, now: Instant, waiter: W) -> u64 {
        let ticket = self.draw_ticket();
        self.join_at(ticket, organization, class, now, waiter);
        ticket
    }

    /// Draws a ticket, behind all earlier ones.
    pub(super) fn draw_ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    /// Adds `waiter` with its earlier `ticket`, before the later ones of its organization and class.
    pub(super) fn join_at(&mut self, ticket: u64, organization: &str, class: Class, now: Instant, waiter: W) {
        let name = self.open(organization, now);
        if let Some(account) = self.accounts.get_mut(&name) {
            let queue = &mut account.queues[class as usize];
            let place = queue.partition_point(|&(other, _)| other < ticket);
            queue.insert(place, (ticket, waiter));
            self.waiting += 1;
        }
    }

    /// Whether a request of another organization waits.
    pub(super) fn others_wait(&self, organization: &str) -> bool {
        let own = self.accounts.get(organization);
        let own = own.map_or(0, |account| account.queues.iter().map(VecDeque::len).sum());
        self.waiting > own
    }

    /// Removes the request with this ticket, if it still waits.
    pub(super) fn leave(&mut self, organization: &str, class: Class, ticket: u64) {
        let Some(account) = self.accounts.get_mut(organization) else { return };
        let queue = &mut account.queues[class as usize];
        if let Ok(at) = queue.binary_search_by_key(&ticket, |&(ticket, _)| ticket) {
            queue.remove(at);
            self.waiting -= 1;
        }
    }

    /// Takes back a permit that was held for `took`; `None` if it was not used.
    pub(super) fn give_back(
        &mut self,
        organization: &str,
        class: Class,
        took: Option<Duration>,
        now: Instant,
    ) {
        self.free += 1;
        self.long_held -= usize::from(class == Class::Long);
        if let Some(account) = self.accounts.get_mut(organization) {
            account.hold(now, |held| held - 1);
            account.learn(class, took);
        }
    }

    /// Grants a free permit, if any, to the first waiting request of the organization with the least recent use.
    pub(super) fn next(&mut self, now: Instant) -> Option<Grant<W>> {
        if self.waiting == 0 || self.free == 0 {
            return None;
        }
        let may_long = self.has_free(Class::Long);
        let firsts = self.accounts.iter().filter_map(|(name, account)| {
            let (ticket, class) = account.first(may_long)?;
            Some((account.load(now), ticket, class, name))
        });
        let least = firsts.min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let (_, ticket, class, name) = least?;
        let organization = Arc::clone(name);
        let (_, waiter) = self.accounts.get_mut(&organization)?.queues[class as usize].pop_front()?;
        self.waiting -= 1;
        self.take(&organization, class, now);
        Some(Grant { organization, class, ticket, waiter })
    }

    fn has_free(&self, class: Class) -> bool {
        let may_long = class == Class::Short || self.long_held < Class::Long.most(self.permits);
        self.free > 0 && may_long
    }

    fn take(&mut self, organization: &str, class: Class, now: Instant) {
        self.free -= 1;
        self.long_held += usize::from(class == Class::Long);
        if let Some(account) = self.accounts.get_mut(organization) {
            account.hold(now, |held| held + 1);
        }
    }

    /// How long a new request of `organization` would wait: until those before it in its own queue are done, with an
    /// equal share of the permits of its class.
    fn expected_wait(&self, organization: &str, class: Class) -> Duration {
        let Some(account) = self.accounts.get(organization) else { return Duration::ZERO };
        let before = account.queues[class as usize].len();
        let mean = account.means[class as usize].unwrap_or_default();
        let permits = match class {
            Class::Short => (self.permits - self.long_held).max(1),
            Class::Long => class.most(self.permits),
        };
        let sharing = self.accounts.values().filter(|account| account.is_waiting()).count().max(1);
        mean.saturating_mul(u32::try_from(before * sharing).unwrap_or(u32::MAX)) / permits as u32
    }

    /// The account of `organization`. A new account begins with the least load of the active organizations: it goes
    /// neither behind them nor, until it has used as much, before them.
    fn open(&mut self, organization: &str, now: Instant) -> Arc<str> {
        if let Some((name, _)) = self.accounts.get_key_value(organization) {
            return Arc::clone(name);
        }
        self.forget(now);
        let active = self.accounts.values().filter(|account| account.held > 0 || account.is_waiting());
        let load = active.map(|account| account.load(now)).min_by(f64::total_cmp).unwrap_or(0.0);
        let name: Arc<str> = organization.into();
        let account = Account {
            load,
            as_of: now,
            held: 0,
            queues: [VecDeque::new(), VecDeque::new()],
            means: [None, None],
        };
        self.accounts.insert(Arc::clone(&name), account);
        name
    }

    fn forget(&mut self, now: Instant) {
        let is_long_ago = |then: Instant| now.saturating_duration_since(then) >= FORGET_AFTER;
        if self.forgot_at.is_none_or(is_long_ago) {
            self.forgot_at = Some(now);
            self.accounts
                .retain(|_, account| account.held > 0 || account.is_waiting() || !is_long_ago(account.as_of));
        }
    }
}

impl<W> Account<W> {
    fn is_waiting(&self) -> bool {
        self.queues.iter().any(|queue| !queue.is_empty())
    }

    /// The average number of permits it recently held, including those it holds now.
    fn load(&self, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.as_of).as_secs_f64();
        let kept = (-passed / HALF_LIFE.as_secs_f64()).exp2();
        self.load * kept + self.held as f64 * (1.0 - kept)
    }

    fn hold(&mut self, now: Instant, change: impl FnOnce(usize) -> usize) {
        self.load = self.load(now);
        self.as_of = now;
        self.held = change(self.held);
    }

    /// About the last eight permits count most.
    fn learn(&mut self, class: Class, took: Option<Duration>) {
        let Some(took) = took else { return };
        let mean = &mut self.means[class as usize];
        *mean = Some(mean.map_or(took, |mean| mean - mean / 8 + took / 8));
    }

    /// The ticket and class of the first waiting request that may be next.
    fn first(&self, may_long: bool) -> Option<(u64, Class)> {
        let classes =
            [Class::Short, Class::Long].into_iter().filter(|&class| may_long || class == Class::Short);
        classes.filter_map(|class| Some((self.queues[class as usize].front()?.0, class))).min()
    }
}
