//! The certificate authorities trusted by outgoing requests: the built-in ones, and those in the operator's files.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject};

/// The authorities from files, for the whole process.
static OF_FILES: Mutex<Vec<CertificateDer<'static>>> = Mutex::new(Vec::new());

/// Why a file of authorities cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AuthoritiesFault {
    /// It cannot be read, or is not PEM.
    #[error("{}: {cause}", file.display())]
    Unread {
        /// The file.
        file: PathBuf,
        /// The reader's message.
        cause: pem::Error,
    },
    /// It has no certificate of an authority.
    #[error("{}: there is no certificate of an authority in it (PEM)", file.display())]
    None {
        /// The file.
        file: PathBuf,
    },
}

/// Trusts the authorities in the PEM file at `file` from the next client on, in addition to the built-in ones.
///
/// # Errors
/// Returns an error if it cannot be read, or one of its certificates cannot be an authority's; then none is trusted.
pub(crate) fn trust(file: &Path) -> Result<(), AuthoritiesFault> {
    let unread = |cause| AuthoritiesFault::Unread { file: file.to_owned(), cause };
    let certificates = CertificateDer::pem_file_iter(file).map_err(unread)?;
    let certificates: Vec<CertificateDer<'static>> =
        certificates.collect::<Result<_, _>>().map_err(unread)?;
    let mut store = RootCertStore::empty();
    let is_fit = certificates.iter().all(|certificate| store.add(certificate.clone()).is_ok());
    if store.is_empty() || !is_fit {
        return Err(AuthoritiesFault::None { file: file.to_owned() });
    }
    OF_FILES.lock().unwrap_or_else(PoisonError::into_inner).extend(certificates);
    Ok(())
}

pub(super) fn trusted() -> RootCertStore {
    let mut store = RootCertStore::empty();
    store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let of_files = OF_FILES.lock().unwrap_or_else(PoisonError::into_inner).clone();
    store.add_parsable_certificates(of_files);
    store
}
