//! Resolving targets: by id, by e-mail address, by a name at a company; and the employees whose position fits.

use super::*;
use crate::query::paths::target::{MatchedBy, find_all_alike};
use crate::sketch::net;

/// The name of the person or company that `target` resolves to.
fn meant<'a>(net: &'a Net, target: TargetQuery<'_>) -> Option<&'a str> {
    match ask(target).answer(net).target? {
        Target::Person(person) => Some(net.name(person)),
        Target::Company(company) => Some(net.data.companies.ids.get(company.0)),
    }
}

#[test]
fn an_id_means_the_person_or_the_company_that_has_it_to_the_byte() {
    let net = net("
        member ann
        ann -50-> bob @ acme
    ");
    for (target, expected) in [
        (TargetQuery::PersonId("person_bob"), Some("bob")),
        (TargetQuery::PersonId("person_BOB"), None),
        (TargetQuery::PersonId("person_bob "), None),
        (TargetQuery::PersonId("company_acme"), None),
        (TargetQuery::CompanyId("company_acme"), Some("company_acme")),
        (TargetQuery::CompanyId("person_bob"), None),
    ] {
        assert_eq!(meant(&net, target), expected, "{target:?}");
    }
    assert_eq!(ask(TargetQuery::CompanyId("company_acme")).paths(&net), ["ann > bob [direct] 50"]);
}

#[test]
fn an_address_means_who_has_it_in_any_case_and_the_best_connected_of_several() {
    let net = net("
        member ann
        ann -50-> bob -1-> dan
        bob (email: Team@Acme.test)
        cay (email: team@acme.test)
        dan (email: dan@acme.test)
    ");
    for (email, expected) in [
        ("TEAM@acme.TEST", Some("bob")),
        (" dan@acme.test\t", Some("dan")),
        ("dan@acme.tes", None),
        ("d an@acme.test", None),
    ] {
        assert_eq!(meant(&net, TargetQuery::Email(email)), expected, "{email}");
    }
}

#[test]
fn a_name_at_a_company_is_looked_up_among_its_employees_alone() {
    let net = net("
        member ann
        ann -50-> bob -1-> dan
        bob (name: Ana Li)
        cay @ acme
        cay (name: Anabel Lin)
        dan @ labs
        dan (name: Li Ana)
        company acme (name: Acme)
        company labs (name: Acme Labs)
    ");
    for (name, company, expected) in [
        ("ana li", "Acme", Some("cay")),
        ("ana li", "acme labs", Some("dan")),
        ("ana li", "labs", Some("dan")),
        ("anabel", "acme labs", None),
        ("ana li", "nowhere", None),
    ] {
        assert_eq!(meant(&net, TargetQuery::NameAt { name, company }), expected, "{name} at {company}");
    }
    assert_eq!(meant(&net, TargetQuery::Name("ana li")), Some("bob"));
}

#[test]
fn a_domain_means_the_company_that_has_it_after_an_equal_name_or_handle_and_before_similar_names() {
    let net = net("
        ann @ acme
        bob @ tied
        cay @ tied
        company acme (name: Acme, domain: https://www.Acme.test/about)
        company hand (name: Handle, companyId: own.test)
        company like (name: Acme Test, domain: acme)
        company name (name: Exact.test)
        company none (name: Nothing, domain: ann@acme.test)
        company tied (name: Tied, domain: own.test)
        company ties (name: Ties, domain: EXACT.test.)
        company two (name: Two, domain: acme.test)
    ");
    for (name, expected) in [
        ("ACME.test", Some("company_acme")),
        ("http://acme.test:80/x", Some("company_acme")),
        ("own.test", Some("company_hand")),
        ("www.own.test", Some("company_tied")),
        ("exact.test", Some("company_name")),
        ("www.exact.test", Some("company_ties")),
        ("test acme", Some("company_like")),
        ("acme", Some("company_acme")),
        ("ann@acme.test", None),
        ("nobody.test", None),
    ] {
        assert_eq!(meant(&net, TargetQuery::Company(name)), expected, "{name}");
    }
    let by = find_target(&net, TargetQuery::Company("acme.test")).map(|(by, _)| by);
    assert_eq!(by, Some(MatchedBy::Domain));
    let alike = find_all_alike(&net, TargetQuery::Company("acme.test"), MatchedBy::Domain);
    assert_eq!(alike, ["acme", "two"].map(|name| Target::Company(net.company(name))));
    assert_eq!(meant(&net, TargetQuery::NameAt { name: "ann", company: "acme.test" }), Some("ann"));
}

#[test]
fn a_position_narrows_the_employees_before_anything_is_counted() {
    let net = net("
        member ann
        ann -90-> bob @ acme
        ann -80-> cay @ acme
        ann -70-> dan @ acme
        ann -60-> eve @ acme
        bob (position: Head of Finance)
        cay (position: Ingénieur)
        dan (position: FINANCE  head)
        intro to dan by ann
    ");
    let [bob, dan] = ["ann > bob [direct] 90", "ann > dan [direct] 70"];
    for (position, include, most, paths, counts) in [
        ("finance", false, 9, &[bob][..], (1, 1, false)),
        ("Finance", true, 9, &[bob, dan], (2, 0, false)),
        ("finance", true, 1, &[bob], (1, 0, true)),
        ("finance head", true, 1, &[dan], (1, 0, false)),
        ("INGENIEUR", false, 1, &["ann > cay [direct] 80"], (1, 0, false)),
        ("sales", false, 9, &[], (0, 0, false)),
    ] {
        let asked = Ask { include_intro_requested: include, ..to_anyone_at("acme") };
        let asked = asked.position(position).within(Limits { company_candidates: most, ..WIDE });
        let coverage = asked.answer(&net).coverage;
        let counted = (coverage.candidates, coverage.excluded_intro_requested, coverage.candidates_capped);
        assert_eq!((asked.paths(&net), counted), (owned(paths), counts), "{position} {include} {most}");
    }
}
