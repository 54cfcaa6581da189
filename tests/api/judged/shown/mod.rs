//! The reported understanding of a query explains its answer: the people in it and the people left out follow from the
//! terms, from each person's reported matches, from the counts and from the tables.
//!
//! Promise: What a search says it understood explains its answer: the people at each strictness follow from what each
//!   is said to match, `people` and `counts` are those of a slow look at each person, each text stands in its field,
//!   and all else is as unasked.
//! Control: the same trial of answers that leave out one term: each is caught by who is in them or by the counts; eight
//!   changed fields.

mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kith::limits::Limits;
use kith_server::language_model::LanguageModel;
use kith_server::live::network::LiveNetwork;
use kith_server::search::conditions::{Condition, NetworkKind, Query, TermKind, When};
use kith_server::search::engine::{Engine, Engines};
use kith_server::search::fit::{Fits, MATCH};
use kith_server::search::parse::parse;
use kith_server::search::pool::{Pool, default_member};
use kith_server::search::resolve::resolve;
use kith_server::search::{keyword, knowers, measure, relational, vector};
use serde_json::{Value, json};

use crate::judged::case::{Case, People, REACHES, cases};
use crate::judged::set::Judged;
use crate::judged::shown::trial::{Fault, faults, list, passed, text};
use crate::support::{Credentials, Served, stored};

const PATH: &str = "/api/v1/search/network";
/// Maximum entries of a page.
const PAGE_MAX: usize = 50;

/// A network in service, and the same in hand.
struct Bench {
    case: Case,
    network: Arc<LiveNetwork>,
    served: Served,
    key: String,
    _folder: tempfile::TempDir,
    _credentials: Credentials,
}

/// One query as it is asked: the engine, the networks it is asked of (`None` leaves them to the query).
struct Asking<'a> {
    query: &'a Judged,
    engine: Engine,
    networks: Option<&'static str>,
}

/// The answer to a query by a slow look at each person.
#[derive(Debug)]
pub(crate) struct Reckoned {
    pool: People,
    /// How many people each term fits; those of conditions, then those of exclusions.
    people: Vec<usize>,
    /// How many fit at least one condition, more than half of them, every one.
    counts: [usize; 3],
    /// For each condition, which list of alternatives it is of; each other condition is a list of its own.
    lists: Vec<usize>,
    /// By person, the conditions they fit.
    fitting: BTreeMap<String, BTreeSet<usize>>,
}

impl Bench {
    fn all() -> Vec<Self> {
        let bench = |case: Case| {
            let (credentials, folder) = (Credentials::new(), tempfile::tempdir().unwrap());
            let key = credentials.key(&case.organization);
            let network = Arc::new(stored(&case.folder, folder.path()));
            let off = LanguageModel::new(None).unwrap();
            let served = Served::parsing(&[Arc::clone(&network)], &credentials, Limits::DEFAULT, off);
            Self { case, network, served, key, _folder: folder, _credentials: credentials }
        };
        cases().into_iter().map(bench).collect()
    }

    async fn ask(&self, asking: &Asking<'_>, strictness: u8, include: Value) -> Value {
        let body = json!({
            "query": asking.query.query, "mode": asking.engine.mode(), "limit": PAGE_MAX, "strictness": strictness,
            "asUserId": asking.query.as_user, "networks": asking.networks.map(|network| [network]), "include": include,
        });
        let answer = self.served.post(PATH, &self.key, &body).await;
        assert_eq!(answer.status, 200, "{body}: {}", String::from_utf8_lossy(&answer.bytes));
        answer.json()
    }

    /// The answers at each strictness, the most relaxed first.
    async fn answers(&self, asking: &Asking<'_>) -> [Value; 3] {
        let ask = |strictness| self.ask(asking, strictness, json!(["understood"]));
        [ask(1).await, ask(2).await, ask(3).await]
    }

    fn understand(&self, query: &Judged) -> Query {
        let search = &self.network.search;
        search.spell(resolve(&parse(&self.network.index, search, &query.query)))
    }

    fn fits(&self, engine: Engine, condition: &Condition) -> Fits {
        let deadline = Instant::now() + Duration::from_secs(60);
        let searched = self.network.searched(Engines::ALL, deadline);
        let (index, search) = (searched.index, searched.search);
        let fits = match engine {
            Engine::Keyword => keyword::fits_of_parts(index, search, condition),
            Engine::Vector => vector::fits(index, search, condition),
            Engine::Relational => {
                relational::fits(index, search, searched.store.unwrap(), condition, deadline).unwrap()
            }
        };
        if condition.or_name { search.names.or_named(index, &condition.term, fits) } else { fits }
    }

