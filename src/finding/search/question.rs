//! One network search from a question's text to the rows of its answer: parse, resolve, answer, name.

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::query::card::{Employer, PersonCard};
use crate::query::person::{MemberTie, ties};
use crate::search::answer::{Answer, Request, answer};
use crate::search::conditions::{Draft, NetworkKind, Query};
use crate::search::engine::{Engine, EngineUnavailable, Mode};
use crate::search::parse::parse;
use crate::search::pool::{Pool, Source, default_member};
use crate::search::rank::Strictness;
use crate::search::resolve::resolve;
use crate::search::searched::Searched;
use crate::search::understood::{TermMatch, Understood};

/// A caller's validated question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question in plain language.
    pub text: String,
    /// The networks to search; `None` leaves them to the text.
    pub networks: Option<Vec<NetworkKind>>,
    /// How many conditions people must match.
    pub strictness: Strictness,
    /// The member whose view was requested outside the text; takes precedence over one named in the text.
    pub view: Option<MemberIx>,
    /// The asking member; `None` means [`default_member`].
    pub acting: Option<MemberIx>,
    /// Maximum number of people.
    pub limit: u32,
    /// The engine to use.
    pub mode: Mode,
    /// Whether to report what was understood, and why each person fits.
    pub explains: bool,
    /// Whether to report which members know each person.
    pub names_ties: bool,
}

/// The people found, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// The people, best matches first.
    pub people: Vec<FoundPerson<'a>>,
    /// The terms of the search: those of the conditions, then those of the exclusions.
    pub terms: Vec<String>,
    /// The number of all people who fit.
    pub total: u64,
    /// The engine that answered.
    pub engine: Engine,
    /// In automatic mode: the engine that should have answered, and why it did not.
    pub fallback: Option<(Engine, EngineUnavailable)>,
    /// The understanding of the query, if requested.
    pub understood: Option<Understood<'a>>,
}

/// A person who was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPerson<'a> {
    /// The person's id, name and position.
    pub person: PersonCard<'a>,
    /// The company they work for.
    pub employer: Option<Employer<'a>>,
    /// The city they live in.
    pub city: Option<&'a str>,
    /// The country they live in.
    pub country: Option<&'a str>,
    /// The score, from 0 to 100, of the warmest edge to them in the chosen networks.
    pub warmness: Option<u8>,
    /// Every chosen network that they are in.
    pub sources: Vec<NamedSource<'a>>,
    /// The terms that they fit, if requested.
    pub matched: Vec<TermMatch<'a>>,
    /// The members who know them, warmest first, if requested.
    pub ties: Option<Vec<MemberTie<'a>>>,
}

/// A network that a person is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSource<'a> {
    /// The part of the acting member's reach.
    pub kind: NetworkKind,
    /// The name of the acting member, of the advocate, or of the organization.
    pub name: &'a str,
}

/// Answers `question`. `draft` is a language model's parse; with `None` the built-in parser does it. Costs as much as
/// the engine, and for each person listed a look at their near edges.
///
/// # Errors
/// Returns why the pinned engine cannot answer, or in automatic mode why the first engine could not if none can.
pub fn ask<'a>(
    searched: Searched<'a>,
    question: &Question,
    draft: Option<Draft>,
) -> Result<Found<'a>, EngineUnavailable> {
    let Searched { index, search, .. } = searched;
    let mut query = search.spell(resolve(&draft.unwrap_or_else(|| parse(index, search, &question.text))));
    query.is_blank = !question.text.chars().any(char::is_alphanumeric);
    let request = Request {
        query: &query,
        networks: chosen_networks(question.networks.as_deref(), &query.networks),
        acting: question.view.or(query.view).or(question.acting).or_else(|| default_member(index)),
        strictness: question.strictness,
        limit: question.limit,
        mode: question.mode,
        explains: question.explains,
    };
    let Answer { ranking, pool, engine, fallback, explained } = answer(searched, &request)?;
    let (understood, matched) = explained.map(|it| (it.understood, it.matched)).unzip();
    let matched = matched.into_iter().flatten().chain(std::iter::repeat_with(Vec::new));
    let people = ranking.people.into_iter().zip(matched);
    let people = people.map(|(person, matched)| FoundPerson {
        matched,
        ties: question.names_ties.then(|| ties(index, person)),
        ..FoundPerson::of(index, &pool, person)
    });
    let people = people.collect();
    Ok(Found { people, terms: terms(query), total: ranking.total, engine, fallback, understood })
}

