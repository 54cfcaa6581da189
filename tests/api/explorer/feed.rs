//! The feed of a member: who opens it, what is in it, and what its token opens.

use std::collections::BTreeMap;
use std::time::SystemTime;

use axum::http::Method;
use data_encoding::BASE64;
use kith_server::auth::scope::Scopes;
use kith_server::auth::ttl::Ttl;
use kith_server::live::networks::Networks;
use kith_server::live::predecessor::Keep;
use kith_server::live::report::Outcome;
use kith_server::mcp::settings::McpSettings;
use kith_server::suppress::entry::EntryKind;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::json;

use crate::changes::{TINY, tables};
use crate::explorer::{log_in, session_of, tiny};
use crate::support::{Answer, Credentials, Served};
use crate::suppression::site::{Site, built};

const PATH: &str = "/explore/feed/news.atom";

fn basic(token: &str) -> String {
    format!("Basic {}", BASE64.encode(format!("any:{token}").as_bytes()))
}

async fn fetch(served: &Served, authorization: &str, more: &[(&str, &str)]) -> Answer {
    let headers = [&[("authorization", authorization)], more].concat();
    served.ask(Method::GET, PATH, &headers).await
}

/// An element's name, its texts and its attributes, of the feed or of an entry.
type Elements = Vec<(String, String)>;

/// The elements right below the feed, and those of each entry. Fails if it is not well-formed.
fn read(answer: &Answer) -> (Elements, Vec<BTreeMap<String, String>>) {
    let text = std::str::from_utf8(&answer.bytes).unwrap();
    let mut reader = Reader::from_str(text);
    let (mut feed, mut entries, mut path) = (Vec::new(), Vec::new(), Vec::<String>::new());
    let name = |text: &str| text.to_owned();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(start) => {
                path.push(name(start.name().as_ref()));
                if path == ["feed", "entry"] {
                    entries.push(BTreeMap::new());
                }
                if path.len() == 1 {
                    let space = start.try_get_attribute("xmlns").unwrap().unwrap();
                    assert_eq!(&*space.value, "http://www.w3.org/2005/Atom");
                }
            }
            Event::End(_) => drop(path.pop()),
            Event::Empty(link) => {
                let of = |key: &str| name(&link.try_get_attribute(key).unwrap().unwrap().value);
                let link = (format!("link {}", of("rel")), of("href"));
                if path.len() > 1 {
                    drop(entries.last_mut().unwrap().insert(link.0, link.1))
                } else {
                    feed.push(link)
                }
            }
            Event::Text(text) => add(&mut feed, &mut entries, &path, &name(&text)),
            Event::GeneralRef(reference) => {
                let escaped = format!("&{};", name(&reference));
                add(&mut feed, &mut entries, &path, &quick_xml::escape::unescape(&escaped).unwrap());
            }
            Event::Decl(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(path.is_empty());
    (feed, entries)
}

fn add(feed: &mut Elements, entries: &mut [BTreeMap<String, String>], path: &[String], text: &str) {
    match path {
        [_, entry, name] if entry == "entry" => {
            entries.last_mut().unwrap().entry(name.clone()).or_default().push_str(text);
        }
        [_, name @ ..] if !text.trim().is_empty() => match feed.last_mut() {
            Some((last, so_far)) if *last == name.join(" ") => so_far.push_str(text),
            _ => feed.push((name.join(" "), text.to_owned())),
        },
        _ => {}
    }
}

/// The tiny network twice: in the later one Sol, whose name is `name`, is within reach and Que has another position.
fn weeks(name: &str) -> Site {
    let named = |edits| {
        let mut tables = tables(edits);
        tables.files.iter_mut().for_each(|(_, text)| *text = text.replace("Соломія Бондар", name));
        built(&tables)
    };
    let site = Site::open_keeping(Site::folder(&[&named(0)]), Networks::default(), Keep::OneBefore);
    site.put(&named(3));
    assert_eq!(site.reload(), [Outcome::Loaded]);
    site
}

#[tokio::test]
async fn it_has_what_is_new_as_valid_atom_and_nobody_who_was_forgotten() {
    let credentials = Credentials::new();
    let site = weeks("<b>Sol</b> & \\\"Co\\\" ]]>\u{202e}\u{ffff}");
    let served = site.served(&credentials).changed(|state| state.has_feeds = true);
    let token = basic(&credentials.token_with(TINY, "user_ana", "feed"));
    let answer = fetch(&served, &token, &[]).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, Some("private, no-cache")));
    assert_eq!(answer.header("content-type"), Some("application/atom+xml; charset=utf-8"));
    let (feed, entries) = read(&answer);
    let of_feed = |name: &str| feed.iter().find(|(it, _)| it == name).map(|(_, text)| text.as_str());
    for name in ["id", "title", "updated", "author name", "link self", "link alternate"] {
        assert!(of_feed(name).is_some_and(|text| !text.is_empty()), "{name}: {feed:?}");
    }
    assert!(of_feed("subtitle").unwrap().contains("Newly in reach: 1. Moved: 1."), "{feed:?}");
    let titles: Vec<&str> = entries.iter().map(|entry| entry["title"].as_str()).collect();
    let sol = "Newly in reach: <b>Sol</b> & \"Co\" ]]>\u{fffd}\u{fffd}";
    assert_eq!(titles, [sol, "Moved: Quentin Lefèvre, Copper Mill"]);
    assert!(entries[1]["content"].contains("Now: CRO"), "{entries:?}");
    assert_eq!(entries[0]["link alternate"], "../../explore#/paths/person_sol");
    let ids: Vec<&String> = entries.iter().map(|entry| &entry["id"]).collect();
    assert!(ids[0] != ids[1] && ids.iter().all(|id| id.starts_with("urn:uuid:")), "{ids:?}");
    for entry in &entries {
        assert!(kith_server::model::time::Timestamp::parse(&entry["updated"]).is_some(), "{entry:?}");
    }
    // Who polls gets 304, until it is another feed.
    let tag = answer.header("etag").unwrap();
    let same = fetch(&served, &token, &[("if-none-match", tag)]).await;
    assert_eq!((same.status.as_u16(), same.bytes.len(), same.header("etag")), (304, 0, Some(tag)));
    let other = basic(&credentials.token_with(TINY, "user_ben", "feed"));
    assert_eq!(fetch(&served, &other, &[("if-none-match", tag)]).await.status, 200, "another member's");
    site.add(TINY, &[(EntryKind::LinkedinId, "quentin-lefevre".into())]);
    let after = fetch(&served, &token, &[("if-none-match", tag)]).await;
    let (_, left) = read(&after);
    assert_eq!(after.status, 200);
    assert!(!left.iter().any(|entry| entry["title"].contains("Quentin")), "{left:?}");
}

