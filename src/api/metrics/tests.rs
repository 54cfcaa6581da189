//! Scrapes at the same time.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::live::networks::LiveNetworks;
use crate::live::reload::Reloader;

const THREADS: usize = 8;
const SCRAPES: usize = 200;

/// The names and labels of all series of a scrape.
fn series(text: &[u8]) -> BTreeSet<String> {
    let lines = std::str::from_utf8(text).unwrap().lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned())).collect()
}

/// How many of the scrapes of some threads lack a series, or have a counter twice as high as it is.
fn spoilt(scrape: impl Fn() -> Vec<u8> + Sync) -> usize {
    let all = series(&scrape());
    assert!(all.contains("kith_network_people{organization=\"org_tiny\"}"));
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

/// What two snapshots of the project make.
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

/// The control: the same without taking turns, tried until two meet.
#[test]
fn scrapes_that_take_no_turns_are_caught() -> Result<(), Box<dyn Error>> {
    let (metrics, live) = of_two_networks()?;
    let (networks, status) = (live.pin(), Status { reloads: 7, ..Status::default() });
    assert!((0..100).any(|_| spoilt(|| metrics.write_alone(&networks, &status).unwrap()) > 0));
    Ok(())
}
