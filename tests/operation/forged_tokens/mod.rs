//! JWTs: every forged or invalid token is refused, every valid one is let in, and key changes take effect at once.
//!
//! Promise: No forged token is accepted.
//! Control: verifiers with one flaw each.
#![allow(clippy::print_stdout, reason = "each class prints how many tokens it tried")]

mod address;
mod class;
mod classes;
mod control;
mod file;
mod forger;
mod good;
mod library;
mod providers;
mod site;
mod times;

use std::collections::BTreeSet;
use std::time::SystemTime;

use class::Class;
use forger::Forger;
use kith_server::auth::jwt::Issuer;
use site::Site;

use crate::support::scale;

/// The seed of the forger's dice.
const SEED: u64 = 0x6b69_7468;

/// What is wrong with the treatment of one token of `class`. Returns `None` if it is refused as it should be.
async fn fault(site: &Site, issuer: &Issuer, class: &Class, token: &str) -> Option<String> {
    let checked = issuer.check(token, SystemTime::now());
    let is_foreseen = match &checked {
        Ok(_) => class.refused.is_empty(),
        Err(refusal) => class.refused.contains(refusal),
    };
    if !is_foreseen {
        return Some(format!("checked as {checked:?} instead of {:?}", class.refused));
    }
    site.fault_of_answer(token, class.status).await
}

#[tokio::test]
async fn no_forged_token_is_let_in() {
    let forger = Forger::new(SEED);
    let (site, issuer) = (Site::trusting(&forger.jwks()), forger.issuer());
    let classes = classes::all();
    let names: BTreeSet<&str> = classes.iter().map(|class| class.name).collect();
    assert_eq!(names.len(), classes.len(), "each class has a name of its own");
    assert!(classes.len() >= 60, "{} classes", classes.len());

    let wanted = scale::of(2_000, 1_000_000) as usize;
    let each = wanted.div_ceil(classes.len());
    for class in &classes {
        for turn in 0..each {
            let token = forger.forge(class, turn);
            let fault = fault(&site, &issuer, class, &token).await;
            assert_eq!(fault, None, "{}, token {turn}: {}", class.name, &token[..token.len().min(2_000)]);
        }
        println!("{each:>6} tokens, 0 accepted: {}", class.name);
    }
    println!("{} tokens of {} classes, 0 accepted", each * classes.len(), classes.len());
}
