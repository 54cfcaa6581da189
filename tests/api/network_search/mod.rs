//! Network search: its pool of people, their descriptions, and the effect of strictness.
//!
//! The pool and the description of a person equal the oracle's, on any network. Which people fit a query depends on the
//! engine; here it is checked only for what holds for every engine: nobody outside the pool, a stricter search within a
//! more relaxed one, ties by id, a limit that only truncates.

mod twins;

use std::collections::BTreeSet;
use std::path::Path;

use kith::limits::Limits;
use kith_server::search::engine::{Engine, Engines};
use serde_json::{Value, json};

use crate::drawn::{at_least, share};
use crate::oracle::random::{Dice, EVERYBODY, random_network_search, random_networks, random_search_query};
use crate::oracle::{Caller, Mistake, NETWORKS, Network, Pool, Rules, Search, same_answer};
use crate::props::case::Case;
use crate::support::{Credentials, Served, network_of, project};

const PATH: &str = "/api/v1/search/network";
const RANDOM_NETWORKS: u64 = 150;
/// No answer holds more.
const LIMIT_MAX: usize = 50;

/// A network of the project, served beside the oracle.
struct Known {
    organization: String,
    oracle: Network,
    served: Served,
}

impl Known {
    fn open(folder: &str, credentials: &Credentials) -> Self {
        let folder = project(folder);
        let network = network_of(&folder);
        let organization = network.index.data.organization.id.clone();
        let served = Served::networks([network], credentials, Limits::DEFAULT);
        Self { organization, oracle: Network::read(&folder), served }
    }

    async fn search(&self, credentials: &Credentials, search: &Search) -> Value {
        let credential = match &search.caller {
            Caller::Organization => credentials.key(&self.organization),
            Caller::User(user) => credentials.token(&self.organization, user),
        };
        let answer = self.served.post(PATH, &credential, &search.body).await;
        assert_eq!(answer.status, 200, "{search:?}: {}", String::from_utf8_lossy(&answer.bytes));
        answer.json()
    }
}

/// Every choice of networks; the last is to leave the choice open.
fn choices() -> Vec<Value> {
    let some = (1..8_usize).map(|set| {
        let chosen = NETWORKS.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
        chosen.map(|(_, name)| *name).collect::<Value>()
    });
    some.chain([Value::Null]).collect()
}

/// Every acting member a network has, and nobody named, over every choice of networks. Both ids of members,
/// the key and the tokens of two users take turns; if nobody is named, each of those asks.
fn searches(oracle: &Network) -> Vec<Search> {
    let members = oracle.members.values();
    let tokens = members.clone().map(|member| Caller::User(member.user_id.clone()));
    let ends: Vec<Caller> =
        [tokens.clone().next(), tokens.clone().next_back()].into_iter().flatten().collect();
    let callers: Vec<Caller> = ends.into_iter().chain([Caller::Organization]).collect();
    let mut searches = Vec::new();
    let mut add = |caller: &Caller, networks: &Value, named: Value| {
        let query = EVERYBODY[searches.len() % EVERYBODY.len()];
        let body = json!({ "query": query, "networks": networks, "asUserId": named, "limit": LIMIT_MAX });
        searches.push(Search { caller: caller.clone(), body });
    };
    for (set, networks) in choices().iter().enumerate() {
        callers.iter().for_each(|caller| add(caller, networks, Value::Null));
        for (place, member) in members.clone().enumerate() {
            let id = if (set + place) % 2 == 0 { &member.user_id } else { &member.person_id };
            add(&callers[(set + place) % callers.len()], networks, id.as_str().into());
        }
    }
    searches
}

/// Checks the people of `answer`, found in `pool`: each must be as the oracle has it. Returns the first
/// fault.
fn faults(answer: &Value, pool: &Pool<'_>) -> Result<(), String> {
    let (data, meta) = (answer["data"].as_array().unwrap(), &answer["meta"]);
    let total = meta["totalCount"].as_u64().unwrap() as usize;
    if meta["returnedCount"] != data.len() || total < data.len() || total > pool.len() {
        return Err(format!("{} people, a pool of {}, {meta}", data.len(), pool.len()));
    }
    let mut seen = BTreeSet::new();
    for entry in data {
        let id = id(entry);
        let expected = pool.get(id).ok_or_else(|| format!("{id} is not in the pool"))?;
        // Why they fit is held to the tables by `judged::shown`.
        let mut entry = entry.clone();
        if meta["understood"].is_array() && !entry["matched"].take().is_array() {
            return Err(format!("{id} without what they match"));
        }
        entry.as_object_mut().unwrap().retain(|key, value| key != "matched" || !value.is_null());
        let entry = &entry;
        same_answer(entry, &expected).map_err(|fault| format!("{id}: {fault}"))?;
        if !seen.insert(id) {
            return Err(format!("{id} twice"));
        }
    }
    Ok(())
}

