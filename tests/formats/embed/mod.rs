//! The embedding model from outside: it makes what its reference makes, and refuses broken files.

mod reference;
mod files;
mod meaning;
