//! `deploy/kith.toml`: it has every key, and the defaults it states are right.
//!
//! Promise: The sample configuration has every key, and what it calls a default is one.
//! Control: a key misspelt, and one left out.

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::path::Path;

use config::{File, FileFormat};

use super::parsed;
use crate::cli::config::{Config, variables};
use crate::limits::PROVIDER_TIMEOUT_MS_DEFAULT;
use crate::live::reload::InMemory;

/// The sample configuration in `deploy/`.
fn sample() -> Result<String, Box<dyn Error>> {
    Ok(std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/kith.toml"))?)
}

/// `sample` with every key set: an unset key has a `#` without a blank before it.
fn with_every_key(sample: &str) -> String {
    let set = |line: &str| match line.strip_prefix('#') {
        Some(key) if key.starts_with(|c: char| c.is_ascii_lowercase()) => format!("{key}\n"),
        _ => format!("{line}\n"),
    };
    sample.lines().map(set).collect()
}

/// The keys that `sample` lacks, and its unknown keys, by their names in the environment.
fn wrong_keys(sample: &str) -> Result<Vec<String>, Box<dyn Error>> {
    type Sections = HashMap<String, HashMap<String, config::Value>>;
    let source = File::from_str(&with_every_key(sample), FileFormat::Toml);
    let sections: Sections = config::Config::builder().add_source(source).build()?.try_deserialize()?;
    let key = |section: &str, key: &String| format!("{section}__{key}").to_uppercase();
    let held = sections.iter().flat_map(|(section, keys)| keys.keys().map(move |name| key(section, name)));
    let held: BTreeSet<String> = held.collect();
    let known: BTreeSet<String> = variables::KEYS.iter().map(|&known| known.to_owned()).collect();
    Ok(known.symmetric_difference(&held).cloned().collect())
}

/// `all` with the default bounds on an issuer's keys and tokens.
fn all_but_the_bounds(all: &Config) -> Config {
    let mut default = all.clone();
    (default.oauth.jwks_max_age_seconds, default.oauth.token_life_max_seconds) = (None, None);
    default
}

#[test]
fn the_sample_configuration_holds_every_key_and_changes_nothing() -> Result<(), Box<dyn Error>> {
    let sample = sample()?;
    assert_eq!(format!("{:?}", parsed(&sample, &[])?), format!("{:?}", Config::default()));
    assert_eq!(wrong_keys(&sample)?, <[String; 0]>::default());
    // The stated defaults are right.
    let all = parsed(&with_every_key(&sample), &[("KITH_OAUTH__JWKS_FILE", "")])?;
    let none = Config::default();
    assert_eq!(all.limits()?, none.limits()?);
    assert_eq!((all.engines()?, all.watch(), all.drain()?), (none.engines()?, none.watch(), none.drain()?));
    assert_eq!(
        (all.admin_hosts()?, all.language_model.timeout_ms),
        (vec![], Some(PROVIDER_TIMEOUT_MS_DEFAULT))
    );
    assert_eq!(
        (all.telemetry.sample_ratio, all.in_memory()?),
        (Some(1.0), InMemory::ByNeed { budget: 1 << 32 })
    );
    assert_eq!(all.cors_origins()?, none.cors_origins()?);
    assert_eq!(all.mcp(None)?.is_some(), none.mcp(None)?.is_some());
    // And the examples are valid.
    all.language_model(|_| Some("k".to_owned()))?.ok_or("a provider")?;
    let issuer = all.issuer()?;
    assert_eq!(format!("{issuer:?}"), format!("{:?}", all_but_the_bounds(&all).issuer()?));
    assert!(issuer.is_some() && all.traces()?.is_some() && all.rates()?.is_some() && all.tls()?.is_some());
    Ok(())
}

/// The control: the same sample with a misspelt key, and without a key.
#[test]
fn a_key_that_the_sample_misspells_or_lacks_is_found() -> Result<(), Box<dyn Error>> {
    let sample = sample()?;
    let misspelt = sample.replace("#drain_seconds", "#drain_second");
    assert_eq!(wrong_keys(&misspelt)?, ["SERVICE__DRAIN_SECOND", "SERVICE__DRAIN_SECONDS"]);
    assert!(parsed(&with_every_key(&misspelt), &[]).is_err());
    assert_eq!(wrong_keys(&sample.replace("#burst = 60\n", ""))?, ["RATES__BURST"]);
    Ok(())
}
