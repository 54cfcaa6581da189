//! The request to a provider: one deadline over everything, at most one retry, and a bound on the answer.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Method, Request, Response, Uri};
use serde::Deserialize;
use tokio::time::{Instant, sleep, timeout_at};

use crate::language_model::failure::{AnswerFault, DraftFailure};
use crate::language_model::settings::{ProviderSettings, ProviderSettingsError};
use crate::outbound::client::{self, HttpFault};

/// Maximum size of an answer, in bytes.
const ANSWER_BYTES_MAX: usize = 64 << 10;
/// The pause before the retry.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The part of a provider's answer that is read; the rest is ignored.
#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

/// Asks one provider.
#[derive(Debug)]
pub(crate) struct ProviderClient {
    http: client::Client,
    address: Uri,
    authorization: Option<HeaderValue>,
    timeout: Duration,
}

impl ProviderClient {
    /// A client for the provider of `settings`; sends nothing yet.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub(crate) fn new(settings: &ProviderSettings) -> Result<Self, ProviderSettingsError> {
        let http = client::Client::new().map_err(|_| ProviderSettingsError::Tls)?;
        Ok(Self {
            http,
            address: settings.address.clone(),
            authorization: settings.key.as_ref().map(|key| key.header()),
            timeout: settings.timeout,
        })
    }

    /// The text of the model's answer to `body`.
    ///
    /// # Errors
    /// Returns an error if there is none within the deadline, whatever the reason.
    pub(crate) async fn complete(&self, body: Vec<u8>) -> Result<String, DraftFailure> {
        let start = Instant::now();
        let whole = self.answer(body.into(), start);
        let answer = timeout_at(start + self.timeout, whole).await.unwrap_or(Err(DraftFailure::Late))?;
        content(&answer)
    }

    async fn answer(&self, body: Bytes, start: Instant) -> Result<Bytes, DraftFailure> {
        let mut sent = self.send(body.clone()).await;
        if is_worth_a_retry(&sent) && start.elapsed() < self.timeout / 2 {
            sleep(RETRY_PAUSE).await;
            sent = self.send(body).await;
        }
        let response = sent.map_err(failure_of)?;
        if !response.status().is_success() {
            return Err(DraftFailure::Refused { status: response.status().as_u16() });
        }
        client::read(response.into_body(), ANSWER_BYTES_MAX).await.map_err(failure_of)
    }

    async fn send(&self, body: Bytes) -> Result<Response<Incoming>, HttpFault> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.address.clone();
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        self.http.send(request).await
    }
}

/// Whether an immediate retry may succeed: nothing was sent, or the provider had no capacity and did not ask for a
/// pause.
fn is_worth_a_retry(sent: &Result<Response<Incoming>, HttpFault>) -> bool {
    match sent {
        Err(fault) => *fault == HttpFault::Unconnected,
        Ok(response) => {
            let asks_to_wait = response.headers().get(RETRY_AFTER).is_some_and(|wait| wait != "0");
            matches!(response.status().as_u16(), 429 | 503) && !asks_to_wait
        }
    }
}

fn failure_of(fault: HttpFault) -> DraftFailure {
    match fault {
        HttpFault::Unconnected | HttpFault::Untrusted | HttpFault::Broken => DraftFailure::Unreachable,
        HttpFault::NotHttp => DraftFailure::Malformed(AnswerFault::NotHttp),
        HttpFault::TooLong => DraftFailure::TooLarge,
    }
}

fn content(answer: &[u8]) -> Result<String, DraftFailure> {
    let completion: Completion = serde_json::from_slice(answer).map_err(|error| {
        DraftFailure::Malformed(if error.is_data() { AnswerFault::NoContent } else { AnswerFault::NotJson })
    })?;
    let first = completion.choices.into_iter().next();
    first.and_then(|choice| choice.message.content).ok_or(DraftFailure::Malformed(AnswerFault::NoContent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_of_the_first_choice_is_the_answer() {
        let no_content = Err(DraftFailure::Malformed(AnswerFault::NoContent));
        let not_json = Err(DraftFailure::Malformed(AnswerFault::NotJson));
        for (answer, read) in [
            (
                r#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"a"}},7]}"#,
                no_content.clone(),
            ),
            (
                r#"{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}],"usage":{}}"#,
                Ok("a".to_owned()),
            ),
            (r#"{"choices":[{"message":{"content":null,"refusal":"no"}}]}"#, no_content.clone()),
            (r#"{"choices":[{"message":{"content":["a"]}}]}"#, no_content.clone()),
            (r#"{"choices":[]}"#, no_content.clone()),
            (r#"{"error":{"message":"no"}}"#, no_content.clone()),
            ("[]", no_content.clone()),
            ("7", no_content),
            ("", not_json.clone()),
            ("<html>", not_json.clone()),
            ("{\"choices\":", not_json.clone()),
            ("\u{feff}{}", not_json),
        ] {
            assert_eq!(content(answer.as_bytes()), read, "{answer}");
        }
    }
}
