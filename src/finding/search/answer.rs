//! One search, from conditions to people: picks the engine and collects the people.

use std::sync::Arc;

use rayon::prelude::*;

use crate::model::ix::MemberIx;
use crate::search::conditions::{Condition, NetworkKind, Query, TermKind, When};
use crate::search::engine::{Engine, EngineUnavailable, Mode};
use crate::search::explain::{ExplainedSearch, SearchOutcome, explain};
use crate::search::fit::Fits;
use crate::search::pool::Pool;
use crate::search::rank::{Exclusion, Ranking, Strictness, Wanted, rank};
use crate::search::searched::Searched;
use crate::search::sweep::Weighted;
use crate::search::{keyword, knowers, measure, relational, vector};
use kith_embed::model::Model;

/// A search to run.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The parsed query.
    pub query: &'a Query,
    /// The networks to look in.
    pub networks: &'a [NetworkKind],
    /// The member whose perspective the search takes.
    pub acting: Option<MemberIx>,
    /// How many conditions people must match.
    pub strictness: Strictness,
    /// Maximum number of people.
    pub limit: u32,
    /// The requested engine, or automatic.
    pub mode: Mode,
    /// Whether to report what was understood, and why each person fits.
    pub explains: bool,
}

/// The result of a search.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The people.
    pub ranking: Ranking,
    /// The people the search could find.
    pub pool: Pool<'a>,
    /// The engine that answered.
    pub engine: Engine,
    /// In automatic mode: the engine that should have answered, and why it did not.
    pub fallback: Option<(Engine, EngineUnavailable)>,
    /// The understanding of the query, if requested.
    pub explained: Option<ExplainedSearch<'a>>,
}

/// Answers `request`.
///
/// # Errors
/// Returns why the pinned engine cannot answer, or in automatic mode why the first engine could not if none can.
pub fn answer<'a>(searched: Searched<'a>, request: &Request<'_>) -> Result<Answer<'a>, EngineUnavailable> {
    let findable = &searched.search.findable;
    let pool = Pool::beside(searched.index, findable, request.acting, request.networks);
    let wanted = match request.mode {
        Mode::Auto => &Engine::ALL[..],
        Mode::Pinned(engine) => &[engine],
    };
    let mut fallback = None;
    for &engine in wanted {
        match search(searched, &pool, request, engine) {
            Ok((ranking, explained)) => return Ok(Answer { ranking, pool, engine, fallback, explained }),
            Err(reason) => fallback = fallback.or(Some((engine, reason))),
        }
    }
    Err(fallback.map_or(EngineUnavailable::NotInService, |(_, reason)| reason))
}

fn search<'a>(
    searched: Searched<'a>,
    pool: &Pool<'_>,
    request: &Request<'_>,
    engine: Engine,
) -> Result<(Ranking, Option<ExplainedSearch<'a>>), EngineUnavailable> {
    check_ready(searched, engine)?;
    let Searched { index, .. } = searched;
    if request.query.is_blank {
        return Ok((Ranking::default(), request.explains.then(|| ExplainedSearch::of_nobody(request.query))));
    }
    let (conditions, exclusions) = rayon::join(
        || all_fits(searched, pool, &request.query.conditions, engine),
        || excluded_fits(searched, pool, request.query),
    );
    let asked = &request.query.conditions;
    let weighted = |(place, fits): (usize, Arc<Fits>)| {
        let condition = &asked[place];
        let is_alternative = request.query.alternatives.contains(&place);
        let fits = if condition.or_knowers { knowers::and_knowers(index, pool, &fits) } else { fits };
        Weighted { fits, weight: weight(condition), is_alternative }
    };
    let conditions: Vec<Weighted> = conditions?.into_iter().enumerate().map(weighted).collect();
    let order = request.query.conditions.iter().find_map(|condition| measure::order(condition.measure?));
    let wanted = Wanted { conditions: &conditions, exclusions: &exclusions, order };
    let ranking = rank(index, pool, wanted, request.strictness, request.limit);
    let outcome = SearchOutcome { pool, query: request.query, engine, wanted, people: &ranking.people };
    let explained = request.explains.then(|| explain(searched, outcome)).transpose()?;
    Ok((ranking, explained))
}

