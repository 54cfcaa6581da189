//! The firm in a text: the companies it may be, and whether a person's company is the firm under a longer or shorter name.

use std::cmp::Reverse;

use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::text::{domain, plain, words};
use crate::query::name_match::NameClass;
use crate::query::paths::target::{MatchedBy, companies_alike, find_company};
use crate::query::paths::written::Reader;

/// Words at the end of a firm's name that people leave out: of its trade.
const TRADES: &[&str] = &[
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
];
/// Those of its legal form.
const LEGAL: &[&str] = &[
    "co", "company", "gmbh", "ag", "inc", "ltd", "llc", "llp", "plc", "kg", "se", "sa", "sas", "ab", "as",
    "bv", "oy", "spa", "srl", "ug",
];
/// Minimum length of what is left of a domain's label without such a word.
const LABEL_CHARS_MIN: usize = 3;

/// A firm that a text has.
#[derive(Clone)]
pub(super) struct Firm {
    /// The part of the text, unless it is a host.
    pub(super) at: Option<usize>,
    pub(super) by: MatchedBy,
    /// The companies it may be, not empty.
    pub(super) rows: Vec<u32>,
}

impl Firm {
    pub(super) fn company(&self) -> Option<CompanyIx> {
        self.rows.first().map(|&row| CompanyIx(row))
    }

    /// Whether this may be the same firm as `other`.
    pub(super) fn is_one_of(&self, other: &Self) -> bool {
        self.rows.iter().any(|row| other.rows.contains(row))
    }
}

impl Reader<'_> {
    /// The firm whose name, handle or domain equals the part `at`.
    pub(super) fn firm_called(&self, parts: &[String], at: usize) -> Option<Firm> {
        let (by, rows) = self.companies_called(&parts[at])?;
        Some(Firm { at: Some(at), by, rows })
    }

    /// The firm whose name is most like the part `at`.
    pub(super) fn firm_like(&self, parts: &[String], at: usize) -> Option<Firm> {
        let (by, _) = find_company(self.index, &parts[at])?;
        Some(Firm { at: Some(at), by, rows: companies_alike(self.index, &parts[at], by) })
    }

    /// The firm of the domain `host`, or, with `is_label`, the one without a domain whose name is its label.
    pub(super) fn firm_of_host(&self, host: &str, is_label: bool) -> Option<Firm> {
        let by = MatchedBy::Domain;
        let rows = companies_alike(self.index, host, by);
        if !rows.is_empty() {
            return Some(Firm { at: None, by, rows });
        }
        let rows = if is_label { labelled(self.index, host) } else { Vec::new() };
        (!rows.is_empty()).then_some(Firm { at: None, by: MatchedBy::Name(NameClass::Fuzzy), rows })
    }
}

/// The companies without a domain whose name is the label of `host`, but for its legal form: most employees first.
///
/// Costs a look at each company with a word that begins the label.
fn labelled(index: &GraphIndex, host: &str) -> Vec<u32> {
    let label = plain(host.split('.').next().unwrap_or("")).replace('-', "");
    let (names, companies) = (index.company_names(), &index.data.companies);
    let begun = label.char_indices().map(|(at, first)| &label[..at + first.len_utf8()]);
    let rows = begun.flat_map(|word| names.words_equal(word)).flat_map(|word| names.rows_with(word));
    let is_called = |row: &u32| {
        companies.domains.get(*row).is_empty()
            && [&[][..], &[LEGAL]]
                .iter()
                .any(|endings| stem_without(companies.names.get(*row), endings) == label)
    };
    let mut rows: Vec<u32> = rows.copied().filter(is_called).collect();
    rows.sort_unstable_by_key(|&row| (Reverse(index.employee_count(CompanyIx(row))), row));
    rows.dedup();
    rows
}

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
    let label = stem_without(text, &[TRADES, LEGAL]);
    let endings = [TRADES, LEGAL].concat();
    let endings = endings.iter().filter(|ending| is_host && ending.len() >= LABEL_CHARS_MIN);
    let bare = endings.filter_map(|ending| label.strip_suffix(ending)).min_by_key(|bare| bare.len());
    bare.filter(|bare| bare.len() >= LABEL_CHARS_MIN).unwrap_or(&label).to_owned()
}

/// The words of the name `text` without those of `endings` at its end, in one word.
fn stem_without(text: &str, endings: &[&[&str]]) -> String {
    let plain = plain(text).replace(|sign: char| !sign.is_alphanumeric(), " ");
    let mut all: Vec<&str> = words(&plain).collect();
    let is_ending = |word: &&str| endings.iter().any(|ending| ending.contains(word));
    while all.len() > 1 && all.last().is_some_and(is_ending) {
        all.pop();
    }
    all.concat()
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
