//! Companies: invented names, an industry, a city, and a number of employees that follows Zipf's law.

use crate::dice::{Dice, Share, Stream, gcd};
use crate::places::Places;
use crate::plan::Plan;
use kith::model::text::fold;

/// A company of the generated world.
pub(crate) struct Company {
    pub(crate) name: String,
    pub(crate) city: u8,
    pub(crate) industry: u8,
    /// Its first employee; the others follow in the table.
    pub(crate) first: u32,
    pub(crate) employees: u32,
}

/// Industries, each with a typical last word of a company's name.
pub(crate) const INDUSTRIES: [(&str, &str); 32] = [
    ("Software Development", "Software"),
    ("Venture Capital and Private Equity Principals", "Ventures"),
    ("Robotics Engineering", "Robotics"),
    ("Financial Services", "Capital"),
    ("Biotechnology Research", "Biologics"),
    ("Hospitals and Health Care", "Health"),
    ("Transportation, Logistics, Supply Chain and Storage", "Logistics"),
    ("Renewable Energy Semiconductor Manufacturing", "Energy"),
    ("IT Services and IT Consulting", "Systems"),
    ("Advertising Services", "Media"),
    ("Food and Beverage Manufacturing", "Foods"),
    ("Retail", "Stores"),
    ("Machinery Manufacturing", "Machines"),
    ("Motor Vehicle Manufacturing", "Motors"),
    ("Higher Education", "Academy"),
    ("Insurance", "Assurance"),
    ("Construction", "Construction"),
    ("Real Estate", "Properties"),
    ("Telecommunications", "Telecom"),
    ("Computer and Network Security", "Security"),
    ("Hospitality", "Hotels"),
    ("Law Practice", "Legal"),
    ("Business Consulting and Services", "Advisory"),
    ("Chemical Manufacturing", "Chemicals"),
    ("Maritime Transportation", "Shipping"),
    ("Farming", "Farms"),
    ("Textile Manufacturing", "Textiles"),
    ("Space Research and Technology", "Aerospace"),
    ("Non-profit Organizations", "Foundation"),
    ("Computer Games", "Games"),
    ("Environmental Services", "Water"),
    ("Design Services", "Studio"),
];
/// First halves of invented names.
const HEADS: [&str; 40] = [
    "Amber", "Bramble", "Cinder", "Dapple", "Ember", "Fallow", "Gossamer", "Hollow", "Ivory", "Juniper",
    "Kestrel", "Larch", "Marrow", "Nettle", "Ochre", "Pewter", "Quill", "Russet", "Sable", "Thistle",
    "Umber", "Velvet", "Willow", "Yarrow", "Zephyr", "Fjord", "Ænsel", "Ørne", "Łąka", "Größen", "Brême",
    "Çınar", "Tide", "Copper", "Lantern", "Mosaic", "Plover", "Saffron", "Tundra", "Vesper",
];
/// Second halves of invented names.
const TAILS: [&str; 30] = [
    "loom", "mere", "forge", "spire", "wick", "moor", "crest", "fen", "gate", "haven", "lock", "mark",
    "nest", "quay", "reach", "stead", "thorpe", "vale", "wharf", "yard", "bridge", "combe", "dale", "field",
    "glen", "holt", "keld", "ling", "port", "wold",
];
/// Suffixes of names, some empty.
const FORMS: [&str; 16] = [
    "", "", "", "", "", "", " Group", " Labs", " GmbH", " AB", " S.A.", " B.V.", ", Inc.", " Ltd", " & Co.",
    " K.K.",
];
/// Invented names in other scripts.
const ELSEWHERE: [&str; 14] = [
    "青鹭软件",
    "藍灯精機",
    "Лунный Причал",
    "Бурштиновий Млин",
    "Ασημένιο Δίχτυ",
    "فانوس الميناء",
    "מגדל הענבר",
    "नीलगगन तंत्र",
    "은빛나루",
    "Đèn Hổ Phách",
    "Mørkfjell Ø",
    "Żuraw i Syn",
    "L'Échoppe d'Ambre",
    "São Farol",
];
/// All companies of `plan`: the organization's own first, then city by city, so that companies of one city are close in
/// the table.
pub(crate) fn build(plan: &Plan, places: &Places) -> Vec<Company> {
    let mut dice = Dice::new(plan.seed, Stream::Companies);
    let mut counts = headcounts(plan).into_iter();
    let weights = (0..places.len()).map(|place| places.weight(place)).sum();
    let mut share = Share::new(u64::from(plan.companies), weights);
    let mut companies = Vec::with_capacity(plan.companies as usize);
    let mut first = 0;
    for city in 0..places.len() {
        for _ in 0..share.next(places.weight(city)) {
            let employees = counts.next().unwrap_or_default();
            let industry = dice.zipf(INDUSTRIES.len() as u32, 8) as u8;
            let name = match dice.below(25) {
                0 if companies.len() > 1 => another_name(&companies[1..], &mut dice),
                _ => name(industry, &mut dice),
            };
            companies.push(Company { name, city, industry, first, employees });
            first += employees;
        }
    }
    own(plan, &mut companies[0]);
    companies
}

