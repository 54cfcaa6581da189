//! The rules of asks, written a second time: slow and simple, over plain lists. A mistake can be planted in each rule.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::asks::caps::AskCaps;
use crate::asks::event::EventKind::{self, *};
use crate::asks::preferences::Preference;
use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::model::preferences::PreferenceRule;
use crate::model::time::Timestamp;
use crate::query::paths::answer::WarmPath;

pub(super) const DAY: i64 = 86_400;

/// A rule that the oracle breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    UndoneEventsCount,
    ConnectorsWithdraw,
    MetFollowsDeclined,
    ReopenedIsForAll,
    ClosedAsksAreRequests,
    MissingPeopleCount,
    FormerIdsAreStrangers,
    WithdrawnAsksAreRecent,
    ClosedAsksAreNotRecent,
    TheLastDayCounts,
    TargetsCoolFromTheFirst,
    TheFirstAskerIsShown,
    CompaniesAreNoTargets,
    ThroughSparesNobody,
    TheLastDayIsFree,
    NeverComesLast,
    ShorterPreferencesFirst,
    CoolingComesFirst,
    PlannedAsksAreFree,
    TiesByTheLastIndex,
    OnlyTheWarmestConnector,
    LaterForgetsThePlan,
}

impl Mistake {
    pub(super) const ALL: [Self; 22] = [
        Self::UndoneEventsCount,
        Self::ConnectorsWithdraw,
        Self::MetFollowsDeclined,
        Self::ReopenedIsForAll,
        Self::ClosedAsksAreRequests,
        Self::MissingPeopleCount,
        Self::FormerIdsAreStrangers,
        Self::WithdrawnAsksAreRecent,
        Self::ClosedAsksAreNotRecent,
        Self::TheLastDayCounts,
        Self::TargetsCoolFromTheFirst,
        Self::TheFirstAskerIsShown,
        Self::CompaniesAreNoTargets,
        Self::ThroughSparesNobody,
        Self::TheLastDayIsFree,
        Self::NeverComesLast,
        Self::ShorterPreferencesFirst,
        Self::CoolingComesFirst,
        Self::PlannedAsksAreFree,
        Self::TiesByTheLastIndex,
        Self::OnlyTheWarmestConnector,
        Self::LaterForgetsThePlan,
    ];
}

/// The author of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    Asker,
    Admin,
    Other,
    Connector,
    Mail,
}

#[derive(Clone, Debug)]
pub(super) struct WrittenLine {
    pub(super) id: usize,
    pub(super) kind: EventKind,
    pub(super) says: Says,
    pub(super) undoes: Option<usize>,
}

/// An ask as its lines were written.
#[derive(Clone, Debug)]
pub(super) struct AskLines {
    pub(super) asker: String,
    pub(super) person: String,
    pub(super) connector: Option<String>,
    pub(super) via: Option<String>,
    pub(super) at: i64,
    pub(super) lines: Vec<WrittenLine>,
}

/// An ask whose people are all in the network.
pub(super) struct Present {
    pub(super) asker: u32,
    pub(super) person: PersonIx,
    over: PersonIx,
    pub(super) at: i64,
    state: EventKind,
}

pub(super) struct Oracle<'a> {
    pub(super) index: &'a GraphIndex,
    pub(super) asks: &'a [AskLines],
    pub(super) formerly: &'a HashMap<String, String>,
    pub(super) preferences: &'a [Preference],
    pub(super) caps: AskCaps,
    pub(super) now: i64,
    pub(super) mistake: Option<Mistake>,
}

/// The asks of a connector or target: whether open, how many are recent, and when cooling ends.
pub(super) type Counts = (u32, u32, Option<i64>);

