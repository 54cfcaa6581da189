//! Derived ties of random mailboxes against a second, slow implementation of the rules, message by message.
//!
//! Promise: Of random mailboxes of several owners, with bulk mail, lists, roles, people left out and people to forget,
//!   exactly the edges of `docs/import.md` are derived, with the points of `docs/scoring.md`.
//! Control: each rule broken by itself gives other edges.
//! Also in: `tests/process/importing/derived.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use kith_import::dates::CalendarDay;
use kith_import::forgetting::ForgettingKey;
use kith_import::imported::{ImportSettings, import};
use kith_import::manifest::overrides::Overrides;
use kith_import::manifest::read_manifest;
use kith_import::tables::folder::TableFolder;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::scale;

/// How many networks are drawn, usually and at full scale.
const NETWORKS: u64 = 600;
const NETWORKS_FULL: u64 = 10_000;
/// The first two are members, then people, a role and the address of a list.
const ADDRESSES: [&str; 9] = [
    "ana@acme.example",
    "ben@acme.example",
    "cay@one.example",
    "dov@two.example",
    "eve@three.example",
    "fay@four.example",
    "gus@five.example",
    "sales@six.example",
    "chat@club.example",
];
const MEMBERS: usize = 2;
const ROLE: usize = 7;
const LIST: usize = 8;

/// One message in the archive of one member.
struct Message {
    owner: usize,
    from: usize,
    to: Vec<usize>,
    hidden: Vec<usize>,
    /// The day of March 2024.
    day: u64,
    is_bulk: bool,
}

struct Network {
    messages: Vec<Message>,
    derives: [bool; MEMBERS],
    left_out: [Option<usize>; MEMBERS],
    forgotten: Option<usize>,
}

fn draw(seed: u64) -> Network {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut below = move |bound: usize| (dice.next_u64() % bound as u64) as usize;
    let mut messages = Vec::new();
    for owner in 0..MEMBERS {
        for _ in 0..4 + below(14) {
            let is_own = below(3) == 0;
            let from = if is_own { owner } else { 1 + below(ADDRESSES.len() - 1) };
            let mut to: Vec<usize> = (0..1 + below(3)).map(|_| below(ADDRESSES.len())).collect();
            let mut hidden: Vec<usize> =
                if below(6) == 0 { vec![below(ADDRESSES.len())] } else { Vec::new() };
            if !is_own && below(8) > 0 {
                to.push(owner);
            }
            to.sort_unstable();
            to.dedup();
            to.retain(|one| *one != from);
            hidden.retain(|one| *one != from && !to.contains(one));
            let is_bulk = below(9) == 0;
            if !to.is_empty() {
                messages.push(Message { owner, from, to, hidden, day: 1 + below(6) as u64, is_bulk });
            }
        }
    }
    let one = |below: &mut dyn FnMut(usize) -> usize| (below(3) == 0).then(|| MEMBERS + below(5));
    Network {
        derives: [below(6) > 0, below(6) > 0],
        left_out: [one(&mut below), one(&mut below)],
        forgotten: one(&mut below),
        messages,
    }
}

/// The rule that an oracle breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    Nothing,
    OneDayIsEnough,
    BothIsNotEnough,
    HiddenCounts,
    BulkCounts,
    RolesCount,
    ListsCount,
    MembersCount,
    WithoutATie,
    LeftOutCounts,
    ForgottenCounts,
    RefusedCounts,
}

