//! Turns a language model's text into a draft. The text is not trusted: anything but the exact closed shape is refused,
//! and only checked terms and names of enums pass.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::language_model::failure::AnswerFault;
use crate::search::conditions::{Draft, NetworkKind, TERM_CHARS_MAX, TERMS_MAX, Term, TermKind};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer<'a> {
    #[serde(borrow)]
    terms: Vec<&'a RawValue>,
    networks: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerTerm {
    kind: String,
    text: String,
    negated: bool,
    past: bool,
}

/// Parses a language model's answer.
///
/// The draft keeps every bound of its type: at most [`TERMS_MAX`] terms of 1 to [`TERM_CHARS_MAX`] characters, trimmed
/// and without control characters, and each network at most once. Costs one pass over the text; the caller bounds its
/// length.
///
/// # Errors
/// Returns the first fault of any other answer.
pub fn read(text: &str) -> Result<Draft, AnswerFault> {
    let answer: Answer<'_> = object(text)?;
    if answer.terms.len() > TERMS_MAX {
        return Err(AnswerFault::TooManyTerms);
    }
    let terms = answer.terms.into_iter().map(|term| self::term(term.get())).collect::<Result<_, _>>()?;
    Ok(Draft { terms, networks: networks(&answer.networks)?, ..Draft::default() })
}

/// An object, and not the array of its values, which serde would also accept.
fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, AnswerFault> {
    let read = serde_json::from_str(text);
    let read =
        read.map_err(
            |error| if error.is_data() { AnswerFault::WrongShape } else { AnswerFault::ContentNotJson },
        )?;
    if text.trim_start().starts_with('{') { Ok(read) } else { Err(AnswerFault::WrongShape) }
}

fn term(text: &str) -> Result<Term, AnswerFault> {
    let said: AnswerTerm = object(text)?;
    let kind = TermKind::drafted().find(|kind| kind.name() == said.kind).ok_or(AnswerFault::UnknownKind)?;
    Ok(Term { kind, text: checked(&said.text)?, negated: said.negated, past: said.past })
}

fn checked(text: &str) -> Result<String, AnswerFault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(AnswerFault::BlankTerm);
    }
    // One character past the bound is enough; a longer text is not counted to its end.
    if text.chars().nth(TERM_CHARS_MAX).is_some() {
        return Err(AnswerFault::LongTerm);
    }
    if text.chars().any(char::is_control) {
        return Err(AnswerFault::ControlCharacter);
    }
    Ok(text.to_owned())
}

