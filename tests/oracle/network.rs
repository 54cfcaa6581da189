//! The data of one organization's network in plain maps, built from the tables.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Map, Number, Value};
use time::OffsetDateTime;

use super::rows::{
    Row, advocate, compact_breakdown, company, evidence, intro_request, member, opportunity, person,
};
use super::rules::{Mistake, Rules};
use super::tables::Tables;

/// One organization's network after the build rules were applied.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) organization_name: String,
    /// The organization's own company.
    pub(crate) organization_company: Option<String>,
    pub(crate) companies: BTreeMap<String, Company>,
    pub(crate) people: BTreeMap<String, Person>,
    /// By user id.
    pub(crate) members: BTreeMap<String, Member>,
    /// One for each member helped, whatever the status.
    pub(crate) advocates: Vec<Advocate>,
    /// By the person who knows, then by the known person: merged, without self-edges, with the edges that accepted
    /// advocates imply.
    edges: BTreeMap<String, BTreeMap<String, Edge>>,
    /// By the edge that rests on it, in no order.
    pub(crate) evidence: BTreeMap<(String, String), Vec<Evidence>>,
    pub(crate) intro_requests: Vec<IntroRequest>,
    pub(crate) opportunities: Vec<Opportunity>,
    pub(crate) rules: Rules,
    /// By person, who knows them: the ends of `edges`, filled when these are complete.
    known_by: Ids,
    /// By user id, who accepted to help that member.
    accepted: Ids,
    /// Those of the first and of the second degree, once they are asked for.
    degrees: [OnceLock<BTreeSet<String>>; 2],
}

/// Ids by the id that they belong to.
type Ids = BTreeMap<String, BTreeSet<String>>;