    fn reckon(&self, asking: &Asking<'_>) -> Reckoned {
        let query = self.understand(asking.query);
        let named: Vec<&str> = query.networks.iter().map(|network| network.name()).collect();
        let is_chosen = |name: &str| match asking.networks {
            Some(network) => network == name,
            None => named.is_empty() || named.contains(&name),
        };
        let index = &self.network.index;
        // A view that the caller names counts before one that the words name.
        let view = query.view.filter(|_| asking.query.as_user.is_none());
        let pool = match view {
            Some(member) => self.case.pool_of_user(index.data.members.user_ids.get(member.0), is_chosen),
            None => self.case.pool_of(asking.query, is_chosen),
        };
        let asked = asking.query.as_user.as_deref().and_then(|user| index.find_member(user));
        let chosen = NetworkKind::ALL.into_iter().filter(|network| is_chosen(network.name()));
        let member = asked.or(view).or_else(|| default_member(index));
        let seen = Pool::new(index, member, &chosen.collect::<Vec<_>>());
        let search = &self.network.search;
        let counted = |it: &Condition| Some(measure::fits(index, search.well_connected, &seen, it.measure?));
        let wanted = |it: &Condition| {
            let fits = counted(it).unwrap_or_else(|| self.fits(asking.engine, it));
            if it.or_knowers { knowers::and_knowers(index, &seen, &fits).as_ref().clone() } else { fits }
        };
        let unwanted = |it: &Condition| counted(it).unwrap_or_else(|| keyword::fits(index, search, it));
        let conditions: Vec<Fits> = query.conditions.iter().map(wanted).collect();
        let exclusions: Vec<Fits> = query.exclusions.iter().map(unwanted).collect();
        // Who is still at a company that they should have left is left out without a term of their own.
        let once = query.conditions.iter().filter(|it| it.kind == TermKind::Company && it.when == When::Once);
        let now = once.map(|it| Condition { when: When::Now, ..it.clone() });
        let still: Vec<Fits> =
            now.filter(|it| !query.conditions.contains(it)).map(|it| unwanted(&it)).collect();
        let is_blank = !asking.query.query.contains(char::is_alphanumeric);
        let (mut people, mut counts) = (vec![0; conditions.len() + exclusions.len()], [0; 3]);
        let begins = |at: usize| usize::from(at > 0 && !query.alternatives.contains(&at));
        let lists = (0..conditions.len()).scan(0, |list, at| {
            *list += begins(at);
            Some(*list)
        });
        let lists: Vec<usize> = lists.collect();
        let mut fitting = BTreeMap::new();
        for person in pool.iter().filter(|_| !is_blank) {
            let row = self.network.index.data.people.ids.find_sorted(person).unwrap();
            let fits = |fits: &Fits| fits.of(&self.network.index, row) >= MATCH;
            let matched: Vec<usize> = (0..conditions.len()).filter(|&at| fits(&conditions[at])).collect();
            let unwanted: Vec<usize> = (0..exclusions.len()).filter(|&at| fits(&exclusions[at])).collect();
            matched.iter().for_each(|&at| people[at] += 1);
            unwanted.iter().for_each(|&at| people[conditions.len() + at] += 1);
            if unwanted.is_empty() && !still.iter().any(fits) {
                let matched: BTreeSet<usize> = matched.into_iter().collect();
                (1..=passed(&matched, &lists)).for_each(|strictness| counts[strictness - 1] += 1);
                fitting.insert(person.clone(), matched);
            }
        }
        Reckoned { pool, people, counts, lists, fitting }
    }

    /// The texts of a person in `field`.
    fn texts(&self, person: &str, field: &str) -> Vec<String> {
        let of = &self.case.network.people[person];
        let company = of.company_id.as_ref().map(|id| &self.case.network.companies[id]);
        let values = match field {
            "name" => vec![of.name.as_str()],
            "company" => company.map(|company| company.name.as_str()).into_iter().collect(),
            "pastCompany" => self.case.values(person, "past_companies"),
            "position" => self.case.values(person, "positions"),
            "city" => self.case.values(person, "cities"),
            "country" => self.case.values(person, "countries"),
            "industry" => self.case.values(person, "industries"),
            "headquartersLocation" => self.case.values(person, "headquarters"),
            "introStatus" => {
                self.case.network.intro_request(person).map(|it| it.status.as_str()).into_iter().collect()
            }
            "knownBy" => {
                let edges = self.case.network.incoming(person);
                edges.iter().map(|(knower, _)| self.case.network.people[*knower].name.as_str()).collect()
            }
            "knows" => {
                let edges = self.case.network.outgoing(person);
                edges.iter().map(|(known, _)| self.case.network.people[*known].name.as_str()).collect()
            }
            "connectionsCount" => return of.connections_count.iter().map(ToString::to_string).collect(),
            "companySize" => {
                let bounds = company.map(|company| (&company.min_size, &company.max_size));
                return match bounds {
                    Some((Some(least), Some(most))) => vec![format!("{least}-{most}")],
                    Some((Some(least), None)) => vec![format!("{least}+")],
                    Some((None, Some(most))) => vec![format!("up to {most}")],
                    Some((None, None)) | None => vec![],
                };
            }
            other => panic!("there is no field {other}"),
        };
        values.into_iter().map(str::to_owned).collect()
    }
}

