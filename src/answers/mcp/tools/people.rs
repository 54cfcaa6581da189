//! `find_person` answers like `searchPeople`, `get_person` like `getPerson` and `getPeopleNetwork`.

use crate::admission::class::Class;
use crate::api::json::Json;
use crate::api::sent::Sent;
use crate::graph::index::GraphIndex;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::lean::{object_within, text, text_if, texts};
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::{LIMIT_DEFAULT, write_card, write_intro};
use crate::query::card::MemberCard;
use crate::query::page::Page;
use crate::query::people_network::{Connection, PersonQuery};
use crate::query::people_search::PersonMatch;
use crate::query::person::{Degree, PersonProfile};
use crate::query::{people_network, people_search, person};

/// Maximum members named who know a person; all are counted.
const KNOWN_BY_MAX: usize = 3;
/// Maximum reasons of a score.
const REASONS_MAX: usize = 3;

/// Answers `find_person`.
pub(super) async fn find(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let _permit = asker.permit(Class::Short).await?;
    let params = asked.params(&[], asked.limit(LIMIT_DEFAULT), 0);
    let named = |error| asked.named(error, tool, &[]);
    let (plain, limit) = (params.plain("q").map_err(named)?, params.limit().map_err(named)? as usize);
    // One more, to see whether there is one.
    let mut people = people_search::find(asker.index(), &plain, limit + 1, Degree::Second);
    let goes_on = people.len() > limit;
    people.truncate(limit);
    let row = |json: &mut Json, found: &PersonMatch<'_>| write_match(json, asker.index(), found);
    Ok(object_within(
        "people",
        &people,
        |_| {},
        row,
        |json, count| {
            json.field("complete", count == people.len() && !goes_on);
        },
    ))
}

fn write_match(json: &mut Json, index: &GraphIndex, found: &PersonMatch<'_>) {
    write_card(json, &found.person);
    text_if(json, "city", found.city);
    json.field("degree", found.degree.name());
    json.field_if("warmness", found.warmest.map(|edge| edge.score));
    let members = found.known_by.iter().take(KNOWN_BY_MAX);
    let members = members.filter_map(|id| Some(MemberCard::of(index, index.find_user(id)?)));
    json.array_field("known_by", members, |json, member| {
        json.object(|json| {
            json.field("id", member.id);
            text(json, "name", member.name);
        });
    });
    json.field("known_by_count", found.known_by.len() as u64);
    write_intro(json, found.intro.as_ref());
}

/// Answers `get_person`.
pub(super) async fn get(asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let _permit = asker.permit(Class::Short).await?;
    let id = Sent::new("id", asked.text("id").unwrap_or("")).id()?;
    let index = asker.index();
    let profile = person::find(index, id).ok_or(Refused::Unseen)?;
    asker.looks_at("get_person", Some(profile.person.id));
    let page = Page { limit: LIMIT_DEFAULT, offset: 0 };
    let network = asked.is_true("with_connections");
    let network = network.then(|| people_network::find(index, PersonQuery::Id(id), false, page)).flatten();
    let Some(network) = network else {
        return Ok(Json::of_object(128, |json| write_profile(json, &profile)).into_bytes());
    };
    let head = |json: &mut Json| {
        write_profile(json, &profile);
        json.field("coverage", network.coverage.name());
    };
    Ok(object_within("knows", &network.connections, head, write_connection, |json, count| {
        json.field("knows_total", network.total);
        json.field("withheld", network.excluded);
        json.field("complete", count as u64 == network.total && network.excluded == 0);
    }))
}

fn write_profile(json: &mut Json, profile: &PersonProfile<'_>) {
    json.field("id", profile.person.id);
    text(json, "name", profile.person.name);
    text_if(json, "handle", profile.person.handle);
    text_if(json, "position", profile.person.position);
    text_if(json, "city", profile.city);
    if let Some(employer) = profile.employer {
        json.object_field("company", |json| {
            json.field("id", employer.id);
            text(json, "name", employer.name);
            text_if(json, "industry", employer.industry);
        });
    }
    json.field_if("connections_count", profile.connections_count);
    json.field("degree", profile.degree.name());
    json.field_if("warmness", profile.warmest.map(|edge| edge.score));
    texts(json, "why", profile.signals.sentences(), REASONS_MAX);
    write_intro(json, profile.intro.as_ref());
}

fn write_connection(json: &mut Json, connection: &Connection<'_>) {
    write_card(json, &connection.person);
    json.field_if("warmness", connection.warmness);
    texts(json, "why", connection.signals.sentences(), 1);
}
