//! The built-in parser's reading of the queries, field by field.

use kith_server::search::conditions::TermKind;
use kith_server::search::parse::parse;

use crate::judged::case::{cases, folder_of};
use crate::judged::fields::{Said, Understood};
use crate::judged::set::{Field, Half, Judged};
use crate::support::network_of;

/// The correctly understood parts of one half: exactly, and by kind, negation and past.
#[derive(Clone, Copy, Default)]
struct Measured {
    whole: Understood,
    kinds: Understood,
    networks: (usize, usize),
}

impl Measured {
    fn count(&mut self, query: &Judged, read: &kith_server::search::conditions::Draft) {
        self.whole.count(&query.fields, &read.terms);
        let kind = |field: &Field| Said::new(field.kind().unwrap(), "", field.negated, field.past);
        let read_kinds = read.terms.iter().map(|term| Said::new(term.kind, "", term.negated, term.past));
        self.kinds.count(query.fields.iter().map(kind), read_kinds);
        let mut named: Vec<&str> = read.networks.iter().map(|network| network.name()).collect();
        let mut expected: Vec<&str> = query.networks.iter().map(String::as_str).collect();
        named.sort_unstable();
        expected.sort_unstable();
        self.networks.0 += usize::from(named == expected);
        self.networks.1 += 1;
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is what this is run for")]
fn the_parser_understands_most_of_what_queries_say() {
    let mut halves = [Measured::default(); 2];
    for case in cases() {
        let network = network_of(&case.folder);
        for query in &case.queries {
            let read = parse(&network.index, &network.search, &query.query);
            halves[usize::from(query.half == Half::HeldOut)].count(query, &read);
        }
    }
    println!("| half | terms: precision | recall | kinds: precision | recall | networks right |");
    for (half, measured) in Half::BOTH.into_iter().zip(halves) {
        let Measured { whole, kinds, networks: (right, all) } = measured;
        println!(
            "| {} | {:.3} | {:.3} | {:.3} | {:.3} | {right} of {all} |",
            half.name(),
            whole.precision(),
            whole.recall(),
            kinds.precision(),
            kinds.recall()
        );
        assert!(whole.recall() > 0.5 && kinds.recall() > 0.7, "{}", half.name());
        assert!(right * 10 >= all * 9, "{}: {right} of {all}", half.name());
    }
}

#[test]
fn a_size_said_of_companies_is_read_also_behind_them_and_negated() {
    let network = network_of(&folder_of("harbourlight").unwrap());
    for (query, expected) in [
        ("CTOs at companies that are not tiny", Some(("tiny", true))),
        ("firms which are very big, in Poland", Some(("very big", false))),
        ("tiny firms", Some(("tiny", false))),
        ("companies in small towns", None),
        ("firms that make small parts", None),
        ("people that are not tiny", None),
    ] {
        let read = parse(&network.index, &network.search, query);
        let size = read.terms.iter().find(|term| term.kind == TermKind::Size);
        assert_eq!(size.map(|term| (term.text.as_str(), term.negated)), expected, "{query}");
    }
}

#[test]
fn those_behind_any_but_are_not_wanted() {
    let network = network_of(&folder_of("harbourlight").unwrap());
    for query in [
        "directors from any sector but banking",
        "CTOs in any country but Poland",
        "lawyers, anyone bar interns",
    ] {
        let read = parse(&network.index, &network.search, query);
        assert!(read.terms.last().is_some_and(|term| term.negated), "{query}: {:?}", read.terms);
    }
}
