//! The incoming edges that start near a member, apart from all others.
//!
//! Of a network's edges only those matter to its organization that start at a member, at an
//! accepted advocate, or at a contact of one of them. They are a small part, and the only part
//! that path search reads: each is kept with its rank among all incoming edges of its target, so
//! that bounds counted over all edges hold without walking the others.

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

/// What a person is to the organization, beside being a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The member they are.
    pub member: Option<MemberIx>,
    /// The accepted advocate they are.
    pub advocate: Option<AdvocateIx>,
}

/// The places at which a person's lists begin (they end where the next person's begin), and their standing.
#[derive(Clone, Copy, Debug, Default)]
struct Starts {
    bridges: u32,
    members: u32,
    advocates: u32,
    /// 0 for no standing, else one more than a place in `Near::standings`.
    standing: u32,
}

/// One person's incoming edges that start near a member, each list warmest first.
#[derive(Clone, Copy, Debug)]
pub struct NearRow<'a> {
    /// From people who are first degree or known by an accepted advocate; `source` is the person.
    pub bridges: &'a [NearEdge],
    /// Of each of these, what a walk needs to know of its source to pass over it.
    pub briefs: BriefRow<'a>,
    /// From members; `source` is the member. A part of `bridges`.
    pub members: &'a [NearEdge],
    /// From accepted advocates; `source` is the advocate. A part of `bridges`.
    pub advocates: &'a [NearEdge],
    /// What the person is to the organization.
    pub standing: Standing,
}

/// The near incoming edges of everybody.
#[derive(Debug)]
pub struct Near {
    /// One longer than the people. Not three `Offsets`: what one person's row needs lies together.
    starts: Vec<Starts>,
    bridges: Vec<NearEdge>,
    members: Vec<NearEdge>,
    advocates: Vec<NearEdge>,
    /// The standings of those who have one.
    standings: Vec<Standing>,
    /// One for each of `bridges`. Not one for each person: a walk reads them in the order of its edges.
    briefs: Briefs,
    /// Every member, and everyone a member has an edge to.
    first_degree: FixedBitSet,
}

