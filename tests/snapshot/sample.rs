//! Small datasets made by hand, with every table and every kind of value in use.

use kith_embed::of_tables as vectors;
use kith_server::model::aliases::{AliasColumn, Aliases};
use kith_server::model::column::{DictionaryColumn, TextColumn};
use kith_server::model::count::OptionalCount;
use kith_server::model::csr::Offsets;
use kith_server::model::dataset::{
    Advocate, AdvocateStatus, Companies, Dataset, IntroRequests, Members, Opportunities, OpportunityStatus,
    Organization, People, Role,
};
use kith_server::model::evidence::Evidence;
use kith_server::model::ix::{CompanyIx, MemberIx, OptionalIx, PersonIx};
use kith_server::model::preferences::{PreferenceRow, PreferenceRule};
use kith_server::model::time::Timestamp;
use kith_server::model::warmness::Warmness;
use kith_server::prepare::edges::{self, EdgeRow};
use kith_server::prepare::names;

/// A column of `texts`.
pub(crate) fn texts(texts: &[&str]) -> TextColumn {
    TextColumn::from_texts(texts.iter().copied()).unwrap()
}

/// A dictionary column of `rows`.
pub(crate) fn dictionary(rows: &[&str]) -> DictionaryColumn {
    DictionaryColumn::from_texts(&texts(rows))
}

/// A column of counts.
fn counts(counts: &[Option<u64>]) -> Vec<OptionalCount> {
    counts.iter().map(|&count| count.into()).collect()
}

/// The point in time `text` names.
pub(crate) fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn edge((from, to, score, breakdown): (u32, u32, u8, u32)) -> EdgeRow {
    let score = Warmness::from_byte(score).unwrap();
    EdgeRow { from: PersonIx(from), to: PersonIx(to), score, breakdown }
}

