//! Companies in the cell of a name: `Sabine (Fjord Analytics)`, `Max Orr – Fjord Analytics`.

use crate::identity::company::CompanyRegistry;
use crate::identity::company_key::company_key;
use crate::rows::ImportedRow;

/// The separators between a name and a company, with their spaces.
const BETWEEN: [&str; 10] = [" - ", " – ", " — ", " | ", " · ", " @ ", ", ", " at ", " bei ", " chez "];

/// Moves the company after the name of each of `rows`, in brackets or after a sign, to the company, if the row has none
/// and another row of any file names it as one.
pub(crate) fn take_companies_from_names(rows: &mut [ImportedRow], companies: &CompanyRegistry) {
    let known = companies.by_key();
    for row in rows.iter_mut().filter(|row| row.company == 0 && row.is_of_file()) {
        let found = parts(&row.name).find_map(|(name, company)| {
            let number = known.get(company_key(company).as_str())?;
            (!name.is_empty()).then(|| (Box::<str>::from(name), *number))
        });
        if let Some((name, company)) = found {
            (row.name, row.company) = (name, company);
        }
    }
}

/// Splits off what may be a company after the name.
fn parts(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let bracketed = text.split_once(['(', '[', '（']).map(|(name, rest)| {
        let company = rest.split([')', ']', '）']).next().unwrap_or(rest);
        (name.trim(), company.trim())
    });
    let divided = BETWEEN.iter().filter_map(|between| text.rsplit_once(between));
    bracketed.into_iter().chain(divided.map(|(name, company)| (name.trim(), company.trim())))
}