/// The first queries of a network, and those on who knows whom, each asked of every engine, by turns of each network and of those
/// that it names.
fn askings(case: &Case) -> impl Iterator<Item = Asking<'_>> {
    let relations = case.later.iter().flatten();
    let relations = relations.filter(|query| ["connections", "relation"].contains(&query.class.as_str()));
    case.queries.iter().chain(relations).enumerate().flat_map(|(at, query)| {
        Engine::ALL.into_iter().map(move |engine| {
            let turn = (at + engine as usize) % (REACHES.len() + 1);
            Asking { query, engine, networks: REACHES.get(turn).copied() }
        })
    })
}

/// `answers` as one that left out its last term would give them.
fn without_last_term(answers: &[Value; 3]) -> Option<[Value; 3]> {
    let terms = list(&answers[0]["meta"]["understood"]);
    let last = terms.iter().rposition(|term| term["negated"] == false)?;
    Some(answers.clone().map(|mut answer| {
        answer["meta"]["understood"].as_array_mut().unwrap().remove(last);
        answer["meta"]["searchTerms"].as_array_mut().unwrap().remove(last);
        for hit in answer["data"].as_array_mut().unwrap() {
            hit["matched"].as_array_mut().unwrap().retain(|matched| matched["term"] != last);
        }
        answer
    }))
}

/// `answer` without the term of the member whose contacts the query asks for, whom everybody in it fits.
fn without_view(mut answer: Value) -> Value {
    let searched = list(&answer["meta"]["searchTerms"]).len();
    answer["meta"]["understood"].as_array_mut().unwrap().truncate(searched);
    for hit in answer["data"].as_array_mut().unwrap() {
        hit["matched"].as_array_mut().unwrap().retain(|matched| matched["term"] != searched);
    }
    answer
}

/// `answer` as it is if nobody asks what was understood.
fn plain(mut answer: Value) -> Value {
    // Not every query shows its language.
    answer["meta"].as_object_mut().unwrap().remove("language");
    for name in ["understood", "ignored", "counts"] {
        assert!(answer["meta"].as_object_mut().unwrap().remove(name).is_some(), "{name} is missing");
    }
    for hit in answer["data"].as_array_mut().unwrap() {
        assert!(hit.as_object_mut().unwrap().remove("matched").is_some(), "{hit}");
    }
    answer
}

#[tokio::test]
async fn what_was_understood_explains_who_is_in_the_answer_and_one_term_less_does_not() {
    let (mut ways, mut widened, mut caught, mut asked) = (BTreeMap::<String, usize>::new(), 0, 0, 0);
    for bench in Bench::all() {
        for asking in askings(&bench.case) {
            let said = format!(
                "{} {:?} {:?} {:?}",
                asking.query.id, asking.query.query, asking.engine, asking.networks
            );
            let (answers, reckoned) = (bench.answers(&asking).await, bench.reckon(&asking));
            assert_eq!(bench.ask(&asking, 1, Value::Null).await, plain(answers[0].clone()), "{said}");
            let answers = answers.map(without_view);
            assert_eq!(faults(&bench, &asking, &answers, &reckoned), [], "{said}");
            for matched in list(&answers[0]["data"]).iter().flat_map(|hit| list(&hit["matched"])) {
                *ways.entry(format!("{} {}", text(&matched["how"]), text(&matched["field"]))).or_default() +=
                    1;
            }
            widened += list(&answers[0]["meta"]["understood"])
                .iter()
                .filter(|it| it["widenedTo"].is_array())
                .count();
            // The control: the same trial of an answer that leaves out a term.
            if let Some(answers) = without_last_term(&answers) {
                let found = faults(&bench, &asking, &answers, &reckoned);
                let is_caught = |fault: &Fault| matches!(fault, Fault::Membership(_) | Fault::Counts(_));
                assert!(found.iter().any(is_caught), "{said}: {found:?}");
                caught += 1;
            }
            asked += 1;
        }
    }
    assert!(asked > 300 && caught > 280 && widened > 50, "{asked}, {caught}, {widened}");
    for way in [
        "words position",
        "sense position",
        "words company",
        "past pastCompany",
        "words industry",
        "words name",
    ]
    .into_iter()
    .chain(["words city", "words country", "words headquartersLocation"])
    {
        assert!(ways.contains_key(way), "{way}: {ways:?}");
    }
}

/// The control: a text that its field does not hold is seen, and so are people who fit and are said not to.
#[tokio::test]
async fn a_wrong_text_field_way_or_count_is_caught() {
    let bench = Bench::all().remove(0);
    let query = bench.case.queries.iter().find(|query| query.id == "h021").unwrap();
    let asking = Asking { query, engine: Engine::Keyword, networks: None };
    let (answers, reckoned) = (bench.answers(&asking).await, bench.reckon(&asking));
    for (place, value) in [
        ("/data/0/matched/0/text", json!("Somebody else's position")),
        ("/data/0/matched/0/field", json!("city")),
        ("/data/0/matched/0/how", json!("past")),
        ("/data/0/matched/0/term", json!(1)),
        ("/data/0/matched", json!([])),
        ("/meta/understood/0/people", json!(0)),
        ("/meta/understood/0/negated", json!(true)),
        ("/meta/counts/any", json!(0)),
    ] {
        let mut broken = answers.clone();
        *broken[0].pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value;
        assert_ne!(faults(&bench, &asking, &broken, &reckoned), [], "{place}");
    }
}
