//! Networks written as text, with the vectors that the engine cannot compute itself.

use kith::model::dataset::Dataset;
use kith::sketch::Net;

use crate::of_tables;

/// Like [`kith::sketch::dataset`], with vectors.
#[track_caller]
#[must_use]
pub fn dataset(text: &str) -> Dataset {
    let mut dataset = kith::sketch::dataset(text);
    embed(&mut dataset);
    dataset
}

/// Like [`kith::sketch::net`], with vectors.
#[track_caller]
#[must_use]
pub fn net(text: &str) -> Net {
    kith::sketch::net_with(text, embed)
}

fn embed(dataset: &mut Dataset) {
    dataset.vectors = of_tables::build(&dataset.people, &dataset.companies);
}
