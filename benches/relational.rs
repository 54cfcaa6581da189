//! Look-ups by SQL in a network where everybody is in reach: a condition matches the maximum number of people.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

mod network;

use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use criterion::Criterion;
use kith_server::model::dataset::Dataset;
use kith_server::model::text::fold;
use kith_server::relational::lookup::{Lookup, TextField};
use kith_server::relational::store::RelationalStore;
use kith_server::relational::write::write_store;
use kith_server::snapshot::read::read_identity;
use tempfile::TempDir;

/// Number of look-ups timed one by one, for the 99th percentile.
const SAMPLES: usize = 300;
const PATIENCE: Duration = Duration::from_secs(60);

/// A look-up: its name, the fields, and the phrases.
type Asked = (&'static str, &'static [TextField], &'static [&'static str]);

const ASKED: &[Asked] = &[
    ("position_many", &[TextField::Position], &["manager"]),
    ("position_most", &[TextField::Position], &["engineer"]),
    ("position_some", &[TextField::Position], &["sales engineer"]),
    ("position_few", &[TextField::Position], &["cfo"]),
    (
        "phrases",
        &[TextField::Position],
        &["cfo", "chief financial officer", "finance director", "controller"],
    ),
    ("industry", &[TextField::Industry], &["software"]),
    ("country", &[TextField::Country], &["united states"]),
    ("city", &[TextField::City], &["london"]),
    ("place", &[TextField::City, TextField::Country, TextField::Headquarters], &["london"]),
    ("company", &[TextField::CompanyName], &["generated network"]),
    ("first_name", &[TextField::PersonName], &["keiko"]),
    ("nobody", &[TextField::Position], &["zzqx"]),
    ("nobody_anywhere", &TextField::ALL, &["zzqx"]),
];

/// The store of `dataset`, in its own folder.
fn store_of(dataset: &Dataset) -> Result<(TempDir, RelationalStore), Box<dyn Error>> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let (path, identity) = (folder.path().join("net.kith"), read_identity(&network::snapshot_file()?)?);
    let started = Instant::now();
    let bytes = write_store(&path, dataset, identity)?;
    let seconds = started.elapsed().as_secs_f64();
    writeln!(std::io::stdout(), "store of {bytes} bytes written in {seconds:.1} s")?;
    Ok((folder, RelationalStore::open(&path, identity, dataset.people.len() as u32)?))
}

fn words(phrase: &str) -> Vec<String> {
    phrase.split(' ').map(str::to_owned).collect()
}

/// Median and 99th percentile of the time of a look-up.
fn sample(mut find: impl FnMut()) -> (Duration, Duration) {
    let mut times = Vec::new();
    for _ in 0..SAMPLES {
        let started = Instant::now();
        find();
        times.push(started.elapsed());
    }
    times.sort_unstable();
    (times[SAMPLES / 2], times[SAMPLES * 99 / 100])
}

/// Times all of [`ASKED`], and the full name of one person.
fn bench_store(
    criterion: &mut Criterion,
    title: &str,
    store: &RelationalStore,
    name: &str,
) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group(title);
    let full_name: Asked = ("full_name", &[TextField::PersonName], &[]);
    for &(kind, fields, phrases) in ASKED.iter().chain([&full_name]) {
        let mut phrases: Vec<Vec<String>> = phrases.iter().map(|phrase| words(phrase)).collect();
        if phrases.is_empty() {
            phrases.push(words(&fold(name)));
        }
        let lookup = Lookup { fields, phrases: &phrases };
        let find = || store.find(&lookup, Instant::now() + PATIENCE);
        let found = find()?.len();
        assert_eq!(found == 0, kind.starts_with("nobody"), "{kind} finds {found} people");
        if !network::is_test() {
            let (median, slow) = sample(|| drop(black_box(find())));
            writeln!(
                std::io::stdout(),
                "{title}/{kind}: {found} people, median {median:.2?}, p99 {slow:.2?}"
            )?;
        }
        group.bench_function(kind, |bencher| bencher.iter(|| black_box(find())));
    }
    group.finish();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let mut dataset = network::dataset()?;
    network::put_in_reach(&mut dataset)?;
    let (folder, store) = store_of(&dataset)?;
    let name = dataset.people.names.get(dataset.people.len() as u32 / 2).to_owned();
    bench_store(&mut criterion, "relational", &store, &name)?;
    drop((folder, store));
    network::vary_positions(&mut dataset, 2)?;
    let (_folder, store) = store_of(&dataset)?;
    bench_store(&mut criterion, "relational_varied", &store, &name)?;
    criterion.final_summary();
    Ok(())
}
