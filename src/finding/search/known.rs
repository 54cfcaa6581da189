//! The people whose words a search knows and weighs: only those it may find.
//!
//! The terms of an answer show how a query was read, and its order shows which words are rare. If a word were corrected
//! to, or joined with, a word that only people outside have, the answer would reveal them. Every search can act for any
//! member, so each knows the words of all pools. Companies are no secret: every caller may list them.
//!
//! Promise: How a query is read does not depend on who is outside.
//! Control: a parser that knows everybody's words: all 10 queries are read otherwise.

use fixedbitset::FixedBitSet;

use crate::graph::index::GraphIndex;
use crate::model::column::DictionaryColumn;
use crate::model::ix::PersonIx;

/// The people whom some search may find: contacts of a member or an accepted advocate. Costs a look at each person's
/// near edges.
#[must_use]
pub fn findable(index: &GraphIndex) -> FixedBitSet {
    let people = index.data.people.len();
    let mut found = FixedBitSet::with_capacity(people);
    for person in 0..people {
        let near = index.near.row(PersonIx(person as u32));
        found.set(person, !near.members.is_empty() || !near.advocates.is_empty());
    }
    found
}

/// The texts of `column` used by `people`. Costs a pass over them.
#[must_use]
pub fn texts_of(column: &DictionaryColumn, people: &FixedBitSet) -> FixedBitSet {
    let mut texts = FixedBitSet::with_capacity(column.values.len());
    people.ones().for_each(|person| texts.insert(column.rows[person] as usize));
    texts
}

/// Bytes that `bits` hold on the heap.
#[must_use]
pub fn size_of_bits(bits: &FixedBitSet) -> usize {
    size_of_val(bits.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::search::index::SearchIndex;
    use crate::search::parse::parse;
    use kith::sketch::Net;
    use kith_embed::sketch::net;

    /// The member ann knows bob, who knows cay; ann's advocate dan knows eve; nobody near them knows fay.
    fn around_ann(fay: &str) -> Net {
        net(&format!(
            "
            member ann
            advocate dan of ann
            ann -> bob -> cay
            dan -> eve
            gus -> hal
            bob (name: Bob Quuxwright, position: Flanginator, city: Grompton)
            cay (name: Cay Dahl, position: Chef)
            eve (name: Eve Sprockett, country: Freedonia)
            hal (name: Hal Moss)
            {fay}
        "
        ))
    }

    const FAY: &str =
        "fay (name: Zyxwvut Outlander, position: Kwyjibologist, city: Brobdingnag, country: Ruritania)";

    /// Queries that a word of fay's would change: corrected to one, beside her name or not; joined to her name or
    /// position; read as a place or a name.
    const QUERIES: [&str; 10] = [
        "kwyjibologst",
        "kwyjibologist",
        "zyxwvut outlander",
        "named zyxwvut",
        "people in brobdingnag",
        "brobdingnagg",
        "from ruritanja",
        "outlander",
        "outlandr",
        "zyxwvut outlandre",
    ];

    /// The terms of the queries, from a parser that knows the words of the people `known` returns.
    fn terms(net: &Net, known: fn(&GraphIndex) -> FixedBitSet, queries: &[&str]) -> Vec<Vec<String>> {
        let search = SearchIndex::build_knowing(net, &known(net));
        let terms = |query: &&str| {
            let terms = parse(net, &search, query).terms.into_iter();
            terms.map(|term| format!("{} {}", term.kind.name(), term.text)).collect()
        };
        queries.iter().map(terms).collect()
    }

    /// Counts the queries that are read differently with fay in the tables than without her.
    fn queries_that_differ(known: fn(&GraphIndex) -> FixedBitSet) -> usize {
        let (with, without) = (around_ann(FAY), around_ann(""));
        let both = [&with, &without].map(|net| terms(net, known, &QUERIES));
        both[0].iter().zip(&both[1]).filter(|(with, without)| with != without).count()
    }

    #[test]
    fn how_a_query_is_read_does_not_depend_on_who_is_outside() {
        assert_eq!(queries_that_differ(findable), 0);
    }

    /// The control: a parser that knows everybody's words, as it once did.
    #[test]
    fn a_parser_that_knows_everybody_is_caught() {
        let everybody = |index: &GraphIndex| {
            let mut all = FixedBitSet::with_capacity(index.data.people.len());
            all.insert_range(..);
            all
        };
        assert!(queries_that_differ(everybody) > QUERIES.len() / 2);
    }

    #[test]
    fn those_whom_a_member_or_an_advocate_knows_can_be_found_and_their_words_are_known() {
        let net = around_ann(FAY);
        let found = findable(&net);
        let names: Vec<&str> = found.ones().map(|row| net.data.people.names.get(row as u32)).collect();
        assert_eq!(names, ["Bob Quuxwright", "dan", "Eve Sprockett"]);
        let expected = [
            ("flanginatr", "role flanginator"),
            ("flanginators", "role flanginators"),
            ("bob quuxwright", "name bob quuxwright"),
            ("in grompton", "place grompton"),
            ("named sprockett", "name sprockett"),
            ("in freedonia", "place freedonia"),
        ];
        let queries = expected.map(|(query, _)| query);
        for ((query, expected), terms) in expected.iter().zip(terms(&net, findable, &queries)) {
            assert_eq!(terms, [*expected], "{query}");
        }
    }
}
