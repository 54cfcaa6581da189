//! Which e-mail addresses identify a person, and which show where they work.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Local parts of addresses that belong to a role or a machine, without their signs.
static ROLES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("roles.txt").split_whitespace().collect());

/// Roles that are also people's names: not a role if more follows, as in `post.ann@`.
const ALSO_NAMES: &[&str] = &[
    "all", "ask", "auto", "demo", "general", "hi", "it", "mail", "post", "pr", "press", "root", "staff",
    "store", "tech", "web", "wir",
];
/// Minimum length of a local part, with so many changes between letters and digits, that is a token.
const TOKEN_CHARS: usize = 16;
const TOKEN_TURNS: usize = 5;

/// Domains where everybody can have an address: they do not show an employer.
static SHARED_DOMAINS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("public_mail.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Whether the address `email` belongs to a role or a machine, or was made for one message: it joins no rows.
#[must_use]
pub fn is_role(email: &str) -> bool {
    let local = email.split('@').next().unwrap_or("");
    let local = local.split('+').next().unwrap_or("");
    let is_sign = |character: char| ".-_".contains(character);
    let whole = local.replace(is_sign, "");
    let whole = whole.trim_end_matches(|character: char| character.is_ascii_digit());
    let first = local.split(is_sign).next().unwrap_or("");
    let is_first = first.len() < local.len() && ROLES.contains(first) && !ALSO_NAMES.contains(&first);
    ROLES.contains(whole) || is_first || is_token(local)
}

fn is_token(local: &str) -> bool {
    let digits: Vec<bool> = local
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.is_ascii_digit())
        .collect();
    let turns = digits.windows(2).filter(|pair| pair[0] != pair[1]).count();
    digits.len() >= TOKEN_CHARS && turns >= TOKEN_TURNS
}

/// The mailbox of the address `email`: without a tag after `+`, and without full stops at Google's two domains.
#[must_use]
pub fn mailbox(email: &str) -> String {
    let Some((local, domain)) = email.rsplit_once('@') else { return email.to_owned() };
    let local = match local.split_once('+') {
        Some((before, _)) if !before.is_empty() => before,
        _ => local,
    };
    match domain {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", local.replace('.', "")),
        _ => format!("{local}@{domain}"),
    }
}

/// `domain` and the domains above it, nearest first.
pub(crate) fn with_those_above(domain: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(domain), |domain| Some(domain.split_once('.')?.1))
}

/// The domain of `email` if it is an employer's; `None` if everybody can have an address there.
pub(crate) fn employer_domain(email: &str) -> Option<&str> {
    let domain = email.rsplit_once('@')?.1;
    (!SHARED_DOMAINS.contains(&domain)).then_some(domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_a_role_is_known_and_so_is_a_domain_that_everybody_shares() {
        assert!(
            [
                "info@a.example",
                "no-reply@a.example",
                "no.reply@a.example",
                "sales+eu@a.example",
                "sales.eu@a.example",
                "contact2@a.example",
                "info-muenchen@a.example",
                "reply+aej4k2l9@a.example",
                "m4k2l9q8zz0x11223344a7b@a.example",
            ]
            .iter()
            .all(|role| is_role(role))
        );
        assert!(
            ![
                "ann@a.example",
                "infor@a.example",
                "sam.office@a.example",
                "post.ann@a.example",
                "ann2024@a.example"
            ]
            .iter()
            .any(|role| is_role(role))
        );
        for (email, expected) in [
            ("a.n.n+x@googlemail.com", "ann@gmail.com"),
            ("ann.lee+x@a.example", "ann.lee@a.example"),
            ("+x@a.example", "+x@a.example"),
        ] {
            assert_eq!(mailbox(email), expected);
        }
        assert_eq!(employer_domain("ann@gmail.com"), None);
        assert_eq!(employer_domain("ann@gmail.com.example"), Some("gmail.com.example"));
        assert!(SHARED_DOMAINS.iter().all(|domain| domain.contains('.')));
    }
}