/// The requested networks take precedence over those named in the text; without either, all networks.
fn chosen_networks<'a>(asked: Option<&'a [NetworkKind]>, named: &'a [NetworkKind]) -> &'a [NetworkKind] {
    match (asked, named) {
        (Some(asked), _) => asked,
        (None, []) => &NetworkKind::ALL,
        (None, named) => named,
    }
}

fn terms(query: Query) -> Vec<String> {
    query.conditions.into_iter().chain(query.exclusions).map(|condition| condition.term).collect()
}

impl<'a> FoundPerson<'a> {
    fn of(index: &'a GraphIndex, pool: &Pool<'_>, person: PersonIx) -> Self {
        let sources = pool.sources(person).into_iter().map(|source| NamedSource::of(index, source));
        Self {
            person: PersonCard::of(index, person),
            employer: Employer::of(index, person),
            city: index.data.people.cities.value(person.0),
            country: index.data.people.countries.value(person.0),
            warmness: pool.warmness(person),
            sources: sources.collect(),
            matched: Vec::new(),
            ties: None,
        }
    }
}

impl<'a> NamedSource<'a> {
    fn of(index: &'a GraphIndex, source: Source) -> Self {
        match source {
            Source::User(member) => {
                Self { kind: NetworkKind::User, name: index.data.people.names.get(member.0) }
            }
            Source::Advocate(advocate) => {
                Self { kind: NetworkKind::Advocate, name: index.data.people.names.get(advocate.0) }
            }
            Source::Organization => {
                Self { kind: NetworkKind::Organization, name: index.data.organization.name.as_str() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::search::conditions::{Term, TermKind};
    use crate::search::engine::Engines;
    use crate::search::index::SearchIndex;
    use kith::sketch::tiny;

    #[test]
    fn a_draft_is_taken_the_default_member_acts_if_nobody_is_named_and_sources_have_names()
    -> Result<(), Box<dyn std::error::Error>> {
        let index = tiny()?;
        let search = SearchIndex::build(&index);
        let searched = Searched {
            index: &index,
            search: &search,
            store: None,
            engines: Engines::ALL,
            deadline: Instant::now(),
        };
        let name = Term { kind: TermKind::Name, text: "Pia Weiß".to_owned(), negated: false, past: false };
        let pia = Draft { terms: vec![name], ..Draft::default() };
        let cai = index.find_user("user_cai");
        let ana = (NetworkKind::User, "Ana Moreira");
        let whole = (NetworkKind::Organization, "Lanternworks");
        for (acting, networks, expected) in [
            (None, &[NetworkKind::User][..], &[ana][..]),
            (None, &[NetworkKind::User, NetworkKind::Organization], &[ana, whole]),
            (cai, &[NetworkKind::User], &[]),
        ] {
            let question = Question {
                text: "anybody".to_owned(),
                networks: Some(networks.to_vec()),
                strictness: Strictness::Strict,
                view: acting,
                acting: None,
                limit: 5,
                mode: Mode::Pinned(Engine::Keyword),
                explains: false,
                names_ties: false,
            };
            let found = ask(searched, &question, Some(pia.clone())).map_err(EngineUnavailable::sentence)?;
            let sources: Vec<_> = found
                .people
                .iter()
                .flat_map(|person| &person.sources)
                .map(|source| (source.kind, source.name))
                .collect();
            assert_eq!(sources, expected, "{acting:?} in {networks:?}");
            assert_eq!(found.total, u64::from(!expected.is_empty()));
        }
        Ok(())
    }

    #[test]
    fn networks_asked_for_count_before_those_named_and_all_without_either() {
        use NetworkKind::{Advocate, Organization, User};
        for (asked, named, expected) in [
            (None, &[][..], &NetworkKind::ALL[..]),
            (None, &[Advocate], &[Advocate]),
            (Some(&[User][..]), &[], &[User]),
            (Some(&[User, Organization]), &[Advocate], &[User, Organization]),
        ] {
            assert_eq!(chosen_networks(asked, named), expected, "{asked:?} before {named:?}");
        }
    }
}
