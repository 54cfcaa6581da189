//! Any query string and any id in a path are read exactly or refused.

use axum::http::StatusCode;
use kith::limits::{ID_BYTES_MAX, PAGE_LIMIT_MAX};
use kith_server::api::params::Params;
use kith_server::limits::TEXT_CHARS_MAX;

use super::choices::Choices;
use super::service::{Caller, Front, in_address};

/// Every parameter of the API, and one that does not exist.
const NAMES: [&str; 19] = [
    "q",
    "limit",
    "offset",
    "prospectName",
    "prospectLinkedinId",
    "prospectCompany",
    "includeIntroRequested",
    "scope",
    "fromUserIds",
    "connectionTypes",
    "includeSecondDegree",
    "name",
    "linkedinId",
    "personId",
    "viaConnectorId",
    "status",
    "sort",
    "search",
    "unknown",
];

/// Every path that takes a query string, without `/api/v1/`; the input continues the last one.
const PATHS: [&str; 8] = [
    "search/warm-paths",
    "search/people",
    "search/companies",
    "people/network",
    "connections",
    "connections/second-degree",
    "ghost/opportunities",
    "people/",
];

/// Reads the query string in `input` with every accessor, and asks `front` with it. One byte chooses the caller, one
/// the path. Returns the status of the answer.
pub fn check(front: &Front, input: &[u8]) -> StatusCode {
    let mut choices = Choices::new(input);
    let caller = [Caller::Organization, Caller::Member, Caller::Nobody][choices.below(3)];
    let path = PATHS[choices.below(PATHS.len())];
    let rest = choices.rest();
    let (id, query) = match rest.iter().position(|&byte| byte == b'?') {
        _ if !path.ends_with('/') => (&[][..], rest),
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &[][..]),
    };
    let query = in_address(query, b"");
    check_accessors(&query);
    let status = front.get(caller, &format!("/api/v1/{path}{}?{query}", in_address(id, b"?")));
    assert!(caller != Caller::Nobody || status != StatusCode::OK, "nobody was answered");
    status
}

/// Checks that the result of an accessor keeps its promised bound.
fn check_accessors(query: &str) {
    let params = Params::parse(query);
    let _ = params.check(&NAMES);
    let is_text = |text: &str| (1..=TEXT_CHARS_MAX).contains(&text.chars().count());
    let is_id = |id: &str| (1..=ID_BYTES_MAX).contains(&id.len());
    for name in NAMES {
        assert_eq!(params.once(name).is_ok(), params.all(name).count() < 2, "{name}");
        assert!(params.text(name).ok().is_none_or(is_text), "{name}");
        assert!(params.plain(name).ok().is_none_or(|text| is_text(&text)), "{name}");
        assert!(params.id(name).ok().flatten().is_none_or(is_id), "{name}");
        let elements = params.list(name, || "a list".to_owned()).ok().flatten().unwrap_or_default();
        assert!(elements.into_iter().all(is_id), "{name}");
        assert!(params.choice(name, &["a", "me"]).ok().flatten().is_none_or(|place| place < 2), "{name}");
        assert!(
            params.whole(name, 3..=9).ok().flatten().is_none_or(|whole| (3..=9).contains(&whole)),
            "{name}"
        );
        let _ = params.handle(name);
    }
    assert!(params.page().ok().is_none_or(|page| (1..=PAGE_LIMIT_MAX).contains(&page.limit)));
    let one_of = &NAMES[3..6];
    let sent = one_of.iter().filter(|name| params.all(name).next().is_some()).count();
    assert_eq!(params.exactly_one(one_of).is_ok(), sent == 1);
}