impl Oracle<'_> {
    fn breaks(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    pub(super) fn standing<'b>(&self, ask: &'b AskLines) -> &'b WrittenLine {
        let undone: Vec<usize> = ask.lines.iter().filter_map(|line| line.undoes).collect();
        for line in ask.lines.iter().rev() {
            let counts = !undone.contains(&line.id) || self.breaks(Mistake::UndoneEventsCount);
            if line.kind != Reopened && counts {
                return line;
            }
        }
        &ask.lines[0]
    }

    /// Whether `says` may write an event of `kind` to `ask` now.
    pub(super) fn accepts(&self, ask: &AskLines, kind: EventKind, says: Says) -> bool {
        let standing = self.standing(ask);
        let state = standing.kind;
        let open = [Asked, Agreed, Introduced].contains(&state);
        match kind {
            Asked => false,
            Agreed => [Says::Asker, Says::Connector].contains(&says) && state == Asked,
            Declined => [Says::Asker, Says::Connector].contains(&says) && open,
            Introduced => [Says::Asker, Says::Mail].contains(&says) && [Asked, Agreed].contains(&state),
            InTouch => [Says::Asker, Says::Mail].contains(&says) && open,
            Met => {
                [Says::Asker, Says::Mail].contains(&says)
                    && (open
                        || state == InTouch
                        || (state == Declined && self.breaks(Mistake::MetFollowsDeclined)))
            }
            NoAnswer => [Says::Asker, Says::Admin].contains(&says) && open,
            Withdrawn => {
                let connector = says == Says::Connector && self.breaks(Mistake::ConnectorsWithdraw);
                ([Says::Asker, Says::Admin].contains(&says) || connector) && open
            }
            Reopened => {
                let own = says == Says::Connector && standing.says == Says::Connector;
                let anybody = self.breaks(Mistake::ReopenedIsForAll);
                (own || anybody || [Says::Asker, Says::Admin].contains(&says)) && state != Asked
            }
        }
    }

    fn find(&self, id: &str) -> Option<PersonIx> {
        let mut id = id;
        while let Some(next) = self.formerly.get(id).filter(|_| !self.breaks(Mistake::FormerIdsAreStrangers))
        {
            id = next;
        }
        self.index.data.people.ids.iter().position(|one| one == id).map(|row| PersonIx(row as u32))
    }

    /// The asks whose people are all in the network.
    pub(super) fn present(&self) -> Vec<Present> {
        let mut present = Vec::new();
        for ask in self.asks {
            let data = &self.index.data;
            let Some(asker) = data.members.user_ids.iter().position(|id| id == ask.asker) else { continue };
            let Some(person) = self.find(&ask.person) else { continue };
            let others: Vec<Option<PersonIx>> =
                [&ask.connector, &ask.via].into_iter().flatten().map(|id| self.find(id)).collect();
            if others.contains(&None) && !self.breaks(Mistake::MissingPeopleCount) {
                continue;
            }
            let over = match &ask.connector {
                Some(connector) => self.find(connector).unwrap_or(person),
                None => data.members.people[asker],
            };
            let state = self.standing(ask).kind;
            present.push(Present { asker: asker as u32, person, over, at: ask.at, state });
        }
        present
    }

    /// The asks that count as rows of `intro_requests`.
    pub(super) fn requests(&self) -> Vec<Present> {
        let all = self.breaks(Mistake::ClosedAsksAreRequests);
        self.present().into_iter().filter(|ask| all || is_open(ask.state)).collect()
    }

    fn recent(&self, over: PersonIx) -> Vec<i64> {
        let days = i64::from(self.caps.days) * DAY;
        let now = self.now;
        let last = i64::from(self.breaks(Mistake::TheLastDayCounts));
        let counts = |ask: &Present| match ask.state {
            Withdrawn => self.breaks(Mistake::WithdrawnAsksAreRecent),
            state => is_open(state) || !self.breaks(Mistake::ClosedAsksAreNotRecent),
        };
        let asks = self.present().into_iter().filter(|ask| ask.over == over && counts(ask));
        asks.map(|ask| ask.at).filter(|at| at + days + last > now).collect()
    }

    /// Returns when asks at these times stop reaching the cap.
    fn cools(&self, mut recent: Vec<i64>) -> Option<i64> {
        let (most, days) = (self.caps.per_connector as usize, i64::from(self.caps.days) * DAY);
        if most == 0 || days == 0 {
            return None;
        }
        recent.sort_unstable();
        let mut until = None;
        while recent.len() >= most {
            until = Some(recent.remove(0) + days);
        }
        until
    }

    pub(super) fn of_connector(&self, connector: PersonIx) -> Counts {
        let recent = self.recent(connector);
        let open = self.present().iter().filter(|ask| ask.over == connector && is_open(ask.state)).count();
        (open as u32, recent.len() as u32, self.cools(recent))
    }

    /// Returns how many asks for the target are open, the latest one's time and asker, and when cooling ends.
    pub(super) fn of_target(&self, target: PersonIx) -> (u32, Option<(i64, u32)>, Option<i64>) {
        let days = i64::from(self.caps.per_target_days) * DAY;
        let asks: Vec<Present> =
            self.present().into_iter().filter(|ask| ask.person == target && ask.state != Withdrawn).collect();
        let open = asks.iter().filter(|ask| is_open(ask.state)).count();
        let times = asks.iter().map(|ask| ask.at);
        let latest = if self.breaks(Mistake::TargetsCoolFromTheFirst) { times.min() } else { times.max() };
        let cools = |at: i64| days > 0 && at + days > self.now;
        let shown =
            asks.iter().filter(|ask| is_open(ask.state) || cools(ask.at)).map(|ask| (ask.at, ask.asker));
        let shown = if self.breaks(Mistake::TheFirstAskerIsShown) { shown.min() } else { shown.max() };
        (open as u32, shown, latest.filter(|at| cools(*at)).map(|at| at + days))
    }

    /// Finds the preference that a path breaks: its rule, its last day, and the people it allows, joined over equal
    /// preferences.
    pub(super) fn broken(
        &self,
        path: &WarmPath,
    ) -> Option<(PreferenceRule, Option<String>, Vec<Option<PersonIx>>)> {
        let of = path.people(self.index);
        let today = Timestamp { seconds: self.now, nanos: 0 }.to_rfc3339_ms()[..10].to_owned();
        let company = self.index.data.people.company(of.target);
        let company = company.map(|company| self.index.data.companies.ids.get(company.0).to_owned());
        let is = |id: &str, person: PersonIx| self.find(id) == Some(person);
        let mut broken: Vec<&Preference> = Vec::new();
        for preference in self.preferences {
            let at_company =
                |id: &str| company.as_deref() == Some(id) && !self.breaks(Mistake::CompaniesAreNoTargets);
            let connector = preference
                .connector
                .as_deref()
                .is_none_or(|id| is(id, of.connector) || of.via.is_some_and(|via| is(id, via)));
            let target = preference.target.as_deref().is_none_or(|id| is(id, of.target) || at_company(id));
            let until = preference.until.as_deref().is_none_or(|until| {
                if self.breaks(Mistake::TheLastDayIsFree) { until > &today[..] } else { until >= &today[..] }
            });
            let spared = preference.rule == PreferenceRule::Through
                && !self.breaks(Mistake::ThroughSparesNobody)
                && preference.through.as_deref().is_some_and(|id| {
                    is(id, of.member) || is(id, of.connector) || of.via.is_some_and(|via| is(id, via))
                });
            if connector && target && until && !spared {
                broken.push(preference);
            }
        }
        let longest = |one: &&Preference| (one.until.is_some(), Reverse(one.until.clone()));
        let rule =
            |one: &&Preference| (one.rule == PreferenceRule::Through) != self.breaks(Mistake::NeverComesLast);
        let first = match self.breaks(Mistake::ShorterPreferencesFirst) {
            true => broken.iter().min_by_key(|one| (rule(one), Reverse(longest(one)))),
            false => broken.iter().min_by_key(|one| (rule(one), longest(one))),
        }?;
        let alike = broken.iter().filter(|one| one.rule == first.rule && one.until == first.until);
        let through = alike.map(|one| one.through.as_deref().and_then(|id| self.find(id))).collect();
        Some((first.rule, first.until.clone(), through))
    }
}