/// Two people, one of them a member, and one edge.
pub(crate) fn tiny() -> Dataset {
    let people = People {
        ids: texts(&["person_a", "person_b"]),
        names: texts(&["Ann", "Bob"]),
        handles: texts(&["ann", ""]),
        emails: texts(&["", "b@x.io"]),
        positions: dictionary(&["", "CEO"]),
        companies: vec![OptionalIx::NONE; 2],
        cities: dictionary(&["", "Graz"]),
        countries: dictionary(&["", ""]),
        connections_counts: counts(&[None, Some(7)]),
        aliases: Aliases::default(),
    };
    let members = Members {
        user_ids: texts(&["user_1"]),
        people: [0].map(PersonIx).to_vec(),
        roles: vec![Role::Admin],
        external_ids: texts(&[""]),
        joined_at: vec![at("2024-05-06T07:08:09Z")],
        synced_at: vec![None],
    };
    let organization = Organization { id: "org_t".to_owned(), name: "Tiny".to_owned(), company: None };
    let opportunities = Opportunities { path_offsets: Offsets(vec![0]), ..Opportunities::default() };
    let breakdowns = texts(&["", r#"{"sameCity":1}"#]);
    let rows = vec![edge((0, 1, 40, 1))];
    prepared(Dataset { organization, people, members, opportunities, breakdowns, ..Dataset::default() }, rows)
}

/// Eight people, three companies, three members, and some of everything.
pub(crate) fn small() -> Dataset {
    let dataset = Dataset {
        organization: Organization {
            id: "org_ß".to_owned(),
            name: "Örg".to_owned(),
            company: Some(CompanyIx(1)),
        },
        companies: companies(),
        people: people(),
        members: members(),
        advocates: advocates(),
        intro_requests: intro_requests(),
        opportunities: opportunities(),
        preferences: preferences(),
        former: vec![(CompanyIx(0), PersonIx(2)), (CompanyIx(1), PersonIx(0))],
        evidence: evidence(),
        breakdowns: texts(&["", r#"{"a":0.5,"pastCompanyName":"A \"B\" C"}"#, r#"{"z":1e400}"#]),
        ..Dataset::default()
    };
    let rows = [
        (0, 1, 100, 1),
        (0, 2, 50, 2),
        (0, 3, 50, 0),
        (0, 4, 255, 0),
        (1, 5, 0, 0),
        (2, 6, 80, 1),
        (2, 7, 80, 2),
        (2, 0, 90, 1),
        (4, 7, 255, 2),
        (5, 7, 33, 0),
        (6, 7, 100, 0),
    ];
    prepared(dataset, rows.map(edge).to_vec())
}

fn preferences() -> Vec<PreferenceRow> {
    let never = PreferenceRow {
        connector: Some(PersonIx(2)),
        person: None,
        company: Some(CompanyIx(1)),
        rule: PreferenceRule::Never,
        through: None,
        until: None,
    };
    let through = PreferenceRow {
        connector: None,
        person: Some(PersonIx(7)),
        company: None,
        rule: PreferenceRule::Through,
        through: Some(PersonIx(1)),
        until: Some(at("2027-01-31T00:00:00Z")),
    };
    vec![through, PreferenceRow { company: None, ..never }, never]
}

/// 40,000 people with eight edges each, some of two scores: more than any core takes at a time.
pub(crate) fn many() -> Dataset {
    const PEOPLE: u32 = 40_000;
    let (ids, names): (Vec<_>, Vec<_>) =
        (0..PEOPLE).map(|row| (format!("person_{row:08}"), format!("Név {}", row % 999))).unzip();
    let none = DictionaryColumn { rows: vec![0; PEOPLE as usize], ..DictionaryColumn::default() };
    let no_texts = || TextColumn::from_texts((0..PEOPLE).map(|_| "")).unwrap();
    let people = People {
        ids: TextColumn::from_texts(ids.iter().map(String::as_str)).unwrap(),
        names: TextColumn::from_texts(names.iter().map(String::as_str)).unwrap(),
        handles: no_texts(),
        emails: no_texts(),
        positions: none.clone(),
        companies: vec![OptionalIx::NONE; PEOPLE as usize],
        cities: none.clone(),
        countries: none,
        connections_counts: (0..u64::from(PEOPLE)).map(|count| Some(count).into()).collect(),
        aliases: Aliases::default(),
    };
    let rows = (0..PEOPLE * 8).map(|row| {
        let (from, step) = (row / 8, row % 8 + 1);
        edge((
            from,
            (from + step * step * 311) % PEOPLE,
            if step % 3 == 0 { 255 } else { 20 + step as u8 },
            step % 2,
        ))
    });
    let opportunities = Opportunities { path_offsets: Offsets(vec![0]), ..Opportunities::default() };
    let organization = Organization { name: "Many".to_owned(), ..small().organization };
    let organization = Organization { company: None, ..organization };
    let breakdowns = texts(&["", "{}"]);
    prepared(
        Dataset { organization, people, opportunities, breakdowns, ..Dataset::default() },
        rows.collect(),
    )
}

fn companies() -> Companies {
    Companies {
        ids: texts(&["company_a", "company_b", "company_c"]),
        names: texts(&["Acme", "Błue, Inc.", "Cöre"]),
        handles: texts(&["acme", "", "core"]),
        industries: dictionary(&["Steel", "", "Steel"]),
        headquarters: dictionary(&["", "Łódź", ""]),
        min_sizes: counts(&[Some(1), None, Some((1 << 53) - 1)]),
        max_sizes: counts(&[Some(10), None, None]),
        logo_urls: texts(&["https://x.io/a.png", "", ""]),
        domains: texts(&["www.Acme.com", "", "https://cöre.example/"]),
    }
}

fn people() -> People {
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|id| format!("person_{id}"));
    People {
        ids: texts(&ids.each_ref().map(String::as_str)),
        names: texts(&["Ann Lee", "Bob", "Zoë Ng", "Zoe  NG", "李 雷", "...", "Ann Lee", "Émile"]),
        handles: texts(&["ann", "", "zoe", "", "李", "", "", "emile"]),
        emails: texts(&["a@x.io", "", "", "", "", "", "", "h@x.io"]),
        positions: dictionary(&["CEO", "CTO", "", "CEO", "", "", "", "Chef"]),
        companies: [Some(1), Some(0), None, Some(2), None, Some(0), Some(0), Some(1)]
            .map(|company| company.map(CompanyIx).into())
            .to_vec(),
        cities: dictionary(&["Graz", "", "", "", "Wien", "", "", ""]),
        countries: dictionary(&["AT", "", "", "", "AT", "", "", ""]),
        connections_counts: counts(&[
            Some(500),
            None,
            Some(0),
            Some((1 << 53) - 1),
            None,
            Some(1),
            Some(2),
            Some(3),
        ]),
        aliases: Aliases {
            handles: aliases(&[(0, "ann-l"), (0, "Ann2"), (3, "zoe")]),
            emails: aliases(&[(1, "b@old.io"), (7, "É@x.io")]),
        },
    }
}

/// Rows of person and text, in their order.
fn aliases(rows: &[(u32, &str)]) -> AliasColumn {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    let people = rows.iter().map(|(person, _)| PersonIx(*person)).collect();
    AliasColumn { people, texts: TextColumn::from_texts(rows.iter().map(|(_, text)| *text)).unwrap() }
}

fn members() -> Members {
    Members {
        user_ids: texts(&["user_1", "user_2", "user_3"]),
        people: [2, 0, 1].map(PersonIx).to_vec(),
        roles: vec![Role::Member, Role::Admin, Role::Admin],
        external_ids: texts(&["", "00u-ß", "ana|1"]),
        joined_at: vec![
            at("2020-01-01T00:00:00.123456789Z"),
            at("0000-01-01T00:00:00Z"),
            at("9999-12-31T23:59:59Z"),
        ],
        synced_at: vec![None, Some(at("1969-12-31T23:59:59.5Z")), None],
    }
}

fn advocates() -> Vec<Advocate> {
    use AdvocateStatus::{Accepted, Declined, Pending};
    let synced = Some(at("2025-02-03T04:05:06Z"));
    [
        (3, 1, Accepted, synced),
        (4, 0, Accepted, None),
        (4, 1, Accepted, None),
        (4, 2, Declined, None),
        (5, 1, Pending, None),
    ]
    .map(|(person, member, status, synced_at)| Advocate {
        person: PersonIx(person),
        member: MemberIx(member),
        status,
        synced_at,
    })
    .to_vec()
}

fn intro_requests() -> IntroRequests {
    let times =
        ["2025-03-01T00:00:00Z", "2025-02-01T00:00:00Z", "2025-02-01T00:00:00Z", "2025-01-01T00:00:00Z"];
    IntroRequests {
        people: [6, 6, 6, 7].map(PersonIx).to_vec(),
        statuses: dictionary(&["ACTIVE", "DONE", "ACTIVE", "ACTIVE"]),
        requested_by: [0, 2, 2, 1].map(MemberIx).to_vec(),
        requested_at: times.map(at).to_vec(),
    }
}

fn opportunities() -> Opportunities {
    Opportunities {
        ids: texts(&["ghost_1", "ghost_2"]),
        prospects: [7, 6].map(PersonIx).to_vec(),
        overall_scores: texts(&["87.50", "-1e-7"]),
        priorities: dictionary(&["high", ""]),
        confidence_levels: texts(&["", "0.9"]),
        statuses: vec![OpportunityStatus::Dismissed, OpportunityStatus::Visible],
        discovered_at: vec![at("2025-05-05T05:05:05Z"), at("2025-05-05T05:05:05.000000001Z")],
        search_sources: dictionary(&["", "web"]),
        icp_evaluations: texts(&[r#"{"companyFitScore":123456789012345678901234567890}"#, ""]),
        buying_intents: texts(&["", "{}"]),
        key_insights: texts(&[r#"{"x y":[" "]}"#, ""]),
        discovered_by: [0, 2].map(MemberIx).to_vec(),
        path_offsets: Offsets(vec![0, 2, 2]),
        path_connections: [3, 4].map(PersonIx).to_vec(),
        path_types: dictionary(&["first", "second"]),
        path_strengths: texts(&["1", "0.25"]),
        path_warmness: texts(&["", "12"]),
    }
}

fn evidence() -> Evidence {
    let times = [
        "2025-02-01T00:00:00Z",
        "2025-01-01T00:00:00Z",
        "2025-01-01T00:00:00Z",
        "1969-12-31T23:59:59.5Z",
        "2024-01-01T00:00:00Z",
    ];
    Evidence {
        from: [0, 0, 0, 2, 2].map(PersonIx).to_vec(),
        to: [1, 1, 1, 6, 7].map(PersonIx).to_vec(),
        at: times.map(at).to_vec(),
        kinds: dictionary(&["message", "meeting", "message", "message", "meeting"]),
        sources: dictionary(&["mail", "", "", "mail", "calendar"]),
        notes: texts(&["a note, ü", "", "", "", "x"]),
    }
}

/// `dataset` with what is prepared from its tables.
fn prepared(mut dataset: Dataset, rows: Vec<EdgeRow>) -> Dataset {
    let accepted = dataset.advocates.iter().filter(|advocate| advocate.status == AdvocateStatus::Accepted);
    let advocacies: Vec<_> =
        accepted.map(|advocate| (dataset.members.person(advocate.member), advocate.person)).collect();
    dataset.edges = edges::build(dataset.people.len(), rows, &advocacies).unwrap().0;
    dataset.person_names = names::build(&dataset.people.names).unwrap();
    dataset.company_names = names::build(&dataset.companies.names).unwrap();
    dataset.vectors = vectors::build(&dataset.people, &dataset.companies);
    dataset
}
