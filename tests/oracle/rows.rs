//! Rows of source tables, and the values read from each.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::network::{Advocate, Company, Evidence, IntroRequest, Member, Opportunity, Person};

/// One row of a table.
pub(super) struct Row(Map<String, Value>);

impl Row {
    pub(super) fn read(line: &str) -> Row {
        Row(serde_json::from_str(line).unwrap())
    }

    /// The text of a field; none when it has no value.
    pub(super) fn text(&self, field: &str) -> Option<String> {
        self.0.get(field).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    pub(super) fn required(&self, field: &str) -> String {
        self.text(field).unwrap_or_else(|| panic!("{field} is missing in {:?}", self.0))
    }

    pub(super) fn number(&self, field: &str) -> Option<Number> {
        self.0.get(field).and_then(Value::as_number).cloned()
    }

    pub(super) fn object(&self, field: &str) -> Map<String, Value> {
        self.0.get(field).and_then(Value::as_object).cloned().unwrap_or_default()
    }

    fn instant(&self, field: &str) -> OffsetDateTime {
        OffsetDateTime::parse(&self.required(field), &Rfc3339).unwrap()
    }
}

/// The breakdown of a connection as it was written, with the white space between its tokens removed.
pub(super) fn compact_breakdown(line: &str) -> String {
    let raw: BTreeMap<String, Box<RawValue>> = serde_json::from_str(line).unwrap();
    let (mut compact, mut inside_string, mut escaped) = (String::new(), false, false);
    for c in raw["breakdown"].get().chars() {
        if inside_string || !c.is_ascii_whitespace() {
            compact.push(c);
        }
        if c == '"' && !escaped {
            inside_string = !inside_string;
        }
        escaped = c == '\\' && !escaped;
    }
    compact
}

pub(super) fn company(row: &Row) -> Company {
    Company {
        id: row.required("id"),
        name: row.required("name"),
        handle: row.text("companyId"),
        industry: row.text("industry"),
        headquarters_location: row.text("headquartersLocation"),
        min_size: row.number("minSize"),
        max_size: row.number("maxSize"),
        logo_url: row.text("logoUrl"),
        domain: row.text("domain"),
    }
}

pub(super) fn person(row: &Row) -> Person {
    Person {
        id: row.required("id"),
        name: row.required("name"),
        linkedin_id: row.text("linkedinId"),
        email: row.text("email"),
        position: row.text("position"),
        company_id: row.text("currentCompanyId"),
        city: row.text("city"),
        country: row.text("country"),
        connections_count: row.number("connectionsCount"),
        other_handles: Vec::new(),
        other_emails: Vec::new(),
    }
}

pub(super) fn member(row: &Row) -> Member {
    Member {
        user_id: row.required("userId"),
        person_id: row.required("personId"),
        role: row.required("role"),
        joined_at: row.instant("joinedAt"),
        synced: row.text("connectionsSyncedAt").is_some(),
    }
}

pub(super) fn advocate(row: &Row) -> Advocate {
    Advocate {
        person_id: row.required("personId"),
        user_id: row.required("userId"),
        status: row.required("status"),
        synced: row.text("connectionsSyncedAt").is_some(),
    }
}

pub(super) fn intro_request(row: &Row) -> IntroRequest {
    IntroRequest {
        person_id: row.required("personId"),
        status: row.required("status"),
        requested_by: row.required("requestedBy"),
        requested_at: row.instant("requestedAt"),
    }
}

pub(super) fn evidence(row: &Row) -> Evidence {
    Evidence {
        kind: row.required("kind"),
        at: row.instant("at"),
        source: row.text("source"),
        note: row.text("note"),
    }
}

pub(super) fn opportunity(row: &Row) -> Opportunity {
    let names =
        ["priority", "confidenceLevel", "searchSource", "icpEvaluation", "buyingIntent", "keyInsights"];
    let has_value = |value: &Value| !value.is_null() && value.as_str() != Some("");
    let optional = names.iter().filter_map(|name| Some(((*name).to_owned(), row.0.get(*name)?.clone())));
    let paths = row.0["paths"].as_array().unwrap().iter().map(|path| path.as_object().unwrap().clone());
    Opportunity {
        id: row.required("id"),
        prospect_id: row.required("prospectId"),
        overall_score: row.number("overallScore").unwrap(),
        status: row.required("status"),
        discovered_at: row.instant("discoveredAt"),
        discovered_by: row.required("discoveredBy"),
        optional: optional.filter(|(_, value)| has_value(value)).collect(),
        paths: paths.collect(),
    }
}
