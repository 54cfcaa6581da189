//! The report of an import: each file with its rows, and figures on the network.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::imported::Imported;
use crate::note::ImportNote;
use crate::outcome::{ImportedFile, RowSkip};
use crate::tables::absent::{MissingFacts, MissingPerson};

/// Row counts of one file, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RowTotals {
    /// Rows read: the sum of the others.
    pub read: u64,
    /// Rows that are the first of their person.
    pub used: u64,
    /// Further rows of a person, and messages already read.
    pub merged: u64,
    /// Rows that were skipped.
    pub skipped: u64,
}

/// Figures on the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkFacts {
    /// People.
    pub people: usize,
    /// Members.
    pub members: usize,
    /// Advocates who accepted.
    pub advocates: usize,
    /// People to whom a member or an advocate has an edge.
    pub reached: usize,
    /// Edges.
    pub edges: usize,
    /// People with a handle.
    pub with_handle: usize,
    /// People with an address.
    pub with_email: usize,
    /// People with a company.
    pub with_company: usize,
}

#[derive(Serialize)]
struct ReportLine<'a> {
    files: Vec<FileLine<'a>>,
    #[serde(rename = "filesLeft", skip_serializing_if = "is_none_left")]
    files_left: usize,
    totals: AllTotals,
    /// The number of skipped rows by reason; `None` if each skipped row is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<ReasonLine>>,
    #[serde(rename = "asOf")]
    as_of: String,
    network: NetworkFacts,
    #[serde(rename = "lastTime", skip_serializing_if = "Option::is_none")]
    last_time: Option<LastTime<'a>>,
    notes: &'a [ImportNote],
    #[serde(rename = "notesLeft", skip_serializing_if = "is_none_left")]
    notes_left: usize,
}

/// The people of the last import missing from today's files.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LastTime<'a> {
    missing: usize,
    kept: bool,
    people: Vec<MissingLine<'a>>,
    #[serde(skip_serializing_if = "is_none_left")]
    people_left: usize,
}

#[derive(Serialize)]
struct MissingLine<'a> {
    id: &'a str,
    name: &'a str,
}

impl<'a> MissingLine<'a> {
    fn of(person: &'a MissingPerson) -> Self {
        Self { id: &person.identity.id, name: &person.name }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AllTotals {
    #[serde(flatten)]
    rows: RowTotals,
    /// Derived edges, and people whom no row names.
    derived: usize,
    derived_people: usize,
    /// Edges between people who were at one place at the same time.
    #[serde(skip_serializing_if = "is_none_left")]
    together: usize,
    /// Pairs of people who may be one.
    doubles: usize,
    /// Expired ties, and the people removed with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    expired: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expired_people: Option<usize>,
}

#[derive(Serialize)]
struct FileLine<'a> {
    file: &'a str,
    format: &'a str,
    #[serde(flatten)]
    rows: RowTotals,
    skips: Vec<SkipLine>,
    #[serde(rename = "skipsLeft", skip_serializing_if = "is_none_left")]
    skips_left: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
}

#[derive(Serialize)]
struct ReasonLine {
    reason: String,
    rows: u64,
}

#[derive(Serialize)]
struct SkipLine {
    line: u64,
    reason: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references over")]
fn is_none_left(left: &usize) -> bool {
    *left == 0
}

impl ImportedFile {
    /// Its row counts.
    #[must_use]
    pub fn totals(&self) -> RowTotals {
        let skipped = self.skips.len() as u64;
        RowTotals { read: self.read, used: self.used, merged: self.merged, skipped }
    }
}

impl Imported {
    /// The files in the order of the plan, with each entry of an archive separately.
    #[must_use]
    pub fn files(&self) -> &[ImportedFile] {
        &self.gathered.outcomes
    }

    /// Returns the notes.
    #[must_use]
    pub fn notes(&self) -> &[ImportNote] {
        &self.notes
    }

    /// The id of the organization.
    #[must_use]
    pub fn organization_id(&self) -> &str {
        &self.organization_id
    }

    /// The ids and names of the members.
    pub fn members(&self) -> impl Iterator<Item = (&str, &str)> {
        let holders = self.plan.holders.iter().zip(&self.user_ids);
        holders
            .filter(|(holder, _)| holder.is_member())
            .map(|(holder, id)| (id.as_str(), holder.name.as_str()))
    }

    /// The row counts of all files.
    #[must_use]
    pub fn totals(&self) -> RowTotals {
        self.files().iter().map(ImportedFile::totals).fold(RowTotals::default(), |all, one| RowTotals {
            read: all.read + one.read,
            used: all.used + one.used,
            merged: all.merged + one.merged,
            skipped: all.skipped + one.skipped,
        })
    }

    /// The names of planned files that were empty, or could not be read to their end, each with the reason.
    #[must_use]
    pub fn failed(&self) -> Vec<(&str, &str)> {
        let mut failed = Vec::new();
        for (place, planned) in self.plan.files.iter().enumerate() {
            let of = || self.files().iter().filter(|file| file.planned == place);
            let faults = of().filter_map(|file| Some((file.file.as_str(), file.fault.as_deref()?)));
            let before = failed.len();
            failed.extend(faults);
            let is_empty =
                || of().all(|file| file.kept() == 0) && !of().all(ImportedFile::is_without_contacts);
            if failed.len() == before && is_empty() {
                failed.push((planned.name.as_str(), "no row of it was kept"));
            }
        }
        failed
    }

