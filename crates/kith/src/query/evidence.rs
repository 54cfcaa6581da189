//! The evidence behind the score of an edge, and the reasons for the score with dates from it: "Connected since 2016"
//! for "Connected".

use std::fmt;
use std::ops::Range;

use crate::graph::sentences::EdgeSignals;
use crate::graph::signals::{
    AT_ONE_PLACE, CONNECTED, IN_TOUCH, INVITED, MET, PROBABLY, SEEN_TOGETHER, WROTE_OFTEN,
};
use crate::limits::EVIDENCE_ENTRIES_MAX;
use crate::model::evidence::Evidence;
use crate::model::ix::PersonIx;
use crate::model::time::Timestamp;

/// One row of evidence for the score of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvidenceEntry<'a> {
    /// The kind of event.
    pub kind: &'a str,
    /// When it happened.
    pub at: Timestamp,
    /// The source it was found in.
    pub source: Option<&'a str>,
    /// More about it.
    pub note: Option<&'a str>,
}

/// The newest evidence of one edge, at most [`EVIDENCE_ENTRIES_MAX`] rows.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeEvidence<'a> {
    table: Option<&'a Evidence>,
    rows: Range<usize>,
}

/// The reasons for an edge's score as sentences, highest factor first. Dates are added when a sentence is written, so
/// that paths not shown cost nothing.
#[derive(Clone, Debug, Default)]
pub struct EdgeReasons<'a> {
    plain: EdgeSignals<'a>,
    evidence: EdgeEvidence<'a>,
}

/// One of these sentences.
#[derive(Clone, Copy, Debug)]
pub struct ReasonSentence<'r> {
    plain: &'r str,
    evidence: &'r EdgeEvidence<'r>,
}

impl<'a> EdgeEvidence<'a> {
    /// Finds the evidence of an edge. Costs two binary searches in the table.
    pub(super) fn of(table: &'a Evidence, from: PersonIx, to: PersonIx) -> Self {
        let rows = table.rows_of(from, to);
        let end = rows.end.min(rows.start + EVIDENCE_ENTRIES_MAX);
        Self { table: Some(table), rows: rows.start..end }
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = EvidenceEntry<'a>> + use<'a> {
        self.of_kinds(|_| true)
    }

    /// The entries of the kinds that `is_meant`.
    fn of_kinds<F: Fn(&str) -> bool>(
        &self,
        is_meant: F,
    ) -> impl Iterator<Item = EvidenceEntry<'a>> + use<'a, F> {
        let rows = self.rows.clone();
        self.table.into_iter().flat_map(move |table| rows.clone().map(move |row| (table, row))).filter_map(
            move |(table, row)| {
                let kind = table.kinds.get(row as u32);
                is_meant(kind).then(|| EvidenceEntry {
                    kind,
                    at: table.at[row],
                    source: table.sources.value(row as u32),
                    note: table.notes.value(row as u32),
                })
            },
        )
    }

    /// The newest entry of one of `kinds`.
    fn newest(&self, kinds: &[&str]) -> Option<EvidenceEntry<'a>> {
        self.of_kinds(|kind| kinds.contains(&kind)).next()
    }

    /// The number of events of `kinds`.
    fn count(&self, kinds: &[&str]) -> u64 {
        self.of_kinds(|kind| kinds.contains(&kind)).map(|entry| count(&entry)).sum()
    }
}

impl<'a> EdgeReasons<'a> {
    pub(super) fn new(plain: EdgeSignals<'a>, evidence: EdgeEvidence<'a>) -> Self {
        Self { plain, evidence }
    }

    /// Whether there are no sentences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }

    /// The sentences.
    pub fn sentences(&self) -> impl Iterator<Item = ReasonSentence<'_>> {
        self.plain.iter().map(|plain| ReasonSentence { plain, evidence: &self.evidence })
    }

    /// The sentences, or `None` if there are none.
    #[must_use]
    pub fn any(&self) -> Option<impl Iterator<Item = ReasonSentence<'_>>> {
        (!self.is_empty()).then(|| self.sentences())
    }

    /// Whether no file states that the two know each other: the edge is derived.
    #[must_use]
    pub fn are_of_a_guess(&self) -> bool {
        self.plain.iter().next().is_some_and(|sentence| sentence.starts_with(PROBABLY))
    }
}

impl PartialEq for EdgeReasons<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.plain == other.plain && self.evidence.entries().eq(other.evidence.entries())
    }
}

