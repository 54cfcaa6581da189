//! The files in `deploy/`: the unit, and the Prometheus names in the board and the alerts.

mod metrics;
mod unit;
