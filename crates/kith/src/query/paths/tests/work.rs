//! The work of one request is bounded: the tests count edges, not time, on networks made to be hard.
//!
//! Promise: The edges that a request for paths reads do not grow with the network, and `capped` is said exactly if a
//!   bound was met.
//! Control: the same requests without bounds.

use super::*;
use crate::graph::edges_read;
use crate::sketch::net;

/// Hubs of `size`: that many contacts of ann know pat, that many advocates of ann know each of cay, dan and eve, and
/// that many people work at acme, all of them contacts of ann.
fn hubs(size: usize) -> Net {
    let mut text = String::from("member ann, bea\n");
    for number in 0..size {
        text += &format!("ann -50-> c{number} -50-> pat\n");
        text += &format!("advocate a{number} of ann\nann -60-> a{number}\na{number} -40-> cay\n");
        text += &format!("a{number} -30-> dan\na{number} -20-> eve\nann -70-> w{number} @ acme\n");
    }
    text += "cay -90-> fay\ndan -90-> fay\neve -90-> fay\n";
    net(&text)
}

/// Counts the edges that a request reads within `limits`; and whether a bound left one out.
fn work(net: &Net, asked: Ask<'_>, limits: Limits) -> (u64, bool) {
    let before = edges_read::so_far();
    let coverage = asked.within(limits).answer(net).coverage;
    (edges_read::so_far() - before, coverage.is_capped())
}

#[test]
fn the_edges_that_a_request_reads_do_not_grow_with_the_network() {
    const MAX: u32 = Limits::MAX;
    let unbounded = Limits {
        company_candidates: MAX,
        edges_per_target: MAX,
        edges_per_connector: MAX,
        ..Limits::DEFAULT
    };
    let (small, large) = (hubs(600), hubs(6_000));
    for asked in [to("pat"), to("fay"), to_anyone_at("acme")] {
        let ((few, few_capped), (many, many_capped)) =
            (work(&small, asked, Limits::DEFAULT), work(&large, asked, Limits::DEFAULT));
        assert!(few_capped && many_capped && few > 0);
        assert!(many <= few + few / 10, "{few} edges, and {many} in a network ten times as large");
        // The control: the same request without bounds.
        let ((few, few_capped), (many, many_capped)) =
            (work(&small, asked, unbounded), work(&large, asked, unbounded));
        assert!(!few_capped && !many_capped);
        assert!(many > 5 * few, "{few} edges, and {many} without bounds");
    }
}

#[test]
fn an_answer_is_capped_exactly_if_a_bound_left_something_out() {
    let hubs = hubs(40);
    for (asked, limits) in [
        (to("pat"), |bound| Limits { edges_per_target: bound, ..WIDE }),
        (to("fay"), |bound| Limits { edges_per_connector: bound, ..WIDE }),
        (to_anyone_at("acme"), |bound| Limits { company_candidates: bound, ..WIDE }),
    ] as [(Ask<'_>, fn(u32) -> Limits); 3]
    {
        let whole = asked.within(WIDE).answer(&hubs).total;
        for (bound, is_cut) in [(1, true), (39, true), (40, false), (41, false)] {
            let answer = asked.within(limits(bound)).answer(&hubs);
            assert_eq!(answer.coverage.is_capped(), is_cut, "{bound}");
            assert_eq!(answer.total < whole, is_cut, "{bound}: {} of {whole}", answer.total);
        }
    }
}
