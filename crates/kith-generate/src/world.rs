//! The facts that all tables of one network share: companies, cities, fame and roles.

use crate::companies::{self, Company};
use crate::dice::{Dice, Stream, gcd};
use crate::ids::{Id, IdKind, RowIds};
use crate::places::Places;
use crate::plan::Plan;
use crate::roles::{PlannedRole, Roles};

/// One network before it is written. People are numbered company by company, city by city.
pub(crate) struct World<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) ids: RowIds,
    pub(crate) places: Places,
    pub(crate) companies: Vec<Company>,
    pub(crate) roles: Roles,
    /// The company of each person; out of range for people without one.
    company_of: Vec<u32>,
    /// The city of each person.
    city_of: Vec<u8>,
    fame: Fame,
}

/// How evenly fame is spread: a greater number makes the largest hub smaller.
const SOFTEN: u32 = 3;
/// One person in this many is a stranger.
const STRANGERS: u32 = 47;

/// A permutation of the people: rank of fame to person.
#[derive(Clone, Copy)]
struct Fame {
    people: u64,
    step: u64,
}

impl Fame {
    /// Steps of about five eighths of the people keep neighbours in rank far apart.
    fn new(people: u32) -> Self {
        let people = u64::from(people);
        let step = (people * 5 / 8..).find(|&step| gcd(step, people) == 1).unwrap_or(1);
        Self { people, step }
    }

    fn person(self, rank: u32) -> u32 {
        ((u64::from(rank) + 1) * self.step % self.people) as u32
    }
}

impl<'a> World<'a> {
    /// The world of `plan`. Costs about a dozen bytes per person.
    pub(crate) fn new(plan: &'a Plan) -> Self {
        let places = Places::new(plan.seed);
        let companies = companies::build(plan, &places);
        let mut company_of = vec![u32::MAX; plan.people as usize];
        for (number, company) in (0..).zip(&companies) {
            let (first, end) = (company.first as usize, (company.first + company.employees) as usize);
            company_of[first..end].fill(number);
        }
        let fame = Fame::new(plan.people);
        let roles = Roles::new(plan, |rank| fame.person(rank));
        let mut dice = Dice::new(plan.seed ^ 0x5eed, Stream::Places);
        let home = |&company: &u32| match companies.get(company as usize) {
            Some(company) if dice.percent(75) => company.city,
            _ => places.throw(&mut dice),
        };
        let city_of = company_of.iter().map(home).collect();
        Self { plan, ids: RowIds::new(plan.seed), places, companies, roles, company_of, city_of, fame }
    }

    /// The number and the company of `person`.
    pub(crate) fn company(&self, person: u32) -> Option<(u32, &Company)> {
        let number = self.company_of[person as usize];
        self.companies.get(number as usize).map(|company| (number, company))
    }

    /// The city of `person`, by number.
    pub(crate) fn city(&self, person: u32) -> u8 {
        self.city_of[person as usize]
    }

    /// The id of `person`.
    pub(crate) fn person_id(&self, person: u32) -> Id {
        self.ids.get(IdKind::Person, person)
    }

    /// Whether only strangers have edges to `person`, so that the network does not reach them.
    pub(crate) fn is_stranger(&self, person: u32) -> bool {
        person % STRANGERS == STRANGERS / 2 && self.roles.of[person as usize] == PlannedRole::Other
    }

    /// Draws a person, famous ones far more often.
    pub(crate) fn throw_famous(&self, dice: &mut Dice) -> u32 {
        self.fame.person(dice.zipf(self.plan.people, SOFTEN))
    }

    /// Draws a person, all equally likely.
    pub(crate) fn throw_anybody(&self, dice: &mut Dice) -> u32 {
        dice.below(self.plan.people)
    }

    /// A member's number.
    pub(crate) fn throw_member(&self, dice: &mut Dice) -> u32 {
        dice.below(self.roles.members.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roles::AdvocateAnswer;
    use std::collections::BTreeSet;

    #[test]
    fn fame_ranks_everybody_once() {
        for people in [12, 13, 100, 4096] {
            let fame = Fame::new(people);
            let ranked: BTreeSet<u32> = (0..people).map(|rank| fame.person(rank)).collect();
            assert_eq!(ranked.len() as u32, people);
        }
    }

    #[test]
    fn members_are_distinct_and_advocates_come_from_outside() {
        for people in [12, 40, 300, 4000] {
            let plan = Plan::sized(people, 10);
            let world = World::new(&plan);
            let members: BTreeSet<u32> = world.roles.members.iter().copied().collect();
            assert_eq!(members.len() as u32, plan.members);
            assert!(members.iter().all(|&person| world.roles.of[person as usize] == PlannedRole::Member));
            assert_eq!(world.roles.advocates.len() as u32, plan.advocates, "of {people}");
            let mut pairs = BTreeSet::new();
            for advocacy in &world.roles.advocacies {
                assert!(!members.contains(&advocacy.person) && advocacy.person >= plan.own_headcount());
                assert!(pairs.insert((advocacy.person, advocacy.member)), "{advocacy:?} twice");
            }
            assert!(
                world.roles.advocacies.iter().any(|advocacy| advocacy.answer != AdvocateAnswer::Accepted)
            );
        }
    }
}
