//! Adds up the points of each factor for a tie.

use crate::dates::CalendarDay;
use crate::score::breakdown::{Factor, Scored};
use crate::score::days::{days_since, years_since};
use crate::score::fraction::Fraction;
use crate::score::tie::{InvitedBy, Meetings, PastCompany, Tie};
use crate::score::weights::{Weight, Weights};

/// The greatest score.
const WARMNESS_MAX: i16 = 100;
/// The share of its points, in percent, that a company gives by its number of people.
const SIZES: [(u32, u8); 4] = [(50, 100), (500, 75), (5_000, 50), (u32::MAX, 25)];
/// The share of an unknown size.
const UNKNOWN_SIZE: u8 = 50;

/// The warmness of `tie` on the day `as_of`, with its factors. A day after `as_of` counts as missing.
#[must_use]
pub fn score(tie: &Tie, as_of: CalendarDay, weights: &Weights) -> Scored {
    let points = Points { tie, as_of, weights };
    let of = |factor| (factor, points.of(factor));
    let mut factors: Vec<(Factor, i16)> =
        Factor::ALL.into_iter().map(of).filter(|(_, points)| *points != 0).collect();
    let sum: i16 = factors.iter().map(|(_, points)| points).sum();
    if sum > WARMNESS_MAX {
        factors.push((Factor::Cap, WARMNESS_MAX - sum));
    }
    Scored { warmness: u8::try_from(sum.clamp(0, WARMNESS_MAX)).unwrap_or_default(), factors }
}

/// The facts behind the factors.
struct Points<'a> {
    tie: &'a Tie,
    as_of: CalendarDay,
    weights: &'a Weights,
}

impl Points<'_> {
    /// The points of `factor`, 0 or more.
    fn of(&self, factor: Factor) -> i16 {
        let tie = self.tie;
        match factor {
            Factor::Connection => self.whole(tie.is_connected, Weight::Connection),
            Factor::YearsConnected => self.years(),
            Factor::Invitation => self.invitation(),
            Factor::CurrentCompanyMatch => tie.current_company.map_or(0, |company| {
                self.share(Fraction::of(1, 1).percent(size_percent(company.people)), Weight::CurrentCompany)
            }),
            Factor::PastCompanyOverlap => tie.past_company.as_ref().map_or(0, |past| self.past(past)),
            Factor::SharedAccelerator => self.whole(tie.is_accelerator_shared, Weight::Accelerator),
            Factor::SameCity => self.whole(tie.is_city_shared, Weight::City),
            Factor::IndustryTypeMatch => self.whole(tie.is_industry_shared, Weight::Industry),
            Factor::MessageRecency => {
                let left = self.age(self.newest_message(), Weight::MessageHalfLife);
                self.share(left, Weight::MessageRecency)
            }
            Factor::MessageVolume => self.volume(),
            Factor::MessageReciprocity => {
                let both = tie.messages.and(tie.mail);
                let rarer = self.count(both.sent.min(both.received).into(), Weight::MessageReciprocityHalf);
                self.share(rarer, Weight::MessageReciprocity)
            }
            Factor::Meetings => self.meetings(tie.meetings),
            Factor::ListedWeight => tie.listed_weight.map_or(0, |weight| i16::from(weight).min(WARMNESS_MAX)),
            Factor::SeenTogether | Factor::SharedInstitution | Factor::Cap => 0,
        }
    }

    fn years(&self) -> i16 {
        let Some(day) = self.tie.connected_on.filter(|_| self.tie.is_connected) else { return 0 };
        let points =
            u32::from(years_since(day, self.as_of)) * u32::from(self.weights.get(Weight::YearConnected));
        let most = self.weights.get(Weight::YearsConnectedMax);
        i16::try_from(points.min(most.into())).unwrap_or(i16::MAX)
    }

    fn invitation(&self) -> i16 {
        match self.tie.invited_by.filter(|_| self.tie.is_connected) {
            Some(InvitedBy::Owner) => self.whole(true, Weight::InvitationSent),
            Some(InvitedBy::Other) => self.whole(true, Weight::InvitationReceived),
            None => 0,
        }
    }

    fn past(&self, past: &PastCompany) -> i16 {
        let enough = self.weights.get(Weight::PastCompanyMonths);
        let together = Fraction::of(past.months.into(), enough.into());
        self.share(together.percent(size_percent(past.people)), Weight::PastCompany)
    }

    fn volume(&self) -> i16 {
        let both = self.tie.messages.and(self.tie.mail);
        let times = u64::from(self.weights.get(Weight::MessageReceivedTimes));
        let weighed = u64::from(both.sent) + times * u64::from(both.received);
        let count = self.count(weighed, Weight::MessageVolumeHalf);
        let months = self.count(both.months.into(), Weight::MessageMonthsHalf);
        let left = self.age(self.newest_message(), Weight::MessageVolumeHalfLife).above_a_quarter();
        self.share(count.mean(months).times(left), Weight::MessageVolume)
    }

    /// The day of the newest message or mail.
    fn newest_message(&self) -> Option<CalendarDay> {
        let days = [self.tie.messages, self.tie.mail].into_iter().filter(|both| both.count() > 0);
        days.filter_map(|both| both.last).filter(|day| *day <= self.as_of).max()
    }

    fn meetings(&self, meetings: Meetings) -> i16 {
        if meetings.count == 0 {
            return 0;
        }
        let count = self.count(meetings.count.into(), Weight::MeetingsHalf);
        self.share(count.mean(self.age(meetings.last, Weight::MeetingHalfLife)), Weight::Meetings)
    }

    /// Returns the fraction that is left at the age of `day`; 0 without a day.
    fn age(&self, day: Option<CalendarDay>, half_life: Weight) -> Fraction {
        let days = day.and_then(|day| days_since(day, self.as_of));
        days.map_or(Fraction::NONE, |days| Fraction::of_age(days, self.weights.get(half_life)))
    }

    fn count(&self, count: u64, half: Weight) -> Fraction {
        Fraction::of_count(count, self.weights.get(half))
    }

    fn share(&self, share: Fraction, weight: Weight) -> i16 {
        share.share_of(self.weights.get(weight))
    }

    fn whole(&self, holds: bool, weight: Weight) -> i16 {
        if holds { self.share(Fraction::of(1, 1), weight) } else { 0 }
    }
}

/// The share of its points, in percent, that a company with so many people gives.
fn size_percent(people: Option<u32>) -> u8 {
    let Some(people) = people else { return UNKNOWN_SIZE };
    SIZES.iter().find(|(most, _)| people <= *most).map_or(UNKNOWN_SIZE, |(_, percent)| *percent)
}
