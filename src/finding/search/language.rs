//! Recognizes the language of a query.

use std::sync::LazyLock;

use whatlang::{Detector, Lang, Script};

use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::has_word;
use crate::search::parse::written::written;
use crate::search::words::stem;

/// The recognized languages, with their codes.
const CODES: [(Lang, &str); 28] = [
    (Lang::Eng, "en"),
    (Lang::Deu, "de"),
    (Lang::Fra, "fr"),
    (Lang::Spa, "es"),
    (Lang::Nld, "nl"),
    (Lang::Ita, "it"),
    (Lang::Por, "pt"),
    (Lang::Pol, "pl"),
    (Lang::Swe, "sv"),
    (Lang::Dan, "da"),
    (Lang::Nob, "no"),
    (Lang::Fin, "fi"),
    (Lang::Tur, "tr"),
    (Lang::Ces, "cs"),
    (Lang::Ron, "ro"),
    (Lang::Hun, "hu"),
    (Lang::Hrv, "hr"),
    (Lang::Rus, "ru"),
    (Lang::Ukr, "uk"),
    (Lang::Ell, "el"),
    (Lang::Heb, "he"),
    (Lang::Ara, "ar"),
    (Lang::Hin, "hi"),
    (Lang::Tha, "th"),
    (Lang::Vie, "vi"),
    (Lang::Kor, "ko"),
    (Lang::Jpn, "ja"),
    (Lang::Cmn, "zh"),
];
/// The languages that the parser reads.
const READ: [&str; 5] = ["en", "de", "fr", "es", "nl"];
/// Minimum number of words, and minimum confidence, to recognize a language in Latin letters.
const WORDS_MIN: usize = 3;
const CONFIDENCE_MIN: f64 = 0.5;
/// Minimum confidence if the query has words of a language that is read: Portuguese shares many with Spanish.
const CONFIDENCE_BESIDE_MIN: f64 = 0.95;

static DETECTOR: LazyLock<Detector> =
    LazyLock::new(|| Detector::with_allowlist(CODES.iter().map(|(language, _)| *language).collect()));

/// Whether the parser reads the language with this code.
#[must_use]
pub fn is_read(code: &str) -> bool {
    READ.contains(&code)
}

/// The code of the language of `query`; `shown` is the language that its words show, if it is one that is read. `None`
/// if several are possible. Costs a few microseconds.
#[must_use]
pub fn spoken(query: &str, shown: Option<&'static str>) -> Option<&'static str> {
    let words: Vec<String> = written(query).into_iter().map(|it| it.word).collect();
    let detected = DETECTOR.detect(query).and_then(|found| {
        let code = CODES.iter().find(|(language, _)| *language == found.lang())?.1;
        let is_sure = match found.script() {
            Script::Latin => {
                let least = if shown.is_some() { CONFIDENCE_BESIDE_MIN } else { CONFIDENCE_MIN };
                words.len() >= WORDS_MIN && found.confidence() >= least
            }
            // Few languages share another alphabet.
            _ => true,
        };
        is_sure.then_some(code)
    });
    let english = words.iter().filter(|word| has_word(word) || LEXICON.knows_stem(&stem(word))).count();
    match detected {
        Some(code) if !is_read(code) && english * 2 <= words.len() => Some(code),
        _ => shown.or_else(|| (english > 0).then_some("en")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_recognized_by_its_letters_or_by_enough_of_its_words() {
        for (query, expected) in [
            ("heads of finance in Oslo", Some("en")),
            ("founders", Some("en")),
            ("recruiters not in Oslo", Some("en")),
            ("Stripe alumni in London", Some("en")),
            ("who can introduce me to Daniel Ek", Some("en")),
            ("chi lavora nella finanza a Roma", Some("it")),
            ("pessoas que trabalham em bancos em São Paulo", Some("pt")),
            ("osoby z doświadczeniem w sprzedaży", Some("pl")),
            ("chefer inom försäljning i Stockholm", Some("sv")),
            ("кто работает в банке", Some("ru")),
            ("영업 이사", Some("ko")),
            ("Ada Lark", None),
            ("Kowalczyk", None),
            ("", None),
        ] {
            assert_eq!(spoken(query, None), expected, "{query}");
        }
    }
}
