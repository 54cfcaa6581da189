//! The generator keeps its promises: the same plan gives the same tables; every row obeys the source format; the
//! networks are skewed like real ones; and the committed fixtures are its output.

mod histories;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use kith_generate::demo::{DEMO_FOLDERS, demo_plans};
use kith_generate::folder::TABLES;
use kith_generate::plan::{Compression, Plan};
use kith_generate::write::{WrittenTables, write_tables};
use kith_server::model::time::Timestamp;
use serde_json::Value;

/// The fields of each table besides its own ids: `?` for optional ones, then what they hold. The name
/// of a table stands for an id of that table; words parted by `|` are a closed set.
const FORMAT: [(&str, &str); 8] = [
    (
        "companies",
        "name:text companyId?:text industry?:text headquartersLocation?:text minSize?:count maxSize?:count \
         logoUrl?:text",
    ),
    (
        "people",
        "name:text linkedinId?:text email?:text position?:text currentCompanyId?:companies city?:text \
         country?:text connectionsCount?:count",
    ),
    ("members", "personId:people role:admin|member joinedAt:time connectionsSyncedAt?:time"),
    (
        "advocates",
        "personId:people userId:members status:accepted|pending|declined connectionsSyncedAt?:time",
    ),
    ("connections", "from:people to:people warmness?:score breakdown?:object"),
    ("evidence", "from:people to:people kind:text at:time source:text note?:text"),
    ("intro_requests", "personId:people status:text requestedBy:members requestedAt:time"),
    (
        "ghost_opportunities",
        "prospectId:people overallScore:number priority?:text confidenceLevel?:number \
         status:visible|saved|accepted|intro_requested|dismissed discoveredAt:time searchSource?:text \
         icpEvaluation?:object buyingIntent?:object keyInsights?:object discoveredBy:members paths:paths",
    ),
];
/// The fields of a path of an opportunity.
const PATH: &str = "connectionId:people connectionType:text strengthScore:number userToHomieWarmness?:number";
/// The tables that have ids of their own: the field, and the prefix.
const OWN_IDS: [(&str, &str, &str); 4] = [
    ("companies", "id", "company_"),
    ("people", "id", "person_"),
    ("members", "userId", "user_"),
    ("ghost_opportunities", "id", "ghost_"),
];

/// One organization's tables as they stand in a folder.
struct Tables {
    organization: Value,
    rows: BTreeMap<&'static str, Vec<Value>>,
}

/// The text of every table in `folder`, unpacked, by its name.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = paths.filter(|path| path.extension().is_some_and(|extension| extension != "md"));
    let name =
        |path: &Path| path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_owned();
    tables.map(|path| (name(&path), unpacked(&path))).collect()
}

fn unpacked(path: &Path) -> String {
    let mut file = fs::File::open(path).unwrap();
    let mut text = String::new();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap(),
        Some("zst") => zstd::Decoder::new(file).unwrap().read_to_string(&mut text).unwrap(),
        _ => file.read_to_string(&mut text).unwrap(),
    };
    text
}

fn read(folder: &Path) -> Tables {
    let texts = texts(folder);
    let parse = |text: &str| serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let rows = |table| (table, texts.get(table).map_or("", String::as_str).lines().map(parse).collect());
    Tables { organization: parse(&texts["organization"]), rows: TABLES.into_iter().map(rows).collect() }
}

fn write(plan: &Plan) -> (tempfile::TempDir, WrittenTables) {
    let folder = tempfile::tempdir().unwrap();
    let written = write_tables(plan, folder.path()).unwrap();
    (folder, written)
}

fn fixtures(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder)
}

/// A text field that is there.
#[track_caller]
fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_else(|| panic!("{field} is no text in {row}"))
}

type IdSets<'a> = HashMap<&'static str, HashSet<&'a str>>;

