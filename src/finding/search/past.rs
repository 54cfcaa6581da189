//! Former companies of people, from the breakdowns of edges, the table of former employees and the positions.
//!
//! A table of people has current companies only. But an edge whose breakdown has a `pastCompanyName` shows that both
//! its ends once worked there, and some people write it into their position: "Engineer, ex-Acme". Only people of first and
//! second degree are shown with it.

use crate::graph::index::GraphIndex;
use crate::graph::signals::past_company;
use crate::model::column::TextColumn;
use crate::model::column::held;
use crate::model::ix::PersonIx;
use crate::model::text::{fold, plain};
use crate::query::paths::answer::PathAnswer;
use crate::query::paths::found::PathPage;
use crate::query::person::degree;
use crate::search::companies::CompanyNames;
use crate::search::fit::{Fit, MATCH};
use crate::search::lexicon::LEXICON;
use crate::search::text_index::TextIndex;
use crate::search::words::stems;

/// Pairs of a breakdown and a person held before duplicates are removed.
const PAIRS_MAX: usize = 1 << 20;

/// The former companies of each person.
#[derive(Debug)]
pub struct PastCompanies {
    /// The companies' names, ascending.
    texts: TextColumn,
    /// The names by word.
    names: TextIndex,
    /// The names as people type them.
    spelled: CompanyNames,
    /// Pairs of name and person, ascending.
    pairs: Vec<(u32, u32)>,
}

impl PastCompanies {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.texts.size_bytes() + self.names.size_bytes() + self.spelled.size_bytes() + held(&self.pairs)
    }

    /// Reads the edges. Costs one pass over all of them, and parsing each distinct breakdown with a company.
    #[must_use]
    pub fn build(index: &GraphIndex) -> Self {
        let texts: Vec<Option<String>> = index.data.breakdowns.iter().map(past_company).collect();
        // By breakdown: there are far fewer of them than edges.
        let mut worked: Vec<(u32, u32)> = Vec::new();
        let mut distinct = 0;
        let people = if texts.iter().any(Option::is_some) { index.data.people.len() as u32 } else { 0 };
        for from in (0..people).map(PersonIx) {
            let row = index.data.edges.out.row(from);
            for (place, end) in row.ends.iter().enumerate() {
                let breakdown = index.data.edges.breakdowns.get(row.start + place);
                if texts[breakdown as usize].is_some() {
                    worked.extend([(breakdown, end.0), (breakdown, from.0)]);
                }
            }
            if worked.len() > 2 * distinct + PAIRS_MAX {
                worked.sort_unstable();
                worked.dedup();
                distinct = worked.len();
            }
        }
        worked.sort_unstable();
        worked.dedup();
        let is_near = |person: &u32| degree(index, PersonIx(*person)).is_some();
        let worked = worked.into_iter().filter(|(_, person)| is_near(person));
        let mut named: Vec<(&str, u32)> =
            worked.filter_map(|(text, person)| Some((texts[text as usize].as_deref()?, person))).collect();
        let former = index.data.former.iter().filter(|(_, person)| degree(index, *person).is_some());
        named.extend(former.map(|(company, person)| (index.data.companies.names.get(company.0), person.0)));
        let positions = &index.data.people.positions;
        let said: Vec<Option<&str>> = positions.values.iter().map(|it| former_company(index, it)).collect();
        let of_position = |(person, &position): (u32, &u32)| Some((said[position as usize]?, person));
        let saying = (0..).zip(&positions.rows).filter_map(of_position);
        named.extend(saying.filter(|(_, person)| degree(index, PersonIx(*person)).is_some()));
        named.sort_unstable();
        named.dedup();
        let (mut texts, mut counts, mut pairs) = (TextColumn::default(), Vec::new(), Vec::new());
        for run in named.chunk_by(|one, other| one.0 == other.0) {
            if texts.push(run[0].0).is_err() {
                break;
            }
            pairs.extend(run.iter().map(|&(_, person)| (counts.len() as u32, person)));
            counts.push(run.len() as u32);
        }
        let spelled = CompanyNames::of(texts.iter());
        Self { names: TextIndex::build(&texts, &counts), texts, spelled, pairs }
    }

    /// The rows of `answer`, which must come from `index`; if nobody is known at the target company, the reason names
    /// former employees.
    #[must_use]
    pub fn page<'a>(&self, index: &'a GraphIndex, answer: &PathAnswer) -> PathPage<'a> {
        let mut page = PathPage::of(index, answer);
        page.name_former(index, answer, |name| self.people_at(name));
        page
    }

    /// All former employees of a company called `name`, ignoring case and white space. Costs a look at each distinct
    /// name.
    fn people_at(&self, name: &str) -> Vec<PersonIx> {
        let name = fold(name);
        let is_called = |text: &str| text.len() == name.len() || !text.is_ascii() || text.contains("  ");
        let named = self.texts.iter().zip(0_u32..).filter(|(text, _)| is_called(text) && fold(text) == name);
        named.flat_map(|(_, number)| self.people_of(number)).map(PersonIx).collect()
    }

    /// The people of the company at position `number` of the names.
    fn people_of(&self, number: u32) -> impl Iterator<Item = u32> {
        let start = self.pairs.partition_point(|(other, _)| *other < number);
        let theirs = self.pairs[start..].iter().take_while(move |(other, _)| *other == number);
        theirs.map(|(_, person)| *person)
    }

    /// The words of the companies' names.
    #[must_use]
    pub fn names(&self) -> &TextIndex {
        &self.names
    }

    /// The companies as people type them.
    #[must_use]
    pub fn spelled(&self) -> &CompanyNames {
        &self.spelled
    }

    /// Raises the fit of each former employee of a company that fits one of `phrases`, to at most `most`. `people` has
    /// an entry for each person.
    pub fn raise(&self, phrases: &[Vec<String>], most: Fit, people: &mut [Fit]) {
        let names = self.names.fits(phrases);
        for (name, &fit) in names.iter().enumerate().filter(|&(_, &fit)| fit >= MATCH) {
            for person in self.people_of(name as u32) {
                let known = &mut people[person as usize];
                *known = (*known).max(fit.min(most));
            }
        }
    }

    /// The former company of `person` that fits `phrases` best, if any. Costs as much as [`Self::raise`], with a search
    /// in the people of each company instead of all of them.
    #[must_use]
    pub fn name_of(&self, person: u32, phrases: &[Vec<String>]) -> Option<&str> {
        let names = self.names.fits(phrases);
        let fitting = (0_u32..).zip(&names).filter(|&(_, &fit)| fit >= MATCH);
        let theirs = fitting.filter(|&(name, _)| self.pairs.binary_search(&(name, person)).is_ok());
        let best = theirs.max_by_key(|&(name, &fit)| (fit, std::cmp::Reverse(name)));
        best.map(|(name, _)| self.texts.get(name))
    }
}

