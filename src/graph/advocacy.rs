//! Accepted advocates, the members they help, and the edges between them.

use crate::model::column::held;
use crate::model::dataset::{Advocate, AdvocateStatus, Members};
use crate::model::edges::Edges;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::warmness::Warmness;

/// An accepted advocate's number: ascending as their person's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AdvocateIx(pub u32);

/// A member whom an advocate helps, and how well that member knows the advocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Helped {
    /// The member.
    pub member: MemberIx,
    /// The score of the edge member → advocate.
    pub score: Warmness,
}

/// Who helps whom, from both sides.
#[derive(Debug, Default)]
pub struct Advocacy {
    /// Each accepted advocate's person, strictly ascending.
    people: Vec<u32>,
    /// Where each advocate's members begin; one longer than the advocates.
    helped_offsets: Vec<u32>,
    /// The members of each advocate, ascending.
    helped: Vec<Helped>,
    /// Where each member's advocates begin; one longer than the members.
    advocate_offsets: Vec<u32>,
    /// The advocates of each member, ascending.
    advocates: Vec<u32>,
}

impl Advocacy {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let numbers = [&self.people, &self.helped_offsets, &self.advocate_offsets, &self.advocates];
        numbers.map(held).iter().sum::<usize>() + held(&self.helped)
    }

    /// The advocacies that `rows` (ascending by person, then member) accept.
    #[must_use]
    pub fn build(rows: &[Advocate], members: &Members, edges: &Edges) -> Self {
        let mut advocacy = Self { helped_offsets: vec![0], ..Self::default() };
        let mut by_member: Vec<Vec<u32>> = vec![Vec::new(); members.len()];
        for row in rows.iter().filter(|row| row.status == AdvocateStatus::Accepted) {
            if advocacy.people.last() != Some(&row.person.0) {
                advocacy.people.push(row.person.0);
                advocacy.helped_offsets.push(advocacy.helped.len() as u32);
            }
            let score = score_between(edges, members.person(row.member), row.person);
            advocacy.helped.push(Helped { member: row.member, score });
            if let Some(end) = advocacy.helped_offsets.last_mut() {
                *end = advocacy.helped.len() as u32;
            }
            by_member[row.member.0 as usize].push(advocacy.people.len() as u32 - 1);
        }
        advocacy.advocate_offsets.push(0);
        for advocates in by_member {
            advocacy.advocates.extend(advocates);
            advocacy.advocate_offsets.push(advocacy.advocates.len() as u32);
        }
        advocacy
    }

    /// How many people are accepted advocates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.people.len()
    }

    /// Whether there is no accepted advocate.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.people.is_empty()
    }

    /// All accepted advocates, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (AdvocateIx, PersonIx)> + '_ {
        self.people.iter().enumerate().map(|(ix, &person)| (AdvocateIx(ix as u32), PersonIx(person)))
    }

    /// The person that `advocate` is.
    #[must_use]
    pub fn person(&self, advocate: AdvocateIx) -> PersonIx {
        PersonIx(self.people[advocate.0 as usize])
    }

    /// The members that `advocate` helps, ascending.
    #[must_use]
    pub fn helped_by(&self, advocate: AdvocateIx) -> &[Helped] {
        let ix = advocate.0 as usize;
        &self.helped[self.helped_offsets[ix] as usize..self.helped_offsets[ix + 1] as usize]
    }

    /// Whether `advocate` helps `member`. Costs a binary search.
    #[must_use]
    pub fn helps(&self, advocate: AdvocateIx, member: MemberIx) -> bool {
        self.helped_by(advocate).binary_search_by_key(&member, |helped| helped.member).is_ok()
    }

    /// The advocates of `member`, ascending.
    pub fn advocates_of(&self, member: MemberIx) -> impl Iterator<Item = AdvocateIx> + '_ {
        let ix = member.0 as usize;
        let (start, end) = (self.advocate_offsets[ix] as usize, self.advocate_offsets[ix + 1] as usize);
        self.advocates[start..end].iter().map(|&advocate| AdvocateIx(advocate))
    }
}

fn score_between(edges: &Edges, from: PersonIx, to: PersonIx) -> Warmness {
    let edge = edges.out.row(from).iter().find(|&(end, _)| end == to);
    edge.map_or(Warmness::UNSCORED, |(_, score)| score)
}
