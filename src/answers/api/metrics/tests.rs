//! Concurrent scrapes, and their values.
//!
//! Promise: Every series is in the table of `docs/monitoring.md`, and the table has no other.
//! Control: a page that lacks one, and one that misspells it.
//!
//! Promise: Scrapes at the same time each have every series.
//! Control: the same scrapes without turns.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use super::*;
use crate::ask_file::store::WrittenCounts;
use crate::auth::jwt::KeyOrigin;
use crate::language_model::failure::DraftFailure;
use crate::language_model::settings::ProviderSettings;
use crate::live::networks::LiveNetworks;
use crate::live::reload::Reloader;
use crate::search::conditions::Draft;

const THREADS: usize = 8;
const SCRAPES: usize = 200;

/// The names and labels of all series in a scrape.
fn series(text: &[u8]) -> BTreeSet<String> {
    let lines = std::str::from_utf8(text).unwrap().lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned())).collect()
}

/// Counts concurrent scrapes with a missing series or a doubled counter.
fn spoilt(scrape: impl Fn() -> Vec<u8> + Sync) -> usize {
    let all = series(&scrape());
    assert!(all.contains("kith_network_people{organization=\"org_tiny\"}"));
    assert!(all.contains("kith_network_data_timestamp_seconds{organization=\"org_tiny\"}"));
    assert!(all.iter().any(|series| series.starts_with("kith_build_info{model=\"m\",snapshot_format=\"1\"")));
    let spoilt = AtomicUsize::new(0);
    std::thread::scope(|threads| {
        for _ in 0..THREADS {
            threads.spawn(|| {
                for _ in 0..SCRAPES {
                    let text = scrape();
                    let is_counted = text.windows(COUNTED.len()).any(|window| window == COUNTED);
                    if series(&text) != all || !is_counted {
                        spoilt.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    spoilt.into_inner()
}

const COUNTED: &[u8] = b"kith_reloads_total{result=\"read\"} 7\n";

/// Metrics over two of the project's snapshots.
fn of_two_networks() -> Result<(Metrics, Arc<LiveNetworks>), Box<dyn Error>> {
    let metrics = Metrics::new()?;
    metrics.describe_build("m", 1);
    let folder = tempfile::tempdir()?;
    for file in ["tiny.kith", "fernhollow.kith"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(file);
        std::fs::copy(from, folder.path().join(file))?;
    }
    let live = Arc::new(LiveNetworks::new(Networks::default()));
    Reloader::new(folder.path().to_owned(), Arc::clone(&live))?.reload().wait()?;
    Ok((metrics, live))
}

#[test]
fn scrapes_at_the_same_time_each_have_every_series() -> Result<(), Box<dyn Error>> {
    let (metrics, live) = of_two_networks()?;
    let (networks, status) = (live.pin(), Status { reloads: 7, ..Status::default() });
    assert_eq!(spoilt(|| metrics.write(&networks, &status).unwrap()), 0);
    Ok(())
}

/// The control: without taking turns, repeated until two scrapes meet.
#[test]
fn scrapes_that_take_no_turns_are_caught() -> Result<(), Box<dyn Error>> {
    let (metrics, live) = of_two_networks()?;
    let (networks, status) = (live.pin(), Status { reloads: 7, ..Status::default() });
    assert!((0..100).any(|_| spoilt(|| metrics.write_alone(&networks, &status).unwrap()) > 0));
    Ok(())
}

/// The values that operators should see, with a failing provider and outdated keys.
#[test]
fn provider_credentials_and_sheds_are_reported_by_outcome_and_cause() -> Result<(), Box<dyn Error>> {
    let (metrics, live) = of_two_networks()?;
    let networks = live.pin();
    let scrape = || String::from_utf8(metrics.write(&networks, &Status::default()).unwrap()).unwrap();
    metrics.set_provider(&LanguageModel::new(None)?, &networks);
    metrics.set_credentials(true, None, &[]);
    let text = scrape();
    for name in ["kith_provider_", "kith_jwks_", "kith_jwts_", "kith_tls_", "kith_memory_limit"] {
        let said = text.lines().find(|line| line.starts_with(name));
        assert_eq!(said, None, "there is no provider and no issuer");
    }
    let settings = ProviderSettings::new("http://127.0.0.1:9/v1", "m", None, 1)?;
    metrics.set_provider(&LanguageModel::new(Some(&settings))?, &networks);
    let waited = Some(Duration::from_millis(150));
    metrics.asked_provider(&DraftOutcome { draft: Err(DraftFailure::Late), waited });
    metrics.asked_provider(&DraftOutcome { draft: Ok(Draft::default()), waited: None });
    metrics.shed(Shed::Wait);
    metrics.connection_refused();
    let age = Some(Duration::from_secs(90_000));
    let read_at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(1_700_000_000));
    let keys = KeysStatus { source: KeyOrigin::Url, keys: 0, age, read_at, is_too_old: true };
    metrics.set_credentials(false, Some(&keys), &[(Refusal::Audience, 3)]);
    metrics.set_certificate_end(Some(1_800_000_000));
    metrics.set_memory_limit(Some(1 << 30));
    let text = scrape();
    for line in [
        "kith_jwts_refused_total{reason=\"audience\"} 3",
        "kith_tls_certificate_expiry_timestamp_seconds 1800000000",
        "kith_memory_limit_bytes 1073741824",
        "kith_provider_queries_total{outcome=\"late\"} 1",
        "kith_provider_queries_total{outcome=\"remembered\"} 1",
        "kith_provider_queries_total{outcome=\"answered\"} 0",
        "kith_provider_queries_total{outcome=\"left_alone\"} 0",
        "kith_provider_request_duration_seconds_bucket{le=\"0.1\"} 0",
        "kith_provider_request_duration_seconds_bucket{le=\"0.2\"} 1",
        "kith_provider_request_duration_seconds_count 1",
        "kith_provider_requests_in_flight 0",
        "kith_provider_requests_max 64",
        "kith_provider_breaker_open{organization=\"org_tiny\"} 0",
        "kith_sheds_total{cause=\"queue\"} 0",
        "kith_sheds_total{cause=\"wait\"} 1",
        "kith_sheds_total{cause=\"connections\"} 1",
        "kith_connections_refused_total 1",
        "kith_credential_store_usable 0",
        "kith_jwks_keys{source=\"url\"} 0",
        "kith_jwks_age_seconds{source=\"url\"} 90000",
        "kith_jwks_last_success_timestamp_seconds{source=\"url\"} 1700000000",
    ] {
        assert!(text.lines().any(|said| said == line), "{line} in {text}");
    }
    Ok(())
}

/// All of our series, from a scrape with every feature on.
fn all_series() -> Result<BTreeSet<String>, Box<dyn Error>> {
    let (metrics, live) = of_two_networks()?;
    let settings = ProviderSettings::new("http://127.0.0.1:9/v1", "m", None, 1)?;
    metrics.set_provider(&LanguageModel::new(Some(&settings))?, &live.pin());
    metrics.asked_provider(&DraftOutcome { draft: Ok(Draft::default()), waited: Some(Duration::ZERO) });
    let (source, age) = (KeyOrigin::File, Some(Duration::ZERO));
    metrics.set_credentials(
        true,
        Some(&KeysStatus { source, keys: 1, age, read_at: None, is_too_old: false }),
        &[(Refusal::Audience, 1)],
    );
    metrics.set_certificate_end(Some(1));
    metrics.set_memory_limit(Some(1));
    metrics.set_asks(true, &WrittenCounts::default());
    metrics.answered("/", "200", Duration::ZERO);
    metrics.capped("/");
    metrics.fell_back("vector", "other_model");
    metrics.called_tool("find_person", "answered");
    let text = String::from_utf8(metrics.write(&live.pin(), &Status::default())?)?;
    let names = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    Ok(names.filter(|name| name.starts_with("kith_")).map(str::to_owned).collect())
}

/// The series that the table of `page` lacks, and its rows without a series.
fn unlike(series: &BTreeSet<String>, page: &str) -> Vec<String> {
    let rows = page.lines().filter(|line| line.starts_with("| `kith_") || line.starts_with("| `process_"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let names = names.filter_map(|name| name.split('{').next()).filter(|name| name.starts_with("kith_"));
    let documented: BTreeSet<String> = names.map(str::to_owned).collect();
    series.symmetric_difference(&documented).cloned().collect()
}

const PAGE: &str = include_str!("../../../../docs/monitoring.md");

#[test]
fn every_series_is_in_the_table_for_operators_and_the_table_has_no_other() -> Result<(), Box<dyn Error>> {
    assert_eq!(unlike(&all_series()?, PAGE), [""; 0]);
    Ok(())
}

/// The control: a page that lacks a series, and one that misspells it.
#[test]
fn a_series_that_the_table_lacks_or_misspells_is_caught() -> Result<(), Box<dyn Error>> {
    let (series, name) = (all_series()?, "kith_credential_store_usable");
    assert_eq!(unlike(&series, &PAGE.replace(&format!("| `{name}`"), "| none")), [name]);
    let misspelt = "kith_credential_store_useable";
    assert_eq!(unlike(&series, &PAGE.replace(name, misspelt)), [name, misspelt]);
    Ok(())
}
