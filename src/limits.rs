//! The bounds that an operator or a caller can feel: on what may be sent, on work, time, connections and
//! memory.
//!
//! Bounds on the work of a request come from the configuration and default to [`Limits::DEFAULT`]; the
//! others are constants. If two of them have to agree, the compiler holds them to it. Nothing here knows
//! to what the bounds are applied.
//!
//! Not here, but beside their code: numbers that shape the work and leave the answer as it is (block sizes,
//! pauses between attempts), the limits of formats (file headers, schema versions), and the vocabulary of
//! searches (terms of a query, strictness, weights of a rank).

use std::time::Duration;

pub use kith::limits::*;

pub use cells::*;
pub use searches::*;

mod cells;
mod searches;

// --- the work of one request

/// What the answers take that are kept to be given again, in bytes for each network; a small one keeps fewer.
pub const ANSWERS_KEPT_BYTES_MAX: usize = 8 << 20;

// --- what a request may hold

/// The longest name or search text in a request, in characters.
pub const TEXT_CHARS_MAX: usize = 200;
/// The longest query of a network search, in characters.
pub const QUERY_CHARS_MAX: usize = 1000;
/// The longest answer, in bytes. None of a network whose tables were kept to their bounds is as long.
pub const ANSWER_BYTES_MAX: usize = 16 << 20;
/// How much of a query the built-in parser reads, in characters of its folded words. Folding makes up to three of
/// a letter of any script (a Hangul syllable), but eighteen of a ligature that is a whole sentence.
pub const QUERY_FOLDED_CHARS_MAX: usize = 3 * QUERY_CHARS_MAX;
/// The longest head of a request, its first line and headers, in bytes.
pub const HEAD_BYTES_MAX: usize = 16 << 10;
/// The most headers of a request.
pub const HEAD_FIELDS_MAX: usize = 100;
/// The largest request body, in bytes.
pub const BODY_BYTES_MAX: usize = 64 << 10;
/// The largest body of a batch of targets, in bytes.
pub const BATCH_BODY_BYTES_MAX: usize = 1 << 20;
/// The most bodies of an organization that are read at once beyond the first [`BODY_BYTES_MAX`] of each.
pub const LONG_BODIES_MAX: usize = 4;
/// The most fields of an object in such a body: to read more is milliseconds of work for nothing.
pub const OBJECT_FIELDS_MAX: usize = 64;
/// The most texts of a list in a body.
pub const LIST_TEXTS_MAX: usize = 10_000;
/// The most targets of a batch.
pub const BATCH_TARGETS_MAX: usize = 500;
/// Paths to each target of a batch if the caller names no `perTarget`.
pub const BATCH_PATHS_DEFAULT: u32 = 3;
/// The most paths to each target of a batch.
pub const BATCH_PATHS_MAX: u32 = 10;
/// The most connectors that a batch lists as those who are asked most.
pub const BATCH_CONNECTORS_MAX: usize = 50;
/// The longest answer to an agent, in bytes of JSON: one copy, of the two that the protocol sends.
pub const MCP_ANSWER_BYTES_MAX: usize = 8 << 10;
/// The longest text of the data in an answer to an agent, in bytes; a longer one is cut.
pub const MCP_TEXT_BYTES_MAX: usize = 160;
/// The most entries of an answer to an agent.
pub const MCP_LIMIT_MAX: u32 = 20;
/// The most targets of one call by an agent.
pub const MCP_TARGETS_MAX: usize = 25;
/// How much of a body that is too long is read after all and thrown away, in bytes: a caller that is
/// answered while still sending is cut off, and may never read the answer.
pub const BODY_DISCARDED_BYTES_MAX: usize = 8 << 20;

const _: () = assert!(PAGE_LIMIT_DEFAULT <= PAGE_LIMIT_MAX && MCP_LIMIT_MAX <= PAGE_LIMIT_MAX);
const _: () = assert!(MCP_TARGETS_MAX <= BATCH_TARGETS_MAX);
const _: () =
    assert!(BODY_BYTES_MAX <= BATCH_BODY_BYTES_MAX && BATCH_BODY_BYTES_MAX <= BODY_DISCARDED_BYTES_MAX);
