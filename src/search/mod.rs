//! Network search: a sentence in plain language, the right people out.

pub mod conditions;
