//! The ledger's counts of messages, invitations, mail and meetings, and their evidence.
//!
//! Promise: Groups, more than 10 others, and mail that the member is no party of count for nothing; mail makes a person
//!   only after an answer; evidence is the same in any order, at most 8 short rows an edge.
//! Control: 10 others, an answer to the member who wrote.

use super::as_of;
use crate::dates::CalendarDay;
use crate::limits::IMPORT_OTHERS_MAX;
use crate::score::event::{TieEvent, TieEventKind};
use crate::score::evidence::{EvidenceKind, TieEvidence};
use crate::score::ledger::{TieHistory, TieLedger, Uncounted};
use crate::score::tie::{InvitedBy, Tie};

fn day(text: &str) -> Option<CalendarDay> {
    let day = CalendarDay::parse(text);
    assert!(day.is_some() || text.is_empty(), "{text}");
    day
}

fn event(kind: TieEventKind, from: &str, to: &[&str], at: &str) -> TieEvent<String> {
    let to = to.iter().map(|&name| name.to_owned()).collect();
    TieEvent { kind, from: from.to_owned(), to, at: day(at) }
}

fn ledger(events: &[TieEvent<String>]) -> TieLedger<String> {
    let mut ledger = TieLedger::default();
    for event in events {
        ledger.add(&"me".to_owned(), event, 0).unwrap();
    }
    ledger
}

/// The facts of the tie from `me` to `other`.
fn tie_of(ledger: &TieLedger<String>, other: &str) -> Tie {
    let mut tie = Tie::default();
    if let Some(history) = ledger.history(&"me".to_owned(), &other.to_owned()) {
        history.fill(&mut tie, as_of());
    }
    tie
}

use TieEventKind::{Invitation, Mail, Meeting, Message};

#[test]
fn what_counts_for_no_tie_says_why() {
    let others: Vec<String> = (0..=IMPORT_OTHERS_MAX).map(|number| format!("p{number}")).collect();
    let names: Vec<&str> = others.iter().map(String::as_str).collect();
    let (most, too_many) = (&names[1..], &names[..]);
    for (event, expected) in [
        (event(Mail, "me", most, ""), Ok(())),
        (event(Mail, "me", too_many, ""), Err(Uncounted::TooManyOthers)),
        (event(Mail, "p0", &[&["me"], &names[1..]].concat(), ""), Err(Uncounted::TooManyOthers)),
        (event(Mail, "p0", &[&["me"], &names[2..]].concat(), ""), Ok(())),
        (event(Meeting, "p0", &[&["me"], &names[1..]].concat(), ""), Err(Uncounted::TooManyOthers)),
        // The owner among the recipients of their own mail, and a repeated name, do not count as others.
        (event(Mail, "me", &[&["me", "p1"], most].concat(), ""), Ok(())),
        (event(Mail, "p0", &["p1"], ""), Err(Uncounted::OwnerIsNoParty)),
        (event(Mail, "me", &["me"], ""), Err(Uncounted::OwnerAlone)),
        (event(Meeting, "me", &[], ""), Err(Uncounted::OwnerAlone)),
        (event(Message, "me", &["p0"], ""), Ok(())),
        (event(Message, "me", &["p0", "p1"], ""), Err(Uncounted::Group)),
        (event(Message, "p0", &["me", "p1"], ""), Err(Uncounted::Group)),
        (event(Invitation, "p0", &["me"], ""), Ok(())),
    ] {
        let mut ledger = TieLedger::default();
        assert_eq!(ledger.add(&"me".to_owned(), &event, 0), expected, "{event:?}");
        assert_eq!(ledger.histories().count() > 0, expected.is_ok(), "{event:?}");
    }
}

#[test]
fn mail_counts_for_its_sender_and_recipients_and_a_meeting_for_all() {
    let ledger = ledger(&[
        event(Mail, "me", &["ann", "bob"], "2026-01-31"),
        event(Mail, "ann", &["me", "bob"], "2026-02-01"),
        event(Mail, "me", &["ann"], "2026-02-28"),
        event(Mail, "ann", &["me"], ""),
        event(Mail, "ann", &["me"], "2099-01-01"),
        event(Meeting, "ann", &["me", "bob"], "2026-03-01"),
        event(Message, "bob", &["me"], "2025-12-24"),
        event(Invitation, "me", &["bob"], "2020-01-01"),
    ]);
    let ann = tie_of(&ledger, "ann");
    assert_eq!((ann.mail.sent, ann.mail.received, ann.mail.months), (2, 3, 2));
    assert_eq!((ann.mail.last, ann.meetings.last), (day("2026-02-28"), day("2026-03-01")));
    assert_eq!((ann.messages.count(), ann.meetings.count, ann.invited_by), (0, 1, None));
    let bob = tie_of(&ledger, "bob");
    assert_eq!((bob.mail.sent, bob.mail.received, bob.mail.months), (1, 0, 1));
    assert_eq!((bob.messages.sent, bob.messages.received), (0, 1));
    assert_eq!((bob.meetings.count, bob.invited_by), (1, Some(InvitedBy::Owner)));
    assert_eq!(tie_of(&ledger, "eve"), Tie::default());
    assert_eq!(ledger.histories().count(), 2);
}

