//! Asks over drawn networks: what the engine makes of histories, held against a slow second reading.
//!
//! Promise: Over drawn networks, preferences, histories and requests the engine takes the events, answers and marks the paths, and
//!   plans as a second reading of the rules does; open asks answer as rows of the table do; the plan keeps to its caps and is
//!   near the best that there is.
//! Control: each of 22 mistakes, planted in the second reading, is found.

mod oracle;

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use self::oracle::{AskLines, DAY, Mistake, Oracle, Says, Step, WrittenLine};
use crate::asks::ask::Writer;
use crate::asks::book::{AskBook, WrittenEvent};
use crate::asks::caps::AskCaps;
use crate::asks::event::{AskEvent, AskedOver, AskedPeople, EventBy, EventKind};
use crate::asks::overlay::AskOverlay;
use crate::asks::plan::Planner;
use crate::asks::preferences::Preference;
use crate::limits::Limits;
use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::dataset::Dataset;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::preferences::PreferenceRule;
use crate::model::time::Timestamp;
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::from_set::FromSet;
use crate::query::paths::request::{PathRequest, PathSort, TargetQuery};
use crate::sketch::net_with;

/// The moment of all requests; the days that `until` may name are near it.
const NOW: i64 = 1_780_000_000;
/// Requests to each network.
const REQUESTS: usize = 5;
const ALL: Page = Page { limit: 100_000, offset: 0 };

/// A seeded random number generator (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

const MEMBERS: [&str; 3] = ["ma", "mb", "mc"];
const OTHERS: [&str; 8] = ["p0", "p1", "p2", "p3", "p4", "p5", "av", "aw"];

/// A network of three members, two advocates, six others and two companies.
fn network(dice: &mut Dice) -> String {
    let mut text = "member ma, mb, mc\nadvocate av of ma\nadvocate aw of mb\n".to_owned();
    let mut know = |from: &str, to: &str, score: usize| {
        if from != to {
            writeln!(text, "{from} -{score}-> {to}").unwrap();
        }
    };
    let mut drawn: Vec<(&str, &str)> = Vec::new();
    for _ in 0..18 {
        let from = if dice.chance(50) { *dice.one(&MEMBERS) } else { *dice.one(&OTHERS) };
        let to = *dice.one(&OTHERS);
        if !drawn.contains(&(from, to)) {
            drawn.push((from, to));
            // Few distinct scores, so that there are ties.
            know(from, to, 20 * (1 + dice.below(5)));
        }
    }
    for person in OTHERS {
        if dice.chance(60) {
            writeln!(text, "{person} @ {}", dice.one(&["x", "y"])).unwrap();
        } else {
            writeln!(text, "{person}").unwrap();
        }
    }
    if dice.chance(30) {
        writeln!(text, "intro to {} by {}", dice.one(&OTHERS[..6]), dice.one(&MEMBERS)).unwrap();
    }
    text
}

fn person_id(dice: &mut Dice) -> String {
    match dice.below(20) {
        0 => "person_gone".to_owned(),
        1 => "person_older".to_owned(),
        2 => "person_old".to_owned(),
        _ => format!("person_{}", dice.one(&OTHERS)),
    }
}

fn preference(dice: &mut Dice) -> Preference {
    let connector = dice.chance(60).then(|| person_id(dice));
    let target = (connector.is_none() || dice.chance(50)).then(|| match dice.chance(40) {
        true => format!("company_{}", dice.one(&["x", "y"])),
        false => person_id(dice),
    });
    let rule = if dice.chance(50) { PreferenceRule::Never } else { PreferenceRule::Through };
    let through = (rule == PreferenceRule::Through).then(|| match dice.chance(50) {
        true => format!("person_{}", dice.one(&MEMBERS)),
        false => format!("person_{}", dice.one(&OTHERS)),
    });
    let until = dice.chance(60).then(|| day(NOW + (dice.below(5) as i64 - 2) * DAY));
    Preference { connector, target, rule, through, until }
}

fn day(at: i64) -> String {
    Timestamp { seconds: at, nanos: 0 }.to_rfc3339_ms()[..10].to_owned()
}

