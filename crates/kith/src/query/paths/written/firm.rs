//! Whether a firm as people write it is the company that a person works at, where no name or domain is equal.
//!
//! This does not find anybody: it is asked of people who have the very name of the target.

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::model::text::{domain, plain, words};

/// Words at the end of a firm's name that people leave out: of its trade, then of its legal form.
const GENERIC: &[&str] = &[
    "ventures",
    "venture",
    "capital",
    "cap",
    "partners",
    "partner",
    "group",
    "holding",
    "holdings",
    "vc",
    "fund",
    "funds",
    "investments",
    "investment",
    "investors",
    "management",
    "advisors",
    "equity",
    "and",
    "the",
    "co",
    "company",
    "gmbh",
    "ag",
    "inc",
    "ltd",
    "llc",
    "llp",
    "plc",
    "kg",
    "se",
    "sa",
    "sas",
    "ab",
    "as",
    "bv",
    "oy",
    "spa",
    "srl",
    "ug",
];
/// Minimum length of what is left of a domain's label without such a word.
const LABEL_CHARS_MIN: usize = 3;

/// Whether the company of `person` is the firm `written`, a name or a domain.
pub(super) fn is_firm_of(index: &GraphIndex, person: PersonIx, written: &str) -> bool {
    let Some(company) = index.data.people.company(person) else { return false };
    let companies = &index.data.companies;
    let own = [companies.names.get(company.0), companies.domains.get(company.0)];
    let own: Vec<String> = own.into_iter().map(stem).filter(|stem| !stem.is_empty()).collect();
    own.contains(&stem(written))
}

/// What distinguishes the firm `text`: the label of a domain, or the words of a name, without generic ones at its end, in
/// one word.
fn stem(text: &str) -> String {
    let host = domain(text);
    let is_host = !host.is_empty() && !text.trim().contains(char::is_whitespace);
    let text = if is_host { host.split('.').next().unwrap_or("") } else { text };
    let plain = plain(text).replace(|sign: char| !sign.is_alphanumeric(), " ");
    let mut all: Vec<&str> = words(&plain).collect();
    while all.len() > 1 && all.last().is_some_and(|word| GENERIC.contains(word)) {
        all.pop();
    }
    let label = all.concat();
    let endings = GENERIC.iter().filter(|ending| is_host && ending.len() >= LABEL_CHARS_MIN);
    let bare = endings.filter_map(|ending| label.strip_suffix(ending)).min_by_key(|bare| bare.len());
    bare.filter(|bare| bare.len() >= LABEL_CHARS_MIN).unwrap_or(&label).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_firm_is_one_without_generic_words_and_as_a_domain_and_not_by_its_beginning() {
        for (one, other) in [
            ("Partech", "partechpartners.com"),
            ("https://www.cherry.vc/team", "Cherry Ventures"),
            ("cherry.vc", "cherryventures.com"),
            ("468 Capital", "468cap.com"),
            ("Point Nine", "Point Nine Capital"),
            ("Project A", "project-a.com"),
            ("La Famiglia", "lafamiglia.vc"),
            ("EQT Ventures", "EQT Group AB"),
            ("Zalando SE", "zalando"),
        ] {
            assert_eq!(stem(one), stem(other), "{one}, {other}");
        }
        for (one, other) in [
            ("Meta", "metabase.com"),
            ("Index", "Indexa Capital"),
            ("Deutsche Bank", "Deutsche Telekom"),
            ("Capital Group", "Group Partners"),
            ("vc.com", "Capital"),
        ] {
            assert_ne!(stem(one), stem(other), "{one}, {other}");
        }
    }
}
