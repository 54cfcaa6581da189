//! Clauses that list what is wanted, or end with a word for "not".

use crate::search::parse::tests::assert_said;

#[test]
fn fields_of_work_that_are_listed_share_a_level() {
    assert_said(&[
        ("heads of finance or legal", "role heads of finance; role heads of legal"),
        (
            "directors of sales, marketing and product in Oslo",
            "role directors of sales; role directors of marketing; role directors of product; place oslo",
        ),
        ("junior designers or recruiters", "role junior designers; role junior recruiters"),
        ("VP sales and marketing", "role vp sales; role vp marketing"),
        ("product or engineering leads", "role product leads; role engineering leads"),
        ("not heads of finance or legal", "-role heads of finance; -role heads of legal"),
        // The controls: a level of its own, an occupation, and a clause of its own.
        ("head of sales or marketing managers", "role head of sales; role marketing managers"),
        ("heads of finance or accountants", "role heads of finance; role accountants"),
        ("VP sales or recruiters", "role vp sales; role recruiters"),
        ("finance, heads of legal", "role finance; role heads of legal"),
        ("heads of finance, legal", "role heads of finance; role legal"),
    ]);
}

#[test]
fn not_at_the_end_of_a_query_is_said_of_what_stands_before_it() {
    assert_said(&[
        ("designers in Oslo, insurance except", "role designers; place oslo; -industry insurance"),
        ("Designer in Oslo, Versicherungen ausgenommen", "role designer; place oslo; -industry insurance"),
        ("Designer, ausgenommen Versicherungen", "role designer; -industry insurance"),
    ]);
}
