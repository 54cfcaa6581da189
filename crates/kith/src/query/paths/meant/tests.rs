//! Whom a text means.

use super::*;
use crate::query::paths::target::Target;
use crate::sketch::net;

#[test]
fn a_text_means_an_id_an_address_a_handle_or_the_name_that_it_fits_most_closely() {
    let net = net("member ann
        ann -> bob (name: Bob Acme, email: bob@acme.example)
        ann -> cay (name: Cay Lee, linkedinId: cay-lee)
        ann -> dan (name: Globex, linkedinId: dan)
        ann -> eve (name: Eve Globex, linkedinId: initech)
        company acme (name: Acme), globex (name: Globex), initech (name: Initech), north (name: Northwind Trade)");
    for (who, expected) in [
        ("person_bob", Some("person_bob")),
        ("company_acme", Some("company_acme")),
        // An id of nobody means nobody, whatever else it is like.
        ("person_bo", None),
        ("company_globe", None),
        ("BOB@acme.example", Some("person_bob")),
        ("bob@acme", None),
        ("cay-lee", Some("person_cay")),
        ("https://www.linkedin.com/in/cay-lee", Some("person_cay")),
        ("https://www.linkedin.com/in/Cay%20Lee", None),
        ("cay lee", Some("person_cay")),
        ("Lee, Cay", Some("person_cay")),
        // A company that is called just this comes before a person whose name has it among its words,
        ("acme", Some("company_acme")),
        // a person who is called just this before a company that is too,
        ("globex", Some("person_dan")),
        // and a handle before both.
        ("Initech", Some("person_eve")),
        ("Northwind", Some("company_north")),
        ("Eve Globexx", Some("person_eve")),
        ("Quux", None),
    ] {
        let found = meant(&net, who).and_then(|query| find_target(&net, query)).map(|(_, target)| target);
        let id = found.map(|target| match target {
            Target::Person(person) => net.data.people.ids.get(person.0),
            Target::Company(company) => net.data.companies.ids.get(company.0),
        });
        assert_eq!(id, expected, "{who}");
    }
}
