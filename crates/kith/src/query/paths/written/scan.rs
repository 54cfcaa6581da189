//! Splits a target as people write it into parts, before anybody is looked up.

use std::ops::Range;

use crate::model::nicknames::{CREDENTIALS, PRONOUNS};
use crate::model::text::{address, domain, is_mark as is_mark_of_script, plain};
use crate::query::handle::handle_of;

/// The parts of a target's text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scanned {
    pub(super) id: Option<String>,
    pub(super) email: Option<String>,
    pub(super) handle: Option<String>,
    pub(super) domain: Option<String>,
    /// The remaining text.
    pub(super) left: String,
    /// The places in it of its parts between separators, without empty ones; at most [`PARTS_MAX`].
    pub(super) parts: Vec<Range<usize>>,
}

/// Whether a domain is a known company's.
pub(super) type IsDomain<'a> = &'a dyn Fn(&str) -> bool;

const PARTS_MAX: usize = 12;
/// Words between a role or a name and the firm, written with spaces around them.
const AT: [&str; 6] = ["at", "bei", "chez", "en", "from", "c/o"];
/// Hosts with pages about others: not home pages.
const NO_HOMEPAGES: [&str; 4] = ["linkedin.com", "twitter.com", "x.com", "facebook.com"];
/// Last labels that do not end a domain: from companies' and people's names, and from files.
const NO_LAST_LABELS: [&str; 11] =
    ["ltd", "inc", "llc", "corp", "gmbh", "jr", "sr", "phd", "mba", "js", "csv"];
/// Parts without information, separated by `|`: what a profile page shows beside a name, what a letter begins and ends with.
const NOISE: &str = "linkedin|1st|2nd|3rd|3rd+|x|to|cc|bcc|best|best regards|kind regards|regards|cheers|thanks|and more|\
    and others|etc|tbd|n/a";
/// Words of roles and of notes beside a target, which people's names do not have.
const NOT_IN_NAMES: &str = "partner ceo cfo cto coo cmo cpo ciso vp svp evp gp lp head chief director manager founder cofounder \
    co-founder owner president chairman chair chairwoman principal associate analyst investor angel advisor \
    board officer lead engineer sales marketing finance product leiter leiterin geschäftsführer \
    geschäftsführerin vorstand directeur directrice gerente fondateur series seed round fund team warm hot \
    cold intro introduction met call called check ticket prio priority tier follow via done asked portfolio \
    maybe yes no";

/// Words with which people ask for an introduction, before its target.
const ASKING: &str = "hello hi hey please can could would do does i i'd we you your us me our who anyone anybody any a an the \
    warm love like want need help get meet jemand du wer qui quelqu'un quién quien alguien";
/// Those of them that ask, and those behind which the target begins.
const ASKS: &str =
    "intro intros introduction introduce introduced connect looking know knows kennst kennt connaît conoce";
const ASKED_BEHIND: &str = "to for with know knows kennt jemand du zu connaît à conoce a";

impl Scanned {
    /// Splits `text`; `is_domain` recognizes the domains of companies.
    pub(super) fn of(text: &str, is_domain: IsDomain<'_>) -> Self {
        let mut scanned = Self::default();
        let mut left = String::with_capacity(text.len());
        let listed = without_mark(text);
        let mut from = 0;
        for (at, token) in tokens(listed) {
            if let Some(handle) = firm_page(token) {
                left.extend([&listed[from..at], "\t", handle, "\t"]);
                from = at + token.len();
                continue;
            }
            if scanned.take(token, is_domain, token.len() == listed.trim().len()) {
                left.push_str(&listed[from..at]);
                // Brackets and the like around an address are not part of a name.
                left.push('\t');
                from = at + token.len();
            }
        }
        left.push_str(&listed[from..]);
        scanned.parts = parts(&left);
        scanned.left = left;
        scanned
    }

