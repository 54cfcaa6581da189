//! Stored credentials, and their validity.

use std::error::Error;
use std::time::UNIX_EPOCH;

use super::*;
use crate::auth::verify::Principal;

type Outcome = Result<(), Box<dyn Error>>;

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

/// An empty store, and its folder.
fn empty() -> Result<(tempfile::TempDir, CredentialStore), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let store = CredentialStore::open(&folder.path().join("credentials.db"))?;
    Ok((folder, store))
}

fn token(store: &CredentialStore, seconds: u64, now: SystemTime) -> Result<Issued, Box<dyn Error>> {
    let ttl = Ttl::from_seconds(seconds).ok_or("a token lives longer")?;
    Ok(store.create_token("org_a", "user_1", Scopes::granted_by("mcp:read mcp:write"), ttl, now)?)
}

#[test]
fn credentials_are_listed_in_the_order_they_were_made_whatever_became_of_them() -> Outcome {
    let (_folder, store) = empty()?;
    let mut ids = Vec::new();
    for (name, seconds) in [("late", 3_000), ("early", 1_000), ("later", 3_000)] {
        let key = store.create_key("org_a", name, at(seconds))?;
        ids.push((key.id, token(&store, 1, at(seconds))?.id));
    }
    store.revoke_key(&ids[1].0, at(4_000))?;
    store.revoke_token(&ids[1].1, at(4_000))?;
    let (keys, tokens) = (store.list_keys()?, store.list_tokens()?);
    let name = |key: &StoredCredential| match &key.of {
        CredentialOf::Organization { name } => name.clone(),
        CredentialOf::Member { .. } => String::new(),
    };
    assert_eq!(keys.iter().map(name).collect::<Vec<_>>(), ["early", "late", "later"]);
    let in_order = [&ids[1], &ids[0], &ids[2]];
    assert!(keys.iter().map(|key| &key.id).eq(in_order.map(|(key, _)| key)));
    assert!(tokens.iter().map(|token| &token.id).eq(in_order.map(|(_, token)| token)));
    assert_eq!(keys.iter().filter(|key| key.revoked_at.is_some()).count(), 1);
    Ok(())
}

#[test]
fn a_listed_credential_has_all_it_was_made_with_but_the_secret() -> Outcome {
    let (_folder, store) = empty()?;
    let (key, token) = (store.create_key("org_b", "crm", at(1_000))?, token(&store, 60, at(2_000))?);
    let (keys, tokens) = (store.list_keys()?, store.list_tokens()?);
    let [listed] = &keys[..] else { return Err("not one key".into()) };
    assert_eq!([&listed.id, &listed.org], [&key.id, "org_b"]);
    assert_eq!(listed.of, CredentialOf::Organization { name: "crm".to_owned() });
    assert_eq!((listed.created_at.seconds, listed.last_four.as_str()), (1_000, key.secret.last_four()));
    assert_eq!((listed.revoked_at, listed.last_used_at), (None, None));
    let [listed] = &tokens[..] else { return Err("not one token".into()) };
    assert_eq!([&listed.id, &listed.org], [&token.id, "org_a"]);
    assert_eq!(listed.of, CredentialOf::Member { user: "user_1".to_owned(), scopes: Scopes::ALL });
    let ends = listed.expires_at.map(|at| at.seconds);
    assert_eq!((listed.created_at.seconds, ends), (2_000, Some(2_060)));
    assert_eq!(listed.last_four, token.secret.last_four());
    assert_eq!((listed.revoked_at, listed.last_used_at), (None, None));
    let shown = format!("{keys:?} {tokens:?}");
    assert!(!shown.contains(key.secret.reveal()) && !shown.contains(token.secret.reveal()), "{shown}");
    Ok(())
}

#[test]
fn a_credential_is_found_by_its_secret_until_it_expires_or_is_revoked() -> Outcome {
    let (_folder, store) = empty()?;
    let verifier = store.verifier()?;
    let (key, token) = (store.create_key("org_b", "crm", at(1_000))?, token(&store, 60, at(1_000))?);
    let found = |issued: &Issued, seconds| verifier.verify(issued.secret.reveal(), at(seconds));
    let of_key = Principal::Organization { org: "org_b".into(), key_id: key.id.clone() };
    assert_eq!(found(&key, 1 << 32)?, Some(of_key));
    assert!(found(&token, 1_059)?.is_some() && found(&token, 1_060)?.is_none());
    assert_eq!(verifier.verify(Secret::generate(CredentialKind::UserToken)?.reveal(), at(1_000))?, None);
    store.revoke_key(&key.id, at(1_001))?;
    assert!(found(&key, 1_001)?.is_none() && found(&token, 1_001)?.is_some());
    store.revoke_token(&token.id, at(1_001))?;
    assert!(found(&token, 1_001)?.is_none());
    Ok(())
}

#[test]
fn revoking_keeps_the_first_time_and_knows_only_ids_of_its_own_kind() -> Outcome {
    let (_folder, store) = empty()?;
    let (key, token) = (store.create_key("org_a", "crm", at(1_000))?, token(&store, 60, at(1_000))?);
    for now in [2_000, 3_000] {
        assert_eq!(store.revoke_key(&key.id, at(now))?.map(|time| time.seconds), Some(2_000));
        assert_eq!(store.revoke_token(&token.id, at(now))?.map(|time| time.seconds), Some(2_000));
    }
    assert_eq!(
        (store.revoke_key(&token.id, at(4_000))?, store.revoke_token(&key.id, at(4_000))?),
        (None, None)
    );
    assert_eq!(store.revoke_key(key.secret.reveal(), at(4_000))?, None);
    Ok(())
}

#[test]
fn a_use_that_is_later_than_the_one_written_stays() -> Outcome {
    let (_folder, store) = empty()?;
    let (key, token) = (store.create_key("org_a", "crm", at(1_000))?, token(&store, 60, at(1_000))?);
    for (used_at, last) in [(5_000, 5), (3_000, 5), (7_000, 7)] {
        let mut used = Used::default();
        used.note(CredentialKind::OrganizationKey, &key.id, used_at);
        used.note(CredentialKind::UserToken, &token.id, used_at + 1_000);
        store.record_uses(&used)?;
        let of_key = store.list_keys()?[0].last_used_at.map(|time| time.seconds);
        let of_token = store.list_tokens()?[0].last_used_at.map(|time| time.seconds);
        assert_eq!((of_key, of_token), (Some(last), Some(last + 1)));
    }
    Ok(())
}
