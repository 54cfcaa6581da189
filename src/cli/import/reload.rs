//! Having a running server reload its snapshots, over the operator's listener.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::limits::RELOAD_REQUEST_MAX;
use crate::outbound::address::{self, Address, is_exposed};
use crate::outbound::client::{Client, NoTls, status_of_post};

/// The path asked for if the URL has none.
const RELOAD: &str = "/admin/reload";

/// The server that is to reload.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct ReloadArgs {
    /// The operator's listener of a server that serves the snapshot: it reloads after each import
    #[arg(long, value_name = "URL", requires = "watch", num_args = 0..=1, default_missing_value = "http://127.0.0.1:9090")]
    reload: Option<String>,
    /// The file with the operator's token (admin.token_file), if the server asks for one
    #[arg(long, value_name = "FILE", requires = "reload")]
    reload_token_file: Option<PathBuf>,
}

/// The address and token of a request for a reload.
#[derive(Clone, Debug)]
pub(crate) struct ReloadTarget {
    url: Address,
    token_file: Option<PathBuf>,
}

/// Why a server has not reloaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerReloadError {
    /// It refused a snapshot.
    #[error("{0} refused a snapshot; its log says which, and why")]
    Refused(Address),
    /// It wants another token.
    #[error("{0} asks for the operator's token: name the file with it by --reload-token-file")]
    Token(Address),
    /// It answered otherwise.
    #[error("{url} answers {status}: --reload takes the address of the operator's listener (--admin-listen)")]
    Status { url: Address, status: u16 },
    /// It did not answer in time.
    #[error("{0} does not answer within {seconds} s", seconds = RELOAD_REQUEST_MAX.as_secs())]
    Slow(Address),
    /// It did not answer in HTTP, or not at all.
    #[error("{0} does not answer: start the server, or name its operator's listener by --reload")]
    Unanswered(Address),
    /// The token cannot be read.
    #[error("{file}: the operator's token cannot be read: {why}")]
    TokenFile { file: String, why: String },
}

impl ReloadArgs {
    /// The server that is asked; `None` if none is.
    ///
    /// # Errors
    /// Returns an error if the URL is none, or a token would be sent where others can read it.
    pub(super) fn target(&self) -> Result<Option<ReloadTarget>, &'static str> {
        let new = |text: &String| ReloadTarget::new(text, self.reload_token_file.as_deref());
        self.reload.as_ref().map(new).transpose()
    }
}

impl ReloadTarget {
    /// The server whose operator's listener is at `text`; `token_file` holds the token that it asks for.
    ///
    /// # Errors
    /// Returns an error if the URL is none, or a token would be sent where others can read it.
    pub(crate) fn new(text: &str, token_file: Option<&Path>) -> Result<Self, &'static str> {
        let url = address::parse(text).ok_or("--reload takes an address such as http://127.0.0.1:9090")?;
        if token_file.is_some() && is_exposed(&url) {
            return Err(
                "--reload-token-file goes with https or this machine: a token sent by http to another can be read",
            );
        }
        let url = address::with_default_path(url, RELOAD);
        Ok(Self { url, token_file: token_file.map(Path::to_owned) })
    }

    /// Asks for a reload, and waits for its end.
    ///
    /// # Errors
    /// Returns an error if the server did not reload everything.
    pub(crate) async fn reload(&self) -> Result<(), ServerReloadError> {
        let token = self.token()?;
        let url = || self.url.clone();
        let client = Client::new().map_err(|NoTls| ServerReloadError::Unanswered(url()))?;
        let asked = status_of_post(&client, &self.url, token.as_deref());
        match tokio::time::timeout(RELOAD_REQUEST_MAX, asked).await {
            Err(_) => Err(ServerReloadError::Slow(url())),
            Ok(Err(_)) => Err(ServerReloadError::Unanswered(url())),
            Ok(Ok(200)) => Ok(()),
            Ok(Ok(401)) => Err(ServerReloadError::Token(url())),
            Ok(Ok(422)) => Err(ServerReloadError::Refused(url())),
            Ok(Ok(status)) => Err(ServerReloadError::Status { url: url(), status }),
        }
    }

    /// The operator's token, read anew each time: it may be another one by now.
    fn token(&self) -> Result<Option<String>, ServerReloadError> {
        let Some(file) = &self.token_file else { return Ok(None) };
        let fault = |why: String| ServerReloadError::TokenFile { file: file.display().to_string(), why };
        let text = fs::read_to_string(file).map_err(|error| fault(error.to_string()))?;
        let token = text.trim();
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        if is_token { Ok(Some(token.to_owned())) } else { Err(fault("it holds none".to_owned())) }
    }
}
