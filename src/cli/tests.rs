//! Errors include their cause in their sentence and return no `source()`, so that printing the chain repeats nothing.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use opentelemetry_otlp::ExporterBuildError;
use safetensors::SafeTensorError;

use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::audit::look_ups::LookUpError;
use crate::auth::error::StoreError;
use crate::auth::jwt;
use crate::auth::jwt::error::{IssuerError, KeysFault};
use crate::auth::jwt::refusal::Refusal;
use crate::auth::operator_token::OperatorToken;
use crate::auth::scope::ScopeError;
use crate::auth::secret::CredentialKind;
use crate::auth::sign_in::error::SignInError;
use crate::auth::sign_in::settings::SignInSettingsError;
use crate::auth::subject::SubjectError;
use crate::auth::ttl::TtlError;
use crate::cells::error::CellError;
use crate::cells::folder::CellNoteError;
use crate::cells::manifest::ManifestFaultOfCell;
use crate::cells::sound::UnsoundPair;
use crate::cli::config::error::ConfigError;
use crate::cli::credentials::CredentialError;
use crate::cli::health::HealthError;
use crate::cli::import::reload::ServerReloadError;
use crate::cli::import::{FilesFailed, ImportUsageError};
use crate::cli::logs::LogsError;
use crate::cli::open::usage::OpenUsageError;
use crate::cli::place::PlaceError;
use crate::cli::suppress::SuppressError;
use crate::cli::suppress::usage::SuppressUsageError;
use crate::exports::error::ExportsError;
use crate::graph::self_check::SelfCheckError;
use crate::language_model;
use crate::language_model::failure::DraftFailure;
use crate::live::by_need::NotLoaded;
use crate::live::refusal::RefusedNetwork;
use crate::live::reload::ReloadError;
use crate::model::column::ColumnFull;
use crate::model::csr::ColumnFault;
use crate::outbound::authorities::AuthoritiesFault;
use crate::prepare::edges::TooManyEdges;
use crate::rates::RateSettingsError;
use crate::relational::error::{RelationalError, StoreUnusable, WriteError};
use crate::relational::pair::PairError;
use crate::server::peers::PeerNetworkError;
use crate::server::tls::Tls;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;
use crate::suppress::error::{LineFault, ListError};
use crate::telemetry;
use crate::telemetry::exporter::StartError;
use kith_embed::error::ModelError;
use kith_generate::plan::PlanFault;
use kith_import::fault::FileFault;
use kith_import::import_error::ImportError;
use kith_import::manifest::fault::{ManifestError, ManifestFault};
use kith_import::score::weights::ScoringError;
use kith_import::tables::earlier::EarlierFault;
use kith_tables::source::error::{FreeformFault, Reason, SourceError};
use kith_tables::source::faults::SourceFaults;
use kith_tables::source::ignored::IgnoredFiles;

/// The system's error in these tests.
const CAUSE: &str = "the disk is tired";

fn cause() -> io::Error {
    io::Error::other(CAUSE)
}

fn path() -> PathBuf {
    "some/file".into()
}

/// The first text in the chain of `error` that an earlier text already contains.
fn repeated(error: &dyn Error) -> Option<String> {
    let mut said = vec![error.to_string()];
    let mut next = error.source();
    while let Some(error) = next {
        let text = error.to_string();
        if said.iter().any(|earlier| earlier.contains(&text)) {
            return Some(text);
        }
        said.push(text);
        next = error.source();
    }
    None
}

/// An error with the name of its type, and the text about its cause that its sentence must contain.
struct Case {
    name: &'static str,
    error: Box<dyn Error>,
    cause: String,
}

fn case<E: Error + 'static>(error: E, cause: impl fmt::Display) -> Case {
    let name = std::any::type_name::<E>().rsplit("::").next().unwrap_or_default();
    Case { name, error: Box::new(error), cause: cause.to_string() }
}

