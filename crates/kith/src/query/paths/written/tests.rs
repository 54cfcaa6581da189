//! Resolving texts to targets.

use super::*;
use crate::sketch::{Net, net};

/// People and firms of every kind that lists contain.
fn known() -> Net {
    net("member ann
        ann -> bob (name: Robert Kestrel, email: bob@acme.example) @ acme
        ann -> cay (name: Cay Lee, linkedinId: cay-lee, position: General Partner) @ globex
        ann -> dan (name: Globex, linkedinId: dan)
        ann -> eve (name: Eve Globex, linkedinId: initech)
        ann -> fay (name: Fay Müller) @ north
        ann -> gil (name: Gil Moeller) @ acme
        ann -> hal (name: Hal Ito) @ acme
        ann -> ian (name: Hal Ito) @ globex
        ann -> joy (name: Dr. Joy Łuka, position: CTO)
        ann -> kim (name: Ewa Kern) @ acme
        ann -> lea (name: Ewa Kern) @ cherry
        ann -> max (name: Yasmin Orr) @ partech
        ann -> nan (name: Hal Ito) @ umber
        ann -> ola (name: Ola Berg-Dahl) @ north
        company acme (name: Acme, domain: acme.example, companyId: acme-inc), globex (name: Globex)
        company umber (name: Umber / Ochre - Energy), initech (name: Initech), north (name: Northwind Trade), kv (name: Kestrel - Ventures)
        company cherry (name: Cherry Ventures), partech (name: partechpartners.example, domain: partechpartners.example)")
}

/// The id of the target found, how it matches, and the doubts.
fn meant(net: &Net, text: &str) -> (Option<String>, &'static str, String) {
    let read = Read::of(net, text);
    let id = read.alike.first().map(|found| match found {
        Target::Person(person) => net.data.people.ids.get(person.0).to_owned(),
        Target::Company(company) => net.data.companies.ids.get(company.0).to_owned(),
    });
    let doubt: Vec<_> = read.doubt.iter().map(|doubt| doubt.name()).collect();
    (id, read.by.map_or("", MatchedBy::name), doubt.join(" "))
}

#[track_caller]
fn check(net: &Net, text: &str, id: &str, by: &str, doubt: &str) {
    let (found, way, doubts) = meant(net, text);
    assert_eq!((found.as_deref().unwrap_or(""), way, &*doubts), (id, by, doubt), "{text}");
}

#[test]
fn a_text_means_whom_its_writer_meant() {
    let net = known();
    for (text, id, by, doubt) in [
        // Ids and addresses, anywhere.
        ("person_bob", "person_bob", "id", ""),
        ("see company_acme", "company_acme", "id", ""),
        ("BOB@acme.example", "person_bob", "email", ""),
        ("Ray Else <bob@acme.example>", "person_bob", "email", ""),
        ("Hal Ito <hal.ito@acme.example>", "person_hal", "equal", ""),
        ("https://www.linkedin.com/in/cay-lee", "person_cay", "handle", ""),
        ("Cay | Globex | de.linkedin.com/in/cay-lee?x", "person_cay", "handle", ""),
        ("https://acme.example/about", "company_acme", "domain", ""),
        ("Acme - www.acme.example", "company_acme", "domain", ""),
        ("Hal Ito, acme.example", "person_hal", "equal", ""),
        // One part.
        ("cay-lee", "person_cay", "handle", ""),
        ("cay lee", "person_cay", "equal", ""),
        ("Lee, Cay", "person_cay", "reordered", ""),
        ("globex", "person_dan", "equal", ""),
        ("acme", "company_acme", "equal", ""),
        ("acme-inc", "company_acme", "handle", ""),
        ("Initech", "company_initech", "equal", ""),
        ("Kestrel - Ventures", "company_kv", "equal", ""),
        ("Northwind", "company_north", "prefix", ""),
        ("Bob Kestrel", "person_bob", "equal", "name"),
        ("Fay Mueller", "person_fay", "equal", "name"),
        ("Gil Möller, PhD", "person_gil", "equal", "name"),
        ("Joy Luka", "person_joy", "prefix", ""),
        ("Prof. Cay Lee, MBA (she/her)", "person_cay", "equal", ""),
        ("Eve Globexx", "person_eve", "fuzzy", ""),
        // In a request.
        ("Intro to Cay Lee at Globex please", "person_cay", "equal", ""),
        ("Could you introduce me to Hal Ito (Globex)?", "person_ian", "equal", ""),
        ("- would love a warm intro to Hal Ito, Acme", "person_hal", "equal", ""),
        ("Who knows Cay Lee?", "person_cay", "equal", ""),
        ("anyone know Acme?", "company_acme", "equal", ""),
        ("wer kennt Cay Lee", "person_cay", "equal", ""),
        ("Looking for Bob Kestrel", "person_bob", "equal", "name"),
        ("Intro to", "", "", ""),
        ("Will Love", "", "", ""),
        // A name, a firm, a role.
        ("Hal Ito (Globex)", "person_ian", "equal", ""),
        ("Globex – Hal Ito", "person_ian", "equal", ""),
        ("Globex: Hal Ito", "person_ian", "equal", ""),
        ("2. Hal Ito, Sales, Acme", "person_hal", "equal", ""),
        ("• Hal Ito · Sales @Globex", "person_ian", "equal", ""),
        ("Hal Ito\tSales\tGlobex", "person_ian", "equal", ""),
        ("Hal Ito bei Globex", "person_ian", "equal", ""),
        ("Fay Mueller / Northwind", "person_fay", "equal", "name"),
        ("Cay Lee, General Partner", "person_cay", "equal", ""),
        ("Cay Lee (Acme)", "person_cay", "equal", "company"),
        ("Bob Kestrel - Unheard Of", "person_bob", "equal", "company name"),
        // A firm under a longer or shorter name or domain.
        ("Yasmin Orr @ Partech", "person_max", "equal", ""),
        ("• Yasmin Orr – General Partner @ Partech", "person_max", "equal", ""),
        ("Ewa Kern https://www.cherry.example/team", "person_lea", "equal", ""),
        ("Ewa Kern <ewa@cherry.example>", "person_lea", "equal", ""),
        ("Ewa Kern (Cherry)", "person_lea", "equal", ""),
        ("Ewa Kern (Unheard Of)", "person_kim", "equal", "company"),
        ("Ew Kern https://cherry.example/x", "person_kim", "prefix", "company"),
        ("Ha It, Globex", "person_ian", "prefix", ""),
        ("Hal Itoo (Initech)", "", "", ""),
    ] {
        check(&net, text, id, by, doubt);
    }
}

#[test]
fn names_that_are_cut_or_beside_other_words_mean_the_same() {
    let net = known();
    for (text, id, by, doubt) in [
        // Parts that are one name, and one part that is a name and a firm.
        ("Ito, Hal (Globex)", "person_ian", "reordered", ""),
        ("\"Lee, Cay\";\"Globex\"", "person_cay", "reordered", ""),
        ("Hal\tIto\tGlobex", "person_ian", "equal", ""),
        ("Lee, Cay (Unheard Of)", "person_cay", "reordered", "company"),
        ("Best, Hal Ito, Sales, Umber / Ochre - Energy", "person_nan", "equal", ""),
        ("hal ito globex", "person_ian", "equal", ""),
        ("Globex Hal Ito", "person_ian", "equal", ""),
        ("Hal Ito of Globex", "person_ian", "equal", ""),
        // Words beside the name, another name of the person, initials.
        ("Partner Hal Ito, Globex", "person_ian", "equal", "name"),
        ("Hal Q. Ito (Globex)", "person_ian", "equal", "name"),
        ("Cay Q. Lee", "person_cay", "equal", "name"),
        ("Ola Berg-Dahl-Lund, Northwind Trade", "person_ola", "equal", "name"),
        ("Ola Dahl (Northwind Trade)", "person_ola", "equal", "name"),
        ("Mr Berg-Dahl, Northwind Trade", "person_ola", "prefix", ""),
        ("Nrothwind Trade: Fay Müller", "person_fay", "equal", ""),
        // A firm beside a role or a note, a company's profile, the label of a home page, a name before an unknown `@`.
        ("CFO at Acme", "company_acme", "equal", ""),
        ("Acme (Series B) - warm intro?", "company_acme", "equal", ""),
        ("https://www.linkedin.com/company/acme-inc/about", "company_acme", "handle", ""),
        ("https://www.northwindtrade.example/team", "company_north", "fuzzy", ""),
        ("hal.ito@acme.example", "person_hal", "equal", "name"),
        ("Cay Lee ✅ done", "person_cay", "equal", ""),
    ] {
        check(&net, text, id, by, doubt);
    }
}

#[test]
fn a_text_of_nobody_means_nobody_else() {
    let net = known();
    for text in [
        "person_bo",
        "company_globe",
        "bob@acme",
        "nobody@else.example",
        "https://www.linkedin.com/in/Cay%20Lee",
        "Cay Lee, linkedin.com/in/cay-other",
        "https://unheard.example",
        "Quux",
        "🚀",
        "Lee, Quux",
        "Quux, Cay (Globex)",
        "Quux Kestrel (Acme)",
        "who knows Quux Ito at Globex?",
        "Ana Quux, Partner @ Acme",
    ] {
        assert_eq!(meant(&net, text), (None, "", String::new()), "{text}");
    }
}

#[test]
fn what_was_read_is_said_in_the_words_of_the_text() {
    let net = known();
    let read = |text: &str| {
        let ReadTarget { name, company, position, domain, .. } = Read::of(&net, text).target;
        [name, company, position, domain].map(Option::unwrap_or_default)
    };
    for (text, expected) in [
        ("Hal Ito, Sales, Acme", ["Hal Ito", "Acme", "Sales", ""]),
        ("Nobody Here – Chief of Nothing, Acme", ["Nobody Here", "Acme", "Chief of Nothing", ""]),
        ("Nobody Here (Unheard)", ["Nobody Here", "Unheard", "", ""]),
        ("Cay Lee, General Partner", ["Cay Lee", "", "General Partner", ""]),
        ("Yasmin Orr – General Partner @ Partech", ["Yasmin Orr", "Partech", "General Partner", ""]),
        ("Acme", ["", "Acme", "", ""]),
        ("Nobody", ["Nobody", "", "", ""]),
        ("Crombie, Alistair", ["Alistair Crombie", "", "", ""]),
        ("Crombie, Alistair (Acme)", ["Alistair Crombie", "Acme", "", ""]),
        ("Partner: Alistair Crombie, Unheard", ["Alistair Crombie", "Unheard", "Partner", ""]),
        ("Hal Ito acme.example", ["Hal Ito", "", "", "acme.example"]),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn all_who_are_alike_follow_the_one_who_is_found() {
    let net = known();
    let count = |text: &str| Read::of(&net, text).alike.len();
    assert_eq!((count("Hal Ito"), count("Hal Ito, Acme"), count("Hal Ito, Nowhere")), (3, 1, 3));
}
