//! `kith keys`: makes, lists and revokes organization keys.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Subcommand;

use crate::auth::secret::CredentialKind;
use crate::auth::store::CredentialStore;
use crate::auth::subject::{parse_key_name, parse_organization_id};
use crate::auth::ttl::Ttl;
use crate::cli::credentials::{ListArgs, print_list, print_secret, require_revoked, say_revoked_again};
use crate::clock;
use crate::snapshot::read::load;

/// Organization keys: each reads the whole network of one organization.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Make a key and print it, this once
    Create {
        /// The credential store; made if there is none
        #[arg(long, value_name = "FILE", env = "KITH_CREDENTIALS")]
        credentials: PathBuf,
        /// The organization whose network the key reads (`org_…`)
        #[arg(long, value_parser = parse_organization_id)]
        org: String,
        /// The name of the key in listings
        #[arg(long, value_parser = parse_key_name)]
        name: String,
        /// How long it holds: a whole number and s, m, h or d, at most 365d; without it, until it is revoked
        #[arg(long)]
        ttl: Option<Ttl>,
        /// The folder of snapshots: a word on stderr if none of them is of the organization
        #[arg(long, value_name = "DIR")]
        snapshots: Option<PathBuf>,
    },
    /// List all keys, revoked and expired ones too
    List(ListArgs),
    /// Revoke a key, from the next request on
    Revoke {
        /// The credential store
        #[arg(long, value_name = "FILE", env = "KITH_CREDENTIALS")]
        credentials: PathBuf,
        /// The key's id (`key_…`)
        id: String,
    },
}

impl KeysCommand {
    /// Runs the command and prints its result on stdout.
    ///
    /// # Errors
    /// Returns an error if the store cannot be used, the id is unknown, or stdout cannot be written.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        self.execute(&mut io::stdout().lock(), clock::wall_time())
    }

    fn execute(self, out: &mut impl Write, now: SystemTime) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Create { credentials, org, name, ttl, snapshots } => {
                let store = say_revoked_again(CredentialStore::open(&credentials)?);
                let issued = match ttl {
                    None => store.create_key(&org, &name, now),
                    Some(ttl) => store.create_expiring_key(&org, &name, ttl, now),
                }?;
                print_secret(out, CredentialKind::OrganizationKey, &issued)?;
                if let Some(folder) = snapshots {
                    warn_if_not_served(&folder, &org)?;
                }
            }
            Self::List(list) => {
                let keys =
                    say_revoked_again(CredentialStore::open_existing(&list.credentials)?).list_keys()?;
                print_list(out, &list, CredentialKind::OrganizationKey, &keys)?;
            }
            Self::Revoke { credentials, id } => {
                let revoked =
                    say_revoked_again(CredentialStore::open_existing(&credentials)?).revoke_key(&id, now)?;
                require_revoked(revoked, CredentialKind::OrganizationKey, &id, &credentials)?;
            }
        }
        Ok(())
    }
}

