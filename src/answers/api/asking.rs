//! Writing asks, for tools, the page and the shell alike: looks the people up, checks for objections, and leaves the
//! rest to the file.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use kith::asks::event::{AskedOver, AskedPeople, EventKind};
use kith::asks::overlay::{AskOverlay, FoundAsk};
use kith::asks::preferences::day_of;
use kith::model::time::Timestamp;

use crate::api::endpoints::asks::{Ask, AskRow, Event, event_row};
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::ask_file::error::WriteRefused;
use crate::ask_file::overridden::OverriddenPreference;
use crate::ask_file::service::moment;
use crate::ask_file::store::AskStore;
use crate::ask_file::writing::{KEY_CHARS_MAX, MemberWords, MemberWrite, NOTE_CHARS_MAX, WrittenAsk};
use crate::audit;
use crate::auth::clock::to_millis;
use crate::auth::ttl::Ttl;
use crate::limits::TARGET_CHARS_MAX;
use crate::model::dataset::Role;
use crate::model::ix::{MemberIx, PersonIx};
use crate::query::card::MemberCard;
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::answer::{PathAnswer, WarmPath};
use crate::query::paths::marks::BrokenPreference;
use crate::query::paths::rank::PathPeople;
use crate::query::paths::request::{PathExtra, PathRequest, PathSort, TargetQuery};
use crate::query::paths::target::Target;
use crate::query::paths::written::is_taken;
use kith::limits::Limits;

/// The first paths, among which the one through exactly the people of an ask is looked for.
const PATHS: Page = Page { limit: 100_000, offset: 0 };

/// The life of a link.
const LINK_LIFE: Duration = Duration::from_secs(30 * 86_400);

/// An ask in a member's words.
#[derive(Clone, Debug, Default)]
pub struct AskWords {
    /// The target, as people write it.
    pub target: String,
    /// The person who makes the introduction.
    pub connector: Option<String>,
    /// The advocate whom the member contacts first.
    pub via_advocate: Option<String>,
    /// Whether to override a preference against the ask.
    pub overrides: bool,
}

/// How to write an event.
#[derive(Clone, Debug, Default)]
pub struct HowWritten {
    /// Their note.
    pub note: Option<String>,
    /// The key that recognizes a repeated write.
    pub key: Option<String>,
    /// Whether to report the event without writing it.
    pub is_dry_run: bool,
    /// When it happened; `None` means now.
    pub at: Option<Timestamp>,
}

/// A member writing to the asks of their organization.
#[derive(Clone, Copy, Debug)]
pub struct AskWriter<'a> {
    /// The current asks.
    pub overlay: &'a AskOverlay,
    /// The member.
    pub member: MemberIx,
    /// The bounds on the search for paths.
    pub limits: &'a Limits,
}

