//! Answers charged to the byte budget until they are sent.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

use crate::server::budget::Charge;

/// A body that holds `charge` until its last byte is written, or the connection ends.
pub(crate) fn until_written(body: Body, charge: Charge) -> Body {
    Body::new(Charged { body, charge: Arc::new(charge) })
}

struct Charged {
    body: Body,
    charge: Arc<Charge>,
}

/// Bytes of a charged body: hyper drops them when they are written.
struct ChargedBytes {
    bytes: Bytes,
    _charge: Arc<Charge>,
}

impl AsRef<[u8]> for ChargedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl HttpBody for Charged {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let charge = Arc::clone(&self.charge);
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(context));
        let charged = |bytes| Bytes::from_owner(ChargedBytes { bytes, _charge: charge });
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(charged))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;
    use crate::server::budget::ByteBudget;

    #[tokio::test]
    async fn an_answer_is_charged_until_its_bytes_are_gone() {
        let budget = ByteBudget::new(20);
        let body = until_written(Body::from("hello"), budget.take_for_answer("org_a", 5).unwrap());
        assert_eq!(body.size_hint().exact(), Some(5));
        let bytes = body.collect().await.unwrap().to_bytes();
        assert!(bytes == "hello" && budget.take_for_answer("org_a", 1).is_none());
        drop(bytes);
        assert!(budget.take_for_answer("org_a", 5).is_some());
    }
}
