//! Calendars (iCalendar): who met whom, and when. Neither titles nor descriptions are read.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarEntry, ICalendarParameterName, ICalendarProperty, ICalendarStatus,
};
use calcard::{Entry, Parser};

use crate::addresses::addresses_in;
use crate::blocks::{TextBlock, blocks, name_and_value};
use crate::dates::CalendarDay;
use crate::export::ExportFormat;
use crate::fault::SkipReason;
use crate::interaction::{Interaction, Party, check_parties, others};
use crate::limits::{IMPORT_EXCEPTIONS_MAX, IMPORT_REPEATING_EVENTS_MAX};
use crate::names::tidy;
use crate::read::{FileRow, RowTally};
use crate::recurrence::Recurrence;
use crate::score::event::TieEventKind;

/// The properties that are used.
const USED: [&str; 9] =
    ["UID", "DTSTART", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "STATUS", "ORGANIZER", "ATTENDEE"];
/// Google's addresses of calendars and rooms, which are nobody's.
const NOBODY: [&str; 4] = [
    "@group.calendar.google.com",
    "@resource.calendar.google.com",
    "@group.v.calendar.google.com",
    "unknownorganizer@calendar.google.com",
];

/// Reads the events in `text`.
pub(crate) fn read_events(text: &str, tally: &mut RowTally<'_>) {
    tally.is(ExportFormat::Calendar);
    let (moved, is_cancelled) = first_look(text);
    let mut repeating = 0;
    blocks(
        text,
        "VEVENT",
        |name| USED.contains(&name),
        |_, _| {},
        |block| {
            repeating += u64::from(has(&block, &["RRULE"]));
            let row = if is_cancelled {
                Err(SkipReason::Cancelled)
            } else if repeating > IMPORT_REPEATING_EVENTS_MAX && has(&block, &["RRULE"]) {
                Err(SkipReason::TooManyRepeating)
            } else {
                meeting(&block, &moved)
            };
            tally.row(block.line, row.map(FileRow::Interaction));
        },
    );
}

/// Whether an event has one of `properties`.
fn has(block: &TextBlock, properties: &[&str]) -> bool {
    block.text.lines().any(|line| properties.contains(&name_and_value(line).0.as_ref()))
}

/// A day of a recurring event that has an event of its own: the event, as a hash of its id, and the day.
type Moved = (u64, CalendarDay);

/// The days of recurring events that have events of their own, sorted, and whether the whole file cancels events.
fn first_look(text: &str) -> (Vec<Moved>, bool) {
    let (mut moved, mut is_cancelled) = (Vec::new(), false);
    let is_used = |name: &str| ["UID", "RECURRENCE-ID"].contains(&name);
    let outside = |name: &str, value: &str| {
        is_cancelled |= name == "METHOD" && value.trim().eq_ignore_ascii_case("CANCEL");
    };
    blocks(text, "VEVENT", is_used, outside, |block| {
        if let (Some(id), Some(day)) = (id_of(&block), days_of(&block, "RECURRENCE-ID").first()) {
            moved.push((id, *day));
        }
    });
    moved.sort_unstable();
    (moved, is_cancelled)
}

/// A hash of an event's id.
fn id_of(block: &TextBlock) -> Option<u64> {
    let mut lines = block.text.lines().map(name_and_value);
    let (_, id) = lines.find(|(name, _)| name == "UID")?;
    let mut hasher = DefaultHasher::new();
    id.trim().hash(&mut hasher);
    Some(hasher.finish())
}

/// The days in the properties called `wanted`; for a period, its first day. Outlook writes time zones of its own with
/// colons and without quotes (`tzone://Microsoft/Custom`), so the day comes after the last colon.
fn days_of(block: &TextBlock, wanted: &str) -> Vec<CalendarDay> {
    let lines = block.text.lines().map(name_and_value).filter(|(name, _)| name == wanted);
    let values = lines.flat_map(|(_, value)| value.rsplit(':').next().unwrap_or(value).split(','));
    values.filter_map(|value| CalendarDay::parse_digits(value.split('/').next()?.trim())).collect()
}

/// The meeting of an event, if it counts.
fn meeting(block: &TextBlock, moved: &[Moved]) -> Result<Interaction, SkipReason> {
    block.check()?;
    let wrapped = format!("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n{}END:VEVENT\r\nEND:VCALENDAR\r\n", block.text);
    let calendar = match Parser::new(&wrapped).entry() {
        Entry::ICalendar(calendar) => calendar,
        _ => ICalendar::default(),
    };
    let event = calendar.components.iter().find(|component| component.component_type.is_event());
    let event = event.ok_or(SkipReason::PartyMissing)?;
    if event.status() == Some(&ICalendarStatus::Cancelled) {
        return Err(SkipReason::Cancelled);
    }
    let (from, to) = people(event)?;
    let start = days_of(block, "DTSTART").first().copied().ok_or(SkipReason::DayMissing)?;
    Ok(Interaction {
        kind: TieEventKind::Meeting,
        open: to.len(),
        from,
        to,
        at: Some(start),
        moment: None,
        repeats: repeats(block, start, moved).map(Box::new),
    })
}