/// Fails if the tables break a rule of the source format.
#[track_caller]
fn assert_obeys_the_source_format(tables: &Tables) {
    let mut ids = IdSets::new();
    for (table, field, prefix) in OWN_IDS {
        for row in &tables.rows[table] {
            let id = text(row, field);
            let unfit = |character: char| character == ',' || character.is_control();
            assert!(id.starts_with(prefix) && id.len() <= 200 && !id.contains(unfit), "{id}");
            assert!(ids.entry(table).or_default().insert(id), "{id} twice in {table}");
        }
    }
    for (table, fields) in FORMAT {
        let own = OWN_IDS.iter().find(|(of, ..)| *of == table).map(|(_, field, _)| *field);
        tables.rows[table].iter().for_each(|row| assert_row(row, own, fields, &ids));
    }
    assert!(text(&tables.organization, "id").starts_with("org_"));
    assert!(is_allowed(&tables.organization["companyId"], "companies", &ids));
    assert_rules_across_rows(tables);
}

#[track_caller]
fn assert_row(row: &Value, own_id: Option<&str>, fields: &str, ids: &IdSets<'_>) {
    let mut seen = usize::from(own_id.is_some());
    for (field, holds) in fields.split(' ').map(|field| field.split_once(':').unwrap()) {
        match row.get(field.trim_end_matches('?')) {
            None => assert!(field.ends_with('?'), "{field} is missing in {row}"),
            Some(value) => {
                assert!(is_allowed(value, holds, ids), "{field} of {row}");
                seen += 1;
            }
        }
    }
    assert_eq!(row.as_object().unwrap().len(), seen, "a field nobody knows in {row}");
}

#[track_caller]
fn is_allowed(value: &Value, holds: &str, ids: &IdSets<'_>) -> bool {
    let is_text = |fits: &dyn Fn(&str) -> bool| value.as_str().is_some_and(fits);
    match holds {
        "text" => is_text(&|text| !text.trim().is_empty()),
        "time" => is_text(&|text| Timestamp::parse(text).is_some()),
        "number" => value.is_number(),
        "score" => value.as_u64().is_some_and(|score| score <= 100),
        "count" => value.is_u64(),
        "object" => value.is_object(),
        "paths" => {
            value.as_array().unwrap().iter().for_each(|path| assert_row(path, None, PATH, ids));
            true
        }
        set if set.contains('|') => is_text(&|text| set.split('|').any(|one| one == text)),
        table => is_text(&|id| ids.get(table).is_some_and(|ids| ids.contains(id))),
    }
}

#[track_caller]
fn assert_rules_across_rows(tables: &Tables) {
    let members = || tables.rows["members"].iter().map(|row| (text(row, "userId"), text(row, "personId")));
    let people: HashSet<&str> = members().map(|(_, person)| person).collect();
    assert_eq!(people.len(), tables.rows["members"].len(), "two members are one person");
    let person_of: HashMap<&str, &str> = members().collect();
    let mut pairs = BTreeSet::new();
    for row in &tables.rows["advocates"] {
        let (person, user) = (text(row, "personId"), text(row, "userId"));
        assert!(person_of[user] != person && pairs.insert((person, user)), "own or twice: {row}");
    }
    for row in &tables.rows["connections"] {
        for (name, value) in row["breakdown"].as_object().into_iter().flatten() {
            assert!(if name == "pastCompanyName" { value.is_string() } else { value.is_number() }, "{row}");
        }
    }
}

/// The edges between people, as the tables give them.
struct Network<'a> {
    members: BTreeSet<&'a str>,
    /// Member's person, accepted advocate.
    advocacies: Vec<(&'a str, &'a str)>,
    known_by: HashMap<&'a str, HashSet<&'a str>>,
    parallel: usize,
    self_edges: usize,
}

impl<'a> Network<'a> {
    fn new(tables: &'a Tables) -> Self {
        let members = tables.rows["members"].iter().map(|row| (text(row, "userId"), text(row, "personId")));
        let person_of: HashMap<&str, &str> = members.collect();
        let accepted = tables.rows["advocates"].iter().filter(|row| row["status"] == "accepted");
        let mut network = Self {
            members: person_of.values().copied().collect(),
            advocacies: accepted.map(|row| (person_of[text(row, "userId")], text(row, "personId"))).collect(),
            known_by: tables.rows["people"].iter().map(|row| (text(row, "id"), HashSet::new())).collect(),
            parallel: 0,
            self_edges: 0,
        };
        for row in &tables.rows["connections"] {
            let (from, to) = (text(row, "from"), text(row, "to"));
            if from == to {
                network.self_edges += 1;
            } else if !network.known_by.get_mut(to).unwrap().insert(from) {
                network.parallel += 1;
            }
        }
        network
    }

