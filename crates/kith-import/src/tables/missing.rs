//! The people of the last import who are in none of today's files, with their edges, from the tables.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::dates::CalendarDay;
use crate::forgetting::{IsForgotten, is_earlier_forgotten};
use crate::gather::Gathered;
use crate::left_out::name_keys;
use crate::outcome::RowSkip;
use crate::people::{GONE, ImportedPeople};
use crate::plan::{ImportPlan, LeaveOut};
use crate::score::evidence::written;
use crate::tables::earlier::{EarlierFault, EarlierTables, IDENTITIES, IdentityLine, IdentityRow, each_line};
use crate::tables::folder::KeptLines;
use crate::ties::Contacts;

const COMPANIES: &str = "companies.ndjson";
const PEOPLE: &str = "people.ndjson";
const ALIASES: &str = "person_aliases.ndjson";
const CONNECTIONS: &str = "connections.ndjson";
const EVIDENCE: &str = "evidence.ndjson";
/// The factors of derived edges.
const DERIVED_FACTORS: [&str; 2] = ["\"seenTogether\"", "\"sharedInstitution\""];

/// A person of the last import who is in none of today's files.
#[derive(Debug)]
pub(crate) struct MissingPerson {
    pub(crate) identity: IdentityLine,
    pub(crate) name: String,
    pub(crate) facts: MissingFacts,
    company: Option<String>,
}

/// The facts about a person that the report counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MissingFacts {
    pub(crate) has_handle: bool,
    pub(crate) has_email: bool,
    pub(crate) has_company: bool,
    /// Edges of today's members and advocates to the person.
    pub(crate) edges: usize,
}

/// All of them, in byte order of their ids.
#[derive(Debug, Default)]
pub(crate) struct MissingPeople {
    pub(crate) people: Vec<MissingPerson>,
    /// The lines that keep them.
    pub(crate) lines: Arc<KeptLines>,
}

/// The inputs from which the missing people are found.
pub(crate) struct Keeping<'a> {
    pub(crate) plan: &'a ImportPlan,
    pub(crate) gathered: &'a Gathered,
    pub(crate) people: &'a ImportedPeople,
    pub(crate) contacts: &'a Contacts,
    pub(crate) company_ids: &'a HashMap<u32, String>,
    pub(crate) earlier: &'a EarlierTables,
    pub(crate) is_forgotten: Option<&'a IsForgotten<'a>>,
    /// The first day whose evidence is kept.
    pub(crate) kept_from: Option<CalendarDay>,
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

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PersonFields {
    id: String,
    name: String,
    linkedin_id: String,
    email: String,
    current_company_id: Option<String>,
}

#[derive(Deserialize)]
struct CompanyFields {
    id: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AliasFields {
    person_id: String,
}

#[derive(Deserialize, Serialize)]
struct EdgeFields {
    from: String,
    to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    warmness: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<Box<RawValue>>,
}

#[derive(Deserialize, Serialize)]
struct EvidenceFields {
    from: String,
    to: String,
    kind: String,
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn text(row: &impl Serialize) -> String {
    // It was made from a line of JSON a moment ago.
    serde_json::to_string(row).unwrap_or_default()
}

/// Passes the lines of the table `name` in `folder` to `take`; a missing table has none.
fn lines<T: DeserializeOwned>(folder: &Path, name: &str, take: impl FnMut(T)) -> Result<(), EarlierFault> {
    let path = folder.join(name);
    if path.exists() { each_line(&path, take) } else { Ok(()) }
}

fn add(kept: &mut KeptLines, table: &'static str, lines: impl IntoIterator<Item = String>) {
    kept.entry(table).or_default().extend(lines);
}

impl MissingPeople {
    /// The people who stay, if `keeps`.
    pub(crate) fn kept(&self, keeps: bool) -> &[MissingPerson] {
        if keeps { &self.people } else { &[] }
    }
}

impl MissingPerson {
    fn of(row: &PersonFields, company: Option<&CompanyFields>, identity: IdentityLine) -> Self {
        let facts = MissingFacts {
            has_handle: !row.linkedin_id.is_empty(),
            has_email: !row.email.is_empty(),
            has_company: company.is_some(),
            edges: 0,
        };
        let company = company.map(|company| company.name.clone());
        Self { identity, name: row.name.clone(), facts, company }
    }

