//! `kith tokens`: makes, lists and revokes user tokens.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Subcommand;

use crate::auth::scope::Scopes;
use crate::auth::secret::CredentialKind;
use crate::auth::store::CredentialStore;
use crate::auth::subject::{parse_organization_id, parse_user_id};
use crate::auth::ttl::Ttl;
use crate::cli::credentials::{ListArgs, print_list, print_secret, require_revoked, say_revoked_again};
use crate::cli::links::LinksCommand;
use crate::clock;

/// User tokens: each reads the network as one member sees it, for a limited time.
#[derive(Debug, Subcommand)]
pub enum TokensCommand {
    /// Make a token and print it, this once
    Create {
        /// The credential store; made if there is none
        #[arg(long, value_name = "FILE", env = "KITH_CREDENTIALS")]
        credentials: PathBuf,
        /// The member's organization (`org_…`)
        #[arg(long, value_parser = parse_organization_id)]
        org: String,
        /// The member the token stands for (`user_…`)
        #[arg(long, value_parser = parse_user_id)]
        user: String,
        /// Its life: a whole number and s, m, h or d; at most 365d
        #[arg(long, default_value = "1h")]
        ttl: Ttl,
        /// What it may do: mcp:read, mcp:write or both, the API asks for mcp:read; or feed, or link, alone
        #[arg(long, default_value = "mcp:read")]
        scope: Scopes,
    },
    /// Make a link for each member that logs them in to the page once, and print all, this once
    Links(LinksCommand),
    /// List all tokens, revoked and expired ones too
    List(ListArgs),
    /// Revoke a token, from the next request on
    Revoke {
        /// The credential store
        #[arg(long, value_name = "FILE", env = "KITH_CREDENTIALS")]
        credentials: PathBuf,
        /// The token's id (`tok_…`)
        id: String,
    },
}

impl TokensCommand {
    /// Runs the command and prints its result on stdout.
    ///
    /// # Errors
    /// Returns an error if the store cannot be used, the id is unknown, or stdout cannot be written.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        self.execute(&mut io::stdout().lock(), clock::wall_time())
    }

    fn execute(self, out: &mut impl Write, now: SystemTime) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Create { credentials, org, user, ttl, scope } => {
                let issued = say_revoked_again(CredentialStore::open(&credentials)?)
                    .create_token(&org, &user, scope, ttl, now)?;
                print_secret(out, CredentialKind::UserToken, &issued)?;
            }
            Self::Links(command) => command.run(out, now)?,
            Self::List(list) => {
                let tokens =
                    say_revoked_again(CredentialStore::open_existing(&list.credentials)?).list_tokens()?;
                print_list(out, &list, CredentialKind::UserToken, &tokens)?;
            }
            Self::Revoke { credentials, id } => {
                let revoked = say_revoked_again(CredentialStore::open_existing(&credentials)?)
                    .revoke_token(&id, now)?;
                require_revoked(revoked, CredentialKind::UserToken, &id, &credentials)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::time::{Duration, UNIX_EPOCH};

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        command: TokensCommand,
    }

    type Outcome = Result<(), Box<dyn Error>>;

    /// Runs `kith tokens ARGS --credentials FILE` at `now`; returns its output.
    fn tokens(file: &std::path::Path, now: u64, args: &[&str]) -> Result<String, Box<dyn Error>> {
        let file = file.to_str().ok_or("a path in UTF-8")?;
        let line = ["tokens"].into_iter().chain(args.iter().copied()).chain(["--credentials", file]);
        let mut out = Vec::new();
        let now = UNIX_EPOCH + Duration::from_secs(now);
        Line::try_parse_from(line)?.command.execute(&mut out, now)?;
        Ok(String::from_utf8(out)?)
    }

    /// The exit code of clap's refusal, or `None` if it accepted the arguments.
    fn refusal(args: &[&str]) -> Option<i32> {
        Line::try_parse_from(["tokens"].iter().chain(args)).err().map(|error| error.exit_code())
    }

    #[test]
    fn a_token_is_printed_alone_listed_and_revoked() -> Outcome {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("credentials.db");
        let who = ["create", "--org", "org_a", "--user", "user_1"];
        let token = tokens(&file, 1_000, &who)?;
        assert!(token.starts_with("service_at_") && token.len() == 61, "a token and a line end");
        let long = [&who[..], &["--ttl", "2d", "--scope", "mcp:write,mcp:read"]].concat();
        tokens(&file, 2_000, &long)?;

        let listed: serde_json::Value = serde_json::from_str(&tokens(&file, 3_000, &["list", "--json"])?)?;
        assert_eq!(
            listed[0],
            serde_json::json!({
                "id": listed[0]["id"], "organization": "org_a", "user": "user_1", "scope": "mcp:read",
                "createdAt": "1970-01-01T00:16:40.000Z", "expiresAt": "1970-01-01T01:16:40.000Z",
                "lastFour": &token[56..60], "revokedAt": null,
            })
        );
        assert_eq!(listed[1]["scope"], "mcp:read mcp:write");
        assert_eq!(listed[1]["expiresAt"], "1970-01-03T00:33:20.000Z");

        let id = listed[1]["id"].as_str().ok_or("an id")?;
        assert!(id.starts_with("tok_"), "{id}");
        tokens(&file, 4_000, &["revoke", id])?;
        let table = tokens(&file, 4_000, &["list"])?;
        let revoked = table.lines().map(|line| line.ends_with("1970-01-01T01:06:40.000Z  -"));
        assert_eq!(revoked.collect::<Vec<bool>>(), [false, false, true], "{table}");
        Ok(())
    }

    #[test]
    fn bad_values_are_usage_errors() {
        let good = [
            "create",
            "--credentials",
            "f",
            "--org",
            "org_a",
            "--user",
            "user_a",
            "--ttl",
            "1h",
            "--scope",
            "mcp:read",
        ];
        assert_eq!(refusal(&good), None);
        for (place, bad) in [
            (4, "a"),
            (6, "person_a"),
            (6, "user_a,b"),
            (8, "1"),
            (8, "0s"),
            (8, "366d"),
            (10, ""),
            (10, "mcp:admin"),
        ] {
            let mut args = good;
            args[place] = bad;
            assert_eq!(refusal(&args), Some(2), "{bad:?}");
        }
    }

    #[test]
    fn a_key_id_is_no_token_id() -> Outcome {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("credentials.db");
        tokens(&file, 1, &["create", "--org", "org_a", "--user", "user_a"])?;
        let error = tokens(&file, 1, &["revoke", "key_1"]).err().ok_or("refused")?.to_string();
        assert!(error.contains("there is no token with the id key_1"), "{error}");
        assert!(error.contains("kith tokens list"), "{error}");
        Ok(())
    }
}
