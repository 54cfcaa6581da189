//! Turns the rows of a sketch into a dataset, as a build does with tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::aliases::{AliasColumn, Aliases};
use crate::model::column::{ColumnFull, DictionaryColumn, TextColumn};
use crate::model::count::OptionalCount;
use crate::model::csr::Offsets;
use crate::model::dataset::{
    Advocate, AdvocateStatus, Companies, Dataset, IntroRequests, Members, Opportunities, OpportunityStatus,
    Organization, People, Role,
};
use crate::model::evidence::Evidence;
use crate::model::ix::{CompanyIx, MemberIx, OptionalIx, PersonIx};
use crate::model::time::Timestamp;
use crate::model::vectors::{Vectors, ZERO};
use crate::model::warmness::Warmness;
use crate::prepare::edges::EdgeRow;
use crate::prepare::{edges, names};
use crate::sketch::line::Fields;
use crate::sketch::rows::{AdvocateRow, ConnectionRow, EMPLOYER, Sketch};

/// The time of everything in a sketch: the first second of 2026.
const TIME: Timestamp = Timestamp { seconds: 1_767_225_600, nanos: 0 };
const PERSON_FIELDS: [&str; 7] = ["name", "linkedinId", "email", "position", "city", "country", EMPLOYER];
const COMPANY_FIELDS: [&str; 5] = ["name", "companyId", "industry", "headquartersLocation", "domain"];

impl Sketch {
    /// Builds the dataset of these tables. All vectors are zero: the engine has no model.
    ///
    /// # Errors
    /// Returns why the rows are not a network, or names a field that no table has.
    pub(crate) fn build(&self) -> Result<Dataset, String> {
        known_fields("people", &self.people, &PERSON_FIELDS)?;
        known_fields("companies", &self.companies, &COMPANY_FIELDS)?;
        let full = |_: ColumnFull| "the sketch: a column is full".to_owned();
        let (people, companies) = (self.people_table().map_err(full)?, self.company_table().map_err(full)?);
        let members = self.member_table()?;
        let advocates = self.advocate_rows()?;
        let accepted = advocates.iter().filter(|advocate| advocate.status == AdvocateStatus::Accepted);
        let implied: Vec<_> =
            accepted.map(|advocate| (members.person(advocate.member), advocate.person)).collect();
        let breakdowns = self.breakdowns();
        let rows = self.edge_rows(&breakdowns)?;
        let (edges, _) = edges::build(people.len(), rows, &implied).map_err(|many| many.to_string())?;
        Ok(Dataset {
            organization: Organization {
                id: "org_sketch".to_owned(),
                name: "Sketch".to_owned(),
                company: None,
            },
            intro_requests: self.intro_rows()?,
            opportunities: self.opportunity_table()?,
            preferences: Vec::new(),
            former: Vec::new(),
            evidence: Evidence::default(),
            breakdowns: texts(breakdowns.iter().map(String::as_str)).map_err(full)?,
            person_names: names::build(&people.names).map_err(full)?,
            company_names: names::build(&companies.names).map_err(full)?,
            vectors: zeros(&people, &companies),
            edges,
            people,
            companies,
            members,
            advocates,
        })
    }
    fn people_table(&self) -> Result<People, ColumnFull> {
        let rows = &self.people;
        let employer = |fields: &Fields| fields.get(EMPLOYER).and_then(|name| place(&self.companies, name));
        Ok(People {
            ids: texts(rows.keys().map(|name| format!("person_{name}")))?,
            names: column(rows, "name", Some)?,
            handles: column(rows, "linkedinId", Some)?,
            emails: column(rows, "email", |_| None)?,
            positions: dictionary(rows, "position")?,
            companies: rows
                .values()
                .map(|fields| OptionalIx::from(employer(fields).map(CompanyIx)))
                .collect(),
            cities: dictionary(rows, "city")?,
            countries: dictionary(rows, "country")?,
            connections_counts: vec![OptionalCount::NONE; rows.len()],
            aliases: Aliases { handles: AliasColumn::default(), emails: AliasColumn::default() },
        })
    }