    fn knows(&self, from: &str, to: &str) -> bool {
        self.known_by[to].contains(from)
    }

    /// How many paths of each type lead to `target`, who is no member.
    fn path_counts(&self, target: &str) -> [usize; 4] {
        let direct = self.members.iter().filter(|member| self.knows(member, target)).count();
        let advocate = self.advocacies.iter().filter(|(_, advocate)| self.knows(advocate, target)).count();
        let mut counts = [direct, advocate, 0, 0];
        for &connector in self.known_by[target].difference(&self.members.iter().copied().collect()) {
            let helped = |member: &str| self.advocacies.contains(&(member, connector));
            let asks = |member: &&&str| self.knows(member, connector) && !helped(member);
            counts[2] += self.members.iter().filter(asks).count();
            let via = |&&(member, advocate): &&(&str, &str)| {
                self.knows(advocate, connector) && !self.knows(member, connector) && advocate != target
            };
            counts[3] += self.advocacies.iter().filter(via).count();
        }
        counts
    }

    /// How many people the network reaches in one or two steps from a member.
    fn reached(&self) -> usize {
        let known_to = |within: &HashSet<&'a str>| {
            let known = self.known_by.iter().filter(|(_, by)| !by.is_disjoint(within));
            known.map(|(person, _)| *person).chain(within.iter().copied()).collect::<HashSet<&str>>()
        };
        known_to(&known_to(&self.members.iter().copied().collect())).len()
    }

    /// How many non-members are known by more than `bound` of the people who count.
    fn known_by_more_than(&self, bound: usize, counts: impl Fn(&str) -> bool) -> usize {
        let others = self.known_by.iter().filter(|(person, _)| !self.members.contains(*person));
        others.filter(|(_, by)| by.iter().filter(|person| counts(person)).count() > bound).count()
    }
}

#[test]
fn equal_plans_give_equal_tables_and_another_seed_gives_others() {
    let plan = Plan::sized(400, 4000);
    let (first, again) = (write(&plan), write(&plan));
    assert_eq!(first.1, again.1);
    let tables = texts(first.0.path());
    assert!(tables == texts(again.0.path()));
    let others = texts(write(&Plan { seed: 2, ..plan }).0.path());
    for table in TABLES {
        assert!(tables[table] != others[table], "{table}");
    }
}

#[test]
fn every_row_obeys_the_source_format_and_the_plan_is_carried_out() {
    for plan in [
        Plan::sized(12, 36),
        Plan { advocates: 0, opportunities: 0, intro_requests: 0, ..Plan::sized(12, 0) },
        Plan::sized(50, 625),
        Plan::sized(1500, 15_000),
        Plan { members: 500, advocates: 250, companies: 2000, ..Plan::sized(2000, 9000) },
    ] {
        let (folder, written) = write(&plan);
        let tables = read(folder.path());
        assert_obeys_the_source_format(&tables);
        let [companies, people, members, advocates, connections, evidence, intro_requests, opportunities] =
            TABLES.map(|table| tables.rows[table].len() as u64);
        let said = [written.companies, written.people, written.members, written.advocates];
        assert_eq!(said, [companies, people, members, advocates]);
        let said = [written.connections, written.evidence, written.intro_requests, written.opportunities];
        assert_eq!(said, [connections, evidence, intro_requests, opportunities]);
        assert_eq!([companies, people, members], [plan.companies, plan.people, plan.members].map(u64::from));
        assert_eq!(connections, plan.edges, "{plan:?}");
        let scored = tables.rows["connections"].iter().filter(|row| row["warmness"].is_u64()).count() as u64;
        assert!(evidence >= scored * 9 / 10, "{evidence} rows of evidence for {scored} scores");
        assert_eq!([intro_requests, opportunities], [plan.intro_requests, plan.opportunities].map(u64::from));
    }
}

#[test]
fn packed_tables_hold_the_same_text() {
    let plan = Plan::sized(200, 2000);
    let plain = texts(write(&plan).0.path());
    for compression in [Compression::Gzip, Compression::Zstd] {
        let (folder, written) = write(&Plan { compression, ..plan.clone() });
        assert!(texts(folder.path()) == plain, "{compression:?}");
        assert!(written.bytes < plain.values().map(|text| text.len() as u64).sum());
    }
}

