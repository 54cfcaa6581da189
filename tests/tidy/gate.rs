//! Requests get networks from the gate alone, which applies the suppression list.

use crate::tree::{self, Tree};
use crate::{Outcome, none};

/// The ways to networks that do not ask the gate.
const WAYS_AROUND: &[&str] = &["LiveNetworks", "Reloader", ".pin()", "without_list"];

/// What files of the `api` room name of those. The operator's listener counts networks and answers no request
/// of an organization, so it is exempt.
fn around_the_gate(product: &Tree) -> Vec<String> {
    let files = product.iter().filter(|(file, _)| file.starts_with("api/") && *file != "api/admin.rs");
    files
        .flat_map(|(file, code)| {
            let ways = WAYS_AROUND.iter().filter(|way| code.contains(**way));
            ways.map(move |way| format!("{file} goes around the gate: {way}"))
        })
        .collect()
}

#[test]
fn requests_get_networks_from_the_gate_alone() -> Outcome {
    none(&around_the_gate(&tree::product(&tree::sources()?)));
    Ok(())
}

#[test]
fn a_request_that_goes_around_the_gate_is_found() {
    let files = [
        ("api/caller.rs", "fn f() { let networks = state.live.pin(); }"),
        ("api/admin.rs", "fn f() { operations.networks.pin() }"),
        ("live/gate.rs", "fn f() { live.pin() }"),
    ];
    assert_eq!(around_the_gate(&tree::tree(&files)), ["api/caller.rs goes around the gate: .pin()"]);
}
