//! Compression of answers, for callers that ask for it (RFC 9110, section 12.5.3).
//!
//! A body is one piece of memory, so it is compressed in one piece, not streamed. The compressed size reveals nothing
//! that the caller may not read: no body ever contains a credential.

use std::io::{self, Write};

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::api::error::ApiError;
use crate::api::marks::{Cause, SharedBody};
use crate::model::named::named;

/// Shorter bodies are sent uncompressed: they fit one packet either way.
const BODY_BYTES_MIN: u64 = 1024;

/// Hexadecimal digits of the hash in a validator.
const TAG_DIGITS: usize = 32;

/// Answers take microseconds, so compression is most of their cost. This level compresses 8 KB to 22 % in 25
/// microseconds; level 5 to 21 % in 68.
const ZSTD_LEVEL: i32 = 1;
/// Likewise: to 25 % in 44 microseconds; level 6 to 21 % in 120.
const GZIP_LEVEL: u32 = 1;

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Zstd,
    Gzip,
}

named! {
    /// All codings, our preferred one first, with their names in headers.
    Coding {
        Zstd = "zstd",
        Gzip = "gzip",
    }
}

impl Coding {
    fn pack(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Zstd => zstd::bulk::compress(bytes, ZSTD_LEVEL),
            Self::Gzip => {
                let packed = Vec::with_capacity(bytes.len() / 2);
                let mut encoder = GzEncoder::new(packed, Compression::new(GZIP_LEVEL));
                encoder.write_all(bytes)?;
                encoder.finish()
            }
        }
    }
}

/// Answers `request` with `next`, compressed in the caller's preferred coding.
///
/// Bodies below 1 KiB, already compressed ones, and those of [`PackedOnce`] are sent as they are.
pub async fn answer(request: Request, next: Next) -> Response {
    let coding = choose(request.headers());
    let mut response = next.run(request).await;
    let is_packed = response.headers().contains_key(header::CONTENT_ENCODING)
        || response.extensions_mut().remove::<Chosen>().is_some();
    let is_long = response.body().size_hint().exact().is_some_and(|bytes| bytes >= BODY_BYTES_MIN);
    if is_packed || !is_long {
        return response;
    }
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    match coding {
        None => response,
        Some(coding) => pack_body(response, coding).await,
    }
}

/// Marks a response whose coding is already chosen.
#[derive(Clone, Copy, Debug)]
struct Chosen;

/// A constant body: compressed once in each coding, so that an answer costs no work.
#[derive(Debug)]
pub struct PackedOnce {
    plain: Representation,
    packed: Vec<(Coding, Representation)>,
}

/// A body as sent, and its strong validator (RFC 9110, section 8.8.3).
#[derive(Debug)]
struct Representation {
    bytes: Bytes,
    tag: String,
}

impl Representation {
    fn of(bytes: Bytes, beside: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&bytes).update(beside.as_bytes());
        Self { bytes, tag: quoted(&hasher) }
    }
}

fn quoted(hasher: &blake3::Hasher) -> String {
    format!("\"{}\"", &hasher.finalize().to_hex()[..TAG_DIGITS])
}

impl PackedOnce {
    /// Compresses `plain`. A coding that fails is not offered.
    #[must_use]
    pub fn of(plain: Vec<u8>) -> Self {
        Self::beside(plain, "")
    }

    /// Like [`Self::of`]; a body with another header `beside` it is another one, since browsers keep such a header from the
    /// answer that had the body.
    #[must_use]
    pub fn beside(plain: Vec<u8>, beside: &str) -> Self {
        let pack =
            |coding: Coding| Some((coding, Representation::of(coding.pack(&plain).ok()?.into(), beside)));
        let packed = Coding::ALL.into_iter().filter_map(pack).collect();
        Self { packed, plain: Representation::of(plain.into(), beside) }
    }

    /// Answers a request with `headers`, with content type `kind`, in the caller's preferred coding; 304 without a body
    /// if the caller already has these bytes (`If-None-Match`).
    pub fn answer(&self, headers: &HeaderMap, kind: &'static str) -> Response {
        let wanted = choose(headers);
        let packed = self.packed.iter().find(|(coding, _)| wanted == Some(*coding));
        let coding = packed.map(|(coding, _)| coding);
        let Representation { bytes, tag } = packed.map_or(&self.plain, |(_, packed)| packed);
        let mut response = if has_current(headers, tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let mut response = Response::new(Body::from(bytes.clone()));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
            if let Some(coding) = coding {
                let name = HeaderValue::from_static(coding.name());
                response.headers_mut().insert(header::CONTENT_ENCODING, name);
            }
            response
        };
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        if let Ok(tag) = HeaderValue::from_str(tag) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        response.extensions_mut().insert(Chosen);
        response.extensions_mut().insert(SharedBody);
        response
    }
}

/// A validator in quotes for what is made of `parts`.
pub(crate) fn tag_of(parts: &str) -> String {
    quoted(blake3::Hasher::new().update(parts.as_bytes()))
}

