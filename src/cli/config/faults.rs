//! Finds all faulty keys of a configuration; reading it as a whole names only the first.

use std::collections::BTreeMap;

use config::{Map, Value};
use serde::de::DeserializeOwned;

use crate::cli::config::error::ConfigError;

/// Why each faulty section and key of `merged` is not a valid part of `T`, ordered by name; empty if all are valid.
pub(super) fn of_keys<T: DeserializeOwned>(merged: config::Config) -> Vec<ConfigError> {
    // Taken as stored: values know the file or the environment that they come from.
    let Ok(sections) = merged.cache.into_table() else { return Vec::new() };
    let sections: BTreeMap<String, Value> = sections.into_iter().collect();
    sections.into_iter().flat_map(|(section, value)| of_section::<T>(&section, value)).collect()
}

fn of_section<T: DeserializeOwned>(section: &str, value: Value) -> Vec<ConfigError> {
    let taken = |value: Value| {
        let alone = Value::new(None, Map::from([(section.to_owned(), value)]));
        alone.try_deserialize::<T>().err().map(ConfigError::Unreadable)
    };
    let Ok(keys) = value.clone().into_table() else { return taken(value).into_iter().collect() };
    // A fault of the section itself is one of each of its keys.
    if let Some(fault) = taken(Value::new(None, Map::<String, Value>::new())) {
        return vec![fault];
    }
    let keys: BTreeMap<String, Value> = keys.into_iter().collect();
    keys.into_iter().filter_map(|(key, value)| taken(Value::new(None, Map::from([(key, value)])))).collect()
}
