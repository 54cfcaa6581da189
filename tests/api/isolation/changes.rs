//! Changes of one organization while another makes requests: no trace of them is in an answer or its headers.
//!
//! Promise: An organization's answers do not depend on what happens to others: reloads, suppressions, files that go.
//! Control: a reload of its own is seen.

use std::fs;

use kith_server::live::networks::Networks;
use kith_server::live::predecessor::Keep;
use kith_server::live::report::Outcome;
use kith_server::model::dataset::Dataset;
use kith_server::suppress::entry::EntryKind;

use crate::support::{Answer, Credentials, Served};
use crate::suppression::site::{Site, built, fixture};

const PATHS: [&str; 6] = [
    "/api/v1/search/people?q=e&limit=50",
    "/api/v1/search/companies?q=a",
    "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss",
    "/api/v1/ghost/opportunities",
    "/api/v1/people/person_nobody",
    "/api/v1/changes?since=1",
];

fn tiny_of(organization: &str, name: &str) -> Dataset {
    let mut dataset = built(&fixture("fixtures/tiny"));
    organization.clone_into(&mut dataset.organization.id);
    name.clone_into(&mut dataset.organization.name);
    dataset
}

/// Everything an organization sees: every answer except the request's id and the time.
async fn seen(served: &Served, key: &str) -> Vec<(Vec<(String, String)>, Answer)> {
    let mut answers = Vec::new();
    for path in PATHS {
        let answer = served.get(path, key).await;
        let headers = answer
            .headers
            .iter()
            .filter(|(name, _)| !["service-request-id", "date"].contains(&name.as_str()));
        let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
        answers.push((headers.collect(), answer));
    }
    answers
}

fn generation(answer: &Answer) -> &str {
    answer.headers["service-generation"].to_str().unwrap()
}

#[tokio::test]
async fn what_happens_to_one_organization_changes_no_byte_and_no_header_of_another() {
    let folder = Site::folder(&[&tiny_of("org_a", "one"), &tiny_of("org_b", "one")]);
    let site = Site::open_keeping(folder, Networks::default(), Keep::OneBefore);
    let credentials = Credentials::new();
    let (own, foreign) = (credentials.key("org_a"), credentials.key("org_b"));
    let served = site.served(&credentials);
    let first = seen(&served, &own).await;
    let own_first = generation(&first[0].1).to_owned();
    assert!(first.iter().all(|(_, answer)| generation(answer) == own_first));
    let same = async |after: &str| {
        for ((headers, answer), (headers_first, answer_first)) in seen(&served, &own).await.iter().zip(&first)
        {
            assert_eq!((answer.status, headers), (answer_first.status, headers_first), "after {after}");
            assert!(answer.bytes == answer_first.bytes, "after {after}");
        }
    };
    let foreign_generation = async || generation(&served.get(PATHS[0], &foreign).await).to_owned();
    let one = foreign_generation().await;

    site.put(&tiny_of("org_b", "two"));
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Loaded]);
    let two = foreign_generation().await;
    assert!(two != one && two != own_first, "each organization's own");
    same("a reload").await;
    let pia = [(EntryKind::LinkedinId, "pia-weiss".to_owned())];
    site.add("org_b", &pia);
    let without_pia = foreign_generation().await;
    assert!(![&one, &two].contains(&&without_pia));
    same("a suppression").await;
    site.remove("org_b", &pia);
    assert_eq!(foreign_generation().await, two, "the same network again");
    same("one taken back").await;
    site.add("org_b", &[(EntryKind::LinkedinId, "nobody-at-all".to_owned())]);
    assert_eq!(foreign_generation().await, two);
    same("a suppression of nobody").await;
    fs::remove_file(site.folder.path().join("org_b.kith")).unwrap();
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Unloaded]);
    assert_eq!(served.get(PATHS[0], &foreign).await.status.as_u16(), 503);
    same("an unloading").await;
    site.put(&tiny_of("org_b", "two"));
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Loaded]);
    assert_eq!(foreign_generation().await, two);
    same("a loading").await;

    // The control: its own reload is seen by the same comparison.
    site.put(&tiny_of("org_a", "two"));
    assert_eq!(site.reload(), [Outcome::Loaded, Outcome::Unchanged]);
    let after = seen(&served, &own).await;
    assert!(after.iter().zip(&first).all(|((now, _), (before, _))| now != before));
    assert_ne!(generation(&after[0].1), own_first);
}
