//! Source tables without the rows of some people, and the choice of these people.

use std::collections::{BTreeMap, BTreeSet};

use kith_server::suppress::entry::EntryKind;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::oracle::Tables;
use crate::oracle::random::Dice;

/// A person to forget: a handle or an address, as people write it.
pub(crate) type Wish = (EntryKind, String);

/// A row as it is written: numbers and free-form objects stay to the letter.
type Row = BTreeMap<String, Box<RawValue>>;

fn rows(tables: &Tables, table: &str) -> Vec<Row> {
    tables.lines(table).into_iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(row: &Row, field: &str) -> Option<String> {
    let value: Value = serde_json::from_str(row.get(field)?.get()).unwrap();
    value.as_str().map(str::to_owned)
}

fn line(row: &Row) -> String {
    format!("{}\n", serde_json::to_string(row).unwrap())
}

/// A handle or an address in the form in which two are equal.
fn equal_form(kind: EntryKind, written: &str) -> String {
    let handle = written.trim().rsplit("linkedin.com/in/").next().unwrap_or("");
    let bare = if kind == EntryKind::LinkedinId { handle } else { written.trim() };
    bare.trim_end_matches('/').chars().flat_map(char::to_lowercase).collect()
}

/// The ids of the people to forget.
pub(crate) fn named(tables: &Tables, wishes: &[Wish]) -> BTreeSet<String> {
    let field = |kind| if kind == EntryKind::LinkedinId { "linkedinId" } else { "email" };
    let wanted: BTreeSet<(EntryKind, String)> =
        wishes.iter().map(|(kind, wish)| (*kind, equal_form(*kind, wish))).collect();
    let is_named = |row: &Row| {
        EntryKind::ALL.into_iter().any(|kind| {
            let has = text(row, field(kind)).filter(|has| !has.trim().is_empty());
            has.is_some_and(|has| wanted.contains(&(kind, equal_form(kind, &has))))
        })
    };
    let ids = |table: &str, id: &str| -> Vec<String> {
        rows(tables, table).iter().filter(|row| is_named(row)).map(|row| text(row, id).unwrap()).collect()
    };
    [ids("people", "id"), ids("person_aliases", "personId")].into_iter().flatten().collect()
}

/// The tables without the people in `gone`, and without every row that refers to them.
pub(crate) fn without(tables: &Tables, gone: &BTreeSet<String>) -> Tables {
    let is_gone = |row: &Row, field: &str| text(row, field).is_some_and(|id| gone.contains(&id));
    let users: BTreeSet<String> = rows(tables, "members")
        .iter()
        .filter(|row| is_gone(row, "personId"))
        .map(|row| text(row, "userId").unwrap())
        .collect();
    let is_users = |row: &Row, field: &str| text(row, field).is_some_and(|id| users.contains(&id));
    let files = tables.files.iter().map(|(name, all)| {
        let table = name.trim_end_matches(".ndjson");
        let kept = match table {
            "organization.json" | "companies" => return (name.clone(), all.clone()),
            _ => rows(tables, table).into_iter().filter(|row| match table {
                "people" => !is_gone(row, "id"),
                "members" | "person_aliases" => !is_gone(row, "personId"),
                "advocates" => !is_gone(row, "personId") && !is_users(row, "userId"),
                "connections" | "evidence" => !is_gone(row, "from") && !is_gone(row, "to"),
                "intro_requests" => !is_gone(row, "personId") && !is_users(row, "requestedBy"),
                "ghost_opportunities" => !is_gone(row, "prospectId") && !is_users(row, "discoveredBy"),
                other => panic!("what of {other}?"),
            }),
        };
        (name.clone(), kept.map(|row| line(&without_paths(row, gone))).collect())
    });
    Tables { files: files.collect() }
}

/// An opportunity without the paths through people in `gone`; any other row as it is.
fn without_paths(mut row: Row, gone: &BTreeSet<String>) -> Row {
    let Some(paths) = row.get("paths").filter(|paths| paths.get() != "null") else { return row };
    let mut paths: Vec<Row> = serde_json::from_str(paths.get()).unwrap();
    paths.retain(|path| !gone.contains(&text(path, "connectionId").unwrap()));
    row.insert("paths".to_owned(), serde_json::value::to_raw_value(&paths).unwrap());
    row
}

/// The tables with a handle and an address of their own for everybody, and another one of each, so that each can be
/// named alone, and with a mark in each name that nobody else has.
pub(crate) fn marked(tables: &Tables) -> Tables {
    let (mut number, mut aliases) = (0, String::new());
    let mut mark_row = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        number += 1;
        let mark = mark(number);
        row["name"] = format!("{} {mark}", row["name"].as_str().unwrap()).into();
        row["linkedinId"] = format!("In-{mark}").into();
        row["email"] = format!("{mark}@Marked.test").into();
        let (handle, email) = (format!("Also-{mark}"), format!("{mark}@Other.test"));
        aliases += &format!("{}\n", json!({ "personId": row["id"], "linkedinId": handle, "email": email }));
        format!("{row}\n")
    };
    let people: String = tables.lines("people").into_iter().map(&mut mark_row).collect();
    let is_kept = |name: &str| !["people.ndjson", "person_aliases.ndjson"].contains(&name);
    let other = tables.files.iter().filter(|(name, _)| is_kept(name)).cloned();
    let marked = [("people.ndjson", people), ("person_aliases.ndjson", aliases)];
    let marked = marked.map(|(name, text)| (name.to_owned(), text));
    Tables { files: other.chain(marked).collect() }
}

/// What stands in the name, the handle and the address of one person alone, whatever stands beside it.
fn mark(number: u32) -> String {
    format!("Zqx{number}xqz")
}

/// A person of marked tables.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) handle: String,
    /// The other handle, and the other address.
    pub(crate) aliases: [String; 2],
    /// In lower case.
    pub(crate) mark: String,
}

/// Everybody in marked tables, in the order of the table.
pub(crate) fn everybody(tables: &Tables) -> Vec<Marked> {
    let person = |row: &Row| {
        let [id, name, handle] = ["id", "name", "linkedinId"].map(|field| text(row, field).unwrap());
        let mark = handle.to_lowercase().replace("in-", "");
        let aliases = [format!("also-{mark}"), format!("{mark}@other.test")];
        Marked { id, name, handle, aliases, mark }
    };
    rows(tables, "people").iter().map(person).collect()
}

/// Some of the people who have a handle or an address, named by one of theirs in one way or another.
pub(crate) fn wishes(tables: &Tables, dice: &mut Dice, percent: usize) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for row in [rows(tables, "people"), rows(tables, "person_aliases")].concat() {
        let handle = text(&row, "linkedinId").filter(|text| !text.is_empty());
        let email = text(&row, "email").filter(|text| !text.is_empty());
        if !dice.chance(percent) {
            continue;
        }
        match (handle, email) {
            (Some(handle), email) if email.is_none() || dice.chance(50) => {
                let written = dice.pick(&["", "  ", "https://www.linkedin.com/in/", "linkedin.com/in/"]);
                let handle = if dice.chance(50) { handle.to_ascii_uppercase() } else { handle };
                wishes.push((EntryKind::LinkedinId, format!("{written}{handle}")));
            }
            (_, Some(email)) => wishes.push((EntryKind::Email, format!(" {}", email.to_ascii_uppercase()))),
            _ => {}
        }
    }
    wishes
}