/// Words before a former company in a position, lower-case.
const BEFORE: [&str; 10] = [
    "ex",
    "former",
    "formerly",
    "previously",
    "prev",
    "ehemals",
    "früher",
    "ancien",
    "anciennement",
    "voormalig",
];

/// The former company that a `position` names, as in "Engineer | ex-Acme" and "former CTO of Acme"; other than behind "ex-",
/// only one of the network.
fn former_company<'a>(index: &'a GraphIndex, position: &'a str) -> Option<&'a str> {
    let pieces = position.split(['|', '·', '•', ',', ';', '(', ')', '[', ']', '/', '–', '—']);
    pieces.filter_map(said_of_past).find_map(|(said, is_joined)| {
        let words: Vec<&str> = said.split_whitespace().collect();
        let runs = (0..words.len()).flat_map(|from| (from + 1..=words.len()).rev().map(move |to| (from, to)));
        let mut known = runs.filter_map(|(from, to)| {
            let row = index.company_names().equal(&plain(&words[from..to].join(" "))).next()?;
            Some(index.data.companies.names.get(row))
        });
        let is_role = || words.iter().any(|word| !LEXICON.meanings(&stems(word)).is_empty());
        known.next().or_else(|| (is_joined && !is_role()).then_some(said))
    })
}

/// The text after a word for the past in a piece of a position, and whether that word is the prefix "ex-"; `None` if the
/// text is empty or there is no such word.
fn said_of_past(piece: &str) -> Option<(&str, bool)> {
    let place = |word: &str| word.as_ptr() as usize - piece.as_ptr() as usize;
    let (from, is_joined) = piece.split_whitespace().find_map(|word| {
        let lowered = word.to_lowercase();
        let is_before = BEFORE.contains(&lowered.trim_end_matches(['.', ':']));
        let joined = lowered.starts_with("ex-").then(|| (place(word) + 3, true));
        joined.or_else(|| is_before.then(|| (place(word) + word.len(), false)))
    })?;
    let said = piece[from..].trim();
    (!said.is_empty()).then_some((said, is_joined))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_embed::sketch::net;

    #[test]
    fn a_former_company_stands_behind_its_word_in_a_position() {
        let net = net("ann @ corvid
            company corvid (name: Corvid Labs)");
        for (position, company) in [
            ("Engineer, ex-corvid labs", Some("Corvid Labs")),
            ("Consultant | formerly Corvid Labs | Oslo", Some("Corvid Labs")),
            ("CTO (ex Corvid Labs)", Some("Corvid Labs")),
            ("Partner · Former CEO of Corvid Labs Berlin", Some("Corvid Labs")),
            ("Head of Data, prev. @ Unheard", None),
            ("Head of Data, ex-Unheard Of", Some("Unheard Of")),
            // The control: these have none.
            ("Ex-Founder", None),
            ("Executive, Corvid Labs", None),
            ("Export Manager", None),
            ("Engineer, ex-", None),
            ("", None),
        ] {
            assert_eq!(former_company(&net, position), company, "{position}");
        }
    }
}
