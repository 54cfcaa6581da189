//! The pool of a search: the people in its networks, seen from one member.

use std::borrow::Cow;
use std::cmp::Reverse;

use crate::graph::advocacy::AdvocateIx;
use crate::graph::index::GraphIndex;
use crate::model::column::held;
use crate::model::dataset::Role;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::time::Timestamp;
use crate::model::warmness::Warmness;
use crate::search::conditions::NetworkKind;

/// In [`Pool::coldness`]: not in the pool.
pub const OUTSIDE: u8 = u8::MAX;

/// Everybody in the chosen networks, without the acting member.
#[derive(Debug)]
pub struct Pool<'a> {
    index: &'a GraphIndex,
    /// The member whose perspective it is; none in an organization without members.
    acting: Option<MemberIx>,
    networks: Vec<NetworkKind>,
    /// For each person, the coldness of the warmest edge that put them here, or [`OUTSIDE`].
    coldness: Vec<u8>,
    /// The candidates for the pool, ascending; some of them may be outside.
    people: Cow<'a, [u32]>,
}

/// The people whom a search may find, and how well members know them.
///
/// They are the same for all callers, so they are in the search index.
#[derive(Debug)]
pub struct FindablePeople {
    /// Ascending; includes every contact of a member or an accepted advocate.
    pub people: Vec<u32>,
    /// For each person of the network, the coldness of the warmest edge from a member, or [`OUTSIDE`].
    coldness: Vec<u8>,
}

impl FindablePeople {
    /// Builds it for the network `index`, in which searches find only `people`. Costs a byte per person, and a pass
    /// over the edges from members.
    #[must_use]
    pub fn of(index: &GraphIndex, people: Vec<u32>) -> Self {
        let mut coldness = vec![OUTSIDE; index.data.people.ids.len()];
        let members = (0..index.data.members.len() as u32).map(MemberIx);
        members.for_each(|member| add(index, index.data.members.person(member), &mut coldness));
        Self { people, coldness }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.coldness.capacity() + held(&self.people)
    }
}

/// Adds the contacts of `from` to `coldness`.
fn add(index: &GraphIndex, from: PersonIx, coldness: &mut [u8]) {
    for (person, score) in index.data.edges.out.row(from).iter() {
        let known = &mut coldness[person.0 as usize];
        *known = (*known).min(score.coldness());
    }
}

/// A network that a person is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Known by the acting member.
    User(PersonIx),
    /// Known by this advocate of the acting member.
    Advocate(PersonIx),
    /// Known by a member of the organization.
    Organization,
}

/// The default member for the perspective: the oldest admin, or else the oldest member; none in an organization without
/// members.
#[must_use]
pub fn default_member(index: &GraphIndex) -> Option<MemberIx> {
    let members = &index.data.members;
    // Members ascend by user id, so the first of equals has the smaller id.
    (0..members.len() as u32).map(MemberIx).min_by_key(|member| {
        let row = member.0 as usize;
        (members.roles[row] != Role::Admin, members.joined_at[row])
    })
}

impl<'a> Pool<'a> {
    /// The pool of `networks` as `acting` sees them. Costs a byte per person, and a pass over the edges from members or
    /// from the advocates of `acting`.
    #[must_use]
    pub fn new(index: &'a GraphIndex, acting: Option<MemberIx>, networks: &[NetworkKind]) -> Self {
        let everybody: Vec<u32> = (0..index.data.people.ids.len() as u32).collect();
        let findable = FindablePeople::of(index, everybody);
        let Pool { networks, coldness, .. } = Pool::beside(index, &findable, acting, networks);
        Self { index, acting, networks, coldness, people: Cow::Owned(findable.people) }
    }

    /// Like [`Self::new`], with the findable people of `index` already known: costs a copy of how well members know
    /// each person, and a pass over the edges from the advocates of `acting`.
    #[must_use]
    pub fn beside(
        index: &'a GraphIndex,
        findable: &'a FindablePeople,
        acting: Option<MemberIx>,
        networks: &[NetworkKind],
    ) -> Self {
        let mut networks = networks.to_vec();
        networks.sort_unstable();
        networks.dedup();
        let of_organization = networks.contains(&NetworkKind::Organization);
        let coldness = if of_organization {
            findable.coldness.clone()
        } else {
            vec![OUTSIDE; index.data.people.ids.len()]
        };
        let mut pool = Self { index, acting, networks, coldness, people: Cow::Borrowed(&findable.people) };
        if of_organization {
            // Contacts of members are already in it.
        } else if let Some(member) = acting.filter(|_| pool.has(NetworkKind::User)) {
            pool.add(index.data.members.person(member));
        }
        if let Some(member) = acting.filter(|_| pool.has(NetworkKind::Advocate)) {
            index
                .advocacy
                .advocates_of(member)
                .for_each(|advocate| pool.add(index.advocacy.person(advocate)));
        }
        if let Some(member) = acting {
            pool.coldness[index.data.members.person(member).0 as usize] = OUTSIDE;
        }
        pool
    }

