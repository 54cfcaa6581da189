//! One ask: its people, its events in the order written, and the state that follows from them.

use crate::asks::event::{AskEvent, AskedOver, AskedPeople, EventBy, EventKind};
use crate::model::time::Timestamp;

/// One ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// `ask_…`.
    pub id: String,
    /// The user id of the member who asks.
    pub asker: String,
    /// Its people.
    pub people: AskedPeople,
    /// The state of the paths when the ask was made.
    pub over: AskedOver,
    /// In the order written; the first is [`EventKind::Asked`].
    pub events: Vec<AskEvent>,
}

/// The author of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// The member who asks.
    Asker,
    /// Another member.
    Member {
        /// Whether they are an admin of the organization.
        is_admin: bool,
    },
    /// The connector, over their link.
    Connector,
    /// Found in mail or a calendar.
    Observed,
}

/// Why an event cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Another writer has to report it.
    NotTheirs,
    /// It does not follow from the present state.
    State(EventKind),
}

impl Ask {
    /// The event that gives the ask its state: the last one that is not undone.
    ///
    /// # Panics
    /// Never: an ask begins with an event.
    #[must_use]
    pub fn standing(&self) -> &AskEvent {
        self.counting().last().unwrap_or(&self.events[0])
    }

    /// The events that count, in the order written: neither undone nor undoing.
    pub fn counting(&self) -> impl Iterator<Item = &AskEvent> {
        let is_undone =
            |event: &AskEvent| self.events.iter().any(|later| later.undoes.as_ref() == Some(&event.id));
        self.events.iter().filter(move |event| event.kind != EventKind::Reopened && !is_undone(event))
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> EventKind {
        self.standing().kind
    }

    /// When it was made.
    #[must_use]
    pub fn asked_at(&self) -> Timestamp {
        self.events[0].at
    }

    /// When the last event happened, in the order written.
    #[must_use]
    pub fn changed_at(&self) -> Timestamp {
        self.events.last().map_or(self.asked_at(), |event| event.at)
    }

    /// Checks that `writer` may write an event of `kind` now.
    ///
    /// # Errors
    /// Returns the reason why not.
    pub fn check(&self, kind: EventKind, writer: Writer) -> Result<(), Unfit> {
        use EventKind::{Agreed, Asked, Declined, InTouch, Introduced, Met, NoAnswer, Reopened, Withdrawn};
        let standing = self.standing();
        let (is_theirs, fits) = match kind {
            Asked => (writer == Writer::Asker, false),
            Agreed => (matches!(writer, Writer::Asker | Writer::Connector), standing.kind == Asked),
            Declined => (matches!(writer, Writer::Asker | Writer::Connector), standing.kind.is_open()),
            Introduced | InTouch | Met => (
                matches!(writer, Writer::Asker | Writer::Observed),
                standing.kind.step() < kind.step() && standing.kind.step().is_some(),
            ),
            NoAnswer | Withdrawn => (is_asker_or_admin(writer), standing.kind.is_open()),
            Reopened => (
                is_asker_or_admin(writer)
                    || (writer == Writer::Connector && standing.by == EventBy::Connector),
                standing.kind != Asked,
            ),
        };
        match (is_theirs, fits) {
            (false, _) => Err(Unfit::NotTheirs),
            (true, false) => Err(Unfit::State(standing.kind)),
            (true, true) => Ok(()),
        }
    }
}

fn is_asker_or_admin(writer: Writer) -> bool {
    matches!(writer, Writer::Asker | Writer::Member { is_admin: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: usize, kind: EventKind, by: EventBy, undoes: Option<usize>) -> AskEvent {
        AskEvent {
            id: format!("event_{number}"),
            ask: "ask_1".into(),
            at: Timestamp { seconds: number as i64, nanos: 0 },
            kind,
            by,
            note: None,
            undoes: undoes.map(|number| format!("event_{number}")),
        }
    }

    fn asker() -> EventBy {
        EventBy::Member { user_id: "user_a".into(), name: "Ana".into() }
    }

    /// An ask by the member `user_a` with events of `kinds`, each from its own writer; `reopened` undoes the standing
    /// event.
    fn ask(kinds: &[EventKind]) -> Ask {
        let people = AskedPeople { person: "person_t".into(), connector: None, via_advocate: None };
        let mut ask = Ask {
            id: "ask_1".into(),
            asker: "user_a".into(),
            people,
            over: AskedOver::default(),
            events: vec![event(0, EventKind::Asked, asker(), None)],
        };
        for (number, &kind) in kinds.iter().enumerate() {
            let mut next = event(number + 1, kind, asker(), None);
            next.undoes = (kind == EventKind::Reopened).then(|| ask.standing().id.clone());
            ask.events.push(next);
        }
        ask
    }

    #[test]
    fn the_state_is_the_last_event_that_is_not_undone() {
        use EventKind::{Agreed, Asked, Declined, Introduced, Met, Reopened, Withdrawn};
        for (kinds, state) in [
            (&[][..], Asked),
            (&[Agreed], Agreed),
            (&[Agreed, Introduced, Reopened], Agreed),
            (&[Agreed, Introduced, Reopened, Reopened], Asked),
            (&[Declined, Reopened, Met], Met),
            (&[Withdrawn, Reopened, Withdrawn], Withdrawn),
        ] {
            assert_eq!(ask(kinds).state(), state, "{kinds:?}");
        }
    }

    #[test]
    fn an_event_is_taken_from_those_who_may_say_it_in_the_states_it_follows() {
        use EventKind::{Agreed, Asked, Declined, InTouch, Introduced, Met, NoAnswer, Reopened, Withdrawn};
        let open = [Asked, Agreed, Introduced];
        let states = [Asked, Agreed, Introduced, InTouch, Met, Declined, NoAnswer, Withdrawn];
        let of = |state: EventKind| if state == Asked { ask(&[]) } else { ask(&[state]) };
        let (admin, member) = (Writer::Member { is_admin: true }, Writer::Member { is_admin: false });
        let all = [Writer::Asker, admin, member, Writer::Connector, Writer::Observed];
        for (kind, writers, follows) in [
            (Asked, &[Writer::Asker][..], &[][..]),
            (Agreed, &[Writer::Asker, Writer::Connector], &[Asked]),
            (Declined, &[Writer::Asker, Writer::Connector], &open),
            (Introduced, &[Writer::Asker, Writer::Observed], &[Asked, Agreed]),
            (InTouch, &[Writer::Asker, Writer::Observed], &open),
            (Met, &[Writer::Asker, Writer::Observed], &[Asked, Agreed, Introduced, InTouch]),
            (NoAnswer, &[Writer::Asker, admin], &open),
            (Withdrawn, &[Writer::Asker, admin], &open),
            (Reopened, &[Writer::Asker, admin], &states[1..]),
        ] {
            for (state, writer) in states.iter().flat_map(|state| all.map(|writer| (*state, writer))) {
                let expected = match (writers.contains(&writer), follows.contains(&state)) {
                    (false, _) => Err(Unfit::NotTheirs),
                    (true, false) => Err(Unfit::State(state)),
                    (true, true) => Ok(()),
                };
                assert_eq!(of(state).check(kind, writer), expected, "{kind:?} by {writer:?} after {state:?}");
            }
        }
    }

    #[test]
    fn a_connector_takes_back_their_own_answer_alone() {
        let mut answered = ask(&[EventKind::Declined]);
        assert_eq!(answered.check(EventKind::Reopened, Writer::Connector), Err(Unfit::NotTheirs));
        answered.events[1].by = EventBy::Connector;
        assert_eq!(answered.check(EventKind::Reopened, Writer::Connector), Ok(()));
    }
}
