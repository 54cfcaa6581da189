//! The composition root: puts the rooms together into a running service.
//!
//! [`run`] takes five steps: assemble → bind → load → serve → stop.
//!
//! - [`setup`]: the settings of a service, as values.
//! - `assemble`: builds every part from them.
//! - `listening`: binds, serves and stops the two listeners.
//! - `reloading`: background reloads: the first one, and those after signals or changes of a watched folder.
//! - [`host`]: its threads, and the signals it handles.

mod assemble;
pub mod host;
mod listening;
mod reloading;
pub mod run;
pub mod setup;
