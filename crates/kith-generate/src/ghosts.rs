//! The table of ghost opportunities: prospects that an agent found, and the paths to them.

use std::io;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::dice::{Dice, Stream};
use crate::ids::{Id, IdKind};
use crate::output::TableWriter;
use crate::times;
use crate::world::World;

/// Every status, and its share of 20 opportunities.
const STATUSES: [(&str, u32); 5] =
    [("visible", 8), ("saved", 4), ("accepted", 3), ("intro_requested", 2), ("dismissed", 3)];
const PRIORITIES: [&str; 3] = ["high", "medium", "low"];
const SOURCES: [&str; 4] = ["icp_agent", "signal_watch", "manual", "crm_import"];
const URGENCIES: [&str; 4] = ["high", "medium", "low", "now"];
const PATH_TYPES: [&str; 5] = ["direct", "second_degree", "advocate", "advocate_second_degree", "alumni"];
/// The agent's reasons for a prospect.
const SUMMARIES: [&str; 8] = [
    "Runs the team that would use the product every day.",
    "Has just moved into the post; budgets are drawn up this quarter.",
    "Their company opened a second plant in the same region.",
    "Asked publicly for what the organization offers.",
    "Knows the field well, decides with two others — no rush.",
    "Suchte öffentlich nach einer „schlanken“ Lösung.",
    "Former customer at an earlier company.\nWarm memories.",
    "規模は小さいが、成長が速い。",
];

/// A row of the table of ghost opportunities.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GhostRow {
    id: Id,
    prospect_id: Id,
    overall_score: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence_level: Option<Box<RawValue>>,
    status: &'static str,
    discovered_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    search_source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icp_evaluation: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    buying_intent: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_insights: Option<Box<RawValue>>,
    discovered_by: Id,
    paths: Vec<PathRow>,
}

/// One path to a prospect.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PathRow {
    connection_id: Id,
    connection_type: &'static str,
    strength_score: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_to_homie_warmness: Option<u32>,
}

/// Writes the table of ghost opportunities.
pub(crate) fn write(world: &World<'_>, table: &mut TableWriter<'_>) -> io::Result<()> {
    let mut dice = Dice::new(world.plan.seed, Stream::Opportunities);
    for number in 0..world.plan.opportunities {
        table.row(&throw(world, number, &mut dice)?)?;
    }
    Ok(())
}

fn throw(world: &World<'_>, number: u32, dice: &mut Dice) -> io::Result<GhostRow> {
    let prospect = throw_prospect(world, dice);
    Ok(GhostRow {
        id: world.ids.get(IdKind::Ghost, number),
        prospect_id: world.person_id(prospect),
        overall_score: score(dice)?,
        priority: (!dice.one_in(8)).then(|| *dice.pick(&PRIORITIES)),
        confidence_level: optional(!dice.one_in(8), || json(format!("0.{:02}", dice.between(5, 99))))?,
        status: status(dice),
        discovered_at: times::within(240, dice),
        search_source: (!dice.one_in(6)).then(|| *dice.pick(&SOURCES)),
        icp_evaluation: optional(!dice.one_in(6), || icp_evaluation(dice))?,
        buying_intent: optional(!dice.one_in(5), || buying_intent(dice))?,
        key_insights: optional(!dice.one_in(5), || key_insights(dice))?,
        discovered_by: world.ids.get(IdKind::User, world.throw_member(dice)),
        paths: paths(world, prospect, dice)?,
    })
}

/// Draws a prospect. One in fourteen works at the organization's own company; answers leave those out.
fn throw_prospect(world: &World<'_>, dice: &mut Dice) -> u32 {
    match dice.below(14) {
        0 => dice.below(world.plan.own_headcount()),
        1..=7 => world.throw_famous(dice),
        _ => world.throw_anybody(dice),
    }
}

