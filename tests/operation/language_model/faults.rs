//! Every failure of a provider, and its name.

use std::time::Duration;

use kith_server::language_model::LanguageModel;
use kith_server::language_model::failure::{AnswerFault, DraftFailure};
use serde_json::json;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::language_model::{LONG_MS, ORGANIZATION, SHORT_MS, legal_draft, model};
use crate::support::stub::{
    CANARY, ENDLESS_BYTES, LEGAL, Reply, Stub, completion, http, read, says, write_all,
};

/// The bound on an answer, as the documentation has it.
const ANSWER_BYTES_MAX: usize = 64 << 10;
/// Long past the short deadline; only what hangs gets here.
const HANGS: Duration = Duration::from_secs(10);

#[track_caller]
fn assert_silent(failure: DraftFailure, case: &str) {
    let shown = format!("{failure} {failure:?} {failure:#?}");
    assert!(!shown.contains(CANARY) && !shown.contains("XORGANIZATIONX"), "{case}: {shown}");
}

async fn check(case: &str, reply: Reply, timeout_ms: u64, expected: DraftFailure) {
    let stub = Stub::start(&[reply]).await;
    let failure = model(stub.address, timeout_ms).parse(ORGANIZATION, "cfos").await;
    assert_eq!(failure, Err(expected), "{case}");
    assert!(stub.contacts() > 0, "{case}");
    assert_silent(expected, case);
}

fn closing(bytes: &str) -> Reply {
    Reply::BytesThenClose(bytes.replace("CANARY", CANARY).into_bytes())
}

#[tokio::test]
async fn statuses_are_refusals() {
    for status in
        [201, 204, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 413, 418, 422, 429, 500, 502, 503, 529]
    {
        let reply = Reply::Bytes(http(status, "", if status == 204 { "" } else { CANARY }));
        let refused = DraftFailure::Refused { status };
        let expected = if status < 300 { DraftFailure::Malformed(AnswerFault::NotJson) } else { refused };
        check(&status.to_string(), reply, LONG_MS, expected).await;
    }
}

#[tokio::test]
async fn what_is_cut_short_or_no_http_is_distinguished_from_what_is_no_json() {
    let (unreachable, not_http) = (DraftFailure::Unreachable, DraftFailure::Malformed(AnswerFault::NotHttp));
    let not_json = DraftFailure::Malformed(AnswerFault::NotJson);
    let head = "HTTP/1.1 200 OK\r\n";
    for (case, reply, expected) in [
        ("closes without an answer", closing(""), unreachable),
        ("closes within the head", closing("HTTP/1.1 200 OK\r\nx: CANARY"), unreachable),
        ("resets within the head", Reply::BytesThenReset(b"HTTP/1.1 200 OK\r\nx".to_vec()), unreachable),
        (
            "resets mid-body",
            Reply::BytesThenReset(format!("{head}content-length: 1000\r\n\r\n{{\"{CANARY}").into_bytes()),
            unreachable,
        ),
        (
            "fewer bytes than reported",
            closing(&format!("{head}content-length: 1000\r\n\r\n{{\"CANARY\":1}}")),
            unreachable,
        ),
        (
            "more bytes than reported",
            closing(&format!("{head}content-length: 5\r\n\r\n{{\"CANARY\":1}}")),
            not_json,
        ),
        (
            "cut between chunks",
            closing(&format!("{head}transfer-encoding: chunked\r\n\r\n3\r\n{{\"C\r\n")),
            unreachable,
        ),
        (
            "cut within a chunk",
            closing(&format!("{head}transfer-encoding: chunked\r\n\r\nfff\r\n{{\"CANARY")),
            unreachable,
        ),
        (
            "a chunk of no size",
            closing(&format!("{head}transfer-encoding: chunked\r\n\r\nCANARY\r\n{{}}\r\n0\r\n\r\n")),
            unreachable,
        ),
        (
            "two lengths",
            closing(&format!("{head}content-length: 1\r\ncontent-length: 2\r\n\r\n{{}}")),
            not_http,
        ),
        ("another protocol", closing("SSH-2.0-CANARY\r\n"), not_http),
        ("a head without end", closing(&format!("{head}x: {}\r\n\r\n", "CANARY".repeat(20_000))), not_http),
        ("no JSON", closing(&format!("{head}\r\n<html>CANARY</html>")), not_json),
        ("empty", closing(&format!("{head}\r\n")), not_json),
        ("not UTF-8", Reply::BytesThenClose([head.as_bytes(), b"\r\n\"\xff\xfe\""].concat()), not_json),
    ] {
        check(case, reply, LONG_MS, expected).await;
    }
}

