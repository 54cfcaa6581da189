//! The bounds that an operator or a caller can notice: on what may be sent, on work, time, connections and memory.
//!
//! Bounds on the work of a request come from the configuration and default to [`Limits::DEFAULT`]; the others are
//! constants. The compiler checks that related bounds agree.
//!
//! Not here, but beside their code: numbers that shape the work but not the answer (block sizes, pauses between
//! attempts), the limits of formats (file headers, schema versions), and the vocabulary of searches (terms of a query,
//! strictness, weights of a rank).

use std::time::Duration;

pub use kith::limits::*;

pub use cells::*;
pub use searches::*;

mod cells;
mod searches;

// --- the work of one request

/// Maximum size of kept answers for each network, in bytes; a small network keeps fewer.
pub const ANSWERS_KEPT_BYTES_MAX: usize = 8 << 20;

// --- what a request may hold

/// Maximum length of a name or search text in a request, in characters.
pub const TEXT_CHARS_MAX: usize = 200;
/// Maximum length of a network search's query, in characters.
pub const QUERY_CHARS_MAX: usize = 1000;
/// Maximum size of an answer, in bytes. No answer of a network whose tables keep their bounds is as long.
pub const ANSWER_BYTES_MAX: usize = 16 << 20;
/// Maximum part of a query that the built-in parser reads, in characters of its folded words. Folding turns a letter of
/// any script into at most three (a Hangul syllable), but a ligature that is a whole sentence into eighteen.
pub const QUERY_FOLDED_CHARS_MAX: usize = 3 * QUERY_CHARS_MAX;
/// How long an export may take to arrive and be read.
pub const EXPORT_DEADLINE: Duration = Duration::from_secs(1_800);
/// The exports that arrive at once.
pub const EXPORTS_AT_ONCE: usize = 4;
/// The most that one organization's colleagues may bring, in bytes on the disk, if the operator names no other bound.
pub const EXPORTS_BYTES_DEFAULT: u64 = 4 << 30;
/// The most colleagues of one organization who bring exports.
pub const EXPORT_PARTS_MAX: usize = 1_000;
/// The most labels, companies and people that a colleague leaves out, each.
pub const EXPORT_RULES_MAX: usize = 1_000;
/// The most rows, files and notes of a report that a colleague is shown.
pub const EXPORT_REPORT_ENTRIES_MAX: usize = 100;
/// How long a colleague's link holds if its maker does not say.
pub const EXPORT_LINK_LIFETIME: Duration = Duration::from_secs(30 * 86_400);
/// The longest head of a request, its first line and headers, in bytes.
pub const HEAD_BYTES_MAX: usize = 16 << 10;
/// Maximum number of headers in a request.
pub const HEAD_FIELDS_MAX: usize = 100;
/// Maximum size of a request body, in bytes.
pub const BODY_BYTES_MAX: usize = 64 << 10;
/// Maximum size of the body of a batch of targets, in bytes.
pub const BATCH_BODY_BYTES_MAX: usize = 1 << 20;
/// Maximum number of bodies of an organization read at once beyond the first [`BODY_BYTES_MAX`] of each.
pub const LONG_BODIES_MAX: usize = 4;
/// Maximum fields of an object in such a body: reading more would be milliseconds of useless work.
pub const OBJECT_FIELDS_MAX: usize = 64;
/// Maximum texts in a list of a body.
pub const LIST_TEXTS_MAX: usize = 10_000;
/// Maximum targets in a batch.
pub const BATCH_TARGETS_MAX: usize = 500;
/// Paths to each target of a batch if the caller gives no `perTarget`.
pub const BATCH_PATHS_DEFAULT: u32 = 3;
/// Maximum paths to each target of a batch.
pub const BATCH_PATHS_MAX: u32 = 10;
/// Maximum number of most asked connectors in the answer to a batch.
pub const BATCH_CONNECTORS_MAX: usize = 50;
/// Maximum size of an answer to an agent, in bytes of JSON, for one of the two copies that the protocol sends.
pub const MCP_ANSWER_BYTES_MAX: usize = 8 << 10;
/// Maximum size of a text of the data in an answer to an agent, in bytes; longer ones are cut.
pub const MCP_TEXT_BYTES_MAX: usize = 160;
/// Maximum entries in an answer to an agent.
pub const MCP_LIMIT_MAX: u32 = 20;
/// Maximum targets in one call by an agent.
pub const MCP_TARGETS_MAX: usize = 25;
/// Bytes of a too long body that are still read and discarded: a caller that is answered while still sending is cut
/// off, and may never read the answer.
pub const BODY_DISCARDED_BYTES_MAX: usize = 8 << 20;