    /// Each name of the person with one of their companies, which may be empty.
    fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        let written = (self.name.as_str(), self.company.as_deref().unwrap_or_default());
        let others = self.identity.names.iter().map(|(name, company)| (name.as_str(), company.as_str()));
        [written].into_iter().chain(others)
    }

    /// The keys that a row of today can share with this person. `files` maps the names of today's files to their
    /// numbers.
    fn keys(&self, files: &HashMap<&str, u32>) -> Vec<String> {
        let rows = self.identity.rows.iter();
        let places: Vec<(u32, u64)> =
            rows.filter_map(|row| Some((*files.get(row.file.as_str())?, row.line))).collect();
        let named = self.names().flat_map(|(name, _)| name_keys(name, "", places.clone()));
        self.identity.handles.iter().chain(&self.identity.emails).cloned().chain(named).collect()
    }

    /// Each name with a company, in the form of those keys.
    fn names_at_companies(&self) -> impl Iterator<Item = String> {
        self.names().flat_map(|(name, company)| name_keys(name, company, []))
    }
}

/// Today's rows.
struct Today<'a> {
    /// The files by their names.
    files: HashMap<&'a str, u32>,
    /// The rows of written people.
    rows: HashSet<(u32, u64)>,
    /// The keys of rows of people to be forgotten.
    hidden: HashSet<String>,
}

impl<'a> Today<'a> {
    fn of(keeping: &Keeping<'a>) -> Self {
        let Keeping { gathered, people, contacts, .. } = keeping;
        let files = gathered.outcomes.iter().map(|file| file.stored.as_str()).zip(0..).collect();
        let of_people = people.of_row.iter().zip(&gathered.rows).filter(|(person, _)| **person != GONE);
        let of_people = of_people.filter(|(_, row)| row.is_of_file()).map(|(_, row)| (row.file, row.line));
        let of_contacts = contacts.kept.iter().map(|row| (row.file, row.line));
        let of_owners = gathered.own.iter().flat_map(|own| own.rows.iter().copied());
        let hidden = people.skipped.iter().filter(|(_, skip)| matches!(skip, RowSkip::Suppressed));
        let hidden = hidden.flat_map(|(row, _)| gathered.keys(&gathered.rows[*row as usize])).collect();
        Self { files, rows: of_people.chain(of_contacts).chain(of_owners).collect(), hidden }
    }

    fn has(&self, row: &IdentityRow) -> bool {
        self.files.get(row.file.as_str()).is_some_and(|file| self.rows.contains(&(*file, row.line)))
    }
}

