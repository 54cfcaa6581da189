//! Which failures are retried, and which are not.

use kith_server::language_model::failure::DraftFailure;

use crate::language_model::{LONG_MS, ORGANIZATION, legal_draft, model};
use crate::support::stub::{LEGAL, Reply, Stub, http, says};

fn status(status: u16, headers: &str) -> Reply {
    Reply::Bytes(http(status, headers, ""))
}

#[tokio::test]
async fn a_provider_without_room_is_asked_once_more_and_nobody_else_is() {
    for (replies, expected, contacts) in [
        (vec![status(429, ""), says(LEGAL)], Ok(legal_draft()), 2),
        (vec![status(503, ""), says(LEGAL)], Ok(legal_draft()), 2),
        (vec![status(429, "retry-after: 0\r\n"), says(LEGAL)], Ok(legal_draft()), 2),
        (vec![status(503, ""), status(429, ""), says(LEGAL)], Err(DraftFailure::Refused { status: 429 }), 2),
        (
            vec![status(429, "retry-after: 30\r\n"), says(LEGAL)],
            Err(DraftFailure::Refused { status: 429 }),
            1,
        ),
        (vec![status(500, ""), says(LEGAL)], Err(DraftFailure::Refused { status: 500 }), 1),
        (vec![status(529, ""), says(LEGAL)], Err(DraftFailure::Refused { status: 529 }), 1),
        (vec![status(302, ""), says(LEGAL)], Err(DraftFailure::Refused { status: 302 }), 1),
        (vec![Reply::BytesThenClose(Vec::new()), says(LEGAL)], Err(DraftFailure::Unreachable), 1),
    ] {
        let stub = Stub::start(&replies).await;
        let answer = model(stub.address, LONG_MS).parse(ORGANIZATION, "cfos").await;
        assert_eq!((answer, stub.contacts()), (expected, contacts));
    }
}
