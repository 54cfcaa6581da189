//! A configuration with several faults: each is named in one run.
//!
//! Promise: All that is wrong with a configuration is reported at once.
//! Control: a sound one, and one with one fault.

use std::error::Error;

use super::{ConfigError, parsed};

#[test]
fn everything_that_is_wrong_is_named_at_once() -> Result<(), Box<dyn Error>> {
    let toml = "[limits]\nbridgez = 3\nedges_per_target = \"x\"\nbridges = 7\n[limit]\nbridges = 1\n[admin]\nhosts = 1.5\n";
    let said = parsed(toml, &[("KITH_LIMITS__BRIDGE", "5")])
        .map_err(|error| error.to_string())
        .err()
        .unwrap_or_default();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 5, "{said}");
    for part in ["KITH_LIMITS__BRIDGE", "bridgez", "limits.edges_per_target", "`limit`", "admin.hosts"] {
        assert_eq!(lines.iter().filter(|line| line.contains(part)).count(), 1, "{part}: {said}");
    }
    let toml = "[limits]\nbridges = 1000001\nedges_per_target = 1000002\n[service]\ndrain_seconds = 601\nproxies = [\"x\"]\n\
                [tls]\nkey_file = \"k\"\n[search]\nengines = [\"x\"]\n";
    let said =
        parsed(toml, &[])?.check(|_| None).map_err(|error| error.to_string()).err().unwrap_or_default();
    let keys = [
        "limits.edges_per_target",
        "limits.bridges",
        "search.engines",
        "tls.certificate_file",
        "service.drain_seconds",
        "service.proxies",
    ];
    assert_eq!(said.lines().count(), keys.len(), "{said}");
    for (line, key) in said.lines().zip(keys) {
        assert!(line.contains(key), "{key}: {line}");
    }
    // The control: a sound configuration has no faults, and a single fault is named alone.
    assert!(parsed("[limits]\nbridges = 7\n", &[])?.check(|_| None).is_ok());
    assert!(matches!(
        parsed("[limits]\nbridgez = 3\n", &[]).err().and_then(|error| error.downcast().ok()).as_deref(),
        Some(ConfigError::Unreadable(_))
    ));
    Ok(())
}