/// The derived edges by the rules, with their points; `broken` is left out of account.
fn expected(network: &Network, broken: Broken) -> BTreeMap<(usize, usize), u64> {
    let is = |rule: Broken| broken == rule;
    let is_list = network.messages.iter().any(|message| message.is_bulk);
    let counted = |message: &&Message| {
        let all: Vec<usize> = [&message.to[..], &message.hidden, &[message.from]].concat();
        let is_out = network.left_out[message.owner].is_some_and(|out| all.contains(&out));
        (!message.is_bulk || is(Broken::BulkCounts)) && (!is_out || is(Broken::LeftOutCounts))
    };
    let is_nobody = |one: usize| {
        one == ROLE && !is(Broken::RolesCount)
            || one == LIST && is_list && !is(Broken::ListsCount)
            || network.forgotten == Some(one) && !is(Broken::ForgottenCounts)
    };
    // Pairs of a person who wrote and a person who answered, on that day or later.
    let has_tie = |owner: usize, other: usize| {
        let of_owner = || network.messages.iter().filter(counted).filter(|message| message.owner == owner);
        let sent = of_owner().filter(|message| message.from == owner);
        let to = |message: &&Message| message.to.contains(&other) || message.hidden.contains(&other);
        let first = sent.filter(to).map(|message| message.day).min();
        let got = of_owner().filter(|message| message.from == other);
        let me = |message: &&Message| message.to.contains(&owner) || message.hidden.contains(&owner);
        let last = got.filter(me).map(|message| message.day).max();
        first.zip(last).is_some_and(|(first, last)| first <= last) && other != ROLE
    };
    let mut seen: BTreeMap<(usize, usize), (BTreeSet<u64>, BTreeSet<usize>)> = BTreeMap::new();
    for message in network.messages.iter().filter(counted) {
        let mut open = message.to.clone();
        if is(Broken::HiddenCounts) {
            open.extend(&message.hidden);
        }
        let is_asked = network.derives[message.owner] || is(Broken::RefusedCounts);
        let is_own = message.from == message.owner;
        if !is_asked || is_own || !(open.contains(&message.owner) || message.from == message.owner) {
            continue;
        }
        for &to in open.iter().filter(|&&to| to != message.owner) {
            let (days, owners) = seen.entry((message.from, to)).or_default();
            days.insert(message.day);
            owners.insert(message.owner);
        }
    }
    let as_of = network
        .messages
        .iter()
        .filter(|message| !message.is_bulk)
        .map(|message| message.day)
        .max()
        .unwrap_or(0);
    let mut edges = BTreeMap::new();
    for ((from, to), (days, owners)) in &seen {
        let is_outside = |one: usize| one < MEMBERS && !is(Broken::MembersCount) || is_nobody(one);
        let back = seen.get(&(*to, *from));
        let is_both = back.is_some() && !is(Broken::BothIsNotEnough);
        let is_enough = is_both || days.len() >= if is(Broken::OneDayIsEnough) { 1 } else { 2 };
        let is_tied = is(Broken::WithoutATie) || owners.iter().any(|owner| has_tie(*owner, *from));
        if is_outside(*from) || is_outside(*to) || !is_enough || !is_tied {
            continue;
        }
        let mut all = days.clone();
        all.extend(back.into_iter().flat_map(|(days, _)| days));
        let times = if back.is_some() { 2 } else { 1 };
        // Of a day so many of 1,460 parts are left, by a half-life of 730 days.
        let count: u64 = times * all.iter().map(|day| 1460 - as_of.saturating_sub(*day)).sum::<u64>();
        let (part, whole) = (30 * count, count + 2 * 1460);
        edges.insert((*from, *to), ((2 * part + whole) / (2 * whole)).max(1));
    }
    edges
}

