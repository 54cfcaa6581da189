//! A random small network, as source tables.

use serde_json::Value;

use super::super::request::Caps;
use super::super::tables::Tables;
use super::dice::Dice;
use super::names::Words;
use super::rows::{Row, breakdown, maybe, timestamp};

/// Domains of companies as they are written: two of the same company, some that are none.
pub(crate) const DOMAINS: [&str; 7] = [
    "acme.com",
    "https://www.Acme.com/",
    "LABS.example.:8080",
    "northwind-traders.example",
    "ann@acme.com",
    "no domain",
    "über.example#x",
];

/// Draws aliases from dice of their own: the rest of a network stays as it was.
const ALIASES_SEED: u64 = 0xa11a_5e5d;

/// The parameters of the tables of one network.
struct Plan {
    words: Words,
    people: Vec<String>,
    companies: Vec<String>,
    /// User id and person id.
    members: Vec<(String, String)>,
    /// The few people who advocate, so that one of them helps several members.
    helpers: Vec<String>,
    /// The scores that occur: few, so that ties are many.
    scores: Vec<usize>,
    unscored_percent: usize,
    breakdown_percent: usize,
    asked_for: usize,
}

/// Draws the tables of a network: 2 to 40 people, 1 to 6 members, with ties, gaps and oddities.
pub(crate) fn random_network(seed: u64) -> Tables {
    let dice = &mut Dice::new(seed);
    let plan = plan(dice);
    // Tables of later versions are drawn with separate dice, so that the others do not change.
    let later = &mut Dice::new(!seed);
    let mut tables = vec![
        ("companies.ndjson", companies(dice, later, &plan)),
        ("people.ndjson", people(dice, &plan)),
        ("members.ndjson", members(dice, &plan)),
        ("advocates.ndjson", advocates(dice, &plan)),
        ("connections.ndjson", connections(dice, &plan)),
        ("intro_requests.ndjson", intro_requests(dice, &plan)),
        ("ghost_opportunities.ndjson", opportunities(dice, &plan)),
    ];
    for (_, lines) in &mut tables {
        dice.shuffle(lines);
    }
    let (_, known) = &tables[4];
    let mut evidence = evidence(later, &plan, known);
    later.shuffle(&mut evidence);
    if !evidence.is_empty() || later.chance(50) {
        tables.push(("evidence.ndjson", evidence));
    }
    let mut aliases = aliases(&mut Dice::new(seed ^ ALIASES_SEED), &plan);
    if !aliases.is_empty() {
        tables.push(("person_aliases.ndjson", std::mem::take(&mut aliases)));
    }
    // A missing table is an empty one, except for people and members.
    tables.retain(|(_, lines)| !lines.is_empty() || dice.chance(50));
    let files = tables.into_iter().map(|(name, lines)| (name.to_owned(), lines.concat()));
    Tables { files: files.chain([("organization.json".to_owned(), organization(dice, &plan))]).collect() }
}

/// Draws bounds: mostly tiny, now and then the default.
pub(crate) fn random_caps(seed: u64) -> Caps {
    let dice = &mut Dice::new(seed);
    let mut bound = || dice.pick(&[1, 1, 2, 2, 3, 4, 8, 50]);
    let caps = Caps {
        company_candidates: bound(),
        edges_per_target: bound(),
        edges_per_connector: bound(),
        bridges: bound(),
        edges_per_bridge: bound(),
        edges_read_per_bridge: bound(),
    };
    if dice.chance(20) { Caps::default() } else { caps }
}

fn plan(dice: &mut Dice) -> Plan {
    let most = dice.pick(&[4, 8, 12, 12, 20, 20, 30, 40]);
    let how_many = dice.between(most / 2, most);
    let people = ids(dice, "person_", how_many);
    let most_members = dice.pick(&[1, 2, 3, 4, 6]);
    let member_count = dice.between(1, how_many.min(most_members));
    let member_people = dice.some(&people, member_count);
    let company_count = dice.below(7);
    let score_count = dice.between(1, 6);
    let few_scores = [0, 1, 2, 10, 33, 49, 50, 50, 51, 90, 99, 100];
    let any_scores: Vec<usize> = (0..=100).collect();
    let scores = if dice.chance(80) { dice.some(&few_scores, score_count) } else { any_scores };
    Plan {
        words: Words::draw(dice),
        helpers: helpers(dice, &people, &member_people),
        companies: ids(dice, "company_", company_count),
        members: ids(dice, "user_", member_count).into_iter().zip(member_people).collect(),
        people,
        scores,
        unscored_percent: dice.pick(&[0, 15, 30, 60]),
        breakdown_percent: dice.pick(&[0, 30, 70]),
        asked_for: dice.below(6),
    }
}

