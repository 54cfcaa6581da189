//! Common companies, cities and industries of two holders, from their own exports.

use crate::dates::CalendarDay;
use crate::identity::company_key::company_key;
use crate::own::{CalendarMonth, OwnPosition, OwnProfile};
use crate::rows::OwnHistory;
use crate::score::overlap::{CompanyStay, past_overlap};
use crate::score::tie::Tie;
use kith::model::text::fold;

/// Adds to `tie` the common part of the histories of its owner and the other person.
pub(crate) fn compare(tie: &mut Tie, owner: &OwnHistory, other: &OwnHistory, as_of: CalendarDay) {
    tie.past_company = past_overlap(&stays(owner), &stays(other), as_of);
    let texts = |history: &OwnHistory, of: fn(&OwnProfile) -> &str| -> Vec<String> {
        let texts = history.profiles.iter().map(|profile| fold(of(profile)));
        texts.filter(|text| !text.is_empty()).collect()
    };
    let is_shared = |of: fn(&OwnProfile) -> &str| {
        let theirs = texts(other, of);
        texts(owner, of).iter().any(|text| theirs.contains(text))
    };
    tie.is_city_shared = is_shared(|profile| &profile.city);
    tie.is_industry_shared = is_shared(|profile| &profile.industry);
}

fn stays(history: &OwnHistory) -> Vec<CompanyStay> {
    let stay = |position: &OwnPosition| CompanyStay {
        key: company_key(&position.company),
        name: position.company.clone(),
        from: position.from.and_then(|month| day_in(month, 1)),
        // A year alone lasts to its end.
        to: position.to.and_then(|month| day_in(month, 12)),
        people: None,
    };
    history.positions.iter().map(stay).collect()
}

/// A day in `month`; for a year alone, in its month `month_of_year`.
fn day_in(month: CalendarMonth, month_of_year: u8) -> Option<CalendarDay> {
    CalendarDay::new(month.year, month.month.unwrap_or(month_of_year), 1)
}
