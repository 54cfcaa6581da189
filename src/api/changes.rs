//! Changes between two networks as JSON.

use crate::api::fields::{write_card, write_identity};
use crate::api::json::Json;
use crate::query::changes::{Change, ChangedValue};

/// `kind`, `person`, `before` and `after`; the last two are null if there is nothing of the kind on their side.
pub fn write_change(json: &mut Json, change: &Change<'_>) {
    json.text("kind", change.kind.name());
    json.object_field("person", |json| write_card(json, &change.person, "company"));
    write_value(json, "before", change.before.as_ref());
    write_value(json, "after", change.after.as_ref());
}

fn write_value(json: &mut Json, key: &str, value: Option<&ChangedValue<'_>>) {
    match value {
        None => json.null(key),
        Some(ChangedValue::Path(path)) => json.object_field(key, |json| {
            json.number("warmness", path.warmness);
            json.text("connectionType", path.kind.name());
            json.text("fromUserId", path.from.id);
            json.object_field("connector", |json| write_identity(json, &path.connector));
        }),
        Some(ChangedValue::Position(position)) => json.text(key, position),
        Some(ChangedValue::Company(company)) => json.object_field(key, |json| {
            json.text("id", company.id);
            json.text("name", company.name);
        }),
    }
}
