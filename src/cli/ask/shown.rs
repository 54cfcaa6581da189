//! Shows asks and their events as lines and as a table.

use std::io::{self, Write};

use kith::asks::book::WrittenEvent;
use kith::asks::overlay::{AskOverlay, FoundAsk};

use crate::api::endpoints::asks::{Ask, AskRow};
use crate::api::json::Json;
use crate::ask_file::reported::event_json;
use crate::cli::table::{write_fitted, write_line};
use crate::query::card::{MemberCard, PersonCard};

/// Writes `found` like the API does, on one line.
pub(super) fn write_ask_line(out: &mut impl Write, overlay: &AskOverlay, found: &FoundAsk) -> io::Result<()> {
    let line = Json::of_object(512, |json| Ask::write(json, AskRow::of(overlay, found)));
    out.write_all(&line.into_bytes())?;
    writeln!(out)
}

/// Writes `written`, an event of `org`, on one line; with the people of the ask if it begins one.
pub(super) fn write_event_line(out: &mut impl Write, org: &str, written: &WrittenEvent) -> io::Result<()> {
    writeln!(out, "{}", event_json(org, written))
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
