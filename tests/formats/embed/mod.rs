//! The embedding model from outside: it equals its reference, and refuses broken files.

mod reference;
mod files;
mod meaning;
