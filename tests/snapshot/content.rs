//! Invalid datasets with correct checksums: each operator breaks one rule, and the error names that rule.

use kith_server::model::column::{DictionaryColumn, TextColumn};
use kith_server::model::count::OptionalCount;
use kith_server::model::csr::{ColumnFault, Offsets};
use kith_server::model::dataset::{AdvocateStatus, Dataset};
use kith_server::model::edges::Edges;
use kith_server::model::ix::{CompanyIx, MemberIx, OptionalIx, PersonIx};
use kith_server::snapshot::{ContentFault, SnapshotError, check, encode};

use crate::craft::assert_refused;
use crate::sample::{at, small, texts};

/// Breaks one rule.
pub(crate) type Corrupt = fn(&mut Dataset);
/// A change that breaks a dataset, and its expected report.
pub(crate) type Operator = (Corrupt, &'static str, Option<usize>, ContentFault);

/// Every operator is refused by `check` and by `decode`, with this fault and no other.
#[track_caller]
pub(crate) fn refused(operators: &[Operator]) {
    for (number, &(corrupt, column, row, fault)) in operators.iter().enumerate() {
        let mut dataset = small();
        corrupt(&mut dataset);
        assert_ne!(dataset, small(), "operator {number} changes nothing");
        let expected = SnapshotError::Content { column, row, fault };
        let said = check(&dataset).err().unwrap_or_else(|| panic!("operator {number} passes: {expected:?}"));
        assert_eq!(format!("{said:?}"), format!("{expected:?}"), "operator {number}");
        assert_refused(&encode(&dataset).unwrap(), &expected, &format!("operator {number}"));
    }
}

/// Puts `text` into row `row`.
pub(crate) fn set(column: &mut TextColumn, row: usize, text: &str) {
    let rows: Vec<String> =
        column.iter().enumerate().map(|(at, old)| if at == row { text } else { old }.to_owned()).collect();
    *column = TextColumn::from_texts(rows.iter().map(String::as_str)).unwrap();
}

/// Changes the place of each edge's breakdown among the distinct ones.
pub(crate) fn change_breakdowns(edges: &mut Edges, change: impl FnOnce(&mut Vec<u32>)) {
    let mut numbers = edges.breakdowns.iter().collect();
    change(&mut numbers);
    edges.breakdowns = numbers.into();
}

pub(crate) const fn reference(got: u32, rows: usize) -> ContentFault {
    ContentFault::Reference { got, rows }
}

#[test]
fn ids_are_as_their_table_wants_them_and_strictly_ascend() {
    refused(&[
        (|d| d.organization.id.clear(), "organization.id", None, ContentFault::Empty),
        (
            |d| d.organization.id = "person_1".to_owned(),
            "organization.id",
            None,
            ContentFault::Prefix { expected: "org_" },
        ),
        (|d| d.organization.id.push(','), "organization.id", None, ContentFault::Character),
        (|d| set(&mut d.companies.ids, 2, "company_b"), "companies.ids", Some(2), ContentFault::Unsorted),
        (
            |d| set(&mut d.companies.ids, 0, "Company_a"),
            "companies.ids",
            Some(0),
            ContentFault::Prefix { expected: "company_" },
        ),
        (|d| set(&mut d.people.ids, 0, ""), "people.ids", Some(0), ContentFault::Empty),
        (|d| set(&mut d.people.ids, 1, "person_a"), "people.ids", Some(1), ContentFault::Unsorted),
        (|d| set(&mut d.people.ids, 7, "person_g"), "people.ids", Some(7), ContentFault::Unsorted),
        (|d| set(&mut d.people.ids, 7, "person_h\u{9f}"), "people.ids", Some(7), ContentFault::Character),
        (
            |d| set(&mut d.people.ids, 7, &format!("person_{:z>194}", "h")),
            "people.ids",
            Some(7),
            ContentFault::TooLong { bytes: 201 },
        ),
        (|d| set(&mut d.members.user_ids, 1, "user_1"), "members.user_ids", Some(1), ContentFault::Unsorted),
        (
            |d| set(&mut d.members.user_ids, 0, "usr_1"),
            "members.user_ids",
            Some(0),
            ContentFault::Prefix { expected: "user_" },
        ),
        (
            |d| set(&mut d.opportunities.ids, 1, "ghost_0"),
            "opportunities.ids",
            Some(1),
            ContentFault::Unsorted,
        ),
        (
            |d| set(&mut d.opportunities.ids, 0, "ghost_\t"),
            "opportunities.ids",
            Some(0),
            ContentFault::Character,
        ),
    ]);
}

#[test]
fn required_texts_are_there() {
    refused(&[
        (|d| d.organization.name.clear(), "organization.name", None, ContentFault::Empty),
        (|d| set(&mut d.companies.names, 1, ""), "companies.names", Some(1), ContentFault::Empty),
        (|d| set(&mut d.people.names, 7, ""), "people.names", Some(7), ContentFault::Empty),
        (|d| d.intro_requests.statuses.rows[3] = 0, "intro_requests.statuses", Some(3), ContentFault::Empty),
        (
            |d| set(&mut d.opportunities.overall_scores, 1, ""),
            "opportunities.overall_scores",
            Some(1),
            ContentFault::Empty,
        ),
        (
            |d| d.opportunities.path_types.rows[1] = 0,
            "opportunities.path_types",
            Some(1),
            ContentFault::Empty,
        ),
        (
            |d| set(&mut d.opportunities.path_strengths, 0, ""),
            "opportunities.path_strengths",
            Some(0),
            ContentFault::Empty,
        ),
    ]);
}

#[test]
fn dictionaries_are_distinct_ascending_and_begin_with_no_value() {
    fn without_empty(column: &mut DictionaryColumn) {
        column.values = texts(&["x"]);
        column.rows.fill(0);
    }
    refused(&[
        (|d| without_empty(&mut d.people.cities), "people.cities", None, ContentFault::FirstNotEmpty),
        (|d| d.people.cities.values = texts(&[]), "people.cities", None, ContentFault::FirstNotEmpty),
        (
            |d| d.people.positions.values = texts(&["", "b", "a", "c"]),
            "people.positions",
            Some(2),
            ContentFault::Unsorted,
        ),
        (
            |d| d.people.countries.values = texts(&["", ""]),
            "people.countries",
            Some(1),
            ContentFault::Unsorted,
        ),
        (|d| d.people.countries.rows[3] = 2, "people.countries", Some(3), reference(2, 2)),
        (
            |d| d.companies.industries.rows[0] = u32::MAX,
            "companies.industries",
            Some(0),
            reference(u32::MAX, 2),
        ),
        (
            |d| without_empty(&mut d.companies.headquarters),
            "companies.headquarters",
            None,
            ContentFault::FirstNotEmpty,
        ),
        (|d| d.intro_requests.statuses.rows[0] = 9, "intro_requests.statuses", Some(0), reference(9, 3)),
        (|d| d.opportunities.priorities.rows[0] = 2, "opportunities.priorities", Some(0), reference(2, 2)),
        (
            |d| without_empty(&mut d.opportunities.search_sources),
            "opportunities.search_sources",
            None,
            ContentFault::FirstNotEmpty,
        ),
        (|d| d.opportunities.path_types.rows[0] = 3, "opportunities.path_types", Some(0), reference(3, 3)),
    ]);
}

#[test]
fn references_lead_to_rows_that_are_there() {
    refused(&[
        (|d| d.organization.company = Some(CompanyIx(3)), "organization.company", None, reference(3, 3)),
        (
            |d| d.people.companies[2] = OptionalIx::from_stored(3),
            "people.companies",
            Some(2),
            reference(3, 3),
        ),
        (|d| d.former[0].1 = PersonIx(8), "former", Some(0), reference(8, 8)),
        (|d| d.former[1].0 = CompanyIx(3), "former", Some(1), reference(3, 3)),
        (|d| d.former[0].0 = CompanyIx(2), "former", Some(1), ContentFault::Unsorted),
        (|d| d.members.people[0] = PersonIx(8), "members.people", Some(0), reference(8, 8)),
        (|d| d.members.people[2] = PersonIx(u32::MAX), "members.people", Some(2), reference(u32::MAX, 8)),
        (|d| d.advocates[4].person = PersonIx(8), "advocates.people", Some(4), reference(8, 8)),
        (|d| d.advocates[4].member = MemberIx(3), "advocates.members", Some(4), reference(3, 3)),
        (|d| d.intro_requests.people[3] = PersonIx(8), "intro_requests.people", Some(3), reference(8, 8)),
        (
            |d| d.intro_requests.requested_by[3] = MemberIx(3),
            "intro_requests.requested_by",
            Some(3),
            reference(3, 3),
        ),
        (|d| d.opportunities.prospects[0] = PersonIx(8), "opportunities.prospects", Some(0), reference(8, 8)),
        (
            |d| d.opportunities.discovered_by[1] = MemberIx(3),
            "opportunities.discovered_by",
            Some(1),
            reference(3, 3),
        ),
        (
            |d| d.opportunities.path_connections[1] = PersonIx(8),
            "opportunities.path_connections",
            Some(1),
            reference(8, 8),
        ),
        (
            |d| change_breakdowns(&mut d.edges, |numbers| numbers[11] = 3),
            "edges.breakdowns",
            Some(11),
            reference(3, 3),
        ),
    ]);
}

#[test]
fn counts_are_exact_in_every_reader() {
    let above = ContentFault::Count { got: 1 << 53 };
    refused(&[
        (
            |d| d.people.connections_counts[4] = OptionalCount::from_stored(1 << 53),
            "people.connections_counts",
            Some(4),
            above,
        ),
        (
            |d| d.companies.min_sizes[0] = OptionalCount::from_stored(1 << 53),
            "companies.min_sizes",
            Some(0),
            above,
        ),
        (
            |d| d.companies.max_sizes[2] = OptionalCount::from_stored(u64::MAX - 1),
            "companies.max_sizes",
            Some(2),
            ContentFault::Count { got: u64::MAX - 1 },
        ),
    ]);
}

#[test]
fn members_are_distinct_people_and_advocates_ordered_others_whom_the_member_knows() {
    refused(&[
        (|d| d.members.people[2] = PersonIx(2), "members.people", Some(2), ContentFault::PersonTwice),
        (|d| d.advocates.swap(1, 2), "advocates", Some(2), ContentFault::Unsorted),
        (|d| d.advocates[1] = d.advocates[2], "advocates", Some(2), ContentFault::Unsorted),
        (|d| d.advocates[0].person = PersonIx(0), "advocates", Some(0), ContentFault::OwnPerson),
        (|d| d.advocates[4].status = AdvocateStatus::Accepted, "advocates", Some(4), ContentFault::NoEdge),
        (|d| d.advocates[3].status = AdvocateStatus::Accepted, "advocates", Some(3), ContentFault::NoEdge),
    ]);
}

#[test]
fn of_the_requests_for_one_person_the_latest_comes_first() {
    let unsorted = ContentFault::Unsorted;
    refused(&[
        (|d| d.intro_requests.people.swap(2, 3), "intro_requests", Some(3), unsorted),
        (|d| d.intro_requests.requested_at.swap(0, 1), "intro_requests", Some(1), unsorted),
        (
            |d| d.intro_requests.requested_at[2] = at("2025-02-01T00:00:00.000000001Z"),
            "intro_requests",
            Some(2),
            unsorted,
        ),
        (|d| d.intro_requests.requested_by[1] = MemberIx(1), "intro_requests", Some(2), unsorted),
        (|d| d.intro_requests.statuses.rows.swap(1, 2), "intro_requests", Some(2), unsorted),
    ]);
}

#[test]
fn requests_that_are_alike_may_stand_beside_each_other() {
    let mut dataset = small();
    let requests = &mut dataset.intro_requests;
    requests.people.insert(0, requests.people[0]);
    requests.requested_by.insert(0, requests.requested_by[0]);
    requests.requested_at.insert(0, requests.requested_at[0]);
    requests.statuses.rows.insert(0, requests.statuses.rows[0]);
    check(&dataset).unwrap();
}

#[test]
fn opportunities_hold_json_to_the_letter() {
    let (number, object) = (ContentFault::NotANumber, ContentFault::NotAnObject);
    refused(&[
        (
            |d| set(&mut d.opportunities.overall_scores, 0, "1e999"),
            "opportunities.overall_scores",
            Some(0),
            number,
        ),
        (
            |d| set(&mut d.opportunities.overall_scores, 1, "NaN"),
            "opportunities.overall_scores",
            Some(1),
            number,
        ),
        (
            |d| set(&mut d.opportunities.confidence_levels, 0, "01"),
            "opportunities.confidence_levels",
            Some(0),
            number,
        ),
        (
            |d| set(&mut d.opportunities.path_strengths, 1, "1 "),
            "opportunities.path_strengths",
            Some(1),
            number,
        ),
        (
            |d| set(&mut d.opportunities.path_warmness, 0, "\"1\""),
            "opportunities.path_warmness",
            Some(0),
            number,
        ),
        (
            |d| set(&mut d.opportunities.icp_evaluations, 1, "[]"),
            "opportunities.icp_evaluations",
            Some(1),
            object,
        ),
        (
            |d| set(&mut d.opportunities.buying_intents, 0, "{"),
            "opportunities.buying_intents",
            Some(0),
            object,
        ),
        (
            |d| set(&mut d.opportunities.key_insights, 1, "{\"a\": 1}"),
            "opportunities.key_insights",
            Some(1),
            object,
        ),
        (|d| set(&mut d.breakdowns, 2, "{\"z\":}"), "breakdowns", Some(2), object),
        (
            |d| d.breakdowns = texts(&["", "{\"b\":1}", "{\"a\":1}"]),
            "breakdowns",
            Some(2),
            ContentFault::Unsorted,
        ),
        (
            |d| d.breakdowns = texts(&["{\"a\":1}", "{\"b\":1}", "{\"c\":1}"]),
            "breakdowns",
            None,
            ContentFault::FirstNotEmpty,
        ),
    ]);
}

#[test]
fn paths_lie_one_behind_the_other() {
    let offsets = |fault| ContentFault::Offsets(fault);
    let column = "opportunities.path_offsets";
    refused(&[
        (
            |d| d.opportunities.path_offsets = Offsets(vec![1, 2, 2]),
            column,
            None,
            offsets(ColumnFault::Start),
        ),
        (
            |d| d.opportunities.path_offsets = Offsets(vec![0, 3, 2]),
            column,
            None,
            offsets(ColumnFault::Descending(2)),
        ),
        (|d| d.opportunities.path_offsets = Offsets(vec![0, 1, 1]), column, None, offsets(ColumnFault::End)),
    ]);
}

#[test]
fn vectors_are_of_unit_length_or_zero_and_that_of_the_empty_text_is_zero() {
    fn longer(vector: &mut [i8; 256]) {
        *vector = [0; 256];
        vector[255] = 127;
        vector[0] = 47;
    }
    let (zero, component) = (ContentFault::NotZero, ContentFault::Component);
    let squared = |squared| ContentFault::VectorLength { squared };
    refused(&[
        (|d| d.vectors.positions[3][9] = -128, "vectors.positions", Some(3), component),
        (|d| d.vectors.positions[0][255] = 1, "vectors.positions", Some(0), zero),
        (|d| longer(&mut d.vectors.positions[2]), "vectors.positions", Some(2), squared(18_338)),
        (|d| d.vectors.cities[1] = [-128; 256], "vectors.cities", Some(1), component),
        (|d| d.vectors.cities.reverse(), "vectors.cities", Some(0), zero),
        (|d| longer(&mut d.vectors.countries[1]), "vectors.countries", Some(1), squared(18_338)),
        (|d| d.vectors.countries[0] = d.vectors.countries[1], "vectors.countries", Some(0), zero),
        (|d| d.vectors.industries[1] = [1; 256], "vectors.industries", Some(1), squared(256)),
        (|d| d.vectors.industries[0][0] = 127, "vectors.industries", Some(0), zero),
        (|d| d.vectors.headquarters[1] = [9; 256], "vectors.headquarters", Some(1), squared(20_736)),
        (|d| d.vectors.headquarters[0][0] = -128, "vectors.headquarters", Some(0), zero),
        (|d| longer(&mut d.vectors.company_names[2]), "vectors.company_names", Some(2), squared(18_338)),
        (|d| d.vectors.company_names[0][0] = -128, "vectors.company_names", Some(0), component),
    ]);
}