/// The derived edges of an import of the files.
fn derived(network: &Network) -> BTreeMap<(usize, usize), u64> {
    let folder = tempfile::tempdir().unwrap();
    let name = |one: usize| ADDRESSES[one].split(['@', '.']).take(2).collect::<Vec<_>>().join(" ");
    let mut team = "[organization]\nname = \"Acme\"\n".to_owned();
    for (member, address) in ADDRESSES.iter().enumerate().take(MEMBERS) {
        let mut mbox = String::new();
        for message in network.messages.iter().filter(|message| message.owner == member) {
            let all = |all: &[usize]| {
                let one = |one: &usize| format!("{} <{}>", name(*one), ADDRESSES[*one]);
                all.iter().map(one).collect::<Vec<_>>().join(", ")
            };
            let list = if message.is_bulk { "List-Id: <chat.club.example>\n" } else { "" };
            let hidden = if message.hidden.is_empty() {
                String::new()
            } else {
                format!("Bcc: {}\n", all(&message.hidden))
            };
            write!(
                mbox,
                "From x@x.example Mon Mar 11 09:14:00 2024\nFrom: {}\nTo: {}\n{hidden}{list}Date: {} Mar 2024 09:14:00 +0000\n\nx\n\n",
                all(&[message.from]),
                all(&message.to),
                message.day
            )
            .unwrap();
        }
        fs::write(folder.path().join(format!("{member}.mbox")), mbox).unwrap();
        let out = network.left_out[member]
            .map(|out| format!("leave_out = {{ addresses = [\"{}\"] }}\n", ADDRESSES[out]));
        write!(
            team,
            "[[members]]\nname = \"{}\"\nemail = \"{}\"\nderive = {}\nfiles = [\"{member}.mbox\"]\n{}",
            name(member),
            address,
            network.derives[member],
            out.unwrap_or_default()
        )
        .unwrap();
    }
    let manifest = folder.path().join("team.toml");
    fs::write(&manifest, team).unwrap();
    let tables = folder.path().join("tables");
    let is_forgotten = |_: &str, key: &ForgettingKey<'_>| matches!(key, ForgettingKey::Email(email) if network.forgotten.is_some_and(|one| ADDRESSES[one] == *email));
    let today = CalendarDay { year: 2024, month: 6, day: 1 };
    let settings = ImportSettings {
        today,
        tables: &tables,
        overrides: Overrides::default(),
        keep: false,
        is_forgotten: Some(&is_forgotten),
    };
    let imported = import(read_manifest(&manifest).unwrap(), &settings).unwrap();
    let mut written = TableFolder::open(&tables).unwrap();
    imported.write(&mut written).unwrap();
    written.put().unwrap();
    let rows = |table: &str| -> Vec<Value> {
        let text = fs::read_to_string(tables.join(table)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let all = fs::read_to_string(tables.join("people.ndjson")).unwrap();
    assert!(
        network.forgotten.is_none_or(|one| !all.contains(ADDRESSES[one])),
        "a person to forget is written"
    );
    let place = |row: &Value| {
        let email = row["email"].as_str().unwrap();
        (row["id"].as_str().unwrap().to_owned(), ADDRESSES.iter().position(|known| *known == email).unwrap())
    };
    let people: BTreeMap<String, usize> = rows("people.ndjson").iter().map(place).collect();
    let end = |row: &Value, key: &str| people[row[key].as_str().unwrap()];
    let edge = |row: &Value| {
        Some(((end(row, "from"), end(row, "to")), row["breakdown"].get("seenTogether")?.as_u64()?))
    };
    rows("connections.ndjson").iter().filter_map(edge).collect()
}

#[test]
fn exactly_the_edges_of_the_rules_are_derived_and_each_broken_rule_is_caught() {
    use Broken::*;
    let rules = [
        OneDayIsEnough,
        BothIsNotEnough,
        HiddenCounts,
        BulkCounts,
        RolesCount,
        ListsCount,
        MembersCount,
        WithoutATie,
        LeftOutCounts,
        ForgottenCounts,
        RefusedCounts,
    ];
    let (mut caught, mut edges) = (Vec::new(), 0);
    let networks = scale::of(NETWORKS, NETWORKS_FULL);
    for seed in 0..networks {
        let network = draw(seed);
        let found = derived(&network);
        assert_eq!(found, expected(&network, Nothing), "seed {seed}");
        edges += found.len();
        caught.extend(rules.into_iter().filter(|rule| expected(&network, *rule) != found));
    }
    assert!(edges as u64 > networks / 4, "{edges}");
    for rule in rules {
        assert!(caught.contains(&rule), "{rule:?} is not caught");
    }
}
