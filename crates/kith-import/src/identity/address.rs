//! Which e-mail addresses say who a person is, and which say where they work.

/// What stands before the `@` of an address that belongs to a role and not to a person.
const ROLES: &[&str] = &[
    "abuse",
    "accounting",
    "accounts",
    "admin",
    "administrator",
    "all",
    "ask",
    "bewerbung",
    "billing",
    "booking",
    "bookings",
    "buchhaltung",
    "career",
    "careers",
    "contact",
    "contactus",
    "customerservice",
    "donotreply",
    "einkauf",
    "email",
    "empfang",
    "enquiries",
    "enquiry",
    "events",
    "everyone",
    "feedback",
    "finance",
    "general",
    "hallo",
    "hello",
    "help",
    "helpdesk",
    "hi",
    "hostmaster",
    "hr",
    "info",
    "inquiries",
    "inquiry",
    "invoice",
    "invoices",
    "it",
    "jobs",
    "kontakt",
    "legal",
    "mail",
    "marketing",
    "media",
    "members",
    "news",
    "newsletter",
    "noreply",
    "no-reply",
    "office",
    "orders",
    "partners",
    "partnerships",
    "post",
    "postmaster",
    "pr",
    "presse",
    "press",
    "privacy",
    "reception",
    "recruiting",
    "reservations",
    "root",
    "sales",
    "security",
    "sekretariat",
    "service",
    "services",
    "shop",
    "staff",
    "store",
    "support",
    "team",
    "vertrieb",
    "verwaltung",
    "webmaster",
    "welcome",
    "zentrale",
];

/// Domains in which everybody may have an address: they say nothing of an employer.
const SHARED_DOMAINS: &[&str] = &[
    "126.com",
    "163.com",
    "aol.com",
    "arcor.de",
    "att.net",
    "bluewin.ch",
    "btinternet.com",
    "comcast.net",
    "email.com",
    "fastmail.com",
    "fastmail.fm",
    "free.fr",
    "freenet.de",
    "gmail.com",
    "gmx.at",
    "gmx.ch",
    "gmx.com",
    "gmx.de",
    "gmx.net",
    "googlemail.com",
    "hey.com",
    "hotmail.com",
    "hotmail.co.uk",
    "hotmail.de",
    "hotmail.fr",
    "hotmail.it",
    "icloud.com",
    "laposte.net",
    "libero.it",
    "live.com",
    "live.co.uk",
    "live.de",
    "live.fr",
    "mac.com",
    "mail.com",
    "mail.ru",
    "me.com",
    "msn.com",
    "naver.com",
    "orange.fr",
    "outlook.com",
    "outlook.de",
    "outlook.fr",
    "pm.me",
    "posteo.de",
    "proton.me",
    "protonmail.com",
    "qq.com",
    "rediffmail.com",
    "rocketmail.com",
    "sbcglobal.net",
    "sfr.fr",
    "sky.com",
    "t-online.de",
    "tutanota.com",
    "verizon.net",
    "virgilio.it",
    "wanadoo.fr",
    "web.de",
    "yahoo.ca",
    "yahoo.co.in",
    "yahoo.co.jp",
    "yahoo.co.uk",
    "yahoo.com",
    "yahoo.com.br",
    "yahoo.de",
    "yahoo.es",
    "yahoo.fr",
    "yahoo.it",
    "yandex.com",
    "yandex.ru",
    "ymail.com",
    "zoho.com",
];

/// Whether the address `email` belongs to a role: it joins nobody.
#[must_use]
pub fn is_role(email: &str) -> bool {
    let local = email.split('@').next().unwrap_or("");
    let local = local.split('+').next().unwrap_or("");
    ROLES.contains(&local) || ROLES.contains(&local.replace(['.', '-', '_'], "").as_str())
}

/// The domain of `email` if it is an employer's. `None` if everybody may have an address there.
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
            ["info@a.example", "no-reply@a.example", "no.reply@a.example", "sales+eu@a.example"]
                .iter()
                .all(|role| is_role(role))
        );
        assert!(
            !["ann@a.example", "infor@a.example", "sam.office@a.example"].iter().any(|role| is_role(role))
        );
        assert_eq!(employer_domain("ann@gmail.com"), None);
        assert_eq!(employer_domain("ann@gmail.com.example"), Some("gmail.com.example"));
        assert!(SHARED_DOMAINS.iter().all(|domain| domain.contains('.')));
    }
}
