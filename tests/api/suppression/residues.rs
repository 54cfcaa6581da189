//! A suppressed person leaves nothing behind: no answer of any endpoint contains their id, name or handle, from the
//! very next request, whatever else is requested meanwhile.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use axum::http::StatusCode;
use kith::limits::Limits;
use kith_server::graph::index::GraphIndex;
use kith_server::graph::people_text::PeopleText;
use kith_server::graph::person_lookup::PersonLookup;
use kith_server::graph::text_blocks::TextBlocks;
use kith_server::model::aliases::PersonTexts;
use kith_server::model::column::TextColumn;
use kith_server::model::ix::{MemberIx, PersonIx};
use kith_server::model::text::lower_onto;
use kith_server::suppress::entry::EntryKind;
use serde_json::{Value, json};

use crate::oracle::Tables;
use crate::oracle::random::Dice;
use crate::support::encoding::encoded;
use crate::support::{Answer, Credentials, Served, scale};
use crate::suppression::site::{Site, alone, built, fixture};
use crate::suppression::tables::{Marked, everybody, marked};

const DEMO: &str = "fixtures/demo/fernhollow";
/// People forgotten one after the other before a new network is taken.
const BATCH: u64 = 50;
/// Pages of one list that are asked for.
const PAGES: usize = 6;

/// A request, and what it says of a person by itself.
struct Asked {
    path: String,
    body: Option<Value>,
    /// The user whose token it carries; an organization key else.
    user: Option<String>,
    is_paged: bool,
}

fn get(path: String) -> Asked {
    Asked { path: format!("/api/v1/{path}"), body: None, user: None, is_paged: false }
}

fn pages(path: String) -> Asked {
    Asked { is_paged: true, ..get(path) }
}

/// Requests that ask for `person`.
fn about(index: &GraphIndex, person: &Marked) -> Vec<Asked> {
    let ix = index.find_person(&person.id).unwrap().0;
    let Marked { id, name, handle, mark, aliases } = person;
    let (id, name_sent, handle) = (encoded(id), encoded(name), encoded(handle));
    let [other_handle, other_email] = aliases.each_ref().map(|alias| encoded(alias));
    let mut asked: Vec<Asked> = [
        format!("search/people?q={mark}&limit=50"),
        format!("search/warm-paths?prospectLinkedinId={handle}&limit=50"),
        format!("search/warm-paths?prospectName={name_sent}&limit=50"),
        format!("people/{id}"),
        format!("people/network?personId={id}"),
        format!("people/network?linkedinId={handle}"),
        format!("people/network?name={name_sent}"),
        format!("search/people?q={other_email}&limit=50"),
        format!("search/warm-paths?prospectLinkedinId={other_handle}&limit=50"),
        format!("search/warm-paths?prospectEmail={other_email}&limit=50"),
        format!("people/network?linkedinId={other_handle}"),
        format!("ghost/opportunities?search={mark}&limit=50"),
    ]
    .map(get)
    .into();
    let Marked { id, name, handle, .. } = person;
    let targets =
        json!([{ "id": id }, { "linkedinId": handle }, { "name": name }, { "name": name, "at": "a" }]);
    let body = json!({ "targets": targets, "perTarget": 10 });
    asked.push(Asked { body: Some(body), ..get("search/warm-paths/batch".to_owned()) });
    for mode in ["vector", "graph", "relational"] {
        let position = index.data.people.positions.get(ix);
        for query in [format!("named {name}"), format!("{position} in {}", index.data.people.cities.get(ix))]
        {
            let body = json!({ "query": query, "mode": mode, "limit": 50, "include": ["understood"] });
            asked.push(Asked { body: Some(body), ..get("search/network".to_owned()) });
        }
    }
    asked
}

