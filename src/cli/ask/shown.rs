//! Asks and their events as lines and as a table.

use std::io::{self, Write};

use kith::asks::book::WrittenEvent;
use kith::asks::event::EventBy;
use kith::asks::overlay::{AskOverlay, FoundAsk};
use serde_json::{Value, json};

use crate::api::endpoints::asks::{Ask, AskRow};
use crate::api::json::Json;
use crate::cli::table::{write_fitted, write_line};
use crate::query::card::{MemberCard, PersonCard};

/// Writes `found` as the API does, on a line.
pub(super) fn write_ask_line(out: &mut impl Write, overlay: &AskOverlay, found: &FoundAsk) -> io::Result<()> {
    let line = Json::of_object(512, |json| Ask::write(json, AskRow::of(overlay, found)));
    out.write_all(&line.into_bytes())?;
    writeln!(out)
}

/// Writes `written`, an event of `org`, on a line; with the people of the ask if it begins one.
pub(super) fn write_event_line(out: &mut impl Write, org: &str, written: &WrittenEvent) -> io::Result<()> {
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
    writeln!(out, "{line}")
}

/// Prints `asks` as a table.
pub(super) fn print_asks(out: &mut impl Write, overlay: &AskOverlay, asks: &[&FoundAsk]) -> io::Result<()> {
    write_line(out, &format!("asks: {}", asks.len()))?;
    if asks.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let index = &overlay.index;
    let rows: Vec<[String; 6]> = asks
        .iter()
        .map(|found| {
            let over = found.connector.map_or("-", |connector| PersonCard::of(index, connector).name);
            [
                found.ask.asked_at().to_rfc3339_ms()[..10].to_owned(),
                found.state.name().to_owned(),
                PersonCard::of(index, found.person).name.to_owned(),
                over.to_owned(),
                MemberCard::of(index, found.asker).name.to_owned(),
                found.ask.id.clone(),
            ]
        })
        .collect();
    write_fitted(out, ["ASKED", "STATE", "TO REACH", "THROUGH", "BY", "ID"], &rows)
}
