//! The tokens that a request takes from the bucket of its credential.

use crate::api::error::ApiError;
use crate::api::marks::{AnsweredFrom, RateFields};
use crate::auth::verify::Principal;
use crate::rates::{Holder, Rates};

/// Takes a request from the bucket of `principal`, and reports what is left in it.
///
/// # Errors
/// Returns 429 if it is empty.
pub(super) fn take_one(
    rates: &Rates,
    principal: &Principal,
    from: Option<&AnsweredFrom>,
) -> Result<(), ApiError> {
    let taken = rates.take(holder(principal));
    let policy = format!("\"credential\";q={};w={}", rates.burst(), rates.fills_in());
    let standing = format!("\"credential\";r={};t={}", taken.left, taken.full_in);
    if let (Some(from), Ok(policy), Ok(standing)) = (from, policy.parse(), standing.parse()) {
        from.report_rate(RateFields { policy, standing });
    }
    match taken.retry_after {
        None => Ok(()),
        Some(retry_after) => Err(ApiError::RateLimited { retry_after }),
    }
}

/// The identity of the credential of `principal`: its id, or for a JWT the user it names.
fn holder(principal: &Principal) -> Holder {
    match principal {
        Principal::Organization { key_id: id, .. } | Principal::User { token_id: Some(id), .. } => {
            Holder::Stored { id: id.clone() }
        }
        Principal::User { org, user, token_id: None, .. } => {
            Holder::Signed { org: org.clone(), user: user.clone() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::scope::Scopes;

    #[test]
    fn a_bucket_is_of_a_key_a_token_or_all_jwts_of_a_user() {
        let token = |org: &str, user: &str, id: Option<&str>| {
            let (org, user, token_id) = (org.to_owned(), user.to_owned(), id.map(str::to_owned));
            holder(&Principal::User { org, user, trusts_address: false, scopes: Scopes::READ, token_id })
        };
        let key = holder(&Principal::Organization { org: "org_a".into(), key_id: "1".into() });
        assert_eq!(token("org_a", "user_1", None), token("org_a", "user_1", None));
        let all = [
            key,
            token("org_a", "user_1", Some("2")),
            token("org_a", "user_1", Some("3")),
            token("org_a", "user_1", None),
            token("org_a", "user_2", None),
            token("org_b", "user_1", None),
        ];
        for (place, one) in all.iter().enumerate() {
            assert!(!all[..place].contains(one), "{one:?}");
        }
    }
}
