//! The facts about how one person knows another.

use crate::dates::CalendarDay;

/// The facts of one tie, from its owner to the other person. Unknown ones are `None`, 0 or `false`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tie {
    /// Whether the other person is in one of the owner's lists: connections, address book, CRM.
    pub is_connected: bool,
    /// The day of the connection.
    pub connected_on: Option<CalendarDay>,
    /// Who invited whom to the connection; ignored without one.
    pub invited_by: Option<InvitedBy>,
    /// The company where both work now.
    pub current_company: Option<SharedCompany>,
    /// The company where both worked at the same time before.
    pub past_company: Option<PastCompany>,
    /// Whether both went through the same accelerator.
    pub is_accelerator_shared: bool,
    /// Whether both live in the same city.
    pub is_city_shared: bool,
    /// Whether both work in the same industry.
    pub is_industry_shared: bool,
    /// Messages between just the two.
    pub messages: Exchange,
    /// Mail between the two, with few others.
    pub mail: Exchange,
    /// Meetings that both were invited to, with few others.
    pub meetings: Meetings,
    /// The strength in a list of edges, 0 to 100; more counts as 100.
    pub listed_weight: Option<u8>,
}

/// The sender of the invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitedBy {
    /// The owner of the tie.
    Owner,
    /// The other person.
    Other,
}

/// A company where both are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedCompany {
    /// The number of people who work there, if known.
    pub people: Option<u32>,
}

/// A company where both were at the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastCompany {
    /// Its name in the breakdown.
    pub name: String,
    /// Months in which both were there; 0 gives no points.
    pub months: u16,
    /// The number of people who work there, if known.
    pub people: Option<u32>,
}

/// Messages or mails between two people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// The number that the owner sent.
    pub sent: u32,
    /// The number that the owner received.
    pub received: u32,
    /// Distinct calendar months with at least one of them.
    pub months: u16,
    /// The day of the newest, in either direction.
    pub last: Option<CalendarDay>,
}

/// Meetings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meetings {
    /// The number of events.
    pub count: u32,
    /// The day of the newest.
    pub last: Option<CalendarDay>,
}

impl Exchange {
    /// Both exchanges as one. A month in both counts twice.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            sent: self.sent.saturating_add(other.sent),
            received: self.received.saturating_add(other.received),
            months: self.months.saturating_add(other.months),
            last: self.last.max(other.last),
        }
    }

    /// Returns the number in both directions.
    #[must_use]
    pub fn count(self) -> u64 {
        u64::from(self.sent) + u64::from(self.received)
    }
}
