//! The people of the last import missing from today's files, with their edges, from the tables.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::forgetting::is_earlier_forgotten;
use crate::identity::ids::EarlierPerson;
use crate::tables::absent::{Keeping, MissingPerson, Today};
use crate::tables::earlier::{EarlierFault, IDENTITIES, IdentityLine};
use crate::tables::folder::{ALIASES, COMPANIES, KeptLines, PEOPLE};
use crate::tables::kept_edges::EdgesOfLastTime;
use crate::tables::line::{CompanyFields, PersonFields, add, lines, text};
use crate::tables::stayed::FormerHolder;

/// All of them, in byte order of their ids.
#[derive(Debug, Default)]
pub(crate) struct MissingPeople {
    pub(crate) people: Vec<MissingPerson>,
    /// The lines that keep them.
    pub(crate) lines: Arc<KeptLines>,
    /// The edges to them that stay or go.
    pub(crate) edges: usize,
    /// The members and advocates of the last import without a file today: the name, what they were, and their edges, which stay or
    /// go.
    pub(crate) holders: Vec<(String, &'static str, usize)>,
    /// Their edges to people of today's files, by ids.
    pub(crate) taken: HashSet<(String, String)>,
}

/// A line of a table, and its parsed part.
struct Line<T> {
    text: String,
    of: T,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Line<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let of = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(Self { text: raw.get().to_owned(), of })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AliasFields {
    person_id: String,
}

impl MissingPeople {
    /// The people who stay, if `keeps`.
    pub(crate) fn kept(&self, keeps: bool) -> &[MissingPerson] {
        if keeps { &self.people } else { &[] }
    }
}

impl Keeping<'_> {
    /// The people of the tables in `folder` missing from today's files, except those left out, to be forgotten, or
    /// reached only by former holders or derived edges.
    ///
    /// # Errors
    /// Returns an error if a table cannot be read.
    pub(crate) fn missing(&self, folder: &Path) -> Result<MissingPeople, EarlierFault> {
        let absent = self.absent();
        if absent.is_empty() && self.former.is_empty() {
            return Ok(MissingPeople::default());
        }
        let mut companies: HashMap<String, Line<CompanyFields>> = HashMap::new();
        lines(folder, COMPANIES, |line: Line<CompanyFields>| {
            companies.insert(line.of.id.clone(), line);
        })?;
        let mut rows: HashMap<String, Line<PersonFields>> = HashMap::new();
        lines(folder, PEOPLE, |line: Line<PersonFields>| {
            if absent.contains(line.of.id.as_str()) {
                rows.insert(line.of.id.clone(), line);
            }
        })?;
        let mut people = BTreeMap::new();
        let mut today = Today::of(self);
        // A shared address of the last import identifies nobody.
        let (mut hidden_emails, mut shared) = (HashSet::new(), HashSet::new());
        lines(folder, IDENTITIES, |line: IdentityLine| {
            for email in line.emails.iter().filter(|email| today.hidden.contains(*email)) {
                if !hidden_emails.insert(email.clone()) {
                    shared.insert(email.clone());
                }
            }
            let Some(row) = rows.get(&line.id) else { return };
            let company = row.of.current_company_id.as_ref().and_then(|id| companies.get(id));
            let person = MissingPerson::of(&row.of, company.map(|company| &company.of), line);
            people.insert(person.identity.id.clone(), person);
        })?;
        today.hidden.retain(|key| !shared.contains(key));
        people.retain(|_, person| !self.is_hidden(person, &today));
        let mut edges = EdgesOfLastTime::default();
        self.take_edges(folder, &today, &mut people, &mut edges)?;
        let EdgesOfLastTime { lines: mut kept, taken, of_former } = edges;
        for person in people.values_mut() {
            // The name of a file may be that of another one today.
            person.identity.rows.retain(|row| !today.has(row));
            person.identity.kept = true;
        }
        add(&mut kept, IDENTITIES, people.values().map(|person| text(&person.identity)));
        lines(folder, ALIASES, |line: Line<AliasFields>| {
            if people.contains_key(&line.of.person_id) {
                add(&mut kept, ALIASES, [line.text]);
            }
        })?;
        let of_people: Vec<Line<PersonFields>> = people.keys().filter_map(|id| rows.remove(id)).collect();
        let todays: HashSet<&String> = self.company_ids.values().collect();
        let of: BTreeSet<&String> =
            of_people.iter().filter_map(|row| row.of.current_company_id.as_ref()).collect();
        let others = of.into_iter().filter(|id| !todays.contains(id)).filter_map(|id| companies.remove(id));
        add(&mut kept, COMPANIES, others.map(|company| company.text));
        add(&mut kept, PEOPLE, of_people.into_iter().map(|row| row.text));
        let of = |one: &FormerHolder| {
            (one.holder.name.clone(), one.was(), of_former.get(&one.id).copied().unwrap_or_default())
        };
        Ok(MissingPeople {
            edges: people.values().map(|person| person.facts.edges).sum(),
            people: people.into_values().collect(),
            lines: Arc::new(kept),
            holders: self.former.iter().map(of).collect(),
            taken: if self.keeps { taken } else { HashSet::new() },
        })
    }

    /// The ids of the last import that nobody in today's files has. A person without a row was known only by an edge,
    /// unless they were kept or a member.
    fn absent(&self) -> HashSet<&str> {
        let ids = self.people.ids.iter().flat_map(|ids| [&ids.id].into_iter().chain(&ids.formerly));
        let here: HashSet<&str> = ids.map(String::as_str).collect();
        let is_member = |id: &String| self.earlier.users.contains_key(id);
        let of_file =
            |person: &&EarlierPerson| !person.rows.is_empty() || person.kept || is_member(&person.id);
        let earlier = self.earlier.people.iter().filter(of_file);
        earlier.map(|person| person.id.as_str()).filter(|id| !here.contains(id)).collect()
    }

    /// Whether the person must be forgotten: by the list, or like one in today's files.
    fn is_hidden(&self, person: &MissingPerson, today: &Today<'_>) -> bool {
        let names: Vec<(&str, &str)> = person.names().collect();
        let MissingPerson { identity: IdentityLine { id, handles, emails, formerly, .. }, .. } = person;
        let ids: Vec<&str> = [id].into_iter().chain(formerly).map(String::as_str).collect();
        self.is_forgotten.is_some_and(|list| is_earlier_forgotten(&ids, handles, emails, &names, list))
            || !today.hidden.is_empty() && {
                // A name at a company joins people of whom no more is known.
                let is_known = !handles.is_empty() || !emails.is_empty();
                let named = person.names_at_companies().filter(|_| !is_known);
                person.keys(&today.files).into_iter().chain(named).any(|key| today.hidden.contains(&key))
            }
    }
}
