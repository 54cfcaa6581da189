//! Allocations of an answer, counted on the thread that answers, since time would show nothing.
//!
//! A batch is compared with one of twice as many targets, so that the fixed cost of a request does not count.
//! `docs/measured/performance.md` lists the allocations of one request of each endpoint, and no request makes more.
//!
//! Promise: A target of a batch takes no memory for each of its paths.
//! Control: one allocation less is too few.
//!
//! Promise: No request takes more allocations than `docs/measured/performance.md` says of its endpoint.
//! Control: one allocation less is too few for each endpoint.

use allocation_counter::measure;
use axum::body::Body;
use axum::http::Request;
use kith::limits::Limits;
use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::api::endpoints::ROUTES;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

use crate::support::{Credentials, Served, network_of, project};

const ORGANIZATION: &str = "org_generated";
const PEOPLE: u32 = 3_000;
/// The most allocations for a target that is sent by its id, however many paths lead to it: its parts, the paths as they are
/// offered, kept, looked up and written, a set of members, and a share of what grows with the answer.
const MOST: u64 = 15;

/// A network in service, and the ids of its people.
struct Bench {
    runtime: Runtime,
    served: Served,
    key: String,
    /// A token of a member.
    token: String,
    ids: Vec<String>,
    /// The id of a person whom a member knows.
    inside: String,
    _credentials: Credentials,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = Plan::sized(PEOPLE, u64::from(PEOPLE * 20));
        ORGANIZATION.clone_into(&mut plan.organization_id);
        write_tables(&plan, folder.path()).unwrap();
        let network = network_of(folder.path());
        let inside = network.index.data.people.ids.get(network.index.inside.first_degree[0].0).to_owned();
        let ids = network.index.data.people.ids.iter().map(str::to_owned).collect();
        let credentials = Credentials::new();
        let key = credentials.key(ORGANIZATION);
        let token = credentials.token(ORGANIZATION, network.index.data.members.user_ids.get(0));
        let served = Served::networks([network], &credentials, Limits::DEFAULT);
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        Self { runtime, served, key, token, ids, inside, _credentials: credentials }
    }

    /// How many allocations the answer to `request` takes, with a header of the answer and the answer's length in bytes.
    fn answered(&self, request: Request<Body>) -> (u64, Option<String>, usize) {
        let (mut header, mut length) = (None, 0);
        let taken = measure(|| {
            self.runtime.block_on(async {
                let response = self.served.router.clone().oneshot(request).await.unwrap();
                assert_eq!(response.status(), 200);
                allocation_counter::opt_out(|| {
                    let value = response.headers().get("service-generation");
                    header = value.map(|value| value.to_str().unwrap().to_owned());
                });
                length = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap().len();
            });
        });
        (taken.count_total, header, length)
    }

    /// How many allocations the answer to a batch of `targets` takes, and its length in bytes.
    fn allocations(&self, targets: &[String]) -> (u64, usize) {
        let body = format!("{{\"targets\":[{}]}}", targets.join(","));
        let (taken, _, length) = self.answered(post("/api/v1/search/warm-paths/batch", &self.key, body));
        (taken, length)
    }

    /// One request to the endpoint with this operation id.
    fn request(&self, operation: &str) -> Request<Body> {
        let (key, person) = (&self.key, &self.ids[7]);
        let of_member = |path: &str| get(path, &self.token);
        match operation {
            "searchWarmPaths" => get(&format!("search/warm-paths?prospectId={person}"), key),
            "searchWarmPathsBatch" => {
                let body = format!("{{\"targets\":[{{\"id\":\"{person}\"}}]}}");
                post("/api/v1/search/warm-paths/batch", key, body)
            }
            "searchNetwork" => post("/api/v1/search/network", key, "{\"query\":\"engineers\"}".to_owned()),
            "searchPeople" => get("search/people?q=an", key),
            "getPerson" => get(&format!("people/{}", self.inside), key),
            "getPeopleNetwork" => get(&format!("people/network?personId={}", self.inside), key),
            "searchCompanies" => get("search/companies?q=er", key),
            "listConnections" => of_member("connections"),
            "listSecondDegreeConnections" => of_member("connections/second-degree"),
            "listGhostOpportunities" => get("ghost/opportunities", key),
            "listChanges" => {
                let (_, generation, _) = self.answered(get("search/companies?q=er", key));
                get(&format!("changes?since={}", generation.unwrap()), key)
            }
            "listMembers" => get("members", key),
            "getMe" => of_member("me"),
            other => panic!("{other} has no request here"),
        }
    }

    /// The fewest allocations of some requests to the endpoint: what a thread sets up once does not count.
    fn of_one_request(&self, operation: &str) -> u64 {
        let taken = (0..5).map(|_| self.answered(self.request(operation)).0);
        taken.min().unwrap()
    }

    /// The allocations of one more target, rounded up.
    fn of_one_more(&self) -> u64 {
        let ids = self.ids.iter().step_by(7).take(400);
        let targets: Vec<String> = ids.map(|id| format!("{{\"id\":\"{id}\"}}")).collect();
        assert_eq!(targets.len(), 400);
        self.allocations(&targets);
        let ((few, short), (many, long)) = (self.allocations(&targets[..200]), self.allocations(&targets));
        assert!(long - short > 200 * 1_000, "most targets have paths: {short} and {long} bytes");
        (many - few).div_ceil(200)
    }
}

fn get(path: &str, credential: &str) -> Request<Body> {
    let request = Request::get(format!("/api/v1/{path}"));
    request.header("authorization", format!("Bearer {credential}")).body(Body::empty()).unwrap()
}

fn post(path: &str, credential: &str, body: String) -> Request<Body> {
    Request::post(path)
        .header("authorization", format!("Bearer {credential}"))
        .header("content-type", "application/json")
        .body(Body::from(body))
        .unwrap()
}

/// The figures of the documentation: rows of operation and allocations.
fn documented() -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(project("docs/measured/performance.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with("Allocations")).unwrap();
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split('|').map(str::trim);
        let operation = cells.next()?.trim_end_matches('`').to_owned();
        Some((operation, cells.next()?.parse().ok()?))
    };
    section.lines().filter_map(row).collect()
}

#[test]
fn no_request_takes_more_allocations_than_documented() {
    let (bench, documented) = (Bench::new(), documented());
    let operations: Vec<&str> = documented.iter().map(|(operation, _)| operation.as_str()).collect();
    assert_eq!(operations, ROUTES.map(|route| route.id));
    let taken = documented.iter().map(|(operation, _)| (operation.clone(), bench.of_one_request(operation)));
    let taken: Vec<(String, u64)> = taken.collect();
    let above = |figures: &[(String, u64)]| -> Vec<String> {
        let rows = taken.iter().zip(figures).filter(|((_, taken), (_, figure))| taken > figure);
        rows.map(|((operation, taken), _)| format!("{operation} {taken}")).collect()
    };
    assert_eq!(above(&documented), [""; 0], "all: {taken:?}");
    // The control: one allocation less is too few for each of them.
    let fewer: Vec<_> = taken.iter().map(|(operation, taken)| (operation.clone(), taken - 1)).collect();
    assert_eq!(above(&fewer).len(), ROUTES.len());
}

#[test]
fn a_target_of_a_batch_takes_no_memory_for_each_of_its_paths() {
    let bench = Bench::new();
    let taken = bench.of_one_more();
    assert!(taken <= MOST, "{taken} allocations for each target");
    // The control: one allocation less is too few.
    assert!(taken > MOST - 1, "{taken} allocations for each target");
}