/// Requests that ask for others, in whose answers `person` could stand.
fn beside(index: &GraphIndex, person: &Marked) -> Vec<Asked> {
    let ix = index.find_person(&person.id).unwrap();
    let people = &index.data.people;
    let mut asked = vec![pages("ghost/opportunities?limit=50".to_owned())];
    if let Some(company) = people.company(ix) {
        let company = encoded(index.data.companies.names.get(company.0));
        asked.push(pages(format!("search/warm-paths?prospectCompany={company}&limit=50")));
    }
    let known = index.data.edges.out.row(ix).ends.iter().take(2);
    asked.extend(known.map(|&known| {
        pages(format!(
            "search/warm-paths?prospectLinkedinId={}&limit=50",
            encoded(people.handles.get(known.0))
        ))
    }));
    let knows = |&one: &PersonIx| index.data.edges.out.row(one).ends.contains(&ix);
    let knowing: Vec<PersonIx> = (0..people.len() as u32).map(PersonIx).filter(knows).collect();
    asked.extend(knowing.iter().take(2).map(|&knowing| {
        let id = encoded(people.ids.get(knowing.0));
        pages(format!("people/network?personId={id}&includeIntroRequested=true&limit=50"))
    }));
    let members = knowing.iter().filter_map(|&knowing| index.near.standing(knowing).member);
    for MemberIx(member) in members.take(1) {
        let user = Some(index.data.members.user_ids.get(member).to_owned());
        let via = format!("connections/second-degree?viaConnectorId={}", encoded(&person.id));
        for path in ["connections?limit=50", "connections/second-degree?limit=50", &via] {
            asked.push(Asked { user: user.clone(), ..pages(path.to_owned()) });
        }
    }
    asked
}

/// A key of an organization, and a token of each of its users.
struct Keys {
    key: String,
    tokens: HashMap<String, String>,
}

impl Keys {
    fn of(index: &GraphIndex, credentials: &Credentials) -> Self {
        let organization = &index.data.organization.id;
        let users = index.data.members.user_ids.iter();
        let tokens = users.map(|user| (user.to_owned(), credentials.token(organization, user)));
        Self { key: credentials.key(organization), tokens: tokens.collect() }
    }
}

/// The bodies of all answers to a request, without what repeats the request itself.
async fn said(served: &Served, keys: &Keys, asked: &Asked) -> Vec<String> {
    let credential = asked.user.as_ref().map_or(&keys.key, |user| &keys.tokens[user]);
    if let Some(body) = &asked.body {
        return vec![body_of(served.post(&asked.path, credential, body).await)];
    }
    let mut bodies = Vec::new();
    for page in 0..if asked.is_paged { PAGES } else { 1 } {
        let offset = if asked.is_paged { format!("&offset={}", 50 * page) } else { String::new() };
        let body = body_of(served.get(&format!("{}{offset}", asked.path), credential).await);
        let is_last = !body.contains("\"hasMore\":true");
        bodies.push(body);
        if is_last {
            break;
        }
    }
    bodies
}

fn body_of(answer: Answer) -> String {
    let mut body = answer.json();
    if answer.status == StatusCode::OK {
        // Words of the question.
        for said in ["/meta/searchTerms", "/meta/ignored"] {
            body.pointer_mut(said).map(Value::take);
        }
        for term in body["meta"]["understood"].as_array_mut().into_iter().flatten() {
            (term["term"], term["readAs"]) = (Value::Null, Value::Null);
        }
    } else {
        body["error"] = Value::Null;
    }
    body.to_string()
}

/// Whether a body shows a person: their id, or the mark in their name and handle.
fn shows(body: &str, person: &Marked) -> bool {
    body.contains(&format!("\"{}\"", person.id)) || body.to_lowercase().contains(&person.mark)
}

/// The first of the requests whose answer shows `person`.
async fn residue_in(asked: Vec<Asked>, served: &Served, keys: &Keys, person: &Marked) -> Option<String> {
    for asked in asked {
        for body in said(served, keys, &asked).await {
            if shows(&body, person) {
                return Some(format!("{} {:?}: {body}", asked.path, asked.body));
            }
        }
    }
    None
}

/// The first answer that shows `person`, who may be in `index` or was.
async fn residue(served: &Served, keys: &Keys, index: &GraphIndex, person: &Marked) -> Option<String> {
    let mut asked = about(index, person);
    asked.extend(beside(index, person));
    residue_in(asked, served, keys, person).await
}

