//! The request to a provider: one deadline over everything, one retry at most, a bound on what is read.
//!
//! Redirects are not followed, and proxies that the environment names are not used: what the
//! configuration names is the only address that is ever contacted.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Method, Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use serde::Deserialize;
use tokio::time::{Instant, sleep, timeout_at};

use crate::language_model::failure::{Failure, Reason};
use crate::language_model::settings::{Settings, SettingsError};

/// The longest wait for a connection.
const CONNECT_MAX: Duration = Duration::from_secs(1);
/// The longest answer read, and the longest head of one, in bytes.
const ANSWER_BYTES_MAX: usize = 64 << 10;
/// The pause before the retry.
const RETRY_PAUSE: Duration = Duration::from_millis(50);
/// How long a connection is kept for the next request.
const IDLE_MAX: Duration = Duration::from_secs(30);

/// What an answer of a provider holds that is read; the rest is left alone.
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
pub(crate) struct Client {
    http: legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    address: Uri,
    authorization: Option<HeaderValue>,
    timeout: Duration,
}

impl Client {
    /// A client for the provider of `settings`; contacts nobody yet.
    ///
    /// # Errors
    /// Where TLS cannot be set up.
    pub(crate) fn new(settings: &Settings) -> Result<Self, SettingsError> {
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_MAX)
            .http1_max_buf_size(ANSWER_BYTES_MAX)
            .build(connector()?);
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
    /// Where there is none within the deadline, whatever the reason.
    pub(crate) async fn complete(&self, body: Vec<u8>) -> Result<String, Failure> {
        let start = Instant::now();
        let whole = self.answer(body.into(), start);
        let answer = timeout_at(start + self.timeout, whole).await.unwrap_or(Err(Failure::Late))?;
        content(&answer)
    }

    async fn answer(&self, body: Bytes, start: Instant) -> Result<Bytes, Failure> {
        let mut sent = self.send(body.clone()).await;
        if is_worth_a_retry(&sent) && start.elapsed() < self.timeout / 2 {
            sleep(RETRY_PAUSE).await;
            sent = self.send(body).await;
        }
        let response = sent.map_err(|error| failure_of(&error))?;
        if !response.status().is_success() {
            return Err(Failure::Refused { status: response.status().as_u16() });
        }
        let read = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await;
        read.map(|read| read.to_bytes()).map_err(|error| {
            if error.is::<LengthLimitError>() { Failure::TooLarge } else { Failure::Unreachable }
        })
    }

    async fn send(&self, body: Bytes) -> Result<Response<Incoming>, legacy::Error> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.address.clone();
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        self.http.request(request).await
    }
}

/// TCP, and TLS over it for https, with the roots that the program brings.
fn connector() -> Result<HttpsConnector<HttpConnector>, SettingsError> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECT_MAX));
    Ok(HttpsConnectorBuilder::new()
        .with_provider_and_webpki_roots(rustls::crypto::ring::default_provider())
        .map_err(|_| SettingsError::Tls)?
        .https_or_http()
        .enable_http1()
        .wrap_connector(tcp))
}

/// Whether the same request may fare better at once: nothing was sent, or the provider had no room
/// for it and does not ask for patience.
fn is_worth_a_retry(sent: &Result<Response<Incoming>, legacy::Error>) -> bool {
    match sent {
        Err(error) => error.is_connect(),
        Ok(response) => {
            let asks_to_wait = response.headers().get(RETRY_AFTER).is_some_and(|wait| wait != "0");
            matches!(response.status().as_u16(), 429 | 503) && !asks_to_wait
        }
    }
}

fn failure_of(error: &legacy::Error) -> Failure {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<hyper::Error>());
    if cause.is_some_and(hyper::Error::is_parse) {
        return Failure::Malformed(Reason::NotHttp);
    }
    Failure::Unreachable
}

fn content(answer: &[u8]) -> Result<String, Failure> {
    let completion: Completion = serde_json::from_slice(answer).map_err(|error| {
        Failure::Malformed(if error.is_data() { Reason::NoContent } else { Reason::NotJson })
    })?;
    let first = completion.choices.into_iter().next();
    first.and_then(|choice| choice.message.content).ok_or(Failure::Malformed(Reason::NoContent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_of_the_first_choice_is_the_answer() {
        let no_content = Err(Failure::Malformed(Reason::NoContent));
        let not_json = Err(Failure::Malformed(Reason::NotJson));
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
