//! TLS on the public listener, for a service without a proxy that terminates it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;
use x509_cert::Certificate;
use x509_cert::der::Decode;

use crate::file_system::{Use, closing_command, others_may};

/// A certificate and its key, read from files, and again at each reload.
#[derive(Debug)]
pub struct Tls {
    certificate_file: PathBuf,
    key_file: PathBuf,
    current: ArcSwap<ServerConfig>,
    /// When the certificate in use expires, in seconds since 1970.
    ends: AtomicU64,
}

/// Why a certificate or its key cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file} cannot be used for TLS: {fault}; it takes PEM files that belong together")]
pub struct TlsError {
    file: PathBuf,
    fault: TlsFault,
}

/// The fault of a file.
#[derive(Debug, thiserror::Error)]
enum TlsFault {
    /// It cannot be read, or is not the PEM expected.
    #[error("{0}")]
    Pem(pem::Error),
    /// Users other than its owner and group can read or write the key.
    #[error("every user of this machine may read or write the key, so do `{}`", closing_command("o=", .0))]
    OpenToAll(PathBuf),
    /// The certificate and the key do not match, or one is of an unknown kind.
    #[error("{0}")]
    Pair(rustls::Error),
}

impl Tls {
    /// Reads the certificate chain in `certificate_file` and the key in `key_file`, both PEM. TLS 1.3 and 1.2.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, the two do not belong together, or users other than its owner and
    /// group can read the key.
    pub fn read(certificate_file: &Path, key_file: &Path) -> Result<Self, TlsError> {
        let (config, ends) = configure(certificate_file, key_file)?;
        Ok(Self {
            certificate_file: certificate_file.to_owned(),
            key_file: key_file.to_owned(),
            current: ArcSwap::from_pointee(config),
            ends: AtomicU64::new(ends),
        })
    }

    /// Reads both files again, for later connections.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read`]; the old certificate then stays in use.
    pub fn reload(&self) -> Result<(), TlsError> {
        let (config, ends) = configure(&self.certificate_file, &self.key_file)?;
        self.current.store(Arc::new(config));
        self.ends.store(ends, Ordering::Relaxed);
        Ok(())
    }

    /// When the certificate in use expires, in seconds since 1970.
    #[must_use]
    pub fn ends(&self) -> u64 {
        self.ends.load(Ordering::Relaxed)
    }

    /// Returns the acceptor for a new connection.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.current.load_full())
    }
}

/// The configuration for connections, and when its certificate expires.
fn configure(certificate_file: &Path, key_file: &Path) -> Result<(ServerConfig, u64), TlsError> {
    let refused = |file: &Path, fault| TlsError { file: file.to_owned(), fault };
    let certificates = CertificateDer::pem_file_iter(certificate_file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|cause| refused(certificate_file, TlsFault::Pem(cause)))?;
    let ends = certificates.first().and_then(|own| Certificate::from_der(own).ok());
    let ends = ends.map_or(0, |own| own.tbs_certificate.validity.not_after.to_unix_duration().as_secs());
    let key =
        PrivateKeyDer::from_pem_file(key_file).map_err(|cause| refused(key_file, TlsFault::Pem(cause)))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(certificates, key))
        .map_err(|cause| refused(certificate_file, TlsFault::Pair(cause)))?;
    if fs::metadata(key_file).is_ok_and(|found| others_may(Use::ReadOrWrite, key_file, &found)) {
        return Err(refused(key_file, TlsFault::OpenToAll(key_file.to_owned())));
    }
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok((config, ends))
}
