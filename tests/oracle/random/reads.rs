//! Random valid requests for the read endpoints other than warm paths, and for any endpoint.

use super::super::answer::Request;
use super::super::network::Network;
use super::super::request::Caller;
use super::dice::Dice;
use super::names::fragment;
use super::requests::{
    Query, random_caller, random_handle_query, random_name_query, random_person_id, random_user,
    random_warm_paths_request,
};

type Params = Vec<(String, String)>;

/// The end of the path of some person, and what is asked of them.
pub(crate) fn random_person(network: &Network, dice: &mut Dice) -> (String, Params) {
    let id = random_person_id(network, dice);
    let asked = Query::new().maybe(dice, 60, "include", &["evidence", "evidence,evidence"]);
    (format!("people/{id}"), asked.done(dice))
}

/// Draws a valid request to any endpoint; one in three is for warm paths.
pub(crate) fn random_request(network: &Network, dice: &mut Dice) -> Request {
    let caller = random_caller(network, dice);
    let user = random_user(network, dice);
    let (caller, path, params) = match dice.below(12) {
        0..=3 => {
            let (caller, params) = random_warm_paths_request(network, dice);
            (caller, "search/warm-paths".to_owned(), params)
        }
        4 => {
            let (path, params) = random_person(network, dice);
            (caller, path, params)
        }
        5 => (caller, "search/people".to_owned(), random_search_people(network, dice)),
        6 => (caller, "search/companies".to_owned(), random_search_companies(network, dice)),
        7 => (Caller::User(user), "connections".to_owned(), random_connections(dice)),
        8 => {
            let params = random_second_degree(network, &user, dice);
            (Caller::User(user), "connections/second-degree".to_owned(), params)
        }
        9 => (caller, "people/network".to_owned(), random_people_network(network, dice)),
        _ => (caller, "ghost/opportunities".to_owned(), random_opportunities(network, dice)),
    };
    Request { caller, path: format!("/api/v1/{path}"), params }
}

/// Parameters of search people.
pub(crate) fn random_search_people(network: &Network, dice: &mut Dice) -> Params {
    let texts = network.people.values().flat_map(|person| {
        let company = network.company_name(person);
        let texts = [Some(person.name.clone()), person.position.clone(), company];
        texts.into_iter().flatten().chain(person.emails().cloned())
    });
    let texts: Vec<String> = texts.collect();
    let query = Query::new().with("q", fragment(dice, &texts));
    let query = query.maybe(dice, 50, "limit", &["1", "3", "20", "50", "50"]);
    query.maybe(dice, 40, "includeSecondDegree", &["true", "false", "false"]).done(dice)
}

/// Parameters of search companies.
pub(crate) fn random_search_companies(network: &Network, dice: &mut Dice) -> Params {
    let texts = network.companies.values().flat_map(|company| {
        let names = vec![Some(company.name.clone()); 3];
        names.into_iter().chain([company.industry.clone(), company.headquarters_location.clone()])
    });
    let texts: Vec<String> = texts.flatten().collect();
    let query = Query::new().with("q", fragment(dice, &texts));
    let query = query.maybe(dice, 50, "limit", &["1", "2", "3", "50"]);
    query.maybe(dice, 40, "page", &["1", "2", "3", "100000"]).done(dice)
}

/// Parameters of the user's own connections.
pub(crate) fn random_connections(dice: &mut Dice) -> Params {
    Query::new().page(dice).done(dice)
}

/// Parameters of second-degree connections; the connector is now and then no contact of the user.
pub(crate) fn random_second_degree(network: &Network, user: &str, dice: &mut Dice) -> Params {
    let mut query = Query::new().page(dice);
    if dice.chance(35) {
        let contacts = network.outgoing(&network.members[user].person_id);
        let contacts: Vec<String> = contacts.into_iter().map(|(id, _)| id.to_owned()).collect();
        let anybody = contacts.is_empty() || dice.chance(20);
        let via = if anybody { random_person_id(network, dice) } else { dice.pick(&contacts) };
        query = query.with("viaConnectorId", via);
    }
    query.done(dice)
}

/// Parameters of people/network, by one of the three handles.
pub(crate) fn random_people_network(network: &Network, dice: &mut Dice) -> Params {
    let query = match dice.below(5) {
        0 | 1 => Query::new().with("personId", random_person_id(network, dice)),
        2 => Query::new().with("linkedinId", random_handle_query(network, dice)),
        _ => Query::new().with("name", random_name_query(network, dice)),
    };
    let query = query.page(dice);
    let query = query.maybe(dice, 30, "include", &["match", "match,match"]);
    query.maybe(dice, 50, "includeIntroRequested", &["true", "true", "false", "TRUE", "yes", ""]).done(dice)
}

/// Parameters of ghost opportunities.
pub(crate) fn random_opportunities(network: &Network, dice: &mut Dice) -> Params {
    let statuses = ["visible", "saved", "accepted", "intro_requested", "dismissed"];
    let query = Query::new().page(dice).maybe(dice, 30, "status", &statuses);
    let mut query = query.maybe(dice, 60, "sort", &["newest", "oldest", "relevancy"]);
    if dice.chance(30) {
        let prospects = network.opportunities.iter().map(|it| &network.people[&it.prospect_id]);
        let texts = prospects.flat_map(|person| {
            [Some(person.name.clone()), person.position.clone(), network.company_name(person)]
        });
        let texts: Vec<String> = texts.flatten().collect();
        query = query.with("search", fragment(dice, &texts));
    }
    query.done(dice)
}
