//! Writes what an import adds to the file of asks: merged ids, and what mail and calendars show.

use std::error::Error;
use std::path::Path;

use kith::asks::ask::Ask;
use kith::asks::event::{EventBy, EventKind};
use kith::asks::preferences::day_of;

use crate::ask_file::error::WriteRefused;
use crate::ask_file::keeper::AskKeeper;
use crate::ask_file::service::moment;
use crate::ask_file::store::AskStore;
use crate::clock;
use kith_import::imported::Imported;
use kith_import::observed::{WatchedAsk, observe};

/// Records in the file at `path` the merges of `imported`, and what it shows about asks; returns the number of events
/// written.
///
/// # Errors
/// Returns an error if the file cannot be used.
pub(super) fn note(imported: &Imported, path: &Path) -> Result<usize, Box<dyn Error>> {
    let store = AskStore::open(path)?;
    let org = imported.organization_id();
    store.follow(org, &imported.merged_ids())?;
    let book = AskKeeper::open(path)?.book(org)?;
    let may_go_on = |ask: &&Ask| ask.state().is_open() || ask.state() == EventKind::InTouch;
    let asks: Vec<WatchedAsk> = book
        .asks()
        .iter()
        .map(AsRef::as_ref)
        .filter(may_go_on)
        .map(|ask| watched(ask, |id| book.present_id(id).to_owned()))
        .collect();
    let mut written = 0;
    for seen in observe(imported, &asks, moment(clock::wall_time())) {
        let day = day_of(seen.day.timestamp());
        let by = EventBy::Observed { source: seen.source.to_owned(), day };
        match store.observed(org, &seen.ask, (seen.kind, by), seen.at) {
            Ok(_) => written += 1,
            // Skips what no longer follows from the present state.
            Err(WriteRefused::State { .. } | WriteRefused::NotTheirs { .. } | WriteRefused::UnknownAsk) => {}
            Err(refused) => return Err(refused.into()),
        }
    }
    Ok(written)
}

fn watched(ask: &Ask, present: impl Fn(&str) -> String) -> WatchedAsk {
    let begun =
        ask.counting().filter(|event| matches!(event.kind, EventKind::Agreed | EventKind::Introduced));
    let observed = ask.events.iter().filter(|event| matches!(event.by, EventBy::Observed { .. }));
    WatchedAsk {
        ask: ask.id.clone(),
        asker: ask.asker.clone(),
        person: present(&ask.people.person),
        connector: ask.people.connector.as_deref().map(&present),
        asked_at: ask.asked_at(),
        since: begun.map(|event| event.at).min(),
        observed: observed.map(|event| event.kind).collect(),
    }
}
