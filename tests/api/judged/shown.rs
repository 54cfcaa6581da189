//! What an answer says it understood explains the answer: who is in it, and who is not, follows from the terms, from
//! what each person is said to match, from the counts and from the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kith::language_model::LanguageModel;
use kith::limits::Limits;
use kith::live::networks::Network;
use kith::search::conditions::{Condition, Query};
use kith::search::engine::{Engine, Engines};
use kith::search::fit::{Fits, MATCH};
use kith::search::parse::parse;
use kith::search::resolve::resolve;
use kith::search::words::stems;
use kith::search::{keyword, relational, vector};
use serde_json::{Value, json};

use crate::judged::case::{Case, People, REACHES, cases};
use crate::judged::set::Judged;
use crate::support::{Credentials, Served, stored};

const PATH: &str = "/api/v1/search/network";
/// The longest page.
const PAGE_MAX: usize = 50;

/// A network in service, and the same in hand.
struct Bench {
    case: Case,
    network: Arc<Network>,
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

/// What the answer to a query is by a slow look at each person.
#[derive(Debug)]
struct Reckoned {
    pool: People,
    /// How many people each term fits; those of conditions, then those of exclusions.
    people: Vec<usize>,
    /// How many fit at least one condition, more than half of them, every one.
    counts: [usize; 3],
    /// By person, the conditions they fit.
    fitting: BTreeMap<String, BTreeSet<usize>>,
}

/// A promise of the answer that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    /// Of the terms, as they are listed.
    Terms(String),
    /// Of who is in the answer, and why.
    Membership(String),
    /// Of how many people fit.
    Counts(String),
    /// Of a text that its field does not hold.
    Text(String),
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
        resolve(&parse(&self.network.index, &self.network.search, &query.query))
    }

    fn fits(&self, engine: Engine, condition: &Condition) -> Fits {
        let deadline = Instant::now() + Duration::from_secs(60);
        let searched = self.network.searched(Engines::ALL, deadline);
        let (index, search) = (searched.index, searched.search);
        match engine {
            Engine::Keyword => keyword::fits(index, search, condition),
            Engine::Vector => vector::fits(index, search, condition),
            Engine::Relational => {
                relational::fits(index, search, searched.store.unwrap(), condition, deadline).unwrap()
            }
        }
    }

    fn reckon(&self, asking: &Asking<'_>) -> Reckoned {
        let query = self.understand(asking.query);
        let named: Vec<&str> = query.networks.iter().map(|network| network.name()).collect();
        let is_chosen = |name: &str| match asking.networks {
            Some(network) => network == name,
            None => named.is_empty() || named.contains(&name),
        };
        let pool = self.case.pool_of(asking.query, is_chosen);
        let conditions: Vec<Fits> = query.conditions.iter().map(|it| self.fits(asking.engine, it)).collect();
        let exclusions: Vec<Fits> =
            query.exclusions.iter().map(|it| self.fits(Engine::Keyword, it)).collect();
        let (mut people, mut counts) = (vec![0; conditions.len() + exclusions.len()], [0; 3]);
        let mut fitting = BTreeMap::new();
        for person in &pool {
            let row = self.network.index.data.people.ids.find_sorted(person).unwrap();
            let fits = |fits: &Fits| fits.of(&self.network.index, row) >= MATCH;
            let matched: Vec<usize> = (0..conditions.len()).filter(|&at| fits(&conditions[at])).collect();
            let unwanted: Vec<usize> = (0..exclusions.len()).filter(|&at| fits(&exclusions[at])).collect();
            matched.iter().for_each(|&at| people[at] += 1);
            unwanted.iter().for_each(|&at| people[conditions.len() + at] += 1);
            if unwanted.is_empty() {
                let passed = passed(matched.len(), conditions.len());
                (1..=passed).for_each(|strictness| counts[strictness - 1] += 1);
                fitting.insert(person.clone(), matched.into_iter().collect());
            }
        }
        Reckoned { pool, people, counts, fitting }
    }

    /// What a person has in `field`.
    fn texts(&self, person: &str, field: &str) -> Vec<&str> {
        let of = &self.case.network.people[person];
        let company = of.company_id.as_ref().map(|id| &self.case.network.companies[id]);
        match field {
            "name" => vec![&of.name],
            "company" => company.map(|company| company.name.as_str()).into_iter().collect(),
            "pastCompany" => self.case.values(person, "past_companies"),
            "position" => self.case.values(person, "positions"),
            "city" => self.case.values(person, "cities"),
            "country" => self.case.values(person, "countries"),
            "industry" => self.case.values(person, "industries"),
            "headquartersLocation" => self.case.values(person, "headquarters"),
            other => panic!("there is no field {other}"),
        }
    }
}

