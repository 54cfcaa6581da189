//! Bad files of every kind: each is named and refused, and the served networks stay the same.
//!
//! Promise: A bad file is refused, the report has its name, and nothing else changes.
//! Control: an undamaged copy is taken.

use std::collections::BTreeMap;
use std::fs;

use axum::http::StatusCode;
use kith_server::snapshot::{encode, write};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::craft;
use crate::reload::site::{Site, post_reload, project, put_in_place, tiny_called};
use crate::support::scale;

/// The served networks while bad files come and go, and the snapshot from which these are made.
const DEMO: &str = "snapshots/fernhollow.kith";

/// A sound snapshot, and one of another organization, to make bad ones of.
struct Sound {
    demo: Vec<u8>,
    other: Vec<u8>,
}

/// A way to spoil a file, and what the reason for its refusal says, one of these.
type Spoil = (&'static str, &'static [&'static str], fn(&Sound, &mut ChaCha8Rng) -> Option<Vec<u8>>);

fn below(dice: &mut ChaCha8Rng, bound: usize) -> usize {
    (dice.next_u64() % bound as u64) as usize
}

/// Two sections of the demo snapshot, which are not alike.
fn two_sections(sound: &Sound, dice: &mut ChaCha8Rng) -> (Vec<Vec<u8>>, usize, usize) {
    let sections = craft::sections(&sound.demo);
    let one = below(dice, sections.len());
    let other = (one + 1 + below(dice, sections.len() - 1)) % sections.len();
    (sections, one, other)
}

/// Every kind of damage. `None` stands for something that is no file.
const KINDS: [Spoil; 12] = [
    (
        "a flipped bit",
        &["damaged", "checksum", "is not a kith snapshot", "version", "header", "bytes"],
        |sound, dice| {
            let mut bytes = sound.demo.clone();
            let bit = below(dice, bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            Some(bytes)
        },
    ),
    ("cut off", &["cut off", "bytes"], |sound, dice| {
        Some(sound.demo[..below(dice, sound.demo.len())].to_vec())
    }),
    ("made longer", &["bytes"], |sound, dice| {
        let mut bytes = sound.demo.clone();
        bytes.resize(bytes.len() + 1 + below(dice, 4_096), 7);
        Some(bytes)
    }),
    ("two sections swapped in place", &["checksum", "padding", "cut off", "header"], |sound, dice| {
        let (mut sections, one, other) = two_sections(sound, dice);
        let entries = craft::table(&sound.demo);
        let checksums: Vec<_> = entries.iter().map(|entry| entry.3).collect();
        sections.swap(one, other);
        Some(craft::file_with_checksums(&sections, &checksums))
    }),
    ("a section of another snapshot", &["checksum"], |sound, dice| {
        let (mut sections, one, _) = two_sections(sound, dice);
        let checksums: Vec<_> = craft::table(&sound.demo).iter().map(|entry| entry.3).collect();
        let foreign = craft::sections(&sound.other).swap_remove(one);
        if sections[one] == foreign {
            sections[one].push(0);
        } else {
            sections[one] = foreign;
        }
        Some(craft::file_with_checksums(&sections, &checksums))
    }),
    (
        // Two columns of times may be either's: then the file is sound, but its organization is served already.
        "two sections swapped and sealed again",
        &["section", "column", "offsets", "people", "edges", "row", "is already served from a.kith"],
        |sound, dice| {
            let (mut sections, one, other) = two_sections(sound, dice);
            if sections[one] == sections[other] {
                sections[one].push(0);
            }
            sections.swap(one, other);
            Some(craft::file(&sections))
        },
    ),
    ("another version", &["version"], |sound, dice| {
        let mut bytes = sound.demo.clone();
        craft::put(&mut bytes, craft::VERSION_AT, &(2 + below(dice, 1_000) as u32).to_le_bytes());
        craft::seal_header(&mut bytes);
        Some(bytes)
    }),
    ("another magic", &["is not a kith snapshot", "no kith snapshot", "snapshot"], |sound, dice| {
        let mut bytes = sound.demo.clone();
        craft::put(&mut bytes, craft::MAGIC_AT, &dice.next_u64().to_le_bytes());
        Some(bytes)
    }),
    ("empty", &["0 bytes"], |_, _| Some(Vec::new())),
    ("noise", &["snapshot"], |_, dice| {
        let mut bytes = vec![0; below(dice, 10_000)];
        dice.fill_bytes(&mut bytes);
        Some(bytes)
    }),
    ("no file", &["not a file", "regular file"], |_, _| None),
    ("an organization that is served already", &["is already served from a.kith"], |sound, _| {
        Some(sound.demo.clone())
    }),
];

#[tokio::test]
async fn every_bad_file_is_named_and_refused_and_what_is_served_stays() {
    let sound = Sound {
        demo: fs::read(project(DEMO)).unwrap(),
        other: fs::read(project("snapshots/harbourlight.kith")).unwrap(),
    };
    let site = Site::new();
    put_in_place(&site.path("a.kith"), &sound.demo);
    let operator = site.operator();
    assert_eq!(post_reload(&operator).await.0, StatusCode::OK);
    let (generation, network) = (site.generation(), site.network("org_fernhollow"));

    let files = scale::of(200, 10_000);
    let mut refused: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..files {
        let (kind, reasons, spoil) = KINDS[(seed % KINDS.len() as u64) as usize];
        let bad = site.path("b.kith");
        match spoil(&sound, &mut ChaCha8Rng::seed_from_u64(seed)) {
            Some(bytes) => put_in_place(&bad, &bytes),
            None => fs::create_dir(&bad).unwrap(),
        }
        let (status, results) = post_reload(&operator).await;
        let (line, reason) = (&results[1], results[1]["reason"].as_str().unwrap_or(""));
        assert_eq!(
            (status, &line["file"], &line["outcome"], &results[0]["outcome"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &"b.kith".into(), &"refused".into(), &"unchanged".into()),
            "seed {seed}, {kind}: {results}"
        );
        assert!(reasons.iter().any(|expected| reason.contains(expected)), "seed {seed}, {kind}: {reason}");
        assert_eq!(site.generation(), generation, "seed {seed}, {kind}");
        *refused.entry(kind).or_default() += 1;
        if bad.is_dir() { fs::remove_dir(bad).unwrap() } else { fs::remove_file(bad).unwrap() }
    }
    assert!(std::sync::Arc::ptr_eq(&network, &site.network("org_fernhollow")));
    assert_eq!(refused.values().sum::<u64>(), files, "{refused:?}");
    assert_eq!(refused.len(), KINDS.len(), "{refused:?}");
    assert_eq!(site.reloader.status().files.refused, files);

    // The control: a sound file with other content is taken, by the same way.
    write(&site.path("b.kith"), &tiny_called("tiny")).unwrap();
    let (status, results) = post_reload(&operator).await;
    assert_eq!((status, &results[1]["outcome"]), (StatusCode::OK, &Value::from("loaded")), "{results}");
    assert_eq!(site.generation(), generation + 1);
}

/// In place of the file that is served: the old network goes on serving, and a sound one takes over.
#[test]
fn a_bad_file_in_the_place_of_a_good_one_leaves_the_good_one_in_service() {
    let site = Site::new();
    let bytes = encode(&tiny_called("one")).unwrap();
    put_in_place(&site.path("tiny.kith"), &bytes);
    site.reload();
    let network = site.network("org_tiny");
    for seed in 0..scale::of(20, 1_000) {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut bad = bytes.clone();
        let at = below(&mut dice, bad.len());
        bad[at] ^= 1 + (dice.next_u64() % 255) as u8;
        put_in_place(&site.path("tiny.kith"), &bad);
        let report = site.reload();
        assert_eq!((report.counts().refused, report.generation_after), (1, 1), "seed {seed}: {report:?}");
        assert!(std::sync::Arc::ptr_eq(&network, &site.network("org_tiny")));
    }
    put_in_place(&site.path("tiny.kith"), &encode(&tiny_called("two")).unwrap());
    assert_eq!(site.reload().generation_after, 2);
    assert_eq!(site.network("org_tiny").index.data.organization.name, "two");
}