/// Whether `If-None-Match` names `tag`, or `*`; weak tags count as strong ones (RFC 9110, section 13.1.2).
pub(crate) fn has_current(headers: &HeaderMap, tag: &str) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    let mut tags = lines.flat_map(|line| line.split(',')).map(str::trim);
    tags.any(|sent| sent == "*" || sent.strip_prefix("W/").unwrap_or(sent) == tag)
}

async fn pack_body(response: Response, coding: Coding) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.map_err(io::Error::other);
    match bytes.and_then(|bytes| coding.pack(&bytes)) {
        Ok(packed) => {
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
            // The layer that sends the body sets it again.
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(packed))
        }
        Err(error) => {
            let mut response = ApiError::Internal.into_response();
            response.extensions_mut().insert(Cause(format!("an answer could not be packed: {error}")));
            response
        }
    }
}

/// The coding that the caller prefers; `None` if the caller accepts none, or none that we support.
///
/// Without the header any coding would be allowed, but such a caller may be unable to decompress. If the caller refuses
/// every coding we have, the plain answer serves better than an error.
fn choose(headers: &HeaderMap) -> Option<Coding> {
    let asked = CodingWeights::read(headers);
    let weight = |coding: &Coding| asked.weight(coding.name());
    // The last of equal weights wins, so our preferred coding comes last.
    let best = Coding::ALL.into_iter().rev().max_by_key(weight)?;
    // A plain answer without a weight is accepted too, but the caller asked for a compressed one.
    let plain = asked.weight("identity");
    Some(best).filter(|best| weight(best) > 0 && weight(best) >= plain)
}

/// The weights of an `Accept-Encoding` header, in thousandths, by lower-cased name.
#[derive(Debug)]
struct CodingWeights(Vec<(String, u16)>);

impl CodingWeights {
    /// Reads the header, on one line or several; skips elements it cannot parse.
    fn read(headers: &HeaderMap) -> Self {
        let lines = headers.get_all(header::ACCEPT_ENCODING).iter();
        let elements = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
        Self(elements.filter_map(read_element).collect())
    }

    /// The weight of a coding, 0 to 1000; a coding that is not named has the weight of `*`. 0 means refused.
    fn weight(&self, name: &str) -> u16 {
        self.named(name).or_else(|| self.named("*")).unwrap_or(0)
    }

    fn named(&self, name: &str) -> Option<u16> {
        self.0.iter().find(|(sent, _)| sent == name).map(|&(_, weight)| weight)
    }
}

/// Parses `gzip`, or `gzip;q=0.5`. The old name `x-gzip` means the same.
fn read_element(element: &str) -> Option<(String, u16)> {
    let (name, weight) = match element.split_once(';') {
        None => (element, 1000),
        Some((name, parameter)) => {
            let (key, value) = parameter.trim().split_at_checked(2)?;
            (name, read_weight(value).filter(|_| key.eq_ignore_ascii_case("q="))?)
        }
    };
    let name = name.trim().to_ascii_lowercase();
    Some((if name == "x-gzip" { "gzip".to_owned() } else { name }, weight))
}

