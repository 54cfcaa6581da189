//! A full disk: keys are listed and revoked, and a server starts, with the space reserved beside the store.
//!
//! Promise: A full disk stops no revocation, no listing and no start of a server.
//! Control: the same without what is kept for it: each fails and says how much to free.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::crashes::shim::{Fault, Run, Shim};
use crate::http::Connection;
use crate::program::{Site, build_tiny};

/// A store with one key, on a disk that is full but for the reserve, if there is one.
struct Full {
    site: Site,
    key: String,
    id: String,
}

impl Full {
    fn new(with_reserve: bool) -> Self {
        let site = Site::new();
        build_tiny(&site.snapshot("tiny.kith"), &[]);
        let key = site.create_key("org_tiny", "a");
        let listed =
            crate::program::run_well(&["keys", "list", "--json", "--credentials", &site.credentials()]);
        let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
        let id = listed[0]["id"].as_str().unwrap().to_owned();
        let full = Self { site, key, id };
        assert!(full.reserve().exists());
        if !with_reserve {
            fs::remove_file(full.reserve()).unwrap();
        }
        full
    }

    fn reserve(&self) -> PathBuf {
        PathBuf::from(self.site.credentials() + "-reserve")
    }

    fn root(&self) -> PathBuf {
        PathBuf::from(self.site.file(""))
    }

    /// Runs `kith keys`.
    fn keys(&self, shim: &Shim, args: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
        command.arg("keys").args(args).arg("--credentials").arg(self.site.credentials()).env_clear();
        shim.run(command, &self.root(), 1, Fault::Crowded)
    }

    /// What a server answers to the key; `None` if it does not start.
    fn asked_of_a_server(&self, shim: &Shim) -> Option<u16> {
        let mut command = Command::new("");
        shim.arm(&mut command, &self.root(), 1, Fault::Crowded);
        let text = |text: Option<&std::ffi::OsStr>| text.unwrap().to_str().unwrap().to_owned();
        let armed: Vec<(String, String)> =
            command.get_envs().map(|(name, value)| (text(Some(name)), text(value))).collect();
        let armed: Vec<(&str, &str)> = armed.iter().map(|(name, value)| (&**name, &**value)).collect();
        let args = self.site.serve_args();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        if !self.reserve().exists() {
            let ended = crate::program::run_in(&args, &armed);
            assert!(ended.code == Some(1) && ended.err.contains("free 256 KiB and try again"), "{ended:?}");
            return None;
        }
        let server = self.site.serve_in("warn", &armed);
        Some(Connection::open(server.api).get("/api/v1/search/companies?q=oak", &self.key).status)
    }
}

#[test]
fn a_full_disk_stops_neither_a_revocation_nor_a_listing_nor_the_start_of_a_server() {
    let shim = Shim::new();
    for with_reserve in [true, false] {
        let code = if with_reserve { 0 } else { 1 };
        let full = Full::new(with_reserve);
        let listed = full.keys(&shim, &["list"]);
        assert_eq!(listed.code, code, "{}", listed.said);
        assert!(listed.failed.is_some(), "the disk was full");
        assert!(!full.reserve().exists());

        let full = Full::new(with_reserve);
        assert_eq!(full.asked_of_a_server(&shim), with_reserve.then_some(200));

        let full = Full::new(with_reserve);
        let revoked = full.keys(&shim, &["revoke", &full.id]);
        assert_eq!(revoked.code, code, "{}", revoked.said);
        let server = full.site.serve("warn");
        let status = Connection::open(server.api).get("/api/v1/search/companies?q=oak", &full.key).status;
        assert_eq!(status, if with_reserve { 401 } else { 200 });
        // The control: without a reserve each says what is wrong and what to do.
        if !with_reserve {
            for said in [&listed.said, &revoked.said] {
                assert!(said.contains("is full") && said.contains("free 256 KiB and try again"), "{said}");
            }
        }
        // With room again the reserve is made again.
        assert!(full.reserve().exists());
    }
}
