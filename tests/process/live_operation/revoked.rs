//! Revoked keys: refused on the very next request, whatever way it comes.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::{Instant, SystemTime};

use kith::auth::store::CredentialStore;

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny};
use crate::support::scale;

const PATH: &str = "/api/v1/people/person_ana";

/// The ways in which the next request comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    SameConnection,
    NewConnection,
    OtherConnection,
    Pipelined,
    DuringReload,
}

impl Shape {
    const ALL: [Self; 5] = [
        Self::SameConnection,
        Self::NewConnection,
        Self::OtherConnection,
        Self::Pipelined,
        Self::DuringReload,
    ];
}

/// A served network, the connections of a caller, and the store that another process revokes in.
struct Trial {
    server: Server,
    store: CredentialStore,
    connections: [Connection; 2],
    admin: Connection,
    _site: Site,
}

impl Trial {
    fn new() -> Self {
        let site = Site::new();
        build_tiny(&site.snapshot("tiny.kith"), &[]);
        let store = CredentialStore::open(Path::new(&site.credentials())).unwrap();
        let server = site.serve("error");
        let connections = [(); 2].map(|()| Connection::open(server.api));
        let admin = Connection::open(server.admin);
        Self { server, store, connections, admin, _site: site }
    }

    /// The statuses that a key gets after it was revoked.
    fn run(&mut self, shape: Shape) -> Vec<u16> {
        let made = self.store.create_key("org_tiny", "trial", SystemTime::now()).unwrap();
        let key = made.secret.reveal().to_owned();
        for connection in &mut self.connections {
            assert_eq!(connection.get(PATH, &key).status, 200, "the key is good before it is revoked");
        }
        if shape == Shape::DuringReload {
            self.admin.begin("POST", "/admin/reload", &[("content-length", "0")]);
        }
        self.store.revoke_key(&made.id, SystemTime::now()).unwrap();
        let [own, other] = &mut self.connections;
        match shape {
            Shape::SameConnection | Shape::DuringReload => {
                let status = own.get(PATH, &key).status;
                if shape == Shape::DuringReload {
                    assert_eq!(self.admin.end().status, 200);
                }
                vec![status]
            }
            Shape::OtherConnection => vec![other.get(PATH, &key).status],
            Shape::NewConnection => vec![Connection::open(self.server.api).get(PATH, &key).status],
            Shape::Pipelined => {
                let authorization = format!("Bearer {key}");
                for _ in 0..3 {
                    own.begin("GET", PATH, &[("authorization", &authorization)]);
                }
                (0..3).map(|_| own.end().status).collect()
            }
        }
    }
}

#[test]
fn a_revoked_key_is_refused_on_the_very_next_request() {
    let mut trial = Trial::new();
    let (began, trials) = (Instant::now(), scale::of(50, 10_000));
    let mut tally: BTreeMap<(Shape, u16), u64> = BTreeMap::new();
    for number in 0..trials {
        let shape = Shape::ALL[number as usize % Shape::ALL.len()];
        for status in trial.run(shape) {
            *tally.entry((shape, status)).or_default() += 1;
        }
    }
    println!("{trials} trials in {:.1} s: {tally:?}", began.elapsed().as_secs_f64());
    assert!(tally.keys().all(|&(_, status)| status == 401), "{tally:?}");
}

#[test]
fn a_verifier_that_remembers_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let store = CredentialStore::open(&folder.path().join("credentials.db")).unwrap();
    let verifier = store.verifier().unwrap();
    let mut remembered = HashMap::new();
    let mut accepted_after = 0;
    for _ in 0..20 {
        let made = store.create_key("org_tiny", "trial", SystemTime::now()).unwrap();
        let key = made.secret.reveal().to_owned();
        let mut is_good = || {
            let verify = || verifier.verify(&key, SystemTime::now()).unwrap().is_some();
            *remembered.entry(key.clone()).or_insert_with(verify)
        };
        assert!(is_good());
        store.revoke_key(&made.id, SystemTime::now()).unwrap();
        accepted_after += u64::from(is_good());
    }
    assert_eq!(accepted_after, 20, "the trial would not see a verdict that is kept");
}
