//! The tables of connections and of their evidence: few people have many contacts, many have few, and everybody knows
//! the famous.
//!
//! Written person by person, so edges are never held in memory.

use std::collections::HashMap;
use std::io;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::dice::{Dice, Share, Stream};
use crate::histories::{Alike, HistoryMaker, SOURCES, ScoredTie};
use crate::ids::Id;
use crate::output::TableWriter;
use crate::roles::{AdvocateAnswer, PlannedRole};
use crate::world::World;

/// Average contacts of a member, if the number of edges allows.
const MEMBER_CONTACTS: u64 = 300;
/// Average contacts of an advocate, if the number of edges allows.
const ADVOCATE_CONTACTS: u64 = 220;
/// One edge in this many repeats the previous one with another score.
const PARALLEL: u32 = 600;
/// One edge in this many is from a person to themselves.
const SELF: u32 = 4000;
/// Maximum distance in the table between neighbours, in rows.
const NEIGHBOURHOOD: u32 = 150;
/// Maximum draws for a new contact; then the next person in the table is taken.
const ATTEMPTS: u32 = 8;

/// A row of the table of connections.
#[derive(Serialize)]
struct ConnectionRow<'a> {
    from: Id,
    to: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    warmness: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<&'a RawValue>,
}

/// A row of the table of evidence.
#[derive(Serialize)]
struct EvidenceRow<'a> {
    from: Id,
    to: Id,
    kind: &'static str,
    at: String,
    source: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

/// The two tables.
pub(crate) struct EdgeTables<'t, 'p> {
    pub(crate) connections: &'t mut TableWriter<'p>,
    pub(crate) evidence: &'t mut TableWriter<'p>,
}

/// Writes the table of connections, with exactly the planned number of rows, and the table of their evidence.
/// `names` are the members' names, by member number.
pub(crate) fn write(world: &World<'_>, names: &[String], tables: &mut EdgeTables<'_, '_>) -> io::Result<()> {
    let mut contacts = ContactCounts::new(world);
    let mut writer = Writer::new(world, contacts.owned, names);
    let known = known_advocates(world);
    let most = world.plan.people / 2;
    let mut over = 0;
    for person in 0..world.plan.people {
        let due = contacts.next(world.roles.of[person as usize]) + over;
        let count = due.min(u64::from(most));
        over = due - count;
        let first = known.get(&person).map_or(&[][..], Vec::as_slice);
        writer.write_contacts(person, count, first, tables)?;
    }
    // Only if nearly everybody already has the maximum number of contacts.
    (0..over).try_for_each(|_| {
        let person = world.throw_anybody(&mut writer.dice);
        let to = world.throw_famous(&mut writer.dice);
        writer.write_edge(person, to, tables)
    })
}

/// For two of three advocacies the member has an edge to their accepted advocate; the build adds the other edges.
fn known_advocates(world: &World<'_>) -> HashMap<u32, Vec<u32>> {
    let accepted =
        world.roles.advocacies.iter().filter(|advocacy| advocacy.answer == AdvocateAnswer::Accepted);
    let mut known: HashMap<u32, Vec<u32>> = HashMap::new();
    for (_, advocacy) in accepted.enumerate().filter(|(place, _)| place % 3 != 0) {
        let member = world.roles.members[advocacy.member as usize];
        known.entry(member).or_default().push(advocacy.person);
    }
    known
}

/// The number of contacts of each person, in the order of the people.
struct ContactCounts {
    dice: Dice,
    people: u32,
    /// The edges of members and advocates.
    owned: u64,
    shares: [Share; 3],
}

impl ContactCounts {
    fn new(world: &World<'_>) -> Self {
        let (plan, roles) = (world.plan, &world.roles);
        let mut dice = Dice::new(plan.seed, Stream::ContactCounts);
        let mut weights = [0; 3];
        for &role in &roles.of {
            weights[role as usize] += weight(role, plan.people, &mut dice);
        }
        let members = (roles.members.len() as u64 * MEMBER_CONTACTS).min(plan.edges * 35 / 100);
        let advocates = (roles.advocates.len() as u64 * ADVOCATE_CONTACTS).min(plan.edges * 25 / 100);
        let owned = members + advocates;
        let shares = [
            Share::new(plan.edges - owned, weights[PlannedRole::Other as usize]),
            Share::new(members, weights[PlannedRole::Member as usize]),
            Share::new(advocates, weights[PlannedRole::Advocate as usize]),
        ];
        Self { dice: Dice::new(plan.seed, Stream::ContactCounts), people: plan.people, owned, shares }
    }

    /// The number of contacts of the next person, whose role is `role`.
    fn next(&mut self, role: PlannedRole) -> u64 {
        let weight = weight(role, self.people, &mut self.dice);
        self.shares[role as usize].next(weight)
    }
}

/// Members and advocates vary by a factor of three; the others follow a power law.
fn weight(role: PlannedRole, people: u32, dice: &mut Dice) -> u64 {
    match role {
        PlannedRole::Member | PlannedRole::Advocate => u64::from(dice.between(50, 150)),
        PlannedRole::Other => u64::from(4 + (65_536 / dice.between(1, 65_536)).min(1500).min(people / 8)),
    }
}

struct Writer<'a> {
    world: &'a World<'a>,
    dice: Dice,
    histories: HistoryMaker<'a>,
    /// For each person, the last person who got them as a contact, plus one.
    contact_of: Vec<u32>,
}

impl<'a> Writer<'a> {
    fn new(world: &'a World<'a>, owned: u64, names: &'a [String]) -> Self {
        Self {
            world,
            dice: Dice::new(world.plan.seed, Stream::Connections),
            histories: HistoryMaker::new(world, owned, names),
            contact_of: vec![0; world.plan.people as usize],
        }
    }

