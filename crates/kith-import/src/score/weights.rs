//! The points of each factor, and how fast they fade: published defaults that a manifest's `[scoring]` changes.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::de::{Deserialize, Deserializer, Error};

use kith::model::nearest::nearest_name;

/// Maximum score of a tie with only its connection.
pub const CONNECTION_ALONE_MAX: u16 = 30;
const POINTS: RangeInclusive<u16> = 0..=100;
/// The range of days and counts.
const SPAN: RangeInclusive<u16> = 1..=10_000;

/// One number of the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Points for being in one of the owner's lists.
    Connection,
    /// Points for each whole year of the connection.
    YearConnected,
    /// Maximum points for years.
    YearsConnectedMax,
    /// Points if the other person sent the invitation.
    InvitationReceived,
    /// Points if the owner sent it.
    InvitationSent,
    /// Points for working at the same company, if it is small.
    CurrentCompany,
    /// Points for having worked at the same company, if it was small and for long enough.
    PastCompany,
    /// Months together beyond which more do not count.
    PastCompanyMonths,
    /// Points for the same accelerator.
    Accelerator,
    /// Points for the same city.
    City,
    /// Points for the same industry.
    Industry,
    /// Points for a message or mail of today.
    MessageRecency,
    /// The half-life of that, in days.
    MessageHalfLife,
    /// Points for many messages in many months.
    MessageVolume,
    /// The weight of a message from the other person, in messages to them.
    MessageReceivedTimes,
    /// The number of messages that gives half of the points.
    MessageVolumeHalf,
    /// The number of months that gives half of the points.
    MessageMonthsHalf,
    /// The half-life of the fading part, in days since the newest; a quarter never fades.
    MessageVolumeHalfLife,
    /// Points for messages in both directions.
    MessageReciprocity,
    /// The number in the rarer direction that gives half of the points.
    MessageReciprocityHalf,
    /// Points for many meetings, the newest today.
    Meetings,
    /// The number of meetings that gives half of the points.
    MeetingsHalf,
    /// The half-life of the newest meeting, in days.
    MeetingHalfLife,
    /// Maximum points for being seen together.
    SeenTogether,
    /// The number of days seen together that gives half of the points.
    SeenTogetherHalf,
    /// The half-life of such a day, in days.
    SeenTogetherHalfLife,
}

/// A weight, its key in the manifest, its default and its range.
type PublishedWeight = (Weight, &'static str, u16, RangeInclusive<u16>);

/// Every weight, in the order of [`Weight`].
const PUBLISHED: [PublishedWeight; 26] = [
    (Weight::Connection, "connection", 10, POINTS),
    (Weight::YearConnected, "year_connected", 1, POINTS),
    (Weight::YearsConnectedMax, "years_connected_max", 10, POINTS),
    (Weight::InvitationReceived, "invitation_received", 4, POINTS),
    (Weight::InvitationSent, "invitation_sent", 2, POINTS),
    (Weight::CurrentCompany, "current_company", 15, POINTS),
    (Weight::PastCompany, "past_company", 20, POINTS),
    (Weight::PastCompanyMonths, "past_company_months", 24, SPAN),
    (Weight::Accelerator, "accelerator", 10, POINTS),
    (Weight::City, "city", 5, POINTS),
    (Weight::Industry, "industry", 3, POINTS),
    (Weight::MessageRecency, "message_recency", 20, POINTS),
    (Weight::MessageHalfLife, "message_half_life_days", 180, SPAN),
    (Weight::MessageVolume, "message_volume", 20, POINTS),
    (Weight::MessageReceivedTimes, "message_received_times", 3, 1..=10),
    (Weight::MessageVolumeHalf, "message_volume_half", 10, SPAN),
    (Weight::MessageMonthsHalf, "message_months_half", 6, SPAN),
    (Weight::MessageVolumeHalfLife, "message_volume_half_life_days", 365, SPAN),
    (Weight::MessageReciprocity, "message_reciprocity", 10, POINTS),
    (Weight::MessageReciprocityHalf, "message_reciprocity_half", 3, SPAN),
    (Weight::Meetings, "meetings", 25, POINTS),
    (Weight::MeetingsHalf, "meetings_half", 3, SPAN),
    (Weight::MeetingHalfLife, "meeting_half_life_days", 365, SPAN),
    (Weight::SeenTogether, "seen_together", CONNECTION_ALONE_MAX, 1..=CONNECTION_ALONE_MAX),
    (Weight::SeenTogetherHalf, "seen_together_half", 2, SPAN),
    (Weight::SeenTogetherHalfLife, "seen_together_half_life_days", 730, SPAN),
];

/// All numbers of the score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights([u16; PUBLISHED.len()]);

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoringError {
    /// No weight has this name.
    #[error("scoring.{key} is no weight; the nearest is {nearest}")]
    UnknownKey {
        /// The key as written.
        key: String,
        /// The nearest known key.
        nearest: &'static str,
    },
    /// The number is out of range.
    #[error("scoring.{key} is {got}; expected a whole number from {min} to {max}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// The value as written.
        got: i64,
        /// The minimum.
        min: u16,
        /// The maximum.
        max: u16,
    },
    /// A bare connection would be scored too high.
    #[error(
        "scoring.connection and scoring.years_connected_max are {got} together; a tie with nothing but its \
         connection is at most {CONNECTION_ALONE_MAX}"
    )]
    ConnectionAlone {
        /// Their sum.
        got: u16,
    },
}

impl Default for Weights {
    fn default() -> Self {
        Self(PUBLISHED.map(|(_, _, default, _)| default))
    }
}

impl Weights {
    /// The number of `weight`.
    #[must_use]
    pub fn get(&self, weight: Weight) -> u16 {
        self.0[weight as usize]
    }

    /// The defaults, changed by `values`.
    ///
    /// # Errors
    /// Returns an error if a key is unknown, a value out of its range, or a bare connection would be scored above
    /// [`CONNECTION_ALONE_MAX`].
    pub fn with<'a>(values: impl IntoIterator<Item = (&'a str, i64)>) -> Result<Self, ScoringError> {
        let mut weights = Self::default();
        for (key, value) in values {
            weights.set(key, value)?;
        }
        let alone = weights.get(Weight::Connection) + weights.get(Weight::YearsConnectedMax);
        if alone > CONNECTION_ALONE_MAX {
            return Err(ScoringError::ConnectionAlone { got: alone });
        }
        Ok(weights)
    }

    /// Each key with its number, in the order of the documentation.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, u16)> {
        PUBLISHED.iter().zip(self.0).map(|((_, key, ..), value)| (*key, value))
    }

    fn set(&mut self, key: &str, value: i64) -> Result<(), ScoringError> {
        let Some((weight, key, _, range)) = PUBLISHED.iter().find(|(_, known, ..)| *known == key) else {
            let nearest =
                nearest_name(key, PUBLISHED.iter().map(|(_, known, ..)| *known)).unwrap_or_default();
            return Err(ScoringError::UnknownKey { key: key.to_owned(), nearest });
        };
        let number = u16::try_from(value).ok().filter(|number| range.contains(number));
        self.0[*weight as usize] = number.ok_or(ScoringError::OutOfRange {
            key,
            got: value,
            min: *range.start(),
            max: *range.end(),
        })?;
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = BTreeMap::<String, i64>::deserialize(deserializer)?;
        let values = values.iter().map(|(key, value)| (key.as_str(), *value));
        Self::with(values).map_err(D::Error::custom)
    }
}
