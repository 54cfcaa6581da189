//! The engine `graph-vector`: texts with a similar meaning, by the vectors in the snapshot.
//!
//! Equal words are the surest sign of equal meaning, so this engine starts from the result of `graph-keyword` and adds
//! other wordings: a position, an industry or a company's name counts by the cosine of its vector to those of the
//! condition. Places, companies and people go by name, so only words decide on them; a place that no text has is looked
//! up by vector.

use crate::graph::index::GraphIndex;
use crate::model::vectors::Quantized;
use crate::search::concepts::ConceptKind;
use crate::search::conditions::{Condition, TermKind};
use crate::search::fit::{Fit, Fits, MATCH, raise};
use crate::search::index::SearchIndex;
use crate::search::keyword::{self, by_company};
use crate::search::resolve::own_words;
use crate::search::sentence::{SentenceColumn, add_sentence};
use crate::search::text_index::TextIndex;
use crate::search::ways::RoleSense;
use crate::search::words::stems;
use kith_embed::dot::Probe;
use kith_embed::model::{Model, Vector};

/// The cosine below which a text is irrelevant.
const FAR: f32 = 0.25;
/// The cosine from which on a text has the same meaning.
const NEAR: f32 = 0.62;
/// Minimum cosine of the same meaning if no text has the words and none is nearer.
const NEAR_ENOUGH: f32 = 0.40;
/// Maximum distance behind the nearest text if none has the words, as a difference of cosines.
const BEHIND: f32 = 0.08;
/// The best fit of a different wording: below that of the same words.
const SAME_SENSE: Fit = 200;
/// Maximum number of titles with a role's words that are read again for their field: some microseconds each.
const TITLES_MAX: usize = 1024;
/// The weight of similarity for texts that already match by words.
const ORDER: f32 = 0.4;

/// How well `condition` fits everybody. Costs as much as the keyword engine, and two passes over the vectors of its
/// columns.
#[must_use]
pub fn fits(index: &GraphIndex, search: &SearchIndex, condition: &Condition) -> Fits {
    let mut fits = keyword::fits(index, search, condition);
    let vectors = &index.data.vectors;
    match condition.kind {
        TermKind::Role if condition.is_sentence => {
            let (stored, words) = (&vectors.positions, &search.positions);
            let positions = SentenceColumn::new(ConceptKind::Work, stored, words, &mut fits.positions);
            add_sentence(&condition.term, [positions]);
        }
        // A level goes by its titles: an account executive is not an executive.
        TermKind::Seniority if fits.has_match() => {}
        TermKind::Role | TermKind::Seniority => {
            let by_words = fits.positions.clone();
            Senses::of(condition).add(&vectors.positions, &search.positions, &mut fits.positions);
            leave_other_titles(index, condition, &by_words, &mut fits.positions);
        }
        TermKind::Industry => {
            let mut industries = search.industries.fits(&condition.phrases);
            Senses::of(condition).add(&vectors.industries, &search.industries, &mut industries);
            raise(&mut fits.companies, by_company(&index.data.companies.industries, &industries));
        }
        TermKind::Topic if condition.is_sentence => {
            let mut industries = search.industries.fits(&condition.phrases);
            let (Fits { positions, cities, countries, .. }, column) = (&mut fits, SentenceColumn::new);
            let columns = [
                column(ConceptKind::Work, &vectors.positions, &search.positions, positions),
                column(ConceptKind::Industry, &vectors.industries, &search.industries, &mut industries),
                column(ConceptKind::Place, &vectors.cities, &search.cities, cities),
                column(ConceptKind::Place, &vectors.countries, &search.countries, countries),
            ];
            add_sentence(&condition.term, columns);
            raise(&mut fits.companies, by_company(&index.data.companies.industries, &industries));
            raise(&mut fits.companies, company_names(index, search, condition));
        }
        TermKind::Topic => {
            let senses = Senses::of(condition);
            let is_named = fits.has_match();
            let mut industries = search.industries.fits(&condition.phrases);
            let mut names = vec![0; vectors.company_names.len()];
            senses.add_near(&vectors.positions, &search.positions, &mut fits.positions, is_named);
            senses.add_near(&vectors.industries, &search.industries, &mut industries, is_named);
            senses.add_near(&vectors.company_names, &search.companies, &mut names, true);
            raise(&mut fits.companies, by_company(&index.data.companies.industries, &industries));
            raise(&mut fits.companies, names);
        }
        TermKind::Place if !fits.has_match() => {
            let senses = Senses::of(condition);
            let mut headquarters = vec![0; vectors.headquarters.len()];
            senses.add_near(&vectors.cities, &search.cities, &mut fits.cities, true);
            senses.add_near(&vectors.countries, &search.countries, &mut fits.countries, true);
            senses.add_near(&vectors.headquarters, &search.headquarters, &mut headquarters, true);
            raise(&mut fits.companies, by_company(&index.data.companies.headquarters, &headquarters));
        }
        _ => {}
    }
    fits
}

