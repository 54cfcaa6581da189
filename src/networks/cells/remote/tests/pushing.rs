//! Pushes: uploads, refusals, and two at once.
//!
//! Promise: Of two pushers of one organization one wins and the other is refused; none loses another organization.
//! Control: the manifest replaced without its ETag: what the other one pushed is lost.

use std::fs;

use futures_util::future::join_all;
use object_store::ObjectStoreExt;

use super::*;
use crate::cells::manifest::Manifest;
use crate::cells::remote::push::{Pushed, Replacing, push, push_replacing};
use crate::relational::path_beside;

async fn manifest(cell: &RemoteCell) -> Manifest {
    let answer = cell.store.get(&cell.manifest()).await.unwrap();
    Manifest::read(&answer.bytes().await.unwrap()).unwrap()
}

fn of(entries: &[(&str, Identity)]) -> Manifest {
    let organizations =
        entries.iter().map(|(organization, identity)| ((*organization).to_owned(), *identity));
    Manifest { organizations: organizations.collect() }
}

#[tokio::test]
async fn a_push_sends_each_file_once_and_replaces_the_manifest_last() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let ((a1, a1_is), (a2, a2_is), (b1, b1_is)) =
        (bench.build("org_a", 1), bench.build("org_a", 2), bench.build("org_b", 1));
    let pushed = push(&cell, &[a1.clone(), b1], &[]).await.unwrap();
    assert_eq!(pushed, Pushed { uploaded: 4, kept: 0, changed: 2 });
    assert_eq!(manifest(&cell).await, of(&[("org_a", a1_is), ("org_b", b1_is)]));
    assert_eq!(push(&cell, &[a1], &[]).await.unwrap(), Pushed { uploaded: 0, kept: 2, changed: 0 });
    let pushed =
        push(&cell, std::slice::from_ref(&a2), &["org_b".to_owned(), "org_c".to_owned()]).await.unwrap();
    assert_eq!(pushed, Pushed { uploaded: 2, kept: 0, changed: 2 });
    assert_eq!(manifest(&cell).await, of(&[("org_a", a2_is)]));
    // Another cell names the same objects.
    let pushed = push(&bench.cell("two"), &[a2], &[]).await.unwrap();
    assert_eq!(pushed, Pushed { uploaded: 0, kept: 2, changed: 1 });
}

#[tokio::test]
async fn what_is_not_sound_is_not_pushed_and_nothing_is_put_in_force() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let ((a1, a1_is), (b1, _), (b2, _)) =
        (bench.build("org_a", 1), bench.build("org_b", 1), bench.build("org_b", 2));
    push(&cell, std::slice::from_ref(&a1), &[]).await.unwrap();
    let mut damaged = fs::read(&b1).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    let broken = bench.built.path().join("broken.kith");
    fs::write(&broken, damaged).unwrap();
    fs::copy(path_beside(&b1), path_beside(&broken)).unwrap();
    let alone = bench.built.path().join("alone.kith");
    fs::copy(&b1, &alone).unwrap();
    let strange = bench.built.path().join("strange.kith");
    fs::copy(&b1, &strange).unwrap();
    fs::copy(path_beside(&b2), path_beside(&strange)).unwrap();
    for files in [&[broken][..], &[alone], &[strange], &[b1.clone(), b2], &[b1, "no/such.kith".into()]] {
        let refused = push(&cell, files, &[]).await.map_err(|error| error.to_string());
        let named = files.last().unwrap().display().to_string();
        assert!(refused.as_ref().is_err_and(|error| error.contains(&named)), "{refused:?}");
        assert_eq!(manifest(&cell).await, of(&[("org_a", a1_is)]));
    }
}

/// A push of `org_a` during which another push puts `theirs` in force. Returns its result, and the manifest after it.
async fn raced(theirs: &[(&str, u8)], replacing: Replacing) -> (Result<Pushed, String>, Manifest) {
    let bench = Bench::new();
    let cell = bench.cell("one");
    push(&cell, &[bench.build("org_a", 1).0, bench.build("org_b", 1).0], &[]).await.unwrap();
    let mut after = manifest(&cell).await;
    for (organization, version) in theirs {
        after.organizations.insert((*organization).to_owned(), bench.build(organization, *version).1);
    }
    *bench.store.meanwhile.lock().unwrap() = Some((cell.manifest(), after.write()));
    let ours = push_replacing(&cell, &[bench.build("org_a", 3).0], &[], replacing).await;
    (ours.map_err(|error| error.to_string()), manifest(&cell).await)
}

