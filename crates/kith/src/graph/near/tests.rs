//! Which edges are near, their order and their ranks; and that removing people leaves the same edges as never having
//! had them.
//!
//! Promise: The near edges of a network that people left are those of one that never had them.
//! Control: nothing known of the edges that go: their ranks differ.
//! Also in: `tests/api/suppression/rebuilt.rs`.

use super::*;
use crate::graph::index::{GraphIndex, SnapshotIndex};
use crate::model::csr::Offsets;
use crate::model::edges::Adjacency;
use crate::prepare::without::{Remaining, without};
use crate::sketch::{Net, dataset, net};

/// Edges as text: the rank, the source, the score.
fn lines<'n>(edges: &[NearEdge], name: impl Fn(u32) -> &'n str) -> Vec<String> {
    let score = |edge: &NearEdge| edge.score().score().map_or("?".to_owned(), |score| score.to_string());
    edges.iter().map(|edge| format!("{} {} {}", edge.rank(), name(edge.source), score(edge))).collect()
}

fn bridges(net: &Net, person: &str) -> Vec<String> {
    lines(net.near.row(net.person(person)).bridges, |source| net.name(PersonIx(source)))
}

fn members(net: &Net, person: &str) -> Vec<String> {
    lines(net.near.row(net.person(person)).members, |source| net.member_name(MemberIx(source)))
}

fn advocates(net: &Net, person: &str) -> Vec<String> {
    let advocate = |source| net.name(net.advocacy.person(AdvocateIx(source)));
    lines(net.near.row(net.person(person)).advocates, advocate)
}

