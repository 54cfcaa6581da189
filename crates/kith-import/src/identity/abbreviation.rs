//! Whether the label of a domain abbreviates the name of a company.

use crate::identity::name::plain;
use kith::model::text::fold;

/// Words that companies put in front of their name in a domain, and behind it.
const BEFORE: &[&str] = &["get", "try", "join", "use", "go", "hello", "my", "the", "team", "with"];
const BEHIND: &[&str] =
    &["hq", "group", "team", "app", "online", "global", "labs", "inc", "co", "io", "tech"];
/// Minimum letters of a label that is the beginning of a name.
const BEGINNING_CHARS: usize = 4;

/// Whether `label` abbreviates `company`, a key of words: `hsv` or `hsv-group` Harbour & Sable Ventures, `lumenen` Lumen
/// Energy, `getbasalt` Basalt Works.
pub(super) fn abbreviates(label: &str, company: &str) -> bool {
    let words: Vec<String> = company.split(' ').filter(|word| *word != "and").map(plain).collect();
    let Some(first) = words.first() else { return false };
    let letters: String = fold(label).chars().filter(|character| character.is_alphanumeric()).collect();
    let label = plain(&letters);
    let without_before = BEFORE.iter().filter_map(|before| label.strip_prefix(before));
    let forms = || {
        let without_behind = BEHIND.iter().filter_map(|behind| label.strip_suffix(behind));
        without_before.clone().chain(without_behind).chain([label.as_str()])
    };
    let (initials, all) = (initials_of(company), words.concat());
    let begins =
        |form: &str| form.len() >= BEGINNING_CHARS && form.len() >= first.len() && all.starts_with(form);
    forms().any(|form| begins(form) || !form.is_empty() && form == initials)
}

/// The initials of `company`, a key of words, if it has several.
pub(super) fn initials_of(company: &str) -> String {
    let words = company.split(' ').filter(|word| *word != "and");
    let initials: String = words.filter_map(|word| word.chars().next()).collect();
    if initials.len() > 1 { initials } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_abbreviates_a_name_by_its_initials_or_its_beginning() {
        for (label, company, is_short) in [
            ("hsv", "harbour and sable ventures", true),
            ("hsv-group", "harbour and sable ventures", true),
            ("lumenen", "lumen energy", true),
            ("getbasalt", "basalt works", true),
            ("coppermill-team", "copper mill", true),
            ("fjordumb", "fjord and umbra", true),
            ("gethaemaelaeinen", "hamalainen technologies", true),
            ("lum", "lumen energy", false),
            ("lund", "lumen energy", false),
            ("hobart", "harbour and sable ventures", false),
            ("lumenworks", "lumen energy", false),
            ("k", "kestrel", false),
            ("", "kestrel", false),
            ("kestrel", "", false),
        ] {
            assert_eq!(abbreviates(label, company), is_short, "{label} {company}");
        }
    }
}