/// Whether a step of the plan drops a path.
type Goes<'a> = &'a dyn Fn(&WarmPath) -> bool;

/// The plan for one target.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Now(WarmPath),
    Later(WarmPath, String),
    Never(&'static str),
}

impl Oracle<'_> {
    /// The plan for targets with these paths, warmest first, and the number of people withheld from each.
    pub(super) fn plan(&self, targets: &[(Vec<WarmPath>, u32)], requested: &[PersonIx]) -> Vec<Step> {
        let mut steps: Vec<Option<Step>> = vec![None; targets.len()];
        let mut left: Vec<(usize, Vec<WarmPath>)> = Vec::new();
        for (place, (paths, withheld)) in targets.iter().enumerate() {
            let asked = |path: &WarmPath| requested.contains(&path.target);
            let cools = |path: &WarmPath| self.of_target(path.target).2.is_some();
            let broken = |path: &WarmPath| self.broken(path).is_some();
            let mut goes: Vec<(&'static str, Goes<'_>)> =
                vec![("asked", &asked), ("cooling", &cools), ("do_not_ask", &broken)];
            if self.breaks(Mistake::CoolingComesFirst) {
                goes.swap(0, 1);
            }
            if paths.is_empty() {
                steps[place] = Some(Step::Never(if *withheld > 0 { "asked" } else { "no_path" }));
                continue;
            }
            let mut paths = paths.clone();
            for (reason, goes) in goes {
                paths.retain(|path| !goes(path));
                if paths.is_empty() {
                    steps[place] = Some(Step::Never(reason));
                    break;
                }
            }
            if !paths.is_empty() {
                left.push((place, paths));
            }
        }
        let mut planned: Vec<PersonIx> = Vec::new();
        let until = |connector: PersonIx, planned: &[PersonIx]| {
            let mut asked = self.recent(connector);
            asked.extend(planned.iter().filter(|one| **one == connector).map(|_| self.now));
            self.cools(asked)
        };
        loop {
            let mut best: Option<(u32, usize, WarmPath)> = None;
            for (row, (_, paths)) in left.iter().enumerate() {
                let counting = if self.breaks(Mistake::PlannedAsksAreFree) { &[][..] } else { &planned[..] };
                let mut free = paths.iter().take(if self.breaks(Mistake::OnlyTheWarmestConnector) {
                    1
                } else {
                    usize::MAX
                });
                let Some(path) = free.find(|path| until(path.connector, counting).is_none()) else {
                    continue;
                };
                let is_better = |warmness: u32| match self.breaks(Mistake::TiesByTheLastIndex) {
                    true => path.warmness >= warmness,
                    false => path.warmness > warmness,
                };
                if best.as_ref().is_none_or(|(warmness, ..)| is_better(*warmness)) {
                    best = Some((path.warmness, row, *path));
                }
            }
            let Some((_, row, path)) = best else { break };
            planned.push(path.connector);
            let (place, _) = left.remove(row);
            steps[place] = Some(Step::Now(path));
        }
        for (place, paths) in left {
            let counting = if self.breaks(Mistake::LaterForgetsThePlan) { &[][..] } else { &planned[..] };
            let after = until(paths[0].connector, counting).unwrap_or(self.now);
            let day = Timestamp { seconds: after, nanos: 0 }.to_rfc3339_ms()[..10].to_owned();
            steps[place] = Some(Step::Later(paths[0], day));
        }
        steps.into_iter().map(|step| step.unwrap_or(Step::Never("forgotten"))).collect()
    }
}

pub(super) fn is_open(state: EventKind) -> bool {
    [Asked, Agreed, Introduced].contains(&state)
}