impl AskWriter<'_> {
    /// Writes that the member asked for an introduction.
    ///
    /// # Errors
    /// 404 for a person whom the member cannot see; 400 for an ambiguous or repeated person, or an invalid value; 409
    /// for a preference against the ask, and for a key already used for another write.
    pub fn record(
        &self,
        store: &AskStore,
        words: &AskWords,
        how: &HowWritten,
        now: SystemTime,
    ) -> Result<WrittenAsk, ApiError> {
        let write = self.write(how, now)?;
        let index = &self.overlay.index;
        let person = self.find("target", &words.target)?;
        let connector =
            words.connector.as_deref().map(|sent| self.find_inside("connector", sent)).transpose()?;
        let via =
            words.via_advocate.as_deref().map(|sent| self.find_inside("via_advocate", sent)).transpose()?;
        let own = index.data.members.person(self.member);
        if via.is_some() && connector.is_none() {
            return Err(ApiError::missing("connector", "whom the advocate asks"));
        }
        let target = Some(&words.target);
        let mut all = vec![own];
        for (name, sent, one) in [
            ("target", target, Some(person)),
            ("connector", words.connector.as_ref(), connector),
            ("via_advocate", words.via_advocate.as_ref(), via),
        ] {
            let (Some(sent), Some(one)) = (sent, one) else { continue };
            if all.contains(&one) {
                return Err(ApiError::invalid(name, sent, "somebody else than the others of the ask"));
            }
            all.push(one);
        }
        let people = PathPeople { member: own, via, connector: connector.unwrap_or(own), target: person };
        let id = |person: PersonIx| index.data.people.ids.get(person.0).to_owned();
        let asked =
            AskedPeople { person: id(person), connector: connector.map(id), via_advocate: via.map(id) };
        let before = store.written_before(&write, &MemberWords::Asked(asked.clone(), AskedOver::default()));
        if let Some(written) = before.map_err(ApiError::from)? {
            return Ok(written);
        }
        let broken = self.overlay.preferences.broken_by(index, people, &day_of(write.at));
        if let Some(broken) = broken.as_ref().filter(|_| !words.overrides) {
            return Err(ApiError::DoNotAsk(sentence_of(broken)));
        }
        let warmest = self.warmest(people, connector.is_none());
        let over = AskedOver {
            connection_type: warmest.map(|path| path.kind.name().to_owned()),
            warmness: warmest.map(|path| path.warmness),
            overridden: broken.as_ref().map(OverriddenPreference::written),
        };
        let is_overriding = over.overridden.is_some();
        let written = store.write(&write, MemberWords::Asked(asked, over)).map_err(ApiError::from)?;
        log(&write, &written, is_overriding);
        Ok(written)
    }

    /// Writes the outcome of the ask with this id.
    ///
    /// # Errors
    /// 404 for an unknown ask; 403 for an outcome that others must report; 409 for one that does not follow.
    pub fn report(
        &self,
        store: &AskStore,
        ask: &str,
        kind: EventKind,
        how: &HowWritten,
        now: SystemTime,
    ) -> Result<WrittenAsk, ApiError> {
        let write = self.write(how, now)?;
        let found = self.overlay.find(ask).ok_or(ApiError::NotFound)?;
        let words = MemberWords::Outcome { ask: found.ask.id.clone(), kind };
        let written = store.write(&write, words).map_err(ApiError::from)?;
        log(&write, &written, false);
        Ok(written)
    }

    /// Makes the link of the ask with this id, for its asker or an admin to send: its code, and when it expires.
    ///
    /// # Errors
    /// 404 for an unknown ask; 403 for anyone but its asker or an admin; 409 for a closed ask, or one without a
    /// connector.
    pub fn make_link(
        &self,
        store: &AskStore,
        ask: &str,
        text: Option<&str>,
        ttl: Option<Ttl>,
        now: SystemTime,
    ) -> Result<(String, Timestamp), ApiError> {
        let found = self.overlay.find(ask).ok_or(ApiError::NotFound)?;
        let data = &self.overlay.index.data;
        let is_admin = data.members.roles[self.member.0 as usize] == Role::Admin;
        if found.asker != self.member && !is_admin {
            return Err(ApiError::Forbidden(
                "A link is for the member who asked to make, or for an admin.".into(),
            ));
        }
        if found.connector.is_none() {
            return Err(ApiError::Conflict("The ask has no connector to send a link to.".into()));
        }
        let life = ttl.map_or(LINK_LIFE, Ttl::as_duration);
        let expires_at = to_millis(now + life);
        let code = store.make_link(&data.organization.id, ask, text, expires_at).map_err(ApiError::from)?;
        Ok((code, moment(now + life)))
    }

    fn write(&self, how: &HowWritten, now: SystemTime) -> Result<MemberWrite, ApiError> {
        let data = &self.overlay.index.data;
        let is_too_long = |text: &Option<String>, most| {
            text.as_ref().is_some_and(|text| text.trim().is_empty() || text.chars().count() > most)
        };
        for (name, text, most) in [("key", &how.key, KEY_CHARS_MAX), ("note", &how.note, NOTE_CHARS_MAX)] {
            if is_too_long(text, most) {
                let sent = text.as_deref().unwrap_or("");
                return Err(ApiError::invalid(name, sent, format!("1 to {most} characters, not blank")));
            }
        }
        Ok(MemberWrite {
            org: data.organization.id.clone(),
            user: data.members.user_ids.get(self.member.0).to_owned(),
            name: MemberCard::of(&self.overlay.index, self.member).name.to_owned(),
            is_admin: data.members.roles[self.member.0 as usize] == Role::Admin,
            at: how.at.unwrap_or_else(|| moment(now)),
            note: how.note.clone(),
            key: how.key.clone(),
            is_dry_run: how.is_dry_run,
        })
    }

    /// The person that `sent` means, of first or second degree or at the end of a path.
    fn find(&self, name: &str, sent: &str) -> Result<PersonIx, ApiError> {
        if !is_taken(sent) {
            let expected = format!("1 to {TARGET_CHARS_MAX} characters once folded");
            return Err(ApiError::invalid(name, sent, expected));
        }
        let index = &self.overlay.index;
        let extras = [PathExtra::Match].into_iter().collect();
        let query = match sent.starts_with("person_") {
            true => TargetQuery::PersonId(self.overlay.book.present_id(sent)),
            false => TargetQuery::Text(sent),
        };
        let request = PathRequest {
            extras,
            include_intro_requested: true,
            ..PathRequest::to(query, Page { limit: 1, offset: 0 })
        };
        let found = paths::find(index, &request, self.limits);
        let person = match found.target {
            Some(Target::Person(person)) => person,
            Some(Target::Company(_)) => {
                return Err(ApiError::invalid(name, sent, "one person; this is a company"));
            }
            None => return Err(ApiError::NotFound),
        };
        if let Some(matched) = found.matched.as_ref().filter(|matched| matched.others > 0) {
            let expected = format!("one person; {} are meant: send an id", matched.others + 1);
            return Err(ApiError::invalid(name, sent, expected));
        }
        if self.is_inside(person) || found.total > 0 { Ok(person) } else { Err(ApiError::NotFound) }
    }

    /// The person of first or second degree that `sent` means.
    fn find_inside(&self, name: &str, sent: &str) -> Result<PersonIx, ApiError> {
        let person = self.find(name, sent)?;
        if self.is_inside(person) { Ok(person) } else { Err(ApiError::NotFound) }
    }

    fn is_inside(&self, person: PersonIx) -> bool {
        let index = &self.overlay.index;
        let ids = &index.data.people.ids;
        index.inside.find(ids, ids.get(person.0)).is_some()
    }

    /// The warmest path through exactly these people; the member's own comes first.
    fn warmest(&self, people: PathPeople, is_direct: bool) -> Option<WarmPath> {
        let index = &self.overlay.index;
        let id = index.data.people.ids.get(people.target.0);
        let find = |from: Option<Vec<MemberIx>>| -> PathAnswer {
            let to = PathRequest::to(TargetQuery::PersonId(id), PATHS);
            paths::find(index, &PathRequest { from, sort: PathSort::Warmness, ..to }, self.limits)
        };
        let fits = |path: &&WarmPath| {
            let of = path.people(index);
            of.connector == people.connector && of.via == people.via
        };
        let own = find(Some(vec![self.member])).paths;
        if let Some(path) = own.iter().find(fits) {
            return Some(*path);
        }
        // A direct ask goes through the member alone.
        if is_direct { None } else { find(None).paths.iter().find(fits).copied() }
    }
}

