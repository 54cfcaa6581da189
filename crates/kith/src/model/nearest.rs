//! The known name nearest to an unknown one.

use rapidfuzz::distance::osa;

/// Maximum number of letters to correct.
const SLIPS_MAX: usize = 3;
/// Letters a name must have for each one corrected.
const LETTERS_PER_SLIP: usize = 3;

/// Returns the one of `known` with the fewest edits from `name`, the first of equals; `None` if `known` is empty.
pub fn nearest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known.into_iter().min_by_key(|known| osa::distance(name.chars(), known.chars()))
}

/// Returns the one of `names` that `name` misspells, or `None` if it is too far from all of them.
pub fn nearest_of<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().filter_map(|other| Some((slips(name, other)?, other)));
    near.min().map(|(_, other)| other)
}

/// Whether `name` is `other` with a few typing errors.
#[must_use]
pub fn is_nearly(name: &str, other: &str) -> bool {
    slips(name, other).is_some()
}

/// Counts the letters of `name` to correct for `other`, ignoring case, spaces and underscores; `None` if they are too
/// many.
fn slips(name: &str, other: &str) -> Option<usize> {
    let letters = |name: &str| -> String {
        name.chars()
            .filter(|letter| !matches!(letter, ' ' | '_' | '-'))
            .flat_map(char::to_lowercase)
            .collect()
    };
    let (name, other) = (letters(name), letters(other));
    let most = SLIPS_MAX.min(other.chars().count() / LETTERS_PER_SLIP);
    let slips = osa::distance(name.chars(), other.chars());
    (slips <= most).then_some(slips)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_the_one_it_is_most_like() {
        let tables = ["companies", "people", "members", "connections", "advocates"];
        let columns = ["id", "name", "linkedinId", "email", "position", "city", "country"];
        for (name, names, meant) in [
            ("conections", &tables[..], Some("connections")),
            ("Connections", &tables, Some("connections")),
            ("company", &tables, Some("companies")),
            ("notes", &tables, None),
            ("evidence", &tables, None),
            ("linkedin_id", &columns, Some("linkedinId")),
            ("Id", &columns, Some("id")),
            ("E-mail", &columns, Some("email")),
            ("county", &columns, Some("country")),
            ("town", &columns, None),
            ("x", &columns, None),
            ("", &columns, None),
        ] {
            assert_eq!(nearest_of(name, names.iter().copied()), meant, "{name}");
        }
    }
}