impl Keeping<'_> {
    /// The people of the tables in `folder` who are in none of today's files, except those left out or to be forgotten,
    /// and those reached only by former members or derived edges.
    ///
    /// # Errors
    /// Returns an error if a table cannot be read.
    pub(crate) fn missing(&self, folder: &Path) -> Result<MissingPeople, EarlierFault> {
        let absent = self.absent();
        if absent.is_empty() {
            return Ok(MissingPeople::default());
        }
        let mut kept = KeptLines::new();
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
        self.take_edges(folder, &today, &mut people, &mut kept)?;
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
        Ok(MissingPeople { people: people.into_values().collect(), lines: Arc::new(kept) })
    }

    /// The ids of the last import that nobody in today's files has. A person without a row was known only by an edge,
    /// unless they were kept.
    fn absent(&self) -> HashSet<&str> {
        let ids = self.people.ids.iter().flat_map(|ids| [&ids.id].into_iter().chain(&ids.formerly));
        let here: HashSet<&str> = ids.map(String::as_str).collect();
        let earlier = self.earlier.people.iter().filter(|person| !person.rows.is_empty() || person.kept);
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

    /// Moves the edges from today's members and advocates to `people`, and their evidence, to `kept`. Keeps a
    /// person only if one of these edges leads to them, or no edge ever did.
    fn take_edges(
        &self,
        folder: &Path,
        today: &Today<'_>,
        people: &mut BTreeMap<String, MissingPerson>,
        kept: &mut KeptLines,
    ) -> Result<(), EarlierFault> {
        let holders = self.holders();
        let expired = self.expired(folder, people)?;
        let (mut lost, mut taken) = (HashSet::new(), HashSet::new());
        lines(folder, CONNECTIONS, |edge: EdgeFields| {
            let Some(person) = people.get_mut(&edge.to) else { return };
            let derived = edge
                .breakdown
                .as_ref()
                .is_some_and(|text| DERIVED_FACTORS.iter().any(|factor| text.get().contains(factor)));
            let is_old = expired.contains(&(edge.from.clone(), edge.to.clone()));
            let holder = holders.get(edge.from.as_str()).filter(|_| !derived && !is_old);
            let Some((_, from)) = holder.filter(|(holder, _)| !self.is_kept_back(*holder, person, today))
            else {
                lost.insert(edge.to);
                return;
            };
            person.facts.edges += 1;
            taken.insert((edge.from, edge.to.clone()));
            add(kept, CONNECTIONS, [text(&EdgeFields { from: (*from).to_owned(), ..edge })]);
        })?;
        people.retain(|id, person| person.facts.edges > 0 || !lost.contains(id));
        lines(folder, EVIDENCE, |row: EvidenceFields| {
            let pair = (row.from, row.to);
            if let Some((_, from)) = holders.get(pair.0.as_str()).filter(|_| taken.contains(&pair)) {
                let row = EvidenceFields { from: (*from).to_owned(), to: pair.1, ..row };
                add(kept, EVIDENCE, [text(&row)]);
            }
        })
    }

    /// The ends of the edges to `people` whose newest evidence is expired.
    fn expired(
        &self,
        folder: &Path,
        people: &BTreeMap<String, MissingPerson>,
    ) -> Result<HashSet<(String, String)>, EarlierFault> {
        let Some(from) = self.kept_from.map(written) else { return Ok(HashSet::new()) };
        let mut newest: HashMap<(String, String), String> = HashMap::new();
        lines(folder, EVIDENCE, |row: EvidenceFields| {
            if people.contains_key(&row.to) {
                let known = newest.entry((row.from, row.to)).or_default();
                *known = std::mem::take(known).max(row.at);
            }
        })?;
        // Written days sort like days.
        Ok(newest.into_iter().filter(|(_, day)| *day < from).map(|(pair, _)| pair).collect())
    }

    /// The members and accepted advocates by person id, each with today's id.
    fn holders(&self) -> HashMap<&str, (u32, &str)> {
        let mut holders = HashMap::new();
        for place in (0..self.plan.holders.len()).filter(|place| self.plan.holders[*place].has_edges()) {
            let place = place as u32;
            let Some(ids) = self.people.ids.get(self.people.holder(place) as usize) else { continue };
            let all = [&ids.id].into_iter().chain(&ids.formerly);
            holders.extend(all.map(|id| (id.as_str(), (place, ids.id.as_str()))));
        }
        holders
    }

    /// Whether the holder withholds the person, in the manifest or by a row of today.
    fn is_kept_back(&self, holder: u32, person: &MissingPerson, today: &Today<'_>) -> bool {
        let companies = person.names().map(|(_, company)| company);
        self.plan.holders[holder as usize].leave_out != LeaveOut::default() && {
            let keys: Vec<String> =
                person.keys(&today.files).into_iter().chain(person.names_at_companies()).collect();
            self.gathered.keeps_back(self.plan, holder, &keys, companies)
        }
    }
}
