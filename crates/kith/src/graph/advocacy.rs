//! Accepted advocates, the members they help, and the edges between them.

use crate::model::column::held;
use crate::model::csr::Csr;
use crate::model::dataset::{Advocate, AdvocateStatus, Members};
use crate::model::edges::Edges;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::warmness::Warmness;

/// The number of an accepted advocate; ascending like their person's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AdvocateIx(pub u32);

/// A member whom an advocate helps, with the score of their edge to the advocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Helped {
    /// The member.
    pub member: MemberIx,
    /// The score of the edge member → advocate.
    pub score: Warmness,
}

/// Who helps whom, indexed from both sides.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Advocacy {
    /// The person of each accepted advocate, strictly ascending.
    people: Vec<PersonIx>,
    /// The members of each advocate, ascending.
    helped: Csr<Helped>,
    /// The advocates of each member, ascending.
    advocates: Csr<AdvocateIx>,
    /// See [`Advocacy::paths_over`].
    paths: Vec<u32>,
}

impl Advocacy {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        held(&self.people) + self.helped.size_bytes() + self.advocates.size_bytes() + held(&self.paths)
    }

    /// Builds the accepted advocacies of `rows`, which ascend by person, then member.
    #[must_use]
    pub fn build(rows: &[Advocate], members: &Members, edges: &Edges) -> Self {
        let mut accepted: Vec<&Advocate> = rows.iter().collect();
        accepted.retain(|row| row.status == AdvocateStatus::Accepted);
        let mut in_organization = members.people.clone();
        in_organization.sort_unstable();
        let (mut people, mut helped, mut paths) = (Vec::new(), Csr::default(), Vec::new());
        for rows in accepted.chunk_by(|a, b| a.person == b.person) {
            let is_member = in_organization.binary_search(&rows[0].person).is_ok();
            paths.push(if is_member { 0 } else { rows.len() as u32 });
            people.push(rows[0].person);
            helped.push_row(rows.iter().map(|row| Helped {
                member: row.member,
                score: score_between(edges, members.person(row.member), row.person),
            }));
        }
        let pairs_of =
            |advocate| helped.row(advocate).iter().map(move |of| (of.member.0, AdvocateIx(advocate)));
        let advocates = Csr::scatter(members.len(), (0..people.len() as u32).flat_map(pairs_of));
        Self { people, helped, advocates, paths }
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
        self.people.iter().enumerate().map(|(ix, &person)| (AdvocateIx(ix as u32), person))
    }

    /// The person of `advocate`.
    #[must_use]
    pub fn person(&self, advocate: AdvocateIx) -> PersonIx {
        self.people[advocate.0 as usize]
    }

    /// The members that `advocate` helps, ascending.
    #[must_use]
    pub fn helped_by(&self, advocate: AdvocateIx) -> &[Helped] {
        self.helped.row(advocate.0)
    }

    /// Counts the paths from all members over `advocate` alone to a person who is not a member: one per member they
    /// help, none if the advocate is a member.
    #[must_use]
    pub fn paths_over(&self, advocate: AdvocateIx) -> u32 {
        self.paths[advocate.0 as usize]
    }

    /// Whether `advocate` helps `member`. Costs a binary search.
    #[must_use]
    pub fn helps(&self, advocate: AdvocateIx, member: MemberIx) -> bool {
        self.helped_by(advocate).binary_search_by_key(&member, |helped| helped.member).is_ok()
    }

    /// The advocates of `member`, ascending.
    pub fn advocates_of(&self, member: MemberIx) -> impl Iterator<Item = AdvocateIx> + '_ {
        self.advocates.row(member.0).iter().copied()
    }
}

fn score_between(edges: &Edges, from: PersonIx, to: PersonIx) -> Warmness {
    let edge = edges.out.row(from).iter().find(|&(end, _)| end == to);
    edge.map_or(Warmness::UNSCORED, |(_, score)| score)
}