/// The organizer of an event, or its first participant, and all others.
fn people(event: &ICalendarComponent) -> Result<(Arc<Party>, Vec<Arc<Party>>), SkipReason> {
    let of = |property: &'static ICalendarProperty| event.properties(property);
    let everybody = of(&ICalendarProperty::Organizer).chain(of(&ICalendarProperty::Attendee));
    let declined: BTreeSet<String> = of(&ICalendarProperty::Attendee)
        .filter(|entry| parameter(entry, &ICalendarParameterName::Partstat).eq_ignore_ascii_case("declined"))
        .filter_map(|entry| party(entry)?.email)
        .collect();
    let has_come = |party: &Party| party.email.as_ref().is_none_or(|email| !declined.contains(email));
    let mut came = everybody.filter_map(party).filter(has_come);
    let reason = if declined.is_empty() { SkipReason::PartyMissing } else { SkipReason::Declined };
    let from = Arc::new(came.next().ok_or(reason)?);
    let to = others(&from, came.collect());
    if to.is_empty() {
        return Err(reason);
    }
    check_parties(&from, &to)?;
    Ok((from, to))
}

/// The person of an entry; `None` if it is a room or a group, or has no address.
fn party(entry: &ICalendarEntry) -> Option<Party> {
    let kind = parameter(entry, &ICalendarParameterName::Cutype).to_ascii_lowercase();
    let mut emails = Vec::new();
    addresses_in(entry.calendar_address()?, &mut emails);
    let email = emails.into_iter().next()?;
    if ["room", "resource", "group"].contains(&kind.as_str()) || NOBODY.iter().any(|end| email.ends_with(end))
    {
        return None;
    }
    let name = tidy(parameter(entry, &ICalendarParameterName::Cn));
    let name = if name.to_lowercase() == email { String::new() } else { name };
    Some(Party { name, handle: None, email: Some(email) })
}

fn parameter<'e>(entry: &'e ICalendarEntry, name: &ICalendarParameterName) -> &'e str {
    entry.parameter(name).and_then(|value| value.as_text()).unwrap_or("")
}

/// The recurrence of an event that begins on `start`, if it has one.
fn repeats(block: &TextBlock, start: CalendarDay, moved: &[Moved]) -> Option<Recurrence> {
    if !has(block, &["RRULE", "RDATE", "RECURRENCE-ID"]) {
        return None;
    }
    let rule = block.text.lines().map(name_and_value).find(|(name, _)| name == "RRULE").map(|(_, rule)| rule);
    let also = days_of(block, "RDATE");
    let is_moved = !days_of(block, "RECURRENCE-ID").is_empty();
    let mut without = days_of(block, "EXDATE");
    if let Some(id) = id_of(block).filter(|_| !is_moved) {
        let from = moved.partition_point(|(other, _)| *other < id);
        let own = moved[from..].iter().take_while(|(other, _)| *other == id).map(|(_, day)| *day);
        without.extend(own.take(IMPORT_EXCEPTIONS_MAX));
    }
    Some(Recurrence::new(start, rule.unwrap_or(""), also, without))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_found_behind_every_form_of_a_time_zone() {
        for written in [
            ":20240312",
            ":20240312T090000Z",
            ";VALUE=DATE:20240312",
            ";TZID=Europe/Oslo:20240312T090000",
            ";TZID=\"Europe/Oslo\":20240312T090000",
            ";TZID=\"(UTC+00:00) Dublin, Edinburgh, Lisbon, London\":20240312T090000",
            ";TZID=\"(GMT-05:00) Eastern; US\":20240312T090000",
            ";TZID=tzone://Microsoft/Custom:20240312T090000",
            ";TZID=\"tzone://Microsoft/Utc\":20240312T090000",
            ";TZID=(UTC+01:00) Bern:20240312T090000",
            ";X-A=\"b:c\";TZID=W. Europe Standard Time:20240312T090000",
        ] {
            let block = TextBlock { text: format!("DTSTART{written}\r\n"), ..TextBlock::default() };
            assert_eq!(
                days_of(&block, "DTSTART"),
                [CalendarDay::parse("2024-03-12").expect("a day")],
                "{written}"
            );
        }
    }
}
