//! The text of `kith --version`: the program, its commit, the snapshot formats it reads, and its embedding model.

use crate::snapshot::{FORMAT_VERSION, FORMAT_VERSION_MIN};
use kith_embed::model::Model;

/// Digits of the model's SHA-256 to show: enough to distinguish two models.
const MODEL_DIGITS: usize = 12;

/// The version of the program, and the commit of a release built in a repository.
pub(super) fn short() -> String {
    let version = env!("CARGO_PKG_VERSION");
    option_env!("KITH_COMMIT").map_or_else(|| version.to_owned(), |commit| format!("{version} ({commit})"))
}

/// [`short`], and a line each for the snapshot formats read and written, and for the embedding model.
pub(super) fn long() -> String {
    let model: String = Model::sha256_hex().chars().take(MODEL_DIGITS).collect();
    format!(
        "{}\nsnapshots: writes format {FORMAT_VERSION}, reads {FORMAT_VERSION_MIN} to {FORMAT_VERSION}\nmodel: {model}",
        short()
    )
}
