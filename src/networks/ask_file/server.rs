//! Asks in PostgreSQL, for a service on several machines: a schema of its own, one writer at a time, and a notice of
//! each change that makes every machine read new events.

use std::thread;
use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, IsolationLevel};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::ask_file::file::VERSION;
use crate::ask_file::rows::tables;
use crate::ask_file::sql::{Sql, SqlCell, SqlRow, StoreAccess, without_password};

/// The names of this machine.
const HERE: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// Settings of each session: our schema, commits that are on disk before they return, and time limits for every wait.
const OPTIONS: &str =
    "-c search_path=kith_asks -c synchronous_commit=on -c statement_timeout=10s -c lock_timeout=5s";
/// The time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// The time after which a server that does not acknowledge counts as gone.
const ACKNOWLEDGED_WITHIN: Duration = Duration::from_secs(5);

/// A connection to a database, renewed after a loss. Its calls wait on a runtime of the client's own, so they run on
/// threads that may block.
pub(crate) struct ServerDatabase {
    config: Config,
    /// The address, without user and password.
    place: String,
    /// Taken only to be dropped.
    client: Option<Client>,
}

impl std::fmt::Debug for ServerDatabase {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("ServerDatabase").field(&self.place).finish()
    }
}

impl ServerDatabase {
    fn connect(address: &str) -> Result<Self, AskStoreError> {
        let place = without_password(address);
        let bad = |reason: &dyn ToString| AskStoreError::Server {
            place: place.clone(),
            reason: reason.to_string(),
        };
        let mut config: Config = address.parse().map_err(|error: postgres::Error| bad(&words_of(&error)))?;
        // A socket, which not every system has, is of this machine.
        let is_elsewhere = |host: &Host| matches!(host, Host::Tcp(name) if !HERE.contains(&name.as_str()));
        let is_here = !config.get_hosts().iter().any(is_elsewhere);
        // The data leave this machine under TLS unless the operator says otherwise.
        if !is_here && !address.contains("sslmode=") {
            config.ssl_mode(SslMode::Require);
        }
        let options = config.get_options().map_or_else(String::new, |options| format!("{options} "));
        config.options(&format!("{options}{OPTIONS}"));
        config.application_name("kith").connect_timeout(CONNECT_TIMEOUT);
        config.tcp_user_timeout(ACKNOWLEDGED_WITHIN);
        let mut database = Self { config, place, client: None };
        database.client()?;
        Ok(database)
    }

    /// The client, renewed if the last one was lost.
    fn client(&mut self) -> Result<&mut Client, AskStoreError> {
        if self.client.as_ref().is_some_and(Client::is_closed) {
            self.close();
        }
        if self.client.is_none() {
            let config = self.config.clone();
            let connect = move || -> Result<Client, String> {
                let (tls, _unread) = MakeRustlsConnect::with_native_certs()
                    .map_err(|errors| format!("the system's certificates cannot be read: {errors:?}"))?;
                config.connect(tls).map_err(|error| words_of(&error))
            };
            // On a separate thread, as the caller may be one that must not block.
            let made = thread::spawn(connect).join().unwrap_or_else(|_| Err("no connection".to_owned()));
            self.client = Some(made.map_err(|reason| self.server_error(reason))?);
        }
        self.client.as_mut().ok_or_else(|| AskStoreError::Server {
            place: self.place.clone(),
            reason: "no connection".to_owned(),
        })
    }

    fn server_error(&self, reason: String) -> AskStoreError {
        AskStoreError::Server { place: self.place.clone(), reason }
    }

    /// Ends the client on a thread that may block.
    fn close(&mut self) {
        if let Some(client) = self.client.take() {
            let _ended = thread::spawn(move || drop(client)).join();
        }
    }

    fn transaction<T, E: From<AskStoreError>>(
        &mut self,
        access: StoreAccess,
        work: impl FnOnce(&mut ServerSql<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let place = self.place.clone();
        let error = |error: postgres::Error| server_error(&place, &error);
        let client = self.client()?;
        let building = match access {
            StoreAccess::Read => {
                client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true)
            }
            StoreAccess::Write => client.build_transaction(),
        };
        let transaction = building.start().map_err(error)?;
        let mut sql = ServerSql { place: &place, transaction };
        let outcome = work(&mut sql)?;
        sql.transaction.commit().map_err(error)?;
        Ok(outcome)
    }

    /// Opens the database at `address`.
    ///
    /// # Errors
    /// Returns an error if it cannot be reached, or has no tables of this version.
    pub(crate) fn open(address: &str) -> Result<Self, AskStoreError> {
        let mut database = Self::connect(address)?;
        on_own_thread(|| database.check())?;
        Ok(database)
    }

    /// Creates the tables in the database at `address`, all or none.
    ///
    /// # Errors
    /// Returns an error if some exist, or they cannot be created.
    pub(crate) fn create(address: &str) -> Result<(), AskStoreError> {
        let mut database = Self::connect(address)?;
        let place = database.place.clone();
        database.transaction(StoreAccess::Write, |sql| {
            let tables = tables("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BIGINT", "BYTEA", "");
            let all = format!(
                "CREATE SCHEMA kith_asks; {tables} CREATE TABLE version (number BIGINT NOT NULL); \
                 INSERT INTO version VALUES ({VERSION});"
            );
            sql.transaction.batch_execute(&all).map_err(|error| match error.code() {
                Some(&SqlState::DUPLICATE_SCHEMA | &SqlState::DUPLICATE_TABLE) => {
                    AskStoreError::TablesTaken { place: place.clone() }
                }
                _ => server_error(&place, &error),
            })
        })
    }