/// A network with preferences and a history, both as the engine holds it and as it was written.
struct Trial {
    text: String,
    asks: Vec<AskLines>,
    formerly: HashMap<String, String>,
    preferences: Vec<Preference>,
    caps: AskCaps,
    mistake: Option<Mistake>,
}

/// A difference between the engine and the oracle.
type Difference = String;

impl Trial {
    fn oracle<'a>(&'a self, index: &'a crate::graph::index::GraphIndex) -> Oracle<'a> {
        Oracle {
            index,
            asks: &self.asks,
            formerly: &self.formerly,
            preferences: &self.preferences,
            caps: self.caps,
            now: NOW,
            mistake: self.mistake,
        }
    }

    /// Draws a history, event by event, and builds the engine's book of it.
    fn history(&mut self, dice: &mut Dice) -> Result<AskBook, Difference> {
        let net = net_with(&self.text, |_| ());
        let mut book = AskBook::default();
        for number in 0..dice.below(24) {
            if self.asks.is_empty() || dice.chance(45) {
                book = book.after([self.ask(dice, number)]);
                continue;
            }
            let place = dice.below(self.asks.len());
            let kind = *dice.one(&EventKind::ALL[1..]);
            let (says, writer, by) = match dice.below(10) {
                0..=4 => (Says::Asker, Writer::Asker, member("user_ma")),
                5 => (Says::Admin, Writer::Member { is_admin: true }, member("user_mb")),
                6 => (Says::Other, Writer::Member { is_admin: false }, member("user_mc")),
                7..=8 => (Says::Connector, Writer::Connector, EventBy::Connector),
                _ => {
                    (Says::Mail, Writer::Observed, EventBy::Observed { source: "mail".into(), day: day(NOW) })
                }
            };
            let id = format!("ask_{place}");
            let engine = book.find(&id).ok_or("an ask is lost")?.1;
            let takes = engine.check(kind, writer).is_ok();
            let oracle = self.oracle(&net);
            if takes != oracle.accepts(&self.asks[place], kind, says) {
                return Err(format!("{kind:?} by {says:?} of {:?}", self.asks[place]));
            }
            if !takes {
                continue;
            }
            let undoes = (kind == EventKind::Reopened).then(|| oracle.standing(&self.asks[place]).id);
            let engine_undoes = (kind == EventKind::Reopened).then(|| engine.standing().id.clone());
            if engine_undoes != undoes.map(|id| format!("event_{id}")) {
                return Err(format!("undone: {engine_undoes:?} and {undoes:?}"));
            }
            self.asks[place].lines.push(WrittenLine { id: number, kind, says, undoes });
            let event = event(number, &id, kind, by, engine_undoes);
            book = book.after([WrittenEvent { event, begins: None }]);
        }
        book.formerly = self.formerly.clone();
        book.preferences = self.preferences.clone();
        Ok(book)
    }

    fn ask(&mut self, dice: &mut Dice, number: usize) -> WrittenEvent {
        let (asker, person) = (format!("user_{}", dice.one(&MEMBERS)), person_id(dice));
        let connector = dice.chance(80).then(|| person_id(dice));
        let via = (connector.is_some() && dice.chance(20)).then(|| person_id(dice));
        // Half of them lie near the ends of the counted days, to the second.
        let at = match dice.below(4) {
            0 => NOW - i64::from(self.caps.days) * DAY,
            1 => NOW - i64::from(self.caps.per_target_days) * DAY,
            _ => NOW - dice.below(40) as i64 * DAY,
        } + dice.below(3) as i64
            - 1;
        let line = WrittenLine { id: number, kind: EventKind::Asked, says: Says::Asker, undoes: None };
        let id = format!("ask_{}", self.asks.len());
        let mut event = event(number, &id, EventKind::Asked, member(&asker), None);
        event.at = Timestamp { seconds: at, nanos: 0 };
        let people =
            AskedPeople { person: person.clone(), connector: connector.clone(), via_advocate: via.clone() };
        self.asks.push(AskLines { asker: asker.clone(), person, connector, via, at, lines: vec![line] });
        WrittenEvent { event, begins: Some((asker, people, AskedOver::default())) }
    }

