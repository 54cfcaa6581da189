//! Does the score of a tie predict who answers whom in the months after? A study on a public mail archive, described in
//! `docs/scoring.md`: it prints the area under the curve of the score and of simple counts, with intervals by
//! bootstrap.
//!
//!     python3 docs/studies/enron_events.py enron.rda > enron.tsv
//!     cargo bench --bench answers -- enron.tsv
//!
//! A line of the file contains a time in seconds since 1970, a sender, and recipients separated by commas.
#![allow(missing_docs, reason = "a program")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a broken assumption should stop it"
)]

use std::collections::{BTreeMap, BTreeSet};

use kith_import::dates::CalendarDay;
use kith_import::limits::IMPORT_OTHERS_MAX;
use kith_import::score::event::{TieEvent, TieEventKind};
use kith_import::score::ledger::TieLedger;
use kith_import::score::points::score;
use kith_import::score::tie::Tie;
use kith_import::score::weights::Weights;
use time::OffsetDateTime;

/// The days on which all ties are scored. The constants of the score were chosen on the first three.
const AS_OF: [&str; 7] =
    ["2000-07-01", "2000-10-01", "2001-01-01", "2001-04-01", "2001-07-01", "2001-10-01", "2002-01-01"];
const CHOSEN_ON: usize = 3;
/// Length of the window after each of these days, in days.
const WINDOW: i64 = 90;
/// Maximum time of an answer, in days.
const ANSWER: i64 = 14;
const RESAMPLES: usize = 2000;
/// The predictors: the score, and the simple counts to beat.
const PREDICTORS: [&str; 6] = ["score", "messages", "received", "answered", "months", "recency"];

/// One mail.
struct SentMail {
    day: i64,
    from: u32,
    to: Vec<u32>,
}

/// A tie on one of these days, and what followed.
struct Outcome {
    round: usize,
    owner: u32,
    predicted: [f64; PREDICTORS.len()],
    /// Whether the other person wrote to the owner in the window.
    is_heard: bool,
    /// Whether an answer came, if the owner wrote in the window.
    is_answered: Option<bool>,
}

/// The days of the mails from one person to another.
type Days = BTreeMap<(u32, u32), Vec<i64>>;

fn main() {
    let Some(file) = std::env::args().skip(1).find(|arg| !arg.starts_with('-')) else {
        println!("no archive named: see the head of benches/answers.rs");
        return;
    };
    let mails = read(&std::fs::read_to_string(file).unwrap());
    let mut days = Days::new();
    for mail in mails.iter().filter(|mail| mail.to.len() <= IMPORT_OTHERS_MAX) {
        mail.to.iter().for_each(|&to| days.entry((mail.from, to)).or_default().push(mail.day));
    }
    let outcomes: Vec<Outcome> =
        (0..AS_OF.len()).flat_map(|round| outcomes_of(round, &mails, &days)).collect();
    println!("{} mails, {} ties on {} days", mails.len(), outcomes.len(), AS_OF.len());
    for (title, rounds) in [("chosen on", 0..CHOSEN_ON), ("held out", CHOSEN_ON..AS_OF.len())] {
        let of_rounds = || outcomes.iter().filter(|outcome| rounds.contains(&outcome.round));
        let heard: Vec<(&Outcome, bool)> = of_rounds().map(|outcome| (outcome, outcome.is_heard)).collect();
        let written = of_rounds().filter_map(|outcome| Some((outcome, outcome.is_answered?)));
        report(&format!("answers to those who wrote, {title}"), &written.collect::<Vec<_>>());
        report(&format!("writes at all, {title}"), &heard);
    }
}

fn read(text: &str) -> Vec<SentMail> {
    let line = |line: &str| {
        let mut cells = line.split('\t');
        let second: i64 = cells.next()?.parse().ok()?;
        let from = cells.next()?.parse().ok()?;
        let to = cells.next()?.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(SentMail { day: second.div_euclid(86_400), from, to })
    };
    text.lines().map(|text| line(text).unwrap_or_else(|| panic!("no mail: {text}"))).collect()
}

fn calendar_day(day: i64) -> CalendarDay {
    let date = OffsetDateTime::from_unix_timestamp(day * 86_400).unwrap();
    CalendarDay::new(date.year() as u16, date.month().into(), date.day()).unwrap()
}

/// Every tie in the mail before the day of `round`, as each owner's own archive shows it.
fn outcomes_of(round: usize, mails: &[SentMail], days: &Days) -> Vec<Outcome> {
    let as_of = CalendarDay::parse(AS_OF[round]).unwrap();
    let before = mails.partition_point(|mail| calendar_day(mail.day) < as_of);
    let start = mails[before].day;
    let mut ledger = TieLedger::default();
    for mail in &mails[..before] {
        let at = Some(calendar_day(mail.day));
        let event = TieEvent { kind: TieEventKind::Mail, from: mail.from, to: mail.to.clone(), at };
        for owner in mail.to.iter().chain([&mail.from]).collect::<BTreeSet<_>>() {
            // Mail to many recipients adds nothing.
            let _ = ledger.add(owner, &event, 0);
        }
    }
    let none = Vec::new();
    let outcome = |(&owner, &other, history): (&u32, &u32, &kith_import::score::ledger::TieHistory)| {
        let mut tie = Tie::default();
        history.fill(&mut tie, as_of);
        let within = |from, to, most: i64| {
            let all = days.get(&(from, to)).unwrap_or(&none).iter().copied();
            all.filter(move |day| (start..start + most).contains(day)).collect::<Vec<i64>>()
        };
        let (wrote, back) = (within(owner, other, WINDOW), within(other, owner, WINDOW + ANSWER));
        let answers = |sent: &i64| back.iter().any(|day| (*sent..=sent + ANSWER).contains(day));
        Outcome {
            round,
            owner,
            predicted: predicted(&tie, as_of, start),
            is_heard: back.iter().any(|day| *day < start + WINDOW),
            is_answered: (!wrote.is_empty()).then(|| wrote.iter().any(answers)),
        }
    };
    ledger.histories().map(outcome).collect()
}

