//! Whom to ask now for each of many targets, so that nobody is asked too often.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::asks::caps::AskCaps;
use crate::asks::overlay::AskOverlay;
use crate::asks::preferences::day_of;
use crate::limits::Limits;
use crate::model::ix::PersonIx;
use crate::model::named::named;
use crate::model::time::Timestamp;
use crate::query::paths;
use crate::query::paths::answer::WarmPath;
use crate::query::paths::from_set::FromSet;
use crate::query::paths::kept::KeptPath;
use crate::query::paths::rank::PathKey;
use crate::query::paths::request::PathRequest;
use crate::query::paths::target::Target;

/// Why the plan leaves out a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeverReason {
    /// It was already asked for.
    Asked,
    /// It was asked for recently.
    Cooling,
    /// Every path breaks a preference.
    DoNotAsk,
    /// No path leads to it.
    NoPath,
}

named! {
    /// All reasons, in the order in which steps drop paths.
    NeverReason { Asked = "asked", Cooling = "cooling", DoNotAsk = "do_not_ask", NoPath = "no_path" }
}

/// The plan, by the position of each target in the request. Each target that was found is in exactly one list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedOut {
    /// The introductions to ask for now, in the order chosen.
    pub now: Vec<PlannedPath>,
    /// The introductions to ask for later, each with its day (`2026-11-27`); ordered by position.
    pub later: Vec<(PlannedPath, String)>,
    /// The targets not to ask for, ordered by position.
    pub never: Vec<(usize, NeverReason)>,
}

/// The introduction to ask for, for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedPath {
    /// The position of the target.
    pub place: usize,
    /// The path.
    pub path: WarmPath,
    /// Whether the target is a company.
    pub to_company: bool,
}

/// A target that may still be asked for.
#[derive(Debug)]
struct OpenTarget {
    place: usize,
    to_company: bool,
    /// The warmest path over each connector, warmest first.
    paths: Vec<PathKey>,
}

/// Collects the targets one by one, then shares out whom to ask.
#[derive(Debug)]
pub struct Planner<'a> {
    overlay: &'a AskOverlay,
    caps: AskCaps,
    now: Timestamp,
    today: String,
    open: Vec<OpenTarget>,
    never: Vec<(usize, NeverReason)>,
}

impl<'a> Planner<'a> {
    /// Plans over `overlay` at `now`.
    #[must_use]
    pub fn new(overlay: &'a AskOverlay, caps: AskCaps, now: Timestamp) -> Self {
        Self { overlay, caps, now, today: day_of(now), open: Vec::new(), never: Vec::new() }
    }

    /// Adds the target of `request`, sent at position `place`; a target that is not found is in no list. Costs a walk
    /// that keeps every path.
    pub fn add(&mut self, place: usize, from: &FromSet, request: &PathRequest<'_>, limits: &Limits) {
        let all = paths::find_all(&self.overlay.index, from, request, limits);
        let Some(target) = all.target else { return };
        let to_company = matches!(target, Target::Company(_));
        match self.left_of(all.keys) {
            Ok(paths) => self.open.push(OpenTarget { place, to_company, paths }),
            Err(NeverReason::NoPath) if all.withheld > 0 => self.never.push((place, NeverReason::Asked)),
            Err(reason) => self.never.push((place, reason)),
        }
    }

    /// Returns the warmest allowed path over each connector, warmest first; otherwise the step that dropped the last
    /// path.
    fn left_of(&self, mut keys: Vec<PathKey>) -> Result<Vec<PathKey>, NeverReason> {
        let index = &self.overlay.index;
        let is_asked = |key: &PathKey| index.requested.has(key.target());
        let cools =
            |key: &PathKey| self.overlay.target_asks(key.target(), &self.caps, self.now).cool_until.is_some();
        let breaks = |key: &PathKey| {
            self.overlay.preferences.broken_by(index, key.people(index), &self.today).is_some()
        };
        if keys.is_empty() {
            return Err(NeverReason::NoPath);
        }
        let steps: [(NeverReason, Goes<'_>); 3] = [
            (NeverReason::Asked, &is_asked),
            (NeverReason::Cooling, &cools),
            (NeverReason::DoNotAsk, &breaks),
        ];
        for (reason, goes) in steps {
            keys.retain(|key| !goes(key));
            if keys.is_empty() {
                return Err(reason);
            }
        }
        let mut warmest: HashMap<PersonIx, PathKey> = HashMap::new();
        for key in keys {
            warmest.entry(key.connector()).and_modify(|first| *first = key.min(*first)).or_insert(key);
        }
        let mut left: Vec<PathKey> = warmest.into_values().collect();
        left.sort_unstable();
        Ok(left)
    }

    /// Repeatedly picks the target with the warmest path over a connector below the cap, and asks for it now.
    #[must_use]
    pub fn share_out(mut self) -> SharedOut {
        let mut load = Load { overlay: self.overlay, caps: self.caps, now: self.now, asked: HashMap::new() };
        let mut plan = SharedOut::default();
        loop {
            let mut best: Option<(u32, usize, PathKey)> = None;
            for (row, target) in self.open.iter().enumerate() {
                let Some(first) = target.paths.iter().find(|key| load.cools_until(key.connector()).is_none())
                else {
                    continue;
                };
                if best.is_none_or(|(warmness, ..)| first.warmness() > warmness) {
                    best = Some((first.warmness(), row, *first));
                }
            }
            let Some((_, row, key)) = best else { break };
            load.add(key.connector());
            let target = self.open.remove(row);
            plan.now.push(self.planned(&target, key));
        }
        for target in &self.open {
            let warmest = target.paths[0];
            // No path has a connector below the cap, so the connector of the warmest introduction cools.
            let until = load.cools_until(warmest.connector()).unwrap_or(self.now);
            plan.later.push((self.planned(target, warmest), day_of(until)));
        }
        plan.never = self.never;
        plan
    }

    fn planned(&self, target: &OpenTarget, key: PathKey) -> PlannedPath {
        let path = WarmPath::look_up(&self.overlay.index, &KeptPath { key, alternatives: None });
        PlannedPath { place: target.place, path, to_company: target.to_company }
    }
}

/// Whether a step drops a path.
type Goes<'a> = &'a dyn Fn(&PathKey) -> bool;

/// The asks over each connector, planned ones included.
struct Load<'a> {
    overlay: &'a AskOverlay,
    caps: AskCaps,
    now: Timestamp,
    asked: HashMap<PersonIx, (Vec<Timestamp>, Option<Timestamp>)>,
}

impl Load<'_> {
    fn entry(&mut self, connector: PersonIx) -> &mut (Vec<Timestamp>, Option<Timestamp>) {
        match self.asked.entry(connector) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let asked = self.overlay.asked_over(connector);
                let until = self.caps.connector_cools_until(&asked, self.now);
                free.insert((asked, until))
            }
        }
    }

    fn cools_until(&mut self, connector: PersonIx) -> Option<Timestamp> {
        self.entry(connector).1
    }

    fn add(&mut self, connector: PersonIx) {
        let (caps, now) = (self.caps, self.now);
        let (asked, until) = self.entry(connector);
        asked.push(now);
        *until = caps.connector_cools_until(asked, now);
    }
}