impl Near {
    /// Takes the near edges out of `edges`. Costs one pass over the incoming edges, on all cores.
    #[must_use]
    pub fn build(edges: &Edges, members: &Members, advocacy: &Advocacy) -> Self {
        let people = edges.into.people();
        let first_degree = with_contacts(edges, members.people.iter().copied(), people);
        let mut near = with_contacts(edges, advocacy.iter().map(|(_, person)| person), people);
        near.union_with(&first_degree);
        let (standings, standing_of) = collect_standings(members, advocacy, people);

        let chunk = people.div_ceil(64).max(1024);
        let parts: Vec<Part> = (0..people.div_ceil(chunk))
            .into_par_iter()
            .map(|part| {
                let range = part * chunk..((part + 1) * chunk).min(people);
                Part::collect(range, edges, &near, &standings, &standing_of)
            })
            .collect();
        let mut whole = Self {
            starts: Vec::with_capacity(people + 1),
            bridges: Vec::with_capacity(parts.iter().map(|part| part.bridges.len()).sum()),
            members: Vec::with_capacity(parts.iter().map(|part| part.members.len()).sum()),
            advocates: Vec::with_capacity(parts.iter().map(|part| part.advocates.len()).sum()),
            standings,
            briefs: Briefs::default(),
            first_degree,
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

    /// What `person` is to the organization.
    #[must_use]
    pub fn standing(&self, person: PersonIx) -> Standing {
        #[cfg(test)]
        crate::model::reads::note(1);
        self.standing_at(self.starts[person.0 as usize].standing)
    }

    /// Puts others in the place of the briefs, for tests of what they change.
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

/// The near edges of a run of people.
#[derive(Default)]
struct Part {
    starts: Vec<Starts>,
    bridges: Vec<NearEdge>,
    members: Vec<NearEdge>,
    advocates: Vec<NearEdge>,
}

impl Part {
    fn collect(
        people: std::ops::Range<usize>,
        edges: &Edges,
        near: &FixedBitSet,
        standings: &[Standing],
        standing_of: &[u32],
    ) -> Self {
        let mut part = Self { starts: Vec::with_capacity(people.len()), ..Self::default() };
        for person in people {
            part.starts.push(Starts {
                bridges: part.bridges.len() as u32,
                members: part.members.len() as u32,
                advocates: part.advocates.len() as u32,
                standing: standing_of[person],
            });
            for (rank, (source, score)) in edges.into.row(PersonIx(person as u32)).iter().enumerate() {
                if near.contains(source.0 as usize) {
                    let standing = standing_of[source.0 as usize];
                    part.push(source, rank, score, standing.checked_sub(1).map(|at| standings[at as usize]));
                }
            }
        }
        part
    }

    fn push(&mut self, source: PersonIx, rank: usize, score: Warmness, standing: Option<Standing>) {
        self.bridges.push(NearEdge::new(source.0, rank, score));
        let standing = standing.unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::{Net, net};

    /// Edges as text: the rank, who the edge is from, the score.
    fn lines<'n>(edges: &[NearEdge], name: impl Fn(u32) -> &'n str) -> Vec<String> {
        let score = |edge: &NearEdge| edge.score().score().map_or("?".to_owned(), |score| score.to_string());
        edges.iter().map(|edge| format!("{} {} {}", edge.rank(), name(edge.source), score(edge))).collect()
    }

    fn bridges(net: &Net, person: &str) -> Vec<String> {
        lines(net.near.row(net.person(person)).bridges, |source| net.name(PersonIx(source)))
    }

    fn members(net: &Net, person: &str) -> Vec<String> {
        lines(net.near.row(net.person(person)).members, |source| net.member_name(MemberIx(source)))
    }

    fn advocates(net: &Net, person: &str) -> Vec<String> {
        let advocate = |source| net.name(net.advocacy.person(AdvocateIx(source)));
        lines(net.near.row(net.person(person)).advocates, advocate)
    }

    #[test]
    fn edges_that_start_near_a_member_are_kept_with_their_rank_among_all() {
        let net = net("
            member ann
            advocate zoe of ann
            advocate yan of ann pending
            fay -90-> pat               # nobody near knows fay
            ann -80-> pat               # a member
            cay -10-> gus -70-> pat     # known by cay alone
            ann -10-> bob -60-> pat     # known by a member
            zoe -10-> cay -50-> pat     # known by an accepted advocate
            zoe -40-> pat               # an accepted advocate
            yan -10-> eve -30-> pat     # known by one who has not accepted yet
            yan -20-> pat
        ");
        assert_eq!(bridges(&net, "pat"), ["1 ann 80", "3 bob 60", "4 cay 50", "5 zoe 40"]);
        assert_eq!(members(&net, "pat"), ["1 ann 80"]);
        assert_eq!(advocates(&net, "pat"), ["5 zoe 40"]);
        assert!(bridges(&net, "fay").is_empty());
        assert_eq!(bridges(&net, "gus"), ["0 cay 10"]);
    }

    #[test]
    fn each_list_is_warmest_first_unscored_last_then_by_person() {
        let net = net("
            member bea as 1, ann as 2, cat, dan, eve
            advocate ann of bea
            advocate bea of ann
            eve -?-> pat
            dan -> pat
            cat -0-> pat
            bea -80-> pat
            ann -80-> pat
            fay -100-> pat
        ");
        let expected = ["1 ann 80", "2 bea 80", "3 cat 0", "4 dan ?", "5 eve ?"];
        assert_eq!(bridges(&net, "pat"), expected);
        assert_eq!(members(&net, "pat"), expected);
        assert_eq!(advocates(&net, "pat"), expected[..2]);
    }

    #[test]
    fn a_person_is_a_member_an_accepted_advocate_both_or_neither() {
        let net = net("
            member ann, bea
            advocate bea of ann
            advocate zoe of bea
            advocate yan of bea pending
        ");
        let advocate = |name: &str| {
            net.advocacy.iter().find(|&(_, person)| person == net.person(name)).map(|(advocate, _)| advocate)
        };
        for (name, member, advocate) in [
            ("ann", Some(net.member("ann")), None),
            ("bea", Some(net.member("bea")), advocate("bea")),
            ("zoe", None, advocate("zoe")),
            ("yan", None, None),
        ] {
            let (standing, person) = (Standing { member, advocate }, net.person(name));
            assert_eq!([net.near.standing(person), net.near.row(person).standing], [standing; 2]);
        }
        assert!(advocate("bea").is_some() && advocate("zoe").is_some() && advocate("yan").is_none());
    }

    #[test]
    fn first_degree_is_every_member_and_whom_a_member_knows() {
        let net = net("
            member ann, bea
            advocate zoe of ann
            ann -50-> bob -50-> cay
            zoe -50-> dan -50-> ann
        ");
        let is_first = |name: &&str| net.near.is_first_degree(net.person(name));
        let first: Vec<&str> =
            ["ann", "bea", "bob", "cay", "dan", "zoe"].into_iter().filter(is_first).collect();
        assert_eq!(first, ["ann", "bea", "bob", "zoe"]);
    }

    /// People are taken in runs of a thousand and some, which are then put together.
    #[test]
    fn rows_are_right_wherever_a_run_of_people_ends() {
        let names: Vec<String> = (0..2_100).map(|number| format!("p{number:04}")).collect();
        let mut text = "member ann\nadvocate p2000 of ann\n".to_owned();
        for (number, name) in names.iter().enumerate() {
            text += &format!("ann -{}-> {name}\n", number % 101);
            text += &if number % 3 == 0 { format!("p2000 -100-> {name}\n") } else { String::new() };
        }
        let net = net(&text);
        for (number, name) in names.iter().enumerate() {
            let is_known = number % 3 == 0 && number != 2_000;
            let expected = format!("{} ann {}", usize::from(is_known && number % 101 < 100), number % 101);
            // At 100 ann comes first, as her id does.
            assert_eq!(members(&net, name), [expected]);
            assert_eq!(bridges(&net, name).len(), 1 + usize::from(is_known));
            assert_eq!(advocates(&net, name).len(), usize::from(is_known));
            assert_eq!(net.near.standing(net.person(name)).advocate.is_some(), number == 2_000);
        }
    }
}