/// Warns on stderr if no snapshot in `folder` belongs to `org`. Reads snapshots until one does.
fn warn_if_not_served(folder: &Path, org: &str) -> Result<(), Box<dyn Error>> {
    let named = |error: io::Error| format!("{}: {error}", folder.display());
    for file in fs::read_dir(folder).map_err(named)? {
        let path = file.map_err(named)?.path();
        let is_snapshot = path.extension().is_some_and(|ending| ending == "kith");
        if is_snapshot && load(&path).is_ok_and(|loaded| loaded.dataset.organization.id == org) {
            return Ok(());
        }
    }
    writeln!(
        io::stderr(),
        "kith: no snapshot of {org} is in {}: until one is there and loaded, every request with this key is answered 503",
        folder.display()
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::time::{Duration, UNIX_EPOCH};

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        command: KeysCommand,
    }

    type Outcome = Result<(), Box<dyn Error>>;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    /// Runs `kith keys ARGS --credentials FILE` at `now`; returns its output.
    fn keys(file: &std::path::Path, now: u64, args: &[&str]) -> Result<String, Box<dyn Error>> {
        let file = file.to_str().ok_or("a path in UTF-8")?;
        let line = ["keys"].into_iter().chain(args.iter().copied()).chain(["--credentials", file]);
        let mut out = Vec::new();
        Line::try_parse_from(line)?.command.execute(&mut out, at(now))?;
        Ok(String::from_utf8(out)?)
    }

    /// The exit code of clap's refusal, or `None` if it accepted the arguments.
    fn refusal(args: &[&str]) -> Option<i32> {
        Line::try_parse_from(["keys"].iter().chain(args)).err().map(|error| error.exit_code())
    }

    #[test]
    fn a_key_is_printed_alone_listed_and_revoked_once_for_good() -> Outcome {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("credentials.db");
        let printed = keys(&file, 1_000, &["create", "--org", "org_a", "--name", "CI, main"])?;
        let key = printed.strip_suffix('\n').ok_or("a line")?;
        assert_eq!(key.len(), 60);
        let last_four = &key[56..];

        let listed: serde_json::Value = serde_json::from_str(&keys(&file, 1_001, &["list", "--json"])?)?;
        let id = listed[0]["id"].as_str().ok_or("an id")?.to_owned();
        let revoked_at = |now, args: &[&str]| -> Result<serde_json::Value, Box<dyn Error>> {
            keys(&file, now, args)?;
            let listed: serde_json::Value = serde_json::from_str(&keys(&file, now, &["list", "--json"])?)?;
            Ok(listed[0]["revokedAt"].clone())
        };
        assert_eq!(
            listed,
            serde_json::json!([{
                "id": id, "name": "CI, main", "organization": "org_a",
                "createdAt": "1970-01-01T00:16:40.000Z", "lastFour": last_four, "revokedAt": null,
            }])
        );
        let table = keys(&file, 1_001, &["list"])?;
        assert_eq!(
            table.lines().nth(1),
            Some(&*format!(
                "{id}  CI, main  org_a         1970-01-01T00:16:40.000Z  -        {last_four}       -        -"
            ))
        );
        assert_eq!(revoked_at(2_000, &["revoke", &id])?, "1970-01-01T00:33:20.000Z");
        assert_eq!(revoked_at(3_000, &["revoke", &id])?, "1970-01-01T00:33:20.000Z");
        Ok(())
    }

    #[test]
    fn a_key_with_a_life_time_is_listed_with_its_end() -> Outcome {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("credentials.db");
        keys(&file, 1_000, &["create", "--org", "org_a", "--name", "short", "--ttl", "90d"])?;
        keys(&file, 1_001, &["create", "--org", "org_a", "--name", "long"])?;
        let listed: serde_json::Value = serde_json::from_str(&keys(&file, 1_002, &["list", "--json"])?)?;
        assert_eq!(listed[0]["expiresAt"], "1970-04-01T00:16:40.000Z");
        assert_eq!(listed[1].get("expiresAt"), None, "it holds until it is revoked");
        let table = keys(&file, 1_002, &["list"])?;
        assert!(
            table.lines().next().is_some_and(|line| line.contains("CREATED") && line.contains("EXPIRES"))
        );
        assert_eq!(table.matches("1970-04-01T00:16:40.000Z").count(), 1, "{table}");
        Ok(())
    }

    #[test]
    fn no_key_that_expires_is_made_while_the_clock_is_before_1970() -> Outcome {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("credentials.db");
        let before = UNIX_EPOCH - Duration::from_secs(1);
        for (ttl, is_made) in [(None, true), (Some("1h".parse()?), false)] {
            let (org, name) = ("org_a".to_owned(), "n".to_owned());
            let create = KeysCommand::Create { credentials: file.clone(), org, name, ttl, snapshots: None };
            let outcome = create.execute(&mut Vec::new(), before).map_err(|error| error.to_string());
            assert_eq!(outcome.is_ok(), is_made, "{outcome:?}");
            assert!(outcome.is_ok() || outcome.is_err_and(|said| said.contains("set the clock")));
        }
        assert_eq!(CredentialStore::open_existing(&file)?.list_keys()?.len(), 1);
        Ok(())
    }

    #[test]
    fn json_fields_keep_their_order() -> Outcome {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("credentials.db");
        keys(&file, 1, &["create", "--org", "org_a", "--name", "n"])?;
        let json = keys(&file, 1, &["list", "--json"])?;
        let places: Vec<Option<usize>> = ["id", "name", "organization", "createdAt", "lastFour", "revokedAt"]
            .iter()
            .map(|field| json.find(&format!("\"{field}\":")))
            .collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{json}");
        Ok(())
    }

    #[test]
    fn bad_values_are_usage_errors() {
        let good = ["create", "--credentials", "f", "--org", "org_a", "--name", "n", "--ttl", "90d"];
        assert_eq!(refusal(&good), None);
        for (place, bad) in
            [(4, "user_a"), (4, "org_a,b"), (4, ""), (6, ""), (6, "a\tb"), (8, "366d"), (8, "0s"), (8, "90")]
        {
            let mut args = good;
            args[place] = bad;
            assert_eq!(refusal(&args), Some(2), "{bad:?}");
        }
        for args in [&["create"][..], &["list"], &["revoke", "--credentials", "f"], &["lend"], &[]] {
            assert_eq!(refusal(args), Some(2), "{args:?}");
        }
    }

    #[test]
    fn listing_and_revoking_make_no_store() -> Outcome {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("credentials.db");
        for args in [&["list"][..], &["revoke", "key_1"]] {
            let error = keys(&file, 1, args).err().ok_or("refused")?.to_string();
            assert!(error.contains("there is no credential store"), "{error}");
            assert!(!file.exists());
        }
        Ok(())
    }

    #[test]
    fn an_unknown_id_is_named_but_a_secret_never_repeated() -> Outcome {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("credentials.db");
        let key = keys(&file, 1, &["create", "--org", "org_a", "--name", "n"])?;
        let unknown = keys(&file, 1, &["revoke", "key_1"]).err().ok_or("refused")?.to_string();
        assert!(unknown.contains("there is no key with the id key_1"), "{unknown}");
        let pasted = keys(&file, 1, &["revoke", key.trim()]).err().ok_or("refused")?.to_string();
        assert!(!pasted.contains("service_sk_") && pasted.contains("kith keys list"), "{pasted}");
        Ok(())
    }

    /// An output whose reader has left.
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_left_spoils_a_fresh_key_but_no_listing() -> Outcome {
        let folder = tempfile::tempdir()?;
        let credentials = folder.path().join("credentials.db");
        let create = KeysCommand::Create {
            credentials: credentials.clone(),
            org: "org_a".to_owned(),
            name: "n".to_owned(),
            ttl: None,
            snapshots: None,
        };
        let error = create.execute(&mut Closed, at(1)).err().ok_or("refused")?.to_string();
        assert!(error.contains("was made but could not be printed"), "{error}");
        for json in [false, true] {
            KeysCommand::List(ListArgs { credentials: credentials.clone(), json })
                .execute(&mut Closed, at(1))?;
        }
        Ok(())
    }
}
