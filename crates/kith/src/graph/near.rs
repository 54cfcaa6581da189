//! The incoming edges that start near a member, apart from all others.
//!
//! Only edges that start at a member, at an accepted advocate, or at a contact of either matter to the organization.
//! They are a small part, and path search reads no others. Each is kept with its rank among all incoming edges of its
//! target, so that bounds counted over all edges hold without walking the others.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use crate::graph::advocacy::{Advocacy, AdvocateIx};
use crate::graph::brief::Brief;
use crate::graph::briefs::{BriefRow, Briefs};
use crate::graph::near_edge::NearEdge;
use crate::model::column::held;
use crate::model::dataset::Members;
use crate::model::edges::Edges;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::warmness::Warmness;

/// A person's roles in the organization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The member they are.
    pub member: Option<MemberIx>,
    /// The accepted advocate they are.
    pub advocate: Option<AdvocateIx>,
}

/// The starts of a person's lists (each ends at the next person's start), and their standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Starts {
    bridges: u32,
    members: u32,
    advocates: u32,
    /// 0 for no standing, else one more than a position in `Near::standings`.
    standing: u32,
}

/// One person's incoming edges that start near a member, each list warmest first.
#[derive(Clone, Copy, Debug)]
pub struct NearRow<'a> {
    /// From people who are first degree or known by an accepted advocate; `source` is the person.
    pub bridges: &'a [NearEdge],
    /// For each of these edges, the brief of its source.
    pub briefs: BriefRow<'a>,
    /// From members; `source` is the member. A part of `bridges`.
    pub members: &'a [NearEdge],
    /// From accepted advocates; `source` is the advocate. A part of `bridges`.
    pub advocates: &'a [NearEdge],
    /// The person's roles in the organization.
    pub standing: Standing,
}

/// The near incoming edges of everybody.
#[derive(Debug, PartialEq, Eq)]
pub struct Near {
    /// One longer than the people. Not three `Offsets`: a person's numbers lie together.
    starts: Vec<Starts>,
    bridges: Vec<NearEdge>,
    members: Vec<NearEdge>,
    advocates: Vec<NearEdge>,
    /// The standings of the people who have one.
    standings: Vec<Standing>,
    /// One for each of `bridges`, not one per person: a walk reads them in the order of its edges.
    briefs: Briefs,
    /// Every member, and everyone a member has an edge to.
    first_degree: FixedBitSet,
}

impl Near {
    /// Selects the near edges of `edges`. Costs one pass over the incoming edges, on all cores.
    #[must_use]
    pub fn build(edges: &Edges, members: &Members, advocacy: &Advocacy) -> Self {
        Self::collect(edges, members, advocacy, |part, range, sources| {
            for person in range {
                part.start(person, sources);
                for (rank, (source, score)) in edges.into.row(PersonIx(person as u32)).iter().enumerate() {
                    part.add(source, rank, score, sources);
                }
            }
        })
    }

    /// Collects the near edges of all people on all cores; `fill` adds those of a run of people to a part.
    fn collect(
        edges: &Edges,
        members: &Members,
        advocacy: &Advocacy,
        fill: impl Fn(&mut Part, Range<usize>, &Sources) + Sync,
    ) -> Self {
        let people = edges.out.people();
        let sources = Sources::of(edges, members, advocacy);
        let chunk = people.div_ceil(64).max(1024);
        let parts: Vec<Part> = (0..people.div_ceil(chunk))
            .into_par_iter()
            .map(|part| {
                let range = part * chunk..((part + 1) * chunk).min(people);
                let mut part = Part { starts: Vec::with_capacity(range.len()), ..Part::default() };
                fill(&mut part, range, &sources);
                part
            })
            .collect();
        let mut whole = Self {
            starts: Vec::with_capacity(people + 1),
            bridges: Vec::with_capacity(parts.iter().map(|part| part.bridges.len()).sum()),
            members: Vec::with_capacity(parts.iter().map(|part| part.members.len()).sum()),
            advocates: Vec::with_capacity(parts.iter().map(|part| part.advocates.len()).sum()),
            standings: sources.standings,
            briefs: Briefs::default(),
            first_degree: sources.first_degree,
        };
        parts.into_iter().for_each(|part| whole.append(part));
        let end = whole.end();
        whole.starts.push(end);
        whole.briefs = whole.collect_briefs(advocacy);
        whole
    }

    /// The briefs of the sources of all bridges.
    fn collect_briefs(&self, advocacy: &Advocacy) -> Briefs {
        let brief_of = |person: u32| {
            let (starts, ends) = (self.starts[person as usize], self.starts[person as usize + 1]);
            let members = &self.members[starts.members as usize..ends.members as usize];
            let advocates = &self.advocates[starts.advocates as usize..ends.advocates as usize];
            let standing = self.standing_at(starts.standing);
            let is_member = |advocate| self.standing(advocacy.person(advocate)).member.is_some();
            match standing.member {
                Some(_) => Brief::of_member(),
                None => Brief::of((members, advocates), standing.advocate, advocacy, is_member),
            }
        };
        let people = self.starts.len() as u32 - 1;
        let briefs: Vec<Brief> = (0..people).into_par_iter().with_min_len(1024).map(brief_of).collect();
        Briefs::build(&briefs, &self.bridges)
    }

    fn end(&self) -> Starts {
        Starts {
            bridges: self.bridges.len() as u32,
            members: self.members.len() as u32,
            advocates: self.advocates.len() as u32,
            standing: 0,
        }
    }

