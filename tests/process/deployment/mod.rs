//! What `deploy/` says of the program: the unit, and the names that the board and the alerts ask Prometheus for.

mod metrics;
mod unit;
