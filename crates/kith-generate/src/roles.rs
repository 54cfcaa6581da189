//! The members among the people, and the advocates of each member.

use crate::dice::{Dice, Stream};
use crate::plan::Plan;

/// The role of a person in the organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlannedRole {
    Other,
    Member,
    Advocate,
}

/// The answer of a person who was asked to be an advocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdvocateAnswer {
    Accepted,
    Pending,
    Declined,
}

/// One row of the table of advocates, before it has ids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdvocacyRow {
    pub(crate) person: u32,
    /// The member's number.
    pub(crate) member: u32,
    pub(crate) answer: AdvocateAnswer,
}

/// Members and advocates of a network.
pub(crate) struct Roles {
    /// The role of each person.
    pub(crate) of: Vec<PlannedRole>,
    /// The person of each member.
    pub(crate) members: Vec<u32>,
    /// Accepted advocates, each once.
    pub(crate) advocates: Vec<u32>,
    /// Every request to be an advocate, as rows.
    pub(crate) advocacies: Vec<AdvocacyRow>,
}

/// The rank of fame at which the search for advocates starts, so that the most famous people stay hubs.
const ADVOCATE_RANK: u32 = 12;

impl Roles {
    /// The roles of `plan`'s people; `famous` returns the person at a rank of fame.
    pub(crate) fn new(plan: &Plan, famous: impl Fn(u32) -> u32) -> Self {
        let mut of = vec![PlannedRole::Other; plan.people as usize];
        let members = members(plan);
        members.iter().for_each(|&person| of[person as usize] = PlannedRole::Member);
        let mut dice = Dice::new(plan.seed, Stream::Roles);
        let mut free = (ADVOCATE_RANK..plan.people).chain(0..ADVOCATE_RANK.min(plan.people));
        let mut found = Vec::new();
        let asked = plan.advocates + plan.advocates.div_ceil(8);
        while found.len() < asked as usize {
            let Some(rank) = free.next() else { break };
            let person = famous(rank);
            // Skips two of three if enough people remain, so that advocates are not all the most famous people.
            let passed = plan.people > 16 * asked && !dice.one_in(3);
            let outside = person >= plan.own_headcount() && of[person as usize] == PlannedRole::Other;
            if outside && !passed {
                found.push(person);
            }
        }
        let accepted = found.len().min(plan.advocates as usize);
        let advocates = found[..accepted].to_vec();
        advocates.iter().for_each(|&person| of[person as usize] = PlannedRole::Advocate);
        let advocacies = advocacies(&found, accepted, plan.members, &mut dice);
        Self { of, members, advocates, advocacies }
    }
}

/// The person of each member: mostly the first employees of the organization's own company.
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
            // A stride spreads the members that one advocate helps.
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
