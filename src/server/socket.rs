//! Listening sockets, and the limit on sockets.

use std::net::SocketAddr;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpSocket};

use crate::limits::CONNECTION_BACKLOG_MAX;

/// Raises the limit on open files as far as the process may. Returns the new limit.
#[must_use]
pub fn raise_descriptors() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
    let limit = if raised { maximum } else { current };
    limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// Listens on `address`; port 0 takes a free one.
///
/// # Errors
/// Returns an error that names the address if it is taken or not available.
pub fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let listen = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(CONNECTION_BACKLOG_MAX)
    };
    listen()
        .map_err(|error| std::io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
}