const _: () = assert!(PAGE_LIMIT_DEFAULT <= PAGE_LIMIT_MAX && MCP_LIMIT_MAX <= PAGE_LIMIT_MAX);
const _: () = assert!(MCP_TARGETS_MAX <= BATCH_TARGETS_MAX);
const _: () =
    assert!(BODY_BYTES_MAX <= BATCH_BODY_BYTES_MAX && BATCH_BODY_BYTES_MAX <= BODY_DISCARDED_BYTES_MAX);
const _: () = assert!(BATCH_PATHS_DEFAULT <= BATCH_PATHS_MAX && BATCH_PATHS_MAX <= PAGE_LIMIT_MAX);

// --- the time of a request

/// The deadline for a request body to arrive.
pub const BODY_DEADLINE: Duration = Duration::from_secs(10);
/// The deadline for work on a request, which is then answered with 503; the time for its body comes on top.
pub const REQUEST_DEADLINE: Duration = Duration::from_secs(10);
/// Maximum expected, and maximum actual, wait of a request for a processor before it is shed. Equals the `Retry-After`
/// of the answer.
pub const PERMIT_WAIT_MAX: Duration = Duration::from_secs(1);
/// Maximum wait of a request for the changes between two generations, which are computed once for all callers; it is
/// then answered with 503.
pub const CHANGES_WAIT_MAX: Duration = Duration::from_secs(5);
/// With a memory budget for networks, maximum wait of a request for a network to be loaded again; it is then answered
/// with 503.
pub const LOAD_WAIT_MAX: Duration = Duration::from_secs(5);
/// Networks loaded at once.
pub const LOADS_AT_ONCE: usize = 2;
/// Loads run at low priority if a processor has time for them within this long, otherwise at normal priority.
pub const SPARE_WAIT_MAX: Duration = Duration::from_millis(20);
/// Pause after a failed load before it is tried again; meanwhile requests are answered with 503.
pub const LOAD_RETRY_AFTER: Duration = Duration::from_secs(1);
/// Work per turn of computing changes; each turn queues like a request.
pub const CHANGES_TURN: Duration = Duration::from_millis(2);
/// The pause after a turn that was refused, before the next one is requested.
pub const CHANGES_PAUSE: Duration = Duration::from_millis(50);
/// The deadline for a look-up in the relational store, after which the search goes on without it.
pub const STORE_LOOKUP_DEADLINE: Duration = Duration::from_secs(2);
/// The expected time of all other parts of a search.
const SEARCH_TIME: Duration = Duration::from_secs(2);
/// The deadline for each part of a readiness probe, the credentials and the list of the cell; then the answer is
/// `unready`.
pub const READINESS_CHECK_MAX: Duration = Duration::from_secs(2);
/// The deadline for the operator's reload request: long enough to read every snapshot.
pub const RELOAD_DEADLINE: Duration = Duration::from_secs(600);

const _: () = assert!(PERMIT_WAIT_MAX.as_millis() < REQUEST_DEADLINE.as_millis());
const _: () =
    assert!((CHANGES_WAIT_MAX.as_millis() + PERMIT_WAIT_MAX.as_millis()) < REQUEST_DEADLINE.as_millis());
const _: () =
    assert!((LOAD_WAIT_MAX.as_millis() + PERMIT_WAIT_MAX.as_millis()) < REQUEST_DEADLINE.as_millis());
// If both a provider and a store hang, there is still time to answer without them.
const _: () = assert!(
    PROVIDER_TIMEOUT_MS_MAX as u128 + STORE_LOOKUP_DEADLINE.as_millis() + SEARCH_TIME.as_millis()
        < REQUEST_DEADLINE.as_millis()
);

// --- connections

