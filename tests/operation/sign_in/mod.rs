//! The log-in at an identity provider, played by a stub on loopback; a test changes one of its answers at a time.
//!
//! Promise: Nobody signs in but by an ID token of the provider, for this client, asked for by this browser, of now.
//! Control: the same answers of the provider, unchanged, sign in; each trial changes one of them.
//! Also in: `src/callers/auth/sign_in.rs`, `.ci/sign-in-check`.

mod provider;

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use kith_server::auth::sign_in::error::SignInError;
use kith_server::auth::sign_in::settings::{NamedProvider, SignInSettings};
use kith_server::auth::sign_in::{Returned, SignIn};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::sign_in::provider::{CLIENT, PAGE, SECRET, Trial, back, query_of, sealer};
use crate::support::issuer::{ORGANIZATION, Signer, USER, base64, seconds};

#[tokio::test]
async fn a_log_in_goes_to_the_provider_and_back_with_all_that_the_standards_ask_for() {
    let trial = Trial::new().await;
    let begun = trial.begin().await;
    let asked = query_of(&begun.address);
    assert!(
        begun.address.starts_with(&format!("{}/authorize?theme=dark&", trial.issuer)),
        "{}",
        begun.address
    );
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", CLIENT),
        ("redirect_uri", PAGE),
        ("scope", "openid email"),
        ("code_challenge_method", "S256"),
        ("theme", "dark"),
    ] {
        assert_eq!(asked[name], value);
    }
    trial.gives(&trial.claims(&begun));
    let signed_in = trial.finish(&back(&begun)).await.unwrap();
    assert_eq!(signed_in.issuer, trial.issuer);
    assert_eq!((&*signed_in.bearer.user, &*signed_in.bearer.org), (USER, ORGANIZATION));
    assert!(signed_in.bearer.scopes.has_read() && signed_in.bearer.scopes.has_write());
    let sent = trial.script.lock().unwrap().sent.clone();
    let [(authorization, body)] = &sent[..] else { panic!("{sent:?}") };
    // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
    let basic = data_encoding::BASE64.encode(b"kith+client:s%26cret");
    assert_eq!(authorization, &format!("Basic {basic}"));
    let form: HashMap<String, String> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    assert_eq!((&*form["grant_type"], &*form["code"]), ("authorization_code", "c0de"));
    assert_eq!(form["redirect_uri"], PAGE);
    assert_eq!(base64(&Sha256::digest(&form["code_verifier"])), asked["code_challenge"]);
    assert!(!body.contains("cret") && !begun.address.contains(&form["code_verifier"]));
    let leave = trial.sign_in.leaving_address(PAGE).await.unwrap();
    assert_eq!(query_of(&leave)["post_logout_redirect_uri"], PAGE);
}

#[tokio::test]
async fn no_claim_of_the_id_token_may_be_another_one() {
    let trial = Trial::new().await;
    assert!(trial.outcome(|_| {}).await.is_ok(), "the control");
    assert!(trial.outcome(|claims| claims["aud"] = json!([CLIENT])).await.is_ok(), "the control");
    let several = json!([CLIENT, "other"]);
    let party = |party: Value| {
        let several = several.clone();
        move |claims: &mut Value| (claims["aud"], claims["azp"]) = (several, party)
    };
    assert!(trial.outcome(party(CLIENT.into())).await.is_ok(), "the control");
    let now = seconds(SystemTime::now());
    type Change = Box<dyn FnOnce(&mut Value)>;
    let set = |name: &'static str, value: Value| -> (String, Change) {
        (format!("{name}: {value}"), Box::new(move |claims| claims[name] = value))
    };
    let without = |name: &'static str| -> (String, Change) {
        (format!("no {name}"), Box::new(move |claims| drop(claims.as_object_mut().unwrap().remove(name))))
    };
    let changes = [
        set("nonce", "another".into()),
        without("nonce"),
        set("iss", "https://other.example".into()),
        set("iss", format!("{}/", trial.issuer).into()),
        without("iss"),
        set("aud", "other".into()),
        set("aud", several.clone()),
        without("aud"),
        ("another party".to_owned(), Box::new(party("other".into()))),
        set("azp", "other".into()),
        set("exp", (now - 60).into()),
        without("exp"),
        set("iat", (now + 600).into()),
        set("nbf", (now + 600).into()),
        without("sub"),
        set("sub", "".into()),
        set("org", "acme".into()),
    ];
    for (what, change) in changes {
        assert!(trial.outcome(change).await.is_err_and(|said| said.contains("ID token")), "{what}");
    }
}