#[test]
fn a_person_is_made_by_mail_only_if_a_member_wrote_and_had_an_answer() {
    for (sent, received, is_answered) in [
        (&["2026-01-02"][..], &["2026-01-02"][..], true),
        (&["2026-01-02"], &["2026-01-01"], false),
        (&["2026-01-05", "2026-01-01"], &["2026-01-02"], true),
        (&["2026-01-05"], &[], false),
        (&[], &["2026-01-05"], false),
        (&[""], &["2026-01-05"], false),
        (&["2026-01-05"], &[""], false),
    ] {
        let mut ledger = TieLedger::default();
        let me = "me".to_owned();
        for at in sent {
            ledger.add(&me, &event(Mail, "me", &["ann"], at), 0).unwrap();
        }
        for at in received {
            ledger.add(&me, &event(Mail, "ann", &["me"], at), 0).unwrap();
        }
        assert_eq!(ledger.is_answered(&"ann".to_owned()), is_answered, "{sent:?} {received:?}");
    }
    // Neither messages, nor meetings, nor an answer to another member.
    let ledger = ledger(&[
        event(Message, "me", &["ann"], "2026-01-01"),
        event(Message, "ann", &["me"], "2026-01-02"),
        event(Meeting, "me", &["ann"], "2026-01-02"),
        event(Mail, "me", &["ann"], "2026-01-02"),
    ]);
    let mut both = ledger.clone();
    both.add(&"you".to_owned(), &event(Mail, "ann", &["you"], "2026-01-03"), 1).unwrap();
    assert!(!both.is_answered(&"ann".to_owned()));
    // The control: an answer to the member who wrote.
    both.add(&"me".to_owned(), &event(Mail, "ann", &["me"], "2026-01-03"), 1).unwrap();
    assert!(both.is_answered(&"ann".to_owned()));
}

/// A short form of the rows of evidence.
fn rows(history: &TieHistory) -> Vec<String> {
    let row =
        |row: &TieEvidence| format!("{} {} #{} {}", row.kind.name(), row.at_rfc3339(), row.source, row.note);
    history.evidence(as_of()).iter().map(|found| row(found).trim_end().to_owned()).collect()
}

#[test]
fn evidence_is_the_newest_of_each_kind_with_a_count_in_any_order() {
    let me = "me".to_owned();
    let events = [
        (event(Mail, "me", &["ann"], "2026-01-31"), 3),
        (event(Mail, "me", &["ann"], "2026-03-31"), 2),
        (event(Mail, "me", &["ann"], "2026-03-31"), 1),
        (event(Mail, "me", &["ann"], ""), 1),
        (event(Mail, "ann", &["me"], "2026-02-01"), 4),
        (event(Mail, "ann", &["me"], "2099-02-01"), 4),
        (event(Message, "ann", &["me"], ""), 5),
        (event(Meeting, "ann", &["me"], "2026-04-01"), 6),
        (event(Meeting, "me", &["ann"], "2026-04-01"), 7),
        (event(Invitation, "ann", &["me"], "2020-04-01"), 8),
    ];
    let expected = [
        "invitation_received 2020-04-01T00:00:00Z #8",
        "mail_received 2026-02-01T00:00:00Z #4 the last of 2",
        "mail_sent 2026-03-31T00:00:00Z #1 the last of 4 since 2026-01-31",
        "meeting 2026-04-01T00:00:00Z #6 the last of 2",
    ];
    for turn in 0..events.len() {
        let mut ledger = TieLedger::default();
        for (event, source) in events.iter().cycle().skip(turn).take(events.len()) {
            ledger.add(&me, event, *source).unwrap();
        }
        assert_eq!(rows(ledger.history(&me, &"ann".to_owned()).unwrap()), expected);
    }
    let connected = Tie { is_connected: true, connected_on: day("2020-04-02"), ..Tie::default() };
    let row = TieEvidence::of_connection(&connected, 9, as_of()).unwrap();
    assert_eq!((row.kind, row.source, row.at), (EvidenceKind::Connection, 9, day("2020-04-02").unwrap()));
    let later = Tie { connected_on: day("2099-04-02"), ..connected };
    assert_eq!(TieEvidence::of_connection(&later, 9, as_of()), None);
}

#[test]
fn an_edge_has_fewer_rows_of_evidence_than_are_served_and_short_notes() {
    // The kinds of derived edges occur with no others.
    let derived = [EvidenceKind::InCopy, EvidenceKind::MetWith, EvidenceKind::SamePlace];
    let of_ties = EvidenceKind::ALL.iter().filter(|kind| !derived.contains(kind)).count();
    assert!(of_ties <= kith::limits::EVIDENCE_ENTRIES_MAX);
    let mut ledger = TieLedger::default();
    let me = "me".to_owned();
    for number in 0..3000_u16 {
        for (kind, from, to) in [
            (Mail, "me", "ann"),
            (Mail, "ann", "me"),
            (Message, "me", "ann"),
            (Message, "ann", "me"),
            (Meeting, "me", "ann"),
            (Invitation, "me", "ann"),
            (Invitation, "ann", "me"),
        ] {
            let at = CalendarDay::new(1990 + number % 30, 1 + (number % 12) as u8, 1 + (number % 28) as u8);
            ledger.add(&me, &TieEvent { at, ..event(kind, from, &[to], "") }, number.into()).unwrap();
        }
    }
    let rows = ledger.history(&me, &"ann".to_owned()).unwrap().evidence(as_of());
    assert_eq!(rows.len(), EvidenceKind::ALL.len() - 4, "all but the connection and what others show");
    assert!(rows.iter().all(|row| row.note.len() <= 40 && row.note.starts_with("the last of 3000 since ")));
}
