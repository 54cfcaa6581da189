//! Cues: small words that change the meaning of the words around them, such as "not", "at", "my advocates know".

use std::sync::LazyLock;

use hashbrown::{HashMap, HashSet};

use crate::search::conditions::{Measure, NetworkKind};
use crate::search::word_list;

/// The meaning of a small word, or of a few together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cue {
    /// What follows is excluded.
    Not,
    /// What comes before is excluded: "recruiters aside".
    NotBefore,
    /// What follows is irrelevant: "need not be".
    Indifferent,
    /// What follows is in the past.
    Past,
    /// The company before it is in the past; without one, what follows: "before".
    PastBefore,
    /// The company before it is in the past.
    Alumni,
    /// An employer follows.
    At,
    /// A place or an industry follows.
    In,
    /// A name follows.
    Named,
    /// What follows belongs to what comes before.
    Of,
    /// A description of a person's work follows.
    Who,
    /// What follows has the same meaning as what comes before.
    Or,
    /// What follows has the same meaning as what comes before, if it is of the same kind.
    And,
    /// One of the networks.
    Network(NetworkKind),
    /// A condition on ties.
    Ties(Measure),
    /// The organization has not requested an introduction.
    NotAsked,
    /// A word for a company in general.
    CompanyNoun,
    /// A word for people in general.
    PeopleNoun,
    /// A comma, or another end of a clause.
    Break,
    /// Nothing.
    Stop,
}

/// The cue in these folded words, joined by spaces.
#[must_use]
pub fn find_cue(phrase: &str) -> Option<Cue> {
    CUES.get(phrase).copied()
}

/// Whether `word` is in a cue.
#[must_use]
pub fn has_word(word: &str) -> bool {
    WORDS.contains(word)
}

/// Maximum number of words in a cue.
#[must_use]
pub fn words_max() -> usize {
    *WORDS_MAX
}

static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| CUES.keys().flat_map(|phrase| phrase.split(' ')).collect());

static WORDS_MAX: LazyLock<usize> =
    LazyLock::new(|| CUES.keys().map(|phrase| phrase.split(' ').count()).max().unwrap_or(1));

static CUES: LazyLock<HashMap<&'static str, Cue>> = LazyLock::new(|| {
    let mut cues = HashMap::new();
    let text = include_str!("../lexicon/cues.txt");
    for (group, phrases) in word_list::groups(text) {
        let Some(cue) = cue_of(group) else { continue };
        for phrase in phrases {
            // The first group that has a phrase decides its meaning.
            cues.entry(phrase).or_insert(cue);
        }
    }
    cues
});

/// All phrases for `cue`, in no order.
#[cfg(test)]
pub(crate) fn phrases_of(cue: Cue) -> Vec<&'static str> {
    let mut phrases: Vec<_> = CUES.iter().filter(|(_, it)| **it == cue).map(|(phrase, _)| *phrase).collect();
    phrases.sort_unstable();
    phrases
}

fn cue_of(group: &str) -> Option<Cue> {
    Some(match group {
        "not" => Cue::Not,
        "not before" => Cue::NotBefore,
        "indifferent" => Cue::Indifferent,
        "past" => Cue::Past,
        "past before" => Cue::PastBefore,
        "alumni" => Cue::Alumni,
        "at" => Cue::At,
        "in" => Cue::In,
        "named" => Cue::Named,
        "of" => Cue::Of,
        "or" => Cue::Or,
        "and" => Cue::And,
        "most connected" => Cue::Ties(Measure::MostConnected),
        "well connected" => Cue::Ties(Measure::WellConnected),
        "warmest" => Cue::Ties(Measure::Warmest),
        "asked" => Cue::Ties(Measure::Asked),
        "not asked" => Cue::NotAsked,
        "who" => Cue::Who,
        "user" => Cue::Network(NetworkKind::User),
        "advocate" => Cue::Network(NetworkKind::Advocate),
        "organization" => Cue::Network(NetworkKind::Organization),
        "company noun" => Cue::CompanyNoun,
        "people noun" => Cue::PeopleNoun,
        "stop" => Cue::Stop,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_of_the_file_is_a_cue() {
        let text = include_str!("../lexicon/cues.txt");
        let groups: Vec<&str> = word_list::lines(text).filter_map(|line| line.split(':').next()).collect();
        assert_eq!(groups.len(), 24);
        assert!(groups.iter().all(|group| cue_of(group).is_some()), "{groups:?}");
        assert_eq!(find_cue("but not"), Some(Cue::Not));
        assert_eq!(find_cue("my advocates know"), Some(Cue::Network(NetworkKind::Advocate)));
        assert_eq!(find_cue("finance"), None);
    }
}