/// Checks that `engine` could answer any query: a query without conditions asks no engine, but must not be answered in
/// the name of a missing one.
fn check_ready(searched: Searched<'_>, engine: Engine) -> Result<(), EngineUnavailable> {
    match engine {
        _ if !searched.engines.has(engine) => Err(EngineUnavailable::NotInService),
        Engine::Vector if !Model::is_model_of(&searched.index.data.vectors) => {
            Err(EngineUnavailable::OtherModel)
        }
        Engine::Relational if searched.store.is_none() => Err(EngineUnavailable::NoStore),
        Engine::Vector | Engine::Keyword | Engine::Relational => Ok(()),
    }
}

fn all_fits(
    searched: Searched<'_>,
    pool: &Pool<'_>,
    conditions: &[Condition],
    engine: Engine,
) -> Result<Vec<Arc<Fits>>, EngineUnavailable> {
    let Searched { index, search, .. } = searched;
    let fits = |condition: &Condition| match engine {
        _ if let Some(measure) = condition.measure => {
            Ok(measure::fits(index, search.well_connected, pool, measure))
        }
        Engine::Keyword => Ok(keyword::fits_of_parts(index, search, condition)),
        Engine::Vector => Ok(vector::fits(index, search, condition)),
        Engine::Relational => {
            let store = searched.store.ok_or(EngineUnavailable::NoStore)?;
            relational::fits(index, search, store, condition, searched.deadline)
        }
    };
    let or_named = |condition: &Condition, fits: Fits| match condition.or_name {
        true => search.names.or_named(index, &condition.term, fits),
        false => fits,
    };
    let reckoned = |condition: &Condition| match engine {
        // A condition has the same sense for every caller.
        Engine::Vector if condition.measure.is_none() => Ok(search
            .recent
            .get_or(condition, || or_named(condition, vector::fits(index, search, condition)))),
        _ => fits(condition).map(|fits| Arc::new(or_named(condition, fits))),
    };
    conditions.par_iter().map(reckoned).collect()
}

/// The fits of the exclusions, then those of the people who are still at a company that they should have left.
///
/// Exclusions go by words in every engine, so that merely similar texts are not excluded.
fn excluded_fits(searched: Searched<'_>, pool: &Pool<'_>, query: &Query) -> Vec<Exclusion> {
    let Searched { index, search, .. } = searched;
    let fits = |condition: &Condition| match condition.measure {
        Some(measure) => measure::fits(index, search.well_connected, pool, measure),
        None => keyword::fits(index, search, condition),
    };
    let excluded = |it: &Condition| Exclusion { fits: fits(it), kind: it.kind, measure: it.measure };
    let left = query.conditions.iter().filter(|it| it.kind == TermKind::Company && it.when == When::Once);
    let present = left.map(|it| Condition { when: When::Now, ..it.clone() });
    let present: Vec<Condition> = present.filter(|now| !query.conditions.contains(now)).collect();
    // Without a company they are surely not there any more, so their kind is not that of a company.
    let still = |it: &Condition| Exclusion { fits: fits(it), kind: TermKind::Relation, measure: None };
    let exclusions = query.exclusions.par_iter().map(excluded);
    exclusions.chain(present.par_iter().map(still)).collect()
}

/// The relative weight of a condition: what a person does says more than where.
fn weight(condition: &Condition) -> f32 {
    match condition.kind {
        TermKind::Name => 1.2,
        TermKind::Role | TermKind::Company | TermKind::Relation | TermKind::Silence => 1.0,
        TermKind::Industry | TermKind::Topic => 0.8,
        TermKind::Place => 0.7,
        TermKind::Seniority => 0.5,
        TermKind::Size => 0.4,
        TermKind::Connections => 0.3,
    }
}
