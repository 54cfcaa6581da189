//! Changes and ties as the cells of a table.

use crate::query::changes::{Change, ChangedValue};
use crate::query::paths::request::PathType;
use crate::query::quiet::QuietTie;

/// Stands for a missing value.
const NO_VALUE: &str = "-";

/// The `parts` that have a value, joined by commas; a dash if there are none.
pub(crate) fn joined(parts: &[Option<&str>]) -> String {
    let parts: Vec<&str> = parts.iter().flatten().copied().collect();
    if parts.is_empty() { NO_VALUE.to_owned() } else { parts.join(", ") }
}

/// The row of `change`: kind, person, before, after.
pub(crate) fn change(change: &Change<'_>) -> [String; 4] {
    let value = |value: &Option<ChangedValue<'_>>| match value {
        None => joined(&[]),
        Some(ChangedValue::Path(path)) if path.kind == PathType::Direct => {
            format!("{} {}", path.warmness, path.from.name)
        }
        Some(ChangedValue::Path(path)) => {
            format!("{} {} by {}", path.warmness, path.from.name, path.connector.name)
        }
        Some(ChangedValue::Position(position)) => (*position).to_owned(),
        Some(ChangedValue::Company(company)) => company.name.to_owned(),
    };
    let person = joined(&[Some(change.person.name), change.person.company]);
    [change.kind.name().to_owned(), person, value(&change.before), value(&change.after)]
}

/// The row of `tie`: its score, the last contact, the contact and the member.
pub(crate) fn quiet(tie: &QuietTie<'_>) -> [String; 4] {
    let person = joined(&[Some(tie.person.name), tie.person.company]);
    [tie.warmness.to_string(), tie.last.to_rfc3339_ms()[..10].to_owned(), person, tie.member.name.to_owned()]
}
