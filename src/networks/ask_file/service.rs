//! The asks of a service: the copy for requests, the file for writes, and the operator's settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use kith::asks::book::AskBook;
use kith::asks::caps::AskCaps;
use kith::model::time::Timestamp;

use crate::ask_file::error::AskStoreError;
use crate::ask_file::keeper::AskKeeper;
use crate::ask_file::store::AskStore;
use crate::auth::clock::{from_millis, to_millis};
use crate::auth::wrong_codes::WrongCodes;

/// The operator's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskSettings {
    /// The path of the file, or the address of a server.
    pub place: PathBuf,
    /// The caps on how often people are asked.
    pub caps: AskCaps,
    /// Whether requests fail while asks cannot be read; otherwise they are answered without asks.
    pub is_required: bool,
    /// Whether the report names connectors.
    pub names_connectors: bool,
    /// The address by which connectors reach this service, without a final slash.
    pub public_url: Option<String>,
}

impl AskSettings {
    /// The defaults, with the asks at `place`.
    #[must_use]
    pub fn of(place: &Path) -> Self {
        Self {
            place: place.to_owned(),
            caps: AskCaps::default(),
            is_required: true,
            names_connectors: true,
            public_url: None,
        }
    }
}

/// The asks of a service.
#[derive(Debug)]
pub struct AskService {
    /// The settings.
    pub settings: AskSettings,
    /// The file, for changes.
    pub store: AskStore,
    /// The recent wrong codes of links.
    pub wrong_codes: WrongCodes,
    keeper: AskKeeper,
}

impl AskService {
    /// Opens the file in `settings`.
    ///
    /// # Errors
    /// Returns an error if there is none, or it is not a healthy file of this version.
    pub fn open(settings: AskSettings) -> Result<Self, AskStoreError> {
        let keeper = AskKeeper::open(&settings.place)?;
        let store = AskStore::open(&settings.place)?.with_books(keeper.followed());
        Ok(Self { settings, store, wrong_codes: WrongCodes::default(), keeper })
    }

    /// The asks of `org` as they are now; `None` if they cannot be read and are not required.
    ///
    /// # Errors
    /// Returns an error if they are required and cannot be read.
    pub fn book(&self, org: &str) -> Result<Option<Arc<AskBook>>, AskStoreError> {
        match self.keeper.book(org) {
            Ok(book) => Ok(Some(book)),
            Err(error) if self.settings.is_required => Err(error),
            Err(error) => {
                tracing::warn!(%error, "asks cannot be read: requests are answered as without them");
                Ok(None)
            }
        }
    }

    /// Checks that requests can be answered.
    ///
    /// # Errors
    /// Returns the errors of [`Self::book`].
    pub fn check(&self) -> Result<(), AskStoreError> {
        self.book("").map(drop)
    }
}

/// `time`, truncated to milliseconds.
#[must_use]
pub fn moment(time: SystemTime) -> Timestamp {
    from_millis(to_millis(time)).unwrap_or(Timestamp { seconds: 0, nanos: 0 })
}
