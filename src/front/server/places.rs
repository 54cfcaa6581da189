//! Places for connections: a maximum number, and a maximum per peer. If all are taken, the connection that has waited
//! longest for a request gives way.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::server::peers::PeerBound;

/// The places of a listener.
#[derive(Debug)]
pub struct ConnectionPlaces {
    most: usize,
    peers: PeerBound,
    taken: Mutex<Taken>,
    ended: AtomicU64,
}

#[derive(Debug, Default)]
struct Taken {
    next: u64,
    /// The peer of each connection with a place; `None` if its peer has no bound.
    held: HashMap<u64, Option<IpAddr>>,
    of_peer: HashMap<IpAddr, usize>,
    /// Connections waiting for a request, longest first.
    waiting: BTreeMap<u64, (u64, Arc<Notify>)>,
}

impl Taken {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn give_back(&mut self, id: u64) {
        let Some(Some(peer)) = self.held.remove(&id) else { return };
        if let Some(count) = self.of_peer.get_mut(&peer) {
            *count -= 1;
            if *count == 0 {
                self.of_peer.remove(&peer);
            }
        }
    }
}

/// The place of a connection, given back when it is dropped.
#[derive(Debug)]
pub struct ConnectionPlace {
    places: Arc<ConnectionPlaces>,
    id: u64,
    is_wanted: Arc<Notify>,
}

/// Why a connection gets no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlace {
    /// All are taken, and none waits for a request.
    Full,
    /// Its peer has reached its bound.
    PeerHasEnough,
}

/// A place, and whether another connection gave way for it.
pub type Entered = (ConnectionPlace, bool);

impl ConnectionPlaces {
    /// `most` places, with the bound `peers` for each peer.
    #[must_use]
    pub fn new(most: usize, peers: PeerBound) -> Arc<Self> {
        Arc::new(Self { most, peers: peers.within(most), taken: Mutex::default(), ended: AtomicU64::new(0) })
    }

    /// Takes a place for a connection of `peer`.
    ///
    /// # Errors
    /// Returns an error if there is none for it.
    pub fn enter(self: &Arc<Self>, peer: IpAddr) -> Result<Entered, NoPlace> {
        let counted = self.peers.bound(peer).map(|bound| (group(peer), bound));
        let mut taken = self.lock();
        if let Some((peer, bound)) = counted
            && taken.of_peer.get(&peer).is_some_and(|&count| count >= bound)
        {
            return Err(NoPlace::PeerHasEnough);
        }
        let is_full = taken.held.len() >= self.most;
        if is_full {
            let (_, (id, is_wanted)) = taken.waiting.pop_first().ok_or(NoPlace::Full)?;
            taken.give_back(id);
            is_wanted.notify_one();
        }
        let id = taken.number();
        taken.held.insert(id, counted.map(|(peer, _)| peer));
        if let Some((peer, _)) = counted {
            *taken.of_peer.entry(peer).or_default() += 1;
        }
        drop(taken);
        Ok((ConnectionPlace { places: Arc::clone(self), id, is_wanted: Arc::default() }, is_full))
    }

