//! Reloads under load: every answer is complete, and from the one generation it names.
//!
//! Promise: No answer fails or mixes generations while networks are reloaded.
//! Control: a handler that loads the networks twice.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderValue, Request};
use axum::response::IntoResponse;
use axum::routing::get;
use kith_server::api::layers::GENERATION;
use kith_server::live::gate::Gate;
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::reload::Reloader;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::program::build_tiny;
use crate::support::{Credentials, Served, scale};

/// The requests, in turn: rows, paths, connectors, counts and searches.
const PATHS: [&str; 7] = [
    "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss",
    "/api/v1/search/warm-paths?prospectCompany=lanternworks",
    "/api/v1/search/people?q=an",
    "/api/v1/search/companies?q=a",
    "/api/v1/people/person_ana",
    "/api/v1/people/network?personId=person_ana",
    "/api/v1/ghost/opportunities",
];

/// Two snapshots of one organization, in which every name and every company says which of the two it is of.
struct Variants {
    folder: TempDir,
    live: Arc<LiveNetworks>,
    reloader: Arc<Reloader>,
    served: Served,
    key: String,
    _credentials: Mutex<Credentials>,
}

impl Variants {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("live")).unwrap();
        for (number, mark) in ["Even ", "Odd "].into_iter().enumerate() {
            let name = format!("\"name\":\"{mark}");
            build_tiny(&folder.path().join(number.to_string()), &[("\"name\":\"", &name)]);
        }
        let credentials = Credentials::new();
        let key = credentials.key("org_tiny");
        let live = Arc::new(LiveNetworks::new(Networks::default()));
        let reloader = Reloader::new(folder.path().join("live"), Arc::clone(&live)).unwrap();
        let served = Served::live(Gate::keeping_to_list(Arc::clone(&reloader)), &credentials);
        let variants = Self { folder, live, reloader, served, key, _credentials: Mutex::new(credentials) };
        tokio::task::block_in_place(|| variants.reload_once());
        variants
    }

    fn live_file(&self) -> PathBuf {
        self.folder.path().join("live/tiny.kith")
    }

    /// Puts the variant in service that the next generation's number says.
    fn reload_once(&self) {
        let next = self.live.pin().generation + 1;
        let beside = self.folder.path().join("beside");
        std::fs::copy(self.folder.path().join((next % 2).to_string()), &beside).unwrap();
        std::fs::rename(&beside, self.live_file()).unwrap();
        self.reloader.reload().wait().unwrap();
        assert_eq!(self.live.pin().generation, next);
    }

    /// The answer for each path, by whether the generation is odd.
    async fn expected(&self) -> BTreeMap<(bool, &'static str), Vec<u8>> {
        let mut expected = BTreeMap::new();
        for _ in 0..2 {
            for path in PATHS {
                let (generation, body) = ask(&self.served.router, path, &self.key).await;
                expected.insert((generation % 2 == 1, path), body);
            }
            tokio::task::block_in_place(|| self.reload_once());
        }
        expected
    }
}

/// The generation and the body of an answer, which must be a good one.
async fn ask(router: &Router, path: &str, key: &str) -> (u64, Vec<u8>) {
    let request = Request::builder().uri(path).header("authorization", format!("Bearer {key}"));
    let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    let generation = response.headers()[GENERATION].to_str().unwrap().parse().unwrap();
    (generation, to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec())
}

/// Asks from several tasks while the networks are reloaded, until there were so many of both, or an answer was not wholly of
/// the generation it said. Returns how many answers there were, and how many were such.
async fn storm(variants: &Arc<Variants>, router: &Router, reloads: u64, answers: u64) -> (u64, u64) {
    let expected = Arc::new(variants.expected().await);
    let (answered, mixed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let over = Arc::new(AtomicBool::new(false));
    let asking: Vec<_> = (0..4)
        .map(|_| {
            let (variants, router, expected) = (Arc::clone(variants), router.clone(), Arc::clone(&expected));
            let (answered, mixed, over) = (Arc::clone(&answered), Arc::clone(&mixed), Arc::clone(&over));
            tokio::spawn(async move {
                while !over.load(Ordering::Relaxed) {
                    for path in PATHS {
                        let (generation, body) = ask(&router, path, &variants.key).await;
                        answered.fetch_add(1, Ordering::Relaxed);
                        let is_whole = expected[&(generation % 2 == 1, path)] == body;
                        mixed.fetch_add(u64::from(!is_whole), Ordering::Relaxed);
                    }
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    let reloading = Arc::clone(variants);
    let (seen, found) = (Arc::clone(&answered), Arc::clone(&mixed));
    tokio::task::spawn_blocking(move || {
        let mut done = 0;
        while (done < reloads || seen.load(Ordering::Relaxed) < answers) && found.load(Ordering::Relaxed) == 0
        {
            reloading.reload_once();
            done += 1;
            // As many answers between two reloads as it takes for both counts to be reached together.
            let due = answers * done / reloads;
            while done < reloads && seen.load(Ordering::Relaxed) < due {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        println!("{done} reloads");
    })
    .await
    .unwrap();
    over.store(true, Ordering::Relaxed);
    for task in asking {
        task.await.unwrap();
    }
    (answered.load(Ordering::Relaxed), mixed.load(Ordering::Relaxed))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_fails_or_mixes_generations_while_networks_are_reloaded() {
    let variants = Arc::new(Variants::new());
    let began = Instant::now();
    let router = variants.served.router.clone();
    let (answers, mixed) =
        storm(&variants, &router, scale::of(30, 1_000), scale::of(10_000, 5_000_000)).await;
    println!("{answers} answers in {:.1} s, 0 failed, {mixed} mixed", began.elapsed().as_secs_f64());
    assert_eq!(mixed, 0);
}

/// A handler that loads the networks twice: once for what it says its generation is, once for the answer.
async fn load_twice(State(variants): State<Arc<Variants>>, request: Request<Body>) -> impl IntoResponse {
    let generation = variants.live.pin().generation;
    tokio::task::yield_now().await;
    let mut response = variants.served.router.clone().oneshot(request).await.unwrap();
    response.headers_mut().insert(GENERATION, HeaderValue::from(generation));
    response
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_loads_the_networks_twice_is_caught() {
    let variants = Arc::new(Variants::new());
    let router = Router::new().fallback(get(load_twice)).with_state(Arc::clone(&variants));
    let (answers, mixed) = storm(&variants, &router, scale::of(300, 1_000), scale::of(10_000, 500_000)).await;
    println!("control: {answers} answers, {mixed} mixed");
    assert!(mixed > 0, "the check would not see a mixed answer");
}