    fn company_table(&self) -> Result<Companies, ColumnFull> {
        let rows = &self.companies;
        Ok(Companies {
            ids: texts(rows.keys().map(|name| format!("company_{name}")))?,
            names: column(rows, "name", Some)?,
            handles: column(rows, "companyId", |_| None)?,
            industries: dictionary(rows, "industry")?,
            headquarters: dictionary(rows, "headquartersLocation")?,
            min_sizes: vec![OptionalCount::NONE; rows.len()],
            max_sizes: vec![OptionalCount::NONE; rows.len()],
            logo_urls: column(rows, "logoUrl", |_| None)?,
            domains: column(rows, "domain", |_| None)?,
        })
    }

    fn member_table(&self) -> Result<Members, String> {
        let people: Vec<PersonIx> =
            self.members.values().map(|name| self.person_ix(name)).collect::<Result<_, _>>()?;
        let twice = self
            .members
            .values()
            .zip(&people)
            .find(|(_, person)| people.iter().filter(|other| other == person).count() > 1);
        if let Some((name, _)) = twice {
            return Err(format!("the sketch: {name} is two members"));
        }
        let count = people.len();
        Ok(Members {
            user_ids: texts(self.members.keys().map(|user| format!("user_{user}")))
                .map_err(|_| "the sketch: a column is full")?,
            people,
            external_ids: TextColumn::without_values(count),
            roles: vec![Role::Member; count],
            joined_at: vec![TIME; count],
            synced_at: vec![None; count],
        })
    }

    fn advocate_rows(&self) -> Result<Vec<Advocate>, String> {
        let row = |row: &AdvocateRow| {
            let status = match row.status.as_str() {
                "accepted" => AdvocateStatus::Accepted,
                "pending" => AdvocateStatus::Pending,
                "declined" => AdvocateStatus::Declined,
                other => return Err(format!("the sketch: {other} is no status of an advocate")),
            };
            let (person, member) = (self.person_ix(&row.person)?, self.member_ix(&row.user)?);
            Ok(Advocate { person, member, status, synced_at: None })
        };
        let mut rows = self.advocates.iter().map(row).collect::<Result<Vec<_>, String>>()?;
        rows.sort_by_key(|row| (row.person, row.member));
        if let Some(pair) =
            rows.windows(2).find(|pair| (pair[0].person, pair[0].member) == (pair[1].person, pair[1].member))
        {
            return Err(format!("the sketch: {:?} is the same advocate twice", pair[0].person));
        }
        Ok(rows)
    }

    /// The distinct breakdowns, strictly ascending after the empty text.
    fn breakdowns(&self) -> Vec<String> {
        let of_arrows = self.connections.iter().filter_map(|row| row.arrow.reason.as_deref()).map(breakdown);
        std::iter::once(String::new()).chain(of_arrows.collect::<BTreeSet<_>>()).collect()
    }

    fn edge_rows(&self, breakdowns: &[String]) -> Result<Vec<EdgeRow>, String> {
        let number = |reason: &str| breakdowns.binary_search(&breakdown(reason)).unwrap_or(0) as u32;
        let row = |row: &ConnectionRow| {
            let score = row.arrow.score.map_or(Ok(Warmness::UNSCORED), |score| {
                let out_of_range =
                    || format!("the sketch: expected a whole number from 0 to 100, got {score}");
                Warmness::new(score).ok_or_else(out_of_range)
            })?;
            Ok(EdgeRow {
                from: self.person_ix(&row.from)?,
                to: self.person_ix(&row.to)?,
                score,
                breakdown: row.arrow.reason.as_deref().map_or(0, number),
            })
        };
        self.connections.iter().map(row).collect()
    }

    fn intro_rows(&self) -> Result<IntroRequests, String> {
        let mut rows = Vec::new();
        for (person, user) in &self.intro_requests {
            rows.push((self.person_ix(person)?, self.member_ix(user)?));
        }
        rows.sort_by_key(|&(person, member)| (person, std::cmp::Reverse(member)));
        let statuses = texts(rows.iter().map(|_| "ACTIVE")).map_err(|_| "the sketch: a column is full")?;
        Ok(IntroRequests {
            people: rows.iter().map(|row| row.0).collect(),
            statuses: DictionaryColumn::from_texts(&statuses),
            requested_by: rows.iter().map(|row| row.1).collect(),
            requested_at: vec![TIME; rows.len()],
        })
    }