/// The people who advocate: outsiders, and rarely a person who may be a member too.
fn helpers(dice: &mut Dice, people: &[String], members: &[String]) -> Vec<String> {
    let outside: Vec<String> = people.iter().filter(|person| !members.contains(person)).cloned().collect();
    let how_many = dice.between(1, 4);
    let mut helpers = dice.some(&outside, how_many);
    if helpers.is_empty() || dice.chance(10) {
        helpers.push(dice.pick(people));
    }
    helpers
}

/// Distinct ids whose byte order is not the order they are drawn in.
fn ids(dice: &mut Dice, prefix: &str, how_many: usize) -> Vec<String> {
    let letters = ["a", "B", "b", "Z", "0", "9", "-", "é", "李", "_"];
    let numbered = dice.chance(50);
    let mut ids: Vec<String> = Vec::new();
    while ids.len() < how_many {
        let length = dice.between(1, 4);
        let id = if numbered {
            format!("{prefix}{}", dice.below(120))
        } else {
            format!("{prefix}{}", (0..length).map(|_| dice.pick(&letters)).collect::<String>())
        };
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

fn organization(dice: &mut Dice, plan: &Plan) -> String {
    let company =
        if plan.companies.is_empty() || dice.chance(50) { None } else { Some(dice.pick(&plan.companies)) };
    Row::new()
        .text("id", "org_1")
        .text("name", "Söme Örg")
        .maybe_text(dice, "companyId", company.as_deref())
        .line(dice)
}

fn companies(dice: &mut Dice, later: &mut Dice, plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for id in &plan.companies {
        let name = plan.words.company_name(dice);
        // Now and then a name that resembles the domain of another company.
        let name = if later.chance(15) { format!("{} Trust", later.pick(&DOMAINS)) } else { name };
        let handle = maybe(dice, 70, &["acme", "labs", "northwind-traders", "ueber", "acme"]);
        let industry = maybe(dice, 60, &["Software", "softwäre  tools", "Trade"]);
        let headquarters = maybe(dice, 60, &["Berlin", "São Paulo", "Acme City"]);
        let min_size = maybe(dice, 50, &["1", "51"]);
        let max_size = maybe(dice, 50, &["50", "10000"]);
        let logo = maybe(dice, 50, &["https://example.com/logo.png"]);
        let row = Row::new().text("id", id).text("name", &name).maybe_text(dice, "companyId", handle);
        let row =
            row.maybe_text(dice, "industry", industry).maybe_text(dice, "headquartersLocation", headquarters);
        let row = row.maybe_raw(dice, "minSize", min_size).maybe_raw(dice, "maxSize", max_size);
        let line = row.maybe_text(dice, "logoUrl", logo).line(dice);
        let domain = maybe(later, 60, &DOMAINS);
        let own = Row::new().maybe_text(later, "domain", domain).line(later);
        let own = own.trim().trim_matches(['{', '}']);
        let comma = if own.is_empty() { "" } else { "," };
        lines.push(format!("{}{comma}{own}}}\n", line.trim_end().trim_end_matches('}')));
    }
    lines
}

/// Of some edges, and rarely of a pair that is none: few kinds, times and texts, so that ties occur, and at times more
/// rows of one edge than are shown. `known` are the lines of connections.
fn evidence(dice: &mut Dice, plan: &Plan, known: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let percent = dice.pick(&[0, 60, 100]);
    for line in known {
        if !dice.chance(percent) {
            continue;
        }
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |field: &str| row[field].as_str().unwrap().to_owned();
        let any = (dice.pick(&plan.people), dice.pick(&plan.people));
        let (from, to) = if dice.chance(5) { any } else { (text("from"), text("to")) };
        for _ in 0..dice.pick(&[1, 1, 2, 4, 12]) {
            let source = maybe(dice, 50, &["mail", "Mäil", "calendar"]);
            let note = maybe(dice, 40, &["a \"note\"", "b", "n\u{2028}\u{1F600}"]);
            let row = Row::new().text("from", &from).text("to", &to);
            let row = row.text("kind", dice.pick(&["message", "meeting", "Invitation"]));
            let row = row.text("at", timestamp(dice)).maybe_text(dice, "source", source);
            lines.push(row.maybe_text(dice, "note", note).line(dice));
        }
    }
    lines
}

/// Other handles and addresses of some people, few enough that several people have one, also as their own.
fn aliases(dice: &mut Dice, plan: &Plan) -> Vec<String> {
    let percent = dice.pick(&[0, 20, 60]);
    let mut lines = Vec::new();
    for id in &plan.people {
        while dice.chance(percent) {
            let handle = dice.chance(60).then(|| plan.words.handle(dice));
            let email = maybe(dice, 50, &["ana@old.example", "LI@acme.test", "x@y.z", "Bo@old.example"]);
            let row = Row::new().text("personId", id).maybe_text(dice, "linkedinId", handle.as_deref());
            lines.push(row.maybe_text(dice, "email", email).line(dice));
        }
    }
    dice.shuffle(&mut lines);
    lines
}

fn people(dice: &mut Dice, plan: &Plan) -> Vec<String> {
    let employed = dice.pick(&[30, 70, 100]);
    let with_handle = dice.pick(&[0, 40, 90]);
    let mut lines = Vec::new();
    for id in &plan.people {
        let name = plan.words.person_name(dice);
        let handle = dice.chance(with_handle).then(|| plan.words.handle(dice));
        let works = !plan.companies.is_empty() && dice.chance(employed);
        // Most people of one network work at few companies, so that company mode has candidates.
        let places = plan.companies.len().min(3);
        let company = works.then(|| plan.companies[dice.below(places.max(1))].clone());
        let email = maybe(dice, 40, &["Ana@Example.com", "li@acme.test", "Li@ACME.test", "x@y.z"]);
        let position = maybe(dice, 60, &["CEO", "Ingénieur  Data", "Head of Labs", "engineer"]);
        let city = maybe(dice, 50, &["Berlin", "Zürich"]);
        let country = maybe(dice, 50, &["DE", "CH"]);
        let count = maybe(dice, 40, &["0", "500", "12345"]);
        let row =
            Row::new().text("id", id).text("name", &name).maybe_text(dice, "linkedinId", handle.as_deref());
        let row = row.maybe_text(dice, "email", email).maybe_text(dice, "position", position);
        let row = row.maybe_text(dice, "currentCompanyId", company.as_deref());
        let row = row.maybe_text(dice, "city", city).maybe_text(dice, "country", country);
        lines.push(row.maybe_raw(dice, "connectionsCount", count).line(dice));
    }
    lines
}

fn members(dice: &mut Dice, plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for (user, person) in &plan.members {
        let synced = dice.chance(50).then(|| timestamp(dice));
        let role = dice.pick(&["admin", "member", "member"]);
        let row = Row::new().text("userId", user).text("personId", person).text("role", role);
        let row = row.text("joinedAt", timestamp(dice)).maybe_text(dice, "connectionsSyncedAt", synced);
        lines.push(row.line(dice));
    }
    lines
}

fn advocates(dice: &mut Dice, plan: &Plan) -> Vec<String> {
    let (mut lines, mut taken) = (Vec::new(), Vec::new());
    for _ in 0..dice.pick(&[0, 1, 3, 5, 6, 6]) {
        let ((user, own), person) = (dice.pick(&plan.members), dice.pick(&plan.helpers));
        if own == person || taken.contains(&(user.clone(), person.clone())) {
            continue;
        }
        let status = dice.pick(&["accepted", "accepted", "accepted", "pending", "declined"]);
        let synced = dice.chance(40).then(|| timestamp(dice));
        let row = Row::new().text("personId", &person).text("userId", &user).text("status", status);
        lines.push(row.maybe_text(dice, "connectionsSyncedAt", synced).line(dice));
        taken.push((user, person));
    }
    lines
}

fn connections(dice: &mut Dice, plan: &Plan) -> Vec<String> {
    let people = plan.people.len();
    let most = dice.pick(&[people, people * 3, people * 6, people * 10, people * people]).min(400);
    let hubs: Vec<String> = dice.some(&plan.people, 3);
    let (mut lines, mut drawn) = (Vec::new(), Vec::new());
    for _ in 0..dice.between(most / 2, most) {
        let mut ends = (dice.pick(&plan.people), dice.pick(&plan.people));
        match dice.below(20) {
            // Hubs, members and parallel edges come more often than chance would have it; self-edges now and then.
            0..=2 => ends.1 = dice.pick(&hubs),
            3..=6 => ends.0 = dice.pick(&plan.members).1,
            7 | 8 => ends.0 = dice.pick(&plan.helpers),
            9 => ends = (dice.pick(&plan.members).1, dice.pick(&plan.helpers)),
            10 | 11 if !drawn.is_empty() => ends = dice.pick(&drawn),
            12 if dice.chance(30) => ends.1 = ends.0.clone(),
            _ => {}
        }
        lines.push(connection(dice, plan, &ends));
        drawn.push(ends);
    }
    lines
}

fn connection(dice: &mut Dice, plan: &Plan, ends: &(String, String)) -> String {
    let score = (!dice.chance(plan.unscored_percent)).then(|| dice.pick(&plan.scores).to_string());
    let breakdown = dice.chance(plan.breakdown_percent).then(|| breakdown(dice));
    let row = Row::new().text("from", &ends.0).text("to", &ends.1);
    let row = row.maybe_raw(dice, "warmness", score.as_deref());
    row.maybe_raw(dice, "breakdown", breakdown.as_deref()).line(dice)
}

fn intro_requests(dice: &mut Dice, plan: &Plan) -> Vec<String> {
    let mut asked_for = dice.some(&plan.people, plan.asked_for);
    if let Some(first) = asked_for.first().cloned() {
        let again = dice.below(4);
        asked_for.extend(vec![first; again]);
    }
    let mut lines = Vec::new();
    for person in &asked_for {
        let status = dice.pick(&["ACTIVE", "CLOSED", "Äctive"]);
        let requested_by = dice.pick(&plan.members).0;
        let row =
            Row::new().text("personId", person).text("status", status).text("requestedBy", &requested_by);
        lines.push(row.text("requestedAt", timestamp(dice)).line(dice));
    }
    lines
}

fn opportunities(dice: &mut Dice, plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    let how_many = dice.below(9);
    for id in ids(dice, "ghost_", how_many) {
        let status = dice.pick(&["visible", "saved", "accepted", "intro_requested", "dismissed"]);
        let priority = maybe(dice, 50, &["high", "low"]);
        let confidence = maybe(dice, 50, &["0.75", "80"]);
        let source = maybe(dice, 50, &["agent", "import"]);
        let icp = maybe(
            dice,
            50,
            &["{\"prospectFitScore\": 80.50, \"companyFitScore\": 7}", "{\"deep\":{\"a\":[1,null]}}"],
        );
        let intent =
            maybe(dice, 50, &["{\"overallIntentScore\":12345678901234567890,\"urgencyLevel\":\"\"}"]);
        let insights = maybe(dice, 50, &["{\"icpFitSummary\":\"Fits\"}"]);
        let paths: Vec<String> = (0..dice.below(5)).map(|_| opportunity_path(dice, plan)).collect();
        let row = Row::new().text("id", &id).text("prospectId", &dice.pick(&plan.people));
        let row = row.raw("overallScore", dice.pick(&["50", "50.0", "50.5", "-1", "99"]));
        let row = row.maybe_text(dice, "priority", priority).maybe_raw(dice, "confidenceLevel", confidence);
        let row = row.text("status", status).text("discoveredAt", timestamp(dice));
        let row = row.maybe_text(dice, "searchSource", source).maybe_raw(dice, "icpEvaluation", icp);
        let row = row.maybe_raw(dice, "buyingIntent", intent).maybe_raw(dice, "keyInsights", insights);
        let row = row.text("discoveredBy", &dice.pick(&plan.members).0);
        lines.push(row.raw("paths", &format!("[{}]", paths.join(","))).line(dice));
    }
    lines
}

fn opportunity_path(dice: &mut Dice, plan: &Plan) -> String {
    let own_warmness = maybe(dice, 50, &["40", "0", "12.5"]);
    let person = if dice.chance(40) { dice.pick(&plan.members).1 } else { dice.pick(&plan.people) };
    let kind = dice.pick(&["direct", "advocate", "another kind"]);
    let row = Row::new().text("connectionId", &person).text("connectionType", kind);
    let row = row.raw("strengthScore", dice.pick(&["10", "70", "70.0", "70.5"]));
    row.maybe_raw(dice, "userToHomieWarmness", own_warmness).line(dice).trim().to_owned()
}
