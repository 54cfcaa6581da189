//! Signals: the reasons for a score as sentences, from an edge's breakdown.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The sentences of import factors that evidence can date.
pub(crate) const CONNECTED: &str = "Connected";
pub(crate) const INVITED: &str = "One invited the other to connect";
pub(crate) const IN_TOUCH: &str = "In touch";
pub(crate) const WROTE_OFTEN: &str = "Wrote to each other, or one to the other";
pub(crate) const MET: &str = "Met";
/// The opening of a sentence about a step that no file states.
pub(crate) const PROBABLY: &str = "Probably know each other";
pub(crate) const SEEN_TOGETHER: &str =
    "Probably know each other: seen together in a colleague's mail or calendar";
pub(crate) const AT_ONE_PLACE: &str = "Probably know each other: at one place at the same time";

/// The sentences of a breakdown (compact JSON, or empty): one per factor above 0, highest first, ties by the factor's
/// name.
#[must_use]
pub fn signals(breakdown: &str) -> Vec<String> {
    if breakdown.is_empty() {
        return Vec::new();
    }
    let Ok(Factors { mut positive, past_company }) = serde_json::from_str(breakdown) else {
        return Vec::new();
    };
    positive.sort_unstable_by(|(a, left), (b, right)| right.cmp(left).then_with(|| a.cmp(b)));
    positive.iter().map(|(factor, _)| sentence(factor, past_company.as_deref())).collect()
}

/// The past company that a breakdown names; `None` if it names none, or not as a text.
#[must_use]
pub fn past_company(breakdown: &str) -> Option<String> {
    if !breakdown.contains("pastCompanyName") {
        return None;
    }
    let past_company = serde_json::from_str::<Factors<'_>>(breakdown).ok()?.past_company;
    past_company.filter(|name| !name.trim().is_empty())
}

fn sentence(factor: &str, past_company: Option<&str>) -> String {
    match (factor, past_company) {
        ("currentCompanyMatch", _) => "Works at the same company now".to_owned(),
        ("pastCompanyOverlap", Some(company)) => format!("Worked at {company} at the same time"),
        ("pastCompanyOverlap", None) => "Worked at the same company in the past".to_owned(),
        ("sharedAccelerator", _) => "Went through the same accelerator".to_owned(),
        ("sameCity", _) => "Lives in the same city".to_owned(),
        ("industryTypeMatch", _) => "Works in the same industry".to_owned(),
        ("connection", _) => CONNECTED.to_owned(),
        ("yearsConnected", _) => "Connected for more than a year".to_owned(),
        ("invitation", _) => INVITED.to_owned(),
        ("messageRecency", _) => IN_TOUCH.to_owned(),
        ("messageVolume", _) => WROTE_OFTEN.to_owned(),
        ("messageReciprocity", _) => "Both write".to_owned(),
        ("meetings", _) => MET.to_owned(),
        ("listedWeight", _) => "A list says how well they know each other".to_owned(),
        ("seenTogether", _) => SEEN_TOGETHER.to_owned(),
        ("sharedInstitution", _) => AT_ONE_PLACE.to_owned(),
        _ => format!("Shares a factor: {}", spelled_out(factor)),
    }
}

/// Turns `postInteractions` into `post interactions`.
fn spelled_out(factor: &str) -> String {
    let mut words = String::with_capacity(factor.len() + 4);
    let mut after_lower = false;
    for character in factor.chars() {
        if matches!(character, '_' | '-' | ' ') {
            words.push(' ');
        } else {
            if character.is_uppercase() && after_lower {
                words.push(' ');
            }
            words.extend(character.to_lowercase());
        }
        after_lower = character.is_lowercase() || character.is_numeric();
    }
    words
}

/// The factors above 0 with their numbers, and the name that belongs to one of them.
struct Factors<'a> {
    positive: Vec<(Cow<'a, str>, Decimal)>,
    past_company: Option<String>,
}

impl<'de> Deserialize<'de> for Factors<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FactorsVisitor)
    }
}

struct FactorsVisitor;

