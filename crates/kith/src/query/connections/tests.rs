//! The second-degree window: the edges it skips, where it ends, and how many edges it reads.

use super::*;
use crate::sketch::{Net, net};

const ALL: Page = Page { limit: 50, offset: 0 };

/// The whole window of `ann`, one text per person: `eve 70 over bob`.
fn window(net: &Net, via: Option<&str>, limits: &Limits) -> (Vec<String>, bool, u64) {
    let found = reach(net, net.member("ann"), via.map(|name| net.person(name)), ALL, limits);
    let found = found.expect("whom it is over is a contact");
    let people = found.people.iter().map(|row| {
        let score = row.score.score().map_or("-".to_owned(), |score| score.to_string());
        format!("{} {score} over {}", net.name(row.person), net.name(row.bridge))
    });
    (people.collect(), found.capped, found.edges_read)
}

fn within(bridges: u32, edges_per_bridge: u32, edges_read_per_bridge: u32) -> Limits {
    Limits { bridges, edges_per_bridge, edges_read_per_bridge, ..Limits::DEFAULT }
}

/// Two contacts who know each other and the member better than anybody else.
const FRIENDS: &str = "
    member ann
    ann -90-> bob -99-> cay -98-> bob
    ann -80-> cay
    bob -97-> ann
    bob -60-> eve
    bob -50-> fay
    cay -70-> eve
";

#[test]
fn edges_to_people_known_already_take_no_place_in_the_window() {
    let net = net(FRIENDS);
    let [eve, fay] = ["eve 70 over cay", "fay 50 over bob"];
    for (edges_per_bridge, expected, capped) in
        [(1, &[eve][..], true), (2, &[eve, fay], false), (3, &[eve, fay], false)]
    {
        // With as many bridges as contacts, each lists exactly its share.
        let (people, is_capped, _) = window(&net, None, &within(2, edges_per_bridge, 9));
        assert_eq!((people, is_capped), (owned(expected), capped), "{edges_per_bridge}");
    }
}

#[test]
fn a_bridge_is_read_so_far_and_an_edge_left_unread_is_capped() {
    let net = net(FRIENDS);
    // The edges of bob, warmest first: cay, ann, eve, fay.
    for (edges_read_per_bridge, expected, capped) in [
        (0, &[][..], true),
        (2, &[], true),
        (3, &["eve 60 over bob"], true),
        (4, &["eve 60 over bob", "fay 50 over bob"], false),
    ] {
        let (people, is_capped, read) = window(&net, Some("bob"), &within(0, 9, edges_read_per_bridge));
        assert_eq!((people, is_capped), (owned(expected), capped), "{edges_read_per_bridge}");
        assert_eq!(read, u64::from(edges_read_per_bridge), "{edges_read_per_bridge}");
    }
    // An edge that would be skipped anyway was not read, so it may have been another one: capped.
    let (people, is_capped, _) = window(&net, Some("cay"), &within(0, 9, 1));
    assert_eq!((people, is_capped), (owned(&[]), true));
}

#[test]
fn edges_after_a_full_window_are_read_only_to_know_whether_one_is_left_out() {
    let net = net("
        member ann
        ann -90-> bob -99-> eve
        ann -80-> cay
        bob -70-> ann
        bob -60-> cay
    ");
    assert_eq!(window(&net, Some("bob"), &within(0, 1, 9)), (owned(&["eve 99 over bob"]), false, 3));
    assert_eq!(window(&net, Some("bob"), &within(0, 1, 2)), (owned(&["eve 99 over bob"]), true, 2));
}

#[test]
fn a_request_reads_so_many_edges_of_so_many_bridges_and_no_more() {
    // A crowd in which everybody knows everybody, and 8 people behind it, known coldest by all.
    const CROWD: u32 = 24;
    let mut text = "member ann\n".to_owned();
    for from in 0..CROWD {
        text += &format!("ann -50-> c{from}\n");
        (0..CROWD).filter(|&to| to != from).for_each(|to| text += &format!("c{from} -90-> c{to}\n"));
        (0..8).for_each(|to| text += &format!("c{from} -10-> x{to}\n"));
    }
    let net = net(&text);
    for (limits, people, most) in [
        // The budget of edges: 300, of which each of the crowd may take 30.
        (within(10, 4, 30), 4, 10 * 28),
        // No person is listed, so all edges count: 20 of each, 200.
        (within(10, 4, 20), 0, 10 * 20),
        (within(10, 100, 1_000), 8, 10 * 31),
        (within(200, 100, 1_000), 8, 24 * 31),
    ] {
        let (found, capped, read) = window(&net, None, &limits);
        assert_eq!((found.len(), read), (people, most), "{limits:?}");
        assert!(read <= u64::from(limits.bridges) * u64::from(limits.edges_read_per_bridge), "{limits:?}");
        assert_eq!(capped, limits.bridges < 200, "{limits:?}");
    }
}

#[test]
fn contacts_through_whom_nobody_is_listed_take_no_place_of_others() {
    let net = net("
        member ann
        ann -90-> bob -99-> cay
        ann -80-> cay
        ann -70-> dan -50-> eve
        ann -60-> fay -40-> gus
        ann -50-> hal -30-> ida
    ");
    let (eve, gus, ida) = ("eve 50 over dan", "gus 40 over fay", "ida 30 over hal");
    for (bridges, expected, capped) in [
        (0, &[][..], true),
        (1, &[eve], true),
        (2, &[eve, gus], true),
        // Met exactly: no contact is left.
        (3, &[eve, gus, ida], false),
        (4, &[eve, gus, ida], false),
    ] {
        let (people, is_capped, _) = window(&net, None, &within(bridges, 9, 9));
        assert_eq!((people, is_capped), (owned(expected), capped), "{bridges}");
    }
    // The budget of edges: one each of bob, dan, fay and hal.
    for (edges, expected, capped) in [(1, &[eve][..], true), (2, &[eve, gus, ida], false)] {
        let (people, is_capped, read) = window(&net, None, &within(2, 9, edges));
        let expected = if edges == 1 { expected } else { &expected[..2] };
        assert_eq!((people, is_capped), (owned(expected), capped || edges == 2), "{edges}");
        assert!(read <= u64::from(2 * edges), "{edges}: {read}");
    }
}

#[test]
fn few_contacts_list_more_people_each() {
    let behind = |contact: &str| {
        (0..9).map(|to| format!("{contact} -{}-> {contact}{to}\n", 90 - to)).collect::<String>()
    };
    let text = |contacts: &[&str]| {
        let known: String = contacts.iter().map(|contact| format!("ann -50-> {contact}\n")).collect();
        let behind: String = contacts.iter().map(|contact| behind(contact)).collect();
        format!("member ann\n{known}{behind}")
    };
    for (contacts, each, capped) in
        [(&["b"][..], 8, true), (&["b", "c"], 4, true), (&["b", "c", "d"], 2, true)]
    {
        let net = net(&text(contacts));
        let (people, is_capped, _) = window(&net, None, &within(4, 2, 99));
        assert_eq!((people.len(), is_capped), (each * contacts.len(), capped), "{contacts:?}");
        // Through one contact alone, as many.
        let (people, ..) = window(&net, Some("b"), &within(4, 2, 99));
        assert_eq!(people.len(), each, "{contacts:?}");
    }
    let net = net(&text(&["b"]));
    assert_eq!(window(&net, None, &within(9, 1, 99)).0.len(), 9);
    assert!(!window(&net, None, &within(9, 1, 9)).1);
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}
