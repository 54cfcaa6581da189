//! Random valid requests for warm paths.

use super::super::network::{Network, Person};
use super::super::path::TYPES;
use super::super::request::Caller;
use super::dice::Dice;
use super::names::{fragment, handle_query, query_for};

/// The parameters of a request under construction.
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn new() -> Query {
        Query(Vec::new())
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Query {
        self.0.push((name.to_owned(), value.into()));
        self
    }

    /// Adds one of the values, in this many of a hundred cases.
    pub(crate) fn maybe(self, dice: &mut Dice, percent: usize, name: &str, values: &[&str]) -> Query {
        if dice.chance(percent) { self.with(name, dice.pick(values)) } else { self }
    }

    /// Adds a page: often none, sometimes past the end.
    pub(crate) fn page(self, dice: &mut Dice) -> Query {
        self.maybe(dice, 60, "limit", &["1", "2", "3", "5", "20", "50", "50", "50"]).maybe(
            dice,
            25,
            "offset",
            &["0", "1", "2", "5", "40", "100000"],
        )
    }

    /// Adds a list of values: repeated, comma-separated, or both.
    fn list(mut self, dice: &mut Dice, name: &str, values: &[String]) -> Query {
        let mut sent = String::new();
        for value in values {
            if !sent.is_empty() && dice.chance(50) {
                self = self.with(name, sent);
                sent = String::new();
            }
            sent = if sent.is_empty() { value.clone() } else { format!("{sent},{value}") };
        }
        if sent.is_empty() { self } else { self.with(name, sent) }
    }

    /// The parameters, in any order.
    pub(crate) fn done(mut self, dice: &mut Dice) -> Vec<(String, String)> {
        if dice.chance(10) {
            self = self.with("unknownParameter", "x");
        }
        dice.shuffle(&mut self.0);
        self.0
    }
}

/// Draws a valid warm-paths request: whose credential it carries, and its parameters.
pub(crate) fn random_warm_paths_request(
    network: &Network,
    dice: &mut Dice,
) -> (Caller, Vec<(String, String)>) {
    let caller = random_caller(network, dice);
    let mut query = random_target(network, dice).page(dice);
    query = query.maybe(dice, 30, "includeIntroRequested", &["true", "true", "false"]);
    query = match caller {
        Caller::User(_) => query.maybe(dice, 60, "scope", &["me", "me", "organization"]),
        Caller::Organization => query.maybe(dice, 10, "scope", &["organization"]),
    };
    if dice.chance(45) {
        let ids = random_member_ids(network, dice);
        query = query.list(dice, "fromUserIds", &ids);
    }
    if dice.chance(40) {
        let how_many = dice.between(1, 4);
        let mut types = dice.some(&TYPES.map(str::to_owned), how_many);
        if dice.chance(20) {
            types.push(types[0].clone());
        }
        query = query.list(dice, "connectionTypes", &types);
    }
    query = query.maybe(dice, 30, "sort", &["warmness", "warmness", "tier"]);
    query = query.maybe(dice, 30, "groupBy", &["connector", "target"]);
    if dice.chance(60) {
        let words = ["match", "reasons"].map(str::to_owned);
        let how_many = dice.between(1, 2);
        let mut words = dice.some(&words, how_many);
        if dice.chance(10) {
            words.push(words[0].clone());
        }
        if dice.chance(50) {
            words.push("evidence".to_owned());
        }
        query = query.list(dice, "include", &words);
    }
    (caller, query.done(dice))
}

/// An organization key, or the token of some member.
pub(crate) fn random_caller(network: &Network, dice: &mut Dice) -> Caller {
    if dice.chance(50) { Caller::Organization } else { Caller::User(random_user(network, dice)) }
}

/// The user id of some member.
pub(crate) fn random_user(network: &Network, dice: &mut Dice) -> String {
    let users: Vec<String> = network.members.keys().cloned().collect();
    dice.pick(&users)
}

/// A target parameter, and what only goes with it; sometimes nobody is meant.
fn random_target(network: &Network, dice: &mut Dice) -> Query {
    let query = Query::new();
    match dice.below(16) {
        0..=4 => query.with("prospectName", random_name_query(network, dice)),
        5 => {
            let name = random_name_query(network, dice);
            let (_, at) = random_company(network, dice);
            query.with("prospectName", name).with("prospectNameAt", at)
        }
        6 => {
            // A name and the company where a person called so works.
            let works = network.people.values().filter(|person| person.company_id.is_some());
            let works: Vec<&Person> = works.collect();
            if works.is_empty() {
                return query.with("prospectName", "李").with("prospectNameAt", "Acme");
            }
            let person = dice.pick(&works);
            let at = network.company_name(person).unwrap();
            query.with("prospectName", query_for(dice, &person.name)).with("prospectNameAt", at)
        }
        7 | 8 => query.with("prospectLinkedinId", random_handle_query(network, dice)),
        9 => query.with("prospectEmail", random_email(network, dice)),
        10 => query.with("prospectId", random_person_id(network, dice)),
        11 => {
            let ids: Vec<String> = network.companies.keys().cloned().collect();
            let nobody = ids.is_empty() || dice.chance(10);
            let id = if nobody { "company_nobody".to_owned() } else { dice.pick(&ids) };
            with_position(query.with("prospectId", id), network, dice)
        }
        _ => {
            let (name, value) = random_company(network, dice);
            with_position(query.with(name, value), network, dice)
        }
    }
}