fn sources_and_snapshots() -> Vec<Case> {
    let snapshot = || SnapshotError::Io { action: "read", cause: cause() };
    let damaged = |error| WriteError { path: path(), cause: error };
    let of_file = |reason| SourceError { file: "people.csv".into(), line: None, field: None, reason };
    let freeform = FreeformFault::NotAnObject("[".into());
    let manifest = || ManifestError {
        file: "team.toml".into(),
        fault: ManifestFault::UnknownKey { place: "nmae".into(), nearest: "name".into() },
    };
    let earlier = || EarlierFault::Unreadable { path: path(), cause: cause() };
    let form = || ManifestFaultOfCell::Form(CAUSE.to_owned());
    let note = || CellNoteError::Unreadable { path: path(), cause: cause() };
    let unsound = || UnsoundPair::Snapshot(snapshot());
    let several = SourceFaults {
        first: of_file(Reason::Unreadable(cause())),
        others: vec![of_file(Reason::NoTable)],
        more: 3,
        ignored: IgnoredFiles::default(),
        warnings: Vec::new(),
    };
    vec![
        case(ColumnFault::Descending(3), ""),
        case(ColumnFull, ""),
        case(TooManyEdges(7), ""),
        case(Reason::Unreadable(cause()), CAUSE),
        case(Reason::Freeform(freeform.clone()), &freeform),
        case(of_file(Reason::Unreadable(cause())), CAUSE),
        case(of_file(Reason::Damaged(cause())), CAUSE),
        case(of_file(Reason::Full(ColumnFull)), ColumnFull),
        case(of_file(Reason::TooManyEdges(TooManyEdges(7))), TooManyEdges(7)),
        case(several, of_file(Reason::NoTable)),
        case(freeform, ""),
        case(ContentFault::Offsets(ColumnFault::Start), ColumnFault::Start),
        case(
            SnapshotError::column("people.names", ContentFault::Offsets(ColumnFault::End)),
            ColumnFault::End,
        ),
        case(snapshot(), CAUSE),
        case(damaged(cause()), CAUSE),
        case(PairError::Snapshot(snapshot()), CAUSE),
        case(PairError::Store(damaged(cause())), CAUSE),
        case(StoreUnusable::Unreadable { path: path(), reason: CAUSE.into() }, CAUSE),
        case(RelationalError::damaged(CAUSE), CAUSE),
        case(FileFault::OpenQuote { line: 3 }, 3),
        case(ScoringError::ConnectionAlone { got: 31 }, 31),
        case(form(), CAUSE),
        case(note(), CAUSE),
        case(unsound(), CAUSE),
        case(CellError::Manifest { object: "cells/one.json".into(), fault: form() }, CAUSE),
        case(CellError::Note(note()), CAUSE),
        case(CellError::Unsound { path: path(), fault: unsound() }, CAUSE),
        case(CellError::File { action: "read", path: path(), cause: cause() }, CAUSE),
        case(PlaceError::File { file: "sizes".into(), cause: cause() }, CAUSE),
        case(manifest(), "nmae"),
        case(manifest().fault, "nmae"),
        case(earlier(), CAUSE),
        case(ImportError::Earlier(earlier()), CAUSE),
        case(ImportUsageError::Manifest(manifest()), manifest()),
        case(FilesFailed(vec![CAUSE.to_owned()]), CAUSE),
        case(OpenUsageError(CAUSE.to_owned()), CAUSE),
        case(ServerReloadError::TokenFile { file: "token".into(), why: CAUSE.into() }, CAUSE),
        case(PlanFault::BlankName, ""),
        case(SelfCheckError::Member(3), ""),
        case(ReloadError::Folder(Arc::new(cause())), CAUSE),
        case(RateSettingsError::Burst { got: 0.5 }, "0.5"),
        case(RefusedNetwork::Snapshot(SnapshotError::Io { action: "read", cause: cause() }), CAUSE),
    ]
}

fn credentials() -> Vec<Case> {
    let no_random = getrandom::Error::UNSUPPORTED;
    let fault = KeysFault::Unreadable(io::ErrorKind::NotFound);
    let unprinted =
        CredentialError::Unprinted { kind: CredentialKind::UserToken, id: "tok_1".into(), cause: cause() };
    vec![
        case(StoreError::Random { cause: no_random }, no_random),
        case(StoreError::io_at(Path::new("file"))(cause()), CAUSE),
        case(StoreError::at(Path::new("file"))(rusqlite::Error::InvalidQuery), rusqlite::Error::InvalidQuery),
        case(fault, io::ErrorKind::NotFound),
        case(IssuerError::File { path: path(), fault }, fault),
        case(Refusal::Form, ""),
        case(jwt::settings::IssuerSettingsError::Url, ""),
        case(SignInError::Random(no_random), no_random),
        case(SignInSettingsError::NoIssuer, ""),
        case(LookUpError::new(Path::new("folder"), cause()), CAUSE),
        case(TtlError::Malformed, ""),
        case(SubjectError::Comma, ""),
        case(ScopeError::Empty, ""),
        case(unprinted, CAUSE),
        case(jwt::jwk::Why::Use, ""),
    ]
}

