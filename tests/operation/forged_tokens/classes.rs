//! All classes of refused tokens.

mod algorithm;
mod claims;
mod form;
mod header;
mod json;
mod signature;

use crate::forged_tokens::class::Class;

pub(crate) fn all() -> Vec<Class> {
    [
        algorithm::classes(),
        header::classes(),
        signature::classes(),
        form::classes(),
        json::classes(),
        claims::classes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
