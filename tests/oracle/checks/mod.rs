//! The oracle's own tests: cases small enough to check by hand, and random runs over itself.

mod build;
mod comparing;
mod drawn;
mod drawn_at_random;
mod matching;
mod paths;
mod reads;
