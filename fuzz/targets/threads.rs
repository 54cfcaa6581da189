//! How many threads a target works on.

/// Leaves one thread for work that would be spread over all cores: inputs are small, and there is a
/// fuzzer for each core.
pub fn only_one() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was built before");
}