/// Maximum concurrent connections to the API; fewer if the process may not open twice as many files.
pub const CONNECTIONS_MAX: usize = 16_384;
/// Default maximum of concurrent connections to the API per peer; never more than half of all.
pub const CONNECTIONS_PER_PEER: u32 = 1_024;
/// Bytes that each connection may hold besides its share of [`CONNECTIONS_BYTES_MAX`]: a short head, a short answer.
pub const CONNECTION_BYTES: usize = 4 << 10;
/// Maximum bytes that the connections of a listener hold together beyond [`CONNECTION_BYTES`] each: running requests;
/// answers up to half of it, shared by organizations; bodies up to three eighths, shared by organizations, and another
/// eighth without an accepted credential, shared by peers; and incomplete heads up to half of it.
pub const CONNECTIONS_BYTES_MAX: usize = 96 << 20;
/// Bytes charged for a running request: its head, and the buffer that reads its body.
pub const REQUEST_BYTES: usize = 2 * HEAD_BYTES_MAX;
/// Maximum concurrent connections to the operator's listener; fewer if few files may be open.
pub const ADMIN_CONNECTIONS_MAX: usize = 64;
/// Maximum connections waiting to be accepted; beyond this the kernel makes new ones try again.
pub const CONNECTION_BACKLOG_MAX: u32 = 4096;
/// The deadline for a request's head, from its first byte or the connection's start, and for a TLS handshake.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// Maximum idle time between an answer and the next request's first byte. Above the 60 s of many proxies, so that the
/// proxy ends an idle connection.
pub const IDLE_DEADLINE: Duration = Duration::from_secs(75);
/// A peer must take at least [`ANSWER_BYTES_MIN`] of an answer, or the rest of it, in this time.
pub const ANSWER_DEADLINE: Duration = Duration::from_secs(5);
/// See [`ANSWER_DEADLINE`]: 16 KiB a second.
pub const ANSWER_BYTES_MIN: usize = 5 * (16 << 10);
/// Maximum size of the body of the page's log-in, in bytes.
pub const LOGIN_BODY_BYTES_MAX: usize = 8 << 10;
/// How long a refused peer is still read, so that it gets to read the reason.
pub const LINGER_DEADLINE: Duration = Duration::from_secs(2);
/// Maximum wait between a stop signal and closing the listeners (`service.drain_seconds`).
pub const DRAIN_SECONDS_MAX: u32 = 600;
/// The deadline of running requests after SIGTERM or SIGINT.
pub const STOP_DEADLINE: Duration = Duration::from_secs(20);

/// How long to wait for the unread rest of a small body after the answer; then the connection ends.
pub const UNREAD_DEADLINE: Duration = Duration::from_millis(250);
/// Maximum unread rest of a body to read after the answer, in bytes; with a longer one the answer ends the connection.
/// Less than [`BODY_BYTES_MAX`], since hyper and its buffers stay meanwhile.
pub const UNREAD_BYTES_MAX: usize = 4 << 10;
/// How long an idle connection is still read at a stop: a request sent before it is answered.
pub const LAST_CALL: Duration = Duration::from_millis(100);
/// How long a stop waits for a request that has begun to arrive.
pub const STOP_REQUEST_DEADLINE: Duration = Duration::from_secs(4);

const _: () = assert!(UNREAD_BYTES_MAX <= BODY_BYTES_MAX);

const _: () = assert!(ADMIN_CONNECTIONS_MAX <= CONNECTIONS_MAX);
const _: () = assert!(CONNECTION_BYTES < HEAD_BYTES_MAX && TOKEN_BYTES_MAX < HEAD_BYTES_MAX);
const _: () = assert!(
    REQUEST_BYTES + BATCH_BODY_BYTES_MAX + ANSWER_BYTES_MAX < CONNECTIONS_BYTES_MAX / 2,
    "the longest answer fits"
);
const _: () = assert!(
    BODY_DEADLINE.as_millis() + REQUEST_DEADLINE.as_millis() <= STOP_DEADLINE.as_millis(),
    "a request that runs at a stop has the time to end"
);

// --- browsers

/// How long a browser may keep the answer to a preflight, in seconds.
pub const PREFLIGHT_SECONDS: u64 = 600;

