//! The table of intro requests.

use std::io;

use serde::Serialize;

use crate::dice::{Dice, Stream};
use crate::ids::{Id, IdKind};
use crate::output::TableWriter;
use crate::times;
use crate::world::World;

/// The statuses of closed requests. Other statuses are allowed; kith gives a meaning only to `ACTIVE`.
const OVER: [&str; 4] = ["COMPLETED", "WITHDRAWN", "EXPIRED", "DECLINED"];

/// A row of the table of intro requests.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct IntroRow {
    person_id: Id,
    status: &'static str,
    requested_by: Id,
    requested_at: String,
}

/// Writes the table of intro requests, with several for some people.
pub(crate) fn write(world: &World<'_>, table: &mut TableWriter<'_>) -> io::Result<()> {
    let mut dice = Dice::new(world.plan.seed, Stream::IntroRequests);
    let mut person = world.throw_famous(&mut dice);
    for number in 0..world.plan.intro_requests {
        if number % 6 != 1 {
            person = match dice.below(3) {
                0 => world.throw_anybody(&mut dice),
                _ => world.throw_famous(&mut dice),
            };
        }
        let member = world.throw_member(&mut dice);
        table.row(&IntroRow {
            person_id: world.person_id(person),
            status: if dice.percent(85) { "ACTIVE" } else { dice.pick::<&str>(&OVER) },
            requested_by: world.ids.get(IdKind::User, member),
            requested_at: times::within(400, &mut dice),
        })?;
    }
    Ok(())
}
