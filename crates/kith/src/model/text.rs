//! Text folding: the form that orders names, and the plainer form that matches them.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The folded form of `text`.
///
/// NFKD, combining marks (category Mn) removed, each character lower-cased by itself, runs of white space collapsed to
/// one space, trimmed. Folded texts compare in code point order, which for UTF-8 is byte order. Costs one pass, a
/// faster one for ASCII.
#[must_use]
pub fn fold(text: &str) -> String {
    written_by(fold_onto, text)
}

/// Appends the [`fold`]ed form of `text` to `out`.
pub fn fold_onto(text: &str, out: &mut String) {
    let start = out.len();
    if is_spaced_ascii(text.as_bytes()) {
        out.push_str(text);
        out[start..].make_ascii_lowercase();
        return;
    }
    if text.is_ascii() {
        text.chars().for_each(|character| push_folded(out, start, character));
    } else {
        text.nfkd()
            .filter(|character| character.general_category() != GeneralCategory::NonspacingMark)
            .for_each(|character| push_folded(out, start, character));
    }
    if out[start..].ends_with(' ') {
        out.pop();
    }
}

/// Whether `text` is ASCII with only single spaces between other characters as white space.
fn is_spaced_ascii(text: &[u8]) -> bool {
    let mut before = b' ';
    for &byte in text {
        let is_other_space = matches!(byte, b'\t'..=b'\r');
        if !byte.is_ascii() || is_other_space || (byte == b' ' && before == b' ') {
            return false;
        }
        before = byte;
    }
    before != b' ' || text.is_empty()
}

/// Appends `character`, folded, to a folded text that begins at `start` of `out`.
fn push_folded(out: &mut String, start: usize, character: char) {
    if character.is_whitespace() {
        if out.len() > start && !out.ends_with(' ') {
            out.push(' ');
        }
    } else if character.is_ascii() {
        out.push(character.to_ascii_lowercase());
    } else {
        out.extend(character.to_lowercase());
    }
}

/// The plain form of `text`, in which texts are matched: folded, with foreign letters as other keyboards type them.
///
/// `ł đ ð ø ħ ŧ ı` become `l d d o h t i`; `ß æ œ þ` become `ss ae oe th`.
#[must_use]
pub fn plain(text: &str) -> String {
    written_by(plain_onto, text)
}

/// Appends the [`plain`] form of `text` to `out`.
pub fn plain_onto(text: &str, out: &mut String) {
    let start = out.len();
    fold_onto(text, out);
    if has_foreign_letters(&out[start..]) {
        let folded = out.split_off(start);
        out.push_str(&plain_of(&folded));
    }
}

/// The [`plain`] form of a folded text.
#[must_use]
pub fn plain_of(folded: &str) -> Cow<'_, str> {
    if has_foreign_letters(folded) {
        folded.chars().flat_map(plain_letters).collect::<String>().into()
    } else {
        folded.into()
    }
}

/// Whether the [`plain`] form of a folded text differs from it.
#[must_use]
pub fn has_foreign_letters(folded: &str) -> bool {
    !folded.is_ascii() && folded.chars().any(|character| letters_of(character).is_some())
}

/// The plain letters for a folded `character`.
fn plain_letters(character: char) -> impl Iterator<Item = char> {
    let (letters, itself) = match letters_of(character) {
        Some(letters) => (letters, None),
        None => ("", Some(character)),
    };
    letters.chars().chain(itself)
}

/// The plain letters for a folded foreign `character`; `None` for any other character.
const fn letters_of(character: char) -> Option<&'static str> {
    Some(match character {
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ø' => "o",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        _ => return None,
    })
}

/// `text` with each character lower-cased by itself: the form in which handles are compared.
#[must_use]
pub fn lower(text: &str) -> String {
    written_by(lower_onto, text)
}

