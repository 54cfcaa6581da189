//! Network search: a sentence in plain language in, the right people out.
//!
//! A query becomes a draft (`parse`, or a language model), a draft the conditions it means (`resolve`), and an engine
//! scores each text of the network against a condition (`keyword`, `vector`, `relational`); `rank` then goes over the
//! people once. `question` runs all of this for one request. See `docs/search.md`.

pub mod answer;
pub mod columns;
pub mod companies;
mod company_runs;
pub mod concepts;
pub mod conditions;
pub mod engine;
pub mod explain;
pub mod field;
pub mod fit;
pub mod index;
pub mod keyword;
pub mod knowers;
pub mod known;
pub mod language;
pub mod languages;
pub mod lexicon;
pub mod measure;
pub mod names;
pub mod numbers;
pub mod parse;
pub mod past;
pub mod pool;
pub mod question;
pub mod rank;
pub mod recent;
pub mod relational;
pub mod resolve;
pub mod searched;
pub mod sentence;
pub mod silence;
pub mod sizes;
pub mod sweep;
pub mod text_index;
pub mod threads;
pub mod titles;
pub mod understood;
pub mod vector;
pub mod ways;
pub(crate) mod word_list;
pub mod words;

#[cfg(test)]
mod polarity;

/// Builds what all searches share (languages, titles and concepts), unless it is built already, so that no search waits
/// for it. It belongs to no network and stays in memory. Costs some 150 ms of two cores.
pub fn prepare() {
    std::thread::scope(|scope| {
        scope.spawn(concepts::prepare);
        titles::prepare();
    });
}
