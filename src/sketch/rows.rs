//! The statements of a sketch to rows of source tables, and these to a dataset.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::model::dataset::Dataset;
use crate::sketch::line::{Arrow, Fields, Line};
use crate::source::build::read_folder;
use crate::source::progress::Silent;

/// The rows of the tables, as far as they are read.
#[derive(Debug, Default)]
pub(crate) struct Sketch {
    /// The fields of each person, beside those that follow from the name.
    pub(crate) people: BTreeMap<String, Fields>,
    pub(crate) companies: BTreeMap<String, Fields>,
    /// By the end of the user id: the person.
    pub(crate) members: BTreeMap<String, String>,
    advocates: Vec<Value>,
    connections: Vec<Value>,
    intro_requests: Vec<Value>,
    opportunities: Vec<Value>,
}

/// When everything in a sketch took place.
const TIME: &str = "2026-01-01T00:00:00Z";

impl Sketch {
    /// Reads the statements of `text`.
    ///
    /// # Errors
    /// Returns the first line that cannot be read, and what is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut sketch = Self::default();
        for (number, whole) in (1..).zip(text.lines()) {
            let mut line = Line { rest: whole.split('#').next().unwrap_or("").trim() };
            if !line.rest.is_empty() {
                let read = sketch.statement(&mut line).and_then(|()| line.end());
                read.map_err(|fault| format!("line {number} of the sketch, `{}`: {fault}", whole.trim()))?;
            }
        }
        Ok(sketch)
    }

    fn statement(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        let mut after = *line;
        let keyword = after.name()?;
        let read = match keyword.as_str() {
            "member" => Self::member,
            "company" => Self::company,
            "advocate" => Self::advocate,
            "intro" => Self::intro,
            "opportunity" => Self::opportunity,
            _ => return self.edges(line),
        };
        *line = after;
        read(self, line)
    }

    /// `member ann, bea as 1`
    fn member(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        loop {
            let person = self.person(line)?;
            let user = if line.eats_word("as") { line.name()? } else { person.clone() };
            if let Some(other) = self.members.insert(user, person) {
                return Err(format!("{other} is that member already"));
            }
            if !line.eats(",") {
                return Ok(());
            }
        }
    }

    /// `company acme (industry: Steel), globex`
    fn company(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        loop {
            let name = line.name()?;
            let fields = line.fields()?;
            say(&mut self.companies, &name, fields)?;
            if !line.eats(",") {
                return Ok(());
            }
        }
    }

    /// `advocate zoe of ann pending`
    fn advocate(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        let advocate = self.person(line)?;
        line.word("of")?;
        let user = self.user(line)?;
        let status = if line.rest.is_empty() { "accepted".to_owned() } else { line.name()? };
        self.advocates.push(json!({ "personId": person_id(&advocate), "userId": user, "status": status }));
        Ok(())
    }

    /// `intro to bob by ann`
    fn intro(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        line.word("to")?;
        let person = person_id(&self.person(line)?);
        line.word("by")?;
        let user = self.user(line)?;
        let row = json!({
            "personId": person, "status": "ACTIVE", "requestedBy": user, "requestedAt": TIME,
        });
        self.intro_requests.push(row);
        Ok(())
    }

    /// `opportunity g1 for bob by ann via dan, eve`
    fn opportunity(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        let id = format!("ghost_{}", line.name()?);
        line.word("for")?;
        let prospect = person_id(&self.person(line)?);
        line.word("by")?;
        let user = self.user(line)?;
        let mut paths = Vec::new();
        let mut more = line.eats_word("via");
        while more {
            let over = person_id(&self.person(line)?);
            paths.push(json!({ "connectionId": over, "connectionType": "member", "strengthScore": 1 }));
            more = line.eats(",");
        }
        let row = json!({
            "id": id, "prospectId": prospect, "overallScore": 1, "status": "visible",
            "discoveredAt": TIME, "discoveredBy": user, "paths": paths,
        });
        self.opportunities.push(row);
        Ok(())
    }

    /// `ann @ acme -80 school-> bob -> cay`
    fn edges(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        let mut from = self.person(line)?;
        while let Some(Arrow { score, reason }) = line.arrow()? {
            let to = self.person(line)?;
            let mut row = json!({ "from": person_id(&from), "to": person_id(&to) });
            if let Some(score) = score {
                row["warmness"] = score.into();
            }
            if let Some(reason) = reason {
                row["breakdown"] = json!({ reason: 1 });
            }
            self.connections.push(row);
            from = to;
        }
        Ok(())
    }

    /// A person, with what the line says of them: `bob (city: Oslo) @ acme (industry: Steel)`.
    fn person(&mut self, line: &mut Line<'_>) -> Result<String, String> {
        let name = line.name()?;
        let mut fields = line.fields()?;
        if line.eats("@") {
            let company = line.name()?;
            fields.insert("currentCompanyId".to_owned(), company_id(&company));
            say(&mut self.companies, &company, line.fields()?)?;
        }
        say(&mut self.people, &name, fields)?;
        Ok(name)
    }

    /// The user id of the member whom the line names next; they are declared above.
    fn user(&mut self, line: &mut Line<'_>) -> Result<String, String> {
        let name = line.name()?;
        match self.members.iter().find(|(_, person)| **person == name) {
            Some((user, _)) => Ok(user_id(user)),
            None => Err(format!("{name} is no member, or is only declared below")),
        }
    }

    /// The dataset that a build makes of the tables.
    ///
    /// # Errors
    /// Returns the fault for which the tables are refused, and a field that no table has.
    pub(crate) fn build(&self) -> Result<Dataset, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        self.write(folder.path()).map_err(|error| error.to_string())?;
        let built = read_folder(folder.path(), &Silent).map_err(|error| format!("the sketch: {error}"))?;
        match built.warnings.first() {
            Some(unknown) => Err(format!("the sketch: {} has no field {}", unknown.table, unknown.field)),
            None => Ok(built.dataset),
        }
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::write(folder.join("organization.json"), r#"{"id":"org_sketch","name":"Sketch"}"#)?;
        let person = |(name, fields): (&String, &Fields)| {
            let mut row = json!({ "id": person_id(name), "name": name, "linkedinId": name });
            fields.iter().for_each(|(field, value)| row[field] = value.as_str().into());
            row
        };
        let company = |(name, fields): (&String, &Fields)| {
            let mut row = json!({ "id": company_id(name), "name": name });
            fields.iter().for_each(|(field, value)| row[field] = value.as_str().into());
            row
        };
        let member = |(user, person): (&String, &String)| {
            json!({
                "userId": user_id(user), "personId": person_id(person), "role": "member", "joinedAt": TIME,
            })
        };
        for (table, rows) in [
            ("people", &self.people.iter().map(person).collect()),
            ("companies", &self.companies.iter().map(company).collect()),
            ("members", &self.members.iter().map(member).collect()),
            ("advocates", &self.advocates),
            ("connections", &self.connections),
            ("intro_requests", &self.intro_requests),
            ("ghost_opportunities", &self.opportunities),
        ] {
            let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
            std::fs::write(folder.join(format!("{table}.ndjson")), lines)?;
        }
        Ok(())
    }
}

/// Adds `fields` to those of `name`, who may have been named before.
fn say(rows: &mut BTreeMap<String, Fields>, name: &str, fields: Fields) -> Result<(), String> {
    let row = rows.entry(name.to_owned()).or_default();
    for (field, value) in fields {
        if let Some(other) = row.insert(field, value) {
            return Err(format!("{name} has another value, {other}, in a field said before"));
        }
    }
    Ok(())
}

fn person_id(name: &str) -> String {
    format!("person_{name}")
}

fn user_id(user: &str) -> String {
    format!("user_{user}")
}

fn company_id(name: &str) -> String {
    format!("company_{name}")
}
