//! A network of judged queries: the people who can be found in it, and the people that a rule means.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kith_server::model::time::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::judged::set::{
    Clause, Judged, LATER_SETS, Rule, judged_queries, later_queries, more_queries, unseen_queries,
};
use crate::oracle::{Network, Tables};
use crate::support::project;

/// The networks of the set.
pub(crate) const NETWORKS: [&str; 5] = ["harbourlight", "fernhollow", "crunchbase", "congress", "openbase"];

/// Ids of people.
pub(crate) type People = BTreeSet<String>;

/// One network with the queries over it.
pub(crate) struct Case {
    pub(crate) organization: String,
    pub(crate) folder: PathBuf,
    /// Those of the first set.
    pub(crate) queries: Vec<Judged>,
    /// Those of the second.
    pub(crate) more: Vec<Judged>,
    /// Those that were written later, set by set.
    pub(crate) later: [Vec<Judged>; LATER_SETS],
    /// Those of the third, which are only read.
    pub(crate) unseen: Vec<Judged>,
    pub(crate) network: Network,
    /// The user id of the oldest admin.
    acting: String,
    /// By person, the names of the companies where an edge of theirs says they once worked.
    past: BTreeMap<String, BTreeSet<String>>,
    /// By acting user and network, who is in it.
    reaches: BTreeMap<(String, &'static str), People>,
}

/// The parts of an acting member's reach.
pub(crate) const REACHES: [&str; 3] = ["user", "advocate", "organization"];

/// The folder with the tables of a network, or `None` if they are not here.
pub(crate) fn folder_of(network: &str) -> Option<PathBuf> {
    let real = || Some(PathBuf::from(std::env::var_os("KITH_REAL_NETWORKS")?));
    match network {
        "crunchbase" | "congress" => real().map(|all| all.join(network)),
        "openbase" => real().map(|all| opened(&all.join("crunchbase"))),
        _ => Some(project(&format!("fixtures/judged/{network}"))),
    }
    .filter(|folder| folder.join("organization.json").is_file())
}

/// A folder with the tables of `closed` and a member more, the oldest admin, who knows everybody.
fn opened(closed: &Path) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tables::read(closed);
        let row = |json: Value| format!("{json}\n");
        let people = tables.lines("people").into_iter().map(|line| {
            let person: Value = serde_json::from_str(line).unwrap();
            row(json!({"from": "person_open-house", "to": person["id"]}))
        });
        let more = [
            ("people", row(json!({"id": "person_open-house", "name": "Open House"}))),
            (
                "members",
                row(json!({
                    "userId": "user_open-house", "personId": "person_open-house", "role": "admin",
                    "joinedAt": "2000-01-01T00:00:00Z",
                })),
            ),
            ("connections", people.collect()),
        ];
        for table in ["people", "companies", "members", "advocates", "connections"] {
            let of_more = more.iter().find(|(name, _)| *name == table).map_or("", |(_, rows)| rows);
            let lines = tables.lines(table).join("\n");
            fs::write(folder.path().join(format!("{table}.ndjson")), format!("{lines}\n{of_more}")).unwrap();
        }
        fs::write(folder.path().join("organization.json"), tables.organization()).unwrap();
        folder
    });
    folder.path().to_owned()
}

/// Every network that is here; says which is not.
#[allow(clippy::print_stdout, reason = "what was passed over has to be seen")]
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for network in NETWORKS {
        match folder_of(network) {
            Some(folder) => cases.push(Case::read(network, folder)),
            None => println!("skipped: {network}, which is not below KITH_REAL_NETWORKS"),
        }
    }
    cases
}

impl Case {
    /// All queries with known targets.
    pub(crate) fn judged(&self) -> impl Iterator<Item = &Judged> {
        self.queries.iter().chain(&self.more).chain(self.later.iter().flatten())
    }

    fn read(name: &str, folder: PathBuf) -> Self {
        let tables = Tables::read(&folder);
        let organization: Value = serde_json::from_str(tables.organization()).unwrap();
        let network = Network::from_tables(&tables);
        let here = |queries: Vec<Judged>| queries.into_iter().filter(|query| query.network == name).collect();
        let mut case = Self {
            organization: organization["id"].as_str().unwrap().to_owned(),
            queries: here(judged_queries()),
            more: here(more_queries()),
            later: later_queries().map(here),
            unseen: here(unseen_queries()),
            acting: oldest_admin(&tables),
            past: past_companies(&network),
            reaches: BTreeMap::new(),
            network,
            folder,
        };
        let users: BTreeSet<String> = case.judged().map(|query| case.acting(query).to_owned()).collect();
        for user in users {
            for name in REACHES {
                case.reaches.insert((user.clone(), name), reach(&case.network, &user, name));
            }
        }
        case
    }

