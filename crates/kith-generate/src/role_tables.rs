//! The tables of members and of advocates.

use std::io;

use serde::Serialize;

use crate::dice::{Dice, Stream};
use crate::ids::{Id, IdKind};
use crate::output::TableWriter;
use crate::roles::AdvocateAnswer;
use crate::times;
use crate::world::World;

/// A row of the table of members.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberRow {
    user_id: Id,
    person_id: Id,
    role: &'static str,
    joined_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    connections_synced_at: Option<String>,
}

/// A row of the table of advocates.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AdvocateRow {
    person_id: Id,
    user_id: Id,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    connections_synced_at: Option<String>,
}

/// Writes the table of members: one admin, and a second one if there are many members.
pub(crate) fn write_members(world: &World<'_>, table: &mut TableWriter<'_>) -> io::Result<()> {
    let mut dice = Dice::new(world.plan.seed ^ 0x5eed, Stream::Roles);
    let second_admin = world.roles.members.len() / 2;
    for (number, &person) in world.roles.members.iter().enumerate() {
        let admin = number == 0 || (second_admin > 4 && number == second_admin);
        table.row(&MemberRow {
            user_id: world.ids.get(IdKind::User, number as u32),
            person_id: world.ids.get(IdKind::Person, person),
            role: if admin { "admin" } else { "member" },
            joined_at: times::within(1200, &mut dice),
            connections_synced_at: dice.percent(65).then(|| times::within(60, &mut dice)),
        })?;
    }
    Ok(())
}

pub(crate) fn write_advocates(world: &World<'_>, table: &mut TableWriter<'_>) -> io::Result<()> {
    let mut dice = Dice::new(world.plan.seed ^ 0xad_5eed, Stream::Roles);
    for advocacy in &world.roles.advocacies {
        let (status, synced) = match advocacy.answer {
            AdvocateAnswer::Accepted => ("accepted", 55),
            AdvocateAnswer::Pending => ("pending", 0),
            AdvocateAnswer::Declined => ("declined", 0),
        };
        table.row(&AdvocateRow {
            person_id: world.ids.get(IdKind::Person, advocacy.person),
            user_id: world.ids.get(IdKind::User, advocacy.member),
            status,
            connections_synced_at: dice.percent(synced).then(|| times::within(90, &mut dice)),
        })?;
    }
    Ok(())
}
