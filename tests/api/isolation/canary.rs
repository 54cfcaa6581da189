//! Tables in which every string contains a canary, and the search for it in output of the service.

use memchr::memmem;
use serde_json::{Map, Value, json};

use crate::isolation::requests::{BATCH, Sent};
use crate::oracle::{Tables, fold};
use crate::support::Answer;

/// Stands in every string of the tables that nobody else may see, and nowhere else.
pub(crate) const CANARY: &str = "qzxcanary";

/// Prefixes of ids; a mark follows.
const PREFIXES: [&str; 5] = ["org_", "company_", "person_", "user_", "ghost_"];
/// Fields that are read as moments or have a closed set of values; they can carry no mark.
const UNMARKED: [&str; 6] = ["role", "joinedAt", "connectionsSyncedAt", "requestedAt", "discoveredAt", "at"];
/// Tables whose `status` has a closed set of values.
const CLOSED_STATUS: [&str; 2] = ["advocates.ndjson", "ghost_opportunities.ndjson"];
/// Fields whose keys are free and are marked too.
const FREE_FORM: [&str; 3] = ["icpEvaluation", "buyingIntent", "keyInsights"];

/// The tables with `mark` in every string that can carry one: ids, names, keys of free-form objects.
pub(crate) fn marked(tables: &Tables, mark: &str) -> Tables {
    let mark_file = |(name, text): &(String, String)| {
        // The organization is one object over several lines; every other line is an object.
        let rows = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
        let lines = rows.map(|row| format!("{}\n", Value::Object(mark_row(name, row.unwrap(), mark))));
        (name.clone(), lines.collect())
    };
    Tables { files: tables.files.iter().map(mark_file).collect() }
}

fn mark_row(table: &str, row: Map<String, Value>, mark: &str) -> Map<String, Value> {
    let mark_field = |(field, value): (String, Value)| {
        let is_closed = field == "status" && CLOSED_STATUS.contains(&table);
        let value = if is_closed || UNMARKED.contains(&field.as_str()) {
            value
        } else if FREE_FORM.contains(&field.as_str()) {
            mark_value(value, &|key| format!("{mark}{key}"), mark)
        } else if field == "breakdown" {
            mark_value(value, &|key| mark_factor(key, mark), mark)
        } else {
            mark_value(value, &str::to_owned, mark)
        };
        (field, value)
    };
    row.into_iter().map(mark_field).collect()
}

/// One factor must keep its name, for its value is a text.
fn mark_factor(key: &str, mark: &str) -> String {
    if key == "pastCompanyName" { key.to_owned() } else { format!("{mark}{key}") }
}

fn mark_value(value: Value, mark_key: &dyn Fn(&str) -> String, mark: &str) -> Value {
    match value {
        Value::String(text) => Value::String(mark_text(&text, mark)),
        Value::Array(items) => items.into_iter().map(|item| mark_value(item, mark_key, mark)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            fields.map(|(key, value)| (mark_key(&key), mark_value(value, mark_key, mark))).collect()
        }
        other => other,
    }
}

fn mark_text(text: &str, mark: &str) -> String {
    match PREFIXES.iter().find_map(|prefix| Some((prefix, text.strip_prefix(prefix)?))) {
        _ if text.is_empty() => String::new(),
        Some((prefix, rest)) => format!("{prefix}{mark}{rest}"),
        None => format!("{mark}{text}"),
    }
}

/// All strings of the tables, keys left out.
pub(crate) fn strings(tables: &Tables) -> Vec<String> {
    let mut strings = Vec::new();
    for (_, text) in &tables.files {
        let rows = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        rows.for_each(|row| collect_strings(&row.unwrap(), &mut strings));
    }
    strings.retain(|text| !text.is_empty());
    strings.sort();
    strings.dedup();
    strings
}

fn collect_strings(value: &Value, strings: &mut Vec<String>) {
    match value {
        Value::String(text) => strings.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_strings(item, strings)),
        Value::Object(fields) => fields.values().for_each(|value| collect_strings(value, strings)),
        _ => {}
    }
}

