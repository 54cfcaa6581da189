//! What `kith --version` says: the program, the commit it was built of, the snapshots it reads and its embedding model.

use std::fmt::Write as _;

use crate::embed::model::Model;
use crate::snapshot::{FORMAT_VERSION, FORMAT_VERSION_MIN};

/// The first bytes of the model's SHA-256 that are shown: as many as two models differ in.
const MODEL_BYTES: usize = 6;

/// The version of the program, and the commit of a release that was built in a repository.
pub(super) fn short() -> String {
    let version = env!("CARGO_PKG_VERSION");
    option_env!("KITH_COMMIT").map_or_else(|| version.to_owned(), |commit| format!("{version} ({commit})"))
}

/// [`short`], and a line each for the snapshots that are read and written, and for the embedding model.
pub(super) fn long() -> String {
    let model = Model::sha256().iter().take(MODEL_BYTES).fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    });
    format!(
        "{}\nsnapshots: writes format {FORMAT_VERSION}, reads {FORMAT_VERSION_MIN} to {FORMAT_VERSION}\nmodel: {model}",
        short()
    )
}
