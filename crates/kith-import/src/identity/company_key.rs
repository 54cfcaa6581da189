//! The keys for comparing names of companies.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::identity::name::without_brackets;
use kith::model::text::fold;

/// Maximum words of a legal form.
const FORM_WORDS_MAX: usize = 4;

/// The legal forms of companies, folded.
static FORMS: LazyLock<LegalForms> = LazyLock::new(|| {
    let of = |place: &str| -> HashSet<String> {
        let lines = include_str!("legal_forms.txt").lines();
        let list = lines.filter_map(|line| line.split_once(':')).find(|(name, _)| *name == place);
        list.map_or("", |(_, list)| list).split(',').map(|form| fold(form.trim())).collect()
    };
    LegalForms { behind: of("behind"), before: of("before"), joined: of("joined") }
});

struct LegalForms {
    /// Behind a name.
    behind: HashSet<String>,
    before: HashSet<String>,
    /// At either end of a name in a script without spaces, inside its word.
    joined: HashSet<String>,
}

/// Texts in place of a company that mean none.
const NO_COMPANIES: &[&str] = &[
    "",
    "confidential",
    "consultant",
    "freelance",
    "freelancer",
    "freelancing",
    "freiberufler",
    "freiberuflich",
    "home",
    "independent",
    "independent consultant",
    "job seeker",
    "keine",
    "looking for opportunities",
    "n a",
    "na",
    "none",
    "not applicable",
    "nothing",
    "open to work",
    "personal",
    "private",
    "retired",
    "retiree",
    "self",
    "self employed",
    "selbstandig",
    "selfemployed",
    "stealth",
    "stealth company",
    "stealth mode",
    "stealth mode startup",
    "stealth startup",
    "student",
    "unemployed",
    "unknown",
    "various",
];

/// The key for comparing names of companies: folded, without its legal form, signs, brackets with their content, and a
/// leading *the*. Empty if the text names no company.
pub(crate) fn company_key(name: &str) -> String {
    let bare = without_brackets(name).replace(['&', '+'], " and ");
    let folded = fold(&bare).replace(" a/s", " as");
    let mut words: Vec<String> = Vec::new();
    for word in folded.split([' ', ',', '/', '-', '–', '—', '|', '(', ')', '（', '）']) {
        let word: String = word.chars().filter(|character| character.is_alphanumeric()).collect();
        if !word.is_empty() {
            words.push(word);
        }
    }
    if words.len() > 1 && words.first().is_some_and(|word| word == "the") {
        words.remove(0);
    }
    while let Some(length) =
        form_length(&words, |words, length| &words[words.len() - length..], &FORMS.behind)
    {
        words.truncate(words.len() - length);
    }
    while let Some(length) = form_length(&words, |words, length| &words[..length], &FORMS.before) {
        words.drain(..length);
    }
    if let [only] = words.as_mut_slice() {
        // The longest form leaves the shortest name: some forms end in others.
        let bare =
            |form: &String| only.strip_prefix(form.as_str()).or_else(|| only.strip_suffix(form.as_str()));
        let shortest = FORMS
            .joined
            .iter()
            .filter_map(bare)
            .filter(|bare| !bare.is_empty())
            .min_by_key(|bare| (bare.len(), *bare));
        if let Some(bare) = shortest.map(str::to_owned) {
            *only = bare;
        }
    }
    let key = words.join(" ");
    if NO_COMPANIES.contains(&key.as_str()) { String::new() } else { key }
}

/// Words after a name that denote a part of a company.
const PARTS: &[&str] = &[
    "holding",
    "holdings",
    "group",
    "gruppe",
    "groupe",
    "grupo",
    "international",
    "global",
    "worldwide",
    "europe",
    "emea",
    "apac",
    "deutschland",
    "germany",
    "france",
    "uk",
    "usa",
    "us",
    "hq",
];

/// The key for comparing names of companies of two rows with the same person's name: [`company_key`] without a remark
/// after a dash, the ending of a domain, the part of the company, and spaces. Empty if the text names no company.
pub(crate) fn company_stem(name: &str) -> String {
    let name = [" – ", " — ", " | "].iter().fold(name, |name, dash| name.split(dash).next().unwrap_or(name));
    let is_domain = !name.contains(' ')
        && name.rsplit_once('.').is_some_and(|(label, ending)| {
            !label.is_empty() && ending.len() > 1 && ending.bytes().all(|byte| byte.is_ascii_lowercase())
        });
    let name = if is_domain { name.split('.').next().unwrap_or(name) } else { name };
    let key = company_key(name);
    let mut words: Vec<&str> = key.split(' ').collect();
    while words.len() > 1 && words.last().is_some_and(|word| PARTS.contains(word)) {
        words.pop();
    }
    words.concat()
}

/// The number of words in the longest legal form at one end of `words`: `end` cuts off that many words. Leaves at least
/// one word.
fn form_length(
    words: &[String],
    end: impl Fn(&[String], usize) -> &[String],
    forms: &HashSet<String>,
) -> Option<usize> {
    let most = FORM_WORDS_MAX.min(words.len().saturating_sub(1));
    (1..=most).rev().find(|length| forms.contains(&end(words, *length).join(" ")))
}