#[test]
fn edges_that_start_near_a_member_are_kept_with_their_rank_among_all() {
    let net = net("
        member ann
        advocate zoe of ann
        advocate yan of ann pending
        fay -90-> pat               # nobody near knows fay
        ann -80-> pat               # a member
        cay -10-> gus -70-> pat     # known by cay alone
        ann -10-> bob -60-> pat     # known by a member
        zoe -10-> cay -50-> pat     # known by an accepted advocate
        zoe -40-> pat               # an accepted advocate
        yan -10-> eve -30-> pat     # known by one who has not accepted yet
        yan -20-> pat
    ");
    assert_eq!(bridges(&net, "pat"), ["1 ann 80", "3 bob 60", "4 cay 50", "5 zoe 40"]);
    assert_eq!(members(&net, "pat"), ["1 ann 80"]);
    assert_eq!(advocates(&net, "pat"), ["5 zoe 40"]);
    assert!(bridges(&net, "fay").is_empty());
    assert_eq!(bridges(&net, "gus"), ["0 cay 10"]);
}

#[test]
fn each_list_is_warmest_first_unscored_last_then_by_person() {
    let net = net("
        member bea as 1, ann as 2, cat, dan, eve
        advocate ann of bea
        advocate bea of ann
        eve -?-> pat
        dan -> pat
        cat -0-> pat
        bea -80-> pat
        ann -80-> pat
        fay -100-> pat
    ");
    let expected = ["1 ann 80", "2 bea 80", "3 cat 0", "4 dan ?", "5 eve ?"];
    assert_eq!(bridges(&net, "pat"), expected);
    assert_eq!(members(&net, "pat"), expected);
    assert_eq!(advocates(&net, "pat"), expected[..2]);
}

#[test]
fn a_person_is_a_member_an_accepted_advocate_both_or_neither() {
    let net = net("
        member ann, bea
        advocate bea of ann
        advocate zoe of bea
        advocate yan of bea pending
    ");
    let advocate = |name: &str| {
        net.advocacy.iter().find(|&(_, person)| person == net.person(name)).map(|(advocate, _)| advocate)
    };
    for (name, member, advocate) in [
        ("ann", Some(net.member("ann")), None),
        ("bea", Some(net.member("bea")), advocate("bea")),
        ("zoe", None, advocate("zoe")),
        ("yan", None, None),
    ] {
        let (standing, person) = (Standing { member, advocate }, net.person(name));
        assert_eq!([net.near.standing(person), net.near.row(person).standing], [standing; 2]);
    }
    assert!(advocate("bea").is_some() && advocate("zoe").is_some() && advocate("yan").is_none());
}

#[test]
fn first_degree_is_every_member_and_whom_a_member_knows() {
    let net = net("
        member ann, bea
        advocate zoe of ann
        ann -50-> bob -50-> cay
        zoe -50-> dan -50-> ann
    ");
    let is_first = |name: &&str| net.near.is_first_degree(net.person(name));
    let first: Vec<&str> = ["ann", "bea", "bob", "cay", "dan", "zoe"].into_iter().filter(is_first).collect();
    assert_eq!(first, ["ann", "bea", "bob", "zoe"]);
}

/// People are processed in runs of a thousand and some, then joined.
#[test]
fn rows_are_right_wherever_a_run_of_people_ends() {
    let names: Vec<String> = (0..2_100).map(|number| format!("p{number:04}")).collect();
    let mut text = "member ann\nadvocate p2000 of ann\n".to_owned();
    for (number, name) in names.iter().enumerate() {
        text += &format!("ann -{}-> {name}\n", number % 101);
        text += &if number % 3 == 0 { format!("p2000 -100-> {name}\n") } else { String::new() };
    }
    let net = net(&text);
    for (number, name) in names.iter().enumerate() {
        let is_known = number % 3 == 0 && number != 2_000;
        let expected = format!("{} ann {}", usize::from(is_known && number % 101 < 100), number % 101);
        // At 100 ann comes first, as her id does.
        assert_eq!(members(&net, name), [expected]);
        assert_eq!(bridges(&net, name).len(), 1 + usize::from(is_known));
        assert_eq!(advocates(&net, name).len(), usize::from(is_known));
        assert_eq!(net.near.standing(net.person(name)).advocate.is_some(), number == 2_000);
    }
}

/// Everything that `near` holds.
fn shown(near: &Near) -> String {
    let Near { starts, bridges, members, advocates, standings, briefs, first_degree } = near;
    let first_degree: Vec<usize> = first_degree.ones().collect();
    format!("{starts:?} {bridges:?} {members:?} {advocates:?} {standings:?} {briefs:?} {first_degree:?}")
}

#[test]
fn near_edges_without_some_people_are_those_of_a_network_that_never_had_them() {
    let full = dataset(
        "
        member ann, bea
        advocate zoe of ann
        advocate yan of bea
        fay -90-> pat
        ann -80-> pat
        bea -80-> pat
        ann -10-> bob -60-> pat
        zoe -10-> cay -50-> pat
        zoe -40-> pat
        yan -?-> pat
        yan -30-> dan -20-> pat
        dan -50-> zoe
        bea -70-> ann -70-> bea
    ",
    );
    let (before, people) = (GraphIndex::build(full.clone()), full.people.len() as u32);
    let no_edges = Adjacency { offsets: Offsets(vec![0; full.people.len() + 1]), ..Adjacency::default() };
    let (mut sets, mut differ) = (0, 0);
    for set in 0..1_u32 << people {
        let gone: Vec<u32> = (0..people).filter(|person| set >> person & 1 == 1).collect();
        let expected = GraphIndex::build(without(&full, &gone).dataset);
        let Remaining { dataset, people: left } = without(&before.data, &gone);
        let made = before.without(dataset, &left);
        assert!(made.data == expected.data, "without {gone:?}");
        let wanted = shown(&expected.near);
        assert_eq!(shown(&made.near), wanted, "without {gone:?}");
        // The control: the ranks ignore the edges that go.
        let SnapshotIndex { data, advocacy, .. } = &*made;
        let control = before.near.without(&left, &no_edges, &data.edges, &data.members, advocacy);
        (sets, differ) = (sets + 1, differ + i32::from(shown(&control) != wanted));
    }
    assert!(sets == 512 && differ > sets / 4, "{differ} of {sets}");
}
