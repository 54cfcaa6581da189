//! Any body is a search that is answered or refused, and no field is misread.

use axum::http::StatusCode;
use kith_server::api::body::Object;
use serde_json::Value;

use super::choices::Choices;
use super::service::{Caller, Front};

const TEXTS: [&str; 3] = ["query", "asUserId", "mode"];
const WHOLES: [&str; 2] = ["strictness", "limit"];
const LISTS: [&str; 1] = ["networks"];

/// Reads the body in `input` with every accessor, and posts it to `front` as a search. The first byte chooses the
/// caller. Returns the status of the answer.
pub fn check(front: &Front, input: &[u8]) -> StatusCode {
    let mut choices = Choices::new(input);
    let caller = [Caller::Organization, Caller::Member, Caller::Nobody][choices.below(3)];
    let body = choices.rest();
    check_accessors(body);
    let status = front.post(caller, "/api/v1/search/network", body);
    assert!(caller != Caller::Nobody || status != StatusCode::OK, "nobody was answered");
    status
}

/// Each accessor returns the same value as a reader of the whole body, if both return one.
fn check_accessors(body: &[u8]) {
    let whole: Option<Value> = serde_json::from_slice(body).ok().filter(Value::is_object);
    let object = match Object::parse(body) {
        Ok(object) => object,
        Err(_) => return assert!(whole.is_none(), "an object was refused"),
    };
    // This reader cannot hold numbers that need text; everything else is compared.
    let Some(whole) = whole else { return };
    for name in TEXTS {
        if let Ok(text) = object.text(name, "a text") {
            assert_eq!(text.as_deref(), whole[name].as_str(), "{name}");
        }
    }
    for name in WHOLES {
        if let Ok(number) = object.whole(name, 1..=50) {
            assert_eq!(number, whole[name].as_u64(), "{name}");
        }
    }
    for name in LISTS {
        if let Ok(list) = object.some_texts(name, "a list") {
            assert_eq!(list.map(Value::from).unwrap_or_default(), whole[name], "{name}");
        }
    }
}