/// Like [`faults`], for a search that everybody fits: all of the pool, the warmest first, ties by id.
fn faults_of_everybody(answer: &Value, pool: &Pool<'_>) -> Result<(), String> {
    faults(answer, pool)?;
    let data = answer["data"].as_array().unwrap();
    if answer["meta"]["totalCount"] != pool.len() || data.len() != pool.len().min(LIMIT_MAX) {
        return Err(format!("a pool of {}, {}", pool.len(), answer["meta"]));
    }
    if answer["meta"]["searchTerms"] != json!([]) {
        return Err(format!("there is nothing to search for, {}", answer["meta"]));
    }
    let mut warmest: Vec<(&str, Option<u64>)> = pool.scores().collect();
    warmest.sort_by_key(|(id, score)| (100 - score.unwrap_or(0), *id));
    match data.iter().zip(warmest).find(|(entry, (warm, _))| id(entry) != *warm) {
        None => Ok(()),
        Some((entry, (warm, _))) => Err(format!("{} where {warm} belongs", id(entry))),
    }
}

fn id(entry: &Value) -> &str {
    entry["person"]["id"].as_str().unwrap()
}

fn ids(answer: &Value) -> Vec<String> {
    answer["data"].as_array().unwrap().iter().map(|entry| id(entry).to_owned()).collect()
}