    /// Asks the engine and the oracle, and compares their answers.
    fn run(dice: &mut Dice, mistake: Option<Mistake>) -> Result<(), Difference> {
        let caps = AskCaps {
            per_connector: dice.below(4) as u32,
            days: 10 * dice.below(4) as u32,
            per_target_days: 10 * dice.below(4) as u32,
        };
        let formerly = [("person_older", "person_old"), ("person_old", "person_p3")];
        let formerly = formerly.map(|(former, present)| (former.to_owned(), present.to_owned())).into();
        let preferences = (0..dice.below(4)).map(|_| preference(dice)).collect();
        let mut trial = Self { text: network(dice), asks: Vec::new(), formerly, preferences, caps, mistake };
        let book = Arc::new(trial.history(dice)?);
        let net = net_with(&trial.text, |_| ());
        let overlay = AskOverlay::build(&net, &book);
        let oracle = trial.oracle(&net);
        let rows: Vec<(PersonIx, i64, u32)> =
            oracle.requests().iter().map(|ask| (ask.person, ask.at, ask.asker)).collect();
        let of_rows = net_with(&trial.text, |data| add_rows(data, &rows));
        let requested: Vec<PersonIx> = (0..net.data.people.len() as u32)
            .map(PersonIx)
            .filter(|one| of_rows.requested.has(*one))
            .collect();
        for _ in 0..REQUESTS {
            let id = match dice.chance(30) {
                true => format!("company_{}", dice.one(&["x", "y"])),
                false => format!("person_{}", dice.one(&OTHERS)),
            };
            let request = request(&id, dice);
            let (found, expected) = (
                format!("{:?}", paths::list(&overlay.index, &request, &Limits::DEFAULT)),
                format!("{:?}", paths::list(&of_rows, &request, &Limits::DEFAULT)),
            );
            if found != expected {
                return Err(format!("{id} with asks:\n{found}\nwith rows:\n{expected}"));
            }
            for path in paths::find(&overlay.index, &request, &Limits::DEFAULT).paths {
                same_marks(&overlay, &oracle, &path)?;
            }
            same_plan(&overlay, &of_rows, &oracle, &requested, dice)?;
        }
        Ok(())
    }
}

fn member(user: &str) -> EventBy {
    EventBy::Member { user_id: user.to_owned(), name: String::new() }
}

fn event(number: usize, ask: &str, kind: EventKind, by: EventBy, undoes: Option<String>) -> AskEvent {
    let at = Timestamp { seconds: NOW - DAY, nanos: 0 };
    AskEvent { id: format!("event_{number}"), ask: ask.to_owned(), at, kind, by, note: None, undoes }
}

/// Adds `rows` to the table of intro requests, latest first for each person.
fn add_rows(data: &mut Dataset, rows: &[(PersonIx, i64, u32)]) {
    let table = &mut data.intro_requests;
    let before = table.people.iter().zip(&table.requested_at).zip(&table.requested_by);
    let mut all: Vec<(PersonIx, Timestamp, MemberIx)> =
        before.map(|((person, at), by)| (*person, *at, *by)).collect();
    all.extend(
        rows.iter().map(|&(person, at, by)| (person, Timestamp { seconds: at, nanos: 0 }, MemberIx(by))),
    );
    all.sort_by_key(|&(person, at, by)| (person, std::cmp::Reverse((at, by))));
    table.people = all.iter().map(|row| row.0).collect();
    table.requested_at = all.iter().map(|row| row.1).collect();
    table.requested_by = all.iter().map(|row| row.2).collect();
    table.statuses =
        DictionaryColumn::from_texts(&TextColumn::from_texts(all.iter().map(|_| "ACTIVE")).unwrap());
}

fn request<'a>(id: &'a str, dice: &mut Dice) -> PathRequest<'a> {
    let target =
        if id.starts_with("company_") { TargetQuery::CompanyId(id) } else { TargetQuery::PersonId(id) };
    PathRequest {
        include_intro_requested: dice.chance(50),
        from: dice.chance(30).then(|| vec![MemberIx(dice.below(3) as u32)]),
        sort: if dice.chance(50) { PathSort::Tier } else { PathSort::Warmness },
        ..PathRequest::to(target, ALL)
    }
}

