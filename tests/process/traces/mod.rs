//! Traces: what a collector is sent of requests, that it is nothing else, and that whatever the collector does
//! changes no answer.

mod faults;
mod parents;
mod processes;
mod sampling;
mod spans;
mod traced;