    /// Writes `count` edges of `person`, those to `first` before the others.
    fn write_contacts(
        &mut self,
        person: u32,
        count: u64,
        first: &[u32],
        tables: &mut EdgeTables<'_, '_>,
    ) -> io::Result<()> {
        let mut first = first.iter().copied();
        let mut last = None;
        for _ in 0..count {
            let to = match (first.next(), last) {
                (Some(advocate), _) => self.mark(person, advocate),
                (None, Some(to)) if self.dice.one_in(PARALLEL) => {
                    self.write_again(person, to, tables)?;
                    continue;
                }
                (None, _) if self.dice.one_in(SELF) => person,
                (None, _) => self.throw_contact(person),
            };
            self.write_edge(person, to, tables)?;
            last = Some(to);
        }
        Ok(())
    }

    /// Draws a person to whom `person` has no edge yet.
    fn throw_contact(&mut self, person: u32) -> u32 {
        let mut to = person;
        for _ in 0..ATTEMPTS {
            to = self.throw_person(person);
            if self.is_new(person, to) {
                return self.mark(person, to);
            }
        }
        while !self.is_new(person, to) {
            to = (to + 1) % self.world.plan.people;
        }
        self.mark(person, to)
    }

    fn is_new(&self, person: u32, to: u32) -> bool {
        let strange = self.world.is_stranger(to) && !self.world.is_stranger(person);
        to != person && self.contact_of[to as usize] != person + 1 && !strange
    }

    fn mark(&mut self, person: u32, to: u32) -> u32 {
        self.contact_of[to as usize] = person + 1;
        to
    }

    /// Draws a colleague, a neighbour, or a famous person.
    fn throw_person(&mut self, person: u32) -> u32 {
        let (colleague, neighbour) = match self.world.roles.of[person as usize] {
            PlannedRole::Other => (27, 48),
            PlannedRole::Member | PlannedRole::Advocate => (12, 32),
        };
        match self.dice.below(100) {
            throw if throw < colleague => self.throw_colleague(person),
            throw if throw < neighbour => self.throw_near(person),
            _ => self.world.throw_famous(&mut self.dice),
        }
    }

    /// Draws a person at the same company, in the same part of it if it is large.
    fn throw_colleague(&mut self, person: u32) -> u32 {
        let Some((_, company)) = self.world.company(person) else { return self.throw_near(person) };
        let low = company.first.max(person.saturating_sub(NEIGHBOURHOOD / 2));
        let high = (company.first + company.employees - 1).min(person + NEIGHBOURHOOD / 2);
        if low == high { self.throw_near(person) } else { self.dice.between(low, high) }
    }

    /// Draws a person close in the table, most likely in the same city.
    fn throw_near(&mut self, person: u32) -> u32 {
        let people = self.world.plan.people;
        let reach = NEIGHBOURHOOD.min(people / 2);
        let away = self.dice.below(2 * reach + 1);
        ((u64::from(person) + u64::from(people) + u64::from(away) - u64::from(reach)) % u64::from(people))
            as u32
    }

    /// Repeats the previous edge with the score of a list.
    fn write_again(&mut self, from: u32, to: u32, tables: &mut EdgeTables<'_, '_>) -> io::Result<()> {
        let alike = self.alike(from, to);
        let stated = self.throw_score(alike);
        let listed = stated.map_or_else(ScoredTie::default, |stated| self.histories.listed(stated));
        self.write_scored(from, to, &listed, tables)
    }

    fn write_edge(&mut self, from: u32, to: u32, tables: &mut EdgeTables<'_, '_>) -> io::Result<()> {
        let alike = self.alike(from, to);
        let stated = self.throw_score(alike);
        let scored = self.histories.score(from, to, alike, stated);
        self.write_scored(from, to, &scored, tables)
    }

    /// Draws a score as a list states it: low ones are common, high ones rare, and one edge in ten has none.
    fn throw_score(&mut self, alike: Alike) -> Option<u8> {
        let dice = &mut self.dice;
        let score = dice.below(101) * dice.below(101) / 100;
        let is_colleague = alike.colleagues.is_some();
        let more = 20 * u32::from(is_colleague) + 6 * u32::from(alike.city) + 4 * u32::from(alike.industry);
        let stated = (!dice.one_in(10)).then_some((score + more).min(100) as u8);
        // An unused draw, kept so that a seed gives the same edges in all versions.
        if dice.percent(if stated.is_some() { 85 } else { 8 }) {
            dice.bits();
        }
        stated
    }

    fn write_scored(
        &self,
        from: u32,
        to: u32,
        scored: &ScoredTie,
        tables: &mut EdgeTables<'_, '_>,
    ) -> io::Result<()> {
        let (from, to) = (self.world.person_id(from), self.world.person_id(to));
        let (warmness, breakdown) = (scored.warmness, scored.breakdown.as_deref());
        tables.connections.row(&ConnectionRow { from, to, warmness, breakdown })?;
        scored.evidence.iter().try_for_each(|row| {
            let (kind, at, source) = (row.kind.name(), row.at_rfc3339(), SOURCES[row.source as usize]);
            tables.evidence.row(&EvidenceRow { from, to, kind, at, source, note: &row.note })
        })
    }

    fn alike(&self, from: u32, to: u32) -> Alike {
        let companies = self.world.company(from).zip(self.world.company(to));
        let same = companies.filter(|((from, _), (to, _))| from == to);
        Alike {
            colleagues: same.map(|((_, company), _)| company.employees),
            industry: companies.is_some_and(|((_, from), (_, to))| from.industry == to.industry),
            city: self.world.city(from) == self.world.city(to),
        }
    }
}