#[test]
fn a_plan_that_cannot_be_carried_out_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let refused = write_tables(&Plan { members: 0, ..Plan::sized(100, 100) }, folder.path()).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::InvalidInput);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn demo_networks_reach_every_bound_and_hold_every_kind_of_path() {
    for folder in DEMO_FOLDERS {
        let tables = read(&fixtures("demo").join(folder));
        let network = Network::new(&tables);
        let advocates: BTreeSet<&str> = network.advocacies.iter().map(|&(_, advocate)| advocate).collect();
        let hubs = network.known_by_more_than(256, |person| !network.members.contains(person));
        let by_members = network.known_by_more_than(64, |person| network.members.contains(person));
        let by_advocates = network.known_by_more_than(64, |person| advocates.contains(person));
        assert!(hubs >= 3 && by_members >= 3 && by_advocates >= 3, "{hubs} {by_members} {by_advocates}");

        let people = tables.rows["people"].iter().map(|row| text(row, "id"));
        let targets: Vec<&str> = people.filter(|id| !network.members.contains(id)).step_by(97).collect();
        let counts: Vec<[usize; 4]> = targets.iter().map(|target| network.path_counts(target)).collect();
        for kind in 0..4 {
            let reached = counts.iter().filter(|counts| counts[kind] > 0).count();
            assert!(
                reached * 2 > targets.len(),
                "{folder}: type {kind} reaches {reached} of {}",
                targets.len()
            );
        }
        let outside = network.known_by.len() - network.reached();
        assert!((20..400).contains(&outside), "{folder}: {outside} people are outside");
        assert!((3..200).contains(&network.self_edges), "{folder}: {} self-edges", network.self_edges);
        assert!((20..400).contains(&network.parallel), "{folder}: {} parallel edges", network.parallel);
    }
}

#[test]
fn demo_names_come_in_many_scripts_and_shapes() {
    let demos = DEMO_FOLDERS.map(|folder| read(&fixtures("demo").join(folder)));
    let people = || demos.iter().flat_map(|tables| &tables.rows["people"]);
    let names: Vec<&str> = people().map(|row| text(row, "name")).collect();
    for script in
        ['а'..='я', 'α'..='ω', 'ء'..='ي', 'א'..='ת', 'अ'..='ह', '一'..='龥', 'ぁ'..='ゖ', '가'..='힣']
    {
        let found = names.iter().filter(|name| name.contains(|c| script.contains(&c))).count();
        assert!(found >= 5, "{found} names with {script:?}");
    }
    for part in ["ß", "ø", "ł", "é", "ễ", "O'", "-", ", Jr.", "\"", "🚀", "  "] {
        assert!(names.iter().any(|name| name.contains(part)), "no name with {part}");
    }
    assert!(names.iter().any(|name| name.is_ascii() && !name.contains(' ')), "no single word");
    for field in ["linkedinId", "email", "position", "currentCompanyId", "city", "connectionsCount"] {
        assert!(people().any(|row| row.get(field).is_none()), "everybody has a {field}");
    }
    let mixed = |handle: &str| handle.contains(char::is_uppercase) && handle.contains(char::is_lowercase);
    assert!(people().filter_map(|row| row["linkedinId"].as_str()).any(mixed));
}

#[test]
fn committed_demo_tables_are_what_the_generator_writes() {
    for (plan, folder) in demo_plans().iter().zip(DEMO_FOLDERS) {
        let committed = fixtures("demo").join(folder);
        let (fresh, _) = write(plan);
        let stale = texts(&committed) != texts(fresh.path());
        assert!(!stale, "{folder} is stale; write it anew as fixtures/README.md says");
        let files = fs::read_dir(&committed).unwrap().map(|entry| entry.unwrap());
        let bytes: u64 = files.map(|file| file.metadata().unwrap().len()).sum();
        assert!(bytes < 3 << 20, "{folder} has {bytes} bytes");
        let people = fs::read(committed.join("people.ndjson.gz")).unwrap();
        assert_eq!(people[3..8], [0; 5], "a name or a time in the gzip header");
    }
}

#[test]
fn committed_tables_obey_the_source_format() {
    for folder in ["tiny", "demo/harbourlight", "demo/fernhollow"] {
        assert_obeys_the_source_format(&read(&fixtures(folder)));
    }
}