    /// Takes `token` if it is the first id or address of its kind; returns whether it is one.
    fn take(&mut self, token: &str, is_domain: IsDomain<'_>, is_all: bool) -> bool {
        let address_of = |token: &str| token.strip_prefix("mailto:").unwrap_or(token).to_owned();
        let (kind, found) = if token.starts_with("person_") || token.starts_with("company_") {
            (&mut self.id, token.to_owned())
        } else if is_email(&address_of(token)) {
            (&mut self.email, address(&address_of(token)))
        } else if let Some(handle) = profile(token) {
            (&mut self.handle, handle)
        } else {
            let host = domain(token);
            if host.is_empty() || !(is_address(token) || is_domain(&host) || looks_like_domain(&host, is_all))
            {
                return false;
            }
            if NO_HOMEPAGES.iter().any(|other| host == *other || host.ends_with(&format!(".{other}"))) {
                return true;
            }
            (&mut self.domain, host)
        };
        kind.get_or_insert(found);
        true
    }
}

/// `text` without the bullet, number or check box at the start of its line.
fn without_mark(text: &str) -> &str {
    let is_counted = text.trim_start().starts_with('#');
    let text = text
        .trim_start_matches(|character: char| !character.is_alphanumeric() && !"([/@".contains(character));
    for box_of_list in ["[ ]", "[x]", "[X]", "[]"] {
        if let Some(rest) = text.strip_prefix(box_of_list) {
            return rest.trim_start();
        }
    }
    let inner = text.trim_start_matches(['(', '#']);
    let rest = inner.trim_start_matches(|character: char| character.is_ascii_digit());
    let digits = inner.len() - rest.len();
    match rest.strip_prefix(['.', ')', ':']).or_else(|| is_counted.then_some(rest)) {
        Some(rest) if (1..=3).contains(&digits) && rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => text,
    }
}

/// `text` without a request before its target, and the mark and the `please` behind it: `Could you introduce me to …?`.
pub(super) fn without_request(text: &str) -> &str {
    let is_in = |words: &str, word: &str| words.split(' ').any(|known| known == word);
    let listed = without_mark(text);
    let (mut asks, mut behind) = (false, None);
    for (at, word) in tokens(listed) {
        let lower = word.to_lowercase();
        asks |= is_in(ASKS, &lower);
        if asks && is_in(ASKED_BEHIND, &lower) {
            behind = Some(at + word.len());
        } else if !is_in(ASKING, &lower) && !is_in(ASKS, &lower) {
            break;
        }
    }
    let Some(behind) = behind else { return text };
    let asked = listed[behind..].trim().trim_end_matches('?').trim_end();
    asked.strip_suffix("please").unwrap_or(asked).trim_end_matches([' ', ','])
}

/// The words of `text` with their positions, without brackets and quotes around them.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_between =
        |character: char| character.is_whitespace() || "<>()[]{}|;,\"'“”„«»·•".contains(character);
    let start = text.as_ptr() as usize;
    text.split(is_between).filter_map(move |token| {
        let token = token.trim_end_matches(['.', ':', '!']);
        (!token.is_empty()).then(|| (token.as_ptr() as usize - start, token))
    })
}

fn is_email(token: &str) -> bool {
    token.split_once('@').is_some_and(|(local, host)| {
        !local.is_empty()
            && !host.contains('@')
            && !domain(host).is_empty()
            && domain(host) == host.to_lowercase()
    })
}

/// The handle in the URL of a profile, with or without its host.
fn profile(token: &str) -> Option<String> {
    let bare = token.split_once("://").map_or(token, |(_, rest)| rest);
    let bare = &*bare.strip_prefix('/').unwrap_or(bare).replace("/mwlite/", "/");
    let whole = if bare.starts_with("in/") { format!("linkedin.com/{bare}") } else { bare.to_owned() };
    let handle = handle_of(&whole);
    (handle != whole).then(|| handle.into_owned())
}

/// The handle in the URL of a company's profile.
fn firm_page(token: &str) -> Option<&str> {
    let (_, rest) = token.split_once("linkedin.com/company/")?;
    rest.split(['/', '?', '#']).next().filter(|handle| !handle.is_empty())
}

