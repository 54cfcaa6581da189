//! What makes the vectors of the judged queries: the table, and an encoder too if `KITH_ENCODER` is set to its folder.

use kith_server::embed::query_model::QueryModel;

/// The table, and the encoder if it is here; says if it is not.
#[allow(clippy::print_stdout, reason = "what was passed over has to be seen")]
pub(crate) fn query_models() -> Vec<(&'static str, QueryModel)> {
    let mut models = vec![("table", QueryModel::Table)];
    match encoder() {
        Some(model) => models.push(("encoder", model)),
        None => println!("skipped: the encoder, for which the feature `encoder` and KITH_ENCODER are needed"),
    }
    models
}

#[cfg(feature = "encoder")]
fn encoder() -> Option<QueryModel> {
    use kith_server::embed::encoder::Encoder;
    use std::sync::LazyLock;

    static ENCODER: LazyLock<Option<Encoder>> = LazyLock::new(|| {
        let folder = std::env::var_os("KITH_ENCODER")?;
        Some(Encoder::read(folder.as_ref()).unwrap_or_else(|error| panic!("{error}")))
    });
    ENCODER.as_ref().map(QueryModel::Encoder)
}

#[cfg(not(feature = "encoder"))]
fn encoder() -> Option<QueryModel> {
    None
}
