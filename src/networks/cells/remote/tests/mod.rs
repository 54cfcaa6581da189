//! Pushing and pulling with the crate's memory store and planted faults.

mod faulty;
mod pulling;
mod pushing;

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use object_store::path::Path;
use tempfile::TempDir;

use crate::cells::remote::address::RemoteCell;
use crate::cells::remote::tests::faulty::Faulty;
use crate::relational::pair;
use crate::snapshot::{Identity, read_identity};
use kith_embed::sketch::dataset;

/// A store in memory, and a folder of built snapshots.
struct Bench {
    store: Arc<Faulty>,
    built: TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { store: Arc::new(Faulty::default()), built: tempfile::tempdir().unwrap() }
    }

    fn cell(&self, name: &str) -> RemoteCell {
        RemoteCell::of(Arc::clone(&self.store) as _, Path::from("kith"), name, true)
    }

    /// Builds the snapshot of `organization` in `version`; returns it with its identity.
    fn build(&self, organization: &str, version: u8) -> (PathBuf, Identity) {
        let folder = self.built.path().join(version.to_string());
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{organization}.kith"));
        let mut network = dataset(&format!("member ann\nann -{version}-> bob @ acme"));
        network.organization.id = organization.to_owned();
        pair::write(&path, &network).unwrap();
        let identity = read_identity(&path).unwrap();
        (path, identity)
    }
}

fn identity_at(path: &FilePath) -> Option<Identity> {
    read_identity(path).ok()
}
