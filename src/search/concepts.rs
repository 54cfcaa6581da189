//! What talk is about: the things of the lexicon whose names, and what people speak of beside them, it comes near.
//!
//! "Keeps the servers alive" has no word of any title; but "server" is spoken of by those who describe a site reliability
//! engineer, and the sentence as a whole points where other things said of the job do.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::model::vectors::Quantized;
use crate::search::lexicon::{LEXICON, Lexicon, Name, Phrase};
use crate::search::parse::cues::find_cue;
use crate::search::words::stems;
use kith_embed::dot::Probe;
use kith_embed::model::{Model, Vector};

/// The most names of a thing whose sense counts.
const NAMES_MAX: usize = 12;
/// So many of the nearest things said of a concept count.
const NEAREST_SAID: usize = 2;
/// How much the nearest things said of a concept count, beside the cosine of a sentence and a text.
const OF_NEAREST: f32 = 0.7;
/// Likewise the middle of all that is said of it.
const OF_MIDDLE: f32 = 0.5;
/// Likewise each vote of words for it, and the most votes that count.
const OF_VOTES: (f32, f32) = (0.2, 2.0);
/// What people speak of has so many words at most.
const SPOKEN_WORDS_MAX: usize = 4;

/// The concepts of the lexicon, made once, some 20 ms.
static CONCEPTS: LazyLock<Concepts> = LazyLock::new(|| Concepts::of(&LEXICON));

/// Makes the concepts, if they are not yet made.
pub(crate) fn prepare() {
    LazyLock::force(&CONCEPTS);
}

/// What a concept is a kind of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConceptKind {
    /// A field of work, those who lead it, or an occupation.
    Work,
    /// A line of business.
    Industry,
    /// A city, a country or a region.
    Place,
}

/// A thing of the lexicon.
#[derive(Debug)]
pub struct Concept {
    /// What it is a kind of.
    pub kind: ConceptKind,
    /// Its names: a text with all words of one of them is about it.
    pub names: Vec<Phrase>,
    /// The senses of its names, and of what is said of it.
    said: Vec<Quantized>,
    /// The direction between them.
    middle: Quantized,
}

#[derive(Debug, Default)]
struct Concepts {
    all: Vec<Concept>,
    /// By what people say, as its stems joined by spaces: the concepts that it is said of.
    spoken: HashMap<String, Vec<usize>>,
}

/// How near `text`, whose sense is `probe`, comes to each concept; the nearest first. Costs a cosine for each thing said
/// of a concept, some 5,000.
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

    /// Adds what is called `names`, of which people say `talk` and what the lexicon has for its names.
    fn add(&mut self, lexicon: &Lexicon, kind: ConceptKind, names: &[Name], talk: &[&str]) {
        // A region's line goes on with what lies within, which is described by lines of its own.
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

    /// For each concept, how many of the things said in `words` are said of it: what is said of many says little of each.
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

    /// What is nearest of a kind to `text`, by its first name.
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