    /// The user id of the member from whose place `query` is asked.
    fn acting<'a>(&'a self, query: &'a Judged) -> &'a str {
        query.as_user.as_deref().unwrap_or(&self.acting)
    }

    /// Everybody who can be found by `query` without restrictions.
    pub(crate) fn pool(&self, query: &Judged) -> People {
        self.pool_of(query, |_| true)
    }

    /// Who can be meant: as [`Case::pool`], or those of the networks that the query names.
    pub(crate) fn pool_named(&self, query: &Judged) -> People {
        self.pool_of(query, |name| query.networks.is_empty() || query.networks.iter().any(|it| it == name))
    }

    /// Everybody in the acting member's chosen networks.
    pub(crate) fn pool_of(&self, query: &Judged, chosen: impl Fn(&str) -> bool) -> People {
        let user = self.acting(query);
        let reaches = self.reaches.iter().filter(|((of, name), _)| of == user && chosen(name));
        reaches.flat_map(|(_, people)| people.iter().cloned()).collect()
    }

    /// Like [`Case::pool_of`], from the place of any user.
    pub(crate) fn pool_of_user(&self, user: &str, chosen: impl Fn(&str) -> bool) -> People {
        REACHES
            .into_iter()
            .filter(|name| chosen(name))
            .flat_map(|name| reach(&self.network, user, name))
            .collect()
    }

    /// The people that `query` means.
    pub(crate) fn relevant(&self, query: &Judged) -> People {
        self.pool_named(query).into_iter().filter(|person| self.is_meant(person, &query.relevant)).collect()
    }

    /// Whom `query` means half; those whom it means are not among them.
    pub(crate) fn partly(&self, query: &Judged) -> People {
        let Some(rule) = &query.partly else { return People::new() };
        let is_partly =
            |person: &String| self.is_meant(person, rule) && !self.is_meant(person, &query.relevant);
        self.pool_named(query).into_iter().filter(is_partly).collect()
    }

    fn is_meant(&self, person: &str, rule: &Rule) -> bool {
        rule.iter().all(|(name, clause)| match name.strip_prefix("not_") {
            Some(name) => !self.fits(person, name, clause),
            None => self.fits(person, name, clause),
        })
    }

    fn fits(&self, person: &str, name: &str, clause: &Clause) -> bool {
        let parts = clause.parts(name);
        parts.iter().any(|(of, fitting)| {
            let values = self.values(person, of);
            fitting.iter().any(|value| values.contains(&value.as_str()))
        })
    }

    /// A person's values for a clause: their positions, their cities and so on.
    pub(crate) fn values(&self, person: &str, of: &str) -> Vec<&str> {
        let person = &self.network.people[person];
        let company = person.company_id.as_ref().and_then(|id| self.network.companies.get(id));
        let one = match of {
            "people" => Some(person.id.as_str()),
            "positions" => person.position.as_deref(),
            "cities" => person.city.as_deref(),
            "countries" => person.country.as_deref(),
            "companies" => person.company_id.as_deref(),
            "industries" => company.and_then(|company| company.industry.as_deref()),
            "headquarters" => company.and_then(|company| company.headquarters_location.as_deref()),
            "past_companies" => {
                return self.past.get(&person.id).into_iter().flatten().map(String::as_str).collect();
            }
            other => panic!("people have no {other}"),
        };
        one.into_iter().collect()
    }
}

/// The people of one of a member's networks, without that member.
fn reach(network: &Network, user: &str, name: &str) -> People {
    let acting = network.members[user].person_id.as_str();
    let who_know: Vec<&str> = match name {
        "user" => vec![acting],
        "advocate" => network.accepted_advocates(user).iter().map(String::as_str).collect(),
        _ => network.members.values().map(|member| member.person_id.as_str()).collect(),
    };
    let edges = who_know.iter().flat_map(|person| network.outgoing(person));
    edges.map(|(known, _)| known.to_owned()).filter(|known| known != acting).collect()
}

/// The user id of the admin who joined first, then of the smaller id.
fn oldest_admin(tables: &Tables) -> String {
    let members =
        tables.lines("members").into_iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let admins = members.filter(|member| member["role"] == "admin");
    let dated = admins.map(|member| {
        let joined = Timestamp::parse(member["joinedAt"].as_str().unwrap()).unwrap();
        (joined, member["userId"].as_str().unwrap().to_owned())
    });
    dated.min().unwrap().1
}

/// By person at either end of an edge, the companies where the two were at the same time.
fn past_companies(network: &Network) -> BTreeMap<String, BTreeSet<String>> {
    let mut past: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to, edge) in network.edges() {
        if let Some(company) = edge.breakdown.get("pastCompanyName").and_then(Value::as_str) {
            for person in [from, to] {
                past.entry(person.to_owned()).or_default().insert(company.to_owned());
            }
        }
    }
    past
}
