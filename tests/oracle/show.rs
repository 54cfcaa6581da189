//! Pieces of answers: objects built field by field, people, companies, timestamps and intro annotations.

use serde_json::{Map, Value};
use time::{OffsetDateTime, UtcOffset};

use super::network::{Company, Edge, Network, Person};

/// A JSON object under construction.
#[derive(Default)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    pub(crate) fn new() -> Fields {
        Fields::default()
    }

    /// Adds a field that is always there.
    pub(crate) fn put(mut self, name: &str, value: impl Into<Value>) -> Fields {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a field that is omitted when it has no value.
    pub(crate) fn maybe(self, name: &str, value: Option<impl Into<Value>>) -> Fields {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    /// Adds all fields of another object.
    pub(crate) fn and(mut self, more: Fields) -> Fields {
        self.0.extend(more.0);
        self
    }

    /// The finished object.
    pub(crate) fn done(self) -> Value {
        Value::Object(self.0)
    }
}

impl Network {
    /// The name of the company a person works at now.
    pub(crate) fn company_name(&self, person: &Person) -> Option<String> {
        person.company_id.as_ref().map(|id| self.companies[id].name.clone())
    }

    /// `{id, name, position, company}`.
    pub(crate) fn brief_person(&self, person: &Person) -> Fields {
        Fields::new()
            .put("id", person.id.clone())
            .put("name", person.name.clone())
            .maybe("position", person.position.clone())
            .maybe("company", self.company_name(person))
    }

    /// `{id, name, linkedinId, position, company}`.
    pub(crate) fn person_with_handle(&self, person: &Person) -> Fields {
        self.brief_person(person).maybe("linkedinId", person.linkedin_id.clone())
    }

    /// `{id, name, linkedinId, position, currentCompany}`.
    pub(crate) fn person_in_list(&self, person: &Person) -> Fields {
        Fields::new()
            .put("id", person.id.clone())
            .put("name", person.name.clone())
            .maybe("linkedinId", person.linkedin_id.clone())
            .maybe("position", person.position.clone())
            .maybe("currentCompany", self.company_name(person))
    }

    /// The four fields of an intro request; empty for a person without one.
    pub(crate) fn intro_annotation(&self, person: &str) -> Fields {
        let Some(request) = self.intro_request(person) else { return Fields::new() };
        let requester = &self.members[&request.requested_by];
        Fields::new()
            .put("introRequested", true)
            .put("introStatus", request.status.clone())
            .put("introRequestedBy", self.people[&requester.person_id].name.clone())
            .put("introRequestedAt", timestamp(request.requested_at))
    }
}

/// `{id, name, companyId, industry, headquartersLocation}`.
pub(crate) fn company(company: &Company) -> Fields {
    Fields::new()
        .put("id", company.id.clone())
        .put("name", company.name.clone())
        .maybe("companyId", company.handle.clone())
        .maybe("industry", company.industry.clone())
        .maybe("headquartersLocation", company.headquarters_location.clone())
}

/// The breakdown of an edge; none when nothing is known.
pub(crate) fn known_breakdown(edge: &Edge) -> Option<Value> {
    (!edge.breakdown.is_empty()).then(|| Value::Object(edge.breakdown.clone()))
}

/// UTC with milliseconds, finer parts cut.
pub(crate) fn timestamp(at: OffsetDateTime) -> String {
    let at = at.to_offset(UtcOffset::UTC);
    let (date, time) = (at.date(), at.time());
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        date.year(),
        u8::from(date.month()),
        date.day(),
        time.hour(),
        time.minute(),
        time.second(),
        time.millisecond()
    )
}