/// Those who are on the list already, in the order in which they came there.
#[derive(Default)]
struct Gone {
    by_mark: RwLock<HashMap<String, usize>>,
    count: AtomicUsize,
}

impl Gone {
    fn add(&self, person: &Marked) {
        let mut by_mark = self.by_mark.write().unwrap();
        let place = by_mark.len();
        by_mark.insert(person.mark.clone(), place);
        self.count.store(place + 1, Ordering::SeqCst);
    }

    /// Whether `body`, the answer after this many were removed, shows one of them.
    fn is_shown(&self, body: &str, count: usize) -> bool {
        let by_mark = self.by_mark.read().unwrap();
        let body = body.to_lowercase();
        let mut marks = body.match_indices("zqx").map(|(at, _)| {
            let end = body[at..].find("xqz").map_or(body.len(), |end| at + end + 3);
            &body[at..end]
        });
        marks.any(|mark| by_mark.get(mark).is_some_and(|&place| place < count))
    }
}

/// Asks for everything at random until it is stopped; returns the number of answers.
async fn ask_on(
    served: Arc<Served>,
    keys: Arc<Keys>,
    index: Arc<GraphIndex>,
    gone: Arc<Gone>,
    stop: Arc<AtomicBool>,
    people: Vec<Marked>,
) -> usize {
    let (mut dice, mut answers) = (Dice::new(people.len() as u64), 0);
    while !stop.load(Ordering::SeqCst) {
        // Lets the runtime end this task if the test fails.
        tokio::task::yield_now().await;
        for asked in about(&index, &dice.pick(&people)) {
            let count = gone.count.load(Ordering::SeqCst);
            for body in said(&served, &keys, &asked).await {
                assert!(!gone.is_shown(&body, count), "{}: {body}", asked.path);
                answers += 1;
            }
        }
    }
    answers
}

/// Forgets people of the demo network one after the other, while others ask on.
async fn forget_one_after_the_other(seed: u64) {
    let tables = marked(&fixture(DEMO));
    let full = built(&tables);
    let organization = full.organization.id.clone();
    let site = Site::of(&[&full]);
    let index = Arc::new(GraphIndex::build(full));
    let credentials = Credentials::new();
    let keys = Arc::new(Keys::of(&index, &credentials));
    let served = Arc::new(site.served(&credentials));
    let (gone, stop) = (Arc::new(Gone::default()), Arc::new(AtomicBool::new(false)));
    let everybody = everybody(&tables);
    let noise = tokio::spawn(ask_on(
        Arc::clone(&served),
        Arc::clone(&keys),
        Arc::clone(&index),
        Arc::clone(&gone),
        Arc::clone(&stop),
        everybody.clone(),
    ));
    for (place, person) in chosen(&index, &everybody, seed).into_iter().enumerate() {
        let shown = residue(&served, &keys, &index, &person).await;
        assert!(shown.is_some(), "{} is shown as long as they are not on the list", person.id);
        // By what they have, and by what finds them besides.
        let [handle, email] = person.aliases.clone();
        let handles = [person.handle.clone(), handle].map(|handle| (EntryKind::LinkedinId, handle));
        let ways = [&handles[..], &[(EntryKind::Email, email)]].concat();
        site.add(&organization, &[ways[place % ways.len()].clone()]);
        gone.add(&person);
        let left = residue(&served, &keys, &index, &person).await;
        assert!(left.is_none(), "seed {seed}: {} is left in {}", person.id, left.unwrap_or_default());
    }
    stop.store(true, Ordering::SeqCst);
    assert!(noise.await.unwrap() > 0);
    let left = site.network(&organization).await.index.data.people.len();
    assert_eq!(left + BATCH as usize, index.data.people.len());
}

