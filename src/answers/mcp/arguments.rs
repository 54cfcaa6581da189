//! The arguments of a call: checked against the tool's rows, then parsed by the API's readers.

use std::hash::{Hash, Hasher};

use serde_json::{Map, Value};

use crate::api::body::Object;
use crate::api::error::ApiError;
use crate::api::params::Params;
use crate::api::prefer::Handling;
use crate::api::schema::Shape;
use crate::mcp::refused::Refused;
use crate::mcp::rows::{Argument, Tool};

/// The argument with the position to continue a list from.
const CURSOR: &str = "cursor";

/// The arguments of a call, with the types in the tool's rows.
#[derive(Debug)]
pub(super) struct Arguments {
    sent: Vec<SentArgument>,
}

/// One argument as sent.
#[derive(Debug)]
struct SentArgument {
    argument: &'static Argument,
    value: Value,
    /// Its texts, as they would be in a query string: one per element of a list.
    texts: Vec<String>,
}

impl Arguments {
    /// Reads the arguments of a call of `tool`. Null counts as not sent.
    ///
    /// # Errors
    /// Returns an error if one is unknown, of another type, out of range, or missing.
    pub(super) fn read(tool: &'static Tool, arguments: Map<String, Value>) -> Result<Self, ApiError> {
        let known: Vec<&str> = tool.arguments.iter().map(|argument| argument.name).collect();
        let mut sent = Vec::new();
        for (name, value) in arguments {
            let Some(argument) = tool.arguments.iter().find(|argument| argument.name == name) else {
                let written = value.to_string();
                Handling::Strict.check("argument", std::iter::once((&*name, &*written)), &known)?;
                continue;
            };
            if !value.is_null() {
                let texts = texts(argument.name, &argument.shape, &value)?;
                sent.push(SentArgument { argument, value, texts });
            }
        }
        let is_sent = |name| sent.iter().any(|sent: &SentArgument| sent.argument.name == name);
        match tool.arguments.iter().find(|argument| argument.required && !is_sent(argument.name)) {
            Some(missing) => Err(ApiError::missing(missing.name, expected(&missing.shape))),
            None => Ok(Self { sent }),
        }
    }

    fn find(&self, name: &str) -> Option<&SentArgument> {
        self.sent.iter().find(|sent| sent.argument.name == name)
    }

    /// The texts of an argument; none if it was not sent.
    pub(super) fn texts(&self, name: &str) -> &[String] {
        self.find(name).map_or(&[], |sent| &sent.texts)
    }

