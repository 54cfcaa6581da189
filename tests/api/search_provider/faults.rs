//! Faults of a provider: it fails in every way, obeys the author of the query, or answers legally but not to the
//! question. All its texts except the terms of a legal answer contain the canary.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::support::stub::{CANARY, LEGAL, LONG_MS, Reply, completion, http, says};

/// A deadline for what never ends.
const SHORT_MS: u64 = 200;

/// One way to answer all requests.
pub(crate) struct Fault {
    pub(crate) name: String,
    /// With none, connections are refused.
    pub(crate) reply: Option<Reply>,
    /// The deadline that the service gives it, in milliseconds.
    pub(crate) timeout_ms: u64,
    pub(crate) outcome: Outcome,
}

/// The outcome of the provider's answer.
#[derive(PartialEq)]
pub(crate) enum Outcome {
    /// The search goes on as if there were no provider.
    Fails,
    /// The search is for these terms, in these networks if the request names none.
    IsUsed { terms: Vec<String>, networks: Vec<&'static str> },
}

fn failing(name: &str, reply: Reply) -> Fault {
    Fault { name: name.to_owned(), reply: Some(reply), timeout_ms: LONG_MS, outcome: Outcome::Fails }
}

fn term(kind: &str, text: &str) -> Value {
    json!({ "kind": kind, "text": text, "negated": false, "past": false })
}

/// Every way to fail; `elsewhere` is where the redirect leads.
pub(crate) fn faults(elsewhere: SocketAddr) -> Vec<Fault> {
    let mut faults = broken(elsewhere);
    faults.extend(obeying());
    faults
}

fn broken(elsewhere: SocketAddr) -> Vec<Fault> {
    let legal = completion(LEGAL);
    let location = format!("location: http://{elsewhere}/v1/chat/completions\r\n");
    let half = format!("HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n{{\"{CANARY}");
    let never_ends = |name, reply| Fault { timeout_ms: SHORT_MS, ..failing(name, reply) };
    vec![
        Fault { reply: None, ..failing("refuses the connection", Reply::Hang) },
        never_ends("accepts and hangs", Reply::Hang),
        never_ends("drips byte by byte", Reply::Drip(http(200, "", &legal))),
        failing("resets mid-body", Reply::BytesThenReset(half.into_bytes())),
        failing("429", Reply::Bytes(http(429, "", CANARY))),
        failing("429, to wait", Reply::Bytes(http(429, "retry-after: 3600\r\n", CANARY))),
        failing("500", Reply::Bytes(http(500, "", CANARY))),
        failing("redirects", Reply::Bytes(http(307, &location, CANARY))),
        failing("bad JSON", Reply::Bytes(http(200, "", &format!("{legal}{CANARY}")))),
        failing("wrong schema", Reply::Bytes(http(200, "", &json!({ "error": CANARY }).to_string()))),
        failing("no JSON from the model", says(CANARY)),
        failing("10 MB", Reply::BytesThenClose(http(200, "", &format!("{legal}{}", " ".repeat(10 << 20))))),
    ]
}

/// Answers of a model that does what an injected instruction says.
fn obeying() -> Vec<Fault> {
    let terms = [term("role", CANARY)];
    let networks = json!(["user", "advocate", "organization"]);
    let with = |name: &str, value: Value| {
        let mut content = json!({ "terms": terms, "networks": networks });
        content[name] = value;
        content
    };
    let everything = json!({
        "terms": terms, "networks": ["everyone"], "organization": "org_fernhollow",
        "asUserId": "user_ana", "limit": 10_000,
    });
    let mut wider = term("role", CANARY);
    wider["asUserId"] = "user_ana".into();
    [
        ("organization", with("organization", "org_fernhollow".into())),
        ("asUserId", with("asUserId", "user_ana".into())),
        ("limit", with("limit", 10_000.into())),
        ("people", with("people", json!([{ "id": "person_sol", "name": CANARY }]))),
        ("a network of everyone", with("networks", json!(["everyone"]))),
        ("another organization's network", with("networks", json!(["organization", "org_fernhollow"]))),
        ("a term with more to it", with("terms", json!([wider]))),
        ("a kind of term of its own", with("terms", json!([term("person_id", "person_sol")]))),
        ("one term too many", with("terms", json!(vec![term("role", CANARY); 13]))),
        ("10,000 terms", with("terms", json!(vec![term("role", CANARY); 10_000]))),
        ("10,000 terms in few bytes", with("terms", json!(vec![0; 10_000]))),
        ("a term without end", with("terms", json!([term("topic", &CANARY.repeat(1_000))]))),
        ("everything at once", everything),
    ]
    .map(|(name, content)| failing(&format!("obeys: {name}"), says(&content.to_string())))
    .into()
}

fn used(name: &str, terms: &[Value], networks: &[&'static str]) -> Fault {
    let reply = says(&json!({ "terms": terms, "networks": networks }).to_string());
    let texts = terms.iter().map(|term| term["text"].as_str().unwrap().to_owned()).collect();
    // A model that names no network means all.
    let networks = if networks.is_empty() { &["user", "advocate", "organization"] } else { networks };
    let outcome = Outcome::IsUsed { terms: texts, networks: networks.to_vec() };
    Fault { outcome, ..failing(&format!("legal: {name}"), reply) }
}

/// Answers within the shape, and far from the query.
pub(crate) fn legal_but_hostile() -> Vec<Fault> {
    let all = ["organization", "advocate", "user"];
    let long = |number: u32| term("topic", &format!("{number:02} {}adept", "partner ".repeat(9)));
    let mut unwanted = term("name", "Pia");
    unwanted["negated"] = true.into();
    let mut faults = vec![
        used("a good one", &[term("place", "Portugal")], &[]),
        used("terms of its own", &[term("role", "partner"), term("company", "Copper Mill")], &all),
        used("nothing, everywhere", &[], &all),
        used("nothing, nowhere named", &[], &[]),
        used("one network", &[term("place", "Portugal")], &["advocate"]),
        used("all but one", &[unwanted], &all),
        used(
            "people out of reach, and names of what there is not",
            &[term("name", "Соломія Бондар"), term("topic", "person_sol"), term("company", "org_fernhollow")],
            &all,
        ),
        used(
            "words that mean something elsewhere",
            &[
                term("topic", "'; DROP TABLE people; --"),
                term("topic", "\" OR NEAR(a b) * NOT {name}: ^x"),
                term("name", "<script>alert(1)</script>"),
                term("place", "\u{202e}lagutroP %s ${x} \\u0000"),
                term("role", "engineer"),
            ],
            &all,
        ),
        used("as many terms as may be, as long as may be", &(0..12).map(long).collect::<Vec<_>>(), &all),
    ];
    // The data around the model's text are ignored.
    let mut around: Value = serde_json::from_str(&completion(LEGAL)).unwrap();
    around["asUserId"] = "user_ana".into();
    around["organization"] = "org_fernhollow".into();
    around["networks"] = json!(["everyone"]);
    let reply = Reply::Bytes(http(200, "", &around.to_string()));
    let outcome = Outcome::IsUsed { terms: vec!["head of finance".into()], networks: vec!["advocate"] };
    faults.push(Fault { outcome, ..failing("legal: orders around it", reply) });
    faults
}