/// Members, advocates, people known by a member, and anybody.
fn chosen(index: &GraphIndex, everybody: &[Marked], seed: u64) -> Vec<Marked> {
    let dice = &mut Dice::new(seed);
    let mut chosen = dice.some(everybody, everybody.len());
    let role = |person: &Marked| {
        let ix = index.find_person(&person.id).unwrap();
        let role = index.near.standing(ix);
        (role.member.is_some(), role.advocate.is_some(), index.near.is_first_degree(ix))
    };
    // Some of each kind come first.
    for (kinds, at) in [((true, false, true), 0), ((false, true, true), 5), ((false, false, true), 10)] {
        for place in at..at + 5 {
            if let Some(found) = (place..chosen.len()).find(|&found| role(&chosen[found]) == kinds) {
                chosen.swap(place, found);
            }
        }
    }
    chosen.truncate(BATCH as usize);
    chosen
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_on_the_list_is_shown_by_any_answer_from_the_next_request_on() {
    for batch in 0..scale::of(50, 10_000).div_ceil(BATCH) {
        forget_one_after_the_other(batch).await;
    }
}

/// A case that a search for rows alone would miss: nobody finds `person`, who is still a connector between others.
fn without_rows(mut whole: GraphIndex, person: PersonIx) -> GraphIndex {
    let index = whole.snapshot_mut();
    let texts = |column: &TextColumn, kept: &[u32]| column.gather(kept);
    let PeopleText { people, names, emails, positions, companies, .. } = &index.people_text;
    let kept: Vec<u32> = (0..people.len() as u32).filter(|&at| people[at as usize] != person).collect();
    fn rows<T: Copy>(column: &[T], kept: &[u32]) -> Vec<T> {
        kept.iter().map(|&at| column[at as usize]).collect()
    }
    let (names, emails) = (texts(names, &kept), texts(emails, &kept));
    index.people_text = PeopleText {
        people: rows(people, &kept),
        positions: rows(positions, &kept),
        companies: rows(companies, &kept),
        name_blocks: TextBlocks::build(&names),
        email_blocks: TextBlocks::build(&emails),
        names,
        emails,
        plain_positions: index.people_text.plain_positions.clone(),
        position_blocks: TextBlocks::build(&index.people_text.plain_positions),
    };
    let handles = index.data.people.handles.iter().enumerate();
    let handles = handles.map(|(row, handle)| if row == person.0 as usize { "" } else { handle });
    let handles = TextColumn::from_texts(handles).unwrap();
    let texts = PersonTexts { own: &handles, ..index.data.people.handle_texts() };
    index.person_handles = PersonLookup::build(texts, lower_onto);
    whole
}

/// The control: a variant that hides rows, and not who stands between others, is caught.
#[tokio::test]
async fn a_variant_that_hides_rows_alone_is_caught() {
    let tables = marked(&fixture("fixtures/tiny"));
    let full = built(&tables);
    let index = GraphIndex::build(full.clone());
    let credentials = Credentials::new();
    let keys = Keys::of(&index, &credentials);
    let mut caught = Vec::new();
    for person in everybody(&tables) {
        let place = tempfile::tempdir().unwrap();
        let mut network = alone(&full, place.path());
        let whole = Arc::into_inner(network.index).unwrap();
        network.index = Arc::new(without_rows(whole, index.find_person(&person.id).unwrap()));
        let served = Served::networks([network], &credentials, Limits::DEFAULT);
        let mut rows = about(&index, &person);
        rows.truncate(2);
        let hidden = residue_in(rows, &served, &keys, &person).await;
        assert_eq!(hidden, None, "the rows are hidden");
        let others = beside(&index, &person);
        caught.extend(residue_in(others, &served, &keys, &person).await);
    }
    assert!(caught.len() > 8, "{caught:#?}");
    assert!(caught.iter().any(|said| said.starts_with("/api/v1/search/warm-paths")), "{caught:#?}");
}

/// The marks say who is meant: the same check finds everybody if nobody is forgotten.
#[tokio::test]
async fn without_a_list_everybody_is_found() {
    let tables: Tables = marked(&fixture("fixtures/tiny"));
    let full = built(&tables);
    let index = GraphIndex::build(full.clone());
    let place = tempfile::tempdir().unwrap();
    let credentials = Credentials::new();
    let keys = Keys::of(&index, &credentials);
    let served = Served::networks([alone(&full, place.path())], &credentials, Limits::DEFAULT);
    for person in everybody(&tables) {
        assert!(residue(&served, &keys, &index, &person).await.is_some(), "{person:?}");
    }
}