const _: () = assert!(BATCH_PATHS_DEFAULT <= BATCH_PATHS_MAX && BATCH_PATHS_MAX <= PAGE_LIMIT_MAX);

// --- the time of a request

/// The deadline for a request body to arrive.
pub const BODY_DEADLINE: Duration = Duration::from_secs(10);
/// Work on a request is given up after this long, and answered with 503; the time for its body comes on top.
pub const REQUEST_DEADLINE: Duration = Duration::from_secs(10);
/// The longest that a request may be expected to wait for a processor, and the longest that it waits; then it
/// is shed. As long as the answer asks the caller to wait (`Retry-After`).
pub const PERMIT_WAIT_MAX: Duration = Duration::from_secs(1);
/// The longest that a request waits for the changes between two generations, which are noted once for all who ask; then
/// it is answered 503.
pub const CHANGES_WAIT_MAX: Duration = Duration::from_secs(5);
/// With a budget for the networks in memory, the longest that a request waits for one that is loaded again; then it is
/// answered 503.
pub const LOAD_WAIT_MAX: Duration = Duration::from_secs(5);
/// How many of them are loaded at once.
pub const LOADS_AT_ONCE: usize = 2;
/// They run when no other thread wants a processor, if one has time for them within this long; else as all other threads do.
pub const SPARE_WAIT_MAX: Duration = Duration::from_millis(20);
/// How long a load that failed is not tried again, while requests are answered 503.
pub const LOAD_RETRY_AFTER: Duration = Duration::from_secs(1);
/// Changes are noted in turns of so much work, each in line as a request is.
pub const CHANGES_TURN: Duration = Duration::from_millis(2);
/// The pause after a turn that did not come, before the next one is asked for.
pub const CHANGES_PAUSE: Duration = Duration::from_millis(50);
/// A look-up in the relational store is given up after this long, and the search goes on without it.
pub const STORE_LOOKUP_DEADLINE: Duration = Duration::from_secs(2);
/// The time that all else of a search is expected to take.
const SEARCH_TIME: Duration = Duration::from_secs(2);
/// How long each look of a probe of readiness may take, at the credentials and at the list of the cell; then it is
/// answered `unready`.
pub const READINESS_CHECK_MAX: Duration = Duration::from_secs(2);
/// How long the operator's request for a reload may take: as long as reading every snapshot does.
pub const RELOAD_DEADLINE: Duration = Duration::from_secs(600);

const _: () = assert!(PERMIT_WAIT_MAX.as_millis() < REQUEST_DEADLINE.as_millis());
const _: () =
    assert!((CHANGES_WAIT_MAX.as_millis() + PERMIT_WAIT_MAX.as_millis()) < REQUEST_DEADLINE.as_millis());
const _: () =
    assert!((LOAD_WAIT_MAX.as_millis() + PERMIT_WAIT_MAX.as_millis()) < REQUEST_DEADLINE.as_millis());
// A provider and a store that both hang leave the time to answer without them.
const _: () = assert!(
    PROVIDER_TIMEOUT_MS_MAX as u128 + STORE_LOOKUP_DEADLINE.as_millis() + SEARCH_TIME.as_millis()
        < REQUEST_DEADLINE.as_millis()
);

// --- connections

