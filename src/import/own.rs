//! What the owner of an export says of themselves.

/// A position that the owner of an export has or had. Texts that the row does not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnPosition {
    /// The company.
    pub company: String,
    /// The position there.
    pub title: String,
    /// When it began. `None` if that is not written, or not as a month or a year.
    pub from: Option<CalendarMonth>,
    /// When it ended. `None` if it goes on, or likewise.
    pub to: Option<CalendarMonth>,
}

/// The profile of the owner of an export. Texts that it does not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnProfile {
    /// The whole name.
    pub name: String,
    /// The given name.
    pub given: String,
    /// The family name.
    pub family: String,
    /// The family name before a marriage.
    pub maiden: String,
    /// The industry.
    pub industry: String,
    /// The place, as it is written: a city, often with its country.
    pub city: String,
}

/// A month of a year, or a year alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CalendarMonth {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The month, 1 to 12. `None` if the year alone is written.
    pub month: Option<u8>,
}
