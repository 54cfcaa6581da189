//! Over https, nothing is sent to a provider with an untrusted certificate.
//!
//! The certificate and its key in `tls/` are for this test only: self-signed, for localhost.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

use kith_server::language_model::LanguageModel;
use kith_server::language_model::failure::DraftFailure;
use kith_server::language_model::settings::ProviderSettings;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{
    AlertDescription, ClientConfig, ClientConnection, Error, RootCertStore, ServerConfig, ServerConnection,
    Stream,
};

use crate::language_model::{LONG_MS, ORGANIZATION, SHORT_MS};
use crate::support::stub::{LEGAL, Stub, says};

fn certificate() -> CertificateDer<'static> {
    CertificateDer::from_slice(include_bytes!("tls/certificate.der"))
}

fn server() -> ServerConnection {
    let key = PrivateKeyDer::try_from(include_bytes!("tls/key.der").as_slice()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate()], key)
        .unwrap();
    ServerConnection::new(Arc::new(config)).unwrap()
}

/// The result of one connection: the first byte received, or the error of TLS.
type Heard = Result<u8, Option<Error>>;

/// Takes one connection, and then stops listening.
fn listen() -> (SocketAddr, JoinHandle<Heard>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let hear = move || hear(&mut listener.accept().unwrap().0);
    (address, std::thread::spawn(hear))
}

fn hear(socket: &mut TcpStream) -> Heard {
    let (mut tls, mut byte) = (server(), [0]);
    let heard = Stream::new(&mut tls, socket).read_exact(&mut byte);
    heard
        .map(|()| byte[0])
        .map_err(|error| error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()).cloned())
}

async fn ask(address: SocketAddr, timeout_ms: u64) -> Result<(), DraftFailure> {
    let settings =
        ProviderSettings::new(&format!("https://{address}/v1"), "small", None, timeout_ms).unwrap();
    let model = LanguageModel::new(Some(&settings)).unwrap();
    model.parse(ORGANIZATION, "cfos").await.map(drop)
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_said() {
    let (address, heard) = listen();
    assert_eq!(ask(address, LONG_MS).await, Err(DraftFailure::Unreachable));
    let heard = heard.join().unwrap();
    // That the client leaves may overtake its alert, which says why.
    let unknown = Error::AlertReceived(AlertDescription::UnknownCA);
    assert!(heard.as_ref().is_err_and(|why| why.as_ref().is_none_or(|why| *why == unknown)), "{heard:?}");
}

/// The control: one who trusts that certificate is heard.
#[test]
fn the_same_server_hears_who_trusts_it() {
    let mut roots = RootCertStore::empty();
    roots.add(certificate()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let (address, heard) = listen();
    let mut tls =
        ClientConnection::new(Arc::new(config), ServerName::try_from("localhost").unwrap()).unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    Stream::new(&mut tls, &mut socket).write_all(b"POST").unwrap();
    assert_eq!(heard.join().unwrap(), Ok(b'P'));
}

#[tokio::test]
async fn a_provider_without_tls_gets_no_query_over_https() {
    let stub = Stub::start(&[says(LEGAL)]).await;
    // The stub waits for a head that never comes.
    assert_eq!(ask(stub.address, SHORT_MS).await, Err(DraftFailure::Late));
    assert_eq!(stub.contacts(), 0);
}
