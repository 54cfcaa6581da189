//! The cost of a search in plain language: the vector of a text, one vector compared with 300,000, the parser, and each
//! engine over a whole network.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

mod network;

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use kith_embed::dot::Probe;
use kith_embed::model::Model;
use kith_embed::of_tables as vectors;
use kith_server::live::network::LiveNetwork;
use kith_server::model::column::TextColumn;
use kith_server::model::dataset::{Companies, People};
use kith_server::model::vectors::{DIMENSIONS, Quantized};
use kith_server::relational::pair;
use kith_server::search::answer::{Request, answer};
use kith_server::search::conditions::{NetworkKind, Query};
use kith_server::search::engine::{Engine, Engines, Mode};
use kith_server::search::parse::parse;
use kith_server::search::pool::default_member;
use kith_server::search::rank::Strictness;
use kith_server::search::resolve::resolve;
use kith_server::snapshot::read::load;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Distinct positions of a large network.
const VECTORS: usize = 300_000;
/// Realistic texts.
const TEXTS: [&str; 8] = [
    "Senior Software Engineer, Platform",
    "Chief Executive Officer",
    "VP of Sales (EMEA)",
    "Talent Acquisition Partner",
    "São Paulo",
    "Renewable Energy & Storage",
    "Dreyfus & Okonkwo Consulting",
    "Postdoctoral Researcher in Immunology",
];

/// Vectors of about unit length in random directions.
fn stored() -> Vec<Quantized> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut vector = || {
        let mut bytes = [0; DIMENSIONS];
        random.fill_bytes(&mut bytes);
        bytes.map(|byte| byte.cast_signed() / 9) // up to 14; a unit component of all 256 alike is 8
    };
    (0..VECTORS).map(|_| vector()).collect()
}

/// The cosine in plain floating point.
fn cosine(asked: &[f32; DIMENSIONS], stored: &Quantized) -> f32 {
    asked.iter().zip(stored).map(|(&a, &b)| a * f32::from(b)).sum::<f32>() / 127.0
}

fn bench_cosines(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let (asked, stored) = (Model::own().embed("head of growth"), stored());
    let probe = Probe::new(&asked);
    let mut group = criterion.benchmark_group("cosines");
    group.throughput(Throughput::Bytes(size_of_val(&stored[..]) as u64));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let cosines = pool.install(|| probe.cosines(&stored));
        let same = |(ours, stored): (&f32, &Quantized)| (ours - cosine(&asked.0, stored)).abs() < 1e-3;
        assert!(cosines.iter().zip(&stored).all(same) && cosines.len() == VECTORS);
        group.bench_function(format!("of_300k_by_{threads}"), |bencher| {
            bencher.iter(|| pool.install(|| black_box(probe.cosines(black_box(&stored)))));
        });
    }
    // The cost in floating point, one after the other.
    group.bench_function("of_300k_in_floats", |bencher| {
        bencher.iter(|| black_box(stored.iter().map(|stored| cosine(&asked.0, stored)).collect::<Vec<_>>()));
    });
    group.finish();
    Ok(())
}

fn bench_texts(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let model = Model::own();
    let mut group = criterion.benchmark_group("texts");
    group.throughput(Throughput::Elements(TEXTS.len() as u64));
    assert!(TEXTS.iter().all(|text| !model.embed(text).is_zero()));
    group.bench_function("embed_8", |bencher| {
        bencher.iter(|| TEXTS.map(|text| black_box(model.embed(black_box(text)).quantize())));
    });
    // As in a build: on all cores.
    let names: Vec<String> = (0..20_000).map(|row| format!("{} {row}", TEXTS[row % 8])).collect();
    let names = TextColumn::from_texts(names.iter().map(String::as_str)).map_err(|_| "too many names")?;
    let companies = Companies { names, ..Companies::default() };
    group.throughput(Throughput::Elements(companies.names.len() as u64));
    group.bench_function("prepare_20k", |bencher| {
        bencher.iter(|| black_box(vectors::build(&People::default(), &companies)));
    });
    group.finish();
    Ok(())
}

/// Realistic queries: few and many conditions, rare and common ones, and words in no text.
const QUERIES: [&str; 12] = [
    "engineers",
    "heads of finance at fintech startups in Berlin",
    "investors interested in robotics",
    "who looks after the money",
    "senior software engineers in Sweden, not consultants",
    "recuriters in Stockholm",
    "executives at software companies in London",
    "people who keep machines running in Kenya",
    "VP Sales or Marketing in the United States",
    "lawyers",
    "founders in Europe",
    "quantum cryptography",
];
/// Number of searches timed one by one, for the 99th percentile.
const SAMPLES: usize = 600;