/// Whether `token` looks like the URL of a page.
fn is_address(token: &str) -> bool {
    token.contains("://") || token.to_ascii_lowercase().starts_with("www.")
}

/// Whether a bare `host` is a domain rather than a name with a full stop; `is_all` if it is the whole text.
fn looks_like_domain(host: &str, is_all: bool) -> bool {
    let mut labels = host.rsplit('.');
    let last = labels.next().unwrap_or("");
    let is_label = |label: &str| {
        label.chars().all(|character| character.is_alphanumeric() || character == '-') && !label.is_empty()
    };
    let longest = labels.clone().map(|label| label.chars().count()).max().unwrap_or(0);
    labels.all(is_label)
        && (2..=12).contains(&last.len())
        && last.chars().all(char::is_alphabetic)
        && !NO_LAST_LABELS.contains(&last)
        // `j.doe`, `st.gallen`: beside other words, short words with a full stop are not domains.
        && (is_all || longest > 2)
}

/// `text` without white space, quotes, bullets and emoji around it.
fn trimmed(text: &str) -> &str {
    let is_around =
        |character: char| !character.is_alphanumeric() && !is_mark(character) && !".!+?&".contains(character);
    text.trim_start_matches(|character| is_around(character) || ".!+?&".contains(character))
        .trim_end_matches(is_around)
}

/// Whether `character` combines with the letter before it.
fn is_mark(character: char) -> bool {
    is_mark_of_script(character) && !('\u{fe00}'..='\u{fe0f}').contains(&character)
}

/// The places in `text` of the parts that carry information.
fn parts(text: &str) -> Vec<Range<usize>> {
    let is_cut = |character: char| ",;=\t|·•@()[]<>{}（）、—：".contains(character) || is_picture(character);
    let parts = text.split(is_cut).flat_map(cut_at_words).map(trimmed);
    let says = |part: &&str| part.chars().any(char::is_alphabetic) && !is_beside_names(&plain(part));
    let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    parts.filter(says).take(PARTS_MAX).map(|part| place(part)..place(part) + part.len()).collect()
}

/// Whether `character` is a picture: an arrow, a symbol or an emoji.
fn is_picture(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1ffff}')
}

/// Cuts `piece` at words and dashes with spaces around them, and after words with a colon.
fn cut_at_words(piece: &str) -> Vec<&str> {
    let (mut cut, mut from) = (Vec::new(), 0);
    for word in piece.split_whitespace() {
        let start = word.as_ptr() as usize - piece.as_ptr() as usize;
        let is_stroke = word.chars().all(|character| "/-–—―‐‑−".contains(character));
        if is_stroke || AT.contains(&word.to_lowercase().as_str()) {
            cut.push(&piece[from..start]);
            from = start + word.len();
        } else if word.ends_with(':') {
            cut.push(&piece[from..start + word.len()]);
            from = start + word.len();
        }
    }
    cut.push(&piece[from..]);
    cut
}

/// Whether the part `text` may have a person's name: one word, or two words with capitals that are not of a role or a note;
/// in a text of small letters alone, `is_small`, names have no capitals.
pub(super) fn may_be_name(text: &str, is_small: bool) -> bool {
    let is_between =
        |character: char| !character.is_alphanumeric() && !is_mark(character) && !"'’-".contains(character);
    let is_word = |word: &&str| {
        word.chars().count() > 1 && !word.contains(|character: char| character.is_ascii_digit())
    };
    let all: Vec<&str> = text.split(is_between).filter(is_word).collect();
    let is_of_name = |word: &&&str| {
        let begins_small = word.chars().next().is_some_and(char::is_lowercase);
        (is_small || !begins_small) && !NOT_IN_NAMES.split(' ').any(|other| other == word.to_lowercase())
    };
    let named = all.iter().filter(is_of_name).count();
    named > 1 || named == all.len() && named == 1
}