/// Default life of a browser's log-in to the page, in seconds: half a day. Its credential is checked at each request.
pub const SESSION_SECONDS_DEFAULT: u64 = 12 * 60 * 60;
/// Minimum life of a log-in, in seconds.
pub const SESSION_SECONDS_MIN: u64 = 5 * 60;
/// Maximum life of a log-in, in seconds: 90 days.
pub const SESSION_SECONDS_MAX: u64 = 90 * 24 * 60 * 60;
/// Maximum ended sessions listed in the store; beyond that all sessions end.
pub const LOGGED_OUT_MAX: usize = 10_000;
/// Maximum size of a credential for the page's log-in, in bytes: sealed and in base64 it fits a cookie.
pub const SESSION_CREDENTIAL_BYTES_MAX: usize = 2_900;
/// Maximum time for a log-in at the identity provider, in seconds.
pub const SIGN_IN_SECONDS: u64 = 10 * 60;
/// Maximum log-ins whose codes are exchanged at once.
pub const SIGN_INS_AT_ONCE: usize = 16;
/// Maximum size of an answer of the identity provider, in bytes.
pub const SIGN_IN_BYTES_MAX: usize = 64 << 10;
/// Maximum wait for such an answer.
pub const SIGN_IN_PATIENCE: Duration = Duration::from_secs(5);
/// Maximum size of a client's secret at the provider, in bytes.
pub const CLIENT_SECRET_BYTES_MAX: usize = 4 << 10;
/// Maximum look-ups waiting to be logged.
pub const LOOK_UPS_WAITING_MAX: usize = 10_000;
/// Maximum size of a day's file of look-ups, in bytes: some seven million.
pub const LOOK_UPS_BYTES_MAX: u64 = 1 << 30;
/// Default number of days to keep look-ups.
pub const LOOK_UPS_DAYS_DEFAULT: u32 = 90;
/// Maximum number of days to keep look-ups: ten years.
pub const LOOK_UPS_DAYS_MAX: u32 = 3_650;
/// The life of an unused link of `kith open`.
pub const LINK_LIFETIME: Duration = Duration::from_secs(10 * 60);
/// Wrong codes after which the link expires.
pub const LINK_GUESSES_MAX: u32 = 20;
/// Maximum files, skipped rows and notes of an import shown on the page, of each; the report file has all.
pub const PAGE_REPORT_ENTRIES_MAX: usize = 1_000;

// --- rates

/// Maximum burst of `[rates]`, and maximum seconds in its headers: the largest integer in a structured header (RFC
/// 9651, section 3.3.1).
pub const RATE_BURST_MAX: u64 = 999_999_999_999_999;
/// New credentials after which full buckets are forgotten; more if more are in use.
pub const RATE_SWEEP_MIN: usize = 1024;

// --- networks in service

/// Maximum wait of a replaced network for its last reader before it is freed anyway: the next reload waits for that.
pub const RETIRE_WAIT_MAX: Duration = Duration::from_secs(30);

const _: () = assert!(
    BODY_DEADLINE.as_millis() + REQUEST_DEADLINE.as_millis() < RETIRE_WAIT_MAX.as_millis(),
    "no request reads for longer"
);

// --- files

/// Maximum size of a suppression list, in bytes: some half a million entries.
pub const SUPPRESSION_LIST_BYTES_MAX: usize = 64 << 20;
/// Maximum size of `kith diff`'s list of targets, in bytes: some million lines.
pub const TARGET_LIST_BYTES_MAX: usize = 64 << 20;
/// Maximum concurrent look-ups in one relational store.
pub const STORE_READERS_MAX: usize = 8;

const _: () = assert!(STORE_READERS_MAX > 0);

// --- repeated imports

/// Seconds between two looks of `kith import --watch` at its folder by default, and the maximum.
pub const IMPORT_POLL_SECONDS: u64 = 5;
/// See [`IMPORT_POLL_SECONDS`].
pub const IMPORT_POLL_SECONDS_MAX: u64 = 3_600;
/// The pause of `kith import --watch` after tables or a snapshot could not be written.
pub const IMPORT_RETRY: Duration = Duration::from_secs(60);
/// Maximum wait of `kith import --reload` for a server's reload.
pub const RELOAD_REQUEST_MAX: Duration = Duration::from_secs(300);

// --- logs

/// Maximum bytes of log lines waiting for stderr, besides as many being written; further lines are dropped.
pub const LOG_WAITING_BYTES_MAX: usize = 1 << 20;
/// Maximum wait of a stop for the last lines to be written.
pub const LOG_STOP_DEADLINE: Duration = Duration::from_secs(1);

/// Maximum wait of `kith health` for an answer: longer than a check of readiness takes.
pub const HEALTH_MAX: Duration = Duration::from_secs(5);

const _: () = assert!(2 * READINESS_CHECK_MAX.as_millis() < HEALTH_MAX.as_millis());

// --- credentials

