//! The evidence of a score, as rows of the table of evidence: for each tie at most one row per kind, the newest, with a
//! count. Never any content, and no subject.

use crate::dates::CalendarDay;
use crate::score::event::TieEventKind;
use crate::score::tie::Tie;
use kith::model::named::named;

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceKind {
    /// The connection.
    Connection,
    /// An invitation from the other person.
    InvitationReceived,
    /// An invitation by the owner.
    InvitationSent,
    /// Mail from the other person.
    MailReceived,
    /// Mail to the other person.
    MailSent,
    /// A meeting.
    Meeting,
    /// A message from the other person.
    MessageReceived,
    /// A message to the other person.
    MessageSent,
    /// Mail between two, with the owner of the files in copy.
    InCopy,
    /// A meeting of two with the owner of the files.
    MetWith,
    /// The time of two people at one place.
    SamePlace,
}

named! {
    /// All kinds: an edge has at most one row of each.
    EvidenceKind {
        Connection = "connection",
        InvitationReceived = "invitation_received",
        InvitationSent = "invitation_sent",
        MailReceived = "mail_received",
        MailSent = "mail_sent",
        Meeting = "meeting",
        MessageReceived = "message_received",
        MessageSent = "message_sent",
        InCopy = "in_copy",
        MetWith = "met_with",
        SamePlace = "same_place",
    }
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) kind: EvidenceKind,
    pub(crate) day: Option<CalendarDay>,
    pub(crate) source: u32,
}

/// One row of the table of evidence, without the ends of its edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieEvidence {
    /// The kind of event.
    pub kind: EvidenceKind,
    /// The day.
    pub at: CalendarDay,
    /// The caller's number of the file; numbering files by name keeps rows independent of their order.
    pub source: u32,
    /// The number of events of this kind, in words; empty for a single one.
    pub note: String,
}

impl EvidenceKind {
    /// The kind of an event that the owner sent, or received.
    pub(crate) const fn of(kind: TieEventKind, is_sent: bool) -> Self {
        match (kind, is_sent) {
            (TieEventKind::Message, true) => Self::MessageSent,
            (TieEventKind::Message, false) => Self::MessageReceived,
            (TieEventKind::Invitation, true) => Self::InvitationSent,
            (TieEventKind::Invitation, false) => Self::InvitationReceived,
            (TieEventKind::Mail, true) => Self::MailSent,
            (TieEventKind::Mail, false) => Self::MailReceived,
            (TieEventKind::Meeting, _) => Self::Meeting,
        }
    }
}

impl TieEvidence {
    /// The row for the connection of `tie`, from the file `source`; `None` if it has no day, or one after `as_of`.
    #[must_use]
    pub fn of_connection(tie: &Tie, source: u32, as_of: CalendarDay) -> Option<Self> {
        let at = tie.connected_on.filter(|day| tie.is_connected && *day <= as_of)?;
        Some(Self { kind: EvidenceKind::Connection, at, source, note: String::new() })
    }

    /// The day in the table's form: its first moment in UTC.
    #[must_use]
    pub fn at_rfc3339(&self) -> String {
        format!("{}T00:00:00Z", written(self.at))
    }
}

/// The newest day of `evidence`, if there is any.
pub(crate) fn newest_day(evidence: &[TieEvidence]) -> Option<CalendarDay> {
    evidence.iter().map(|row| row.at).max()
}

/// The newest event of each kind among `seen` with a day not after `as_of`; ties go to the first source.
pub(crate) fn newest_of(seen: &[Seen], as_of: CalendarDay) -> Vec<TieEvidence> {
    let of_kind = |kind: EvidenceKind| -> Option<TieEvidence> {
        let of_kind = || seen.iter().filter(move |seen| seen.kind == kind);
        let dated =
            || of_kind().filter_map(|seen| Some((seen.day.filter(|day| *day <= as_of)?, seen.source)));
        let (at, _) = dated().max()?;
        let (first, _) = dated().min()?;
        let source = dated().filter(|(day, _)| *day == at).map(|(_, source)| source).min()?;
        let note = match of_kind().count() {
            1 => String::new(),
            count if first == at => format!("the last of {count}"),
            count => format!("the last of {count} since {}", written(first)),
        };
        Some(TieEvidence { kind, at, source, note })
    };
    EvidenceKind::ALL.into_iter().filter_map(of_kind).collect()
}

pub(crate) fn written(day: CalendarDay) -> String {
    format!("{:04}-{:02}-{:02}", day.year, day.month, day.day)
}
