//! Isolation for agents: tool calls of a curious agent about its own network and about another.

use kith_server::mcp::settings::McpSettings;
use serde_json::{Value, json};

use crate::drawn::{at_least, share};
use crate::isolation::canary::{holds_canary, only_repeats};
use crate::isolation::requests::{Sent, collect_values};
use crate::isolation::{Beside, Pair};
use crate::mcp::{Agent, call};
use crate::oracle::fold;
use crate::oracle::random::Dice;
use crate::support::{Answer, Credentials, Served};

const PAIRS: u64 = 20;
const CALLS_PER_PAIR: usize = 200;

/// The outcome of many calls.
#[derive(Debug, Default)]
struct Tally {
    calls: usize,
    answered: usize,
    refused: usize,
    prying: usize,
    leaks: usize,
    interferences: usize,
    first: Option<String>,
}

/// A call about either network, with something of the other one in it more often than not.
fn draw(pair: &Pair, dice: &mut Dice) -> (&'static str, Value) {
    let texts = |dice: &mut Dice| {
        let network = if dice.chance(50) { &pair.own } else { &pair.foreign };
        let people: Vec<String> = network.people.keys().cloned().collect();
        let names: Vec<String> = network.people.values().map(|person| person.name.clone()).collect();
        match dice.below(3) {
            0 => dice.pick(&people),
            1 => dice.pick(&names),
            _ => dice.pick(&pair.foreign_strings),
        }
    };
    let (one, other) = (texts(dice), texts(dice));
    match dice.below(10) {
        0 => ("find_introductions", json!({ "person": one })),
        1 => ("find_introductions", json!({ "company": one })),
        2 => ("find_introductions", json!({ "targets": [one, other] })),
        3 => ("find_introductions", json!({ "person": one, "from_members": [other] })),
        4 => ("find_person", json!({ "query": one })),
        5 => ("search_network", json!({ "description": one })),
        6 => ("get_person", json!({ "id": one, "with_connections": true })),
        7 => ("find_company", json!({ "query": one })),
        8 => ("list_my_network", json!({ "degree": "second", "via_person": one })),
        _ => ("list_opportunities", json!({ "search": one })),
    }
}

/// Whether an answer holds the canary other than where it repeats what was sent.
fn leaks(arguments: &Value, answer: &Answer) -> bool {
    if !holds_canary(&answer.bytes) {
        return false;
    }
    let mut values = Vec::new();
    collect_values(arguments, &mut values);
    // For a list, an error repeats the text between two commas.
    values.extend(values.clone().iter().flat_map(|value| value.split(',')).map(str::to_owned));
    let sent = Sent::with_values(values.clone());
    let mut result = answer.json()["result"].take();
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap_or("null")).unwrap();
    if result["isError"] == true {
        return !only_repeats(&sent, text["error"].as_str().unwrap_or_default());
    }
    let data = &mut result["structuredContent"]["data"];
    let folded = fold(&values.join(" "));
    let terms = data.get_mut("terms").map(Value::take).unwrap_or_default();
    let has_foreign_term = terms.as_array().into_iter().flatten().any(|term| {
        let words = term.as_str().unwrap_or("").split(' ').map(str::to_owned).collect::<Vec<_>>();
        words.iter().any(|word| holds_canary(word.as_bytes()) && !folded.contains(word.as_str()))
    });
    let mut spoilt = has_foreign_term;
    for row in data.get_mut("results").and_then(Value::as_array_mut).into_iter().flatten() {
        let asked = row["asked"].take();
        let asked = letters(asked.as_str().unwrap_or(""));
        spoilt |= !values.iter().any(|value| letters(value).starts_with(&asked));
        let error = row.get_mut("error").map(Value::take).unwrap_or_default();
        spoilt |= !only_repeats(&sent, error.as_str().unwrap_or(""));
    }
    spoilt || holds_canary(result["structuredContent"].to_string().as_bytes())
}

/// The letters and digits of a text, which are always shown.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

async fn pry(seed: u64, beside: Beside, calls: usize, credentials: &Credentials, tally: &mut Tally) {
    let mut pair = Pair::draw(seed, beside, credentials);
    let to_agents = |served: Served| served.serving_agents(&McpSettings::default());
    (pair.alone, pair.beside) = (to_agents(pair.alone), to_agents(pair.beside));
    let mut dice = Dice::new(seed);
    for _ in 0..calls {
        let (tool, arguments) = draw(&pair, &mut dice);
        let credential = dice.pick(&pair.credentials);
        let message = call(tool, &arguments);
        let alone = Agent { served: &pair.alone, credential: credential.clone() }.send(&message).await;
        let beside = Agent { served: &pair.beside, credential }.send(&message).await;
        let (leaks, interferes) = (leaks(&arguments, &beside), alone.visible() != beside.visible());
        tally.calls += 1;
        tally.leaks += usize::from(leaks);
        tally.interferences += usize::from(interferes);
        tally.prying += usize::from(holds_canary(message.to_string().as_bytes()));
        let is_refused = beside.status != 200 || beside.json()["result"]["isError"] == true;
        tally.refused += usize::from(is_refused);
        tally.answered += usize::from(!is_refused);
        if tally.first.is_none() && (leaks || interferes) {
            let body = |answer: &Answer| String::from_utf8_lossy(&answer.bytes).into_owned();
            tally.first = Some(format!("{message}\nalone:  {}\nbeside: {}", body(&alone), body(&beside)));
        }
    }
}

async fn pry_all(pairs: u64, beside: Beside, calls: usize) -> Tally {
    let (credentials, mut tally) = (Credentials::new(), Tally::default());
    for seed in 0..pairs {
        pry(seed, beside, calls, &credentials, &mut tally).await;
    }
    tally
}

#[tokio::test]
async fn agents_get_nothing_of_another_organization_either() {
    let tally = pry_all(share(PAIRS), Beside::Apart, CALLS_PER_PAIR).await;
    assert_eq!((tally.leaks, tally.interferences), (0, 0), "{}", tally.first.as_deref().unwrap_or(""));
    assert!(
        tally.prying > at_least(1_000) && tally.answered > at_least(1_500) && tally.refused > at_least(400),
        "{tally:?}"
    );
}

/// The control: services that do leak to agents are caught, by each of the two checks where it can see it.
#[tokio::test]
async fn services_that_leak_to_agents_are_caught() {
    for (beside, is_marked) in
        [(Beside::Instead, true), (Beside::Merged, true), (Beside::MergedInSilence, false)]
    {
        let tally = pry_all(4, beside, 100).await;
        assert_eq!(tally.leaks > 30, is_marked, "{beside:?}: {} leaks", tally.leaks);
        assert!(tally.interferences > 30, "{beside:?}: {} interferences", tally.interferences);
    }
}
