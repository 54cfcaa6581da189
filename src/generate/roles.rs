//! Who of the people are members, and who helps whom as an advocate.

use std::io;

use serde::Serialize;

use super::dice::{Dice, Stream};
use super::ids::{Id, IdKind};
use super::output::TableWriter;
use super::plan::Plan;
use super::times;
use super::world::World;

/// What a person is to the organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Other,
    Member,
    Advocate,
}

/// The answer of somebody asked to be an advocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdvocateAnswer {
    Accepted,
    Pending,
    Declined,
}

/// One row of the table of advocates, before it has ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdvocacyRow {
    pub(super) person: u32,
    /// The member's number.
    pub(super) member: u32,
    pub(super) answer: AdvocateAnswer,
}

/// Members and advocates of a network.
pub(super) struct Roles {
    /// What each person is.
    pub(super) of: Vec<Standing>,
    /// The person each member is.
    pub(super) members: Vec<u32>,
    /// Accepted advocates, each once.
    pub(super) advocates: Vec<u32>,
    /// Who was asked to help whom.
    pub(super) advocacies: Vec<AdvocacyRow>,
}

/// The first rank of fame that advocates are found at; the most famous are left to be hubs.
const ADVOCATE_RANK: u32 = 12;

impl Roles {
    /// The roles of `plan`'s people, where `famous` tells the person at a rank of fame.
    pub(super) fn new(plan: &Plan, famous: impl Fn(u32) -> u32) -> Self {
        let mut of = vec![Standing::Other; plan.people as usize];
        let members = members(plan);
        members.iter().for_each(|&person| of[person as usize] = Standing::Member);
        let mut dice = Dice::new(plan.seed, Stream::Roles);
        let mut free = (ADVOCATE_RANK..plan.people).chain(0..ADVOCATE_RANK.min(plan.people));
        let mut found = Vec::new();
        let asked = plan.advocates + plan.advocates.div_ceil(8);
        while found.len() < asked as usize {
            let Some(rank) = free.next() else { break };
            let person = famous(rank);
            // Two of three are passed over where that leaves enough, so that not all fame is on one side.
            let passed = plan.people > 16 * asked && !dice.one_in(3);
            let outside = person >= plan.own_headcount() && of[person as usize] == Standing::Other;
            if outside && !passed {
                found.push(person);
            }
        }
        let accepted = found.len().min(plan.advocates as usize);
        let advocates = found[..accepted].to_vec();
        advocates.iter().for_each(|&person| of[person as usize] = Standing::Advocate);
        let advocacies = advocacies(&found, accepted, plan.members, &mut dice);
        Self { of, members, advocates, advocacies }
    }
}

/// The person each member is: most among the first employees of the organization's own company.
fn members(plan: &Plan) -> Vec<u32> {
    let employed = plan.employed_members();
    let elsewhere = plan.members - employed;
    let own = plan.own_headcount();
    let step = (plan.people - own) / (elsewhere + 1);
    (0..employed).chain((1..=elsewhere).map(|place| own + place * step.max(1) - 1)).collect()
}

fn advocacies(found: &[u32], accepted: usize, members: u32, dice: &mut Dice) -> Vec<AdvocacyRow> {
    let mut advocacies = Vec::new();
    for (place, &person) in found.iter().enumerate() {
        let helped = 1 + dice.below(3).min(members - 1);
        let first = dice.below(members);
        for number in 0..helped {
            // A stride keeps the members that one advocate helps apart from each other.
            let member = (first + number * (members / 3).max(1)) % members;
            let answer = match (place < accepted, number) {
                (true, 0) => AdvocateAnswer::Accepted,
                (true, _) if !dice.one_in(10) => AdvocateAnswer::Accepted,
                (_, _) if dice.percent(60) => AdvocateAnswer::Pending,
                _ => AdvocateAnswer::Declined,
            };
            advocacies.push(AdvocacyRow { person, member, answer });
        }
    }
    advocacies
}

/// A row of the table of members.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberRow {
    user_id: Id,
    person_id: Id,
    role: &'static str,
    joined_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    connections_synced_at: Option<String>,
}

/// A row of the table of advocates.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AdvocateRow {
    person_id: Id,
    user_id: Id,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    connections_synced_at: Option<String>,
}

/// Writes the table of members: one admin, and a second one where there are many.
pub(super) fn write_members(world: &World<'_>, table: &mut TableWriter) -> io::Result<()> {
    let mut dice = Dice::new(world.plan.seed ^ 0x5eed, Stream::Roles);
    let second_admin = world.roles.members.len() / 2;
    for (number, &person) in world.roles.members.iter().enumerate() {
        let admin = number == 0 || (second_admin > 4 && number == second_admin);
        table.row(&MemberRow {
            user_id: world.ids.get(IdKind::User, number as u32),
            person_id: world.ids.get(IdKind::Person, person),
            role: if admin { "admin" } else { "member" },
            joined_at: times::within(1200, &mut dice),
            connections_synced_at: dice.percent(65).then(|| times::within(60, &mut dice)),
        })?;
    }
    Ok(())
}

/// Writes the table of advocates.
pub(super) fn write_advocates(world: &World<'_>, table: &mut TableWriter) -> io::Result<()> {
    let mut dice = Dice::new(world.plan.seed ^ 0xad_5eed, Stream::Roles);
    for advocacy in &world.roles.advocacies {
        let (status, synced) = match advocacy.answer {
            AdvocateAnswer::Accepted => ("accepted", 55),
            AdvocateAnswer::Pending => ("pending", 0),
            AdvocateAnswer::Declined => ("declined", 0),
        };
        table.row(&AdvocateRow {
            person_id: world.ids.get(IdKind::Person, advocacy.person),
            user_id: world.ids.get(IdKind::User, advocacy.member),
            status,
            connections_synced_at: dice.percent(synced).then(|| times::within(90, &mut dice)),
        })?;
    }
    Ok(())
}
