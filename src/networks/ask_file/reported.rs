//! The report of asks and their events as JSON, for the shell and the page.

use kith::asks::book::WrittenEvent;
use kith::asks::event::EventBy;
use kith::asks::report::{AskCounts, AskReport, COUNTED};
use serde_json::{Map, Value, json};

/// The report as JSON: its five lists.
#[must_use]
pub fn report_json(report: &AskReport) -> Value {
    let list = |counts: &[AskCounts]| counts.iter().map(counts_json).collect::<Vec<_>>();
    json!({
        "all": list(&report.all),
        "connectionType": list(&report.connection_type),
        "band": list(&report.band),
        "month": list(&report.month),
        "connector": list(&report.connector),
    })
}

fn counts_json(counts: &AskCounts) -> Value {
    let mut row = Map::from_iter([("key".to_owned(), Value::from(counts.key.clone()))]);
    row.extend(COUNTED.iter().zip(counts.counts).map(|(kind, count)| (kind.name().to_owned(), count.into())));
    if let Some(shares) = counts.shares() {
        let shares = shares.into_iter().map(|(kind, share)| (kind.name().to_owned(), json!(share)));
        row.insert("shares".to_owned(), Value::Object(shares.collect()));
    }
    Value::Object(row)
}

/// `written`, an event of `org`, as JSON; with the people of the ask if it begins one.
#[must_use]
pub fn event_json(org: &str, written: &WrittenEvent) -> Value {
    let event = &written.event;
    let by = match &event.by {
        EventBy::Member { user_id, name } => json!({ "kind": "member", "userId": user_id, "name": name }),
        EventBy::Connector => json!({ "kind": "connector" }),
        EventBy::Observed { source, day } => json!({ "kind": "observed", "source": source, "day": day }),
    };
    let mut line = json!({
        "id": event.id,
        "ask": event.ask,
        "at": event.at.to_rfc3339_ms(),
        "kind": event.kind.name(),
        "by": by,
    });
    let mut add = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            line[name] = value;
        }
    };
    add("note", event.note.clone().map(Value::from));
    add("undoes", event.undoes.clone().map(Value::from));
    add("organization", Some(org.into()));
    if let Some((_, people, over)) = &written.begins {
        add("personId", Some(people.person.clone().into()));
        add("connectorId", people.connector.clone().map(Value::from));
        add("viaAdvocateId", people.via_advocate.clone().map(Value::from));
        add("connectionType", over.connection_type.clone().map(Value::from));
        add("warmness", over.warmness.map(Value::from));
        add("preference", over.overridden.as_deref().and_then(|text| serde_json::from_str(text).ok()));
    }
    line
}
