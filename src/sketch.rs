//! Networks as text, with the vectors of their texts, which the engine has no model for.

pub(crate) use kith::sketch::{Net, tiny};

use crate::embed::of_tables;
use crate::model::dataset::Dataset;

/// Like [`kith::sketch::dataset`], with vectors.
#[track_caller]
pub(crate) fn dataset(text: &str) -> Dataset {
    let mut dataset = kith::sketch::dataset(text);
    embed(&mut dataset);
    dataset
}

/// Like [`kith::sketch::net`], with vectors.
#[track_caller]
pub(crate) fn net(text: &str) -> Net {
    kith::sketch::net_with(text, embed)
}

fn embed(dataset: &mut Dataset) {
    dataset.vectors = of_tables::build(&dataset.people, &dataset.companies);
}
