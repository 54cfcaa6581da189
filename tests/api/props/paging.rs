//! Paging: the pages of any list together are the whole list, in order, without repeats.

use serde_json::Value;

use crate::oracle::random::{Dice, random_request};
use crate::oracle::{Request, same_answer};
use crate::props::case::Case;
use crate::support::Credentials;

/// The paged lists, and the field that holds the entries of each.
const LISTS: [(&str, &str); 5] = [
    ("/api/v1/search/warm-paths", "paths"),
    ("/api/v1/connections", "connections"),
    ("/api/v1/connections/second-degree", "connections"),
    ("/api/v1/people/network", "connections"),
    ("/api/v1/ghost/opportunities", "opportunities"),
];

/// `request` for another page.
fn turned(request: &Request, limit: usize, offset: usize) -> Request {
    let mut params = request.params.clone();
    params.retain(|(name, _)| name != "limit" && name != "offset");
    params.push(("limit".to_owned(), limit.to_string()));
    params.push(("offset".to_owned(), offset.to_string()));
    Request { params, ..request.clone() }
}

/// All entries of a list, page by page, by `nextOffset`.
async fn walk(
    case: &Case,
    credentials: &Credentials,
    request: &Request,
    entries: &str,
    limit: usize,
) -> Option<Vec<Value>> {
    let (mut walked, mut offset) = (Vec::new(), 0);
    loop {
        let answer = case.ask(credentials, &turned(request, limit, offset)).await;
        if answer.status != 200 {
            return None;
        }
        let data = answer.json()["data"].clone();
        let page = data[entries].as_array().unwrap();
        assert_eq!(data["returnedCount"], page.len());
        walked.extend(page.iter().cloned());
        match data["nextOffset"].as_u64() {
            Some(next) => {
                assert_eq!((next as usize, &data["hasMore"]), (offset + limit, &Value::Bool(true)));
                offset = next as usize;
            }
            None => {
                assert_eq!(
                    (&data["hasMore"], &data["totalCount"]),
                    (&Value::Bool(false), &Value::from(walked.len()))
                );
                return Some(walked);
            }
        }
    }
}

#[tokio::test]
async fn pages_of_any_list_make_up_the_whole_and_nothing_comes_twice() {
    let credentials = Credentials::new();
    let mut walks = 0;
    for seed in 5_000..5_150 {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..16 {
            let request = random_request(&case.network, &mut dice);
            let Some((_, entries)) = LISTS.iter().find(|(path, _)| *path == request.path) else {
                continue;
            };
            let limit = dice.between(1, 4);
            let Some(walked) = walk(&case, &credentials, &request, entries, limit).await else {
                continue;
            };
            let mut whole = Vec::new();
            for offset in (0..walked.len()).step_by(50) {
                let answer = case.network.answer(&turned(&request, 50, offset), &case.caps).unwrap();
                whole.extend(answer["data"][*entries].as_array().unwrap().iter().cloned());
            }
            same_answer(&Value::from(walked.clone()), &Value::from(whole)).unwrap();
            for (place, entry) in walked.iter().enumerate() {
                assert!(!walked[..place].contains(entry), "seed {seed}, {request:?}: {entry} twice");
            }
            walks += 1;
        }
    }
    assert!(walks > 500, "only {walks} walks");
}
