//! A later state of a random network: some rows of its tables are changed, gone or new.

use serde_json::{Value, json};

use super::super::tables::Tables;
use super::dice::Dice;

/// The tables after edits to this percentage of their rows; all references stay valid.
pub(crate) fn random_edits(tables: &Tables, percent: usize, dice: &mut Dice) -> Tables {
    let mut later = tables.clone();
    let ids = |table: &str, field: &str| -> Vec<String> {
        let row =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()[field].as_str().unwrap().to_owned();
        tables.lines(table).into_iter().map(row).collect()
    };
    let (people, companies) = (ids("people", "id"), ids("companies", "id"));
    let members = ids("members", "personId");
    let mut gone: Vec<String> = people.iter().filter(|id| !members.contains(id)).cloned().collect();
    gone.retain(|_| dice.chance(percent / 4));
    let mut names: Vec<String> = people.iter().filter(|id| !gone.contains(id)).cloned().collect();
    let new = dice.chance(percent).then(|| format!("person_new{}", dice.below(9)));
    let new = new.filter(|id| !people.contains(id));
    names.extend(new.clone());

    for (file, text) in &mut later.files {
        if file == "organization.json" {
            continue;
        }
        let rows = text.lines().filter(|line| !line.trim().is_empty());
        let mut rows: Vec<Value> = rows.map(|line| serde_json::from_str(line).unwrap()).collect();
        rows.retain(|row| !gone.iter().any(|id| names_it(row, id)));
        match file.as_str() {
            "people.ndjson" => {
                rows.iter_mut().for_each(|row| edit_person(row, percent, &companies, dice));
                rows.extend(new.iter().map(|id| json!({ "id": id, "name": "Neue Person" })));
            }
            "connections.ndjson" => {
                rows.retain(|_| !dice.chance(percent / 2));
                for row in &mut rows {
                    if dice.chance(percent) {
                        row["warmness"] = dice.below(101).into();
                    }
                }
                for _ in 0..dice.below(rows.len() * percent / 100 + 2) {
                    let to = new.clone().filter(|_| dice.chance(40)).unwrap_or_else(|| dice.pick(&names));
                    let row = json!({ "from": dice.pick(&names), "to": to, "warmness": dice.below(101) });
                    rows.push(row);
                }
            }
            _ => {}
        }
        *text = rows.iter().map(|row| format!("{row}\n")).collect();
    }
    later
}

fn edit_person(row: &mut Value, percent: usize, companies: &[String], dice: &mut Dice) {
    if dice.chance(percent) {
        row["position"] = dice.pick(&[json!("CEO"), json!("Another position"), Value::Null]);
    }
    if dice.chance(percent) {
        let others: Vec<Value> = companies.iter().map(|id| json!(id)).chain([Value::Null]).collect();
        row["currentCompanyId"] = dice.pick(&others);
    }
}

/// Whether a row has the text `id` somewhere.
fn names_it(row: &Value, id: &str) -> bool {
    match row {
        Value::String(text) => text == id,
        Value::Array(items) => items.iter().any(|item| names_it(item, id)),
        Value::Object(fields) => fields.values().any(|value| names_it(value, id)),
        _ => false,
    }
}
