//! The rest of LinkedIn's export, besides the connections: messages, invitations, and the owner's positions,
//! profile and addresses.

use std::sync::Arc;

use crate::addresses::addresses_in;
use crate::cells::RowCells;
use crate::dates::CalendarDay;
use crate::export::ExportColumn;
use crate::fault::SkipReason;
use crate::interaction::{Interaction, Party, check_parties, others};
use crate::layout::Layout;
use crate::names::{full_name, tidy};
use crate::own::{CalendarMonth, OwnAddress, OwnPosition, OwnProfile};
use crate::profile::handle_in;
use crate::records::ExportRecord;
use crate::score::event::TieEventKind;

/// LinkedIn's name for a closed account.
const CLOSED: &str = "LinkedIn Member";

/// The message in `record`.
///
/// # Errors
/// Returns why the row is skipped.
pub(crate) fn message(record: &ExportRecord<'_>, layout: &Layout) -> Result<Interaction, SkipReason> {
    let row = RowCells { record, layout };
    if is_yes(&row.first(ExportColumn::IsDraft)) {
        return Err(SkipReason::Draft);
    }
    let sender_url = row.first(ExportColumn::SenderUrl);
    let is_spam = row.first(ExportColumn::Folder).eq_ignore_ascii_case("spam");
    // Sponsored messages come from the page of a company.
    if is_spam || (!sender_url.is_empty() && handle_in(&sender_url).is_none()) {
        return Err(SkipReason::Bulk);
    }
    let from = party(&row.first(ExportColumn::Sender), &sender_url);
    let at = CalendarDay::parse(&row.first(ExportColumn::SentOn));
    interaction(TieEventKind::Message, from, recipients(&row), at)
}

/// The invitation in `record`.
///
/// # Errors
/// Returns why the row is skipped.
pub(crate) fn invitation(record: &ExportRecord<'_>, layout: &Layout) -> Result<Interaction, SkipReason> {
    let row = RowCells { record, layout };
    let from = party(&row.first(ExportColumn::Sender), &row.first(ExportColumn::SenderUrl));
    let to = party(&row.first(ExportColumn::Recipients), &row.first(ExportColumn::RecipientUrls));
    let date = row.first(ExportColumn::SentOn);
    let at = CalendarDay::parse(&date).or_else(|| CalendarDay::parse_american(&date));
    interaction(TieEventKind::Invitation, from, vec![to], at)
}

/// The owner's position in `record`.
///
/// # Errors
/// Returns why the row is skipped.
pub(crate) fn position(record: &ExportRecord<'_>, layout: &Layout) -> Result<OwnPosition, SkipReason> {
    let row = RowCells { record, layout };
    let company = row.first(ExportColumn::Company);
    if company.is_empty() {
        return Err(SkipReason::CompanyMissing);
    }
    if !row.is_within_bounds() {
        return Err(SkipReason::ValueTooLong);
    }
    Ok(OwnPosition {
        company,
        title: row.first(ExportColumn::Position),
        from: CalendarMonth::parse(&row.first(ExportColumn::StartedOn)),
        to: CalendarMonth::parse(&row.first(ExportColumn::FinishedOn)),
    })
}

/// The owner's address in `record`.
///
/// # Errors
/// Returns why the row is skipped.
pub(crate) fn own_address(record: &ExportRecord<'_>, layout: &Layout) -> Result<OwnAddress, SkipReason> {
    let row = RowCells { record, layout };
    let mut emails = Vec::new();
    addresses_in(&row.first(ExportColumn::Email), &mut emails);
    let email = emails.pop().ok_or(SkipReason::NameAndAddressMissing)?;
    if !is_yes(&row.first(ExportColumn::Confirmed)) {
        return Err(SkipReason::Unconfirmed);
    }
    if !row.is_within_bounds() {
        return Err(SkipReason::ValueTooLong);
    }
    Ok(OwnAddress { email, is_primary: is_yes(&row.first(ExportColumn::Primary)) })
}

/// Whether a cell of LinkedIn's says yes.
fn is_yes(text: &str) -> bool {
    ["yes", "true", "1"].contains(&text.to_lowercase().as_str())
}

/// The owner's profile in `record`.
///
/// # Errors
/// Returns why the row is skipped.
pub(crate) fn profile(record: &ExportRecord<'_>, layout: &Layout) -> Result<OwnProfile, SkipReason> {
    let row = RowCells { record, layout };
    let (given, family) = (row.first(ExportColumn::Given), row.first(ExportColumn::Family));
    let name = full_name(&given, &family);
    if name.is_empty() {
        return Err(SkipReason::ClosedAccount);
    }
    if !row.is_within_bounds() {
        return Err(SkipReason::ValueTooLong);
    }
    let [maiden, industry, city] =
        [ExportColumn::Maiden, ExportColumn::Industry, ExportColumn::Place].map(|column| row.first(column));
    Ok(OwnProfile { name, given, family, maiden, industry, city })
}

/// The contact between `from` and `to`, if it counts.
fn interaction(
    kind: TieEventKind,
    from: Party,
    to: Vec<Party>,
    at: Option<CalendarDay>,
) -> Result<Interaction, SkipReason> {
    let (to, from) = (others(&from, to), Arc::new(from));
    if from.is_empty() || to.is_empty() {
        return Err(SkipReason::PartyMissing);
    }
    check_parties(&from, &to)?;
    Ok(Interaction { kind, open: to.len(), from, to, at, moment: None, repeats: None })
}

/// The person called `name` with the profile `url`; unnamed if the account was closed.
fn party(name: &str, url: &str) -> Party {
    let handle = handle_in(url);
    let name = if handle.is_none() && name == CLOSED { String::new() } else { name.to_owned() };
    Party { name, handle, email: None }
}

/// The recipients of a message. Their names are joined by commas, which names contain too: they get names only if there
/// are as many as profiles.
fn recipients(row: &RowCells<'_>) -> Vec<Party> {
    let (names, urls) = (row.first(ExportColumn::Recipients), row.first(ExportColumn::RecipientUrls));
    let urls: Vec<&str> = urls.split([',', ' ']).filter(|url| !url.is_empty()).collect();
    if urls.len() <= 1 {
        return vec![party(&names, urls.first().copied().unwrap_or(""))];
    }
    let names: Vec<String> = names.split(',').map(tidy).collect();
    let name = |place: usize| if names.len() == urls.len() { names.get(place) } else { None };
    let parties = urls.iter().enumerate();
    parties.map(|(place, url)| party(name(place).map_or("", String::as_str), url)).collect()
}