/// The strictest search that somebody passes who fits `matched` of `all` conditions; 0 for none.
fn passed(matched: usize, all: usize) -> usize {
    match () {
        () if matched == all => 3,
        () if 2 * matched > all => 2,
        () => usize::from(matched > 0),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}")).try_into().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

fn id(hit: &Value) -> &str {
    text(&hit["person"]["id"])
}

/// The terms that a hit says it matches.
fn terms_of(hit: &Value) -> BTreeSet<usize> {
    list(&hit["matched"]).iter().map(|matched| number(&matched["term"])).collect()
}

/// Everything that does not hold of `answers`, asked at each strictness.
fn faults(bench: &Bench, asking: &Asking<'_>, answers: &[Value; 3], reckoned: &Reckoned) -> Vec<Fault> {
    let mut faults = of_terms(bench, answers, reckoned);
    faults.extend(of_membership(answers));
    faults.extend(of_counts(answers, reckoned));
    for answer in answers {
        let terms = list(&answer["meta"]["understood"]);
        for hit in list(&answer["data"]) {
            let fitting = reckoned.fitting.get(id(hit));
            if fitting != Some(&terms_of(hit)) {
                faults.push(Fault::Membership(format!("{} fits {fitting:?}: {hit}", id(hit))));
            }
            faults.extend(
                list(&hit["matched"])
                    .iter()
                    .filter_map(|it| of_text(bench, asking.engine, terms, id(hit), it)),
            );
        }
    }
    faults
}

fn of_terms(bench: &Bench, answers: &[Value; 3], reckoned: &Reckoned) -> Vec<Fault> {
    let mut faults = Vec::new();
    for answer in answers {
        let meta = &answer["meta"];
        let terms = list(&meta["understood"]);
        let read: Vec<&Value> =
            terms.iter().map(|term| term.get("readAs").unwrap_or(&term["term"])).collect();
        if read != list(&meta["searchTerms"]).iter().collect::<Vec<_>>() {
            faults.push(Fault::Terms(format!("{read:?} of {}", meta["searchTerms"])));
        }
        if meta["understood"] != answers[0]["meta"]["understood"]
            || meta["ignored"] != answers[0]["meta"]["ignored"]
        {
            faults.push(Fault::Terms("another strictness understands other terms".to_owned()));
        }
        for term in terms {
            let Some(widened) = term.get("widenedTo") else { continue };
            let fields = ["position", "city", "country", "company", "industry", "headquartersLocation"];
            let is_held = |text: &Value| {
                let mut pool = reckoned.pool.iter();
                pool.any(|person| {
                    fields.iter().any(|field| bench.texts(person, field).contains(&text.as_str().unwrap()))
                })
            };
            let widened = list(widened);
            if !(1..=3).contains(&widened.len()) || !widened.iter().all(is_held) {
                faults.push(Fault::Text(format!("widened to {widened:?}")));
            }
        }
    }
    faults
}

/// Who is in each answer follows from what those of the most relaxed one match.
fn of_membership(answers: &[Value; 3]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let terms = list(&answers[0]["meta"]["understood"]);
    let wanted: BTreeSet<usize> = (0..terms.len()).filter(|&at| terms[at]["negated"] == false).collect();
    let passes = |hit: &Value| passed(terms_of(hit).len(), wanted.len());
    for (answer, strictness) in answers.iter().zip(1..) {
        let hits = list(&answer["data"]);
        for hit in hits.iter().filter(|hit| passes(hit) < strictness || !terms_of(hit).is_subset(&wanted)) {
            faults.push(Fault::Membership(format!(
                "at {strictness} with {} of {wanted:?}: {hit}",
                passes(hit)
            )));
        }
        if hits.iter().any(|hit| terms_of(hit).len() != list(&hit["matched"]).len()) {
            faults.push(Fault::Membership("a term is matched twice".to_owned()));
        }
        if !hits.iter().map(passes).rev().is_sorted() {
            faults.push(Fault::Membership("who matches more comes later".to_owned()));
        }
        let relaxed = list(&answers[0]["data"]);
        let kept = relaxed.iter().filter(|hit| passes(hit) >= strictness).map(id);
        let is_whole = number(&answers[0]["meta"]["totalCount"]) <= PAGE_MAX;
        if is_whole && !kept.eq(hits.iter().map(id)) {
            faults.push(Fault::Membership(format!("others at {strictness}")));
        }
    }
    faults
}

fn of_counts(answers: &[Value; 3], reckoned: &Reckoned) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut check = |holds: bool, told: String| {
        if !holds {
            faults.push(Fault::Counts(told));
        }
    };
    for (answer, name) in answers.iter().zip(["any", "most", "every"]) {
        let meta = &answer["meta"];
        let counts = ["any", "most", "every"].map(|name| number(&meta["counts"][name]));
        check(counts == reckoned.counts, format!("{counts:?} for {:?}", reckoned.counts));
        check(meta["counts"][name] == meta["totalCount"], format!("{name} and {}", meta["totalCount"]));
        let people: Vec<usize> =
            list(&meta["understood"]).iter().map(|term| number(&term["people"])).collect();
        check(people == reckoned.people, format!("{people:?} for {:?}", reckoned.people));
    }
    faults
}