    fn opportunity_table(&self) -> Result<Opportunities, String> {
        let full = |_: ColumnFull| "the sketch: a column is full".to_owned();
        let mut rows: Vec<_> = self.opportunities.iter().collect();
        rows.sort_by(|one, other| one.id.cmp(&other.id));
        let mut path_offsets = Offsets::with_capacity(rows.len());
        let mut path_connections = Vec::new();
        for row in &rows {
            for name in &row.via {
                path_connections.push(self.person_ix(name)?);
            }
            path_offsets.push(path_connections.len());
        }
        let empty = || TextColumn::without_values(rows.len());
        let of_paths = |text: &'static str| texts(path_connections.iter().map(|_| text)).map_err(full);
        let of_rows = |text: &'static str| texts(rows.iter().map(|_| text)).map_err(full);
        Ok(Opportunities {
            ids: texts(rows.iter().map(|row| format!("ghost_{}", row.id))).map_err(full)?,
            prospects: rows.iter().map(|row| self.person_ix(&row.prospect)).collect::<Result<_, _>>()?,
            overall_scores: of_rows("1")?,
            priorities: DictionaryColumn::from_texts(&empty()),
            confidence_levels: empty(),
            statuses: vec![OpportunityStatus::Visible; rows.len()],
            discovered_at: vec![TIME; rows.len()],
            search_sources: DictionaryColumn::from_texts(&empty()),
            icp_evaluations: empty(),
            buying_intents: empty(),
            key_insights: empty(),
            discovered_by: rows.iter().map(|row| self.member_ix(&row.user)).collect::<Result<_, _>>()?,
            path_offsets,
            path_types: DictionaryColumn::from_texts(&of_paths("member")?),
            path_strengths: of_paths("1")?,
            path_warmness: TextColumn::without_values(path_connections.len()),
            path_connections,
        })
    }

    fn person_ix(&self, name: &str) -> Result<PersonIx, String> {
        place(&self.people, name).map(PersonIx).ok_or_else(|| format!("the sketch: nobody is called {name}"))
    }

    fn member_ix(&self, user: &str) -> Result<MemberIx, String> {
        place(&self.members, user).map(MemberIx).ok_or_else(|| format!("the sketch: no member is {user}"))
    }
}

fn known_fields(table: &str, rows: &BTreeMap<String, Fields>, known: &[&str]) -> Result<(), String> {
    let mut fields = rows.values().flat_map(Fields::keys);
    match fields.find(|field| !known.contains(&field.as_str())) {
        Some(field) => Err(format!("the sketch: {table} has no field {field}")),
        None => Ok(()),
    }
}

fn place<T>(rows: &BTreeMap<String, T>, name: &str) -> Option<u32> {
    rows.keys().position(|known| known == name).map(|place| place as u32)
}

fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Result<TextColumn, ColumnFull> {
    let mut column = TextColumn::default();
    texts.into_iter().try_for_each(|text| column.push(text.as_ref()))?;
    Ok(column)
}

/// The `field` of each row, or `otherwise` of its name.
fn column<'a>(
    rows: &'a BTreeMap<String, Fields>,
    field: &str,
    otherwise: fn(&'a str) -> Option<&'a str>,
) -> Result<TextColumn, ColumnFull> {
    let value = |(name, fields): (&'a String, &'a Fields)| {
        fields.get(field).map(String::as_str).or_else(|| otherwise(name)).unwrap_or_default()
    };
    texts(rows.iter().map(value))
}

fn dictionary(rows: &BTreeMap<String, Fields>, field: &str) -> Result<DictionaryColumn, ColumnFull> {
    Ok(DictionaryColumn::from_texts(&column(rows, field, |_| None)?))
}

/// A breakdown of one factor.
fn breakdown(reason: &str) -> String {
    serde_json::json!({ reason: 1 }).to_string()
}

fn zeros(people: &People, companies: &Companies) -> Vectors {
    let of = |texts: &TextColumn| vec![ZERO; texts.len()];
    Vectors {
        positions: of(&people.positions.values),
        cities: of(&people.cities.values),
        countries: of(&people.countries.values),
        industries: of(&companies.industries.values),
        headquarters: of(&companies.headquarters.values),
        company_names: of(&companies.names),
        ..Vectors::default()
    }
}
