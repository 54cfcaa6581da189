//! Concepts for sentences without titles: entries of the lexicon whose names, or whose associated words, a sentence
//! comes near.
//!
//! "Keeps the servers alive" has no word of any title, but "server" is associated with site reliability engineers, and
//! the vector of the whole sentence is near other phrases associated with that job.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::model::vectors::Quantized;
use crate::search::lexicon::{LEXICON, Lexicon, Name, Phrase};
use crate::search::parse::cues::find_cue;
use crate::search::words::stems;
use kith_embed::dot::Probe;
use kith_embed::model::{Model, Vector};

/// Maximum names of a concept whose vectors count.
const NAMES_MAX: usize = 12;
/// The number of nearest phrases of a concept that count.
const NEAREST_SAID: usize = 2;
/// The weight of the nearest phrases of a concept; the cosine of a sentence and a text has weight 1.
const OF_NEAREST: f32 = 0.7;
/// The weight of the mean of all its phrases.
const OF_MIDDLE: f32 = 0.5;
/// The weight of each vote of words for it, and the maximum number of votes.
const OF_VOTES: (f32, f32) = (0.2, 2.0);
/// Maximum number of words in an associated phrase.
const SPOKEN_WORDS_MAX: usize = 4;

/// The concepts of the lexicon, built once in some 20 ms.
static CONCEPTS: LazyLock<Concepts> = LazyLock::new(|| Concepts::of(&LEXICON));

/// Builds the concepts, unless they are built already.
pub(crate) fn prepare() {
    LazyLock::force(&CONCEPTS);
}

/// The kind of a concept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConceptKind {
    /// A field of work, its leaders, or an occupation.
    Work,
    /// A line of business.
    Industry,
    /// A city, a country or a region.
    Place,
}

/// A concept of the lexicon.
#[derive(Debug)]
pub struct Concept {
    /// The kind of concept.
    pub kind: ConceptKind,
    /// Its names: a text with all words of a name is about it.
    pub names: Vec<Phrase>,
    /// The vectors of its names and associated phrases.
    said: Vec<Quantized>,
    /// Their mean direction.
    middle: Quantized,
}

#[derive(Debug, Default)]
struct Concepts {
    all: Vec<Concept>,
    /// Maps an associated phrase, as stems joined by spaces, to its concepts.
    spoken: HashMap<String, Vec<usize>>,
}

/// The distance of `text`, whose vector is `probe`, from each concept; nearest first. Costs a cosine per associated
/// phrase, some 5,000.
#[must_use]
pub fn concepts_near(text: &str, probe: &Probe) -> Vec<(f32, &'static Concept)> {
    let votes = CONCEPTS.votes(&stems(text));
    let score = |(concept, votes): (&'static Concept, f32)| {
        let mut cosines: Vec<f32> = concept.said.iter().map(|said| probe.cosine(said)).collect();
        cosines.sort_unstable_by(|one, other| other.total_cmp(one));
        cosines.truncate(NEAREST_SAID);
        let nearest = cosines.iter().sum::<f32>() / cosines.len().max(1) as f32;
        let (of_vote, most) = OF_VOTES;
        let of_sense = OF_NEAREST * nearest + OF_MIDDLE * probe.cosine(&concept.middle);
        (of_sense + of_vote * votes.min(most), concept)
    };
    let mut near: Vec<_> = CONCEPTS.all.iter().zip(votes).map(score).collect();
    near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    near
}

impl Concepts {
    fn of(lexicon: &Lexicon) -> Self {
        let mut concepts = Self::default();
        for field in &lexicon.fields {
            let of_field: Vec<&str> = field.talk.iter().map(|name| name.said.as_str()).collect();
            let of_field = [&[field.name.as_str()][..], &of_field].concat();
            concepts.add(lexicon, ConceptKind::Work, &field.titles, &of_field);
            let jobs = std::iter::once(&field.chiefs).chain(&field.jobs);
            jobs.for_each(|names| concepts.add(lexicon, ConceptKind::Work, names, &[]));
        }
        lexicon.industries.iter().for_each(|names| concepts.add(lexicon, ConceptKind::Industry, names, &[]));
        lexicon.places.iter().for_each(|names| concepts.add(lexicon, ConceptKind::Place, names, &[]));
        concepts
    }

    /// Adds the concept called `names`, with the phrases `talk` and those that the lexicon associates with its names.
    fn add(&mut self, lexicon: &Lexicon, kind: ConceptKind, names: &[Name], talk: &[&str]) {
        // A region's line goes on with the places within it, which have lines of their own.
        let own = if kind == ConceptKind::Place { &names[..names.len().min(1)] } else { names };
        let about = own.iter().flat_map(|name| lexicon.described_by(&name.stems));
        let talk: Vec<&str> = talk.iter().copied().chain(about.map(String::as_str)).collect();
        let called = names.iter().map(|name| name.said.as_str());
        let spoken: BTreeSet<String> =
            called.clone().chain(talk.iter().copied()).map(|said| stems(said).join(" ")).collect();
        for said in spoken {
            self.spoken.entry(said).or_default().push(self.all.len());
        }
        let said: BTreeSet<&str> = called.take(NAMES_MAX).chain(talk).collect();
        let vectors: Vec<Vector> = said.into_iter().map(|said| Model::own().embed(said)).collect();
        self.all.push(Concept {
            kind,
            names: names.iter().map(|name| name.stems.clone()).collect(),
            said: vectors.iter().map(Vector::quantize).collect(),
            middle: Vector::middle(&vectors).quantize(),
        });
    }

    /// Counts, for each concept, the phrases in `words` associated with it; a phrase shared by many concepts counts
    /// less.
    fn votes(&self, words: &[String]) -> Vec<f32> {
        let mut votes = vec![0.0; self.all.len()];
        for length in 1..=SPOKEN_WORDS_MAX {
            for spoken in words.windows(length).map(|words| words.join(" ")) {
                let of = self.spoken.get(&spoken).filter(|_| length > 1 || find_cue(&spoken).is_none());
                for &concept in of.into_iter().flatten() {
                    votes[concept] += length as f32 / of.map_or(1, Vec::len) as f32;
                }
            }
        }
        votes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first name of the concept of a kind nearest to `text`.
    fn nearest(text: &str, kind: ConceptKind) -> String {
        let probe = Probe::new(&Model::own().embed(text));
        let near = concepts_near(text, &probe);
        let first = near.iter().find(|(_, concept)| concept.kind == kind);
        first.map(|(_, concept)| concept.names[0].join(" ")).unwrap_or_default()
    }

    #[test]
    fn talk_comes_near_what_is_described_whether_or_not_its_words_are_listed() {
        for (text, kind, expected) in [
            ("among tulips and windmills", ConceptKind::Place, "netherland"),
            ("insures houses against fire", ConceptKind::Industry, "insurance"),
        ] {
            assert_eq!(nearest(text, kind), expected, "{text}");
        }
    }

    #[test]
    fn what_is_said_of_many_votes_less_for_each_and_small_words_vote_for_nothing() {
        let votes = |text: &str| CONCEPTS.votes(&stems(text)).into_iter().fold(0.0, f32::max);
        assert!(votes("windmill") > votes("beer") && votes("beer") > 0.0);
        assert_eq!(votes("the with who"), 0.0);
    }
}
