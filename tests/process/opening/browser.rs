//! The browser that `kith open` starts, and what it stores.
//!
//! Promise: `kith open` gives the link to the browser by a file that nobody else can read; at the first log-in at an
//!   address, and never again, the browser clears what it has of it; the operator's listener is nobody's.
//! Control: without a screen nothing is started; another address is new.
//! Also in: `src/callers/auth/link.rs`, `src/cli/open/folder.rs`.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::{Home, OWN, Opened, open_to_others};
use crate::http::Connection;

#[test]
fn what_a_browser_has_of_an_address_is_cleared_at_its_first_log_in_alone() {
    let home = Home::of_ana();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let [listen, other] = [listener.local_addr().unwrap().to_string(), "127.0.0.1:0".to_owned()];
    drop(listener);
    let cleared = |listen: &str| {
        let args = ["--me", "Ana", "--no-browser", &home.text("Downloads"), "--listen", listen];
        let opened = Opened::start(&mut home.command(&args));
        let body = json!({ "code": opened.code }).to_string();
        let reply = Connection::open(opened.server.api).post_with("/explore/login", &[OWN], body.as_bytes());
        let operator = Connection::open(opened.server.admin).send("GET", "/metrics", &[]).status;
        assert_eq!((reply.status, operator), (200, 401), "the operator's listener is nobody's");
        reply.header("clear-site-data").map(str::to_owned)
    };
    let all = Some("\"cache\", \"storage\"".to_owned());
    assert_eq!([cleared(&listen), cleared(&listen), cleared(&other)], [all.clone(), None, all]);
}

/// The content of the pipe at `path`, once something is written into it.
fn through(path: PathBuf) -> String {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(fs::read_to_string(path)));
    receiver.recv_timeout(Duration::from_secs(60)).unwrap().unwrap()
}

#[test]
fn a_browser_is_started_with_a_page_of_the_owner_alone_if_there_is_a_screen() {
    let home = Home::of_ana();
    let (bin, seen, pipe) = (home.path("bin"), home.path("seen"), home.path("pipe"));
    fs::create_dir(&bin).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let script = format!("#!/bin/sh\n: > {}\necho \"$# $1\" > {}\n", seen.display(), pipe.display());
    fs::write(bin.join("xdg-open"), script).unwrap();
    fs::set_permissions(bin.join("xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let downloads = home.text("Downloads");
    let run = |screen: &str, more: &[&str]| {
        let mut command =
            home.command(&[&["--me", "Ana", "--listen", "127.0.0.1:0", &downloads], more].concat());
        Opened::start(command.env("PATH", &path).env("DISPLAY", screen))
    };
    // Without a screen, and if none is wanted, the link is printed alone.
    for (screen, more) in [("", &[][..]), (":0", &["--no-browser"])] {
        assert_eq!(run(screen, more).server.stop("INT").0, Some(0));
        assert!(!seen.exists(), "{screen:?} {more:?}");
    }
    let opened = run(":0", &[]);
    let page = home.path(".local/share/kith/ana-s-network/open.html");
    assert_eq!(through(pipe), format!("1 {}\n", page.display()), "others read the command line");
    assert_eq!(open_to_others(page.parent().unwrap()), Vec::<PathBuf>::new());
    assert!(fs::read_to_string(&page).unwrap().contains(&opened.link.replace('&', "&amp;")));
    assert_eq!(opened.post(&opened.code).0, 200, "it is still good: nothing asked for it before");
    // A terminal that is closed ends it: nobody could any more.
    assert_eq!(opened.server.stop("HUP").0, Some(0));
    assert!(!page.exists());
}
