//! A language model's text to a draft. The text is not trusted: what is not exactly the closed shape
//! is refused, and nothing of it but checked terms and names of enums gets any further.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::language_model::failure::Reason;
use crate::search::conditions::{Draft, Kind, NetworkKind, TERM_CHARS_MAX, TERMS_MAX, Term};

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

/// Reads what a language model wrote.
///
/// The draft holds every bound of its type: at most [`TERMS_MAX`] terms of 1 to [`TERM_CHARS_MAX`]
/// characters, trimmed and without control characters, and each network at most once. Costs one pass
/// over the text; whoever calls bounds its length.
///
/// # Errors
/// Where it is anything else, with the first thing that is wrong.
pub fn read(text: &str) -> Result<Draft, Reason> {
    let answer: Answer<'_> = object(text)?;
    if answer.terms.len() > TERMS_MAX {
        return Err(Reason::TooManyTerms);
    }
    let terms = answer.terms.into_iter().map(|term| self::term(term.get())).collect::<Result<_, _>>()?;
    Ok(Draft { terms, networks: networks(&answer.networks)? })
}

/// An object, and not the array of its values, which serde would take for it.
fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Reason> {
    let read = serde_json::from_str(text);
    let read =
        read.map_err(|error| if error.is_data() { Reason::WrongShape } else { Reason::ContentNotJson })?;
    if text.trim_start().starts_with('{') { Ok(read) } else { Err(Reason::WrongShape) }
}

fn term(text: &str) -> Result<Term, Reason> {
    let said: AnswerTerm = object(text)?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == said.kind).ok_or(Reason::UnknownKind)?;
    Ok(Term { kind, text: checked(&said.text)?, negated: said.negated, past: said.past })
}

fn checked(text: &str) -> Result<String, Reason> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Reason::BlankTerm);
    }
    // One character past the bound tells; a text of any length is not counted to its end.
    if text.chars().nth(TERM_CHARS_MAX).is_some() {
        return Err(Reason::LongTerm);
    }
    if text.chars().any(char::is_control) {
        return Err(Reason::ControlCharacter);
    }
    Ok(text.to_owned())
}

fn networks(names: &[String]) -> Result<Vec<NetworkKind>, Reason> {
    let mut networks = Vec::with_capacity(NetworkKind::ALL.len());
    for name in names {
        let known = NetworkKind::ALL.into_iter().find(|network| network.name() == name);
        let network = known.ok_or(Reason::UnknownNetwork)?;
        // So there are never more than the networks there are.
        if networks.contains(&network) {
            return Err(Reason::RepeatedNetwork);
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
            Term { kind: Kind::Role, text: "head of finance".into(), negated: false, past: true },
            Term { kind: Kind::Place, text: "Zürich".into(), negated: true, past: false },
        ];
        let networks = vec![NetworkKind::Advocate, NetworkKind::User];
        assert_eq!(read(text), Ok(Draft { terms, networks }));
        assert_eq!(read(r#"{"terms":[],"networks":[]}"#), Ok(Draft::default()));
    }

    #[test]
    fn every_kind_and_every_network_can_be_said() {
        for kind in Kind::ALL {
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
            (vec![term_json("topic", "x"); TERMS_MAX + 1], "", Some(Reason::TooManyTerms)),
            (vec![term_json("topic", &format!("  {long}  "))], "", None),
            (vec![term_json("topic", &format!("{long}x"))], "", Some(Reason::LongTerm)),
            (vec![], r#""user","advocate","organization""#, None),
            (vec![], r#""user","advocate","organization","user""#, Some(Reason::RepeatedNetwork)),
        ] {
            assert_eq!(read(&answer_json(&terms, networks)).err(), refused);
        }
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        let told = term_json("role", "x");
        for (text, reason) in [
            ("", Reason::ContentNotJson),
            ("Sure! Here are the people.", Reason::ContentNotJson),
            ("```json\n{\"terms\":[],\"networks\":[]}\n```", Reason::ContentNotJson),
            (r#"{"terms":[],"networks":[]} {}"#, Reason::ContentNotJson),
            (r#"{"terms":[],"networks":["#, Reason::ContentNotJson),
            (&"[".repeat(100_000), Reason::ContentNotJson),
            ("null", Reason::WrongShape),
            ("[]", Reason::WrongShape),
            ("[[],[]]", Reason::WrongShape),
            (r#"{"terms":[["role","x",false,false]],"networks":[]}"#, Reason::WrongShape),
            (r#"{"terms":["role"],"networks":[]}"#, Reason::WrongShape),
            (r#"{"terms":[]}"#, Reason::WrongShape),
            (r#"{"terms":null,"networks":[]}"#, Reason::WrongShape),
            (r#"{"terms":[],"terms":[],"networks":[]}"#, Reason::WrongShape),
            (r#"{"terms":[],"networks":[],"org":"org_other"}"#, Reason::WrongShape),
            (r#"{"terms":[{"kind":"role","text":"x","negated":false}],"networks":[]}"#, Reason::WrongShape),
            (&answer_json(&[told.replace("false", "\"false\"")], ""), Reason::WrongShape),
            (&answer_json(&[told.replace("\"x\"", "7")], ""), Reason::WrongShape),
            (&answer_json(&[told.replace('}', ",\"limit\":9}")], ""), Reason::WrongShape),
            (&answer_json(&[term_json("role", "\\ud800")], ""), Reason::ContentNotJson),
            (&answer_json(&[term_json("Role", "x")], ""), Reason::UnknownKind),
            (&answer_json(&[term_json("people", "x")], ""), Reason::UnknownKind),
            (&answer_json(&[term_json("role", "")], ""), Reason::BlankTerm),
            (&answer_json(&[term_json("role", " \\n\u{2003} ")], ""), Reason::BlankTerm),
            (&answer_json(&[term_json("role", "a\\u0000b")], ""), Reason::ControlCharacter),
            (&answer_json(&[term_json("role", "a\\nb")], ""), Reason::ControlCharacter),
            (&answer_json(&[term_json("role", "a\\u0085b")], ""), Reason::ControlCharacter),
            (&answer_json(&[], "\"everyone\""), Reason::UnknownNetwork),
            (&answer_json(&[], "\"user \""), Reason::UnknownNetwork),
        ] {
            assert_eq!(read(text), Err(reason), "{}", text.chars().take(80).collect::<String>());
        }
    }
}
