//! The table of people.

use std::io;

use serde::Serialize;

use crate::companies::slug;
use crate::dice::{Dice, Stream};
use crate::ids::{Id, IdKind};
use crate::names::NameMaker;
use crate::output::TableWriter;
use crate::positions;
use crate::roles::PlannedRole;
use crate::world::World;
use kith::model::text::lower;

/// A row of the table of people.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PersonRow {
    id: Id,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    linkedin_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_company_id: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    connections_count: Option<u32>,
}

/// Writes the table of people; returns the names of the members, in the order of the people.
pub(crate) fn write(world: &World<'_>, table: &mut TableWriter<'_>) -> io::Result<Vec<String>> {
    let mut dice = Dice::new(world.plan.seed, Stream::People);
    let names = NameMaker::new();
    let hosts: Vec<String> = world.companies.iter().map(|company| host(&company.name)).collect();
    let mut members = Vec::with_capacity(world.roles.members.len());
    for person in 0..world.plan.people {
        let known = world.roles.of[person as usize] != PlannedRole::Other;
        let city = world.places.get(world.city(person));
        let name = names.throw(city, &mut dice);
        if world.roles.of[person as usize] == PlannedRole::Member {
            members.push(name.clone());
        }
        let id = world.person_id(person);
        let company = world.company(person).map(|(number, _)| number);
        table.row(&PersonRow {
            id,
            linkedin_id: (known || !dice.one_in(14)).then(|| handle(&name, id, &mut dice)),
            email: (known || dice.percent(60))
                .then(|| email(&name, id, company.map(|number| hosts[number as usize].as_str()))),
            position: positions::throw(&mut dice),
            current_company_id: company.map(|number| world.ids.get(IdKind::Company, number)),
            city: (!dice.one_in(12)).then_some(city.name),
            country: (!dice.one_in(15)).then_some(city.country),
            connections_count: (known || !dice.one_in(6)).then(|| connections_count(&mut dice)),
            name,
        })?;
    }
    Ok(members)
}

/// The handle of a person: usually the name as a slug; some keep their case or their own letters.
fn handle(name: &str, id: Id, dice: &mut Dice) -> String {
    let plain = slug(name);
    let end = &id.symbols()[..4];
    match dice.below(20) {
        _ if plain.is_empty() => format!("in-{}", id.symbols()),
        0 => title_case(&plain) + "-" + end,
        1 => title_case(&plain).replace('-', "") + end,
        2 if !name.is_ascii() => lower(&letters(name)) + "-" + end,
        3 => id.symbols().to_uppercase(),
        _ => format!("{plain}-{end}"),
    }
}

/// The words of `name` in their own letters, joined with `-`.
fn letters(name: &str) -> String {
    let words = name.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

fn title_case(plain: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    plain.split('-').filter(|word| !word.is_empty()).map(capital).collect::<Vec<_>>().join("-")
}

/// The mail host of a company called `name`, under a reserved domain.
fn host(name: &str) -> String {
    let plain = slug(name).replace('-', "");
    if plain.is_empty() { "post.example".to_owned() } else { plain + ".example" }
}

fn email(name: &str, id: Id, host: Option<&str>) -> String {
    let plain = slug(name).replace('-', ".");
    let local = if plain.is_empty() { id.symbols() } else { &plain };
    format!("{local}@{}", host.unwrap_or("mail.example"))
}

/// Usually some hundreds, rarely many thousands.
fn connections_count(dice: &mut Dice) -> u32 {
    match dice.below(10) {
        0 => dice.between(0, 60),
        1..=7 => dice.between(60, 900),
        8 => dice.between(900, 4000),
        _ => 500 + dice.zipf(30_000, 500),
    }
}
