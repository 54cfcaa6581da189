//! Sends the requests of an object store with the program's own client.

use async_trait::async_trait;
use http_body_util::{BodyExt, Full};
use hyper::Uri;
use object_store::client::{
    ClientConfigKey, ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest,
    HttpResponse, HttpResponseBody, HttpService,
};

use crate::limits::CELL_ANSWER_MAX;
use crate::outbound::address::is_exposed;
use crate::outbound::client::{Client, HttpFault, NoTls};

/// Gives a store our client.
#[derive(Debug)]
pub(super) struct OwnConnector;

/// Our client, as the store library calls it.
#[derive(Debug)]
struct OwnService {
    client: Client,
    /// Whether requests may go to other machines over http.
    may_be_exposed: bool,
}

/// Why a request got no answer.
#[derive(Debug, thiserror::Error)]
enum Unanswered {
    #[error("there is no connection")]
    Unconnected,
    #[error(
        "no authority that is trusted vouches for the certificate; SSL_CERT_FILE names those of your own"
    )]
    Untrusted,
    #[error("the connection broke")]
    Broken,
    #[error("what answers does not speak HTTP")]
    NotHttp,
    #[error("there is no answer within {} s", CELL_ANSWER_MAX.as_secs())]
    Slow,
    #[error(
        "{0} is not asked by http: anybody on the way could read and change snapshots (set AWS_ALLOW_HTTP=true, or the variable of your store, if that is meant)"
    )]
    Exposed(Uri),
}

impl HttpConnector for OwnConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = Client::new()
            .map_err(|NoTls| object_store::Error::NotSupported { source: "TLS cannot be set up".into() })?;
        let allowed = options.get_config_value(&ClientConfigKey::AllowHttp);
        Ok(HttpClient::new(OwnService { client, may_be_exposed: allowed.as_deref() == Some("true") }))
    }
}

#[async_trait]
impl HttpService for OwnService {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        if !self.may_be_exposed && is_exposed(request.uri()) {
            return Err(HttpError::new(HttpErrorKind::Unknown, Unanswered::Exposed(request.uri().clone())));
        }
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let sent = self.client.send(hyper::Request::from_parts(head, Full::new(body)));
        let answer = match tokio::time::timeout(CELL_ANSWER_MAX, sent).await {
            Err(_) => return Err(HttpError::new(HttpErrorKind::Timeout, Unanswered::Slow)),
            Ok(answer) => answer.map_err(fault)?,
        };
        let (head, body) = answer.into_parts();
        let body = body.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error));
        Ok(HttpResponse::from_parts(head, HttpResponseBody::new(body)))
    }
}

fn fault(fault: HttpFault) -> HttpError {
    match fault {
        HttpFault::Unconnected => HttpError::new(HttpErrorKind::Connect, Unanswered::Unconnected),
        HttpFault::Untrusted => HttpError::new(HttpErrorKind::Connect, Unanswered::Untrusted),
        HttpFault::Broken => HttpError::new(HttpErrorKind::Interrupted, Unanswered::Broken),
        HttpFault::NotHttp | HttpFault::TooLong => HttpError::new(HttpErrorKind::Decode, Unanswered::NotHttp),
    }
}
