//! Unread answers take no room from other organizations or from probes.

use std::net::{IpAddr, Ipv4Addr};

use tokio::io::{AsyncReadExt, DuplexStream, duplex};

use super::*;
use crate::live::network::LiveNetwork;
use crate::server::peers::PeerBound;
use crate::server::places::ConnectionPlaces;
use crate::snapshot::encode::encode;
use crate::snapshot::read::decode;
use kith_embed::sketch::dataset;

/// The length of an answer, and the budget of all connections: a single organization gets a quarter of it.
const ANSWER_BYTES: usize = 64 << 10;
const BUDGET: usize = 64 * ANSWER_BYTES;
/// More than fits.
const UNREAD: usize = 80;

/// A network of the organization with this id.
fn network(organization: &str) -> Arc<LiveNetwork> {
    let mut dataset = dataset("member ann");
    organization.clone_into(&mut dataset.organization.id);
    Arc::new(LiveNetwork::new(decode(&encode(&dataset).unwrap()).unwrap(), "a.kith"))
}

/// Answers any path with a long answer, from the network of the organization `of` it; probes with a short one.
fn router(of: fn(&str) -> &str) -> Router {
    let networks = [network("org_a"), network("org_b")];
    Router::new().fallback(async move |request: Request<Body>| {
        let path = request.uri().path();
        let from = AnsweredFrom::default();
        let network = networks.iter().find(|network| network.index.data.organization.id == of(path));
        if let Some(network) = network {
            from.report(network, 1);
        }
        let length = if path == "/healthz" { 2 } else { ANSWER_BYTES };
        let mut response = Response::new(Body::from(vec![b'x'; length]));
        response.extensions_mut().insert(from);
        response
    })
}

/// A connection that requested `path`.
fn ask(path: &str, answering: &Arc<Answering>, places: &Arc<ConnectionPlaces>) -> DuplexStream {
    // So little fits between both sides that an answer stays where it is charged.
    let (near, mut far) = duplex(1024);
    let (place, _) = places.enter(IpAddr::V4(Ipv4Addr::LOCALHOST)).unwrap();
    let held = (place, answering.metrics.connected());
    let head = format!("GET {path} HTTP/1.1\r\nHost: kith\r\nConnection: close\r\n\r\n");
    let answering = Arc::clone(answering);
    tokio::spawn(async move {
        let (_stop, stopped) = watch::channel(());
        run(near, None, answering, held, stopped).await;
    });
    let written = tokio::io::AsyncWriteExt::write_all(&mut far, head.as_bytes());
    futures_util::FutureExt::now_or_never(written).unwrap().unwrap();
    far
}

/// The statuses of B's request and of a probe, while A reads none of its answers.
async fn statuses(of: fn(&str) -> &str) -> [String; 2] {
    let answering = Arc::new(Answering {
        router: router(of),
        metrics: Arc::new(Metrics::new().unwrap()),
        deadlines: Deadlines::DEFAULT,
        budget: ByteBudget::new(BUDGET),
        tls: None,
    });
    let places = ConnectionPlaces::new(2 * UNREAD, PeerBound::none());
    let unread: Vec<DuplexStream> = (0..UNREAD).map(|_| ask("/a", &answering, &places)).collect();
    // The other tasks run until each waits for its peer.
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    let mut statuses = ["/b", "/healthz"].map(|path| ask(path, &answering, &places)).into_iter();
    let mut read = async || {
        let mut head = [0; 12];
        let mut stream = statuses.next().unwrap();
        stream.read_exact(&mut head).await.unwrap();
        String::from_utf8_lossy(&head[9..]).into_owned()
    };
    let read = [read().await, read().await];
    drop(unread);
    read
}

#[tokio::test]
async fn an_organization_that_reads_no_answer_takes_no_others_room() {
    let own = |path: &str| if path == "/a" { "org_a" } else { "org_b" };
    assert_eq!(statuses(own).await, ["200", "200"]);
    // The control: one share for all.
    assert_eq!(statuses(|_| "org_a").await, ["503", "200"]);
}
