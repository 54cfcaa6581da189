//! Why a score is what it is: a few hundred distinct breakdowns, chosen by what two people share.

use std::io;

use serde_json::value::RawValue;

use crate::generate::companies::Company;
use crate::generate::dice::{Dice, Stream};

/// Breakdowns for each way two people can be alike.
const EACH: usize = 64;
/// Factors that no reader knows yet.
const UNKNOWN: [&str; 5] =
    ["sharedBoardSeat", "coAuthoredPaper", "conferenceOverlap", "alumni:École", "mutual_groups"];

/// What two people have in common, as a place among the kinds of breakdown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Alike {
    pub(super) company: bool,
    pub(super) city: bool,
    pub(super) industry: bool,
}

/// All breakdowns of one network.
pub(super) struct Breakdowns {
    kinds: Vec<Vec<Box<RawValue>>>,
}

impl Alike {
    fn kind(self) -> usize {
        usize::from(self.company) | usize::from(self.city) << 1 | usize::from(self.industry) << 2
    }

    fn of_kind(kind: usize) -> Self {
        Self { company: kind & 1 != 0, city: kind & 2 != 0, industry: kind & 4 != 0 }
    }
}

impl Breakdowns {
    /// The breakdowns of the network that `seed` makes, with past companies from `companies`.
    pub(super) fn new(seed: u64, companies: &[Company]) -> io::Result<Self> {
        let mut dice = Dice::new(seed, Stream::Breakdowns);
        let mut kind = |kind| {
            let alike = Alike::of_kind(kind);
            let texts = (0..EACH).map(|_| text(alike, companies, &mut dice));
            texts.map(|text| RawValue::from_string(text).map_err(io::Error::from)).collect()
        };
        Ok(Self { kinds: (0..8).map(&mut kind).collect::<io::Result<_>>()? })
    }

    /// A breakdown for two people who are `alike`.
    pub(super) fn throw(&self, alike: Alike, dice: &mut Dice) -> &RawValue {
        dice.pick::<Box<RawValue>>(&self.kinds[alike.kind()])
    }
}

/// One breakdown as JSON.
fn text(alike: Alike, companies: &[Company], dice: &mut Dice) -> String {
    let mut factors = Vec::new();
    for (name, holds) in [
        ("currentCompanyMatch", alike.company),
        ("sameCity", alike.city),
        ("industryTypeMatch", alike.industry),
        ("sharedAccelerator", dice.one_in(9)),
    ] {
        // A factor that does not hold is written as zero now and then.
        if holds || dice.one_in(12) {
            factors.push(format!("\"{name}\":{}", if holds { value(dice) } else { "0".to_owned() }));
        }
    }
    if dice.one_in(4) || factors.is_empty() {
        factors.push(format!("\"pastCompanyOverlap\":{}", value(dice)));
        if !dice.one_in(5) {
            let name = serde_json::Value::from(dice.pick(companies).name.as_str());
            factors.push(format!("\"pastCompanyName\":{name}"));
        }
    }
    if dice.one_in(10) {
        factors.push(format!("\"{}\":{}", dice.pick(&UNKNOWN), value(dice)));
    }
    dice.shuffle(&mut factors);
    format!("{{{}}}", factors.join(","))
}

/// A factor's worth: mostly a whole number.
fn value(dice: &mut Dice) -> String {
    let whole = dice.between(1, 40);
    match dice.below(8) {
        0 => format!("{whole}.5"),
        1 => format!("0.{:02}", dice.between(1, 99)),
        _ => whole.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::places::Places;
    use crate::generate::plan::Plan;
    use std::collections::BTreeSet;

    #[test]
    fn breakdowns_are_a_few_hundred_objects_that_name_what_is_shared() -> io::Result<()> {
        let plan = Plan::sized(2000, 10);
        let companies = crate::generate::companies::build(&plan, &Places::new(1));
        let made = Breakdowns::new(plan.seed, &companies)?;
        let distinct: BTreeSet<&str> = made.kinds.iter().flatten().map(|raw| raw.get()).collect();
        assert!((250..=512).contains(&distinct.len()), "{}", distinct.len());
        for raw in &made.kinds[1] {
            assert!(raw.get().contains("\"currentCompanyMatch\":"), "{raw}");
        }
        assert!(
            distinct.iter().any(|text| text.contains("\"sameCity\":0,") || text.contains("\"sameCity\":0}"))
        );
        assert!(distinct.iter().any(|text| text.contains("pastCompanyName")));
        assert!(UNKNOWN.iter().any(|name| distinct.iter().any(|text| text.contains(name))));
        Ok(())
    }
}
