//! What `kith --version` says: the program, the commit it was built of, the snapshots it reads and its embedding model.

use crate::snapshot::{FORMAT_VERSION, FORMAT_VERSION_MIN};
use kith_embed::model::Model;

/// The first digits of the model's SHA-256 that are shown: as many as two models differ in.
const MODEL_DIGITS: usize = 12;

/// The version of the program, and the commit of a release that was built in a repository.
pub(super) fn short() -> String {
    let version = env!("CARGO_PKG_VERSION");
    option_env!("KITH_COMMIT").map_or_else(|| version.to_owned(), |commit| format!("{version} ({commit})"))
}

/// [`short`], and a line each for the snapshots that are read and written, and for the embedding model.
pub(super) fn long() -> String {
    let model: String = Model::sha256_hex().chars().take(MODEL_DIGITS).collect();
    format!(
        "{}\nsnapshots: writes format {FORMAT_VERSION}, reads {FORMAT_VERSION_MIN} to {FORMAT_VERSION}\nmodel: {model}",
        short()
    )
}
