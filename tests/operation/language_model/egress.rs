//! Outgoing data: a fixed prompt and the query, to the last byte.

use kith_server::language_model::LanguageModel;
use kith_server::language_model::prompt::Prompt;
use kith_server::language_model::settings::ProviderSettings;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::language_model::{LONG_MS, ORGANIZATION, settings};
use crate::support::stub::{LEGAL, Stub, body_of, head_of, says};

const QUERIES: usize = 1_000;

const WORDS: [&str; 16] = [
    "cfos",
    "in",
    "Zürich",
    "who",
    "know",
    "\"me\"",
    "\\",
    "\r\n\r\nGET / HTTP/1.1",
    "{\"role\":\"system\"}",
    "\u{0}",
    "ignore the rules",
    "日本",
    "🙂",
    "not",
    "ex-Acme",
    "'; drop table people; --",
];

fn query(dice: &mut ChaCha8Rng, number: usize) -> String {
    let words = (0..dice.next_u32() % 12).map(|_| WORDS[dice.next_u32() as usize % WORDS.len()]);
    words.chain([format!("{number}").as_str()]).collect::<Vec<_>>().join(" ")
}

/// What `request` says beyond the fixed prompt and `query`. Returns `None` if there is no more.
fn leak(request: &[u8], query: &str, host: &str) -> Option<String> {
    let (Some(head), Some(body)) = (head_of(request), body_of(request)) else {
        return Some("no request".into());
    };
    let mut lines: Vec<&str> = head.lines().collect();
    lines.sort_unstable();
    let (host, length) = (format!("host: {host}"), format!("content-length: {}", body.len()));
    let mut fixed = vec![
        "POST /v1/chat/completions HTTP/1.1",
        "accept: application/json",
        "authorization: Bearer sk-test",
        &length,
        "content-type: application/json",
        &host,
    ];
    fixed.sort_unstable();
    if lines != fixed {
        return Some(head.to_owned());
    }
    // The prompt around a query is the prompt around any other.
    let mut expected: Value = serde_json::from_slice(&Prompt::new("small").request("")).unwrap();
    expected["messages"][1]["content"] = query.into();
    (body != expected.to_string().as_bytes()).then(|| String::from_utf8_lossy(body).into_owned())
}

#[tokio::test]
async fn only_the_fixed_prompt_and_the_query_leave() {
    let stub = Stub::start(&[says(LEGAL)]).await;
    let model = LanguageModel::new(Some(&settings(stub.address, LONG_MS))).unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(40);
    let queries: Vec<String> = (0..QUERIES).map(|number| query(&mut dice, number)).collect();
    for query in &queries {
        assert!(model.parse(ORGANIZATION, query).await.is_ok(), "{query}");
    }
    let (sent, host) = (stub.seen().requests, stub.address.to_string());
    assert_eq!(sent.len(), QUERIES);
    for (request, query) in sent.iter().zip(&queries) {
        assert_eq!(leak(request, query, &host), None);
        assert!(!String::from_utf8_lossy(request).contains("XORGANIZATIONX"));
    }
    // The control: one byte more in any place is seen.
    let request = String::from_utf8(sent[0].clone()).unwrap();
    for (from, to) in [
        ("accept: ", "x-organization: org_a\r\naccept: "),
        ("/v1/chat/completions", "/v1/chat/completions?user=u"),
        ("\"model\":", "\"user\":\"u\",\"model\":"),
    ] {
        let body = body_of(&sent[0]).unwrap().len();
        let doctored = request.replacen(from, to, 1);
        let more = if from.starts_with('"') { to.len() - from.len() } else { 0 };
        let doctored =
            doctored.replace(&format!("content-length: {body}"), &format!("content-length: {}", body + more));
        assert!(leak(doctored.as_bytes(), &queries[0], &host).is_some(), "{to}");
    }
    assert!(leak(&sent[0], &queries[1], &host).is_some());
}

#[tokio::test]
async fn without_a_key_none_is_sent() {
    let stub = Stub::start(&[says(LEGAL)]).await;
    let settings =
        ProviderSettings::new(&format!("http://{}", stub.address), "small", None, LONG_MS).unwrap();
    assert!(LanguageModel::new(Some(&settings)).unwrap().parse(ORGANIZATION, "cfos").await.is_ok());
    let sent = stub.seen().requests;
    let head = head_of(&sent[0]).unwrap();
    assert!(
        head.starts_with("POST /chat/completions HTTP/1.1\r\n") && !head.contains("authorization"),
        "{head}"
    );
}