/// Whether a plain part is a degree, pronouns or a distance that people write beside a name.
fn is_beside_names(part: &str) -> bool {
    let words = || part.split([' ', '/', '.']).filter(|word| !word.is_empty());
    NOISE.split('|').any(|noise| noise == part)
        || words().all(|word| PRONOUNS.contains(&word))
        || part.replace('.', "").split(' ').all(|word| CREDENTIALS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> (Scanned, Vec<String>) {
        let scanned = Scanned::of(text, &|host| host == "co.uk.example");
        let parts = scanned.parts.iter().map(|place| scanned.left[place.clone()].to_owned()).collect();
        (scanned, parts)
    }

    #[test]
    fn parts_are_cut_where_people_cut_them() {
        for (text, expected) in [
            ("Ana Li (Kestrel Ventures)", &["Ana Li", "Kestrel Ventures"][..]),
            ("Ana Li - Kestrel Ventures", &["Ana Li", "Kestrel Ventures"]),
            ("Ana Li – Partner, Kestrel", &["Ana Li", "Partner", "Kestrel"]),
            ("• Ana Li — Kestrel", &["Ana Li", "Kestrel"]),
            ("12) Ana Li | Partner @Kestrel", &["Ana Li", "Partner", "Kestrel"]),
            ("- [x] \"Ana Li\" 🚀", &["Ana Li"]),
            ("1.\tAna Li\tKestrel", &["Ana Li", "Kestrel"]),
            ("Ana Li bei Kestrel GmbH", &["Ana Li", "Kestrel GmbH"]),
            ("Ana Li, PhD (she/her) · 2nd · Partner at Kestrel", &["Ana Li", "Partner", "Kestrel"]),
            ("Kestrel GmbH: Ana Li", &["Kestrel GmbH", "Ana Li"]),
            ("Jean-Luc Li/Kestrel", &["Jean-Luc Li/Kestrel"]),
            ("Li, Ana", &["Li", "Ana"]),
            ("#7 Ana Li ✅ done", &["Ana Li", "done"]),
            ("Best, Ana Li // Kestrel", &["Ana Li", "Kestrel"]),
            ("3M", &["3M"]),
            ("Yahoo!", &["Yahoo!"]),
            ("  ", &[]),
        ] {
            assert_eq!(scan(text).1, expected, "{text}");
        }
    }

    #[test]
    fn ids_and_addresses_are_found_anywhere_and_the_rest_is_left() {
        let texts = |scanned: &Scanned| {
            let all = [&scanned.id, &scanned.email, &scanned.handle, &scanned.domain];
            all.map(|text| text.clone().unwrap_or_default())
        };
        for (text, expected, parts) in [
            ("person_9a", ["person_9a", "", "", ""], &[][..]),
            ("Ana Li <Ana@Kestrel.example>", ["", "ana@kestrel.example", "", ""], &["Ana Li"]),
            ("mailto:ana@kestrel.example", ["", "ana@kestrel.example", "", ""], &[]),
            (
                "Ana: https://de.linkedin.com/in/ana-li/?x=1, Kestrel",
                ["", "", "ana-li", ""],
                &["Ana", "Kestrel"],
            ),
            ("in/ana-li", ["", "", "ana-li", ""], &[]),
            ("Kestrel https://www.kestrel.example/team", ["", "", "", "kestrel.example"], &["Kestrel"]),
            ("kestrel.vc", ["", "", "", "kestrel.vc"], &[]),
            ("Ana Li, kestrel.vc", ["", "", "", "kestrel.vc"], &["Ana Li"]),
            ("co.uk.example Ana", ["", "", "", "co.uk.example"], &["Ana"]),
            ("https://twitter.com/ana Ana Li", ["", "", "", ""], &["Ana Li"]),
            ("J.R. Smith", ["", "", "", ""], &["J.R. Smith"]),
            ("Kestrel Ltd.", ["", "", "", ""], &["Kestrel Ltd."]),
            ("Ana Li @ Kestrel", ["", "", "", ""], &["Ana Li", "Kestrel"]),
        ] {
            let (scanned, read) = scan(text);
            assert_eq!(
                (texts(&scanned), &read[..]),
                (
                    expected.map(str::to_owned),
                    &parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>()[..]
                ),
                "{text}"
            );
        }
    }
}