/// Asks a network every search that finds everybody. Returns how many searches that were, and how many
/// advocates they returned.
async fn compare_everybody(folder: &str) -> (usize, usize) {
    let credentials = Credentials::new();
    let known = Known::open(folder, &credentials);
    let (mut asked, mut advocates) = (0, 0);
    for search in searches(&known.oracle) {
        let answer = known.search(&credentials, &search).await;
        if let Err(fault) = faults_of_everybody(&answer, &known.oracle.search_pool(&search)) {
            panic!("{folder}, {search:?}: {fault}");
        }
        advocates += answer.to_string().matches(r#""type":"advocate""#).count();
        asked += 1;
    }
    (asked, advocates)
}

#[tokio::test]
async fn everybody_in_a_chosen_network_of_tiny_is_found_with_those_who_know_them() {
    let (asked, advocates) = compare_everybody("fixtures/tiny").await;
    assert!(asked >= 48 && advocates > 48, "{asked} searches, {advocates} advocates");
}

#[tokio::test]
async fn everybody_in_a_chosen_network_of_harbourlight_is_found_with_those_who_know_them() {
    let (asked, advocates) = compare_everybody("fixtures/demo/harbourlight").await;
    assert!(asked > 500 && advocates > 1_000, "{asked} searches, {advocates} advocates");
}

#[tokio::test]
async fn everybody_in_a_chosen_network_of_fernhollow_is_found_with_those_who_know_them() {
    let (asked, advocates) = compare_everybody("fixtures/demo/fernhollow").await;
    assert!(asked > 300 && advocates > 1_000, "{asked} searches, {advocates} advocates");
}

#[tokio::test]
async fn the_pool_is_the_oracles_on_any_network() {
    let credentials = Credentials::new();
    let (mut asked, mut empty, mut unscored) = (0, 0, 0);
    for seed in 0..share(RANDOM_NETWORKS) {
        let case = Case::draw(seed, &credentials);
        for search in searches(&case.network) {
            let answer = case.search(&credentials, &search).await.json();
            let pool = case.network.search_pool(&search);
            if let Err(fault) = faults_of_everybody(&answer, &pool) {
                panic!("seed {seed}, {search:?}: {fault}");
            }
            asked += 1;
            empty += usize::from(pool.is_empty());
            unscored += pool.scores().filter(|(_, score)| score.is_none()).count();
        }
    }
    assert!(
        asked > at_least(6_000) && empty > at_least(100) && unscored > at_least(1_000),
        "{asked}, {empty}, {unscored}"
    );
}

/// The control: a broken rule is caught.
#[tokio::test]
async fn each_broken_rule_of_the_pool_is_caught() {
    let credentials = Credentials::new();
    let mut uncaught: Vec<Mistake> = Mistake::NETWORK_SEARCH.to_vec();
    for seed in 0..share(RANDOM_NETWORKS) {
        if uncaught.is_empty() {
            break;
        }
        let case = Case::draw(seed, &credentials);
        let broken = |mistake: &Mistake| Network::from_tables_by(Rules::with(*mistake), &case.tables);
        let broken: Vec<(Mistake, Network)> =
            uncaught.iter().map(|mistake| (*mistake, broken(mistake))).collect();
        for search in searches(&case.network) {
            let answer = case.search(&credentials, &search).await.json();
            for (mistake, network) in &broken {
                if faults_of_everybody(&answer, &network.search_pool(&search)).is_err() {
                    uncaught.retain(|left| left != mistake);
                }
            }
        }
    }
    assert_eq!(uncaught, [], "these broken rules were not caught");
}

/// `search` with another value of one field.
fn with(search: &Search, field: &str, value: impl Into<Value>) -> Search {
    let mut changed = search.clone();
    changed.body[field] = value.into();
    changed
}

/// What must hold of the answers to one search at each strictness, from relaxed to strict, none of them cut.
fn strictness_faults(answers: &[Value]) -> Result<(), String> {
    let terms = answers[0]["meta"]["searchTerms"].as_array().unwrap().len();
    for pair in answers.windows(2) {
        let (relaxed, strict) = (ids(&pair[0]), ids(&pair[1]));
        // Who is left is so in the same order: the best matches come first whatever is left out.
        let kept: Vec<&String> = relaxed.iter().filter(|id| strict.contains(id)).collect();
        if kept.len() != strict.len() || kept.iter().zip(&strict).any(|(kept, strict)| *kept != strict) {
            return Err(format!("{strict:?} of {relaxed:?}"));
        }
        // If nobody fits the only condition, the most relaxed search lists the nearest.
        if terms == 1 && !strict.is_empty() && relaxed.len() != strict.len() {
            return Err(format!("one condition, {} and {}", relaxed.len(), strict.len()));
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_stricter_search_finds_a_part_of_what_a_more_relaxed_one_does_and_all_in_the_pool() {
    let credentials = Credentials::new();
    let (mut narrowed, mut found, mut cut) = (0, 0, 0);
    for seed in 0..share(RANDOM_NETWORKS) {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..12 {
            let search = with(&random_network_search(&case.network, &mut dice), "limit", LIMIT_MAX);
            let pool = case.network.search_pool(&search);
            let mut answers = Vec::new();
            for strictness in 1..=3 {
                let answer = case.search(&credentials, &with(&search, "strictness", strictness)).await;
                answers.push(answer.json());
            }
            let said = || format!("seed {seed}, {search:?}");
            answers
                .iter()
                .for_each(|answer| faults(answer, &pool).unwrap_or_else(|it| panic!("{}: {it}", said())));
            strictness_faults(&answers).unwrap_or_else(|fault| panic!("{}: {fault}", said()));
            found += usize::from(!ids(&answers[0]).is_empty());
            narrowed += usize::from(ids(&answers[0]).len() > ids(&answers[2]).len());

            let limit = dice.between(1, 5);
            let beginning =
                case.search(&credentials, &with(&with(&search, "strictness", 1), "limit", limit)).await;
            let (beginning, whole) = (beginning.json(), ids(&answers[0]));
            assert_eq!(ids(&beginning), whole[..whole.len().min(limit)], "{}, limit {limit}", said());
            assert_eq!(beginning["meta"]["totalCount"], answers[0]["meta"]["totalCount"], "{}", said());
            cut += usize::from(whole.len() > limit);
        }
    }
    assert!(
        narrowed > at_least(50) && found > at_least(500) && cut > at_least(200),
        "{narrowed}, {found}, {cut}"
    );
}

/// The control: answers that a stricter search cannot have are caught.
#[test]
fn a_stricter_search_that_finds_more_or_in_another_order_is_caught() {
    let answer = |terms: &[&str], found: &[&str]| {
        let data: Vec<Value> = found.iter().map(|id| json!({ "person": { "id": id } })).collect();
        json!({ "data": data, "meta": { "searchTerms": terms } })
    };
    let terms = ["a", "b"];
    let relaxed = answer(&terms, &["x", "y", "z"]);
    for (strict, is_right) in
        [(&["x", "z"][..], true), (&[], true), (&["w"], false), (&["z", "x"], false), (&["x", "w"], false)]
    {
        let answers = [relaxed.clone(), answer(&terms, strict)];
        assert_eq!(strictness_faults(&answers).is_ok(), is_right, "{strict:?}");
    }
    assert!(strictness_faults(&[answer(&["a"], &["x", "y"]), answer(&["a"], &["x"])]).is_err());
}

#[tokio::test]
async fn automatic_mode_takes_the_first_engine_that_can_and_says_so_if_it_is_not_the_first() {
    let credentials = Credentials::new();
    let key = credentials.key("org_tiny");
    for left_out in [&[][..], &[Engine::Vector], &[Engine::Vector, Engine::Relational], &[Engine::Keyword]] {
        let engines: Engines = Engine::ALL.into_iter().filter(|engine| !left_out.contains(engine)).collect();
        let network = network_of(Path::new(&project("fixtures/tiny")));
        let served = Served::with_engines([network], &credentials, Limits::DEFAULT, engines);
        let mut able = Vec::new();
        for engine in Engine::ALL {
            let body = json!({ "query": "engineers", "mode": engine.mode() });
            let answer = served.post(PATH, &key, &body).await;
            if answer.status == 200 {
                let meta = answer.json()["meta"].clone();
                assert_eq!((&meta["backend"], meta.get("fallback")), (&engine.backend().into(), None));
                able.push(engine);
            }
        }
        assert!(able.iter().all(|engine| !left_out.contains(engine)), "{able:?} without {left_out:?}");
        let answer = served.post(PATH, &key, &json!({ "query": "engineers", "mode": "auto" })).await;
        let Some(first) = able.first() else {
            assert_eq!(answer.status, 503, "{left_out:?}");
            continue;
        };
        let meta = answer.json()["meta"].clone();
        assert_eq!(meta["backend"], first.backend(), "{left_out:?}");
        assert_eq!(meta.get("fallback").is_some(), *first != Engine::ALL[0], "{left_out:?}: {meta}");
        if let Some(fallback) = meta.get("fallback") {
            assert_eq!(fallback["from"], Engine::ALL[0].backend());
            assert!(fallback["reason"].as_str().unwrap().len() > 10, "{fallback}");
        }
    }
}

#[tokio::test]
async fn whether_an_engine_can_answer_does_not_hang_on_the_query() {
    let credentials = Credentials::new();
    let known = Known::open("fixtures/tiny", &credentials);
    let key = credentials.key("org_tiny");
    for engine in ["auto", "vector", "graph", "relational"] {
        let mut outcomes = BTreeSet::new();
        for query in ["engineers", "who do we know", "not engineers", "CEO in Porto", "zzgrub"] {
            let body = json!({ "query": query, "mode": engine });
            let answer = known.served.post(PATH, &key, &body).await;
            let (status, body) = (answer.status.as_u16(), answer.json());
            let said = [&body["meta"]["backend"], &body["meta"]["fallback"], &body["error"]];
            outcomes.insert((status, format!("{said:?}")));
        }
        assert_eq!(outcomes.len(), 1, "{engine}: {outcomes:?}");
    }
}

#[tokio::test]
async fn the_networks_of_the_body_count_before_those_the_query_names() {
    let credentials = Credentials::new();
    let known = Known::open("fixtures/tiny", &credentials);
    for query in ["who do my advocates know", "people I know", "who do our colleagues know"] {
        for networks in choices().into_iter().filter(|networks| !networks.is_null()) {
            let body = json!({ "query": query, "networks": networks });
            let search = Search { caller: Caller::Organization, body };
            let answer = known.search(&credentials, &search).await;
            faults_of_everybody(&answer, &known.oracle.search_pool(&search))
                .unwrap_or_else(|fault| panic!("{search:?}: {fault}"));
        }
    }
}

#[tokio::test]
async fn who_is_searched_for_in_the_demo_is_in_the_pool() {
    let credentials = Credentials::new();
    let known = Known::open("fixtures/demo/harbourlight", &credentials);
    let (mut dice, mut found) = (Dice::new(1), 0);
    for _ in 0..200 {
        let query = random_search_query(&known.oracle, &mut dice);
        let networks = random_networks(&mut dice);
        let body = json!({ "query": query, "networks": networks, "limit": LIMIT_MAX });
        let search = Search { caller: Caller::Organization, body };
        let answer = known.search(&credentials, &search).await;
        faults(&answer, &known.oracle.search_pool(&search))
            .unwrap_or_else(|fault| panic!("{search:?}: {fault}"));
        found += ids(&answer).len();
    }
    assert!(found > 1_000, "only {found}");
}