#[tokio::test]
async fn scopes_are_the_operators_and_an_address_counts_if_it_was_verified() {
    let trial = Trial::new().await;
    let lesser = trial.outcome(|claims| claims["scope"] = "openid".into()).await.unwrap();
    assert!(lesser.bearer.scopes.has_read(), "what a token says of scopes is not read");
    for (verified, trusts) in [(json!(true), true), (json!(false), false), (json!("true"), false)] {
        let it = trial.outcome(|claims| claims["email_verified"] = verified).await.unwrap();
        assert_eq!(it.bearer.trusts_address, trusts);
    }
}

#[tokio::test]
async fn only_the_providers_key_signs_and_one_that_it_publishes_later_too() {
    let trial = Trial::new().await;
    let (stranger, begun) = (Signer::p256("a"), trial.begin().await);
    let claims = trial.claims(&begun);
    let (header, payload) = (json!({ "alg": "ES256", "kid": "a" }).to_string(), claims.to_string());
    let unsigned = format!("{}.{}.", base64(br#"{"alg":"none"}"#), base64(payload.as_bytes()));
    for token in
        [stranger.signed(header.as_bytes(), payload.as_bytes()), unsigned, "x".to_owned(), String::new()]
    {
        trial.gives_token(&token);
        assert!(trial.finish(&back(&begun)).await.is_err(), "{token}");
    }
    trial.gives(&claims);
    assert!(trial.finish(&back(&begun)).await.is_ok(), "the control");
}

#[tokio::test]
async fn what_comes_back_has_to_have_begun_in_this_browser_not_long_ago() {
    let trial = Trial::new().await;
    let (begun, other) = (trial.begin().await, trial.begin().await);
    trial.gives(&trial.claims(&begun));
    let mixed = |state: &str, sealed: &str| Returned {
        state: state.to_owned(),
        sealed: sealed.to_owned(),
        ..back(&begun)
    };
    let state = query_of(&begun.address)["state"].clone();
    for returned in [
        mixed(&query_of(&other.address)["state"], &begun.sealed),
        mixed(&state, &other.sealed),
        mixed("", &begun.sealed),
        mixed(&state, ""),
        mixed(&state, &begun.sealed.to_lowercase()),
    ] {
        let refused = trial.finish(&returned).await;
        assert!(matches!(refused, Err(SignInError::NotBegunHere)), "{refused:?}");
    }
    let late = SystemTime::now() + Duration::from_secs(600);
    assert!(matches!(trial.sign_in.finish(&back(&begun), late).await, Err(SignInError::NotBegunHere)));
    // The code of another user's log-in, put into this browser: its token has another nonce.
    trial.gives(&trial.claims(&other));
    assert!(trial.finish(&back(&begun)).await.is_err());
    assert_eq!(trial.script.lock().unwrap().sent.len(), 1, "the others did not get as far as the provider");
    trial.gives(&trial.claims(&begun));
    assert!(trial.finish(&back(&begun)).await.is_ok(), "the control");
}

#[tokio::test]
async fn an_answer_of_another_provider_is_none() {
    for (says_who, iss, is_good) in [
        (false, None, true),
        (false, Some("own"), true),
        (false, Some("https://other.example"), false),
        (true, None, false),
        (true, Some("own"), true),
        (true, Some("https://other.example"), false),
    ] {
        let trial = Trial::new().await;
        let name = "authorization_response_iss_parameter_supported";
        trial.script.lock().unwrap().description[name] = says_who.into();
        let begun = trial.begin().await;
        trial.gives(&trial.claims(&begun));
        let iss = iss.map(|iss| if iss == "own" { trial.issuer.clone() } else { iss.to_owned() });
        let outcome = trial.finish(&Returned { iss: iss.clone(), ..back(&begun) }).await;
        assert_eq!(outcome.is_ok(), is_good, "{says_who} {iss:?} {outcome:?}");
    }
}

#[tokio::test]
async fn a_provider_that_refuses_or_answers_something_else_signs_nobody_in() {
    let trial = Trial::new().await;
    let begun = trial.begin().await;
    for (status, body, said) in [
        (400, r#"{"error":"invalid_grant"}"#, "refused: invalid_grant"),
        (401, r#"{"error":"invalid_client"}"#, "refused: invalid_client"),
        (400, r#"{"error":"<b>made up</b>"}"#, "status 400"),
        (500, "", "status 500"),
        (302, "", "status 302"),
        (200, "", "usable id_token"),
        (200, r#"{"access_token":"x"}"#, "usable id_token"),
        (200, r#"{"id_token":7}"#, "usable id_token"),
    ] {
        trial.script.lock().unwrap().token = (status, body.to_owned());
        let error = trial.finish(&back(&begun)).await.unwrap_err().to_string();
        assert!(error.contains(said), "{body}: {error}");
    }
    trial.script.lock().unwrap().token = (200, " ".repeat(65 << 10));
    assert!(trial.finish(&back(&begun)).await.unwrap_err().to_string().contains("token endpoint"));
}

#[tokio::test]
async fn a_description_of_another_issuer_or_with_addresses_that_can_be_read_on_the_way_is_none() {
    for (name, value) in [
        ("issuer", json!("https://other.example")),
        ("issuer", json!(null)),
        ("authorization_endpoint", json!("http://idp.example/authorize")),
        ("authorization_endpoint", json!("javascript:alert(1)")),
        ("token_endpoint", json!("http://idp.example/token")),
        ("jwks_uri", json!("file:///etc/passwd")),
    ] {
        let trial = Trial::new().await;
        trial.script.lock().unwrap().description[name] = value.clone();
        let refused = trial.sign_in.begin(PAGE, SystemTime::now()).await;
        assert!(refused.is_err_and(|error| error.to_string().contains("usable")), "{name} {value}");
    }
}

#[tokio::test]
async fn if_groups_are_named_one_of_them_has_to_be_the_users() {
    let trial = Trial::with(&["sales".to_owned(), "kith users".to_owned()], SECRET).await;
    for (groups, is_in) in [
        (json!(["kith users"]), true),
        (json!("sales"), true),
        (json!(["a", "sales", "b"]), true),
        (json!(["Sales"]), false),
        (json!([]), false),
        (json!(null), false),
        (json!("kith"), false),
        (json!([["sales"]]), false),
    ] {
        let outcome = trial.outcome(|claims| claims["groups"] = groups.clone()).await;
        assert_eq!(outcome.is_ok(), is_in, "{groups} {outcome:?}");
    }
}

#[tokio::test]
async fn what_the_id_token_leaves_out_is_asked_for_and_has_to_be_of_the_same_user() {
    for (info, is_in) in [
        (json!({ "sub": USER, "groups": ["sales"] }), true),
        (json!({ "sub": "user_ana", "groups": ["sales"] }), false),
        (json!({ "groups": ["sales"] }), false),
        (json!({ "sub": USER }), false),
        (json!([]), false),
    ] {
        let trial = Trial::with(&["sales".to_owned()], SECRET).await;
        trial.script.lock().unwrap().user_info = info.clone();
        let endpoint = format!("{}/user", trial.issuer);
        trial.script.lock().unwrap().description["userinfo_endpoint"] = endpoint.into();
        let outcome = trial.outcome(|_| {}).await;
        assert_eq!(outcome.is_ok(), is_in, "{info} {outcome:?}");
        // The claims of the token stay.
        let says = trial.outcome(|claims| claims["groups"] = json!(["other"])).await;
        assert!(says.is_err(), "{info}");
    }
}

#[tokio::test]
async fn a_secret_goes_where_the_provider_takes_it_and_a_public_client_has_none() {
    for (secret, methods, in_header, in_body) in [
        (SECRET, json!(null), true, false),
        (SECRET, json!(["client_secret_post"]), false, true),
        (SECRET, json!(["client_secret_post", "client_secret_basic"]), true, false),
        ("", json!(["none"]), false, false),
    ] {
        let trial = Trial::with(&[], secret).await;
        trial.script.lock().unwrap().description["token_endpoint_auth_methods_supported"] = methods;
        let begun = trial.begin().await;
        trial.gives(&trial.claims(&begun));
        trial.finish(&back(&begun)).await.unwrap();
        let (authorization, body) = trial.script.lock().unwrap().sent[0].clone();
        assert_eq!((!authorization.is_empty(), body.contains("client_secret=")), (in_header, in_body));
        assert_eq!(body.contains("client_id="), !in_header);
    }
}

#[tokio::test]
async fn another_replica_of_the_store_ends_what_one_began() {
    let trial = Trial::new().await;
    let begun = trial.begin().await;
    trial.gives(&trial.claims(&begun));
    let named = NamedProvider {
        issuer: &trial.issuer,
        client_id: CLIENT,
        organization: ORGANIZATION,
        ..NamedProvider::default()
    };
    let replica = |folder: &TempDir| {
        let settings = SignInSettings::new(&named).unwrap().unwrap();
        SignIn::new(settings, sealer(folder)).unwrap()
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let (replica, other) = (replica(&trial.store), replica(&elsewhere));
    assert!(other.finish(&back(&begun), SystemTime::now()).await.is_err(), "the control");
    assert!(trial.sign_in.is_of_provider(&replica.finish(&back(&begun), SystemTime::now()).await.unwrap()));
}
