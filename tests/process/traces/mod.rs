//! Traces: the data about requests that a collector receives, that it receives nothing else, and that the collector
//! cannot change an answer.

mod faults;
mod parents;
mod processes;
mod sampling;
mod spans;
mod traced;
