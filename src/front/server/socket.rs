//! Listening sockets.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

use crate::limits::CONNECTION_BACKLOG_MAX;
use crate::system;

/// Listens on `address`; port 0 takes a free one.
///
/// # Errors
/// Returns an error that names the address if it is taken or not available.
pub fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let listen = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(system::TAKES_ENDING_ADDRESSES)?;
        socket.bind(address)?;
        socket.listen(CONNECTION_BACKLOG_MAX)
    };
    listen()
        .map_err(|error| std::io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
}
