//! The language-model provider, played by a stub on loopback: the answer is always a legal draft or a named failure
//! within the deadline, and the provider receives only the query.

mod breaking;
mod caching;
mod egress;
mod faults;
mod hostile;
mod retrying;
mod sharing;
mod tls;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kith_server::clock::Clock;
use kith_server::language_model::LanguageModel;
use kith_server::search::conditions::{Draft, NetworkKind, Term, TermKind};

use crate::support::stub::{LONG_MS, model, settings};

/// A deadline for what never ends.
const SHORT_MS: u64 = 300;

const ORGANIZATION: &str = "org_XORGANIZATIONX";

/// A clock that stands still until it is set forward.
#[derive(Clone)]
struct SetClock(Arc<Mutex<Instant>>);

impl SetClock {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    fn forward(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }

    fn clock(&self) -> Clock {
        let now = Arc::clone(&self.0);
        Arc::new(move || *now.lock().unwrap())
    }
}

fn model_with_clock(address: SocketAddr, clock: &SetClock) -> LanguageModel {
    LanguageModel::with_clock(Some(&settings(address, LONG_MS)), clock.clock()).unwrap()
}

/// The draft of [`stub::LEGAL`].
fn legal_draft() -> Draft {
    let term = Term { kind: TermKind::Role, text: "head of finance".into(), negated: false, past: false };
    Draft { terms: vec![term], networks: vec![NetworkKind::Advocate], ..Draft::default() }
}
