//! All keys of a configuration that cannot be taken, whereas reading it as a whole names the first alone.

use std::collections::BTreeMap;

use config::{Map, Value};
use serde::de::DeserializeOwned;

use crate::cli::config::error::ConfigError;

/// Why each section and key of `merged` cannot be taken as one of `T`, in the order of their names. Empty if each can be.
pub(super) fn of_keys<T: DeserializeOwned>(merged: config::Config) -> Vec<ConfigError> {
    // As it lies there: values know the file or the environment that they come from.
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
    // What is wrong with the section itself is wrong with each of its keys.
    if let Some(fault) = taken(Value::new(None, Map::<String, Value>::new())) {
        return vec![fault];
    }
    let keys: BTreeMap<String, Value> = keys.into_iter().collect();
    keys.into_iter().filter_map(|(key, value)| taken(Value::new(None, Map::from([(key, value)])))).collect()
}