/// The most connections to the API at once; fewer if the process may not have twice as many files.
pub const CONNECTIONS_MAX: usize = 16_384;
/// The most connections of one peer to the API at once if the configuration is silent; never more than half of all.
pub const CONNECTIONS_PER_PEER: u32 = 1_024;
/// What each connection may hold beside its share of [`CONNECTIONS_BYTES_MAX`], in bytes: a short head, a short
/// answer.
pub const CONNECTION_BYTES: usize = 4 << 10;
/// The most bytes that the connections of a listener hold together beyond [`CONNECTION_BYTES`] of each: requests that are
/// worked on; answers up to half of it, shared by organizations; bodies up to three eighths, shared by organizations, and one
/// more of those of whom no credential was accepted, shared by peers; and up to half of it heads that are not complete.
pub const CONNECTIONS_BYTES_MAX: usize = 96 << 20;
/// What a request that is worked on takes of it, in bytes: its head, and the buffer that reads its body.
pub const REQUEST_BYTES: usize = 2 * HEAD_BYTES_MAX;
/// The most connections to the operator's listener at once; fewer likewise.
pub const ADMIN_CONNECTIONS_MAX: usize = 64;
/// The most connections that wait to be accepted; beyond this the kernel makes newcomers try again.
pub const CONNECTION_BACKLOG_MAX: u32 = 4096;
/// How long a request's head may take, from its first byte or the connection's beginning; a TLS handshake
/// too.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// How long a connection may be idle between an answer and the next request's first byte. Above the 60 s of
/// many proxies, so that it is the proxy that ends an idle connection.
pub const IDLE_DEADLINE: Duration = Duration::from_secs(75);
/// A peer takes at least [`ANSWER_BYTES_MIN`] of an answer, or the rest of it, in this time.
pub const ANSWER_DEADLINE: Duration = Duration::from_secs(5);
/// See [`ANSWER_DEADLINE`]: 16 KiB a second.
pub const ANSWER_BYTES_MIN: usize = 5 * (16 << 10);
/// The longest body of the page's log-in, in bytes.
pub const LOGIN_BODY_BYTES_MAX: usize = 8 << 10;
/// The time that a refused peer is read on, so that it gets to read why.
pub const LINGER_DEADLINE: Duration = Duration::from_secs(2);
/// The longest that a stop waits before the listeners close (`service.drain_seconds`).
pub const DRAIN_SECONDS_MAX: u32 = 600;
/// The deadline of running requests after SIGTERM or SIGINT.
pub const STOP_DEADLINE: Duration = Duration::from_secs(20);

/// How long the rest of a small body is waited for if the answer was made without it; then the connection ends.
pub const UNREAD_DEADLINE: Duration = Duration::from_millis(250);
/// How much is read of the rest of a body if the answer was made without it, in bytes; of a longer one the answer
/// says that the connection ends. Less than [`BODY_BYTES_MAX`], since hyper and its buffers are there meanwhile.
pub const UNREAD_BYTES_MAX: usize = 4 << 10;
/// How long a connection that waits for a request is still read at a stop: what was sent before it is answered.
pub const LAST_CALL: Duration = Duration::from_millis(100);
/// How long a request that has begun to come is waited for at a stop.
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

/// How long a browser is logged in to the page if the operator says nothing, in seconds: a working day. The credential
/// behind it is checked at each request.
pub const SESSION_SECONDS_DEFAULT: u64 = 12 * 60 * 60;
/// The shortest time that it can be, in seconds.
pub const SESSION_SECONDS_MIN: u64 = 5 * 60;
/// The longest time that it can be, in seconds: 90 days.
pub const SESSION_SECONDS_MAX: u64 = 90 * 24 * 60 * 60;
/// Sessions of the page that ended by a log-out and are kept apart, in the store; of more, all sessions end.
pub const LOGGED_OUT_MAX: usize = 10_000;
/// The longest credential that one can log in with, in bytes: sealed and in base64 it fits a cookie.
pub const SESSION_CREDENTIAL_BYTES_MAX: usize = 2_900;
/// How long a log-in at the identity provider may take, in seconds.
pub const SIGN_IN_SECONDS: u64 = 10 * 60;
/// The most log-ins whose codes are exchanged at once.
pub const SIGN_INS_AT_ONCE: usize = 16;
/// The longest answer of the identity provider, in bytes.
pub const SIGN_IN_BYTES_MAX: usize = 64 << 10;
/// The longest wait for one.
pub const SIGN_IN_PATIENCE: Duration = Duration::from_secs(5);
/// The longest secret of a client of it, in bytes.
pub const CLIENT_SECRET_BYTES_MAX: usize = 4 << 10;
/// The most look-ups that wait to be logged.
pub const LOOK_UPS_WAITING_MAX: usize = 10_000;
/// The longest file of a day's look-ups, in bytes: some seven million.
pub const LOOK_UPS_BYTES_MAX: u64 = 1 << 30;
/// How many days look-ups are kept if the operator says nothing.
pub const LOOK_UPS_DAYS_DEFAULT: u32 = 90;
/// The most days for which they can be kept: ten years.
pub const LOOK_UPS_DAYS_MAX: u32 = 3_650;
/// The life of the link of `kith open`, if nobody uses it.
pub const LINK_LIFETIME: Duration = Duration::from_secs(10 * 60);
/// The number of wrong codes that ends it.
pub const LINK_GUESSES_MAX: u32 = 20;
/// The most files, skipped rows and notes of an import that the page shows, of each; the report in a file has all.
pub const PAGE_REPORT_ENTRIES_MAX: usize = 1_000;

