//! Reads the target of warm paths: from parameters, or from an object of a list.

use std::fmt::Display;

use crate::api::body::Object;
use crate::api::error::ApiError;
use crate::api::params::Params;
use crate::api::prefer::Handling;
use crate::api::sent::Sent;
use crate::query::paths::request::TargetQuery;
use kith::limits::ID_BYTES_MAX;

/// The names of the parts of a target in requests.
#[derive(Clone, Copy, Debug)]
struct TargetNames {
    /// The ways to name a target; a request must use exactly one: a handle, a person's name, a company, an id, an
    /// e-mail address, or a text as people write it.
    ways: [&'static str; 6],
    /// The company at which the person's name is looked up.
    at: &'static str,
    /// Narrows the targeted employees by position.
    position: &'static str,
}

const PARAMETER_NAMES: TargetNames = TargetNames {
    ways: [
        "prospectLinkedinId",
        "prospectName",
        "prospectCompany",
        "prospectId",
        "prospectEmail",
        "prospect",
    ],
    at: "prospectNameAt",
    position: "position",
};
const FIELD_NAMES: TargetNames = TargetNames {
    ways: ["linkedinId", "name", "company", "id", "email", "text"],
    at: "at",
    position: "position",
};
/// The fields of a target sent as an object.
const FIELDS: [&str; 8] = ["linkedinId", "name", "company", "id", "email", "text", "at", "position"];

/// A description of a target's fields.
const OBJECT: &str = "an object with exactly one of linkedinId, name, company, id, email, text";

/// A target; for a company also a plain text that the employees' positions must contain.
pub(crate) type WantedTarget<'a> = (TargetQuery<'a>, Option<String>);

/// Reads the target from the parameters of a request.
///
/// # Errors
/// Returns an error if none or several are named, or a part is invalid.
pub(crate) fn read_target(params: &Params) -> Result<WantedTarget<'_>, ApiError> {
    read(params, PARAMETER_NAMES)
}

/// A target sent as an object; [`Self::read`] validates its parts.
#[derive(Debug)]
pub(crate) struct SentTarget(Params);

impl SentTarget {
    /// Parses the target in the JSON text `sent`, which errors name `called`.
    ///
    /// # Errors
    /// Returns an error if it is not an object, has a part that is not a text, or, with strict `handling`, has an
    /// unknown field.
    pub(crate) fn parse(sent: &str, called: impl Display, handling: Handling) -> Result<Self, ApiError> {
        let refused = |_| ApiError::invalid(&called.to_string(), sent, OBJECT);
        let object = Object::known(sent, &FIELDS, "", OBJECT).map_err(refused)?;
        object.check(handling, &FIELDS)?;
        let mut parts = Vec::new();
        for name in FIELDS {
            parts.extend(object.text(name, "a text")?.map(|text| (name.to_owned(), text)));
        }
        Ok(Self(Params::of(parts)))
    }

    /// A target given as a text in people's own words.
    pub(crate) fn with_text(text: &str) -> Self {
        Self(Params::of(vec![("text".to_owned(), text.to_owned())]))
    }

    /// Validates the target.
    ///
    /// # Errors
    /// Returns an error if it is named in none or several ways, or a part is invalid.
    pub(crate) fn read(&self) -> Result<WantedTarget<'_>, ApiError> {
        read(&self.0, FIELD_NAMES)
    }
}

fn read(parts: &Params, names: TargetNames) -> Result<WantedTarget<'_>, ApiError> {
    let [handle, person, _, id, email, text] = names.ways;
    let target = match parts.exactly_one(&names.ways)? {
        name if name == handle => parts.handle(name).map(TargetQuery::Handle),
        name if name == person => {
            let person = parts.text(name)?;
            let company = if parts.has(names.at) { Some(parts.text(names.at)?) } else { None };
            let at = |company| TargetQuery::NameAt { name: person, company };
            Ok(company.map_or(TargetQuery::Name(person), at))
        }
        name if name == id => read_id(parts, name),
        name if name == email => parts.email(name).map(TargetQuery::Email),
        name if name == text => parts.target(name).map(TargetQuery::Text),
        name => parts.text(name).map(TargetQuery::Company),
    }?;
    if !matches!(target, TargetQuery::Name(_) | TargetQuery::NameAt { .. }) {
        parts.only_beside(names.at, person)?;
    }
    Ok((target, read_position(parts, target, names.position)?))
}

fn read_id<'a>(parts: &'a Params, name: &str) -> Result<TargetQuery<'a>, ApiError> {
    let expected = format!("an id of 1 to {ID_BYTES_MAX} bytes that begins with person_ or company_");
    let sent = parts.once(name)?.map(|value| Sent::new(name, value));
    let id = Sent::required(name, sent, &expected)?.id()?;
    match id.split_once('_') {
        Some(("person", _)) => Ok(TargetQuery::PersonId(id)),
        Some(("company", _)) => Ok(TargetQuery::CompanyId(id)),
        _ => Err(Sent::new(name, id).refused(expected)),
    }
}

fn read_position(parts: &Params, target: TargetQuery<'_>, name: &str) -> Result<Option<String>, ApiError> {
    if !target.is_company() {
        parts.only_beside(name, "a company as the target")?;
    }
    if parts.has(name) { parts.plain(name).map(Some) } else { Ok(None) }
}
