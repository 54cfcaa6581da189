//! The content of a request: the caller, its parameters, the limits in force, and the page.

use super::show::Fields;

/// Query parameters, decoded, in the order sent.
pub(crate) type Params = [(String, String)];

/// The owner of the credential that a request carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// An organization key.
    Organization,
    /// A user token, with the user id.
    User(String),
}

/// The bounds on the work of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caps {
    pub(crate) company_candidates: usize,
    pub(crate) edges_per_target: usize,
    pub(crate) edges_per_connector: usize,
    pub(crate) bridges: usize,
    pub(crate) edges_per_bridge: usize,
    pub(crate) edges_read_per_bridge: usize,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps {
            company_candidates: 500,
            edges_per_target: 256,
            edges_per_connector: 64,
            bridges: 200,
            edges_per_bridge: 100,
            edges_read_per_bridge: 1000,
        }
    }
}

/// The value of a parameter that is sent at most once.
pub(crate) fn one<'a>(params: &'a Params, name: &str) -> Option<&'a str> {
    params.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// The values of a list parameter, repeated or comma-separated; none when it is not sent.
pub(crate) fn list<'a>(params: &'a Params, name: &str) -> Option<Vec<&'a str>> {
    let sent = params.iter().filter(|(key, _)| key == name);
    let values: Vec<&str> = sent.flat_map(|(_, value)| value.split(',')).collect();
    (!values.is_empty()).then_some(values)
}

/// A whole number, or its default.
pub(crate) fn number(params: &Params, name: &str, default: usize) -> usize {
    one(params, name).map_or(default, |value| value.parse().unwrap())
}

/// The entries of the page asked for, and the paged list envelope.
pub(crate) fn page<T>(params: &Params, all: Vec<T>) -> (Vec<T>, Fields) {
    let (limit, offset) = (number(params, "limit", 20), number(params, "offset", 0));
    let total = all.len();
    let shown: Vec<T> = all.into_iter().skip(offset).take(limit).collect();
    let has_more = offset.saturating_add(limit) < total;
    let envelope = Fields::new()
        .put("totalCount", total)
        .put("returnedCount", shown.len())
        .put("limit", limit)
        .put("offset", offset)
        .put("hasMore", has_more)
        .maybe("nextOffset", has_more.then(|| offset + limit));
    (shown, envelope)
}