fn networks(names: &[String]) -> Result<Vec<NetworkKind>, AnswerFault> {
    let mut networks = Vec::with_capacity(NetworkKind::ALL.len());
    for name in names {
        let known = NetworkKind::ALL.into_iter().find(|network| network.name() == name);
        let network = known.ok_or(AnswerFault::UnknownNetwork)?;
        // So there are never more than there are networks.
        if networks.contains(&network) {
            return Err(AnswerFault::RepeatedNetwork);
        }
        networks.push(network);
    }
    Ok(networks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term_json(kind: &str, text: &str) -> String {
        format!(r#"{{"kind":"{kind}","text":"{text}","negated":false,"past":false}}"#)
    }

    fn answer_json(terms: &[String], networks: &str) -> String {
        format!(r#"{{"terms":[{}],"networks":[{networks}]}}"#, terms.join(","))
    }

    #[test]
    fn a_legal_answer_becomes_the_draft_it_says() {
        let text = r#" {"networks":["advocate","user"],"terms":[
            {"kind":"role","text":"  head of finance ","negated":false,"past":true},
            {"text":"Zürich","kind":"place","past":false,"negated":true}]} "#;
        let terms = vec![
            Term { kind: TermKind::Role, text: "head of finance".into(), negated: false, past: true },
            Term { kind: TermKind::Place, text: "Zürich".into(), negated: true, past: false },
        ];
        let networks = vec![NetworkKind::Advocate, NetworkKind::User];
        assert_eq!(read(text), Ok(Draft { terms, networks, ..Draft::default() }));
        assert_eq!(read(r#"{"terms":[],"networks":[]}"#), Ok(Draft::default()));
    }

    #[test]
    fn every_kind_and_every_network_can_be_said() {
        for kind in TermKind::drafted() {
            let draft = read(&answer_json(&[term_json(kind.name(), "x")], ""));
            assert_eq!(draft.map(|draft| draft.terms[0].kind), Ok(kind));
        }
        for network in NetworkKind::ALL {
            let draft = read(&answer_json(&[], &format!("\"{}\"", network.name())));
            assert_eq!(draft.map(|draft| draft.networks), Ok(vec![network]));
        }
    }

    /// Both sides of each bound.
    #[test]
    fn a_bound_that_is_met_is_not_passed() {
        let long = "é".repeat(TERM_CHARS_MAX);
        for (terms, networks, refused) in [
            (vec![term_json("topic", "x"); TERMS_MAX], "", None),
            (vec![term_json("topic", "x"); TERMS_MAX + 1], "", Some(AnswerFault::TooManyTerms)),
            (vec![term_json("topic", &format!("  {long}  "))], "", None),
            (vec![term_json("topic", &format!("{long}x"))], "", Some(AnswerFault::LongTerm)),
            (vec![], r#""user","advocate","organization""#, None),
            (vec![], r#""user","advocate","organization","user""#, Some(AnswerFault::RepeatedNetwork)),
        ] {
            assert_eq!(read(&answer_json(&terms, networks)).err(), refused);
        }
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        let term = term_json("role", "x");
        for (text, reason) in [
            ("", AnswerFault::ContentNotJson),
            ("Sure! Here are the people.", AnswerFault::ContentNotJson),
            ("```json\n{\"terms\":[],\"networks\":[]}\n```", AnswerFault::ContentNotJson),
            (r#"{"terms":[],"networks":[]} {}"#, AnswerFault::ContentNotJson),
            (r#"{"terms":[],"networks":["#, AnswerFault::ContentNotJson),
            (&"[".repeat(100_000), AnswerFault::ContentNotJson),
            ("null", AnswerFault::WrongShape),
            ("[]", AnswerFault::WrongShape),
            ("[[],[]]", AnswerFault::WrongShape),
            (r#"{"terms":[["role","x",false,false]],"networks":[]}"#, AnswerFault::WrongShape),
            (r#"{"terms":["role"],"networks":[]}"#, AnswerFault::WrongShape),
            (r#"{"terms":[]}"#, AnswerFault::WrongShape),
            (r#"{"terms":null,"networks":[]}"#, AnswerFault::WrongShape),
            (r#"{"terms":[],"terms":[],"networks":[]}"#, AnswerFault::WrongShape),
            (r#"{"terms":[],"networks":[],"org":"org_other"}"#, AnswerFault::WrongShape),
            (
                r#"{"terms":[{"kind":"role","text":"x","negated":false}],"networks":[]}"#,
                AnswerFault::WrongShape,
            ),
            (&answer_json(&[term.replace("false", "\"false\"")], ""), AnswerFault::WrongShape),
            (&answer_json(&[term.replace("\"x\"", "7")], ""), AnswerFault::WrongShape),
            (&answer_json(&[term.replace('}', ",\"limit\":9}")], ""), AnswerFault::WrongShape),
            (&answer_json(&[term_json("role", "\\ud800")], ""), AnswerFault::ContentNotJson),
            (&answer_json(&[term_json("Role", "x")], ""), AnswerFault::UnknownKind),
            (&answer_json(&[term_json("people", "x")], ""), AnswerFault::UnknownKind),
            (&answer_json(&[term_json("role", "")], ""), AnswerFault::BlankTerm),
            (&answer_json(&[term_json("role", " \\n\u{2003} ")], ""), AnswerFault::BlankTerm),
            (&answer_json(&[term_json("role", "a\\u0000b")], ""), AnswerFault::ControlCharacter),
            (&answer_json(&[term_json("role", "a\\nb")], ""), AnswerFault::ControlCharacter),
            (&answer_json(&[term_json("role", "a\\u0085b")], ""), AnswerFault::ControlCharacter),
            (&answer_json(&[], "\"everyone\""), AnswerFault::UnknownNetwork),
            (&answer_json(&[], "\"user \""), AnswerFault::UnknownNetwork),
        ] {
            assert_eq!(read(text), Err(reason), "{}", text.chars().take(80).collect::<String>());
        }
    }
}
