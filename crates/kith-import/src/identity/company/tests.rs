//! Which names are the same company, without comparing each with each.
//!
//! Promise: Companies at a domain are joined, and have the domain, as if each were compared with each, which no import
//!   does.
//! Control: comparing each with each.

use super::*;

/// The companies of random rows, settled both ways.
#[test]
fn companies_are_joined_at_a_domain_as_if_each_were_compared_with_each() {
    let mut seed = 11_usize;
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    let words = ["fox", "foxes", "mill", "labs", "a", "é"];
    let (mut joined, mut with_domain) = (0, 0);
    for _ in 0..200 {
        let mut registry = CompanyRegistry::default();
        let mut counts = DomainCounts::new();
        for _ in 0..12 {
            let name: Vec<&str> = (0..=below(3)).map(|_| words[below(words.len())]).collect();
            let number = registry.number(&name.join(" "));
            *counts.entry((format!("{}.example", below(3)).into(), number)).or_default() += 1;
        }
        registry.settle(&[], &counts);
        let keys: Vec<String> =
            registry.spellings.iter().map(|spelling| company_key(&spelling.name)).collect();
        let of_domain = keys_of_domains(&keys, &counts);
        let best = |key: &str| {
            let count = |domain: &&str| of_domain[*domain].get(key).copied().unwrap_or(0);
            of_domain.keys().rev().max_by_key(|domain| count(domain)).copied()
        };
        for (one, short) in keys.iter().enumerate().skip(1) {
            for (other, long) in keys.iter().enumerate().skip(1) {
                if long.starts_with(&format!("{short} ")) && best(short) == best(long) {
                    assert_eq!(registry.groups[one], registry.groups[other], "{short} {long}");
                    joined += 1;
                }
            }
        }
        let domains = domains_of(&of_domain);
        for company in &registry.settled {
            let first = domains.iter().find(|(_, key)| company.keys.iter().any(|own| own == *key));
            assert_eq!(company.domain.as_deref(), first.map(|(domain, _)| *domain), "{company:?}");
            with_domain += usize::from(first.is_some());
        }
    }
    assert!(joined > 100 && with_domain > 30, "{joined} {with_domain}");
}

#[test]
fn a_company_is_one_whatever_its_legal_form_and_case() {
    for (one, other) in [
        ("Fox, Ltd", "FOX LTD."),
        ("Copper Mill, Inc.", "copper mill"),
        ("Kern & Söhne GmbH", "Kern and Söhne GmbH & Co. KG"),
        ("The Lantern Company", "Lantern Co."),
        ("Acme S.A.", "Acme SA"),
        ("Booking.com B.V.", "booking.com"),
        ("Self-employed", "Freelance"),
        ("Kelp (acquired by Fox)", "Kelp"),
        ("Kelp [kelp.example]", "Kelp"),
        // Of the countries, ordered by code.
        ("Kelp FZ-LLC", "Kelp"),
        ("Kelp S.A.U.", "Kelp"),
        ("Kelp GesmbH", "Kelp"),
        ("Kelp Pty. Ltd.", "Kelp"),
        ("Kelp BVBA", "Kelp"),
        ("Келп ЕООД", "Келп"),
        ("Kelp Ltda.", "Kelp"),
        ("Kelp Sagl", "Kelp"),
        ("海带股份有限公司", "海带"),
        ("Kelp s.r.o.", "Kelp"),
        ("Kelp GmbH & Co. KG", "Kelp"),
        ("Kelp UG (haftungsbeschränkt)", "Kelp"),
        ("Kelp A/S", "Kelp"),
        ("Kelp OÜ", "Kelp"),
        ("Kelp S.L.U.", "Kelp"),
        ("Kelp Oyj", "Kelp"),
        ("SARL Kelp", "Kelp"),
        ("Kelp PLC", "Kelp"),
        ("Kelp A.E.", "Kelp AE"),
        ("Kelp d.o.o.", "Kelp"),
        ("Kelp Zrt.", "Kelp"),
        ("PT Kelp Tbk", "Kelp"),
        ("Kelp Private Limited", "Kelp"),
        ("Kelp S.p.A.", "Kelp"),
        ("株式会社ケルプ", "ケルプ"),
        ("(株)ケルプ", "ケルプ"),
        ("주식회사 켈프", "켈프"),
        ("UAB Kelp", "Kelp"),
        ("SIA Kelp", "Kelp"),
        ("Kelp S. de R.L. de C.V.", "Kelp"),
        ("Kelp Sdn. Bhd.", "Kelp"),
        ("Kelp B.V.", "Kelp"),
        ("Kelp ASA", "Kelp"),
        ("Kelp Sp. z o.o.", "Kelp"),
        ("Kelp, Unipessoal Lda.", "Kelp"),
        ("ООО «Келп»", "Келп"),
        ("Kelp AB (publ)", "Kelp"),
        ("Kelp Pte. Ltd.", "Kelp"),
        ("Kelp Ltd. Şti.", "Kelp"),
        ("ТОВ Келп", "Келп"),
        ("Kelp, Inc.", "Kelp"),
    ] {
        assert_eq!(company_key(one), company_key(other), "{one}");
    }
    for (one, other) in [
        ("Citadel", "Citadel Securities"),
        ("Acme", "Acme Labs"),
        ("Co", "Company"),
        ("AB Volvo Trucks", "Volvo"),
        ("Co Design", "Design"),
    ] {
        assert_ne!(company_key(one), company_key(other), "{one}");
    }
    assert_eq!([company_key("-"), company_key("N/A"), company_key("Stealth Mode")], ["", "", ""]);
}
