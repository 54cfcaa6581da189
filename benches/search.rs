//! What a search in plain language costs before it looks at a network: the vector of a text, and
//! one vector compared with 300,000.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use std::error::Error;
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use kith::embed::dot::Probe;
use kith::embed::model::Model;
use kith::model::column::TextColumn;
use kith::model::dataset::{Companies, People};
use kith::model::vectors::{DIMENSIONS, Quantized};
use kith::prepare::vectors;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Distinct positions of a large network.
const VECTORS: usize = 300_000;
/// Texts as people have them.
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

/// Vectors of about unit length in directions by chance.
fn stored() -> Vec<Quantized> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut vector = || {
        let mut bytes = [0; DIMENSIONS];
        random.fill_bytes(&mut bytes);
        bytes.map(|byte| byte.cast_signed() / 9) // up to 14; a unit component of all 256 alike is 8
    };
    (0..VECTORS).map(|_| vector()).collect()
}

/// The cosine as plain floating point gives it.
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
    // What it would cost in floating point, one after the other.
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
    // As a build does it: on all cores.
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

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    bench_cosines(&mut criterion)?;
    bench_texts(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}
