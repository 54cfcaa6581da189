//! Strong ties that went quiet, for the page alone.

use crate::api::caller::Admitted;
use crate::api::json::Json;
use crate::api::quiet::write;
use crate::query::quiet::{QUIET_DAYS, quiet_ties};

/// The most ties that are listed; how many there are in all is said.
const LISTED_MAX: usize = 100;

/// Answers with the ties of the member who is logged in, or of all members to a key: `{ties, totalCount}`, warmest first.
///
/// # Errors
/// As [`Admitted`].
pub async fn list(caller: Admitted) -> Json {
    let ties = quiet_ties(caller.index(), caller.member, QUIET_DAYS);
    Json::of_object(128, |json| {
        json.array_field("ties", ties.iter().take(LISTED_MAX), |json, tie| {
            json.object(|json| write(json, tie))
        });
        json.field("totalCount", ties.len() as u64);
    })
}