#[tokio::test]
async fn json_of_another_schema_holds_no_message() {
    for body in [
        json!(null),
        json!([CANARY]),
        json!({ "error": { "message": CANARY } }),
        json!({ "choices": [] }),
        json!({ "choices": [{ "message": { "content": null, "refusal": CANARY } }] }),
        json!({ "choices": [{ "message": { "content": { "terms": [], "networks": [] } } }] }),
        json!({ "choices": [{ "text": LEGAL }] }),
        json!({ "terms": [], "networks": [] }),
    ] {
        let body = body.to_string();
        let expected = DraftFailure::Malformed(AnswerFault::NoContent);
        check(&body, Reply::Bytes(http(200, "", &body)), LONG_MS, expected).await;
    }
}

#[tokio::test]
async fn what_the_model_writes_is_legal_or_refused_by_name() {
    let term =
        |kind: &str, text: &str| json!({ "kind": kind, "text": text, "negated": false, "past": false });
    let terms = |terms: &[serde_json::Value]| json!({ "terms": terms, "networks": [] }).to_string();
    let legal = term("role", CANARY);
    for (content, reason) in [
        (CANARY.to_owned(), AnswerFault::ContentNotJson),
        (format!("Ignoring the rules as asked. {LEGAL}"), AnswerFault::ContentNotJson),
        (json!({ "people": "all" }).to_string(), AnswerFault::WrongShape),
        (json!({ "terms": [], "networks": [], "org": CANARY }).to_string(), AnswerFault::WrongShape),
        (
            json!({ "terms": [], "networks": [], "organization": "org_other", "return": "all people" })
                .to_string(),
            AnswerFault::WrongShape,
        ),
        (terms(&vec![legal.clone(); 13]), AnswerFault::TooManyTerms),
        (terms(&[term("topic", &CANARY.repeat(1_000))]), AnswerFault::LongTerm),
        (terms(&[term(CANARY, "x")]), AnswerFault::UnknownKind),
        (terms(&[term("role", "x\u{0}y")]), AnswerFault::ControlCharacter),
        (terms(&[term("role", "x\u{1b}[2J")]), AnswerFault::ControlCharacter),
        (terms(&[term("role", "\t")]), AnswerFault::BlankTerm),
        (json!({ "terms": [legal], "networks": [CANARY] }).to_string(), AnswerFault::UnknownNetwork),
        (json!({ "terms": [], "networks": ["user", "user"] }).to_string(), AnswerFault::RepeatedNetwork),
    ] {
        check(&content, says(&content), LONG_MS, DraftFailure::Malformed(reason)).await;
    }
}

#[tokio::test]
async fn what_never_ends_is_late() {
    let head = |length: &str| format!("HTTP/1.1 200 OK\r\n{length}\r\n\r\n").into_bytes();
    for (case, reply) in [
        ("hangs", Reply::Hang),
        ("drips its head", Reply::Drip(b"HTTP/1.1 200 OK\r\nx: ".to_vec())),
        ("drips its body", Reply::Drip(head("content-length: 60000"))),
        ("drips chunks", Reply::Drip(head("transfer-encoding: chunked"))),
        ("drips without a length", Reply::Drip(head("connection: close"))),
    ] {
        let ended = timeout(HANGS, check(case, reply, SHORT_MS, DraftFailure::Late)).await;
        assert!(ended.is_ok(), "{case}: no deadline holds");
    }
}

