//! Writes the training data of the reader: for each labelled query its items, with their features and their labels.
//!
//! Run as `cargo run --release --example lessons > lessons.ndjson`, in the project's folder. Reads `training/queries`,
//! in which `[kind words]` marks a condition (`!` before the kind: excluded; `<`: in the past), over the networks of
//! `fixtures/judged`, and the halves of the judged queries that engines may be tuned on. Prints one JSON object per
//! line: `{"from", "query", "items": [{"tag", "text", "names", "vector"}]}`. A tag is `O`, or the kind after `B-` or
//! `I-`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use kith_server::live::network::LiveNetwork;
use kith_server::search::parse::learned::{Lesson, lesson};
use kith_server::search::parse::written::written;
use kith_server::snapshot::read::decode;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use serde_json::{Value, json};

/// The networks that queries are read over.
const NETWORKS: [&str; 2] = ["harbourlight", "fernhollow"];
/// The label of a word: the number of its span, and its kind.
type Label = Option<(usize, String)>;

/// A query, and the label of each word.
struct Labelled {
    from: String,
    network: usize,
    query: String,
    words: Vec<Label>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let [one, other] = NETWORKS.map(|name| network(&Path::new("fixtures/judged").join(name)));
    let networks = [one?, other?];
    let mut out = BufWriter::new(std::io::stdout().lock());
    for labelled in labelled()?.into_iter().chain(judged()?) {
        let network = &networks[labelled.network];
        let lesson = lesson(&network.index, &network.search, &labelled.query);
        let places = places(&labelled, &lesson);
        let (mut items, mut last) = (Vec::new(), None);
        for (range, text, features) in &lesson.items {
            let words = range.clone().flat_map(|at| places[at].clone());
            let label = words.filter_map(|word| labelled.words[word].as_ref()).next();
            let tag = match label {
                Some((span, kind)) => format!("{}-{kind}", if last == Some(*span) { "I" } else { "B" }),
                None => "O".to_owned(),
            };
            last = label.map(|(span, _)| *span);
            let vector: Vec<f32> =
                features.vector.0.iter().map(|it| (it * 1000.0).round() / 1000.0).collect();
            items.push(json!({"tag": tag, "text": text, "names": features.names, "vector": vector}));
        }
        writeln!(out, "{}", json!({"from": labelled.from, "query": labelled.query, "items": items}))?;
    }
    Ok(())
}

/// The network of the source tables in `folder`.
fn network(folder: &Path) -> Result<LiveNetwork, Box<dyn Error>> {
    let built = read_folder(folder, &Silent)?;
    let bytes = kith_server::snapshot::encode::encode(&built.dataset)?;
    Ok(LiveNetwork::new(decode(&bytes)?, "lessons"))
}

/// For each word that was read, the words of the query it represents; a number can represent several.
fn places(labelled: &Labelled, lesson: &Lesson) -> Vec<Range<usize>> {
    let words: Vec<String> = written(&labelled.query).into_iter().map(|it| it.word).collect();
    let mut at = 0;
    let place = |word: &String| {
        let number = word.strip_prefix("0number").and_then(|number| number.parse::<usize>().ok());
        let said = match number.and_then(|number| lesson.numbers.get(number)) {
            Some(number) => written(number).into_iter().map(|it| it.word).collect(),
            None => vec![word.clone()],
        };
        let found = (at..words.len()).find(|&from| words[from..].starts_with(&said));
        let range = found.map_or(at..at, |from| from..from + said.len());
        at = range.end;
        range
    };
    lesson.words.iter().map(place).collect()
}

/// The queries of `training/queries`.
fn labelled() -> Result<Vec<Labelled>, Box<dyn Error>> {
    let mut all = Vec::new();
    for path in files(Path::new("training/queries"), "txt")? {
        let from = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (number, line) in
            fs::read_to_string(&path)?.lines().filter(|line| !line.trim().is_empty()).enumerate()
        {
            let (mut query, mut words, mut span) = (String::new(), Vec::new(), 0);
            let mut rest = line.trim();
            while !rest.is_empty() {
                let (plain, marked) = rest.split_once('[').unwrap_or((rest, ""));
                let (marked, behind) = marked.split_once(']').unwrap_or((marked, ""));
                query.push_str(plain);
                words.resize(written(&query).len(), None);
                if let Some((kind, said)) = marked.split_once(' ') {
                    span += 1;
                    query.push_str(said);
                    let kind = kind.trim_start_matches(['!', '<']).to_owned();
                    words.resize(written(&query).len(), Some((span, kind)));
                }
                rest = behind;
            }
            words.resize(written(&query).len(), None);
            all.push(Labelled { from: from.clone(), network: number % 2, query, words });
        }
    }
    Ok(all)
}

/// The halves of the judged queries that engines may be tuned on, with their fields found among their words.
fn judged() -> Result<Vec<Labelled>, Box<dyn Error>> {
    let folder = Path::new("tests/api/judged");
    let mut paths = vec![folder.join("queries.ndjson"), folder.join("unseen.ndjson")];
    paths.extend(files(&folder.join("queries"), "ndjson")?);
    paths.extend(["1", "2", "3", "4"].map(|set| folder.join(format!("later/{set}.ndjson"))));
    let mut all = Vec::new();
    for path in paths {
        for line in fs::read_to_string(path)?.lines() {
            let row: Value = serde_json::from_str(line)?;
            if row["split"] != "tune" {
                continue;
            }
            let query = row["query"].as_str().unwrap_or_default().to_owned();
            let said: Vec<String> = written(&query).into_iter().map(|it| it.word).collect();
            let mut words = vec![None; said.len()];
            let fields = [&row["fields"], &row["other"]].into_iter().filter_map(Value::as_array).flatten();
            let mut is_whole = true;
            for (span, field) in fields.enumerate() {
                let text: Vec<String> = written(field["text"].as_str().unwrap_or_default())
                    .into_iter()
                    .map(|it| it.word)
                    .collect();
                let kind = match field["kind"].as_str().unwrap_or_default() {
                    "order" => "connections",
                    kind => kind,
                };
                let is_here = |&from: &usize| said[from..].starts_with(&text) && words[from].is_none();
                match (0..said.len()).find(is_here).filter(|_| !text.is_empty()) {
                    Some(from) => words[from..from + text.len()].fill(Some((span, kind.to_owned()))),
                    None => is_whole = false,
                }
            }
            let network = usize::from(row["network"] == NETWORKS[1]);
            if is_whole {
                all.push(Labelled { from: "judged".to_owned(), network, query, words });
            }
        }
    }
    Ok(all)
}

/// The files of a folder whose names end with `end`, sorted.
fn files(folder: &Path, end: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == end) {
            found.insert(path.clone(), path);
        }
    }
    Ok(found.into_values().collect())
}