// --- rates

/// The greatest burst of `[rates]`, and the most seconds that its headers say: as long as a whole number in a
/// structured header may be (RFC 9651, section 3.3.1).
pub const RATE_BURST_MAX: u64 = 999_999_999_999_999;
/// So many credentials may come new before the buckets of those that went quiet are forgotten; more if more
/// are busy.
pub const RATE_SWEEP_MIN: usize = 1024;

// --- networks in service

/// How long a replaced network waits for its last reader before it is freed all the same: the next reload
/// waits for that.
pub const RETIRE_WAIT_MAX: Duration = Duration::from_secs(30);

const _: () = assert!(
    BODY_DEADLINE.as_millis() + REQUEST_DEADLINE.as_millis() < RETIRE_WAIT_MAX.as_millis(),
    "no request reads for longer"
);

// --- files

/// The longest suppression list, in bytes: some half a million entries.
pub const SUPPRESSION_LIST_BYTES_MAX: usize = 64 << 20;
/// The longest list of targets of `kith diff`, in bytes: some million lines.
pub const TARGET_LIST_BYTES_MAX: usize = 64 << 20;
/// The most look-ups that one relational store answers at the same time.
pub const STORE_READERS_MAX: usize = 8;

const _: () = assert!(STORE_READERS_MAX > 0);

// --- imports again and again

/// The seconds between two looks of `kith import --watch` at its folder, unless `--every` says otherwise, and the most.
pub const IMPORT_POLL_SECONDS: u64 = 5;
/// See [`IMPORT_POLL_SECONDS`].
pub const IMPORT_POLL_SECONDS_MAX: u64 = 3_600;
/// How long `kith import --watch` waits after tables or a snapshot could not be written.
pub const IMPORT_RETRY: Duration = Duration::from_secs(60);
/// The longest that `kith import --reload` waits for a server that reloads.
pub const RELOAD_REQUEST_MAX: Duration = Duration::from_secs(300);

// --- logs

/// The most bytes of log lines that wait for stderr, and as many again are being written; further lines are dropped.
pub const LOG_WAITING_BYTES_MAX: usize = 1 << 20;
/// The longest that a stop waits for the last lines to be written.
pub const LOG_STOP_DEADLINE: Duration = Duration::from_secs(1);

/// The longest that `kith health` waits for an answer: longer than a check of readiness takes.
pub const HEALTH_MAX: Duration = Duration::from_secs(5);

const _: () = assert!(2 * READINESS_CHECK_MAX.as_millis() < HEALTH_MAX.as_millis());

// --- credentials

