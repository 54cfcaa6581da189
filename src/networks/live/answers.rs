//! Written answers, kept with the network they are about.
//!
//! An answer depends only on the network, the asking member, the parameters and the bounds, and a network never
//! changes. So a repeated question has the same answer until another network replaces this one. The answers are dropped
//! with the network, so nobody who is to be forgotten stays in them. An answer is kept when its question comes for the
//! second time: most come once, and keeping all answers would cost each some microseconds.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use bytes::Bytes;
use hashlink::LruCache;

use crate::limits::ANSWERS_KEPT_BYTES_MAX;
use crate::model::ix::MemberIx;
use kith::limits::Limits;

/// Approximate size of a kept answer beside its texts, in bytes.
const ENTRY_BYTES: usize = 256;
/// The answers take at most this fraction of the index's size, so that a small network stays small.
const PART_OF_INDEX: usize = 8;
/// Bytes of answers per remembered question that came once.
const BYTES_FOR_A_QUESTION: usize = 1 << 11;
/// Places in which the hash of a question can be remembered.
const WAYS: usize = 4;

/// Everything an answer depends on besides the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AskedQuestion<'a> {
    /// The id of the operation.
    pub operation: &'static str,
    /// The asking member; `None` for an organization key.
    pub asking: Option<MemberIx>,
    /// The parameters, as sent.
    pub query: &'a str,
}

/// The body of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAnswer {
    /// JSON.
    pub body: Bytes,
    /// Whether a bound on work cut it short.
    pub is_capped: bool,
}

/// A cache of the most recently used answers about one network.
#[derive(Debug)]
pub struct Answers {
    bytes_max: usize,
    hasher: RandomState,
    /// The hashes of some questions that came; 0 is none.
    came: OnceLock<Box<[AtomicU64]>>,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    /// Entries by the hash of the question.
    answers: LruCache<u64, Entry>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    operation: &'static str,
    asking: Option<MemberIx>,
    query: Box<str>,
    limits: Limits,
    answer: WrittenAnswer,
}

impl Answers {
    /// An empty cache for a network whose index takes `index_bytes`.
    #[must_use]
    pub fn beside(index_bytes: usize) -> Self {
        let kept = Kept { answers: LruCache::new_unbounded(), bytes: 0 };
        Self {
            bytes_max: ANSWERS_KEPT_BYTES_MAX.min(index_bytes / PART_OF_INDEX),
            hasher: RandomState::new(),
            came: OnceLock::new(),
            kept: Mutex::new(kept),
        }
    }

    /// The kept answer to `question` within these bounds. `None` if there is none, or another thread holds the lock:
    /// waiting could take longer than answering.
    #[must_use]
    pub fn get(&self, question: AskedQuestion<'_>, limits: &Limits) -> Option<WrittenAnswer> {
        let hash = self.hasher.hash_one(question);
        let mut kept = self.kept.try_lock().ok()?;
        // Two questions can have the same hash.
        let entry = kept.answers.get(&hash).filter(|entry| entry.is_of(question, limits))?;
        Some(entry.answer.clone())
    }

    /// Keeps the `answer` to `question` within these bounds if the question came before, and evicts the least recently
    /// used ones if there are too many. Keeps nothing if the answer is too long, or another thread holds the lock.
    pub fn keep(&self, question: AskedQuestion<'_>, limits: &Limits, answer: &WrittenAnswer) {
        let AskedQuestion { operation, asking, query } = question;
        let hash = self.hasher.hash_one(question);
        let bytes = ENTRY_BYTES + query.len() + answer.body.len();
        if bytes > self.bytes_max || !self.comes_again(hash) {
            return;
        }
        // A copy, since the buffer it was written into can be twice as long.
        let answer = WrittenAnswer { body: Bytes::copy_from_slice(&answer.body), ..*answer };
        let entry = Entry { operation, asking, query: query.into(), limits: *limits, answer };
        let Ok(mut kept) = self.kept.try_lock() else { return };
        let replaced = kept.answers.insert(hash, entry);
        kept.bytes = kept.bytes + bytes - replaced.map_or(0, |entry| entry.bytes());
        while kept.bytes > self.bytes_max {
            let Some((_, oldest)) = kept.answers.remove_lru() else { return };
            kept.bytes -= oldest.bytes();
        }
    }

    /// Whether a question with this hash came before and is remembered; it is remembered from now on.
    fn comes_again(&self, hash: u64) -> bool {
        let places = self.places_to_remember();
        let came = self.came.get_or_init(|| (0..places).map(|_| AtomicU64::new(0)).collect());
        let (set, way) = (hash as usize % (places / WAYS), (hash >> 32) as usize % WAYS);
        let ways = &came[set * WAYS..][..WAYS];
        let hashes = || ways.iter().map(|came| came.load(Ordering::Relaxed));
        if hashes().any(|came| came == hash) {
            return true;
        }
        ways[hashes().position(|came| came == 0).unwrap_or(way)].store(hash, Ordering::Relaxed);
        false
    }

    /// Maximum size on the heap, in bytes.
    #[must_use]
    pub fn size_bytes_at_most(&self) -> usize {
        self.bytes_max + self.places_to_remember() * size_of::<AtomicU64>()
    }