/// Drops matches of titles that name another field of work ("Principal Recruiter" for "partners"), and those near a role
/// only by vector that name another job or level: "Board of Directors" for "sales directors". Titles of another field
/// with the role's own words match least: "Product Designer" for "product". If more titles than a search can read have the
/// words of the role, those stay.
fn leave_other_titles(index: &GraphIndex, role: &Condition, by_words: &[Fit], fits: &mut [Fit]) {
    let own = own_words(role);
    let sense = RoleSense::of(&own);
    let titles = &index.data.people.positions.values;
    let are_read = by_words.iter().filter(|&&fit| fit >= MATCH).count() <= TITLES_MAX;
    for (title, (fit, &by_words)) in fits.iter_mut().zip(by_words).enumerate() {
        if *fit < MATCH || by_words >= MATCH && !are_read {
            continue;
        }
        let words = stems(titles.get(title as u32));
        let of_title = RoleSense::of(&words);
        if by_words < MATCH && !sense.may_be(&of_title) {
            *fit = MATCH - 1;
        } else if by_words >= MATCH && !sense.is_of_field(&of_title) {
            *fit = if own.iter().all(|word| words.contains(word)) { MATCH } else { MATCH - 1 };
        }
    }
}

/// How well the name of each company fits a topic by vector, within its weight.
#[must_use]
pub fn company_names(index: &GraphIndex, search: &SearchIndex, topic: &Condition) -> Vec<Fit> {
    let stored = &index.data.vectors.company_names;
    let mut names = vec![0; stored.len()];
    Senses::of(topic).add_near(stored, &search.companies, &mut names, true);
    names
}

/// The vectors of a condition: of its own words, and of the usual ones.
struct Senses(Vec<Probe>);

impl Senses {
    fn of(condition: &Condition) -> Self {
        let model = Model::own();
        let all: Vec<Vector> = condition.senses.iter().map(|sense| model.embed(sense)).collect();
        let said = all.first().filter(|vector| !vector.is_zero()).map(Probe::new);
        let usual = (all.len() > 1).then(|| Probe::new(&Vector::middle(&all)));
        Self(said.into_iter().chain(usual).collect())
    }

    /// Adds the similarity of each of `texts` to the fit of its words; ignores texts that nobody findable uses.
    fn add(&self, stored: &[Quantized], texts: &TextIndex, fits: &mut [Fit]) {
        let is_named = fits.iter().any(|&fit| fit >= MATCH);
        self.add_near(stored, texts, fits, is_named);
    }

    /// Like [`Self::add`]; unless words match, the nearest text decides what counts as near.
    fn add_near(&self, stored: &[Quantized], texts: &TextIndex, fits: &mut [Fit], is_named: bool) {
        let cosines = Probe::nearest(&self.0, stored);
        let had = || cosines.iter().copied().enumerate().filter(|&(text, _)| texts.has(text));
        let nearest = had().map(|(_, cosine)| cosine).fold(0.0, f32::max);
        let near = if is_named { NEAR } else { (nearest - BEHIND).clamp(NEAR_ENOUGH, NEAR) };
        for (text, cosine) in had() {
            if let Some(fit) = fits.get_mut(text) {
                *fit = combine(*fit, cosine, near);
            }
        }
    }
}

/// Combines words and similarity. Matching words stay a match, and similarity orders them.
fn combine(words: Fit, cosine: f32, near: f32) -> Fit {
    let above = |part: f32, most: Fit| MATCH + (f32::from(most - MATCH) * part.clamp(0.0, 1.0)) as Fit;
    if words >= MATCH {
        let said = f32::from(words - MATCH) / f32::from(Fit::MAX - MATCH);
        let meant = (cosine - FAR) / (1.0 - FAR);
        above((1.0 - ORDER) * said + ORDER * meant.clamp(0.0, 1.0), Fit::MAX)
    } else if cosine >= near {
        above((cosine - near) / (1.0 - near), SAME_SENSE)
    } else {
        let part = ((cosine - FAR) / (near - FAR)).clamp(0.0, 1.0);
        words.max((f32::from(MATCH - 1) * part) as Fit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_senses_fit_better_and_match_from_a_bound_on() {
        let fits: Vec<Fit> = (-10..=10).map(|tenth| combine(0, tenth as f32 / 10.0, NEAR)).collect();
        assert!(fits.is_sorted() && fits[0] == 0 && fits[20] == SAME_SENSE, "{fits:?}");
        assert!(combine(0, NEAR, NEAR) >= MATCH && combine(0, NEAR - 0.01, NEAR) < MATCH);
    }

    #[test]
    fn a_title_of_another_field_or_job_is_not_of_a_role() {
        for (role, title, is_of_field, may_be) in [
            ("partners", "Principal Recruiter", false, false),
            ("product", "Product Designer", false, false),
            ("software developer", "Quality Engineer", true, false),
            // The controls: the same field, the same job in other words, and a title without known words.
            ("partners", "Principal", true, true),
            ("product", "Product Lead", true, true),
            ("software developer", "Software Engineer", true, true),
            ("sales directors", "Satış Müdürü", true, true),
            ("partners", "Bellringer", true, true),
        ] {
            let [role_sense, of_title] = [role, title].map(|text| RoleSense::of(&stems(text)));
            let found = (role_sense.is_of_field(&of_title), role_sense.may_be(&of_title));
            assert_eq!(found, (is_of_field, may_be), "{role}: {title}");
        }
    }

    #[test]
    fn words_that_match_stay_a_match_whatever_the_sense() {
        for words in [0, 60, MATCH - 1, MATCH, 200, Fit::MAX] {
            for cosine in [-1.0, 0.0, 0.5, 1.0] {
                assert!(combine(words, cosine, 1.1) >= MATCH || words < MATCH, "{words} {cosine}");
            }
        }
        assert!(combine(200, 0.9, NEAR) > combine(200, 0.3, NEAR));
    }
}
