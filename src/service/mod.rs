//! The composition root: where the rooms meet in a running service.
//!
//! [`run`] takes five steps: assemble → bind → load → serve → stop.
//!
//! - [`setup`]: the settings of a service, as values.
//! - `assemble`: every part made from them, and joined.
//! - `listening`: the two listeners, bound, served and stopped.
//! - `reloading`: reloads that no caller waits for: the first, and those of signals and of a watched folder.
//! - [`host`]: the threads it runs on, and the signals it acts on.

mod assemble;
pub mod host;
mod listening;
mod reloading;
pub mod run;
pub mod setup;