    /// The number of hashes to remember of questions that came once.
    fn places_to_remember(&self) -> usize {
        self.bytes_max.div_ceil(BYTES_FOR_A_QUESTION * WAYS) * WAYS
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let came = self.came.get().map_or(0, |came| size_of_val(&**came));
        came + self.kept.lock().map_or(0, |kept| kept.bytes)
    }
}

impl Entry {
    fn is_of(&self, question: AskedQuestion<'_>, limits: &Limits) -> bool {
        let own = AskedQuestion { operation: self.operation, asking: self.asking, query: &self.query };
        own == question && self.limits == *limits
    }

    fn bytes(&self) -> usize {
        ENTRY_BYTES + self.query.len() + self.answer.body.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: AskedQuestion<'_> =
        AskedQuestion { operation: "searchPeople", asking: None, query: "q=an" };
    const LIMITS: Limits = Limits::DEFAULT;

    fn answer(text: &str) -> WrittenAnswer {
        WrittenAnswer { body: Bytes::copy_from_slice(text.as_bytes()), is_capped: false }
    }

    fn ask(answers: &Answers, question: AskedQuestion<'_>, text: &str) -> Option<WrittenAnswer> {
        let kept = answers.get(question, &LIMITS);
        answers.keep(question, &LIMITS, &answer(text));
        kept
    }

    #[test]
    fn an_answer_is_given_again_from_the_third_time_on_that_its_question_comes() {
        let answers = Answers::beside(1 << 20);
        let given: Vec<bool> = (0..4).map(|_| ask(&answers, QUESTION, "[]").is_some()).collect();
        assert_eq!(given, [false, false, true, true]);
        assert_eq!(answers.get(QUESTION, &LIMITS), Some(answer("[]")));
    }

    #[test]
    fn no_other_question_has_its_answer() {
        let answers = Answers::beside(1 << 20);
        let capped = WrittenAnswer { is_capped: true, ..answer("[]") };
        (0..2).for_each(|_| answers.keep(QUESTION, &LIMITS, &capped));
        assert_eq!(answers.get(QUESTION, &LIMITS), Some(capped));
        for other in [
            AskedQuestion { operation: "searchCompanies", ..QUESTION },
            AskedQuestion { asking: Some(MemberIx(0)), ..QUESTION },
            AskedQuestion { query: "q=AN", ..QUESTION },
        ] {
            assert_eq!(answers.get(other, &LIMITS), None, "{other:?}");
        }
        assert_eq!(answers.get(QUESTION, &Limits { bridges: 1, ..LIMITS }), None);
    }

    #[test]
    fn two_questions_with_one_hash_do_not_have_each_others_answers() {
        let answers = Answers::beside(1 << 20);
        (0..2).for_each(|_| answers.keep(QUESTION, &LIMITS, &answer("[]")));
        let other = AskedQuestion { query: "q=other", ..QUESTION };
        let mut kept = answers.kept.lock().unwrap();
        let entry = kept.answers.remove(&answers.hasher.hash_one(QUESTION)).unwrap();
        kept.answers.insert(answers.hasher.hash_one(other), entry);
        drop(kept);
        assert_eq!(answers.get(other, &LIMITS), None);
        // The control: the same hash and the same question.
        let mut kept = answers.kept.lock().unwrap();
        let entry = kept.answers.remove(&answers.hasher.hash_one(other)).unwrap();
        kept.answers.insert(answers.hasher.hash_one(QUESTION), entry);
        drop(kept);
        assert!(answers.get(QUESTION, &LIMITS).is_some());
    }

    #[test]
    fn the_answers_asked_for_last_are_kept_within_their_bound() {
        let answers = Answers::beside(PART_OF_INDEX * 100_000);
        let queries: Vec<String> = (0..300).map(|number| format!("q={number}")).collect();
        let asked = |at: usize| AskedQuestion { query: &queries[at], ..QUESTION };
        for at in 0..300 {
            (0..2).for_each(|_| answers.keep(asked(at), &LIMITS, &answer(&"x".repeat(1_000))));
            let kept = answers.kept.lock().unwrap();
            let bytes: usize = kept.answers.iter().map(|(_, entry)| entry.bytes()).sum();
            assert_eq!(kept.bytes, bytes);
            assert!(bytes <= 100_000);
        }
        let kept: Vec<usize> = (0..300).filter(|&at| answers.get(asked(at), &LIMITS).is_some()).collect();
        assert!((70..80).contains(&kept.len()) && kept.iter().copied().eq(300 - kept.len()..300), "{kept:?}");
        assert!(answers.size_bytes() <= answers.size_bytes_at_most(), "{}", answers.size_bytes());
        assert!(answers.size_bytes_at_most() <= 110_000);
        // An answer longer than the whole cache is not kept, and evicts nothing.
        (0..3).for_each(|_| answers.keep(QUESTION, &LIMITS, &answer(&"x".repeat(100_000))));
        assert_eq!(answers.get(QUESTION, &LIMITS), None);
        assert!(answers.get(asked(299), &LIMITS).is_some());
    }

    #[test]
    fn a_network_without_people_keeps_nothing() {
        let answers = Answers::beside(0);
        (0..3).for_each(|_| answers.keep(QUESTION, &LIMITS, &answer("")));
        assert_eq!((answers.get(QUESTION, &LIMITS), answers.size_bytes()), (None, 0));
    }
}
