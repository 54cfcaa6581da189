//! Positions: from interns to chief executives, most in English, some in other languages.

use crate::dice::Dice;

/// Fields that a head can lead.
const AREAS: [&str; 24] = [
    "Engineering",
    "Product",
    "Sales",
    "Marketing",
    "Operations",
    "Finance",
    "People",
    "Legal",
    "Data",
    "Design",
    "Customer Success",
    "Business Development",
    "Supply Chain",
    "Research",
    "Partnerships",
    "Security",
    "Communications",
    "Procurement",
    "Quality",
    "Strategy",
    "Growth",
    "Platform",
    "Investor Relations",
    "Sustainability",
];
/// Occupations with junior and senior levels.
const TRADES: [&str; 34] = [
    "Software Engineer",
    "Data Scientist",
    "Product Manager",
    "Account Executive",
    "Product Designer",
    "Mechanical Engineer",
    "Robotics Engineer",
    "Electrical Engineer",
    "Financial Analyst",
    "Accountant",
    "Recruiter",
    "Copywriter",
    "Customer Success Manager",
    "Sales Engineer",
    "Machine Learning Engineer",
    "Site Reliability Engineer",
    "Consultant",
    "Legal Counsel",
    "Project Manager",
    "Research Scientist",
    "Business Analyst",
    "Solutions Architect",
    "Marketing Manager",
    "Buyer",
    "Quality Engineer",
    "Data Engineer",
    "Investment Analyst",
    "Technician",
    "Nurse",
    "Translator",
    "Teacher",
    "UX Researcher",
    "Field Engineer",
    "Office Manager",
];
/// Positions at the top of a company.
const CHIEFS: [&str; 18] = [
    "CEO",
    "Chief Executive Officer",
    "CTO",
    "Chief Technology Officer",
    "CFO",
    "Chief Financial Officer",
    "COO",
    "CMO",
    "Chief Product Officer",
    "Chief Revenue Officer",
    "CISO",
    "Founder",
    "Co-Founder & CEO",
    "Co-founder, CTO",
    "Managing Director",
    "General Manager",
    "Board Member",
    "Owner",
];
/// Positions of investors.
const INVESTORS: [&str; 12] = [
    "Partner",
    "General Partner",
    "Venture Partner",
    "Principal",
    "Investment Associate",
    "Investment Manager",
    "Angel Investor",
    "Limited Partner",
    "Operating Partner",
    "Investment Director",
    "Entrepreneur in Residence",
    "Scout",
];
/// Positions in other languages.
const ELSEWHERE: [&str; 36] = [
    "Geschäftsführer",
    "Leiterin Vertrieb",
    "Softwareentwickler",
    "Kaufmännische Leitung",
    "Prokurist",
    "Directrice commerciale",
    "Ingénieur logiciel",
    "Président-directeur général",
    "Chargée d'affaires",
    "Directora de Operaciones",
    "Ingeniero de software",
    "Jefe de compras",
    "Diretor de Produto",
    "Engenheira de Dados",
    "Responsabile acquisti",
    "Amministratore delegato",
    "Verkställande direktör",
    "Säljare",
    "Toimitusjohtaja",
    "Kierownik sprzedaży",
    "Główny inżynier",
    "Jednatel společnosti",
    "Satış Müdürü",
    "Руководитель отдела продаж",
    "Інженер-програміст",
    "Διευθυντής Πωλήσεων",
    "مدير المبيعات",
    "מנהל מוצר",
    "उत्पाद प्रबंधक",
    "工程师",
    "销售总监",
    "代表取締役",
    "営業部長",
    "영업 이사",
    "Giám đốc kinh doanh",
    "Kỹ sư phần mềm",
];

/// Draws a person's position; some people have none.
pub(crate) fn throw(dice: &mut Dice) -> Option<String> {
    let position = match dice.below(100) {
        0..=3 => return None,
        4..=8 => (*dice.pick(&CHIEFS)).to_owned(),
        9..=11 => (*dice.pick(&INVESTORS)).to_owned(),
        12..=18 => (*dice.pick(&ELSEWHERE)).to_owned(),
        19..=38 => headship(dice),
        _ => craft(dice),
    };
    Some(position)
}

fn headship(dice: &mut Dice) -> String {
    let area = dice.pick(&AREAS);
    match dice.below(7) {
        0 => format!("VP {area}"),
        1 => format!("VP of {area}"),
        2 => format!("Head of {area}"),
        3 => format!("Director of {area}"),
        4 => format!("Senior Director, {area}"),
        _ => format!("{area} Lead"),
    }
}

fn craft(dice: &mut Dice) -> String {
    let trade = dice.pick(&TRADES);
    match dice.below(12) {
        0 | 1 => format!("Senior {trade}"),
        2 => format!("Lead {trade}"),
        3 => format!("Principal {trade}"),
        4 => format!("Junior {trade}"),
        5 => format!("{trade} Intern"),
        6 => format!("Freelance {trade}"),
        _ => (*trade).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Stream;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_a_few_hundred_positions_and_few_people_without() {
        let mut dice = Dice::new(1, Stream::People);
        let thrown: Vec<Option<String>> = (0..20_000).map(|_| throw(&mut dice)).collect();
        let distinct: BTreeSet<&String> = thrown.iter().flatten().collect();
        assert!((300..700).contains(&distinct.len()), "{} positions", distinct.len());
        let without = thrown.iter().filter(|position| position.is_none()).count();
        assert!((600..1000).contains(&without), "{without} without");
    }
}