#[derive(Clone, Debug)]
pub(crate) struct Company {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) handle: Option<String>,
    pub(crate) industry: Option<String>,
    pub(crate) headquarters_location: Option<String>,
    pub(crate) min_size: Option<Number>,
    pub(crate) max_size: Option<Number>,
    pub(crate) logo_url: Option<String>,
    pub(crate) domain: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) linkedin_id: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) position: Option<String>,
    pub(crate) company_id: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) country: Option<String>,
    pub(crate) connections_count: Option<Number>,
    /// Other identifiers of the person, never shown.
    pub(crate) other_handles: Vec<String>,
    pub(crate) other_emails: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) user_id: String,
    pub(crate) person_id: String,
    pub(crate) role: String,
    pub(crate) joined_at: OffsetDateTime,
    pub(crate) synced: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Advocate {
    pub(crate) person_id: String,
    pub(crate) user_id: String,
    pub(crate) status: String,
    pub(crate) synced: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Edge {
    pub(crate) warmness: Option<u64>,
    /// Empty when nothing is known.
    pub(crate) breakdown: Map<String, Value>,
    /// The breakdown as it was written, without white space; none when nothing is known.
    compact: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    pub(crate) kind: String,
    pub(crate) at: OffsetDateTime,
    pub(crate) source: Option<String>,
    pub(crate) note: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct IntroRequest {
    pub(crate) person_id: String,
    pub(crate) status: String,
    pub(crate) requested_by: String,
    pub(crate) requested_at: OffsetDateTime,
}

#[derive(Clone, Debug)]
pub(crate) struct Opportunity {
    pub(crate) id: String,
    pub(crate) prospect_id: String,
    pub(crate) overall_score: Number,
    pub(crate) status: String,
    pub(crate) discovered_at: OffsetDateTime,
    pub(crate) discovered_by: String,
    /// The optional fields that leave as they came, by name.
    pub(crate) optional: Map<String, Value>,
    /// As in the tables, in their order.
    pub(crate) paths: Vec<Map<String, Value>>,
}

impl Network {
    /// Reads a folder of valid NDJSON tables, plain or gzip.
    pub(crate) fn read(folder: &Path) -> Network {
        Network::from_tables(&Tables::read(folder))
    }

    /// Builds the network of valid tables, by the right rules.
    pub(crate) fn from_tables(tables: &Tables) -> Network {
        Network::from_tables_by(Rules::default(), tables)
    }

    /// Builds the network of valid tables by the rules given, and answers by them.
    pub(crate) fn from_tables_by(rules: Rules, tables: &Tables) -> Network {
        let organization = Row::read(tables.organization());
        let rows = |table: &str| tables.lines(table).into_iter().map(Row::read).collect::<Vec<_>>();
        let mut network = Network {
            organization_name: organization.required("name"),
            organization_company: organization.text("companyId"),
            companies: rows("companies").iter().map(company).map(|it| (it.id.clone(), it)).collect(),
            people: rows("people").iter().map(person).map(|it| (it.id.clone(), it)).collect(),
            members: rows("members").iter().map(member).map(|it| (it.user_id.clone(), it)).collect(),
            advocates: rows("advocates").iter().map(advocate).collect(),
            edges: BTreeMap::new(),
            evidence: BTreeMap::new(),
            intro_requests: rows("intro_requests").iter().map(intro_request).collect(),
            opportunities: rows("ghost_opportunities").iter().map(opportunity).collect(),
            rules,
            known_by: Ids::new(),
            accepted: Ids::new(),
            degrees: Default::default(),
        };
        if !rules.make(Mistake::AliasesFindNobody) {
            rows("person_aliases").iter().for_each(|row| network.add_aliases(row));
        }
        network.note_accepted_advocates();
        for line in tables.lines("connections") {
            network.merge_edge(line);
        }
        network.add_implied_edges();
        network.note_ends_of_edges();
        for row in rows("evidence") {
            let ends = (row.required("from"), row.required("to"));
            // Without an edge nothing rests on it.
            if network.edge(&ends.0, &ends.1).is_some() {
                network.evidence.entry(ends).or_default().push(evidence(&row));
            }
        }
        network
    }

    fn add_aliases(&mut self, row: &Row) {
        let person = self.people.get_mut(&row.required("personId")).unwrap();
        person.other_handles.extend(row.text("linkedinId"));
        person.other_emails.extend(row.text("email"));
    }

    /// Of two edges with the same ends the warmer stays, then the one with the smaller breakdown.
    fn merge_edge(&mut self, line: &str) {
        let row = Row::read(line);
        let (from, to) = (row.required("from"), row.required("to"));
        if from == to && !self.rules.make(Mistake::SelfEdgesStay) {
            return;
        }
        let breakdown = row.object("breakdown");
        let compact = (!breakdown.is_empty()).then(|| compact_breakdown(line));
        let edge =
            Edge { warmness: row.number("warmness").and_then(|score| score.as_u64()), breakdown, compact };
        match self.edge(&from, &to) {
            Some(_) if self.rules.make(Mistake::FirstParallelEdgeStays) => {}
            Some(held) if held.merge_order() <= edge.merge_order() => {}
            _ => drop(self.edges.entry(from).or_default().insert(to, edge)),
        }
    }

    /// An accepted advocate is known to their member even if no edge says so.
    fn add_implied_edges(&mut self) {
        if self.rules.make(Mistake::NoImpliedEdge) {
            return;
        }
        for (user, advocates) in &self.accepted {
            for advocate in advocates {
                let known = self.edges.entry(self.members[user].person_id.clone()).or_default();
                known.entry(advocate.clone()).or_default();
            }
        }
    }

    fn note_accepted_advocates(&mut self) {
        let pending_counts = self.rules.make(Mistake::PendingCountsAsAccepted);
        for it in &self.advocates {
            if it.status == "accepted" || (pending_counts && it.status == "pending") {
                self.accepted.entry(it.user_id.clone()).or_default().insert(it.person_id.clone());
            }
        }
    }

    fn note_ends_of_edges(&mut self) {
        for (from, known) in &self.edges {
            for to in known.keys() {
                self.known_by.entry(to.clone()).or_default().insert(from.clone());
            }
        }
    }

    /// The people who accepted to help this member.
    pub(crate) fn accepted_advocates(&self, user: &str) -> &BTreeSet<String> {
        static NOBODY: BTreeSet<String> = BTreeSet::new();
        self.accepted.get(user).unwrap_or(&NOBODY)
    }

    /// The member this person is, if any.
    pub(crate) fn member_of_person(&self, person: &str) -> Option<&Member> {
        self.members.values().find(|member| member.person_id == person)
    }

    /// The edge by which `from` knows `to`.
    pub(crate) fn edge(&self, from: &str, to: &str) -> Option<&Edge> {
        self.edges.get(from)?.get(to)
    }

    /// Each edge, by who knows and then by whom.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (&str, &str, &Edge)> {
        self.edges
            .iter()
            .flat_map(|(from, known)| known.iter().map(move |(to, edge)| (from.as_str(), to.as_str(), edge)))
    }

    /// The people that a person knows, by id.
    pub(crate) fn known_by_person(&self, person: &str) -> impl Iterator<Item = (&str, &Edge)> {
        self.edges.get(person).into_iter().flatten().map(|(to, edge)| (to.as_str(), edge))
    }

    /// The people that a person knows, warmest first.
    pub(crate) fn outgoing(&self, person: &str) -> Vec<(&str, &Edge)> {
        self.warmest_first(self.known_by_person(person).collect())
    }

    /// The people who know a person, warmest first.
    pub(crate) fn incoming(&self, person: &str) -> Vec<(&str, &Edge)> {
        let ends = self.known_by.get(person).into_iter().flatten();
        self.warmest_first(ends.map(|from| (from.as_str(), self.edge(from, person).unwrap())).collect())
    }

    /// Score descending, unscored last, then person id ascending.
    pub(crate) fn warmest_first<'a>(&self, mut edges: Vec<(&'a str, &'a Edge)>) -> Vec<(&'a str, &'a Edge)> {
        edges.sort_by_key(|(person, _)| *person);
        if self.rules.make(Mistake::WarmestTiesDescend) {
            edges.reverse();
        }
        let unscored_first = self.rules.make(Mistake::UnscoredFirst);
        edges.sort_by_key(|(_, edge)| {
            (Reverse(unscored_first && edge.warmness.is_none()), Reverse(edge.warmness))
        });
        edges
    }

    /// The number of edges of a person, in plus out.
    pub(crate) fn edge_count(&self, person: &str) -> usize {
        self.known_by.get(person).map_or(0, BTreeSet::len) + self.edges.get(person).map_or(0, BTreeMap::len)
    }

    /// The people who work at a company now, by id.
    pub(crate) fn employees(&self, company: &str) -> Vec<&Person> {
        self.people.values().filter(|person| person.company_id.as_deref() == Some(company)).collect()
    }

    /// Every member, and everyone a member has an edge to.
    pub(crate) fn first_degree(&self) -> &BTreeSet<String> {
        self.degrees[0].get_or_init(|| {
            let members = self.members.values().map(|it| it.person_id.as_str());
            let known = members.clone().flat_map(|person| self.known_by_person(person));
            members.chain(known.map(|(to, _)| to)).map(str::to_owned).collect()
        })
    }

    /// Everyone a first-degree person has an edge to, and who is not first degree.
    pub(crate) fn second_degree(&self) -> &BTreeSet<String> {
        self.degrees[1].get_or_init(|| {
            let first = self.first_degree();
            let known = first.iter().flat_map(|person| self.known_by_person(person));
            known.map(|(to, _)| to.to_owned()).filter(|to| !first.contains(to)).collect()
        })
    }

    /// The request shown for a person: the latest, then the greater requester, then the greater status.
    pub(crate) fn intro_request(&self, person: &str) -> Option<&IntroRequest> {
        let requests = self.intro_requests.iter().filter(|it| it.person_id == person);
        let order = |it: &&IntroRequest| (it.requested_at, it.requested_by.clone(), it.status.clone());
        if self.rules.make(Mistake::EarliestIntroShown) {
            requests.min_by_key(order)
        } else {
            requests.max_by_key(order)
        }
    }
}

impl Person {
    /// Every handle by which the person is found.
    pub(crate) fn handles(&self) -> impl Iterator<Item = &String> {
        self.linkedin_id.iter().chain(&self.other_handles)
    }

    /// Every address by which the person is found.
    pub(crate) fn emails(&self) -> impl Iterator<Item = &String> {
        self.email.iter().chain(&self.other_emails)
    }
}

impl Edge {
    /// The smallest of several parallel edges by this order stays.
    fn merge_order(&self) -> (Reverse<Option<u64>>, bool, Option<&String>) {
        (Reverse(self.warmness), self.compact.is_none(), self.compact.as_ref())
    }

    /// The factors with a number above 0, warmest first, ties by name; none when there is no such factor.
    pub(crate) fn signals(&self) -> Option<Vec<String>> {
        let numbers = self.breakdown.iter().filter_map(|(factor, value)| Some((factor, value.as_f64()?)));
        let mut factors: Vec<(&String, f64)> = numbers.filter(|(_, number)| *number > 0.0).collect();
        factors.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        (!factors.is_empty()).then(|| factors.into_iter().map(|(factor, _)| factor.clone()).collect())
    }
}