/// Appends the [`lower`]ed form of `text` to `out`.
pub fn lower_onto(text: &str, out: &mut String) {
    if text.is_ascii() {
        let start = out.len();
        out.push_str(text);
        out[start..].make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// `text` composed (NFC), with each character lower-cased by itself and every sigma alike: handles from different
/// systems become one text.
#[must_use]
pub fn composed_lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfc()
        .flat_map(char::to_lowercase)
        .map(|character| if character == 'ς' { 'σ' } else { character })
        .collect()
}

/// `text` trimmed, with each character lower-cased by itself: the form in which e-mail addresses are compared.
#[must_use]
pub fn address(text: &str) -> String {
    written_by(address_onto, text)
}

/// Appends the [`address`] form of `text` to `out`.
pub fn address_onto(text: &str, out: &mut String) {
    lower_onto(text.trim(), out);
}

/// The domain in `text`, a web address or a bare domain: the form in which domains are compared. Empty if there is
/// none; an empty domain matches nothing.
///
/// `text` is trimmed and each character lower-cased by itself; then a leading `scheme://`, everything from the first
/// `/`, `?` or `#`, a `:port`, one leading `www.` and one trailing full stop are cut, in this order. The rest is a
/// domain if it has a full stop between other characters and neither white space nor `@`.
#[must_use]
pub fn domain(text: &str) -> String {
    let lowered = address(text);
    let is_scheme = |scheme: &str| {
        let rest = |character: char| character.is_ascii_alphanumeric() || "+-.".contains(character);
        scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.chars().all(rest)
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let scheme = lowered.split_once("://").filter(|(scheme, _)| is_scheme(scheme));
    let host = scheme.map_or(&*lowered, |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or("");
    let host = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(host, _)| host);
    let host = host.strip_prefix("www.").unwrap_or(host);
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_outside = |character: char| character.is_whitespace() || character == '@';
    let is_domain = host.trim_matches('.').contains('.') && !host.contains(is_outside);
    if is_domain { host.to_owned() } else { String::new() }
}

/// Appends the [`domain`] in `text` to `out`.
pub fn domain_onto(text: &str, out: &mut String) {
    out.push_str(&domain(text));
}

/// The text that `append` appends for `text`.
#[must_use]
pub fn written_by(append: fn(&str, &mut String), text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    append(text, &mut written);
    written
}

/// Whether `character` combines with the letter before it.
#[must_use]
pub fn is_mark(character: char) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    matches!(character.general_category(), NonspacingMark | SpacingMark | EnclosingMark)
}

/// The words of a folded name, in order; commas and full stops separate words.
pub fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split([' ', ',', '.']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_follows_the_contract_to_the_letter() {
        for (text, folded) in [
            ("  Ana\u{a0}\t MARÍA ", "ana maria"),
            ("Ｆｕｌｌ", "full"),
            ("İstanbul", "istanbul"),
            ("Straße", "straße"),
            ("ΟΔΟΣ", "οδοσ"),
            ("Łukasz Ørsted", "łukasz ørsted"),
            ("한글", "한글"),
            ("\u{301}", ""),
            ("ﬁn", "fin"),
            ("", ""),
            (" \u{2003} ", ""),
        ] {
            assert_eq!(fold(text), fold(folded), "{text}");
            assert_eq!(fold(text).chars().filter(|c| c.is_uppercase()).count(), 0);
        }
        assert_eq!(fold("Ana MARÍA"), "ana maria");
        assert_eq!(fold("ΟΔΟΣ"), "οδοσ");
    }

    #[test]
    fn plain_text_is_what_others_type() {
        for (text, expected) in [
            ("Łukasz Ørsted", "lukasz orsted"),
            ("Straße, STRAẞE", "strasse, strasse"),
            ("Đorđe Ægir Œuvre Þór Ħal Ŧed", "dorde aegir oeuvre thor hal ted"),
            ("Guðrún Kılıç", "gudrun kilic"),
            ("İstanbul", "istanbul"),
            ("José Müller", "jose muller"),
            ("Жанна 李", "жанна 李"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
            assert_eq!(plain(expected), expected);
            assert_eq!(has_foreign_letters(&fold(text)), fold(text) != expected, "{text}");
        }
    }

    #[test]
    fn ascii_is_folded_as_its_words_in_lower_case_whatever_stands_before() {
        let all = || (0..128_u8).map(char::from);
        for (one, other) in all().flat_map(|one| all().map(move |other| (one, other))) {
            for text in [format!("{one}{other}"), format!("A{one}{other}b")] {
                let words: Vec<&str> = text.split_whitespace().collect();
                let mut folded = "before ".to_owned();
                fold_onto(&text, &mut folded);
                assert_eq!(folded, format!("before {}", words.join(" ").to_ascii_lowercase()), "{text:?}");
            }
        }
    }

    #[test]
    fn folding_twice_is_folding_once() {
        for text in ["Ångström  Å", "ǅ", "ﷺ", "Ⅻ", "\u{fb01}\u{300} x"] {
            assert_eq!(fold(&fold(text)), fold(text), "{text}");
        }
    }

    #[test]
    fn domains_are_cut_to_the_letter_of_the_contract() {
        for (text, expected) in [
            ("acme.com", "acme.com"),
            ("  Acme.COM\u{a0}", "acme.com"),
            ("https://acme.com", "acme.com"),
            ("HTTP+x-1.0://www.Acme.com:8080/about?x#y", "acme.com"),
            ("acme.com/jobs", "acme.com"),
            ("acme.com?x=://", "acme.com"),
            ("acme.com#top", "acme.com"),
            ("acme.com:443", "acme.com"),
            ("acme.com.:443", "acme.com"),
            ("acme.com.", "acme.com"),
            ("acme.com..", "acme.com."),
            ("www.www.acme.com", "www.acme.com"),
            ("shop.acme.co.uk", "shop.acme.co.uk"),
            ("Bücher.DE", "bücher.de"),
            ("acme.com:https", "acme.com:https"),
            ("1x://acme.com", ""),
            ("://acme.com", ""),
            ("www.com", ""),
            ("www.acme", ""),
            ("acme", ""),
            (".com", ""),
            ("acme.", ""),
            ("...", ""),
            ("", ""),
            ("ann@acme.com", ""),
            ("https://ann@acme.com/", ""),
            ("acme .com", ""),
            ("acme.com /x", ""),
            ("https://", ""),
        ] {
            assert_eq!(domain(text), expected, "{text:?}");
        }
    }

    #[test]
    fn words_split_at_spaces_commas_and_full_stops() {
        assert_eq!(words("smith, j.r. jr").collect::<Vec<_>>(), ["smith", "j", "r", "jr"]);
        assert_eq!(words(" . , ").count(), 0);
    }
}