/// What is kept free on the disk of the credential store, in bytes, so that a key can be revoked while it is full.
pub const CREDENTIAL_RESERVE_BYTES: usize = 256 << 10;
/// The longest list of revocations beside the store, in bytes: more than a million.
pub const REVOCATIONS_BYTES_MAX: usize = 64 << 20;
/// The longest life of a user token, and of a key that expires, in seconds: a year. A forgotten one ends by itself.
pub const TOKEN_LIFE_SECONDS_MAX: u64 = 365 * 24 * 60 * 60;
/// The longest token of the operator, in bytes, with the white space around it.
pub const OPERATOR_TOKEN_BYTES_MAX: usize = 4 << 10;
/// The longest signed user token, in bytes.
pub const TOKEN_BYTES_MAX: usize = 8 << 10;
/// How many seconds an issuer's clock may be ahead of ours, or behind.
pub const CLOCK_LEEWAY_SECONDS: f64 = 5.0;
/// The largest set of an issuer's keys, in bytes.
pub const JWKS_BYTES_MAX: usize = 1 << 20;
/// The most keys in it.
pub const JWKS_KEYS_MAX: usize = 100;
/// The longest that a fetch of an issuer's keys takes.
pub const JWKS_FETCH_MAX: Duration = Duration::from_secs(5);
/// The longest that a request waits for a fetch of an issuer's keys; the fetch goes on without it.
pub const JWKS_WAIT_MAX: Duration = Duration::from_secs(2);
/// The pause between two fetches of an issuer's keys if the first went well.
pub const JWKS_REFRESH_PAUSE: Duration = Duration::from_secs(300);
/// How long an issuer's keys are in force after they were last read, in seconds, if the configuration names no
/// time: a day.
pub const JWKS_AGE_SECONDS_DEFAULT: u64 = 24 * 60 * 60;
/// The shortest such time, in seconds. Two reads that fail do not end it.
pub const JWKS_AGE_SECONDS_MIN: u64 = 15 * 60;
/// The longest such time, in seconds: 30 days.
pub const JWKS_AGE_SECONDS_MAX: u64 = 30 * 24 * 60 * 60;
/// The furthest that the configuration can let the `exp` of a JWT be from now, in seconds: 100 years.
pub const JWT_LIFE_SECONDS_MAX: u64 = 100 * 365 * 24 * 60 * 60;
/// The furthest that it may be if the configuration names no time: issuers differ, and none means longer than that.
pub const JWT_LIFE_SECONDS_DEFAULT: u64 = JWT_LIFE_SECONDS_MAX;
/// The time between two writes of when credentials were used last.
pub const LAST_USED_PERIOD: Duration = Duration::from_secs(60);
/// The time between two looks for what the audit log is to have: credentials that changed, and that were used.
pub const AUDIT_PERIOD: Duration = Duration::from_secs(1);
/// The time after which the use of a credential is in the audit log again.
pub const AUDIT_USE_PERIOD: Duration = Duration::from_secs(3_600);

const _: () = assert!(AUDIT_PERIOD.as_millis() <= LAST_USED_PERIOD.as_millis());
const _: () = assert!(2 * JWKS_REFRESH_PAUSE.as_secs() < JWKS_AGE_SECONDS_MIN);
const _: () = assert!(JWKS_WAIT_MAX.as_millis() <= JWKS_FETCH_MAX.as_millis());

// --- the language model's provider

/// The deadline of a request to the provider if the configuration names none, in milliseconds.
pub const PROVIDER_TIMEOUT_MS_DEFAULT: u64 = 2_000;
/// The longest deadline of a request to the provider, in milliseconds. It leaves a request, which has a
/// deadline of its own, the time to be answered without the provider.
pub const PROVIDER_TIMEOUT_MS_MAX: u64 = 5_000;
/// The most requests that wait for the provider at a time; further ones go on without it. An organization gets
/// another place if more are free than it has, so that it never holds more than half of them.
pub const PROVIDER_REQUESTS_MAX: usize = 64;
/// So many failures in a row of one organization's requests to the provider open its circuit breaker.
pub const PROVIDER_FAILURES_MAX: u32 = 5;
/// How long the breaker stays open at first; twice as long after each failed probe.
pub const PROVIDER_PAUSE_FIRST: Duration = Duration::from_secs(30);
/// The longest that the breaker stays open.
pub const PROVIDER_PAUSE_MAX: Duration = Duration::from_secs(300);
/// The most parsed queries kept, those of all organizations together.
pub const DRAFTS_MAX: usize = 10_000;
/// The longest folded query whose draft is kept, in bytes; with the bounds of a draft, it bounds the memory
/// of all drafts to some 50 MB.
pub const DRAFT_QUERY_BYTES_MAX: usize = 512;
/// The life of a draft.
pub const DRAFT_LIFETIME: Duration = Duration::from_secs(3_600);

const _: () = assert!(PROVIDER_TIMEOUT_MS_DEFAULT <= PROVIDER_TIMEOUT_MS_MAX);
const _: () = assert!(PROVIDER_PAUSE_FIRST.as_millis() <= PROVIDER_PAUSE_MAX.as_millis());

// --- traces

/// The most spans that wait to be sent; further ones are dropped.
pub const TRACE_QUEUE_SPANS_MAX: usize = 2_048;
/// The longest that a stop waits for the last spans to be sent.
pub const TRACE_STOP_DEADLINE: Duration = Duration::from_secs(2);