fn run(network: &LiveNetwork, query: &Query, engine: Engine) -> Result<u64, Box<dyn Error>> {
    let request = Request {
        query,
        networks: &NetworkKind::ALL,
        acting: default_member(&network.index),
        strictness: Strictness::Relaxed,
        limit: 20,
        mode: Mode::Pinned(engine),
        explains: false,
    };
    let searched = network.searched(Engines::ALL, Instant::now() + Duration::from_secs(60));
    Ok(answer(searched, &request).map_err(|reason| reason.sentence())?.ranking.total)
}

/// Parses and searches one query after the other, on every engine; also prints the 99th percentile.
#[allow(clippy::print_stderr, reason = "criterion prints no percentiles")]
fn bench_engines(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let file = network::snapshot_file()?;
    let network = LiveNetwork::open(load(&file)?, &file);
    let understand = |text: &str| resolve(&parse(&network.index, &network.search, text));
    let mut group = criterion.benchmark_group("network_search");
    group.bench_function("parser", |bencher| {
        let mut queries = QUERIES.iter().cycle();
        bencher.iter(|| queries.next().map(|text| black_box(understand(text))));
    });
    for engine in Engine::ALL {
        let mut found = 0;
        for text in QUERIES {
            found += run(&network, &understand(text), engine)?;
        }
        assert!(found > 0, "{engine:?} finds nobody");
        group.bench_function(engine.backend(), |bencher| {
            let mut queries = QUERIES.iter().cycle();
            bencher.iter(|| queries.next().map(|text| run(&network, &understand(text), engine).ok()));
        });
        if network::is_test() {
            continue;
        }
        let mut times = Vec::with_capacity(SAMPLES);
        for text in QUERIES.iter().cycle().take(SAMPLES) {
            let start = Instant::now();
            black_box(run(&network, &understand(text), engine)?);
            times.push(start.elapsed());
        }
        times.sort_unstable();
        let (median, slowest) = (times[SAMPLES / 2], times[SAMPLES * 99 / 100]);
        eprintln!("{}: median {median:.1?}, p99 {slowest:.1?}, {} found in all", engine.backend(), found);
    }
    group.finish();
    Ok(())
}

/// Queries of all kinds in five languages.
const UNSEEN: &str = include_str!("../tests/api/judged/unseen.ndjson");

/// Times the first search of each of these queries: median, 99th percentile, and the slowest of the half that may be
/// read (`tune`). Everybody is in reach, and one person in `one_in` has a unique position.
#[allow(clippy::print_stderr, reason = "criterion prints no percentiles")]
fn time_first_searches(one_in: u32) -> Result<(), Box<dyn Error>> {
    let mut dataset = network::dataset()?;
    network::put_in_reach(&mut dataset)?;
    network::vary_positions(&mut dataset, one_in)?;
    let positions = dataset.vectors.positions.len();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let file = folder.path().join("net.kith");
    pair::write(&file, &dataset)?;
    drop(dataset);
    let rows =
        UNSEEN.lines().map(serde_json::from_str::<serde_json::Value>).collect::<Result<Vec<_>, _>>()?;
    let queries: Vec<_> =
        rows.iter().filter_map(|row| Some((row["query"].as_str()?, &row["split"]))).collect();
    for engine in Engine::ALL {
        let network = LiveNetwork::open(load(&file)?, &file);
        let (mut times, mut found) = (Vec::with_capacity(queries.len()), 0);
        for &(text, split) in &queries {
            let start = Instant::now();
            found += run(&network, &resolve(&parse(&network.index, &network.search, text)), engine)?;
            times.push((start.elapsed(), if split == "tune" { text } else { "(not to be read)" }));
        }
        assert!(found > 0, "{engine:?} finds nobody");
        times.sort_unstable();
        let (median, slowest) = (times[times.len() / 2].0, times[times.len() * 99 / 100].0);
        let (engine, asked) = (engine.backend(), times.len());
        eprintln!(
            "{engine}: {asked} queries, everybody in reach, {positions} positions: median {median:.1?}, p99 {slowest:.1?}"
        );
        times.iter().rev().take(8).for_each(|(time, text)| eprintln!("    {time:.1?} {text}"));
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    bench_cosines(&mut criterion)?;
    bench_texts(&mut criterion)?;
    bench_engines(&mut criterion)?;
    time_first_searches(5)?;
    time_first_searches(2)?;
    criterion.final_summary();
    Ok(())
}
