//! `kith health`: checks whether a server is ready, with one request to its probe.

use std::error::Error;

use clap::Args;

use crate::limits::HEALTH_MAX;
use crate::outbound::address::{self, Address};
use crate::outbound::client::{Client, HttpFault, status_of};

/// The default path if the URL has none.
const READY: &str = "/readyz";

/// Ask a server whether it is ready: exit code 0 if it is.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith health --url http://127.0.0.1:8080/readyz")]
pub struct HealthCommand {
    /// The probe, http or https; /readyz if it has no path
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080/readyz", value_parser = parse_url)]
    url: Address,
}

/// Why a server does not count as ready.
#[derive(Debug, thiserror::Error)]
pub(super) enum HealthError {
    /// It answered otherwise.
    #[error("{url} answers {status}, not 200")]
    Status { url: Address, status: u16 },
    /// It did not answer in time.
    #[error("{url} does not answer within {} s", HEALTH_MAX.as_secs())]
    Slow { url: Address },
    /// It did not answer with HTTP.
    #[error("{url} {}", fault_says(*.fault))]
    Fault { url: Address, fault: HttpFault },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up")]
    NoTls,
}

impl HealthCommand {
    /// Sends the request, and succeeds if the answer is 200. Prints nothing.
    ///
    /// # Errors
    /// Returns an error for any other answer, or none in time.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let checked = runtime.block_on(check(self.url));
        // Does not wait for a name look-up still under way.
        runtime.shutdown_background();
        Ok(checked?)
    }
}

async fn check(url: Address) -> Result<(), HealthError> {
    let client = Client::new().map_err(|_| HealthError::NoTls)?;
    let answer = tokio::time::timeout(HEALTH_MAX, status_of(&client, &url)).await;
    match answer {
        Err(_) => Err(HealthError::Slow { url }),
        Ok(Err(fault)) => Err(HealthError::Fault { url, fault }),
        Ok(Ok(200)) => Ok(()),
        Ok(Ok(status)) => Err(HealthError::Status { url, status }),
    }
}

/// An address of http or https; with the path of the probe if it has none.
fn parse_url(text: &str) -> Result<Address, &'static str> {
    let url = address::parse(text).ok_or("write an address as http://127.0.0.1:8080/readyz")?;
    Ok(address::with_default_path(url, READY))
}

fn fault_says(fault: HttpFault) -> &'static str {
    match fault {
        HttpFault::Unconnected => "cannot be connected to",
        HttpFault::Untrusted => {
            "shows a certificate that no trusted authority vouches for; SSL_CERT_FILE names authorities of your own"
        }
        HttpFault::Broken => "breaks off before it answers",
        HttpFault::NotHttp | HttpFault::TooLong => "does not answer in HTTP",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_path_is_that_of_the_probe() {
        for (text, asked) in [
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080/readyz")),
            ("http://127.0.0.1:8080/", Some("http://127.0.0.1:8080/readyz")),
            ("https://kith.example/healthz", Some("https://kith.example/healthz")),
            ("http://[::1]:1/kith/readyz?x=1", Some("http://[::1]:1/kith/readyz?x=1")),
            ("127.0.0.1:8080", None),
            ("ftp://127.0.0.1/readyz", None),
            ("http://user:secret@127.0.0.1/readyz", None),
            ("", None),
        ] {
            assert_eq!(parse_url(text).ok().map(|url| url.to_string()).as_deref(), asked, "{text}");
        }
    }
}
