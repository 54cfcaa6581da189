//! A file as a page sends it: its name in a header, its bytes as the body, handed on piece by piece.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName};
use http_body_util::BodyExt;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::timeout;

use crate::api::body::discard;
use crate::api::error::ApiError;
use crate::exports::service::Arrived;
use crate::limits::BODY_DEADLINE;

/// The header with the name of the file: a text of JSON, in ASCII.
const NAME: HeaderName = HeaderName::from_static("kith-file");
/// The most bytes of a name.
const NAME_BYTES_MAX: usize = 200;
/// The pieces that wait to be written.
const WAITING_MAX: usize = 4;

/// The name of the file that is sent, without folders.
///
/// # Errors
/// Returns an error if there is none, or it cannot be the name of a file.
pub(super) fn sent_name(headers: &HeaderMap) -> Result<String, ApiError> {
    let expected = format!("the name of a file of 1 to {NAME_BYTES_MAX} bytes, as a text of JSON");
    let sent = headers.get(NAME).and_then(|sent| sent.to_str().ok());
    let sent = sent.ok_or_else(|| ApiError::missing(NAME.as_str(), &expected[..]))?;
    let whole: Option<String> = serde_json::from_str(sent).ok();
    let name = whole.as_deref().and_then(|name| name.rsplit(['/', '\\']).next()).map(str::trim);
    let is_name = |name: &&str| {
        (1..=NAME_BYTES_MAX).contains(&name.len())
            && !name.starts_with('.')
            && !name.contains(char::is_control)
    };
    name.filter(is_name).map(str::to_owned).ok_or_else(|| ApiError::invalid(NAME.as_str(), sent, expected))
}

/// The pieces of `body` for a thread that may block, and the work of sending them there. If the body breaks off there is no end
/// among them.
pub(super) fn pieces(body: Body) -> (Receiver<Arrived<Bytes>>, impl Future<Output = Result<(), ApiError>>) {
    let (sender, receiver) = channel(WAITING_MAX);
    let sending = async move {
        let mut body = body;
        loop {
            let frame = timeout(BODY_DEADLINE, body.frame()).await.map_err(|_| ApiError::RequestTimeout)?;
            let piece = match frame {
                None => Arrived::End,
                Some(frame) => {
                    let broken = |_| ApiError::missing("the body", "a file that is sent to its end");
                    let Ok(bytes) = frame.map_err(broken)?.into_data() else { continue };
                    Arrived::Piece(bytes)
                }
            };
            let is_end = matches!(piece, Arrived::End);
            if sender.send(piece).await.is_err() {
                // Refused: the sender reads why once the rest is gone.
                discard(body).await;
                return Ok(());
            }
            if is_end {
                return Ok(());
            }
        }
    };
    (receiver, sending)
}