/// Now and then a piece of a position that a person of the network has, or that nobody has.
fn with_position(query: Query, network: &Network, dice: &mut Dice) -> Query {
    if !dice.chance(55) {
        return query;
    }
    let texts = network.people.values().filter_map(|person| person.position.clone());
    let texts: Vec<String> = texts.collect();
    query.with("position", fragment(dice, &texts))
}

/// The id of some person, or now and then of nobody.
pub(crate) fn random_person_id(network: &Network, dice: &mut Dice) -> String {
    let ids: Vec<String> = network.people.keys().cloned().collect();
    if dice.chance(5) { "person_nobody".to_owned() } else { dice.pick(&ids) }
}

/// A person's e-mail address, at times in other case or between spaces; or nobody's.
fn random_email(network: &Network, dice: &mut Dice) -> String {
    let emails: Vec<String> = network.people.values().flat_map(|person| person.emails().cloned()).collect();
    if emails.is_empty() || dice.chance(10) {
        return "nobody@example.com".to_owned();
    }
    let email = dice.pick(&emails);
    match dice.below(3) {
        0 => email,
        1 => email.to_uppercase(),
        _ => format!(" {} ", email.to_lowercase()),
    }
}

/// A company by a name or a handle.
fn random_company(network: &Network, dice: &mut Dice) -> (&'static str, String) {
    let companies: Vec<&str> = network.companies.values().map(|company| company.name.as_str()).collect();
    if companies.is_empty() {
        return ("prospectCompany", "Acme".to_owned());
    }
    let handles = network.companies.values().filter_map(|company| company.handle.clone());
    let handles: Vec<String> = handles.collect();
    let name = dice.pick(&companies);
    let by_handle = !handles.is_empty() && dice.chance(15);
    if dice.chance(20) {
        return ("prospectCompany", domain_query(network, dice));
    }
    ("prospectCompany", if by_handle { dice.pick(&handles) } else { company_query(dice, name) })
}

/// A domain that a company has, written in some way, or anything like one.
fn domain_query(network: &Network, dice: &mut Dice) -> String {
    let domains: Vec<String> =
        network.companies.values().filter_map(|company| company.domain.clone()).collect();
    if domains.is_empty() || dice.chance(10) {
        return dice.pick(&["nobody.example", "acme.com", ",.,"]).to_owned();
    }
    let domain = dice.pick(&domains);
    match dice.below(5) {
        0 => domain,
        1 => domain.to_uppercase(),
        2 => format!(" {domain} "),
        3 if !domain.contains("://") => format!("HTTPS://www.{domain}/jobs?a=b"),
        _ => format!("{domain}/#top"),
    }
}

/// A company's name as it is in half the cases, else something like it.
fn company_query(dice: &mut Dice, name: &str) -> String {
    if dice.chance(50) { name.to_owned() } else { query_for(dice, name) }
}

/// Something to look for a person by name with.
pub(crate) fn random_name_query(network: &Network, dice: &mut Dice) -> String {
    let names: Vec<&str> = network.people.values().map(|person| person.name.as_str()).collect();
    let name = dice.pick(&names);
    query_for(dice, name)
}

/// Something to look for a person by handle with.
pub(crate) fn random_handle_query(network: &Network, dice: &mut Dice) -> String {
    let handles: Vec<&String> = network.people.values().flat_map(|it| it.handles()).collect();
    if handles.is_empty() { "nobody".to_owned() } else { handle_query_of(dice, &handles) }
}

fn handle_query_of(dice: &mut Dice, handles: &[&String]) -> String {
    let handle = dice.pick(handles);
    handle_query(dice, handle)
}

/// User ids and person ids of some members, now and then one twice.
pub(crate) fn random_member_ids(network: &Network, dice: &mut Dice) -> Vec<String> {
    let members: Vec<(String, String)> =
        network.members.values().map(|it| (it.user_id.clone(), it.person_id.clone())).collect();
    let how_many = dice.between(1, members.len());
    let mut chosen = dice.some(&members, how_many);
    if dice.chance(20) {
        chosen.push(chosen[0].clone());
    }
    chosen.into_iter().map(|(user, person)| if dice.chance(60) { user } else { person }).collect()
}