#[tokio::test]
async fn it_opens_by_its_own_token_alone_and_that_token_opens_nothing_else() {
    let credentials = Credentials::new();
    let served = weeks("Sol").served(&credentials).changed(|state| state.has_feeds = true);
    let served = served.serving_agents(&McpSettings::default());
    let feed = credentials.token_with(TINY, "user_ana", "feed");
    let reads = credentials.token_with(TINY, "user_ana", "mcp:read mcp:write");
    let sent = |password: &str| basic(password);
    for (authorization, status) in [
        (sent(&feed), 200),
        (sent(&reads), 401),
        (sent(&credentials.key(TINY)), 401),
        (sent(&credentials.token_with("org_other", "user_ana", "feed")), 503),
        (sent(&credentials.token_with(TINY, "user_nobody", "feed")), 401),
        (sent("nothing"), 401),
        (format!("Bearer {feed}"), 401),
        (feed.clone(), 401),
        (String::new(), 401),
    ] {
        let answer = fetch(&served, &authorization, &[]).await;
        assert_eq!(answer.status, status, "{authorization}");
        let asks = (status == 401).then_some("Basic realm=\"kith feed\", charset=\"UTF-8\"");
        assert_eq!(answer.header("www-authenticate"), asks, "{authorization}");
    }
    let twice = fetch(&served, &sent(&feed), &[("authorization", &sent(&feed))]).await;
    assert_eq!(twice.status, 401, "it counts once");
    for query in [format!("?token={feed}"), format!("?access_token={feed}")] {
        assert_eq!(served.ask(Method::GET, &format!("{PATH}{query}"), &[]).await.status, 401, "{query}");
    }
    // The feed's token, as any other is sent; the control is the one that reads.
    for path in ["/api/v1/me", "/api/v1/members", "/api/v1/changes?since=1", "/explore/quiet"] {
        let is_there = served.get(path, &reads).await.status;
        assert!(![401, 403].contains(&is_there.as_u16()), "{path}: {is_there}");
        assert_eq!(served.get(path, &feed).await.status, 403, "{path}");
        let headers = [("authorization", &*sent(&feed))];
        assert_eq!(served.ask(Method::GET, path, &headers).await.status, 401, "{path}, as HTTP Basic");
    }
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let mcp = async |token: &str| served.post("/mcp", token, &call).await.status.as_u16();
    assert_eq!((mcp(&feed).await, mcp(&reads).await == 403), (403, false));
    assert_eq!(log_in(&served, &feed).await.status, 403);
    assert_eq!(log_in(&served, &reads).await.status, 200);
}

#[tokio::test]
async fn a_token_that_is_revoked_or_over_is_refused_at_once_and_without_feeds_there_is_none() {
    let credentials = Credentials::new();
    let site = weeks("Sol");
    let served = site.served(&credentials).changed(|state| state.has_feeds = true);
    let (now, ttl) = (SystemTime::now(), Ttl::from_seconds(60).unwrap());
    let make = |at| credentials.store.create_token(TINY, "user_ana", Scopes::FEED, ttl, at).unwrap();
    let (issued, over) = (make(now), make(now - std::time::Duration::from_secs(61)));
    let token = basic(issued.secret.reveal());
    assert_eq!(fetch(&served, &basic(over.secret.reveal()), &[]).await.status, 401);
    let answer = fetch(&served, &token, &[]).await;
    credentials.store.revoke_token(&issued.id, now).unwrap().unwrap();
    let tag = ("if-none-match", answer.header("etag").unwrap());
    assert_eq!(fetch(&served, &token, &[tag]).await.status, 401);
    let without = site.served(&credentials);
    let token = basic(&credentials.token_with(TINY, "user_ana", "feed"));
    assert_eq!(fetch(&without, &token, &[]).await.status, 404);
    let (credentials, served) = tiny();
    let session = session_of(&served, &credentials.token(TINY, "user_ana")).await;
    let who = served.ask(Method::GET, "/explore/login", &session.own()).await.json();
    assert_eq!(who["data"]["feeds"], serde_json::Value::Null);
}
