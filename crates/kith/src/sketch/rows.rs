//! Parses the statements of a sketch into rows of tables.

use std::collections::BTreeMap;

use crate::sketch::line::{Arrow, Fields, Line};

/// The rows of the tables parsed so far.
#[derive(Debug, Default)]
pub(crate) struct Sketch {
    /// The fields of each person, besides those that follow from the name.
    pub(crate) people: BTreeMap<String, Fields>,
    pub(crate) companies: BTreeMap<String, Fields>,
    /// Maps the end of the user id to the person.
    pub(crate) members: BTreeMap<String, String>,
    pub(crate) advocates: Vec<AdvocateRow>,
    pub(crate) connections: Vec<ConnectionRow>,
    /// The target, and the end of the user id of the asking member.
    pub(crate) intro_requests: Vec<(String, String)>,
    pub(crate) opportunities: Vec<OpportunityRow>,
}

/// An advocate by name, the end of the user id of the member they help, and the name of their status.
#[derive(Debug)]
pub(crate) struct AdvocateRow {
    pub(crate) person: String,
    pub(crate) user: String,
    pub(crate) status: String,
}

/// An edge between two names.
#[derive(Debug)]
pub(crate) struct ConnectionRow {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) arrow: Arrow,
}

/// An opportunity: the end of its id, the prospect, the end of the user id of the member, and the people on its paths.
#[derive(Debug)]
pub(crate) struct OpportunityRow {
    pub(crate) id: String,
    pub(crate) prospect: String,
    pub(crate) user: String,
    pub(crate) via: Vec<String>,
}

/// The field of a person that names their company in the sketch.
pub(crate) const EMPLOYER: &str = "@";

impl Sketch {
    /// Parses the statements of `text`.
    ///
    /// # Errors
    /// Returns the first line that cannot be read, and its fault.
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
        self.advocates.push(AdvocateRow { person: advocate, user, status });
        Ok(())
    }

    /// `intro to bob by ann`
    fn intro(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        line.word("to")?;
        let person = self.person(line)?;
        line.word("by")?;
        let user = self.user(line)?;
        self.intro_requests.push((person, user));
        Ok(())
    }

    /// `opportunity g1 for bob by ann via dan, eve`
    fn opportunity(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        let id = line.name()?;
        line.word("for")?;
        let prospect = self.person(line)?;
        line.word("by")?;
        let user = self.user(line)?;
        let mut via = Vec::new();
        let mut more = line.eats_word("via");
        while more {
            via.push(self.person(line)?);
            more = line.eats(",");
        }
        self.opportunities.push(OpportunityRow { id, prospect, user, via });
        Ok(())
    }

    /// `ann @ acme -80 school-> bob -> cay`
    fn edges(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        let mut from = self.person(line)?;
        while let Some(arrow) = line.arrow()? {
            let to = self.person(line)?;
            self.connections.push(ConnectionRow { from, to: to.clone(), arrow });
            from = to;
        }
        Ok(())
    }

    /// A person with their fields: `bob (city: Oslo) @ acme (industry: Steel)`.
    fn person(&mut self, line: &mut Line<'_>) -> Result<String, String> {
        let name = line.name()?;
        let mut fields = line.fields()?;
        if line.eats("@") {
            let company = line.name()?;
            fields.insert(EMPLOYER.to_owned(), company.clone());
            say(&mut self.companies, &company, line.fields()?)?;
        }
        say(&mut self.people, &name, fields)?;
        Ok(name)
    }

    /// The user id of the next member in the line, who must already be declared.
    fn user(&mut self, line: &mut Line<'_>) -> Result<String, String> {
        let name = line.name()?;
        match self.members.iter().find(|(_, person)| **person == name) {
            Some((user, _)) => Ok(user.clone()),
            None => Err(format!("{name} is no member, or is only declared below")),
        }
    }
}

/// Adds `fields` to the row `name`, which may already exist.
fn say(rows: &mut BTreeMap<String, Fields>, name: &str, fields: Fields) -> Result<(), String> {
    let row = rows.entry(name.to_owned()).or_default();
    for (field, value) in fields {
        if let Some(other) = row.insert(field, value) {
            return Err(format!("{name} has another value, {other}, in a field said before"));
        }
    }
    Ok(())
}