/// Parses `0` to `1`, with at most three decimals, in thousandths.
fn read_weight(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_well_formed = decimals.len() <= 3 && decimals.bytes().all(|byte| byte.is_ascii_digit());
    let thousandths: u16 = format!("{decimals:0<3}").parse().ok().filter(|_| is_well_formed)?;
    match (whole, thousandths) {
        ("0", thousandths) => Some(thousandths),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Arc;
    use std::time::Duration;

    use axum::Router;
    use axum::http::{Method, StatusCode};
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;
    use crate::api::metrics::Metrics;
    use crate::api::router::finish;

    #[test]
    fn the_coding_the_caller_likes_best_is_chosen() {
        let (zstd, gzip) = (Some(Coding::Zstd), Some(Coding::Gzip));
        for (sent, chosen) in [
            (&[][..], None),
            (&[""], None),
            (&["gzip"], gzip),
            (&["GZip"], gzip),
            (&["x-gzip"], gzip),
            (&["zstd"], zstd),
            (&["br, deflate"], None),
            (&["gzip, deflate, br, zstd"], zstd),
            (&["gzip", "zstd"], zstd),
            (&["gzip;q=1, zstd;q=0.9"], gzip),
            (&["gzip ; Q=0.5 ,zstd;q=0.499"], gzip),
            (&["gzip;q=0.001"], gzip),
            (&["gzip;q=0"], None),
            (&["gzip;q=0, zstd;q=0.000"], None),
            (&["*"], zstd),
            (&["*;q=0"], None),
            (&["gzip, *;q=0"], gzip),
            (&["zstd;q=0, *"], gzip),
            (&["identity"], None),
            (&["identity, gzip"], gzip),
            (&["identity, gzip;q=0.9"], None),
            (&["identity;q=0.5, gzip;q=0.9"], gzip),
            (&["gzip;q=0.2, zstd;q=0.2, *;q=0.8"], None),
            (&["identity;q=0"], None),
            (&["identity;q=0, *;q=0.1"], zstd),
            (&["identity;q=0, gzip"], gzip),
            (&["gzip;q=2"], None),
            (&["gzip;q=0.1234, zstd;q=.5"], None),
            (&["gzip;q=1.001, zstd;q=-1"], None),
            (&["gzip;level=1, zstd;q"], None),
            (&["é", " , zstd"], zstd),
            (&["gzipped, zst"], None),
        ] {
            let mut headers = HeaderMap::new();
            for line in sent {
                headers.extend(HeaderValue::from_str(line).map(|line| (header::ACCEPT_ENCODING, line)));
            }
            assert_eq!(choose(&headers), chosen, "{sent:?}");
        }
    }

    /// A body of this length that stays above the minimum when compressed.
    fn text(bytes: u64) -> String {
        (0..bytes).map(|at| char::from(b'a' + (at * at % 23) as u8)).collect()
    }

    fn routes() -> Router {
        let packed = async || ([(header::CONTENT_ENCODING, "br")], text(5000));
        let sized = async || ([(header::CONTENT_LENGTH, "5000")], text(5000));
        let routes = Router::new()
            .route("/short", get(async || text(BODY_BYTES_MIN - 1)))
            .route("/enough", get(async || text(BODY_BYTES_MIN)))
            .route("/long", get(async || ([(header::VARY, "Authorization")], text(50_000))))
            .route("/sized", get(sized))
            .route("/packed", get(packed))
            .route("/long-error", get(async || (StatusCode::BAD_REQUEST, text(5000))));
        let counted = |metrics| finish(routes, Duration::from_secs(5), Arc::new(metrics), None);
        counted(Metrics::new().unwrap())
    }

    async fn ask(method: Method, path: &str, accepted: &str) -> (StatusCode, HeaderMap, Vec<u8>) {
        let request = Request::builder().method(method).uri(path).header("accept-encoding", accepted);
        let Ok(response) = routes().oneshot(request.body(Body::empty()).unwrap()).await;
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        (parts.status, parts.headers, body.to_vec())
    }

    fn unpacked(coding: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        match coding {
            "zstd" => zstd::stream::read::Decoder::new(bytes)?.read_to_end(&mut plain)?,
            _ => flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain)?,
        };
        Ok(plain)
    }

    #[tokio::test]
    async fn what_is_packed_unpacks_to_the_plain_answer() -> io::Result<()> {
        for path in ["/enough", "/long", "/sized", "/long-error"] {
            let (status, plain_headers, plain) = ask(Method::GET, path, "").await;
            assert_eq!(plain_headers.get(header::CONTENT_ENCODING), None, "{path}");
            for coding in ["zstd", "gzip"] {
                let (packed_status, headers, packed) = ask(Method::GET, path, coding).await;
                assert_eq!(packed_status, status, "{path}");
                assert_eq!(headers[header::CONTENT_ENCODING], coding, "{path}");
                assert!(packed.len() < plain.len(), "{path}: {} bytes", packed.len());
                assert_eq!(headers[header::CONTENT_LENGTH], packed.len().to_string(), "{path}");
                assert_eq!(unpacked(coding, &packed)?, plain, "{path}");
                let vary = |headers: &HeaderMap| {
                    headers.get_all(header::VARY).iter().any(|value| value == "Accept-Encoding")
                };
                assert!(vary(&headers) && vary(&plain_headers), "{path}: {headers:?}");
                assert!(path != "/long" || headers[header::VARY] == "Authorization", "{headers:?}");
            }
        }
        Ok(())
    }

    #[tokio::test]
    async fn head_says_the_length_that_get_sends() {
        for accepted in ["", "gzip", "zstd"] {
            for path in ["/short", "/long"] {
                let (_, get, body) = ask(Method::GET, path, accepted).await;
                let (_, head, none) = ask(Method::HEAD, path, accepted).await;
                assert!(none.is_empty() && !body.is_empty());
                assert_eq!(head[header::CONTENT_LENGTH], body.len().to_string(), "{path} {accepted}");
                for name in [header::CONTENT_LENGTH, header::CONTENT_ENCODING, header::VARY] {
                    assert_eq!(head.get(&name), get.get(&name), "{path} {accepted}");
                }
            }
        }
    }

    #[tokio::test]
    async fn short_answers_and_packed_ones_leave_as_they_are() {
        let nowhere = ask(Method::GET, "/nowhere", "").await.2;
        for (path, coding, body) in [
            ("/short", None, text(BODY_BYTES_MIN - 1).into_bytes()),
            ("/packed", Some("br"), text(5000).into_bytes()),
            ("/nowhere", None, nowhere),
        ] {
            let (_, headers, got) = ask(Method::GET, path, "gzip, zstd, identity;q=0").await;
            let said = headers.get(header::CONTENT_ENCODING).and_then(|value| value.to_str().ok());
            assert_eq!((said, got), (coding, body), "{path}");
            assert!(!headers.contains_key(header::VARY), "{path}");
        }
    }
}