impl Eq for EdgeReasons<'_> {}

impl<'r> ReasonSentence<'r> {
    /// The sentence, if there is no evidence that could date it.
    #[must_use]
    pub fn undated(self) -> Option<&'r str> {
        self.evidence.rows.is_empty().then_some(self.plain)
    }
}

impl fmt::Display for ReasonSentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dated(f).unwrap_or_else(|| f.write_str(self.plain))
    }
}

const SENT: [&str; 2] = ["mail_sent", "message_sent"];
const RECEIVED: [&str; 2] = ["mail_received", "message_received"];
const WRITTEN: [&str; 4] = ["mail_sent", "message_sent", "mail_received", "message_received"];

impl ReasonSentence<'_> {
    /// Writes the sentence with its dates; `None`, writing nothing, if there is no evidence for it.
    fn dated(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        let evidence = self.evidence;
        let of = |kind: &str| evidence.newest(&[kind]);
        Some(match self.plain {
            CONNECTED => write!(f, "Connected since {}", of("connection")?.at.year()),
            INVITED => match (of("invitation_received"), of("invitation_sent")) {
                (Some(received), _) => {
                    write!(f, "Sent an invitation to connect on {}", received.at.day_in_words())
                }
                (None, sent) => {
                    write!(f, "Accepted an invitation to connect of {}", sent?.at.day_in_words())
                }
            },
            IN_TOUCH => write!(f, "Still in touch in {}", evidence.newest(&WRITTEN)?.at.month_in_words()),
            WROTE_OFTEN => {
                let last = evidence.newest(&WRITTEN)?.at.day_in_words();
                let (sent, received) = (evidence.count(&SENT), evidence.count(&RECEIVED));
                let verb = match (sent, received) {
                    (_, 0) => "Was written to",
                    (0, _) => "Wrote",
                    _ => "Wrote to each other",
                };
                write!(f, "{verb} {}, last on {last}", Times(sent + received))
            }
            MET => {
                let met = of("meeting")?;
                write!(f, "Met {}, last on {}", Times(count(&met)), met.at.day_in_words())
            }
            SEEN_TOGETHER => seen_together(f, of("in_copy"), of("met_with"))?,
            AT_ONE_PLACE => write!(f, "{PROBABLY}: {}", of("same_place")?.note?),
            _ => return None,
        })
    }
}

/// Writes the sentence for a tie found in other people's mail and calendars. A note reads `3 days since 2025-01-02, in
/// mail of Ana Prado`.
fn seen_together(
    f: &mut fmt::Formatter<'_>,
    in_copy: Option<EvidenceEntry<'_>>,
    met_with: Option<EvidenceEntry<'_>>,
) -> Option<fmt::Result> {
    fn part<'n>(entry: Option<EvidenceEntry<'n>>) -> Option<(&'n str, &'n str, Timestamp)> {
        let entry = entry?;
        let (days, rest) = entry.note?.split_once(" since ")?;
        Some((days, rest.split_once(" of ")?.1, entry.at))
    }
    let (wrote, met) = (part(in_copy), part(met_with));
    if wrote.is_none() && met.is_none() {
        return None;
    }
    let write = |f: &mut fmt::Formatter<'_>| {
        write!(f, "{PROBABLY}: ")?;
        if let Some((days, owner, last)) = wrote {
            write!(f, "wrote on {days} with {owner} in copy, last on {}", last.day_in_words())?;
        }
        let Some((days, owner, last)) = met else { return Ok(()) };
        let separator = if wrote.is_some() { "; " } else { "" };
        write!(f, "{separator}met on {days} by the calendar of {owner}, last on {}", last.day_in_words())
    };
    Some(write(f))
}

/// The number of events behind `entry`: its note states it if there are several.
fn count(entry: &EvidenceEntry<'_>) -> u64 {
    let note = entry.note.and_then(|note| note.strip_prefix("the last of "));
    note.and_then(|note| note.split(' ').next()?.parse().ok()).unwrap_or(1)
}