/// What is wrong with one match of `person`.
fn of_text(bench: &Bench, engine: Engine, terms: &[Value], person: &str, matched: &Value) -> Option<Fault> {
    let (field, said, how) = (text(&matched["field"]), text(&matched["text"]), text(&matched["how"]));
    let is_held = bench.texts(person, field).contains(&said);
    let term = terms.get(number(&matched["term"]))?;
    let (own, held) = (stems(text(&term["term"])), stems(said));
    let goes_by_name = ["company", "name"].contains(&text(&term["kind"])) || field == "name";
    // The store knows words by their stems as English inflects: "engineering" for "engineer".
    let alike = |word: &str, other: &str| {
        let start: String = word.chars().take(4).collect();
        word == other || (engine == Engine::Relational && other.starts_with(&start))
    };
    let mut own = own.iter().filter(|word| !["of", "the", "for"].contains(&word.as_str()));
    let has_words = own.all(|word| held.iter().any(|other| alike(word, other)));
    let is_right = match how {
        "words" => goes_by_name || has_words,
        "sense" => !goes_by_name && (engine == Engine::Relational || !has_words),
        "past" => field == "pastCompany" && term["past"] == true,
        other => panic!("{other} is no way to match"),
    };
    (!is_held || !is_right).then(|| Fault::Text(format!("{person}: {matched} for {term}")))
}

/// All ways to ask the queries of a network: each engine, and networks by turns.
fn askings(case: &Case) -> impl Iterator<Item = Asking<'_>> {
    case.queries.iter().enumerate().flat_map(|(at, query)| {
        Engine::ALL.into_iter().flat_map(move |engine| {
            let turn = REACHES[(at + engine as usize) % REACHES.len()];
            [None, Some(turn)].map(|networks| Asking { query, engine, networks })
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

/// `answer` as it is if nobody asks what was understood.
fn plain(mut answer: Value) -> Value {
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
            let told = format!(
                "{} {:?} {:?} {:?}",
                asking.query.id, asking.query.query, asking.engine, asking.networks
            );
            let (answers, reckoned) = (bench.answers(&asking).await, bench.reckon(&asking));
            assert_eq!(faults(&bench, &asking, &answers, &reckoned), [], "{told}");
            assert_eq!(bench.ask(&asking, 1, Value::Null).await, plain(answers[0].clone()), "{told}");
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
                assert!(found.iter().any(is_caught), "{told}: {found:?}");
                caught += 1;
            }
            asked += 1;
        }
    }
    assert!(asked > 500 && caught > 450 && widened > 100, "{asked}, {caught}, {widened}");
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
