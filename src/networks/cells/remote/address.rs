//! The address of a cell: its store, the folder in it, and the cell's name.

use std::path::Path as FilePath;
use std::str::FromStr;
use std::sync::Arc;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::{Path, PathPart};
use object_store::{ObjectStore, RetryConfig};

use crate::cells::error::CellError;
use crate::cells::manifest::file_stem;
use crate::cells::remote::connector::OwnConnector;
use crate::limits::{CELL_RETRIES, CELL_RETRY_MAX};
use crate::snapshot::Identity;

/// The folder of the manifests.
const CELLS: &str = "cells";
/// The folder of the snapshots.
const SNAPSHOTS: &str = "snapshots";

/// A cell and its store.
#[derive(Clone, Debug)]
pub(crate) struct RemoteCell {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// The cell's name.
    pub(crate) name: String,
    /// Whether the store can replace an object only if it still has the ETag that was read.
    pub(crate) has_etags: bool,
    root: Path,
}

impl RemoteCell {
    /// The cell at `url`, in its store, with the store's settings from `variables` of the environment. Sends nothing.
    ///
    /// # Errors
    /// Returns an error if the address is invalid, or the store lacks a setting.
    pub(crate) fn open(
        url: &str,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, CellError> {
        let fault = |why: &str| CellError::Address { url: url.to_owned(), why: why.to_owned() };
        let (scheme, rest) = url.split_once("://").ok_or_else(|| fault("this is no address"))?;
        let (bucket, path) = rest.split_once('/').ok_or_else(|| fault("the folder cells is missing"))?;
        let (folder, name) = path.rsplit_once('/').ok_or_else(|| fault("the folder cells is missing"))?;
        let name = name.strip_suffix(".json").unwrap_or(name);
        if file_stem(name).as_deref() != Some(name) {
            return Err(fault("the name of a cell has letters, digits, `_`, `-` and full stops alone"));
        }
        let root = match folder.strip_suffix(CELLS) {
            Some(root) if root.is_empty() || root.ends_with('/') => root.trim_matches('/'),
            _ => return Err(fault("the folder before the name is not cells")),
        };
        let refused = |error: object_store::Error| fault(&error.to_string());
        let is_folder = scheme == "file";
        if is_folder != bucket.is_empty() {
            return Err(fault(if is_folder { "file:// names no machine" } else { "the bucket is missing" }));
        }
        if is_folder {
            let folder = FilePath::new("/").join(root);
            let store = LocalFileSystem::new_with_prefix(&folder).map_err(refused)?.with_fsync(true);
            return Ok(Self::of(Arc::new(store), Path::default(), name, false));
        }
        let store = open_store(scheme, bucket, variables)
            .ok_or_else(|| fault("such stores are not known"))?
            .map_err(refused)?;
        let root = Path::parse(root).map_err(|error| fault(&error.to_string()))?;
        Ok(Self::of(store, root, name, true))
    }

    /// The cell `name` below `root` in `store`.
    pub(crate) fn of(store: Arc<dyn ObjectStore>, root: Path, name: &str, has_etags: bool) -> Self {
        Self { store, root, name: name.to_owned(), has_etags }
    }

    pub(crate) fn manifest(&self) -> Path {
        self.below(&[CELLS, &format!("{}.json", self.name)])
    }

    /// The path of an object beside the manifest, with another ending.
    pub(crate) fn beside_manifest(&self, ending: &str) -> Path {
        self.below(&[CELLS, &format!("{}.{ending}", self.name)])
    }

    /// The paths of the snapshot of `organization` with this `identity` and of the store beside it.
    ///
    /// # Errors
    /// Returns an error if the organization's id cannot be a name.
    pub(crate) fn pair(&self, organization: &str, identity: Identity) -> Result<(Path, Path), CellError> {
        let stem = file_stem(organization).ok_or_else(|| CellError::Name(organization.to_owned()))?;
        let file = |ending: &str| self.below(&[SNAPSHOTS, &stem, &format!("{identity}{ending}")]);
        Ok((file(".kith"), file(".kith.sqlite")))
    }

    fn below(&self, parts: &[&str]) -> Path {
        parts.iter().fold(self.root.clone(), |path, part| path.join(PathPart::from(*part)))
    }
}

/// The store for `scheme` and `bucket`; `None` if the scheme is unknown.
fn open_store(
    scheme: &str,
    bucket: &str,
    variables: impl Iterator<Item = (String, String)>,
) -> Option<object_store::Result<Arc<dyn ObjectStore>>> {
    let retry =
        RetryConfig { max_retries: CELL_RETRIES, retry_timeout: CELL_RETRY_MAX, ..RetryConfig::default() };
    let opened: object_store::Result<Arc<dyn ObjectStore>> = match scheme {
        "s3" => {
            let set = settings::<AmazonS3ConfigKey>("AWS_", variables);
            let builder =
                set.fold(AmazonS3Builder::new(), |builder, (key, value)| builder.with_config(key, value));
            let builder =
                builder.with_bucket_name(bucket).with_retry(retry).with_http_connector(OwnConnector);
            builder.build().map(|store| Arc::new(store) as _)
        }
        "gs" => {
            let set = settings::<GoogleConfigKey>("GOOGLE_", variables);
            let builder = set.fold(GoogleCloudStorageBuilder::new(), |builder, (key, value)| {
                builder.with_config(key, value)
            });
            let builder =
                builder.with_bucket_name(bucket).with_retry(retry).with_http_connector(OwnConnector);
            builder.build().map(|store| Arc::new(store) as _)
        }
        "az" => {
            let set = settings::<AzureConfigKey>("AZURE_", variables);
            let builder = set
                .fold(MicrosoftAzureBuilder::new(), |builder, (key, value)| builder.with_config(key, value));
            let builder =
                builder.with_container_name(bucket).with_retry(retry).with_http_connector(OwnConnector);
            builder.build().map(|store| Arc::new(store) as _)
        }
        _ => return None,
    };
    Some(opened)
}

/// The settings among `variables`: those with `prefix` that the store knows.
fn settings<K: FromStr>(
    prefix: &'static str,
    variables: impl Iterator<Item = (String, String)>,
) -> impl Iterator<Item = (K, String)> {
    variables
        .filter(move |(name, _)| name.starts_with(prefix))
        .filter_map(|(name, value)| Some((name.to_ascii_lowercase().parse().ok()?, value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> impl Iterator<Item = (String, String)> {
        [
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_REGION", "eu-west-1"),
            ("AWS_FRUIT", "apple"),
            ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
            ("AZURE_STORAGE_ACCOUNT_KEY", "a2V5"),
            ("GOOGLE_SKIP_SIGNATURE", "true"),
            ("PATH", "/bin"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into_iter()
    }

    #[test]
    fn an_address_names_a_store_a_folder_and_a_cell() {
        let folder = tempfile::tempdir().unwrap();
        let local = format!("file://{}/cells/one", folder.path().display());
        for (url, manifest, has_etags) in [
            ("s3://bucket/cells/one", "cells/one.json", true),
            ("s3://bucket/a/b/cells/one.json", "a/b/cells/one.json", true),
            ("gs://bucket/a/cells/eu-1", "a/cells/eu-1.json", true),
            ("az://container/a/cells/eu-1", "a/cells/eu-1.json", true),
            (&local, "cells/one.json", false),
        ] {
            let cell = RemoteCell::open(url, variables()).unwrap();
            assert_eq!((cell.manifest().as_ref(), cell.has_etags), (manifest, has_etags), "{url}");
        }
        for url in [
            "",
            "one",
            "s3://bucket",
            "s3://bucket/one",
            "s3:///cells/one",
            "s3://bucket/cells/",
            "s3://bucket/cells/a b",
            "s3://bucket/mycells/one",
            "ftp://bucket/cells/one",
            "file://machine/cells/one",
            "file:///no/such/folder/cells/one",
        ] {
            let refused = RemoteCell::open(url, variables()).map_err(|error| error.to_string());
            assert!(refused.as_ref().is_err_and(|error| error.starts_with(url)), "{url}: {refused:?}");
        }
    }

    #[test]
    fn snapshots_lie_below_their_organization_under_their_identity() {
        let cell = RemoteCell::open("s3://bucket/a/cells/one", variables()).unwrap();
        let (snapshot, store) = cell.pair("org/a", Identity([0xab; 32])).unwrap();
        let hex = "ab".repeat(32);
        assert_eq!(snapshot.to_string(), format!("a/snapshots/org%252Fa/{hex}.kith"));
        assert_eq!(store.to_string(), format!("a/snapshots/org%252Fa/{hex}.kith.sqlite"));
        assert_eq!(cell.beside_manifest("credentials").as_ref(), "a/cells/one.credentials");
    }
}