    fn append(&mut self, part: Part) {
        let base = self.end();
        self.starts.extend(part.starts.iter().map(|starts| Starts {
            bridges: base.bridges + starts.bridges,
            members: base.members + starts.members,
            advocates: base.advocates + starts.advocates,
            standing: starts.standing,
        }));
        self.bridges.extend(part.bridges);
        self.members.extend(part.members);
        self.advocates.extend(part.advocates);
    }

    /// The near incoming edges of `person`.
    #[must_use]
    pub fn row(&self, person: PersonIx) -> NearRow<'_> {
        #[cfg(test)]
        crate::model::reads::note(1);
        let (starts, ends) = (self.starts[person.0 as usize], self.starts[person.0 as usize + 1]);
        let bridges = starts.bridges as usize..ends.bridges as usize;
        NearRow {
            bridges: &self.bridges[bridges.clone()],
            briefs: self.briefs.row(bridges),
            members: &self.members[starts.members as usize..ends.members as usize],
            advocates: &self.advocates[starts.advocates as usize..ends.advocates as usize],
            standing: self.standing_at(starts.standing),
        }
    }

    /// The roles of `person` in the organization.
    #[must_use]
    pub fn standing(&self, person: PersonIx) -> Standing {
        #[cfg(test)]
        crate::model::reads::note(1);
        self.standing_at(self.starts[person.0 as usize].standing)
    }

    /// Replaces briefs, to test how that changes an answer.
    #[cfg(test)]
    pub(crate) fn change_briefs(&mut self, changed: impl Fn(Brief) -> Brief) {
        self.briefs.change(changed);
    }

    fn standing_at(&self, standing: u32) -> Standing {
        if standing == 0 { Standing::default() } else { self.standings[standing as usize - 1] }
    }

    /// Whether `person` is a member or known by one.
    #[must_use]
    pub fn is_first_degree(&self, person: PersonIx) -> bool {
        #[cfg(test)]
        crate::model::reads::note(1);
        self.first_degree.contains(person.0 as usize)
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let edges = held(&self.bridges) + held(&self.members) + held(&self.advocates);
        held(&self.starts) + held(&self.standings) + self.briefs.size_bytes() + edges
    }
}

/// The people at whom near edges start, and their roles in the organization.
struct Sources {
    /// Every member, and everyone a member has an edge to.
    first_degree: FixedBitSet,
    /// First degree, every accepted advocate, and everyone an accepted advocate has an edge to.
    near: FixedBitSet,
    /// The standings of the people who have one.
    standings: Vec<Standing>,
    /// For each person, 0 for no standing, else one more than a position in `standings`.
    standing_of: Vec<u32>,
}

impl Sources {
    fn of(edges: &Edges, members: &Members, advocacy: &Advocacy) -> Self {
        let people = edges.out.people();
        let first_degree = with_contacts(edges, members.people.iter().copied(), people);
        let mut near = with_contacts(edges, advocacy.iter().map(|(_, person)| person), people);
        near.union_with(&first_degree);
        let (standings, standing_of) = collect_standings(members, advocacy, people);
        Self { first_degree, near, standings, standing_of }
    }

    fn standing(&self, person: PersonIx) -> Standing {
        let standing = self.standing_of[person.0 as usize].checked_sub(1);
        standing.map_or_else(Standing::default, |at| self.standings[at as usize])
    }
}

/// The near edges of a run of people.
#[derive(Default)]
struct Part {
    starts: Vec<Starts>,
    bridges: Vec<NearEdge>,
    members: Vec<NearEdge>,
    advocates: Vec<NearEdge>,
}

impl Part {
    /// Begins the lists of `person`.
    fn start(&mut self, person: usize, sources: &Sources) {
        self.starts.push(Starts {
            bridges: self.bridges.len() as u32,
            members: self.members.len() as u32,
            advocates: self.advocates.len() as u32,
            standing: sources.standing_of[person],
        });
    }

    /// Adds the edge from `source` to the lists it belongs to, if it starts near a member.
    fn add(&mut self, source: PersonIx, rank: usize, score: Warmness, sources: &Sources) {
        if !sources.near.contains(source.0 as usize) {
            return;
        }
        self.bridges.push(NearEdge::new(source.0, rank, score));
        let standing = sources.standing(source);
        if let Some(member) = standing.member {
            self.members.push(NearEdge::new(member.0, rank, score));
        }
        if let Some(advocate) = standing.advocate {
            self.advocates.push(NearEdge::new(advocate.0, rank, score));
        }
    }
}

fn with_contacts(edges: &Edges, people: impl Iterator<Item = PersonIx>, count: usize) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(count);
    for person in people {
        set.insert(person.0 as usize);
        edges.out.row(person).ends.iter().for_each(|end| set.insert(end.0 as usize));
    }
    set
}

fn collect_standings(members: &Members, advocacy: &Advocacy, people: usize) -> (Vec<Standing>, Vec<u32>) {
    let mut standings: Vec<Standing> = Vec::with_capacity(members.len() + advocacy.len());
    let mut standing_of = vec![0_u32; people];
    for member in (0..members.len() as u32).map(MemberIx) {
        standings.push(Standing { member: Some(member), advocate: None });
        standing_of[members.person(member).0 as usize] = standings.len() as u32;
    }
    for (advocate, person) in advocacy.iter() {
        let standing = &mut standing_of[person.0 as usize];
        if *standing == 0 {
            standings.push(Standing::default());
            *standing = standings.len() as u32;
        }
        standings[*standing as usize - 1].advocate = Some(advocate);
    }
    (standings, standing_of)
}

mod without;

#[cfg(test)]
mod tests;
