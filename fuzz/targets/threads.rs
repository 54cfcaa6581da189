//! The number of threads of a target.

/// Limits work that would use all cores to one thread: inputs are small, and there is a fuzzer per core.
pub fn only_one() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was built before");
}
