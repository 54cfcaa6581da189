//! The engine that answers: the requested one, the next one available, or none; and its name in the answer.
//!
//! Promise: A relational store that was damaged in service is taken up again once it was replaced.
//! Control: until then the engine is out of service.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kith::limits::Limits;
use kith_server::live::gate::Gate;
use kith_server::live::network::LiveNetwork;
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::reload::Reloader;
use kith_server::live::report::Outcome;
use kith_server::relational::{pair, path_beside};
use kith_server::search::engine::{Engine, Engines};
use kith_server::snapshot::read::load;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use serde_json::{Value, json};

use crate::support::{Credentials, Served, project, stored};

const ORGANIZATION: &str = "org_tiny";
const MODES: [(&str, &str); 3] =
    [("vector", "graph-vector"), ("graph", "graph-keyword"), ("relational", "relational")];

/// The tiny network with its store, in `place`.
fn tiny(place: &Path) -> LiveNetwork {
    stored(&project("fixtures/tiny"), place)
}

/// The status and the answer of a search on `network` with these engines in service.
async fn ask(network: LiveNetwork, engines: Engines, mode: &str) -> (u16, Value) {
    let credentials = Credentials::new();
    let key = credentials.key(ORGANIZATION);
    let served = Served::with_engines([network], &credentials, Limits::DEFAULT, engines);
    let body = json!({ "query": "anybody", "mode": mode });
    let answer = served.post("/api/v1/search/network", &key, &body).await;
    (answer.status.as_u16(), answer.json())
}

/// Checks what each mode does if only `able` can answer, and `engines` are in service.
async fn check(network: impl Fn() -> LiveNetwork, engines: Engines, able: &[&str]) {
    for (mode, backend) in MODES {
        let (status, answer) = ask(network(), engines, mode).await;
        if able.contains(&mode) {
            assert_eq!((status, &answer["meta"]["backend"]), (200, &json!(backend)), "{mode}: {answer}");
            assert!(answer["meta"].get("fallback").is_none(), "{mode}: {answer}");
        } else {
            assert_eq!((status, &answer["code"]), (400, &json!("validation_error")), "{mode}: {answer}");
            assert!(answer["error"].as_str().unwrap().contains("mode"), "{mode}: {answer}");
        }
    }
    let (status, answer) = ask(network(), engines, "auto").await;
    let first = MODES.iter().find(|(mode, _)| able.contains(mode));
    let Some((mode, backend)) = first else {
        assert_eq!((status, &answer["code"]), (503, &json!("unavailable")), "{answer}");
        return;
    };
    assert_eq!((status, &answer["meta"]["backend"]), (200, &json!(backend)), "{answer}");
    let fallback = answer["meta"].get("fallback");
    assert_eq!(fallback.is_some(), *mode != "vector", "{answer}");
    if let Some(fallback) = fallback {
        assert_eq!(fallback["from"], "graph-vector", "{answer}");
        assert!(!fallback["reason"].as_str().unwrap().is_empty(), "{answer}");
    }
}

#[tokio::test]
async fn an_engine_left_out_of_service_cannot_be_asked_and_auto_goes_on_to_the_next() {
    let place = tempfile::tempdir().unwrap();
    for left_in in 0..8_usize {
        let in_service: Vec<Engine> =
            Engine::ALL.into_iter().filter(|&engine| left_in >> (engine as usize) & 1 == 1).collect();
        let able: Vec<&str> = in_service.iter().map(|engine| engine.mode()).collect();
        check(|| tiny(place.path()), in_service.iter().copied().collect(), &able).await;
    }
}

#[tokio::test]
async fn a_snapshot_without_its_own_store_has_no_relational_engine() {
    let place = tempfile::tempdir().unwrap();
    let snapshot = place.path().join("org_tiny.kith");
    let other = tempfile::tempdir().unwrap();
    drop(stored(&project("fixtures/demo/fernhollow"), other.path()));
    let foreign = path_beside(&other.path().join("org_fernhollow.kith"));
    for (what, spoil) in [
        ("missing", None),
        ("another snapshot's", Some(fs::read(foreign).unwrap())),
        ("no store at all", Some(b"not a database".to_vec())),
    ] {
        let open = || {
            drop(tiny(place.path()));
            fs::remove_file(path_beside(&snapshot)).unwrap();
            if let Some(bytes) = &spoil {
                fs::write(path_beside(&snapshot), bytes).unwrap();
            }
            LiveNetwork::open(load(&snapshot).unwrap(), &snapshot)
        };
        assert!(open().store.is_err(), "{what}");
        check(open, Engines::ALL, &["vector", "graph"]).await;
    }
}

