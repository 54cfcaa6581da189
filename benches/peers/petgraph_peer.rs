//! A plain program on petgraph's own graph, without an index: a peer of `run.py`.
//!
//!     petgraph_peer FILE SECONDS
//!
//! The file contains the network and the questions, one per line; the answers and the times go to stdout as JSON.
#![allow(clippy::print_stdout, reason = "its answers go there")]

mod timed;

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::time::Duration;

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use timed::{Answer, PAGE, Question};

const UNSCORED: i32 = -1;

struct Network {
    /// Scores on the edges, -1 for none.
    graph: DiGraph<(), i32>,
    /// The people who are members.
    members: Vec<usize>,
    member_of: HashMap<usize, usize>,
    /// Pairs of an advocate and a member they help.
    helps: HashSet<(usize, usize)>,
}

fn coldness(score: i32) -> i32 {
    if score == UNSCORED { 101 } else { 100 - score }
}

impl Network {
    fn rows(&self, person: usize, direction: Direction) -> Vec<(i32, usize)> {
        let edges = self.graph.edges_directed(NodeIndex::new(person), direction);
        let other = |edge: petgraph::graph::EdgeReference<'_, i32>| match direction {
            Direction::Incoming => edge.source().index(),
            Direction::Outgoing => edge.target().index(),
        };
        let mut rows: Vec<(i32, usize)> = edges.map(|edge| (coldness(*edge.weight()), other(edge))).collect();
        rows.sort_unstable();
        rows
    }

    fn person(&self, target: usize) -> Answer {
        let mut found = Vec::new();
        let scanned = self.rows(target, Direction::Incoming).into_iter();
        for (cold, connector) in scanned.filter(|(_, person)| !self.member_of.contains_key(person)).take(256)
        {
            let last = i64::from((100 - cold).max(0));
            let edges = self.graph.edges_directed(NodeIndex::new(connector), Direction::Incoming);
            for edge in edges {
                let Some(&member) = self.member_of.get(&edge.source().index()) else { continue };
                if self.members[member] != target && !self.helps.contains(&(connector, member)) {
                    let first = i64::from((*edge.weight()).max(0));
                    found.push(vec![(first * last + 50) / 100, last, member as i64, connector as i64]);
                }
            }
        }
        found.sort_unstable_by_key(|path| (-path[0], -path[1], path[2], path[3]));
        let total = found.len() as u64;
        found.truncate(PAGE);
        (Some(total), found)
    }

    fn window(&self, member: usize) -> Answer {
        let own = self.members[member];
        let contacts = self.rows(own, Direction::Outgoing);
        let known: HashSet<usize> = contacts.iter().map(|&(_, person)| person).chain([own]).collect();
        let mut best: HashMap<usize, (i32, usize)> = HashMap::new();
        for (place, &(_, bridge)) in contacts.iter().take(200).enumerate() {
            let read = self.rows(bridge, Direction::Outgoing).into_iter().take(1000);
            for (cold, person) in read.filter(|(_, person)| !known.contains(person)).take(100) {
                let way = best.entry(person).or_insert((cold, place));
                *way = (cold, place).min(*way);
            }
        }
        let row = |(&person, &(cold, place)): (&usize, &(i32, usize))| {
            vec![i64::from(cold), person as i64, contacts[place].1 as i64]
        };
        let mut found: Vec<Vec<i64>> = best.iter().map(row).collect();
        found.sort_unstable();
        let total = found.len() as u64;
        found.truncate(PAGE);
        (Some(total), found)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, seconds] = &arguments[..] else {
        println!("usage: petgraph_peer FILE SECONDS");
        return Ok(());
    };
    let time = Duration::from_secs_f64(seconds.parse()?);
    let mut network = Network {
        graph: DiGraph::new(),
        members: Vec::new(),
        member_of: HashMap::new(),
        helps: HashSet::new(),
    };
    let mut questions: [(&str, Vec<Question<usize>>); 2] = [("person", Vec::new()), ("window", Vec::new())];
    for line in std::fs::read_to_string(file)?.lines() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap_or("");
        let numbers = words.map(str::parse).collect::<Result<Vec<i64>, _>>()?;
        let at = |place: usize| numbers[place] as usize;
        match kind {
            "people" => (0..at(0)).for_each(|_| _ = network.graph.add_node(())),
            "member" => {
                network.member_of.insert(at(0), network.members.len());
                network.members.push(at(0));
            }
            "helps" => _ = network.helps.insert((at(0), at(1))),
            "edge" => {
                let (from, to) = (NodeIndex::new(at(0)), NodeIndex::new(at(1)));
                network.graph.add_edge(from, to, numbers[2] as i32);
            }
            _ => {
                let known = questions.iter_mut().find(|(name, _)| *name == kind);
                known.ok_or_else(|| format!("no question: {line}"))?.1.push((at(0).into(), at(0)));
            }
        }
    }
    let [(person, people), (window, members)] = &questions;
    timed::run(person, people, time, |&target| network.person(target))?;
    timed::run(window, members, time, |&member| network.window(member))
}