/// Makes `company` the organization's own.
fn own(plan: &Plan, company: &mut Company) {
    company.name.clone_from(&plan.organization_name);
    let known = INDUSTRIES.iter().position(|(industry, _)| *industry == plan.organization_industry);
    company.industry = known.map_or(INDUSTRIES.len(), |place| place) as u8;
}

/// The number of employees of each company, by Zipf's law over a scattered order; one person in sixteen has no company.
fn headcounts(plan: &Plan) -> Vec<u32> {
    let others = u64::from(plan.companies) - 1;
    let own = plan.own_headcount();
    let employed = u64::from(plan.people - own - plan.people / 16);
    let weight = |rank: u64| (1 << 32) / (rank + 4);
    let mut share = Share::new(employed, (0..others).map(weight).sum());
    let step = (others * 5 / 8..).find(|&step| gcd(step, others) == 1).unwrap_or(1);
    let scattered = (0..others).map(|place| share.next(weight(place * step % others)) as u32);
    std::iter::once(own).chain(scattered).collect()
}

/// The name of one of `companies`, since names are not unique.
fn another_name(companies: &[Company], dice: &mut Dice) -> String {
    dice.pick(companies).name.clone()
}

fn name(industry: u8, dice: &mut Dice) -> String {
    if dice.one_in(30) {
        return (*dice.pick(&ELSEWHERE)).to_owned();
    }
    let (head, tail) = (dice.pick(&HEADS), dice.pick(&TAILS));
    let (_, trade) = INDUSTRIES[usize::from(industry)];
    match dice.below(4) {
        0 => format!("{head}{tail}{}", dice.pick(&FORMS)),
        1 => format!("{head} {trade}{}", dice.pick(&FORMS)),
        2 => format!("{head} & {} {trade}", dice.pick(&HEADS)),
        _ => format!("{head}{tail} {trade}"),
    }
}

/// `text` in lower-case ASCII letters and digits, its words joined with `-`.
pub(crate) fn slug(text: &str) -> String {
    let folded = fold(text);
    let plain = folded.split(|character: char| !character.is_ascii_alphanumeric());
    plain.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn employees_follow_one_another_and_large_companies_are_few() {
        let plan = Plan::sized(4000, 10);
        let companies = build(&plan, &Places::new(plan.seed));
        assert_eq!(companies.len() as u32, plan.companies);
        for pair in companies.windows(2) {
            assert_eq!(pair[0].first + pair[0].employees, pair[1].first);
        }
        let total: u32 = companies.iter().map(|company| company.employees).sum();
        assert_eq!(total, plan.people - plan.people / 16);
        let mut sizes: Vec<u32> = companies[1..].iter().map(|company| company.employees).collect();
        sizes.sort_unstable();
        assert!(sizes[sizes.len() - 1] > 20 * sizes[sizes.len() / 2], "{sizes:?}");
    }

    #[test]
    fn slugs_are_plain() {
        for (text, plain) in [("Ænsel & Brême, Inc.", "nsel-breme-inc"), ("青鹭软件", ""), ("A.B", "a-b")]
        {
            assert_eq!(slug(text), plain);
        }
    }
}
