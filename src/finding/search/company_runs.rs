//! Adjacent words in the names of a few companies: "energy and commerce" in a committee's.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::search::words::SMALL_WORDS;

/// Maximum number of names with a run of words for the run to mean these companies.
const RUN_NAMES_MAX: usize = 3;

/// The hashes of runs of two words found in a few of `names` but no more, ascending.
pub(super) fn few_runs(names: &[String]) -> Vec<u64> {
    let of_name = |name: &String| {
        let words: Vec<&str> = name.split(' ').filter(|word| !SMALL_WORDS.contains(word)).collect();
        words.windows(2).map(|pair| run_hash(pair.iter().copied())).collect::<Vec<_>>()
    };
    let mut runs: Vec<u64> = names.iter().flat_map(of_name).collect();
    runs.sort_unstable();
    let few = runs.chunk_by(|one, other| one == other).filter(|run| run.len() <= RUN_NAMES_MAX);
    few.map(|run| run[0]).collect()
}

/// The hash of adjacent words.
pub(super) fn run_hash<'a>(words: impl Iterator<Item = &'a str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_runs_that_stand_in_a_few_names_are_kept() {
        let names =
            ["house energy and commerce", "senate energy", "acme labs", "bolt labs inc", "acme labs two"];
        let names = names.map(str::to_owned).to_vec();
        let all = [names.clone(), vec!["acme labs three".to_owned(), "acme labs four".to_owned()]].concat();
        let has = |names: &[String], pair: [&str; 2]| few_runs(names).contains(&run_hash(pair.into_iter()));
        for (names, pair, is_kept) in [
            (&names, ["energy", "commerce"], true),
            (&names, ["acme", "labs"], true),
            // The controls: a run in four names, and words that are not adjacent.
            (&all, ["acme", "labs"], false),
            (&names, ["house", "commerce"], false),
        ] {
            assert_eq!(has(names, pair), is_kept, "{pair:?}");
        }
    }
}
