//! What an answer takes from the allocator, counted on the thread that answers: where time would say nothing.
//!
//! A batch of twice as many targets is compared with one of as many, so that what a request takes once does not count.

use allocation_counter::measure;
use axum::body::Body;
use axum::http::Request;
use kith::generate::plan::Plan;
use kith::generate::write::write_tables;
use kith::limits::Limits;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

use crate::support::{Credentials, Served, network_of};

const ORGANIZATION: &str = "org_generated";
const PEOPLE: u32 = 3_000;
/// The most allocations for a target that is sent by its id, however many paths lead to it: the paths as they are offered,
/// kept, looked up and written, a set of members, and a share of what grows with the answer.
const MOST: u64 = 6;

/// A network in service, and the ids of its people.
struct Bench {
    runtime: Runtime,
    served: Served,
    key: String,
    ids: Vec<String>,
    _credentials: Credentials,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = Plan::sized(PEOPLE, u64::from(PEOPLE * 20));
        ORGANIZATION.clone_into(&mut plan.organization_id);
        write_tables(&plan, folder.path()).unwrap();
        let network = network_of(folder.path());
        let ids = network.index.data.people.ids.iter().map(str::to_owned).collect();
        let credentials = Credentials::new();
        let key = credentials.key(ORGANIZATION);
        let served = Served::networks([network], &credentials, Limits::DEFAULT);
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        Self { runtime, served, key, ids, _credentials: credentials }
    }

    /// How many allocations the answer to a batch of `targets` takes, and its length in bytes.
    fn allocations(&self, targets: &[String]) -> (u64, usize) {
        let request = Request::post("/api/v1/search/warm-paths/batch")
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
            .body(Body::from(format!("{{\"targets\":[{}]}}", targets.join(","))))
            .unwrap();
        let mut length = 0;
        let taken = measure(|| {
            self.runtime.block_on(async {
                let response = self.served.router.clone().oneshot(request).await.unwrap();
                assert_eq!(response.status(), 200);
                length = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap().len();
            });
        });
        (taken.count_total, length)
    }

    /// The allocations of one more target, written as `written` writes its id; rounded up.
    fn of_one_more(&self, written: impl Fn(&str) -> String) -> u64 {
        let targets: Vec<String> = self.ids.iter().step_by(7).take(400).map(|id| written(id)).collect();
        assert_eq!(targets.len(), 400);
        self.allocations(&targets);
        let ((few, short), (many, long)) = (self.allocations(&targets[..200]), self.allocations(&targets));
        assert!(long - short > 200 * 1_000, "most targets have paths: {short} and {long} bytes");
        (many - few).div_ceil(200)
    }
}

#[test]
fn a_target_of_a_batch_takes_no_memory_for_each_of_its_paths() {
    let bench = Bench::new();
    let plain = bench.of_one_more(|id| format!("{{\"id\":\"{id}\"}}"));
    assert!(plain <= MOST, "{plain} allocations for each target");
    // The control: the same targets, each written so that it is read into texts of its own.
    let escaped = bench.of_one_more(|id| format!("{{\"id\":\"{}\"}}", id.replacen('p', "\\u0070", 1)));
    assert!(escaped > MOST, "{escaped} allocations for each target");
}