fn log(write: &MemberWrite, written: &WrittenAsk, is_overriding: bool) {
    if written.is_new {
        audit::ask_written(&audit::AskWrite {
            organization: &write.org,
            ask: &written.ask.id,
            event: &written.event.id,
            kind: written.event.kind.name(),
            by: &write.user,
            is_overriding,
        });
    }
}

fn sentence_of(broken: &BrokenPreference<'_>) -> String {
    let until = broken.until.as_ref().map_or_else(String::new, |until| format!(" until {until}"));
    match (broken.rule, &broken.through) {
        ("through", Some(person)) => {
            format!(
                "A preference stands against it{until}: ask only through {} ({}).",
                person.name, person.id
            )
        }
        _ => format!("A preference stands against it{until}: do not ask."),
    }
}

impl From<WriteRefused> for ApiError {
    fn from(refused: WriteRefused) -> Self {
        let said = refused.to_string();
        match refused {
            WriteRefused::UnknownAsk => Self::NotFound,
            WriteRefused::NotTheirs { .. } => Self::Forbidden(said),
            WriteRefused::State { .. } | WriteRefused::OtherOpen { .. } | WriteRefused::KeyUsed { .. } => {
                Self::Conflict(said)
            }
            WriteRefused::DryRun(_) => Self::Internal,
            WriteRefused::Store(error) => {
                tracing::error!(%error, "an ask was not written");
                Self::Unavailable
            }
        }
    }
}

/// The answer to a write: the ask, the event, and whether it is new.
#[must_use]
pub fn write_answer(overlay: &AskOverlay, written: &WrittenAsk) -> Json {
    let ask = Arc::new(written.ask.clone());
    Json::of_object(1024, |json| {
        let Some(found) = FoundAsk::of(&overlay.index, &overlay.book, &ask) else { return };
        let row = AskRow::of(overlay, &found);
        json.object_field("ask", |json| Ask::write(json, row));
        json.object_field("event", |json| Event::write(json, event_row(&row, &written.event)));
        json.field("written", written.is_new);
    })
}