#[tokio::test]
async fn of_two_pushers_of_an_organization_one_wins_and_the_other_is_refused_and_none_loses_another_organization()
 {
    let bench = Bench::new();
    let version = |organization, version| (organization, bench.build(organization, version).1);
    let (a2, a3) = (version("org_a", 2), version("org_a", 3));
    let (b1, b2, c1) = (version("org_b", 1), version("org_b", 2), version("org_c", 1));
    let (said, after) = raced(&[("org_a", 2)], Replacing::ByEtag).await;
    let refusal = said.unwrap_err();
    assert!(refusal.contains("org_a") && refusal.contains(&a2.1.to_string()), "{refusal}");
    assert_eq!(after, of(&[a2, b1]));
    // The same organization, or others: both are in force.
    assert_eq!(raced(&[("org_a", 3)], Replacing::ByEtag).await.1, of(&[a3, b1]));
    let (said, after) = raced(&[("org_b", 2), ("org_c", 1)], Replacing::ByEtag).await;
    assert_eq!((said.is_ok(), after), (true, of(&[a3, b2, c1])));

    // The control: without the ETag, the other push is lost silently.
    let (said, after) = raced(&[("org_a", 2)], Replacing::Unseen).await;
    assert_eq!((said.is_ok(), after), (true, of(&[a3, b1])));
    let (said, after) = raced(&[("org_b", 2), ("org_c", 1)], Replacing::Unseen).await;
    assert_eq!((said.is_ok(), after), (true, of(&[a3, b1])));
}

#[tokio::test]
async fn eight_pushers_at_once_are_all_in_force() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let files: Vec<PathBuf> = (0..8).map(|number| bench.build(&format!("org_{number}"), 1).0).collect();
    let pushes = files.iter().map(|file| push(&cell, std::slice::from_ref(file), &[]));
    for pushed in join_all(pushes).await {
        assert_eq!(pushed.unwrap().changed, 1);
    }
    assert_eq!(manifest(&cell).await.organizations.len(), 8);
}

#[tokio::test]
async fn a_push_that_dies_at_any_operation_leaves_the_manifest_as_it_was_or_as_it_will_be() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let ((a1, a1_is), (a2, a2_is)) = (bench.build("org_a", 1), bench.build("org_a", 2));
    push(&cell, &[a1], &[]).await.unwrap();
    for lives in 0.. {
        bench.store.lives.store(lives, std::sync::atomic::Ordering::Relaxed);
        let died = push(&cell, std::slice::from_ref(&a2), &[]).await.is_err();
        bench.store.lives.store(usize::MAX, std::sync::atomic::Ordering::Relaxed);
        let after = manifest(&cell).await;
        let wanted = if died { a1_is } else { a2_is };
        assert_eq!(after, of(&[("org_a", wanted)]), "after {lives} operations");
        if !died {
            assert!(lives > 4, "{lives}");
            break;
        }
        assert!(lives < 50);
    }
}

#[tokio::test]
async fn a_file_of_several_parts_arrives_whole() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let path = bench.built.path().join("long");
    let bytes: Vec<u8> = (0..20 << 20).map(|at: u32| (at % 251) as u8).collect();
    fs::write(&path, &bytes).unwrap();
    let object = Path::from("long");
    let put = async || {
        let file = fs::File::open(&path).unwrap();
        crate::cells::remote::upload::put_once(&*cell.store, &object, file, &path).await.unwrap()
    };
    assert_eq!((put().await, put().await), (true, false));
    let got = cell.store.get(&object).await.unwrap().bytes().await.unwrap();
    assert!(got == bytes);
    // The change in between stays.
    let short = bench.built.path().join("short");
    fs::write(&short, "ours").unwrap();
    let object = Path::from("short");
    *bench.store.meanwhile.lock().unwrap() = Some((object.clone(), b"theirs".to_vec()));
    let file = fs::File::open(&short).unwrap();
    assert!(!crate::cells::remote::upload::put_once(&*cell.store, &object, file, &short).await.unwrap());
    assert_eq!(cell.store.get(&object).await.unwrap().bytes().await.unwrap(), "theirs");
}
