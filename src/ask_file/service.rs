//! The asks of a service: what requests read, the file they are written to, and the operator's settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use kith::asks::book::AskBook;
use kith::asks::caps::AskCaps;
use kith::model::time::Timestamp;

use crate::ask_file::error::AskStoreError;
use crate::ask_file::keeper::AskKeeper;
use crate::ask_file::store::AskStore;
use crate::ask_file::wrong::WrongCodes;
use crate::auth::clock::{from_millis, to_millis};

/// What the operator sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskSettings {
    /// The path of the file, or the address of a server.
    pub place: PathBuf,
    /// How often people are asked.
    pub caps: AskCaps,
    /// Whether requests fail while asks cannot be read; else they are answered as without asks.
    pub is_required: bool,
    /// Whether the report names connectors.
    pub names_connectors: bool,
    /// The address by which connectors reach this service, without a slash at the end.
    pub public_url: Option<String>,
}

impl AskSettings {
    /// The defaults, of the asks at `place`.
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
    /// The wrong codes of links that came lately.
    pub wrong_codes: WrongCodes,
    keeper: AskKeeper,
}

impl AskService {
    /// Opens the file that `settings` name.
    ///
    /// # Errors
    /// Returns an error if there is none, or it is not a healthy file of this version.
    pub fn open(settings: AskSettings) -> Result<Self, AskStoreError> {
        let keeper = AskKeeper::open(&settings.place)?;
        let store = AskStore::open(&settings.place)?.with_books(keeper.followed());
        Ok(Self { settings, store, wrong_codes: WrongCodes::default(), keeper })
    }

    /// The asks of `org` as they are on the disk now; `None` if they cannot be read and need not be.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
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

    /// Passes if requests can be answered.
    ///
    /// # Errors
    /// Returns the errors of [`Self::book`].
    pub fn check(&self) -> Result<(), AskStoreError> {
        self.book("").map(drop)
    }
}

/// `time`, to the millisecond.
#[must_use]
pub fn moment(time: SystemTime) -> Timestamp {
    from_millis(to_millis(time)).unwrap_or(Timestamp { seconds: 0, nanos: 0 })
}
