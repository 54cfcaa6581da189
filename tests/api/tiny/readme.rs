//! The worked tables of `fixtures/tiny/README.md`: their sums are right, and the goldens agree.

use std::fs;

use serde_json::{Value, json};

use super::data;
use crate::support::project;

/// The tables, and the golden that each works out.
const TABLES: [(&str, &str, usize); 3] = [
    ("Warm paths to pia", "pia", 17),
    ("Warm paths to que", "que", 11),
    ("Warm paths to Copper Mill", "mill", 28),
];

/// A table's rows, each as its column names and cells, without the numbers of the rows.
type Rows = Vec<Vec<(String, String)>>;

/// The numbered rows below `heading`.
fn rows(heading: &str) -> Rows {
    let readme = fs::read_to_string(project("fixtures/tiny/README.md")).unwrap();
    let part = readme.split("\n## ").find(|part| part.lines().next() == Some(heading)).unwrap();
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut lines = part.lines().filter(|line| line.starts_with('|') && !line.starts_with("| ---"));
    let columns = cells(lines.next().unwrap());
    let numbered = lines.map(cells).enumerate();
    let row = |(place, row): (usize, Vec<String>)| {
        assert_eq!(row[0], (place + 1).to_string(), "rows are numbered in their order");
        columns.iter().cloned().zip(row).skip(1).collect()
    };
    numbered.map(row).collect()
}

/// What a cell comes to: the part behind the last `=`, or all of it.
fn result(cell: &str) -> &str {
    cell.rsplit('=').next().unwrap().trim()
}

/// The cell that a path has in a column.
fn cell_of(path: &Value, column: &str) -> String {
    let id = |value: &Value| value.as_str().map_or("", |id| id.split_once('_').unwrap().1).to_owned();
    match column {
        "type" => path["connectionType"].as_str().unwrap().to_owned(),
        "from" => id(&path["fromUserId"]),
        "connector" => id(&path["connector"]["id"]),
        "via" => id(&path["viaAdvocate"]["id"]),
        "target" => id(&path["target"]["id"]),
        "warmness" => path["warmness"].to_string(),
        "to connector" => path["userToConnectorWarmness"].to_string(),
        "to target" => path["connectorToProspectWarmness"].to_string(),
        other => panic!("the column {other} is new"),
    }
}

fn golden(name: &str) -> Value {
    data(&fs::read(project("tests/golden").join(format!("{name}.json"))).unwrap())
}

/// Whether the paths of a golden are the rows, in their order.
fn says_the_same(rows: &Rows, golden: &Value) -> bool {
    let paths = golden["paths"].as_array().unwrap();
    let same = |(row, path): (&Vec<(String, String)>, &Value)| {
        row.iter().all(|(column, cell)| cell_of(path, column) == result(cell))
    };
    rows.len() == paths.len() && rows.iter().zip(paths).all(same)
}

#[test]
fn the_goldens_are_the_tables_worked_out_by_hand() {
    for (heading, name, count) in TABLES {
        let (rows, golden) = (rows(heading), golden(name));
        assert_eq!((rows.len(), golden["totalCount"].as_u64()), (count, Some(count as u64)), "{heading}");
        assert!(says_the_same(&rows, &golden), "{heading}");
    }
}

#[test]
fn the_sums_in_the_tables_are_right() {
    let mut sums = 0;
    for (heading, ..) in TABLES {
        for (column, cell) in rows(heading).into_iter().flatten() {
            let Some((sum, said)) = cell.split_once(" = ") else { continue };
            let (above, below) = sum.split_once(" ÷ ").unwrap();
            let (product, half) = above.trim_matches(['(', ')']).split_once(" + ").unwrap();
            let number = |text: &str| text.parse::<u64>().unwrap();
            let product: u64 = product.split('·').map(number).product();
            assert_eq!(number(below), number(half) * 2, "{heading}, {column}: {cell}");
            assert_eq!((product + number(half)) / number(below), number(said), "{heading}, {column}: {cell}");
            sums += 1;
        }
    }
    assert_eq!(sums, 16 + 6 + 10 + 5, "sums of the tables to pia and que");
}

#[test]
fn what_the_text_below_the_tables_says_holds() {
    let mill = golden("mill");
    assert_eq!(mill["excludedIntroRequested"], 1);
    let coverage = json!({
        "capped": false, "candidatePeople": 2, "candidatePeopleCap": 500, "secondDegreeEdgesCapped": false
    });
    assert_eq!(mill["coverage"], coverage);

    let with_asked = golden("mill-with-asked");
    let to_rui =
        with_asked["paths"].as_array().unwrap().iter().filter(|it| it["target"]["id"] == "person_rui");
    let said =
        to_rui.map(|path| ["type", "from", "connector", "via", "warmness"].map(|it| cell_of(path, it)));
    let expected = [
        ["direct", "cai", "cai", "", "66"],
        ["second_degree", "ana", "hal", "", "12"],
        ["second_degree", "ben", "hal", "", "8"],
        ["advocate_second_degree", "cai", "hal", "eli", "2"],
    ];
    assert_eq!(said.collect::<Vec<_>>(), expected);
    assert_eq!(with_asked["totalCount"], 28 + 4);
    assert_eq!(with_asked["excludedIntroRequested"], 0);
}

/// The control: rows that differ in one cell are not the golden's.
#[test]
fn a_row_that_differs_is_caught() {
    let (right, golden) = (rows("Warm paths to pia"), golden("pia"));
    for place in 0..right.len() {
        for column in 0..right[place].len() {
            let mut wrong = right.clone();
            wrong[place][column].1.push('1');
            assert!(!says_the_same(&wrong, &golden), "row {place}, {}", right[place][column].0);
        }
    }
    let mut swapped = right.clone();
    swapped.swap(3, 4);
    assert!(!says_the_same(&swapped, &golden) && !says_the_same(&right[1..].to_vec(), &golden));
}