/// Zero to six paths; of six opportunities with a path, one has members on all of them.
fn paths(world: &World<'_>, prospect: u32, dice: &mut Dice) -> io::Result<Vec<PathRow>> {
    let internal = dice.one_in(6);
    (0..dice.below(7)).map(|_| path(throw_connection(world, prospect, internal, dice), world, dice)).collect()
}

fn path(connection: u32, world: &World<'_>, dice: &mut Dice) -> io::Result<PathRow> {
    Ok(PathRow {
        connection_id: world.person_id(connection),
        connection_type: dice.pick::<&str>(&PATH_TYPES),
        strength_score: score(dice)?,
        user_to_homie_warmness: (!dice.one_in(4)).then(|| dice.below(101)),
    })
}

fn throw_connection(world: &World<'_>, prospect: u32, internal: bool, dice: &mut Dice) -> u32 {
    match (internal, dice.below(4), world.company(prospect)) {
        (true, ..) | (false, 0, _) => world.roles.members[world.throw_member(dice) as usize],
        (false, 1, _) if !world.roles.advocates.is_empty() => *dice.pick(&world.roles.advocates),
        (false, 2, Some((_, company))) => company.first + dice.below(company.employees),
        _ => world.throw_famous(dice),
    }
}

fn status(dice: &mut Dice) -> &'static str {
    let mut throw = dice.below(STATUSES.iter().map(|(_, times)| times).sum());
    for (status, times) in STATUSES {
        if throw < times {
            return status;
        }
        throw -= times;
    }
    STATUSES[0].0
}

/// A score with few distinct values, so that some are equal; some have decimals.
fn score(dice: &mut Dice) -> io::Result<Box<RawValue>> {
    let score = dice.between(4, 20) * 5;
    json(match dice.below(6) {
        0 => format!("{}.5", score - 5),
        1 => format!("{score}.0"),
        _ => score.to_string(),
    })
}

fn icp_evaluation(dice: &mut Dice) -> io::Result<Box<RawValue>> {
    let (company, prospect) = (dice.below(101), dice.below(101));
    json(match dice.below(4) {
        0 => format!(r#"{{"prospectFitScore":{prospect},"companyFitScore":{company}.50}}"#),
        1 => format!(
            r#"{{"companyFitScore":{company},"prospectFitScore":{prospect},"criteria":[{{"name":"region","met":true}},{{"name":"size","met":null}}]}}"#
        ),
        _ => format!(r#"{{"companyFitScore":{company},"prospectFitScore":{prospect}}}"#),
    })
}

fn buying_intent(dice: &mut Dice) -> io::Result<Box<RawValue>> {
    let (score, urgency) = (dice.below(101), *dice.pick(&URGENCIES));
    json(match dice.below(4) {
        0 => r#"{"overallIntentScore":0}"#.to_owned(),
        1 => format!(
            r#"{{"urgencyLevel":"{urgency}","overallIntentScore":{score},"signals":["hiring","new funding"]}}"#
        ),
        _ => format!(r#"{{"overallIntentScore":{score},"urgencyLevel":"{urgency}"}}"#),
    })
}

fn key_insights(dice: &mut Dice) -> io::Result<Box<RawValue>> {
    let summary = serde_json::Value::from(*dice.pick(&SUMMARIES));
    json(match dice.below(5) {
        0 => format!(r#"{{"icpFitSummary":{summary},"openQuestions":[]}}"#),
        1 => format!(r#"{{"headline":"","icpFitSummary":{summary},"tenureYears":{}}}"#, dice.below(20)),
        _ => format!(r#"{{"icpFitSummary":{summary}}}"#),
    })
}

fn json(text: String) -> io::Result<Box<RawValue>> {
    RawValue::from_string(text).map_err(io::Error::from)
}

/// The result of `make` if `present`, or `None`.
fn optional<T>(present: bool, make: impl FnOnce() -> io::Result<T>) -> io::Result<Option<T>> {
    if present { make().map(Some) } else { Ok(None) }
}
