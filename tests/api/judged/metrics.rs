//! Measures of an ordered answer, given the people that the query means.

use crate::judged::case::People;

/// Answers are looked at no further than this.
pub(crate) const DEPTH: usize = 10;

/// The quality of answers to queries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Score {
    /// Recall in the first [`DEPTH`] people: the share found of the people meant, of [`DEPTH`] if more are meant.
    pub(crate) recall: f64,
    /// 1 over the place of the first person meant; 0 if none is in the first [`DEPTH`].
    pub(crate) mrr: f64,
    /// nDCG: what the first [`DEPTH`] gain, later places less and those meant half a third, of what the best order of
    /// them all would.
    pub(crate) ndcg: f64,
}

/// What a person counts who is meant half, beside 1 for one who is meant: grade 1 beside grade 2, as nDCG has grades.
const HALF: f64 = 1.0 / 3.0;

/// How good `answer`, best first, is if `relevant` are meant, and `partly` half.
pub(crate) fn score(answer: &[String], relevant: &People, partly: &People) -> Score {
    let first = &answer[..answer.len().min(DEPTH)];
    let found = first.iter().filter(|person| relevant.contains(*person)).count();
    let place = first.iter().position(|person| relevant.contains(person));
    let gain = |place: usize| 1.0 / ((place + 2) as f64).log2();
    let worth = |person: &String| match () {
        () if relevant.contains(person) => 1.0,
        () if partly.contains(person) => HALF,
        () => 0.0,
    };
    let gained = first.iter().enumerate().map(|(place, person)| worth(person) * gain(place));
    let grades = std::iter::repeat_n(1.0, relevant.len()).chain(std::iter::repeat_n(HALF, partly.len()));
    let best: f64 = grades.take(DEPTH).enumerate().map(|(place, worth)| worth * gain(place)).sum();
    Score {
        ndcg: if best > 0.0 { gained.sum::<f64>() / best } else { 0.0 },
        recall: found as f64 / relevant.len().clamp(1, DEPTH) as f64,
        mrr: place.map_or(0.0, |place| 1.0 / (place + 1) as f64),
    }
}

/// The mean of some scores; none of no scores.
pub(crate) fn mean(scores: &[Score]) -> Option<Score> {
    let of = |part: fn(&Score) -> f64| scores.iter().map(part).sum::<f64>() / scores.len() as f64;
    let mean = || Score {
        recall: of(|score| score.recall),
        mrr: of(|score| score.mrr),
        ndcg: of(|score| score.ndcg),
    };
    (!scores.is_empty()).then(mean)
}

mod tests {
    use super::{Score, mean, score};
    use crate::judged::case::{People, cases};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    fn ids(text: &str) -> Vec<String> {
        text.chars().map(String::from).collect()
    }

    #[test]
    fn scores_are_those_worked_out_by_hand() {
        for (answer, relevant, recall, mrr) in [
            ("ab", "ab", 1.0, 1.0),
            ("ba", "ab", 1.0, 1.0),
            ("xa", "ab", 0.5, 0.5),
            ("xyab", "abcd", 0.5, 1.0 / 3.0),
            ("", "ab", 0.0, 0.0),
            ("xyz", "ab", 0.0, 0.0),
            // A person after the tenth place was not found.
            ("0123456789a", "a", 0.0, 0.0),
            ("012345678a", "a", 1.0, 0.1),
            // More are meant than have room: ten are all that can be asked for.
            ("abcdefghij", "abcdefghijklmnop", 1.0, 1.0),
            ("abcdexxxxx", "abcdefghijklmnop", 0.5, 1.0),
            ("01234abcde", "abcdefghijklmnop", 0.5, 1.0 / 6.0),
        ] {
            let relevant: People = ids(relevant).into_iter().collect();
            let scored = score(&ids(answer), &relevant, &People::new());
            assert_eq!((scored.recall, scored.mrr), (recall, mrr), "{answer} for {relevant:?}");
        }
        // The places gain 1, 0.6309, 0.5, 0.4307 and so on.
        for (answer, relevant, ndcg) in [
            ("ab", "ab", 1.0),
            ("xa", "a", 0.6309),
            ("axb", "ab", 1.5 / 1.6309),
            ("xyz", "ab", 0.0),
            ("0123456789a", "a", 0.0),
        ] {
            let relevant: People = ids(relevant).into_iter().collect();
            let scored = score(&ids(answer), &relevant, &People::new()).ndcg;
            assert!((scored - ndcg).abs() < 1e-4, "{answer} for {relevant:?}: {scored}");
        }
        // A half-meant person gains a third.
        for (answer, ndcg) in
            [("ab", 1.0), ("ba", (1.0 / 3.0 + 0.6309) / (1.0 + 0.6309 / 3.0)), ("xb", 0.2103 / 1.2103)]
        {
            let [relevant, partly] = ["a", "b"].map(|of| ids(of).into_iter().collect::<People>());
            let scored = score(&ids(answer), &relevant, &partly).ndcg;
            assert!((scored - ndcg).abs() < 1e-4, "{answer}: {scored}");
        }
        let (none, all) = (Score::default(), Score { recall: 1.0, mrr: 1.0, ndcg: 1.0 });
        assert_eq!(mean(&[none, all]), Some(Score { recall: 0.5, mrr: 0.5, ndcg: 0.5 }));
        assert_eq!(mean(&[]), None);
    }

    /// The control: the set separates an engine that knows from one that guesses, in either half.
    #[test]
    fn guesses_score_far_below_knowledge() {
        let mut dice = ChaCha8Rng::seed_from_u64(7);
        let (mut guessed, mut known) = (Vec::new(), Vec::new());
        for case in cases() {
            for query in &case.queries {
                let relevant = case.relevant(query);
                let mut pool: Vec<String> = case.pool(query).into_iter().collect();
                shuffle(&mut pool, &mut dice);
                guessed.push(score(&pool, &relevant, &People::new()));
                pool.sort_by_key(|person| !relevant.contains(person));
                known.push(score(&pool, &relevant, &People::new()));
            }
        }
        let (guessed, known) = (mean(&guessed).unwrap(), mean(&known).unwrap());
        assert_eq!((known.recall, known.mrr), (1.0, 1.0));
        assert!(known.ndcg > 0.999_999, "{known:?}");
        assert!(guessed.recall < 0.12 && guessed.mrr < 0.2 && guessed.ndcg < 0.12, "{guessed:?}");
        assert!(guessed.recall > 0.0, "not one hit in all queries is no guessing: {guessed:?}");
    }

    fn shuffle(people: &mut [String], dice: &mut ChaCha8Rng) {
        for last in (1..people.len()).rev() {
            people.swap(last, (dice.next_u64() % (last as u64 + 1)) as usize);
        }
    }
}
