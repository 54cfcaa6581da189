//! The embedding model from outside: it makes what its reference makes, and refuses broken files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets what it does not expect stops")]

#[path = "embed/reference.rs"]
mod reference;
#[path = "embed/files.rs"]
mod files;
#[path = "embed/meaning.rs"]
mod meaning;