    /// The text of an argument, or `None` if it was not sent.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.texts(name).first().map(String::as_str)
    }

    /// Whether an argument was sent, and is true.
    pub(super) fn is_true(&self, name: &str) -> bool {
        self.find(name).is_some_and(|sent| sent.value == Value::Bool(true))
    }

    /// The one of `names` that was sent.
    ///
    /// # Errors
    /// Returns an error if none or several were sent.
    pub(super) fn exactly_one(&self, names: &[&'static str]) -> Result<&'static str, ApiError> {
        let sent = names.iter().filter_map(|name| Some(((*name).to_owned(), self.text(name)?.to_owned())));
        Params::of(sent.collect()).exactly_one(names)
    }

    /// The requested number of entries, or `default`.
    pub(super) fn limit(&self, default: u32) -> u32 {
        self.text("limit").and_then(|limit| limit.parse().ok()).unwrap_or(default)
    }

    /// The cursor, or `None` if it was not sent.
    pub(super) fn cursor(&self) -> Option<&str> {
        self.text(CURSOR)
    }

    /// The arguments as parameters of the API, plus those of `more` with a value, for a page of `limit` entries after
    /// `offset`.
    pub(super) fn params(&self, more: &[(&str, Option<&str>)], limit: u32, offset: u64) -> Params {
        let mut pairs = Vec::new();
        for sent in self.sent.iter().filter(|sent| sent.argument.name != "limit") {
            let Some(name) = sent.argument.read_as else { continue };
            pairs.extend(sent.texts.iter().map(|text| (name.to_owned(), text.clone())));
        }
        for (name, value) in more {
            pairs.extend(value.map(|value| ((*name).to_owned(), value.to_owned())));
        }
        pairs.push(("limit".to_owned(), limit.to_string()));
        pairs.push(("offset".to_owned(), offset.to_string()));
        Params::of(pairs)
    }

    /// The arguments as a body of the API, with this limit.
    ///
    /// # Errors
    /// No known cause: it is an object.
    pub(super) fn body(&self, limit: u32) -> Result<Object, ApiError> {
        let fields = self.sent.iter().filter_map(|sent| Some((sent.argument.read_as?, sent.value.clone())));
        let mut body: Map<String, Value> = fields.map(|(name, value)| (name.to_owned(), value)).collect();
        body.insert("limit".to_owned(), limit.into());
        Object::parse(Value::Object(body).to_string().as_bytes())
    }

    /// Rewrites an error of the API's readers with the names of arguments here; `more` maps the API's names of those
    /// that the tool read itself.
    pub(super) fn named(&self, error: ApiError, tool: &Tool, more: &[(&str, &str)]) -> Refused {
        let ApiError::Validation { parameter, got, expected } = error else { return error.into() };
        let read = tool.arguments.iter().filter_map(|argument| Some((argument.read_as?, argument.name)));
        let mut names: Vec<(&str, &str)> = more.iter().copied().chain(read).collect();
        // A name that is a prefix of others comes last.
        names.sort_by_key(|(api, _)| std::cmp::Reverse(api.len()));
        let own = |text: String| {
            names.iter().fold(text, |text, (api, own)| if api == own { text } else { text.replace(api, own) })
        };
        Refused::Like(ApiError::Validation { parameter: own(parameter), got, expected: own(expected) })
    }
}

/// Identifies the question: ignores the order of arguments, and the position in the list.
impl Hash for Arguments {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut sent: Vec<_> = self.sent.iter().filter(|sent| sent.argument.name != CURSOR).collect();
        sent.sort_by_key(|sent| sent.argument.name);
        for sent in sent {
            (sent.argument.name, &sent.texts).hash(state);
        }
    }
}

/// The texts of `value`, which was sent as `name`.
///
/// # Errors
/// Returns an error if it does not have this shape. For texts, only the type is checked: their readers do the rest.
fn texts(name: &str, shape: &Shape, value: &Value) -> Result<Vec<String>, ApiError> {
    let sent = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let refuse = || ApiError::invalid(name, &sent(), expected(shape));
    let one = |text: &str| Ok(vec![text.to_owned()]);
    match (shape, value) {
        (Shape::Text(_), Value::String(text)) => one(text),
        (Shape::Choice(names), Value::String(text)) if names.contains(&text.as_str()) => one(text),
        (Shape::Whole(least, most), Value::Number(number)) => {
            let within = |number: &u64| number >= least && most.is_none_or(|most| *number <= most);
            number.as_u64().filter(within).map(|number| vec![number.to_string()]).ok_or_else(refuse)
        }
        (Shape::Boolean, Value::Bool(value)) => one(if *value { "true" } else { "false" }),
        (Shape::List(_, most, item), Value::Array(elements)) => {
            if elements.len() > most.unwrap_or(usize::MAX) || elements.is_empty() {
                return Err(refuse());
            }
            let read = elements.iter().map(|element| texts(name, item, element));
            Ok(read.collect::<Result<Vec<_>, _>>()?.concat())
        }
        _ => Err(refuse()),
    }
}

/// Returns a description of a shape's values.
fn expected(shape: &Shape) -> String {
    match shape {
        Shape::Choice(names) => format!("one of {}", names.join(", ")),
        Shape::Whole(least, Some(most)) => format!("a whole number from {least} to {most}"),
        Shape::Whole(least, None) => format!("a whole number from {least}"),
        Shape::Boolean => "true or false".to_owned(),
        Shape::List(_, Some(most), item) => format!("a list of 1 to {most}, each {}", expected(item)),
        Shape::List(_, None, item) => format!("a list of one or more, each {}", expected(item)),
        _ => "a text".to_owned(),
    }
}