#[tokio::test]
async fn vectors_of_another_model_are_not_compared_with() {
    let mut dataset = read_folder(&project("fixtures/tiny"), &Silent).unwrap().dataset;
    dataset.vectors.model = [7; 32];
    let place = tempfile::tempdir().unwrap();
    let snapshot = place.path().join("org_tiny.kith");
    pair::write(&snapshot, &dataset).unwrap();
    let open = || LiveNetwork::open(load(&snapshot).unwrap(), &snapshot);
    check(open, Engines::ALL, &["graph", "relational"]).await;
}

#[test]
fn a_store_that_comes_after_its_snapshot_is_taken_up_by_the_next_reload() {
    let place = tempfile::tempdir().unwrap();
    let snapshot = place.path().join("org_tiny.kith");
    drop(tiny(place.path()));
    let store = fs::read(path_beside(&snapshot)).unwrap();
    fs::remove_file(path_beside(&snapshot)).unwrap();
    let live = Arc::new(LiveNetworks::new(Networks::default()));
    let reloader = Reloader::new(place.path().to_owned(), Arc::clone(&live)).unwrap();
    let outcome = || reloader.reload().wait().unwrap().files[0].outcome.clone();
    let has_store = || live.pin().network_of(ORGANIZATION).unwrap().store.is_ok();

    assert!(matches!(outcome(), Outcome::Loaded) && !has_store());
    assert!(matches!(outcome(), Outcome::Unchanged) && !has_store());
    fs::write(path_beside(&snapshot), store).unwrap();
    assert!(matches!(outcome(), Outcome::Loaded) && has_store());
    assert!(matches!(outcome(), Outcome::Unchanged) && has_store());
}

/// Random bytes over the file in service, then the sound one again: by a new file, in place, and by a build.
/// The control is the look before the sound one is back: until then the engine is out of service.
#[tokio::test]
async fn a_store_that_was_damaged_in_service_is_taken_up_again_by_the_reload_after_it_was_replaced() {
    let place = tempfile::tempdir().unwrap();
    let snapshot = place.path().join("org_tiny.kith");
    drop(tiny(place.path()));
    let path = path_beside(&snapshot);
    let sound = fs::read(&path).unwrap();
    let live = Arc::new(LiveNetworks::new(Networks::default()));
    let reloader = Reloader::new(place.path().to_owned(), Arc::clone(&live)).unwrap();
    let reload = || {
        let asked = reloader.reload();
        let report = std::thread::spawn(|| asked.wait()).join().unwrap().unwrap();
        (report.files[0].outcome.clone(), report.files[0].store_fault.clone())
    };
    let credentials = Credentials::new();
    let key = credentials.key(ORGANIZATION);
    let served = Served::live(Gate::keeping_to_list(Arc::clone(&reloader)), &credentials);
    let ask = async || {
        let body = json!({ "query": "founders", "mode": "relational" });
        served.post("/api/v1/search/network", &key, &body).await.status.as_u16()
    };
    assert_eq!((reload(), ask().await), ((Outcome::Loaded, None), 200));
    let beside = place.path().join("beside");
    let repairs: [(&str, &dyn Fn()); 3] = [
        ("a new file", &|| {
            fs::write(&beside, &sound).unwrap();
            fs::rename(&beside, &path).unwrap();
        }),
        ("in place", &|| fs::write(&path, &sound).unwrap()),
        ("a build", &|| drop(tiny(place.path()))),
    ];
    for (round, (how, repair)) in repairs.iter().enumerate() {
        fs::write(&path, vec![0x5a; sound.len()]).unwrap();
        // A connection may have kept the pages of what it was asked before.
        let body = json!({ "query": format!("engineers in zurich {round}"), "mode": "relational" });
        assert_eq!(served.post("/api/v1/search/network", &key, &body).await.status.as_u16(), 400, "{how}");
        let (outcome, fault) = reload();
        assert_eq!(outcome, Outcome::Unchanged, "{how}");
        assert!(fault.is_some_and(|fault| fault.to_string().contains("not a relational store")), "{how}");
        repair();
        assert_eq!((reload(), ask().await), ((Outcome::Loaded, None), 200), "{how}");
        assert_eq!(reload(), (Outcome::Unchanged, None), "{how}");
    }
    let (networks, status) = (live.pin(), reloader.status());
    let metrics = String::from_utf8(served.state.metrics.write(&networks, &status).unwrap()).unwrap();
    // A working store stays in service if the same tables are built again.
    drop(tiny(place.path()));
    assert_eq!((reload(), ask().await), ((Outcome::Unchanged, None), 200));
    let counted = "kith_search_fallbacks_total{engine=\"relational\",reason=\"store_failed\"} 3\n";
    assert!(metrics.contains(counted), "{metrics}");
    fs::remove_file(&path).unwrap();
    assert!(reload().1.is_some_and(|fault| fault.to_string().contains("there is no relational store")));
}
