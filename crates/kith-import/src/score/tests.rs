//! Properties of every tie with any weights, and faulty scorers that break them.

mod documents;
mod histories;
mod monotone;
mod oracle;
mod sums;

use crate::dates::CalendarDay;
use crate::score::breakdown::Scored;
use crate::score::tie::{Exchange, InvitedBy, Meetings, PastCompany, SharedCompany, Tie};
use crate::score::weights::Weights;

/// Random ties for each trial.
const TIES: u64 = 10_000;
/// The day to which ages are counted.
const AS_OF: &str = "2026-06-30";

/// A way to score.
type Scorer<'a> = &'a dyn Fn(&Tie, CalendarDay, &Weights) -> Scored;

/// Numbers from a seed (SplitMix64).
struct TieDice(u64);

impl TieDice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }

    fn one_in(&mut self, sides: u64) -> bool {
        self.below(sides) == 0
    }

    /// A count: mostly small, sometimes the maximum.
    fn count(&mut self) -> u32 {
        match self.below(12) {
            0..3 => 0,
            3..8 => self.below(12) as u32,
            8..11 => self.below(600) as u32,
            _ => u32::MAX - self.below(3) as u32,
        }
    }

    /// A day of the 30 years before [`AS_OF`], sometimes one after it, or none.
    fn day(&mut self) -> Option<CalendarDay> {
        let year = match self.below(10) {
            0 => return None,
            1 => 1996 + self.below(104) as u16,
            2..6 => 2025 + self.below(2) as u16,
            _ => 2006 + self.below(21) as u16,
        };
        CalendarDay::new(year, 1 + self.below(12) as u8, 1 + self.below(28) as u8)
    }

    fn exchange(&mut self) -> Exchange {
        let (sent, received) = (self.count(), self.count());
        let months = self.below(40).min(u64::from(sent) + u64::from(received)) as u16;
        Exchange { sent, received, months, last: self.day() }
    }

    fn tie(&mut self) -> Tie {
        let people = |dice: &mut Self| (!dice.one_in(3)).then(|| dice.below(20_000) as u32);
        let invited = [InvitedBy::Owner, InvitedBy::Other][self.below(2) as usize];
        Tie {
            is_connected: !self.one_in(4),
            connected_on: self.day(),
            invited_by: self.one_in(3).then_some(invited),
            current_company: self.one_in(3).then(|| SharedCompany { people: people(self) }),
            past_company: self.one_in(3).then(|| PastCompany {
                name: "Halden & \"Söhne\"".to_owned(),
                months: self.below(60) as u16,
                people: people(self),
            }),
            is_accelerator_shared: self.one_in(6),
            is_city_shared: self.one_in(3),
            is_industry_shared: self.one_in(3),
            messages: self.exchange(),
            mail: self.exchange(),
            meetings: Meetings { count: self.count(), last: self.day() },
            listed_weight: self.one_in(8).then(|| self.below(256) as u8),
        }
    }

    /// Weights that a manifest may set.
    fn weights(&mut self) -> Weights {
        let defaults = Weights::default();
        loop {
            let values: Vec<(&str, i64)> = defaults
                .entries()
                .map(|(key, value)| (key, self.below(2 * u64::from(value) + 2) as i64))
                .collect();
            if let Ok(weights) = Weights::with(values) {
                return weights;
            }
        }
    }
}

fn as_of() -> CalendarDay {
    CalendarDay::parse(AS_OF).unwrap()
}