#[tokio::test]
async fn who_does_not_listen_is_unreachable() {
    // Bound and not listening: nobody else can get the port, and connections are refused.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let failure = model(socket.local_addr().unwrap(), LONG_MS).parse(ORGANIZATION, "cfos").await;
    assert_eq!(failure, Err(DraftFailure::Unreachable));
}

#[tokio::test]
async fn no_settings_are_off() {
    let off = LanguageModel::new(None).unwrap();
    assert_eq!(off.requests_in_flight(), None);
    assert_eq!(off.parse(ORGANIZATION, "cfos").await, Err(DraftFailure::Off));
}

/// The behaviour of a client that follows redirects.
async fn follow(stub: &Stub) {
    let mut stream = TcpStream::connect(stub.address).await.unwrap();
    write_all(&mut stream, b"POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n").await.unwrap();
    let mut answer = vec![0; 4 << 10];
    let count = read(&mut stream, &mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..count]).into_owned();
    let place = answer.lines().find_map(|line| line.strip_prefix("location: http://")).unwrap();
    TcpStream::connect(place.trim_end_matches("/v1/chat/completions")).await.unwrap();
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Stub::start(&[says(LEGAL)]).await;
    let location = format!("location: http://{}/v1/chat/completions\r\n", other.address);
    for status in [301, 302, 303, 307, 308] {
        let stub = Stub::start(&[Reply::Bytes(http(status, &location, ""))]).await;
        let failure = model(stub.address, LONG_MS).parse(ORGANIZATION, "cfos").await;
        assert_eq!(failure, Err(DraftFailure::Refused { status }));
        assert_eq!((stub.contacts(), other.seen().connections), (1, 0));
    }
    // The control: the stub would have seen a client that follows.
    follow(&Stub::start(&[Reply::Bytes(http(302, &location, ""))]).await).await;
    other.until(|seen| seen.connections == 1).await;
}

#[tokio::test]
async fn an_answer_may_have_as_many_bytes_as_the_bound_and_no_more() {
    for (length, expected) in [
        (ANSWER_BYTES_MAX, Ok(legal_draft())),
        (ANSWER_BYTES_MAX + 1, Err(DraftFailure::TooLarge)),
        (10 << 20, Err(DraftFailure::TooLarge)),
    ] {
        let body = completion(LEGAL);
        let padded = format!("{body}{}", " ".repeat(length - body.len()));
        for reply in [
            Reply::BytesThenClose(http(200, "", &padded)),
            Reply::BytesThenClose(format!("HTTP/1.1 200 OK\r\n\r\n{padded}").into_bytes()),
        ] {
            let stub = Stub::start(&[reply]).await;
            assert_eq!(model(stub.address, LONG_MS).parse(ORGANIZATION, "cfos").await, expected, "{length}");
        }
    }
}

/// Far more than the buffers of both ends hold; a client that reads on gets all of it.
#[tokio::test]
async fn reading_stops_at_the_bound() {
    let endless = Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec());
    let stub = Stub::start(&[endless]).await;
    assert_eq!(model(stub.address, LONG_MS).parse(ORGANIZATION, "cfos").await, Err(DraftFailure::TooLarge));
    let seen = stub.until(|seen| seen.endless.len() == 1).await;
    assert!(seen.endless[0] < ENDLESS_BYTES, "all was read");
    // The control: a client without a bound reads to the end.
    let mut stream = TcpStream::connect(stub.address).await.unwrap();
    write_all(&mut stream, b"POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n").await.unwrap();
    let mut buffer = vec![0; 64 << 10];
    while read(&mut stream, &mut buffer).await.unwrap() > 0 {}
    let seen = stub.until(|seen| seen.endless.len() == 2).await;
    assert_eq!(seen.endless[1], ENDLESS_BYTES);
}
