//! Ties of people who gave no files: who wrote to whom with the owner of a mailbox in copy, and who met.
//!
//! - `seen` extracts observations from the messages and events of owners who permit it;
//! - `pairs` adds them up for each pair of people, and decides which pairs get an edge;
//! - `newcomers` are people whom no row names;
//! - `view` has the people and ties that edges are derived from;
//! - `together` makes edges of people who were at one place at the same time;
//! - `known` checks what others' mail shows of a person against that person's own mail.

mod known;
mod newcomers;
pub(crate) mod pairs;
mod seen;
mod together;
mod view;

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::affiliated::Affiliation;
use crate::dates::CalendarDay;
use crate::derived::known::KnownMail;
use crate::derived::pairs::{DerivedPair, SeenPair};
use crate::derived::seen::{Node, Nodes, Sight};
use crate::derived::view::Known;
use crate::gather::Gathered;
use crate::import_error::ImportError;
use crate::people::{GONE, each_two};
use crate::plan::ImportPlan;
use crate::score::seen_together::seen_together;
use crate::score::weights::Weights;
use crate::ties::ScoredEdge;
use crate::who::Who;

/// The derived edges, and the observed pairs.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    pub(crate) edges: Vec<ScoredEdge>,
    /// Edges between people who were at one place at the same time.
    pub(crate) together: Vec<ScoredEdge>,
    pub(crate) pairs: Vec<DerivedPair>,
    /// The number of people whom no row names.
    pub(crate) people: usize,
    /// Whether any derivation is permitted.
    pub(crate) is_asked: bool,
}

/// The settings of a derivation.
pub(crate) struct Derivation<'a> {
    pub(crate) plan: &'a ImportPlan,
    /// Ids of people between whom no edge may be derived.
    pub(crate) untied: &'a [Vec<String>],
    pub(crate) as_of: CalendarDay,
}

/// The observations in all files, and their mailboxes.
pub(crate) struct Observed {
    sights: Vec<Sight>,
    nodes: Nodes,
    /// Recurring events with too many occurrences to be read.
    pub(crate) unseen: usize,
}

/// Maximum rounds in which newcomers without an edge are removed.
const ROUNDS_MAX: usize = 4;

impl Derivation<'_> {
    /// Adds rows to `gathered` for people whom no row names and to whom an edge leads; returns the joined people
    /// including them, and the observations. `None` if nothing may be derived. `who` joins rows to people; `known` is
    /// its result without newcomers.
    ///
    /// # Errors
    /// Returns the errors of `who`.
    pub(crate) fn with_newcomers(
        &self,
        gathered: &mut Gathered,
        mut known: Who,
        who: &dyn Fn(&Gathered) -> Result<Who, ImportError>,
    ) -> Result<(Who, Option<Observed>), ImportError> {
        let asked: Vec<bool> =
            self.plan.holders.iter().map(|holder| self.plan.derives && holder.derives).collect();
        if !asked.contains(&true) {
            return Ok((known, None));
        }
        let (sights, mut nodes, unseen) = seen::sights(gathered, &known.people, &asked, self.as_of);
        nodes.settle(gathered, &known.shared);
        let no_pair = BTreeSet::new();
        let mut rows = self.view(gathered, &known, &no_pair).newcomers(&sights, &nodes);
        let first = gathered.rows.len();
        for _ in 0..ROUNDS_MAX {
            let is_none = rows.is_empty() && gathered.rows.len() == first;
            if is_none {
                break;
            }
            gathered.rows.truncate(first);
            gathered.rows.extend(rows.iter().cloned());
            known = who(gathered)?;
            nodes.settle(gathered, &known.shared);
            let untied = self.untied_of(&known);
            let view = self.view(gathered, &known, &untied);
            let reached = view.reached(&sights, &nodes);
            let is_left = |place: usize| {
                let person = known.people.of_row[first + place];
                person != GONE && reached.contains(&person)
            };
            let left: Vec<_> = rows
                .iter()
                .enumerate()
                .filter(|(place, _)| is_left(*place))
                .map(|(_, row)| row.clone())
                .collect();
            if left.len() == rows.len() {
                break;
            }
            rows = left;
        }
        Ok((known, Some(Observed { sights, nodes, unseen })))
    }

    /// Derives edges from `observed`; pairs already connected by one of `edges` get none. Edges from `affiliations`
    /// come after those from mail.
    pub(crate) fn derive(
        &self,
        gathered: &Gathered,
        known: &Who,
        observed: &Observed,
        edges: &[ScoredEdge],
        affiliations: &[Affiliation],
        weights: &Weights,
    ) -> Derived {
        let untied = self.untied_of(known);
        let view = self.view(gathered, known, &untied);
        let mut derived = view.derive(&observed.sights, &observed.nodes, edges, weights);
        let pairs = edges.iter().chain(&derived.edges).map(|edge| (edge.from, edge.to));
        let taken: HashSet<(u32, u32)> = pairs.collect();
        derived.together = view.together(affiliations, &taken);
        derived
    }

    fn view<'v>(
        &'v self,
        gathered: &'v Gathered,
        known: &'v Who,
        untied: &'v BTreeSet<(u32, u32)>,
    ) -> Known<'v> {
        Known {
            plan: self.plan,
            gathered,
            people: &known.people,
            ties: &known.ties,
            untied,
            as_of: self.as_of,
        }
    }

    /// The pairs of people between whom no edge may be derived, the lesser first.
    fn untied_of(&self, known: &Who) -> BTreeSet<(u32, u32)> {
        let mut by_id: HashMap<&str, u32> = HashMap::new();
        for (ids, person) in known.people.ids.iter().zip(0..) {
            by_id.extend([&ids.id].into_iter().chain(&ids.formerly).map(|id| (id.as_str(), person)));
        }
        let mut untied = BTreeSet::new();
        for entry in self.untied {
            let people: Vec<u32> = entry.iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect();
            untied.extend(each_two(&people));
        }
        untied
    }
}