fn same_marks(
    overlay: &AskOverlay,
    oracle: &Oracle<'_>,
    path: &paths::answer::WarmPath,
) -> Result<(), Difference> {
    let marks = overlay.marks(path, &oracle.caps, Timestamp { seconds: NOW, nanos: 0 });
    let seconds = |at: Option<Timestamp>| at.map(|at| at.seconds);
    let connector = (marks.connector.open, marks.connector.recent, seconds(marks.connector.cool_until));
    let latest = marks.target.latest.map(|(by, at)| {
        let asker = overlay.index.data.members.user_ids.iter().position(|id| id == by.id).unwrap();
        (at.seconds, asker as u32)
    });
    let target = (marks.target.open, latest, seconds(marks.target.cool_until));
    let expected = (oracle.of_connector(path.connector), oracle.of_target(path.target));
    if (connector, target) != expected {
        return Err(format!("marks {:?}, expected {expected:?}", (connector, target)));
    }
    let broken = oracle.broken(path);
    let is_same = match (&marks.preference, &broken) {
        (None, None) => true,
        (Some(found), Some((rule, until, through))) => {
            let by = found.through.map(|card| overlay.index.find_person(card.id).unwrap());
            found.rule == rule.name() && found.until == *until && through.contains(&by)
        }
        _ => false,
    };
    if is_same { Ok(()) } else { Err(format!("broken {:?}, expected {broken:?}", marks.preference)) }
}

/// Plans some targets with both the engine and the oracle.
fn same_plan(
    overlay: &AskOverlay,
    of_rows: &crate::graph::index::GraphIndex,
    oracle: &Oracle<'_>,
    requested: &[PersonIx],
    dice: &mut Dice,
) -> Result<(), Difference> {
    let from = FromSet::new(&overlay.index, None);
    let mut planner = Planner::new(overlay, oracle.caps, Timestamp { seconds: NOW, nanos: 0 });
    let mut targets = Vec::new();
    for place in 0..1 + dice.below(5) {
        let id = match dice.chance(25) {
            true => format!("company_{}", dice.one(&["x", "y"])),
            false => format!("person_{}", dice.one(&OTHERS)),
        };
        let request = PathRequest { from: None, sort: PathSort::Warmness, ..request(&id, dice) };
        planner.add(place, &from, &request, &Limits::DEFAULT);
        let all = paths::find(of_rows, &request, &Limits::DEFAULT);
        // A company without employees is not found.
        if all.target.is_none() {
            return Ok(());
        }
        targets.push((all.paths, all.coverage.excluded_intro_requested));
    }
    let plan = planner.share_out();
    let mut steps: Vec<Option<Step>> = vec![None; targets.len()];
    let mut put = |place: usize, step: Step| {
        let is_first = steps[place].is_none();
        steps[place] = Some(step);
        is_first
    };
    let now = plan.now.iter().map(|planned| put(planned.place, Step::Now(planned.path))).collect::<Vec<_>>();
    let later =
        plan.later.iter().map(|(planned, day)| put(planned.place, Step::Later(planned.path, day.clone())));
    let later = later.collect::<Vec<_>>();
    let never =
        plan.never.iter().map(|(place, reason)| put(*place, Step::Never(reason.name()))).collect::<Vec<_>>();
    if [now, later, never].concat().contains(&false) {
        return Err("a target is in two lists".to_owned());
    }
    let found: Vec<Step> = steps.into_iter().map(|step| step.unwrap_or(Step::Never("left out"))).collect();
    let expected = oracle.plan(&targets, requested);
    if found == expected { Ok(()) } else { Err(format!("plan {found:?}\nexpected {expected:?}")) }
}

/// Networks with [`REQUESTS`] requests each.
const NETWORKS: u64 = 2_000;

#[test]
fn asks_mean_what_a_second_reading_says() {
    for seed in 0..NETWORKS {
        let trial = Trial::run(&mut Dice(seed), None);
        assert_eq!(trial, Ok(()), "network {seed}");
    }
}

#[test]
fn each_planted_mistake_is_found() {
    for mistake in Mistake::ALL {
        let found = (0..NETWORKS).find(|&seed| Trial::run(&mut Dice(seed), Some(mistake)).is_err());
        assert!(found.is_some(), "{mistake:?} changes nothing in {NETWORKS} networks");
    }
}
