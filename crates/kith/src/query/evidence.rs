//! The evidence behind the score of an edge, and signals with its dates: "Connected since 2016" for "Connected".

use std::borrow::Cow;
use std::fmt;

use crate::graph::sentences::EdgeSignals;
use crate::graph::signals::{
    AT_ONE_PLACE, CONNECTED, IN_TOUCH, INVITED, MET, PROBABLY, SEEN_TOGETHER, WROTE_OFTEN,
};
use crate::model::time::Timestamp;

/// Something that the score of an edge rests on.
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

/// `signals` with what `evidence` (the newest first) adds to them; those of other factors stay as they are.
pub(super) fn with_days<'a>(signals: EdgeSignals<'a>, evidence: &[EvidenceEntry<'_>]) -> EdgeSignals<'a> {
    if evidence.is_empty() || signals.is_empty() {
        return signals;
    }
    let sentence = |plain: &String| sentence(plain, evidence).unwrap_or_else(|| plain.clone());
    Cow::Owned(signals.iter().map(sentence).collect())
}

/// The sentence for `plain`; `None` if `evidence` adds nothing to it.
fn sentence(plain: &str, evidence: &[EvidenceEntry<'_>]) -> Option<String> {
    let of = |kind: &str| evidence.iter().find(|entry| entry.kind == kind);
    match plain {
        CONNECTED => Some(format!("Connected since {}", of("connection")?.at.year())),
        INVITED => match (of("invitation_received"), of("invitation_sent")) {
            (Some(received), _) => {
                Some(format!("Sent an invitation to connect on {}", received.at.day_in_words()))
            }
            (None, sent) => Some(format!("Accepted an invitation to connect of {}", sent?.at.day_in_words())),
        },
        IN_TOUCH => {
            let last = newest(evidence, &[SENT, RECEIVED].concat())?;
            Some(format!("Still in touch in {}", last.at.month_in_words()))
        }
        WROTE_OFTEN => wrote(evidence),
        MET => {
            let met = of("meeting")?;
            Some(format!("Met {}, last on {}", Times(count(met)), met.at.day_in_words()))
        }
        SEEN_TOGETHER => seen_together(of("in_copy"), of("met_with")),
        AT_ONE_PLACE => Some(format!("{PROBABLY}: {}", of("same_place")?.note?)),
        _ => None,
    }
}

const SENT: [&str; 2] = ["mail_sent", "message_sent"];
const RECEIVED: [&str; 2] = ["mail_received", "message_received"];

fn wrote(evidence: &[EvidenceEntry<'_>]) -> Option<String> {
    let counted = |kinds: &[&str]| -> u64 {
        evidence.iter().filter(|entry| kinds.contains(&entry.kind)).map(count).sum()
    };
    let (sent, received) = (counted(&SENT), counted(&RECEIVED));
    let verb = match (sent, received) {
        (_, 0) => "Was written to",
        (0, _) => "Wrote",
        _ => "Wrote to each other",
    };
    let last = newest(evidence, &[SENT, RECEIVED].concat())?;
    Some(format!("{verb} {}, last on {}", Times(sent + received), last.at.day_in_words()))
}

/// The sentence for a tie that the mail and calendars of others show. A note reads `3 days since 2025-01-02, in mail of Ana Prado`.
fn seen_together(
    in_copy: Option<&EvidenceEntry<'_>>,
    met_with: Option<&EvidenceEntry<'_>>,
) -> Option<String> {
    let part = |entry: &EvidenceEntry<'_>, verb: &str, place: &str| {
        let (days, owner) = entry.note?.split_once(" since ").and_then(|(days, rest)| {
            let (_, owner) = rest.split_once(" of ")?;
            Some((days.to_owned(), owner.to_owned()))
        })?;
        let place = place.replace("{}", &owner);
        Some(format!("{verb} on {days} {place}, last on {}", entry.at.day_in_words()))
    };
    let wrote = in_copy.and_then(|entry| part(entry, "wrote", "with {} in copy"));
    let met = met_with.and_then(|entry| part(entry, "met", "by the calendar of {}"));
    let parts: Vec<String> = wrote.into_iter().chain(met).collect();
    (!parts.is_empty()).then(|| format!("{PROBABLY}: {}", parts.join("; ")))
}

/// The newest entry of `kinds`.
fn newest<'a, 'e>(evidence: &'a [EvidenceEntry<'e>], kinds: &[&str]) -> Option<&'a EvidenceEntry<'e>> {
    evidence.iter().find(|entry| kinds.contains(&entry.kind))
}

/// How many events the row of `entry` stands for: its note says so if there are several.
fn count(entry: &EvidenceEntry<'_>) -> u64 {
    let note = entry.note.and_then(|note| note.strip_prefix("the last of "));
    note.and_then(|note| note.split(' ').next()?.parse().ok()).unwrap_or(1)
}

/// A number of times as `once`, `twice` or `9 times`.
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

    /// Evidence as `KIND DAY NOTE`, the newest first.
    fn evidence(lines: &'static [&'static str]) -> Vec<EvidenceEntry<'static>> {
        let entry = |line: &&'static str| {
            let mut words = line.splitn(3, ' ');
            let (kind, day) = (words.next().unwrap(), words.next().unwrap());
            let at = Timestamp::parse(&format!("{day}T00:00:00Z")).unwrap();
            EvidenceEntry { kind, at, source: None, note: words.next() }
        };
        lines.iter().map(entry).collect()
    }

    /// A factor, its sentence, evidence, and the sentence with its days.
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
            let made = signals(&format!("{{\"{factor}\":3}}"));
            assert_eq!(made, [plain], "{factor}");
            assert_eq!(*with_days(Cow::Borrowed(&made), &evidence(rows)), [dated], "{factor}");
            // Evidence of another program: nothing is made up.
            let other = evidence(&["coffee 2026-01-06 twice"]);
            assert_eq!(*with_days(Cow::Borrowed(&made), &other), [plain], "{factor}");
            assert!(matches!(with_days(Cow::Borrowed(&made), &[]), Cow::Borrowed(_)), "{factor}");
        }
    }
}
