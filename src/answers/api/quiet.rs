//! Strong ties that went quiet, as JSON.

use crate::api::fields::Card;
use crate::api::json::{Day, Json};
use crate::query::quiet::QuietTie;

pub(crate) fn write(json: &mut Json, tie: &QuietTie<'_>) {
    json.object_field("person", |json| Card::write(json, &tie.person));
    json.field("userId", tie.member.id);
    json.field("userName", tie.member.name);
    json.field("warmness", tie.warmness);
    json.field("lastContact", Day(tie.last));
    json.field("quietDays", tie.days);
}