    /// Returns the number of connections that ended since the last call.
    pub(crate) fn take_ended(&self) -> u64 {
        self.ended.swap(0, Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionPlace {
    /// Marks the connection as waiting for a request, until the result is dropped.
    #[must_use]
    pub fn wait(&self) -> Waiting<'_> {
        let mut taken = self.places.lock();
        let since = taken.number();
        // A connection that gave way has no place to lose.
        if taken.held.contains_key(&self.id) {
            taken.waiting.insert(since, (self.id, Arc::clone(&self.is_wanted)));
        }
        Waiting { place: self, since }
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.places.lock().give_back(self.id);
        self.places.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// A connection that waits for a request.
#[derive(Debug)]
pub struct Waiting<'p> {
    place: &'p ConnectionPlace,
    since: u64,
}

impl Waiting<'_> {
    /// Returns when the place was given to another connection: this one must end.
    pub async fn gave_way(&self) {
        self.place.is_wanted.notified().await;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.place.places.lock().waiting.remove(&self.since);
    }
}

/// The unit counted as one peer: an IPv4 address, or a /64 network of IPv6, which one subscriber gets whole.
fn group(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::peers::PeerNetwork;

    const A: &str = "203.0.113.7";
    const B: &str = "198.51.100.9";

    fn enter(places: &Arc<ConnectionPlaces>, peer: &str) -> Result<Entered, NoPlace> {
        places.enter(peer.parse().unwrap())
    }

    /// Opens `enough` silent connections of one peer and then one of another; returns whether that one gets in.
    fn others_get_in(peers: PeerBound, enough: usize) -> bool {
        let places = ConnectionPlaces::new(8, peers);
        let held: Vec<_> = (0..enough).map(|_| enter(&places, A)).collect();
        let other = enter(&places, B).is_ok();
        assert_eq!(held.len(), enough);
        other
    }

    #[test]
    fn one_peer_never_takes_all_places_and_without_the_bound_it_does() {
        let bound = PeerBound::new(100, Vec::new());
        assert!(others_get_in(bound, 50));
        // Control: the same connections without the bound; they are all at work, so none gives way.
        assert!(!others_get_in(PeerBound::none(), 50));
    }

    #[test]
    fn peers_are_counted_by_address_or_network_and_those_named_are_not() {
        let proxies = vec!["192.0.2.0/24".parse().unwrap(), "2001:db8:9::1".parse().unwrap()];
        let places = ConnectionPlaces::new(100, PeerBound::new(2, proxies));
        for (first, others, is_bound) in [
            (A, [A, A], true),
            ("2001:db8::1", ["2001:db8::2", "2001:db8::3:4:5"], true),
            ("::ffff:203.0.113.8", ["203.0.113.8", "::ffff:203.0.113.8"], true),
            ("127.0.0.1", ["127.0.0.1", "127.0.0.1"], false),
            ("::1", ["::1", "::1"], false),
            ("192.0.2.3", ["192.0.2.3", "::ffff:192.0.2.3"], false),
            ("2001:db8:9::1", ["2001:db8:9::1", "2001:db8:9::1"], false),
        ] {
            let held = enter(&places, first).unwrap();
            let second = enter(&places, others[0]).unwrap();
            let third = enter(&places, others[1]);
            assert_eq!(third.is_err(), is_bound, "{first}");
            drop((held, second, third));
            assert!(enter(&places, first).is_ok(), "{first}");
        }
        let taken = places.lock();
        assert!(taken.held.is_empty() && taken.of_peer.is_empty() && taken.waiting.is_empty());
        drop(taken);
        assert!("10.0.0.0/33".parse::<PeerNetwork>().is_err());
    }

    /// Opens three silent connections on three places, then a fourth; returns whether it gets in.
    fn a_newcomer_gets_in(says_that_it_waits: bool) -> bool {
        let places = ConnectionPlaces::new(3, PeerBound::none());
        let held = [(); 3].map(|()| enter(&places, A).unwrap().0);
        let waiting: Vec<_> = held.iter().filter(|_| says_that_it_waits).map(ConnectionPlace::wait).collect();
        let gets_in = enter(&places, B).is_ok();
        drop(waiting);
        gets_in
    }

    #[test]
    fn silent_connections_keep_nobody_out_and_those_that_never_say_that_they_wait_do() {
        assert!(a_newcomer_gets_in(true));
        // The control: connections as they were served before.
        assert!(!a_newcomer_gets_in(false));
    }

    #[tokio::test]
    async fn the_connection_that_waited_longest_gives_way_and_a_busy_one_never_does() {
        let places = ConnectionPlaces::new(3, PeerBound::none());
        let [(busy, _), (old, _), (young, _)] = [(); 3].map(|()| enter(&places, A).unwrap());
        assert_eq!(enter(&places, A).err(), Some(NoPlace::Full));
        // `young` has had its place for longer than it has waited.
        let (old_waits, young_waits) = (old.wait(), young.wait());
        let (newcomer, made_room) = enter(&places, A).unwrap();
        assert!(made_room);
        old_waits.gave_way().await;
        let not_yet = tokio::time::timeout(std::time::Duration::from_millis(20), young_waits.gave_way());
        assert!(not_yet.await.is_err());
        drop(old_waits);
        drop(old);
        assert_eq!(places.lock().held.len(), 3);
        let second = enter(&places, A).unwrap();
        young_waits.gave_way().await;
        assert_eq!(enter(&places, A).err(), Some(NoPlace::Full));
        drop(young_waits);
        drop((busy, young, newcomer, second));
        assert!(places.lock().held.is_empty());
    }
}
