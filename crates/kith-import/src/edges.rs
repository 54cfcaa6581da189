//! Lists of edges.

use crate::addresses::addresses_in;
use crate::cells::RowCells;
use crate::columns::WeightedTie;
use crate::export::ExportColumn;
use crate::fault::SkipReason;
use crate::interaction::Party;
use crate::layout::Layout;
use crate::profile::handle_in;
use crate::records::ExportRecord;

/// The edge in `record`.
///
/// # Errors
/// Returns why the row is skipped.
pub(crate) fn tie(record: &ExportRecord<'_>, layout: &Layout) -> Result<WeightedTie, SkipReason> {
    let row = RowCells { record, layout };
    let (from, to) = (party(row.first(ExportColumn::TieFrom)), party(row.first(ExportColumn::TieTo)));
    if from.is_empty() || to.is_empty() {
        return Err(SkipReason::PartyMissing);
    }
    let weight = row.first(ExportColumn::Weight);
    let weight =
        if weight.is_empty() { None } else { Some(number(&weight).ok_or(SkipReason::WeightUnread)?) };
    if !row.is_within_bounds() {
        return Err(SkipReason::ValueTooLong);
    }
    Ok(WeightedTie { from, to, weight })
}

/// The person that `text` names by an address, a profile or a name.
fn party(text: String) -> Party {
    let mut emails = Vec::new();
    addresses_in(&text, &mut emails);
    if let [email] = emails.as_slice() {
        let name = text.split_once('<').map_or("", |(name, _)| name.trim()).to_owned();
        return Party { name, handle: None, email: Some(email.clone()) };
    }
    match handle_in(&text) {
        Some(handle) => Party { handle: Some(handle), ..Party::default() },
        None => Party { name: text, ..Party::default() },
    }
}

/// Parses a number of 0 or more, with a point or a comma; `None` if it is invalid, or if the comma may separate
/// thousands.
fn number(text: &str) -> Option<f64> {
    let plain = match text.split_once(',') {
        Some((_, behind)) if behind.len() == 3 || behind.contains([',', '.']) => return None,
        Some((before, behind)) => format!("{before}.{behind}"),
        None => text.to_owned(),
    };
    let is_number = plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    plain.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_a_number_that_can_be_one_number_alone() {
        for (text, expected) in [
            ("3", Some(3.0)),
            ("0.5", Some(0.5)),
            ("0,5", Some(0.5)),
            ("12,75", Some(12.75)),
            ("1,000", None),
            ("1,000.5", None),
            ("-1", None),
            ("NaN", None),
            ("1e3", None),
            ("strong", None),
            (".", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn a_person_is_named_by_an_address_a_profile_or_a_name() {
        let party = |text: &str| {
            let party = party(text.to_owned());
            [party.name, party.handle.unwrap_or_default(), party.email.unwrap_or_default()].join("|")
        };
        assert_eq!(party("Ann Lee"), "Ann Lee||");
        assert_eq!(party("Ann@Lee.example"), "||ann@lee.example");
        assert_eq!(party("Ann Lee <ann@lee.example>"), "Ann Lee||ann@lee.example");
        assert_eq!(party("https://linkedin.com/in/Ann-Lee/"), "|ann-lee|");
    }
}