/// Reserved space on the disk of the credential store, in bytes, so that a key can be revoked when the disk is full.
pub const CREDENTIAL_RESERVE_BYTES: usize = 256 << 10;
/// Maximum size of the list of revocations beside the store, in bytes: more than a million.
pub const REVOCATIONS_BYTES_MAX: usize = 64 << 20;
/// Maximum life of a user token, and of a key that expires, in seconds: a year.
pub const TOKEN_LIFE_SECONDS_MAX: u64 = 365 * 24 * 60 * 60;
/// Maximum size of the operator's token, in bytes, including white space around it.
pub const OPERATOR_TOKEN_BYTES_MAX: usize = 4 << 10;
/// Maximum size of a signed user token, in bytes.
pub const TOKEN_BYTES_MAX: usize = 8 << 10;
/// Tolerance between an issuer's clock and ours, in seconds.
pub const CLOCK_LEEWAY_SECONDS: f64 = 5.0;
/// Maximum size of an issuer's set of keys, in bytes.
pub const JWKS_BYTES_MAX: usize = 1 << 20;
/// Maximum number of keys in it.
pub const JWKS_KEYS_MAX: usize = 100;
/// The deadline for a fetch of an issuer's keys.
pub const JWKS_FETCH_MAX: Duration = Duration::from_secs(5);
/// Maximum wait of a request for a fetch of an issuer's keys; the fetch goes on without it.
pub const JWKS_WAIT_MAX: Duration = Duration::from_secs(2);
/// The pause between two fetches of an issuer's keys after a success.
pub const JWKS_REFRESH_PAUSE: Duration = Duration::from_secs(300);
/// Default time that an issuer's keys stay in force after they were last read, in seconds: a day.
pub const JWKS_AGE_SECONDS_DEFAULT: u64 = 24 * 60 * 60;
/// Minimum of that time, in seconds. Two failed reads do not exceed it.
pub const JWKS_AGE_SECONDS_MIN: u64 = 15 * 60;
/// Maximum of that time, in seconds: 30 days.
pub const JWKS_AGE_SECONDS_MAX: u64 = 30 * 24 * 60 * 60;
/// Maximum configurable distance of a JWT's `exp` from now, in seconds: 100 years.
pub const JWT_LIFE_SECONDS_MAX: u64 = 100 * 365 * 24 * 60 * 60;
/// Default of that distance: issuers differ, and no token is meant to live longer.
pub const JWT_LIFE_SECONDS_DEFAULT: u64 = JWT_LIFE_SECONDS_MAX;
/// The time between two writes of the last uses of credentials.
pub const LAST_USED_PERIOD: Duration = Duration::from_secs(60);
/// The time between two looks for new entries of the audit log: changes and uses of credentials.
pub const AUDIT_PERIOD: Duration = Duration::from_secs(1);
/// The time after which a use of a credential is logged again.
pub const AUDIT_USE_PERIOD: Duration = Duration::from_secs(3_600);

const _: () = assert!(AUDIT_PERIOD.as_millis() <= LAST_USED_PERIOD.as_millis());
const _: () = assert!(2 * JWKS_REFRESH_PAUSE.as_secs() < JWKS_AGE_SECONDS_MIN);
const _: () = assert!(JWKS_WAIT_MAX.as_millis() <= JWKS_FETCH_MAX.as_millis());

// --- the language model's provider

/// Default deadline of a request to the provider, in milliseconds.
pub const PROVIDER_TIMEOUT_MS_DEFAULT: u64 = 2_000;
/// Maximum deadline of a request to the provider, in milliseconds. It leaves the caller's request, with its own
/// deadline, time to be answered without the provider.
pub const PROVIDER_TIMEOUT_MS_MAX: u64 = 5_000;
/// Maximum concurrent provider requests; beyond it the built-in parser answers. An organization gets another place if
/// more are free than it has, so it never has more than half of them.
pub const PROVIDER_REQUESTS_MAX: usize = 64;
/// Consecutive failures of one organization's requests to the provider that open its circuit breaker.
pub const PROVIDER_FAILURES_MAX: u32 = 5;
/// How long the breaker first stays open; this doubles after each failed probe.
pub const PROVIDER_PAUSE_FIRST: Duration = Duration::from_secs(30);
/// Maximum time that the breaker stays open.
pub const PROVIDER_PAUSE_MAX: Duration = Duration::from_secs(300);
/// Maximum parsed queries kept, for all organizations together.
pub const DRAFTS_MAX: usize = 10_000;
/// Maximum size of a folded query whose draft is kept, in bytes; with the bounds of a draft, it limits the memory of
/// all drafts to some 50 MB.
pub const DRAFT_QUERY_BYTES_MAX: usize = 512;
/// The life of a cached draft.
pub const DRAFT_LIFETIME: Duration = Duration::from_secs(3_600);

const _: () = assert!(PROVIDER_TIMEOUT_MS_DEFAULT <= PROVIDER_TIMEOUT_MS_MAX);
const _: () = assert!(PROVIDER_PAUSE_FIRST.as_millis() <= PROVIDER_PAUSE_MAX.as_millis());

// --- traces

/// Maximum spans waiting to be sent; further ones are dropped.
pub const TRACE_QUEUE_SPANS_MAX: usize = 2_048;
/// Maximum wait of a stop for the last spans to be sent.
pub const TRACE_STOP_DEADLINE: Duration = Duration::from_secs(2);
