//! Random valid requests for warm paths.

use super::super::network::Network;
use super::super::path::TYPES;
use super::super::request::Caller;
use super::dice::Dice;
use super::names::{handle_query, query_for};

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

    /// Adds one of the values, in so many of a hundred cases.
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
    let (name, value) = random_target(network, dice);
    let mut query = Query::new().with(name, value).page(dice);
    query = query.maybe(dice, 30, "includeIntroRequested", &["true", "true", "false"]);
    query = match caller {
        Caller::User(_) => query.maybe(dice, 60, "scope", &["me", "me", "organization"]),
        Caller::Organization => query.maybe(dice, 10, "scope", &["organization"]),
    };
    if dice.chance(35) {
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

/// A target parameter and its value; sometimes nobody is meant.
fn random_target(network: &Network, dice: &mut Dice) -> (&'static str, String) {
    let companies: Vec<&str> = network.companies.values().map(|company| company.name.as_str()).collect();
    match dice.below(10) {
        0..=4 => ("prospectName", random_name_query(network, dice)),
        5 | 6 => ("prospectLinkedinId", random_handle_query(network, dice)),
        _ if companies.is_empty() => ("prospectCompany", "Acme".to_owned()),
        _ => {
            let handles = network.companies.values().filter_map(|company| company.handle.clone());
            let handles: Vec<String> = handles.collect();
            let name = dice.pick(&companies);
            let by_handle = !handles.is_empty() && dice.chance(15);
            ("prospectCompany", if by_handle { dice.pick(&handles) } else { company_query(dice, name) })
        }
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
    let handles: Vec<&String> = network.people.values().filter_map(|it| it.linkedin_id.as_ref()).collect();
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
