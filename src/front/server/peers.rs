//! The bound on connections per peer, and the peers that stand for many callers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The bound on concurrent connections of each peer.
#[derive(Clone, Debug)]
pub struct PeerBound {
    /// `usize::MAX` means no bound.
    most: usize,
    exempt: Vec<PeerNetwork>,
}

impl PeerBound {
    /// At most `most` connections per peer, except loopback and `proxies`, behind which all callers share one address.
    /// 0 means no bound.
    #[must_use]
    pub fn new(most: usize, proxies: Vec<PeerNetwork>) -> Self {
        Self { most: if most == 0 { usize::MAX } else { most }, exempt: proxies }
    }

    /// Returns no bound but the number of places.
    #[must_use]
    pub fn none() -> Self {
        Self::new(0, Vec::new())
    }

    /// The same bound, capped at half of `places`, so that one peer never has them all.
    pub(crate) fn within(self, places: usize) -> Self {
        let half = (places / 2).max(1);
        Self { most: if self.most == usize::MAX { self.most } else { self.most.min(half) }, ..self }
    }

    /// The maximum connections of `peer`, if it has a bound.
    pub(crate) fn bound(&self, peer: IpAddr) -> Option<usize> {
        let peer = peer.to_canonical();
        let is_exempt = self.most == usize::MAX
            || peer.is_loopback()
            || self.exempt.iter().any(|network| network.contains(peer));
        (!is_exempt).then_some(self.most)
    }
}

/// An address, or a network such as `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerNetwork {
    /// The first address, as IPv6; an IPv4 address is mapped.
    first: u128,
    /// The number of leading bits, of 128, that all its addresses share.
    bits: u32,
}

/// Why a text is neither an address nor a network.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("it takes addresses and networks, as 10.1.2.3 or 10.0.0.0/8")]
pub struct PeerNetworkError;

impl PeerNetwork {
    fn contains(self, peer: IpAddr) -> bool {
        // Rust does not allow a shift by all bits.
        (self.first ^ mapped(peer)).checked_shr(u128::BITS - self.bits).is_none_or(|differ| differ == 0)
    }
}

fn mapped(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

impl FromStr for PeerNetwork {
    type Err = PeerNetworkError;

    fn from_str(text: &str) -> Result<Self, PeerNetworkError> {
        let (address, prefix) =
            text.trim().split_once('/').map_or((text.trim(), None), |(a, p)| (a, Some(p)));
        let address: IpAddr = address.parse().map_err(|_| PeerNetworkError)?;
        let length = if address.is_ipv4() { Ipv4Addr::BITS } else { Ipv6Addr::BITS };
        let is_digits = |prefix: &str| prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = match prefix {
            None => length,
            Some(prefix) => prefix.parse().ok().filter(|_| is_digits(prefix)).ok_or(PeerNetworkError)?,
        };
        if prefix > length {
            return Err(PeerNetworkError);
        }
        Ok(Self { first: mapped(address), bits: Ipv6Addr::BITS - length + prefix })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_its_addresses_and_no_others() {
        for (network, inside, outside) in [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"),
            ("10.1.2.3", "10.1.2.3", "10.1.2.4"),
            (" 192.0.2.77/24 ", "192.0.2.1", "192.0.3.1"),
            ("0.0.0.0/0", "203.0.113.1", "2001:db8::1"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
            ("2001:db8::1", "2001:db8::1", "2001:db8::2"),
        ] {
            let parsed: PeerNetwork = network.parse().unwrap();
            let holds = |address: &str| parsed.contains(address.parse().unwrap());
            assert!(holds(inside) && !holds(outside), "{network}");
        }
        let all: PeerNetwork = "::/0".parse().unwrap();
        assert!(all.contains("10.0.0.1".parse().unwrap()));
        for text in ["", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/+8", "kith.internal", "10.0.0", "/8"]
        {
            assert!(text.parse::<PeerNetwork>().is_err(), "{text}");
        }
    }
}