fn service() -> Result<Vec<Case>, Box<dyn Error>> {
    let not_json = || serde_json::from_str::<u8>("x").err().ok_or("x is no JSON");
    let container = SafeTensorError::InvalidHeaderLength;
    let sdk = ExporterBuildError::InternalFailure(CAUSE.into());
    let unset = language_model::settings::ProviderSettingsError::KeyUnset { variable: "KEY".into() };
    let half = ConfigError::HalfOfTls("tls.key_file");
    let line = || ListError::Line { path: path(), line: 1, fault: LineFault::Salt };
    let no_random = getrandom::Error::UNSUPPORTED;
    let config = config::ConfigError::Message(CAUSE.into());
    let snapshot = Box::new(SnapshotError::Io { action: "read", cause: cause() });
    let nowhere = Tls::read(Path::new("no/certificate"), Path::new("no/key")).err().ok_or("no such file")?;
    let unread = OperatorToken::read(Path::new("no/token")).err().ok_or("no such file")?;
    let missing = fs::metadata("no/certificate").err().ok_or("no such file")?;
    Ok(vec![
        case(ModelError::Container(container), SafeTensorError::InvalidHeaderLength),
        case(ModelError::Tokenizer(not_json()?), not_json()?),
        case(StartError::Sdk(sdk), CAUSE),
        case(telemetry::settings::TraceSettingsError::Url, ""),
        case(DraftFailure::Malformed(language_model::failure::AnswerFault::NotJson), "it is not JSON"),
        case(language_model::failure::AnswerFault::NotJson, ""),
        case(ConfigError::LanguageModel(unset.clone()), &unset),
        case(LogsError::Thread(cause()), CAUSE),
        case(ConfigError::Unreadable(config), CAUSE),
        case(
            ConfigError::Issuer(jwt::settings::IssuerSettingsError::Url),
            jwt::settings::IssuerSettingsError::Url,
        ),
        case(unset, ""),
        case(half, ""),
        case(PeerNetworkError, ""),
        case(LineFault::Salt, ""),
        case(NotLoaded::Late, ""),
        case(line(), LineFault::Salt),
        case(ListError::Io { path: path(), action: "read", cause: cause() }, CAUSE),
        case(ListError::Randomness(no_random), no_random),
        case(AuthoritiesFault::None { file: path() }, ""),
        case(HealthError::Slow { url: hyper::Uri::from_static("http://127.0.0.1/readyz") }, ""),
        case(SuppressError::List(line()), LineFault::Salt),
        case(SuppressUsageError::Stdin(cause()), CAUSE),
        case(ExportsError::Unreadable { path: path(), error: cause() }, CAUSE),
        case(AskStoreError::Io { path: path(), cause: cause() }, CAUSE),
        case(WriteRefused::Store(AskStoreError::Io { path: path(), cause: cause() }), CAUSE),
        case(SuppressError::Snapshot { path: path(), cause: snapshot }, CAUSE),
        case(nowhere, &missing),
        case(unread, missing),
    ])
}

fn cases() -> Result<Vec<Case>, Box<dyn Error>> {
    Ok([sources_and_snapshots(), credentials(), service()?].into_iter().flatten().collect())
}

#[test]
fn an_error_says_its_cause_in_its_sentence_and_no_text_twice() -> Result<(), Box<dyn Error>> {
    for Case { name, error, cause } in cases()? {
        assert!(error.to_string().contains(&cause), "{name} does not say {cause:?}: {error}");
        assert_eq!(repeated(error.as_ref()), None, "{name} is said twice: {error:?}");
        assert!(error.source().is_none(), "{name} has its cause in its sentence: {error:?}");
    }
    Ok(())
}

/// The public error types below `folder`.
fn error_types(folder: &Path, found: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            error_types(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path)?;
            let name = |line: &str| {
                line.split(|c: char| !c.is_alphanumeric()).next().map(str::to_owned).unwrap_or_default()
            };
            found.extend(text.split("Error for ").skip(1).map(name));
            let declared = |after: &str| {
                let (visibility, rest) = after.split_once("enum ").or_else(|| after.split_once("struct "))?;
                visibility.contains("pub").then(|| name(rest))
            };
            found.extend(text.split("thiserror::Error").skip(1).filter_map(declared));
        }
    }
    Ok(())
}

#[test]
fn every_error_type_is_among_the_cases() -> Result<(), Box<dyn Error>> {
    let mut found = BTreeSet::new();
    error_types(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found)?;
    let tried: BTreeSet<String> = cases()?.into_iter().map(|case| case.name.to_owned()).collect();
    assert!(found.len() > 30, "only {found:?}");
    assert_eq!(found.difference(&tried).collect::<Vec<_>>(), [""; 0]);
    Ok(())
}

/// The control: an error whose cause is both in its sentence and in `source()`.
#[test]
fn a_cause_that_is_said_twice_is_caught() {
    #[derive(Debug, thiserror::Error)]
    #[error("cannot be read: {source}")]
    struct Twice {
        source: io::Error,
    }
    assert_eq!(repeated(&Twice { source: cause() }).as_deref(), Some(CAUSE));
}