    pub(crate) fn change<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, WriteRefused>,
    ) -> Result<T, WriteRefused> {
        self.transaction(StoreAccess::Write, |sql| {
            // One writer at a time: events are numbered in the order of their commits.
            sql.rows("SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtext('kith_asks'))) AS taken", &[])?;
            let outcome = work(sql)?;
            sql.rows("SELECT 1 FROM (SELECT pg_notify('kith_asks', '')) AS noticed", &[])?;
            Ok(outcome)
        })
    }

    pub(crate) fn read<T, E: From<AskStoreError>>(
        &mut self,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, E>,
    ) -> Result<T, E> {
        self.transaction(StoreAccess::Read, |sql| work(sql))
    }

    /// Subscribes to notices of changes.
    pub(crate) fn listen(&mut self) -> Result<(), AskStoreError> {
        let place = self.place.clone();
        let listening = self.client()?.batch_execute("LISTEN kith_asks");
        listening.map_err(|error| server_error(&place, &error))
    }

    /// Waits for a notice, up to `longest`; consumes all pending ones.
    pub(crate) fn wait(&mut self, longest: Duration) -> Result<(), AskStoreError> {
        let mut notices = self.client()?.notifications();
        let _first = notices.timeout_iter(longest).next();
        while let Ok(Some(_)) = notices.iter().next() {}
        Ok(())
    }

    /// Rewrites the tables without removed data.
    pub(crate) fn compact(&mut self) -> Result<(), AskStoreError> {
        let place = self.place.clone();
        let all =
            "VACUUM (FULL) events; VACUUM (FULL) preferences; VACUUM (FULL) links; VACUUM (FULL) merged";
        let client = self.client()?;
        all.split("; ").try_for_each(|one| client.batch_execute(one)).map_err(|e| server_error(&place, &e))
    }

    /// Checks that the database has tables of this version.
    fn check(&mut self) -> Result<(), AskStoreError> {
        let place = self.place.clone();
        let found = self.client()?.query_opt("SELECT number FROM version", &[]);
        let row = found.map_err(|error| match error.code() {
            Some(&SqlState::UNDEFINED_TABLE) => AskStoreError::NoTables { place: place.clone() },
            _ => server_error(&place, &error),
        })?;
        let version = row.and_then(|row| row.try_get::<_, i64>(0).ok()).unwrap_or(0);
        match version == i64::from(VERSION) {
            true => Ok(()),
            false => Err(AskStoreError::NewerTables { place, found: version, supported: i64::from(VERSION) }),
        }
    }
}

impl Drop for ServerDatabase {
    fn drop(&mut self) {
        self.close();
    }
}

/// Does `work` on a thread that may block.
pub(crate) fn on_own_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// A transaction in a database.
struct ServerSql<'a> {
    place: &'a str,
    transaction: postgres::Transaction<'a>,
}

impl Sql for ServerSql<'_> {
    fn rows(&mut self, sql: &str, with: &[SqlCell]) -> Result<Vec<SqlRow>, AskStoreError> {
        let with: Vec<&(dyn ToSql + Sync)> = with.iter().map(|cell| cell as _).collect();
        let rows = self.transaction.query(sql, &with);
        let rows = rows.and_then(|rows| {
            rows.iter().map(|row| (0..row.len()).map(|column| row.try_get(column)).collect()).collect()
        });
        let rows: Vec<Vec<SqlCell>> = rows.map_err(|error| server_error(self.place, &error))?;
        Ok(rows.into_iter().map(SqlRow).collect())
    }

    fn execute(&mut self, sql: &str, with: &[SqlCell]) -> Result<usize, AskStoreError> {
        let with: Vec<&(dyn ToSql + Sync)> = with.iter().map(|cell| cell as _).collect();
        let changed = self.transaction.execute(sql, &with);
        changed.map(|rows| rows as usize).map_err(|error| server_error(self.place, &error))
    }
}

type Outcome<T> = Result<T, Box<dyn std::error::Error + Sync + Send>>;

impl ToSql for SqlCell {
    fn to_sql(&self, column: &Type, out: &mut postgres::types::private::BytesMut) -> Outcome<IsNull> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Text(text) => text.to_sql(column, out),
            Self::Number(number) => number.to_sql(column, out),
            Self::Bytes(bytes) => bytes.to_sql(column, out),
        }
    }

    fn accepts(column: &Type) -> bool {
        [Type::TEXT, Type::INT8, Type::BYTEA].contains(column)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for SqlCell {
    fn from_sql(column: &Type, raw: &'a [u8]) -> Outcome<Self> {
        Ok(match *column {
            Type::INT4 => Self::Number(i32::from_sql(column, raw)?.into()),
            Type::INT8 => Self::Number(i64::from_sql(column, raw)?),
            Type::BYTEA => Self::Bytes(Vec::from_sql(column, raw)?),
            _ => Self::Text(String::from_sql(column, raw)?),
        })
    }

    fn from_sql_null(_column: &Type) -> Outcome<Self> {
        Ok(Self::Null)
    }

    fn accepts(column: &Type) -> bool {
        [Type::TEXT, Type::INT4, Type::INT8, Type::BYTEA].contains(column)
    }
}

/// The text of a database's error, including its sources.
fn words_of(error: &postgres::Error) -> String {
    let mut said = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let more = cause.to_string();
        if !said.contains(&more) {
            said = format!("{said}: {more}");
        }
        source = cause.source();
    }
    said
}

fn server_error(place: &str, error: &postgres::Error) -> AskStoreError {
    AskStoreError::Server { place: place.to_owned(), reason: words_of(error) }
}