    /// Everybody in the tables, as no search may see them.
    #[cfg(test)]
    pub(crate) fn of_everybody(index: &'a GraphIndex) -> Self {
        let people = (0..index.data.people.len() as u32).collect();
        Self { index, acting: None, networks: Vec::new(), coldness: vec![0; index.data.people.len()], people }
    }

    fn has(&self, network: NetworkKind) -> bool {
        self.networks.contains(&network)
    }

    fn add(&mut self, from: PersonIx) {
        add(self.index, from, &mut self.coldness);
    }

    /// For each person, the coldness of the warmest edge that put them here, or [`OUTSIDE`].
    #[must_use]
    pub fn coldness(&self) -> &[u8] {
        &self.coldness
    }

    /// Everybody in the pool, ascending, and possibly some who are not.
    #[must_use]
    pub fn people(&self) -> &[u32] {
        &self.people
    }

    /// The newest evidence of members' edges to each person who has any; only of the acting member's if no other
    /// network is searched. Costs a pass over the table of evidence.
    #[must_use]
    pub fn last_contacts(&self) -> Vec<(PersonIx, Timestamp)> {
        let evidence = &self.index.data.evidence;
        let rows = evidence.from.iter().zip(&evidence.to).zip(&evidence.at);
        let of_pool = rows.filter(|((from, _), _)| self.is_looked_at(**from));
        let mut contacts: Vec<(PersonIx, Timestamp)> = of_pool.map(|((_, to), at)| (*to, *at)).collect();
        contacts.sort_unstable_by_key(|&(person, at)| (person, Reverse(at)));
        contacts.dedup_by_key(|(person, _)| *person);
        contacts
    }

    /// The newest evidence of such an edge to `person`. Costs two binary searches for each member who knows them.
    #[must_use]
    pub fn last_contact(&self, person: PersonIx) -> Option<Timestamp> {
        let data = &self.index.data;
        let members = self.index.near.row(person).members.iter();
        let from = members.map(|edge| data.members.person(MemberIx(edge.source)));
        let newest = |from| data.evidence.at[data.evidence.rows_of(from, person)].first().copied();
        from.filter(|from| self.is_looked_at(*from)).filter_map(newest).max()
    }

    fn is_looked_at(&self, from: PersonIx) -> bool {
        match (self.networks.as_slice(), self.index.near.standing(from).member) {
            ([NetworkKind::User], member) => member.is_some() && member == self.acting,
            (_, member) => member.is_some(),
        }
    }

    /// The score of the warmest edge that put `person` in the pool, 0 to 100, or `None` if it is unscored.
    #[must_use]
    pub fn warmness(&self, person: PersonIx) -> Option<u8> {
        100_u8.checked_sub(self.coldness[person.0 as usize])
    }

    /// Every chosen network that `person` is in: the member's own, each advocate's by their id, the
    /// organization's. Costs a look at the person's near edges.
    #[must_use]
    pub fn sources(&self, person: PersonIx) -> Vec<Source> {
        let (index, near) = (self.index, self.index.near.row(person));
        let mut sources = Vec::new();
        if let Some(member) = self.acting.filter(|_| self.has(NetworkKind::User))
            && near.members.iter().any(|edge| edge.source == member.0)
        {
            sources.push(Source::User(index.data.members.person(member)));
        }
        if let Some(member) = self.acting.filter(|_| self.has(NetworkKind::Advocate)) {
            let mut advocates: Vec<AdvocateIx> =
                near.advocates.iter().map(|edge| AdvocateIx(edge.source)).collect();
            advocates.retain(|&advocate| index.advocacy.helps(advocate, member));
            advocates.sort_unstable();
            sources.extend(
                advocates.into_iter().map(|advocate| Source::Advocate(index.advocacy.person(advocate))),
            );
        }
        if self.has(NetworkKind::Organization) && !near.members.is_empty() {
            sources.push(Source::Organization);
        }
        sources
    }
}

/// The score of a coldness, 0 to 100; 0 if it is unscored.
#[must_use]
pub fn weight(coldness: u8) -> u32 {
    100_u8.checked_sub(coldness).and_then(Warmness::new).map_or(0, Warmness::weight)
}