fn predicted(tie: &Tie, as_of: CalendarDay, start: i64) -> [f64; PREDICTORS.len()] {
    let mail = tie.mail;
    let last = mail.last.map_or(0, |day| {
        let day = format!("{:04}-{:02}-{:02}T00:00:00Z", day.year, day.month, day.day);
        kith_server::model::time::Timestamp::parse(&day).unwrap().seconds / 86_400
    });
    [
        f64::from(score(tie, as_of, &Weights::default()).warmness),
        mail.count() as f64,
        f64::from(mail.received),
        f64::from(mail.sent.min(mail.received)),
        f64::from(mail.months),
        (last - start) as f64,
    ]
}

/// Prints the area under the curve of each predictor, over all pairs of ties, and over those of one owner on one day.
fn report(title: &str, rows: &[(&Outcome, bool)]) {
    let positive = rows.iter().filter(|(_, is_positive)| *is_positive).count();
    println!("\n{title}: {} ties, {positive} of them\n", rows.len());
    println!("| predictor | area | among one's own | score less this | among one's own |");
    println!("| --- | --- | --- | --- | --- |");
    let owners: Vec<u32> =
        rows.iter().map(|(row, _)| row.owner).collect::<BTreeSet<_>>().into_iter().collect();
    let draws = draws(owners.len());
    let areas: Vec<[Vec<f64>; 2]> = (0..PREDICTORS.len())
        .map(|predictor| {
            let curve = Curve::new(rows, predictor, &owners);
            [
                draws.iter().map(|draw| curve.pooled(draw)).collect(),
                draws.iter().map(|draw| curve.own(draw)).collect(),
            ]
        })
        .collect();
    for (predictor, name) in PREDICTORS.iter().enumerate() {
        let cells = (0..2).map(|kind| interval(&areas[predictor][kind]));
        let differences = (0..2).map(|kind| {
            let pairs = areas[0][kind].iter().zip(&areas[predictor][kind]);
            interval(&pairs.map(|(score, other)| score - other).collect::<Vec<f64>>())
        });
        let cells: Vec<String> = cells.chain(differences).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// How often each owner is drawn: first each owner once, then the resamples.
fn draws(owners: usize) -> Vec<Vec<f64>> {
    let mut state = 0x616e_7377_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    };
    let mut draws = vec![vec![1.0; owners]];
    for _ in 0..RESAMPLES {
        let mut draw = vec![0.0; owners];
        (0..owners).for_each(|_| draw[below(owners)] += 1.0);
        draws.push(draw);
    }
    draws
}

/// The first of `values`, and the interval that contains 95 % of the others.
fn interval(values: &[f64]) -> String {
    let mut drawn = values[1..].to_vec();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn[((drawn.len() - 1) as f64 * share).round() as usize];
    format!("{:.3} ({:.3} to {:.3})", values[0], at(0.025), at(0.975))
}

/// Rows sorted by one predictor; each draw of owners gives them weights.
struct Curve {
    /// The index of the owner, whether the row is positive, and whether its value equals the previous row's; ascending.
    rows: Vec<(usize, bool, bool)>,
    /// For each owner: pairs of a positive and a negative row of one day, and how many are in the right order.
    own: Vec<(f64, f64)>,
}

impl Curve {
    fn new(rows: &[(&Outcome, bool)], predictor: usize, owners: &[u32]) -> Self {
        let value = |row: &Outcome| row.predicted[predictor];
        let mut sorted = rows.to_vec();
        sorted.sort_by(|(a, _), (b, _)| value(a).total_cmp(&value(b)));
        let place = |row: &Outcome| owners.binary_search(&row.owner).unwrap();
        let mut last = f64::NAN;
        let mut ranked = Vec::with_capacity(sorted.len());
        for (row, is_positive) in &sorted {
            ranked.push((place(row), *is_positive, value(row) == last));
            last = value(row);
        }
        let mut own = vec![(0.0, 0.0); owners.len()];
        for (positive, _) in sorted.iter().filter(|(_, is_positive)| *is_positive) {
            let of_day = |row: &Outcome| row.owner == positive.owner && row.round == positive.round;
            for (negative, _) in sorted.iter().filter(|(row, is_positive)| !is_positive && of_day(row)) {
                let (pairs, right) = &mut own[place(positive)];
                *pairs += 1.0;
                *right += match value(positive).total_cmp(&value(negative)) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
            }
        }
        Self { rows: ranked, own }
    }

    fn pooled(&self, draw: &[f64]) -> f64 {
        let (mut right, mut below, mut positive) = (0.0, 0.0, 0.0);
        let (mut tied_below, mut tied_positive) = (0.0, 0.0);
        for (owner, is_positive, is_tied) in self.rows.iter().copied().chain([(0, false, false)]) {
            if !is_tied {
                right += tied_positive * (below + tied_below / 2.0);
                below += tied_below;
                positive += tied_positive;
                (tied_below, tied_positive) = (0.0, 0.0);
            }
            *(if is_positive { &mut tied_positive } else { &mut tied_below }) += draw[owner];
        }
        right / (positive * below)
    }

    fn own(&self, draw: &[f64]) -> f64 {
        let weighed = self.own.iter().zip(draw).map(|((pairs, right), times)| (pairs * times, right * times));
        let (pairs, right) = weighed.fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
        right / pairs
    }
}