impl<'de> Visitor<'de> for FactorsVisitor {
    type Value = Factors<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object of factors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut factors = Factors { positive: Vec::new(), past_company: None };
        while let Some(key) = map.next_key::<Key<'de>>()? {
            if key.0 == "pastCompanyName" {
                factors.past_company = map.next_value()?;
                continue;
            }
            let number = map.next_value::<&'de RawValue>()?.get();
            if is_positive(number) {
                factors.positive.push((key.0, Decimal::read(number)));
            }
        }
        Ok(factors)
    }
}

/// A key, borrowed unless it contains an escape.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(key)))
            }
            fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// Whether a JSON number is above 0: it has no minus, and a digit other than 0 before its exponent.
fn is_positive(number: &str) -> bool {
    number.starts_with(|first: char| first.is_ascii_digit())
        && number
            .bytes()
            .take_while(|byte| !matches!(byte, b'e' | b'E'))
            .any(|byte| (b'1'..=b'9').contains(&byte))
}

/// A number above 0 as `0.DIGITS × 10^magnitude`, exact however many digits it has. Neither the first nor the last digit
/// is 0.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Decimal {
    magnitude: i128,
    digits: Vec<u8>,
}

impl Decimal {
    fn read(number: &str) -> Self {
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, ""));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = whole.bytes().chain(fraction.bytes());
        let zeros = all.clone().take_while(|&digit| digit == b'0').count();
        let mut digits: Vec<u8> = all.skip(zeros).collect();
        digits.truncate(digits.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1));
        let shift = if exponent.is_empty() { 0 } else { saturating_exponent(exponent) };
        Self { magnitude: whole.len() as i128 - zeros as i128 + shift, digits }
    }
}

/// An exponent, clamped beyond what any number of real length needs.
fn saturating_exponent(text: &str) -> i128 {
    const FAR: i128 = i128::MAX / 4;
    text.parse().unwrap_or(if text.starts_with('-') { -FAR } else { FAR }).clamp(-FAR, FAR)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    #[test]
    fn factors_above_zero_become_sentences_greatest_first() {
        let breakdown = r#"{"sameCity":5,"pastCompanyOverlap":25,"pastCompanyName":"Deloitte","smallTeam":0,"industryTypeMatch":5,"x":-1}"#;
        assert_eq!(
            signals(breakdown),
            ["Worked at Deloitte at the same time", "Works in the same industry", "Lives in the same city"]
        );
    }

    #[test]
    fn a_breakdown_names_a_past_company_as_text_or_not_at_all() {
        for (breakdown, expected) in [
            ("", None),
            (r#"{"sameCity":5}"#, None),
            (r#"{"pastCompanyName":"Deloitte","smallTeam":0}"#, Some("Deloitte")),
            (r#"{"pastCompanyName":7}"#, None),
            (r#"{"pastCompanyName":" "}"#, None),
            (r#"{"note":"pastCompanyName"}"#, None),
        ] {
            assert_eq!(past_company(breakdown).as_deref(), expected, "{breakdown}");
        }
    }

    #[test]
    fn nothing_known_or_nothing_positive_gives_no_signal() {
        for breakdown in ["", r#"{"sameCity":0,"x":-3}"#, r#"{"pastCompanyName":"A"}"#, r#"{"x":0.00e9}"#] {
            assert!(signals(breakdown).is_empty(), "{breakdown}");
        }
    }

    #[test]
    fn unknown_factors_are_described_by_their_names() {
        assert_eq!(signals(r#"{"postInteractions":1}"#), ["Shares a factor: post interactions"]);
        assert_eq!(signals(r#"{"shared_URL2x":1}"#), ["Shares a factor: shared url2x"]);
    }

    #[test]
    fn numbers_compare_by_exact_value() {
        for (left, right, expected) in [
            ("9007199254740993", "9007199254740992", Ordering::Greater),
            ("1e400", "1e401", Ordering::Less),
            ("10", "1e1", Ordering::Equal),
            ("0.5", "5e-1", Ordering::Equal),
            ("0.05", "0.5", Ordering::Less),
            ("100", "99.99", Ordering::Greater),
            ("1.50", "1.5", Ordering::Equal),
            ("1e99999999999999999999", "9", Ordering::Greater),
            ("1e-99999999999999999999", "9", Ordering::Less),
        ] {
            let found = Decimal::read(left).cmp(&Decimal::read(right));
            assert_eq!(found, expected, "{left} and {right}");
        }
    }
}