/// A count as `once`, `twice` or `9 times`.
struct Times(u64);

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("once"),
            2 => f.write_str("twice"),
            times => write!(f, "{times} times"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::signals::signals;
    use crate::model::column::TextColumn;

    /// A table of evidence of one edge, from lines of `KIND DAY NOTE`, newest first.
    fn evidence(lines: &[&str]) -> Evidence {
        let mut table = Evidence::default();
        let mut texts = TextColumn::without_values(1);
        for (line, row) in lines.iter().zip(0..) {
            let mut words = line.splitn(3, ' ');
            let (kind, day) = (words.next().unwrap(), words.next().unwrap());
            texts.push(kind).unwrap();
            table.from.push(PersonIx(0));
            table.to.push(PersonIx(1));
            table.at.push(Timestamp::parse(&format!("{day}T00:00:00Z")).unwrap());
            table.kinds.rows.push(row + 1);
            table.sources.rows.push(0);
            table.notes.push(words.next().unwrap_or_default()).unwrap();
        }
        (table.kinds.values, table.sources.values) = (texts.clone(), texts);
        table
    }

    /// The sentences of `breakdown` with dates from `table`.
    fn sentences(breakdown: &str, table: &Evidence) -> Vec<String> {
        let reasons =
            EdgeReasons::new(signals(breakdown).into(), EdgeEvidence::of(table, PersonIx(0), PersonIx(1)));
        reasons.sentences().map(|sentence| sentence.to_string()).collect()
    }

    /// A factor, its sentence, evidence, and the sentence with dates.
    type Dated = (&'static str, &'static str, &'static [&'static str], &'static str);

    const FACTORS: [Dated; 14] = [
        ("connection", "Connected", &["connection 2016-03-04"], "Connected since 2016"),
        (
            "yearsConnected",
            "Connected for more than a year",
            &["connection 2016-03-04"],
            "Connected for more than a year",
        ),
        (
            "invitation",
            "One invited the other to connect",
            &["invitation_received 2016-03-04"],
            "Sent an invitation to connect on 4 March 2016",
        ),
        (
            "invitation",
            "One invited the other to connect",
            &["invitation_sent 2016-03-04"],
            "Accepted an invitation to connect of 4 March 2016",
        ),
        (
            "messageRecency",
            "In touch",
            &["message_sent 2026-11-20 the last of 4", "mail_received 2026-11-19"],
            "Still in touch in November 2026",
        ),
        (
            "messageVolume",
            "Wrote to each other, or one to the other",
            &[
                "mail_received 2026-11-20 the last of 5 since 2024-01-02",
                "message_sent 2026-11-19 the last of 4",
            ],
            "Wrote to each other 9 times, last on 20 November 2026",
        ),
        (
            "messageVolume",
            "Wrote to each other, or one to the other",
            &["mail_received 2026-11-20"],
            "Wrote once, last on 20 November 2026",
        ),
        (
            "messageVolume",
            "Wrote to each other, or one to the other",
            &["mail_sent 2026-11-02 the last of 2"],
            "Was written to twice, last on 2 November 2026",
        ),
        ("messageReciprocity", "Both write", &["mail_sent 2026-11-02"], "Both write"),
        (
            "meetings",
            "Met",
            &["meeting 2026-11-02 the last of 3 since 2025-01-01"],
            "Met 3 times, last on 2 November 2026",
        ),
        (
            "listedWeight",
            "A list says how well they know each other",
            &[],
            "A list says how well they know each other",
        ),
        (
            "seenTogether",
            "Probably know each other: seen together in a colleague's mail or calendar",
            &["in_copy 2026-01-06 3 days since 2025-01-02, in mail of Ana Prado and 2 more"],
            "Probably know each other: wrote on 3 days with Ana Prado and 2 more in copy, last on 6 January 2026",
        ),
        (
            "seenTogether",
            "Probably know each other: seen together in a colleague's mail or calendar",
            &["met_with 2026-01-06 2 days since 2025-01-02, in the calendar of Ana Prado"],
            "Probably know each other: met on 2 days by the calendar of Ana Prado, last on 6 January 2026",
        ),
        (
            "sharedInstitution",
            "Probably know each other: at one place at the same time",
            &["same_place 2020-05-01 at Kelp Software together for 26 months"],
            "Probably know each other: at Kelp Software together for 26 months",
        ),
    ];

    #[test]
    fn each_factor_of_an_import_has_a_sentence_and_evidence_dates_it() {
        for (factor, plain, rows, dated) in FACTORS {
            let breakdown = format!("{{\"{factor}\":3}}");
            assert_eq!(sentences(&breakdown, &Evidence::default()), [plain], "{factor}");
            assert_eq!(sentences(&breakdown, &evidence(rows)), [dated], "{factor}");
            // Evidence from another program adds no invented dates.
            assert_eq!(sentences(&breakdown, &evidence(&["coffee 2026-01-06 twice"])), [plain], "{factor}");
        }
    }
}
