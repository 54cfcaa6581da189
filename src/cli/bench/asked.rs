//! Asks one question.

use std::hint::black_box;

use crate::cli::bench::draw::DrawnTarget;
use crate::cli::bench::kind::Kind;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::limits::STORE_LOOKUP_DEADLINE;
use crate::query::connections::SecondDegreePage;
use crate::query::page::Page;
use crate::query::paths::request::{PathRequest, TargetQuery};
use crate::query::people_network::PersonQuery;
use crate::query::person::Degree;
use crate::query::{company_search, connections, paths, people_network, people_search, person};
use crate::search::engine::{Engines, Mode};
use crate::search::index::SearchIndex;
use crate::search::question;
use crate::search::rank::Strictness;
use crate::search::searched::Searched;
use kith::limits::{Limits, PAGE_LIMIT_DEFAULT};

/// The first page with the default `limit`.
const PAGE: Page = Page { limit: PAGE_LIMIT_DEFAULT, offset: 0 };

/// A network to ask, with its bounds.
#[derive(Clone, Copy)]
pub(super) struct BenchedNetwork<'a> {
    pub(super) index: &'a GraphIndex,
    pub(super) search: &'a SearchIndex,
    pub(super) limits: Limits,
}

impl BenchedNetwork<'_> {
    /// Asks one question for the first page of its answer, as complete rows. Returns whether a bound left something
    /// out.
    pub(super) fn ask(&self, kind: Kind, target: &DrawnTarget) -> bool {
        let Self { index, limits, .. } = self;
        let id = |row: u32| index.data.people.ids.get(row);
        let warm_paths = |target| paths::list(index, &PathRequest::to(target, PAGE), limits);
        match (kind, target) {
            (Kind::PathsToPerson | Kind::PathsToWellKnown, DrawnTarget::Person(person)) => {
                black_box(warm_paths(TargetQuery::PersonId(id(person.0)))).coverage.is_capped()
            }
            (Kind::PathsToCompany, DrawnTarget::Company(company)) => {
                let company = TargetQuery::CompanyId(index.data.companies.ids.get(company.0));
                black_box(warm_paths(company)).coverage.is_capped()
            }
            (Kind::Person, DrawnTarget::Person(person)) => {
                black_box(person::find(index, id(person.0)));
                false
            }
            (Kind::PersonNetwork, DrawnTarget::Person(person)) => {
                black_box(people_network::find(index, PersonQuery::Id(id(person.0)), false, PAGE));
                false
            }
            (Kind::Connections, &DrawnTarget::Member(member)) => {
                black_box(connections::list(index, member, PAGE));
                false
            }
            (Kind::SecondDegree, &DrawnTarget::Member(member)) => {
                let found = connections::reach(index, member, None, PAGE, limits);
                let found = found.map(|found| SecondDegreePage::of(index, found));
                black_box(found).is_some_and(|found| found.capped)
            }
            (Kind::SecondDegreeAgain, &DrawnTarget::Member(member)) => {
                let found = connections::list_second_degree(index, member, None, PAGE, limits);
                black_box(found).is_some_and(|found| found.capped)
            }
            (Kind::People, DrawnTarget::Text(folded)) => {
                black_box(people_search::find(index, folded, PAGE.limit as usize, Degree::Second));
                false
            }
            (Kind::Companies, DrawnTarget::Text(folded)) => {
                black_box(company_search::find(index, folded, PAGE));
                false
            }
            (Kind::PlainWords, DrawnTarget::Text(text)) => {
                self.ask_in_plain_words(text);
                false
            }
            // Each question is drawn for its kind.
            _ => false,
        }
    }

    fn ask_in_plain_words(&self, text: &str) {
        let question = question::Question {
            text: text.to_owned(),
            networks: None,
            strictness: Strictness::ALL[0],
            view: None,
            acting: None,
            limit: PAGE.limit,
            mode: Mode::Auto,
            explains: false,
            names_ties: false,
        };
        let searched = Searched {
            index: self.index,
            search: self.search,
            store: None,
            engines: Engines::ALL,
            deadline: clock::now() + STORE_LOOKUP_DEADLINE,
        };
        let _ = black_box(question::ask(searched, &question, None));
    }

    /// The share of `questions` whose answer is cut by a bound; `None` if there are none, or the kind has no bound.
    pub(super) fn capped_share(&self, kind: Kind, questions: &[DrawnTarget]) -> Option<f64> {
        if !kind.is_bounded() || questions.is_empty() {
            return None;
        }
        let capped = questions.iter().filter(|question| self.ask(kind, question)).count();
        Some(capped as f64 / questions.len() as f64)
    }
}