impl Known<'_> {
    /// The people to whom an edge leads.
    fn reached(&self, sights: &[Sight], nodes: &Nodes) -> BTreeSet<u32> {
        let pairs = self.pairs(sights, nodes);
        let is_edge = |((from, to), pair): (&(Node, Node), &SeenPair)| {
            let (from, person) = (from.person()?, to.person()?);
            let back = pairs.all.get(&(*to, Node::Person(from)));
            let is_one = self.is_tie(pair, back, from, Some(person)) && !self.is_untied(from, person);
            is_one.then_some(person)
        };
        pairs.all.iter().filter_map(is_edge).collect()
    }

    /// Derives edges from `sights`, like [`Derivation::derive`].
    fn derive(&self, sights: &[Sight], nodes: &Nodes, edges: &[ScoredEdge], weights: &Weights) -> Derived {
        let pairs = self.pairs(sights, nodes);
        let taken: HashSet<(u32, u32)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let mut known = KnownMail::new(self, nodes);
        let mut derived = Derived { is_asked: true, ..Derived::default() };
        for ((from, to), pair) in &pairs.all {
            let (Some(from), Some(to)) = (from.person(), to.person()) else { continue };
            if self.is_untied(from, to) {
                continue;
            }
            let back = pairs.all.get(&(Node::Person(to), Node::Person(from)));
            if self.is_tie(pair, back, from, Some(to)) && !taken.contains(&(from, to)) {
                derived.edges.push(self.edge((from, to), pair, back, weights));
            }
            derived.pairs.push(pair.line((from, to), back, &mut known));
        }
        let reached: BTreeSet<u32> = derived.edges.iter().map(|edge| edge.to).collect();
        derived.people = reached.into_iter().filter(|person| self.is_newcomer(*person)).count();
        derived
    }

    fn edge(
        &self,
        (from, to): (u32, u32),
        pair: &SeenPair,
        back: Option<&SeenPair>,
        weights: &Weights,
    ) -> ScoredEdge {
        let scored = seen_together(pair.days(back), pair.is_both(back), self.as_of, weights);
        let breakdown = scored.breakdown(&crate::score::tie::Tie::default());
        let evidence = pair.evidence(back, |holder| self.plan.holders[holder as usize].name.as_str());
        ScoredEdge { from, to, scored, breakdown, evidence }
    }
}
