//! The table of companies.

use std::io;

use serde::Serialize;

use crate::companies::{INDUSTRIES, slug};
use crate::dice::{Dice, Stream};
use crate::ids::{Id, IdKind};
use crate::output::TableWriter;
use crate::world::World;

/// The size ranges that companies state.
const SIZES: [(u32, Option<u32>); 9] = [
    (1, Some(1)),
    (2, Some(10)),
    (11, Some(50)),
    (51, Some(200)),
    (201, Some(500)),
    (501, Some(1000)),
    (1001, Some(5000)),
    (5001, Some(10_000)),
    (10_001, None),
];

/// A row of the table of companies.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CompanyRow<'a> {
    id: Id,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    company_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    industry: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headquarters_location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_size: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_size: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    logo_url: Option<String>,
}

/// Writes the table of companies.
pub(crate) fn write(world: &World<'_>, table: &mut TableWriter<'_>) -> io::Result<()> {
    // Not the seed of the companies, so that adding a field here does not change them.
    let mut dice = Dice::new(world.plan.seed ^ 0x5eed, Stream::Companies);
    for (row, company) in (0..).zip(&world.companies) {
        let id = world.ids.get(IdKind::Company, row);
        let own = row == 0;
        let city = world.places.get(company.city);
        let at = slug(&company.name);
        let (min_size, max_size) = size(company.employees, own, &mut dice);
        let industry = INDUSTRIES.get(usize::from(company.industry)).map(|(industry, _)| *industry);
        table.row(&CompanyRow {
            id,
            name: &company.name,
            company_id: (own || !dice.one_in(12)).then(|| handle(&at, id, own, &mut dice)),
            industry: Some(industry.unwrap_or(&world.plan.organization_industry))
                .filter(|_| own || !dice.one_in(20)),
            headquarters_location: (own || !dice.one_in(10))
                .then(|| format!("{}, {}", city.name, city.country)),
            min_size,
            max_size,
            logo_url: (own || dice.percent(70))
                .then(|| format!("https://logos.example.com/{}.png", id.symbols())),
        })?;
    }
    Ok(())
}

/// The handle of a company: its name as a slug, followed by part of its id unless it is the `own` one.
fn handle(slug: &str, id: Id, own: bool, dice: &mut Dice) -> String {
    match (slug, own) {
        ("", _) => id.symbols().to_owned(),
        (_, true) => slug.to_owned(),
        _ if dice.one_in(15) => format!("The-{slug}-{}", id.symbols()),
        _ => format!("{slug}-{}", &id.symbols()[..3]),
    }
}

/// The size that a company states: of the same order as its number of people in the network.
fn size(employees: u32, own: bool, dice: &mut Dice) -> (Option<u32>, Option<u32>) {
    if dice.one_in(8) && !own {
        return (None, None);
    }
    let said = if own { employees } else { employees.saturating_mul(dice.between(1, 12)) };
    let band = SIZES.iter().find(|(_, most)| most.is_none_or(|most| said <= most));
    band.map_or((None, None), |&(least, most)| (Some(least), most))
}