    /// Returns the number of derived edges, and of people whom no row names.
    #[must_use]
    pub fn derived(&self) -> (usize, usize) {
        (self.derived.edges.len(), self.derived.people)
    }

    /// Returns the number of edges between people who were at one place at the same time.
    #[must_use]
    pub fn together(&self) -> usize {
        self.derived.together.len()
    }

    /// Returns the number of expired ties, and of people removed with them; `None` if the plan keeps all.
    #[must_use]
    pub fn expired(&self) -> Option<(usize, usize)> {
        self.expired.map(|expired| (expired.ties, expired.people))
    }

    /// Returns the number of likely doubles.
    #[must_use]
    pub fn doubles(&self) -> usize {
        self.doubles.len()
    }

    /// Whether no file had a used row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files().iter().all(|file| file.kept() == 0)
    }

    /// Returns figures on the network.
    #[must_use]
    pub fn facts(&self) -> NetworkFacts {
        let people = || self.people.people.iter();
        let members = self.plan.holders.iter().filter(|holder| holder.is_member()).count();
        let kept = || self.kept().iter().map(|person| person.facts);
        let with =
            |own: usize, has: fn(MissingFacts) -> bool| own + kept().filter(|facts| has(*facts)).count();
        NetworkFacts {
            people: self.people.people.len() + kept().count(),
            members,
            advocates: self.plan.holders.iter().filter(|holder| holder.has_edges()).count() - members,
            reached: with(self.reached, |facts| facts.edges > 0),
            edges: self.edges.len()
                + self.missing.taken.len()
                + kept().map(|facts| facts.edges).sum::<usize>(),
            with_handle: with(people().filter(|person| !person.handle.is_empty()).count(), |of| {
                of.has_handle
            }),
            with_email: with(people().filter(|person| !person.email.is_empty()).count(), |of| of.has_email),
            with_company: with(people().filter(|person| person.company != 0).count(), |of| of.has_company),
        }
    }

    /// The people of the last import missing from today's files, at most `most` of them by name; `None` if no one is
    /// missing.
    fn last_time(&self, most: usize) -> Option<LastTime<'_>> {
        let missing = &self.missing.people;
        (!missing.is_empty()).then(|| LastTime {
            missing: missing.len(),
            kept: self.keeps,
            people: missing.iter().take(most).map(MissingLine::of).collect(),
            people_left: missing.len().saturating_sub(most),
        })
    }

    /// Writes the report as JSON.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn write_report(&self, out: impl Write) -> io::Result<()> {
        self.write_report_up_to(usize::MAX, out)
    }

    /// The number of skipped rows by reason.
    fn reasons(&self) -> Vec<ReasonLine> {
        let mut rows: BTreeMap<String, u64> = BTreeMap::new();
        for (_, reason) in self.files().iter().flat_map(|file| &file.skips) {
            *rows.entry(reason.to_string()).or_default() += 1;
        }
        rows.into_iter().map(|(reason, rows)| ReasonLine { reason, rows }).collect()
    }

    /// Writes the report as JSON with at most `most` files, skipped rows and notes, of each; for the rest it states the
    /// number, and for skipped rows the reasons.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn write_report_up_to(&self, most: usize, mut out: impl Write) -> io::Result<()> {
        let mut room = most;
        let file = |of: &'_ ImportedFile| {
            let shown = of.skips.len().min(room);
            room -= shown;
            let skip = |(line, reason): &(u64, RowSkip)| SkipLine { line: *line, reason: reason.to_string() };
            (of.skips[..shown].iter().map(skip).collect(), of.skips.len() - shown)
        };
        let (files, notes) = (self.files(), &self.notes);
        let (files_shown, notes_shown) = (files.len().min(most), notes.len().min(most));
        let skips: Vec<(Vec<SkipLine>, usize)> = files[..files_shown].iter().map(file).collect();
        let is_whole = skips.len() == files.len() && skips.iter().all(|(_, left)| *left == 0);
        let reasons = (!is_whole).then(|| self.reasons());
        let files_with = files.iter().zip(skips).map(|(of, (skips, skips_left))| FileLine {
            file: &of.file,
            format: &of.format,
            rows: of.totals(),
            skips,
            skips_left,
            fault: of.fault.as_deref(),
        });
        let report = ReportLine {
            files: files_with.collect(),
            files_left: files.len() - files_shown,
            totals: AllTotals {
                rows: self.totals(),
                derived: self.derived.edges.len(),
                together: self.derived.together.len(),
                derived_people: self.derived.people,
                doubles: self.doubles.len(),
                expired: self.expired.map(|expired| expired.ties),
                expired_people: self.expired.map(|expired| expired.people),
            },
            reasons,
            as_of: self.as_of.timestamp().to_rfc3339_ms()[..10].to_owned(),
            network: self.facts(),
            last_time: self.last_time(most),
            notes: &notes[..notes_shown],
            notes_left: notes.len() - notes_shown,
        };
        serde_json::to_writer_pretty(&mut out, &report)?;
        out.write_all(b"\n")
    }
}
