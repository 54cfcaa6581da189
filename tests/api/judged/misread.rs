//! How many queries are misread: what the built-in parser makes of them is of other kinds, polarity or time than what
//! the row says.
//!
//! A query is misread if something it says is in no condition of a kind that can stand for it, wanted or not and now
//! or once as the row has it, or if there is a condition for which it says nothing. A level counts as work, and a topic,
//! which is compared by sense with all that people have, may stand for work or a line of business. Whose network is
//! meant is said by the networks, the view or those who know.

use std::collections::{BTreeMap, BTreeSet};

use kith::search::conditions::{Draft, Term, TermKind};
use kith::search::parse::parse;

use crate::judged::case::{Case, cases};
use crate::judged::set::{Expected, Field, Half, Judged};
use crate::support::network_of;

/// The most queries of a half that may be misread, as a share.
const MISREAD_MAX: [f64; 2] = [0.06, 0.12];

/// What something said is about, as far as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Family {
    Work,
    Line,
    Company,
    Place,
    Name,
    Size,
    Ties,
    Anything,
}

/// Something said: what it is about, whether it is not wanted, and whether it was so once.
type Reading = (Family, bool, bool);

fn family(kind: &str) -> Family {
    match kind {
        "role" | "seniority" => Family::Work,
        "industry" => Family::Line,
        "company" => Family::Company,
        "place" => Family::Place,
        "name" => Family::Name,
        "size" => Family::Size,
        "order" | "relation" | "connections" => Family::Ties,
        _ => Family::Anything,
    }
}

/// What the row says. Who knows them counts once; that it is the caller's own or a named network is in `networks`.
fn stated(query: &Judged) -> BTreeSet<Reading> {
    let of = |field: &Field| (family(&field.kind), field.negated, field.past);
    let ties = |field: &Field| family(&field.kind) == Family::Ties;
    let other = query.other.iter().filter(|field| !ties(field) || query.networks.is_empty());
    let not_asked = |field: &Field| ties(field) && field.text.contains("asked");
    let other = other.map(|field| if not_asked(field) { (Family::Ties, false, false) } else { of(field) });
    query.fields.iter().map(of).chain(other).collect()
}

/// What was read; a name that is the other reading of words is left out.
fn read(query: &Judged, draft: &Draft) -> BTreeSet<Reading> {
    let is_second = |term: &Term| {
        let same = |other: &&Term| other.text == term.text && other.kind != TermKind::Name;
        term.kind == TermKind::Name && draft.terms.iter().any(|other| same(&other))
    };
    let of = |term: &Term| {
        let family = family(term.kind.name());
        (family, term.negated && family != Family::Ties, term.past)
    };
    let mut read: BTreeSet<Reading> = draft.terms.iter().filter(|term| !is_second(term)).map(of).collect();
    let is_whose = draft.view.is_some() || draft.known_by.is_some() || !draft.networks.is_empty();
    if is_whose && query.networks.is_empty() {
        read.insert((Family::Ties, false, false));
    }
    read
}

/// Whether one stands for the other.
fn stands_for(one: &Reading, other: &Reading) -> bool {
    let may =
        |one, other| one == other || one == Family::Anything && matches!(other, Family::Work | Family::Line);
    (may(one.0, other.0) || may(other.0, one.0)) && (one.1, one.2) == (other.1, other.2)
}

fn is_misread(query: &Judged, draft: &Draft) -> bool {
    let (stated, read) = (stated(query), read(query, draft));
    let covers = |of: &BTreeSet<Reading>, by: &BTreeSet<Reading>| {
        of.iter().all(|one| by.iter().any(|other| stands_for(one, other)))
    };
    !covers(&stated, &read) || !covers(&read, &stated)
}

/// Reads a query.
type Reader = fn(&Draft) -> Draft;

/// By class and half, how many queries are misread, of how many.
fn misread(cases: &[Case], reader: Reader) -> BTreeMap<(String, usize), (usize, usize)> {
    let mut counts: BTreeMap<(String, usize), (usize, usize)> = BTreeMap::new();
    for case in cases {
        let network = network_of(&case.folder);
        let said = case.queries.iter().chain(&case.more);
        for query in said.filter(|query| query.expect != Some(Expected::Nobody)) {
            let draft = reader(&parse(&network.index, &network.search, &query.query));
            let half = usize::from(query.half == Half::HeldOut);
            let count = counts.entry((query.class.clone(), half)).or_default();
            count.0 += usize::from(is_misread(query, &draft));
            count.1 += 1;
        }
    }
    counts
}

/// The share of a half that is misread.
fn share(counts: &BTreeMap<(String, usize), (usize, usize)>, half: usize) -> f64 {
    let of_half = || counts.iter().filter(move |((_, of), _)| *of == half).map(|(_, count)| count);
    let (misread, all): (usize, usize) = (of_half().map(|it| it.0).sum(), of_half().map(|it| it.1).sum());
    misread as f64 / all.max(1) as f64
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is what this is run for")]
fn few_queries_are_misread_and_a_parser_without_polarity_or_time_is_caught() {
    let cases = cases();
    let counts = misread(&cases, Draft::clone);
    println!("| class | tune: misread | held_out: misread |");
    let classes: BTreeSet<&String> = counts.keys().map(|(class, _)| class).collect();
    for class in classes {
        let of = |half| counts.get(&(class.clone(), half)).copied().unwrap_or_default();
        let ((tune, of_tune), (held, of_held)) = (of(0), of(1));
        println!("| {class} | {tune} of {of_tune} | {held} of {of_held} |");
    }
    for half in [0, 1] {
        let is = share(&counts, half);
        println!("| {} | {is:.3} |", Half::BOTH[half].name());
        assert!(is <= MISREAD_MAX[half], "{}: {is}", Half::BOTH[half].name());
    }
    // The control: the same parser without what it says of "not" and "once".
    let blind = misread(&cases, |draft| {
        let mut draft = draft.clone();
        draft.terms.iter_mut().for_each(|term| (term.negated, term.past) = (false, false));
        draft
    });
    assert!([0, 1].into_iter().all(|half| share(&blind, half) > MISREAD_MAX[half]), "{blind:?}");
}