/// Whether the canary is in there, in any case.
pub(crate) fn holds_canary(bytes: &[u8]) -> bool {
    memmem::find(&bytes.to_ascii_lowercase(), CANARY.as_bytes()).is_some()
}

/// Whether an answer reveals the canary, other than by repeating to the caller what they sent.
pub(crate) fn leaks(sent: &Sent, answer: &Answer) -> bool {
    let in_headers = answer
        .headers
        .iter()
        .any(|(name, value)| holds_canary(name.as_str().as_bytes()) || holds_canary(value.as_bytes()));
    in_headers
        || (holds_canary(&answer.bytes)
            && !only_echoes(sent, answer)
            && !only_terms(sent, answer)
            && !only_echoes_in_place(sent, answer))
}

/// Whether it is the answer to a network search that holds the canary alone in what was searched for, understood or
/// ignored, and each such word there is one of the query's.
pub(crate) fn only_terms(sent: &Sent, answer: &Answer) -> bool {
    if answer.status != 200 || sent.body.is_none() || sent.endpoint() == BATCH {
        return false;
    }
    let mut body = answer.json();
    let mut said = vec![body.pointer_mut("/meta/searchTerms").map(Value::take).unwrap_or_default()];
    said.extend(body.pointer_mut("/meta/ignored").map(Value::take));
    // The understood terms repeat the words of each term and its corrections.
    for term in body.pointer_mut("/meta/understood").and_then(Value::as_array_mut).into_iter().flatten() {
        said.extend(
            ["term", "readAs"].into_iter().filter_map(|key| term.get_mut(key).map(|it| json!([it.take()]))),
        );
    }
    let query: Value = serde_json::from_str(sent.body.as_deref().unwrap_or("{}")).unwrap();
    let query = fold(query["query"].as_str().unwrap_or(""));
    let texts = said.iter().flat_map(|list| list.as_array().into_iter().flatten());
    let mut words = texts.flat_map(|text| text.as_str().unwrap().split(' '));
    let all_sent = words.all(|word| !holds_canary(word.as_bytes()) || query.contains(word));
    all_sent && !holds_canary(body.to_string().as_bytes())
}

/// Whether the canary is in `sentence` alone as a value that was sent.
pub(crate) fn only_repeats(sent: &Sent, sentence: &str) -> bool {
    const ECHO_CHARS: usize = 100;
    let around = |value: &String| {
        let echo: String = value.chars().take(ECHO_CHARS).collect();
        let (before, after) = sentence.split_once(&format!("was \"{echo}\"; expected "))?;
        Some(format!("{before} {after}"))
    };
    !holds_canary(sentence.as_bytes())
        || sent.values.iter().filter_map(around).any(|around| !holds_canary(around.as_bytes()))
}

/// Whether it is the answer to a batch that holds the canary in values alone that the errors of malformed targets
/// repeat.
pub(crate) fn only_echoes_in_place(sent: &Sent, answer: &Answer) -> bool {
    if answer.status != 200 || sent.endpoint() != BATCH {
        return false;
    }
    let mut body = answer.json();
    let results = body.pointer_mut("/data/results").and_then(Value::as_array_mut);
    let malformed = results.into_iter().flatten().filter(|result| result["code"] == "validation_error");
    let mut sentences = malformed.map(|result| result["error"].take());
    let all_repeat = sentences.all(|sentence| only_repeats(sent, sentence.as_str().unwrap_or(CANARY)));
    all_repeat && !holds_canary(body.to_string().as_bytes())
}

/// Whether it is a validation error that holds the canary in the value it repeats alone.
pub(crate) fn only_echoes(sent: &Sent, answer: &Answer) -> bool {
    let body = answer.json();
    let (Some(sentence), Some("validation_error"), Some(2)) =
        (body["error"].as_str(), body["code"].as_str(), body.as_object().map(Map::len))
    else {
        return false;
    };
    answer.status == 400 && only_repeats(sent, sentence)
}
