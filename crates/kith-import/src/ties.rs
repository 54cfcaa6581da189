//! The edges of members and advocates: who knows whom, how well and why.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::dates::CalendarDay;
use crate::fault::SkipReason;
use crate::gather::Gathered;
use crate::histories::compare;
use crate::identity::company_key::company_key;
use crate::interaction::{Interaction, Party};
use crate::outcome::RowSkip;
use crate::people::{GONE, ImportedPeople};
use crate::plan::ImportPlan;
use crate::recurrence::RepeatBudget;
use crate::rows::{ContactedRow, NOBODY, RowKind};
use crate::score::breakdown::Scored;
use crate::score::event::{TieEvent, TieEventKind};
use crate::score::evidence::TieEvidence;
use crate::score::ledger::{TieHistory, TieLedger, Uncounted};
use crate::score::points::score;
use crate::score::tie::{SharedCompany, Tie};
use crate::score::weights::Weights;
use kith::model::text::fold;

#[derive(Clone, Debug)]
pub(crate) struct ScoredEdge {
    /// The people at its ends.
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) scored: Scored,
    /// The breakdown for the table.
    pub(crate) breakdown: String,
    pub(crate) evidence: Vec<TieEvidence>,
}

/// A row that strengthens a tie; it counts as a further row of its person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TieRow {
    pub(crate) person: u32,
    pub(crate) file: u32,
    pub(crate) line: u64,
    /// The handle or the address by which the person was found.
    pub(crate) value: Arc<str>,
}

/// The messages, mail and events of all files.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    ledger: TieLedger<u32>,
    /// The rest of the budget for recurring events, of all files.
    budget: RepeatBudget,
    pub(crate) kept: Vec<TieRow>,
    /// The distinct values of these rows.
    values: HashSet<Arc<str>>,
    /// Rows that count for nothing: the file, the line, the reason.
    pub(crate) skipped: Vec<(u32, u64, RowSkip)>,
}

/// The possible edges, and the rows behind them.
#[derive(Debug, Default)]
pub(crate) struct TieTable {
    /// The rows of each tie, by holder and person.
    rows: BTreeMap<(u32, u32), Vec<u32>>,
}

impl TieTable {
    /// The ties in the rows of `gathered`.
    pub(crate) fn of(plan: &ImportPlan, gathered: &Gathered, people: &ImportedPeople) -> Self {
        let mut ties = Self::default();
        for (row, of) in gathered.rows.iter().enumerate().filter(|(_, row)| row.tie != NOBODY) {
            let person = people.of_row[row];
            let (from, is_member) = (people.holder(of.tie), plan.holders[of.tie as usize].is_member());
            let is_colleague = is_member
                && person != GONE
                && plan
                    .holders
                    .get(people.people[person as usize].holder as usize)
                    .is_some_and(|to| to.is_member());
            if person != GONE && from != GONE && person != from && !is_colleague {
                ties.rows.entry((of.tie, person)).or_default().push(row as u32);
            }
        }
        ties
    }

    /// The rows of each tie, in the order of its edge.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Vec<u32>> {
        self.rows.values()
    }

    /// Whether `holder` may have an edge to `person`.
    pub(crate) fn has(&self, holder: u32, person: u32) -> bool {
        self.rows.contains_key(&(holder, person))
    }

    /// The people to whom an edge may lead.
    pub(crate) fn people(&self) -> HashSet<u32> {
        self.rows.keys().map(|(_, person)| *person).collect()
    }

    /// Returns the number of people that an edge leads to.
    pub(crate) fn reached(&self) -> usize {
        self.people().len()
    }
}

impl Contacts {
    /// Counts the messages, mail and events of `gathered` for the ties of `ties`.
    pub(crate) fn of(
        plan: &ImportPlan,
        gathered: &Gathered,
        people: &ImportedPeople,
        ties: &TieTable,
        shared: &HashSet<&str>,
        as_of: CalendarDay,
    ) -> Self {
        let mut contacts = Self::default();
        if gathered.contacted.is_empty() {
            return contacts;
        }
        let finder = Finder::new(plan, gathered, people, shared);
        let sources = sources(gathered);
        for row in &gathered.contacted {
            let counted = contacts.count(row, &finder, ties, sources[row.file as usize], as_of);
            match counted {
                Ok((person, value)) => {
                    contacts.kept.push(TieRow { person, file: row.file, line: row.line, value });
                }
                Err(reason) => contacts.skipped.push((row.file, row.line, reason)),
            }
        }
        contacts
    }

    /// A shared copy of `value`.
    fn shared(&mut self, value: &str) -> Arc<str> {
        if let Some(known) = self.values.get(value) {
            return Arc::clone(known);
        }
        let value = Arc::<str>::from(value);
        self.values.insert(Arc::clone(&value));
        value
    }

    fn count(
        &mut self,
        row: &ContactedRow,
        finder: &Finder<'_>,
        ties: &TieTable,
        source: u32,
        as_of: CalendarDay,
    ) -> Result<(u32, Arc<str>), RowSkip> {
        let Interaction { kind, from, to, .. } = &row.interaction;
        let owner = finder.people.holder(row.holder);
        let is_owner = finder.owner_among(row.holder, from, to);
        let others: Vec<&Arc<Party>> =
            [from].into_iter().chain(to).filter(|party| !is_owner(party)).collect();
        if others.len() > to.len() {
            return Err(RowSkip::OwnerIsNoParty);
        }
        if others.len() > 1 && matches!(kind, TieEventKind::Message | TieEventKind::Invitation) {
            return Err(RowSkip::Crowd);
        }
        let found: Vec<(u32, &str)> = others.iter().filter_map(|party| finder.party(party)).collect();
        let is_tied = |person: u32| ties.rows.contains_key(&(row.holder, person));
        let Some((person, value)) = found.iter().copied().find(|(person, _)| is_tied(*person)) else {
            let is_forgotten = !found.is_empty() && found.iter().all(|(person, _)| *person == GONE);
            return Err(match others.iter().find(|party| finder.is_unfitted(row.holder, party)) {
                _ if is_forgotten => RowSkip::Suppressed,
                Some(_) => RowSkip::Unfitted,
                None => RowSkip::Stranger,
            });
        };
        let numbered = |party: &Arc<Party>| {
            if is_owner(party) {
                Some(owner)
            } else {
                finder.party(party).map(|(person, _)| person).filter(|person| is_tied(*person))
            }
        };
        let Some(sender) = numbered(from) else { return Err(RowSkip::Stranger) };
        let event =
            TieEvent { kind: *kind, from: sender, to: to.iter().filter_map(numbered).collect(), at: None };
        let Some(days) = row.interaction.days_within(&mut self.budget, as_of, others.len()) else {
            return Err(RowSkip::Unread(SkipReason::TooManyRepeating));
        };
        let days =
            if days.is_empty() { vec![row.interaction.at] } else { days.into_iter().map(Some).collect() };
        for at in days {
            self.ledger.add(&owner, &TieEvent { at, ..event.clone() }, source).map_err(
                |reason| match reason {
                    Uncounted::OwnerIsNoParty | Uncounted::OwnerAlone => RowSkip::OwnerIsNoParty,
                    Uncounted::TooManyOthers | Uncounted::Group => RowSkip::Crowd,
                },
            )?;
        }
        Ok((person, self.shared(value)))
    }
}

/// The number of the kind of each file: kinds are numbered in byte order, so that the order of files does not matter.
pub(crate) fn sources(gathered: &Gathered) -> Vec<u32> {
    let names = source_names(gathered);
    let number = |format: &String| names.binary_search(&format.as_str()).unwrap_or(0) as u32;
    gathered.outcomes.iter().map(|file| number(&file.format)).collect()
}

/// The kinds of the files, in byte order.
pub(crate) fn source_names(gathered: &Gathered) -> Vec<&str> {
    let mut names: Vec<&str> = gathered.outcomes.iter().map(|file| file.format.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Finds the people whom messages name.
struct Finder<'a> {
    people: &'a ImportedPeople,
    by_text: HashMap<&'a str, u32>,
    /// The names of the holders, folded.
    names: Vec<String>,
    /// The handles and addresses of the holders.
    own: Vec<HashSet<&'a str>>,
    /// The holders and addresses of hints that fit no contact.
    unfitted: &'a HashSet<(u32, Box<str>)>,
}

impl<'a> Finder<'a> {
    fn new(
        plan: &'a ImportPlan,
        gathered: &'a Gathered,
        people: &'a ImportedPeople,
        shared: &HashSet<&str>,
    ) -> Self {
        let mut by_text = HashMap::new();
        // Nobody has contact with people whom no row names.
        let rows = gathered.rows.iter().enumerate().filter(|(_, row)| row.kind != RowKind::Seen);
        let is_written = |row: usize| {
            people.of_row[row] != GONE || people.skipped.get(&(row as u32)) == Some(&RowSkip::Suppressed)
        };
        for (row, of) in rows.filter(|(row, _)| is_written(*row)) {
            let texts = of.emails.iter().chain([&of.handle]).map(AsRef::as_ref);
            for text in texts.filter(|text: &&str| !text.is_empty() && !shared.contains(text)) {
                by_text.insert(text, people.of_row[row]);
            }
        }
        let names = plan.holders.iter().map(|holder| fold(&holder.name)).collect();
        let own = (0..plan.holders.len() as u32).map(|holder| {
            let rows = people.rows(people.holder(holder)).iter().map(|row| &gathered.rows[*row as usize]);
            rows.flat_map(|row| row.emails.iter().chain([&row.handle]).map(AsRef::as_ref)).collect()
        });
        Self { people, by_text, names, own: own.collect(), unfitted: &gathered.unfitted }
    }

    /// The person that `party` names, or [`GONE`], with the handle or the address; `None` if unknown.
    fn party<'p>(&self, party: &'p Party) -> Option<(u32, &'p str)> {
        let mut texts = [party.handle.as_deref(), party.email.as_deref()].into_iter().flatten();
        texts.find_map(|text| Some((*self.by_text.get(text)?, text)))
    }

    /// Whether `party` has the name of a contact of `holder`, and an address that is not certainly theirs.
    fn is_unfitted(&self, holder: u32, party: &Party) -> bool {
        party.email.as_deref().is_some_and(|email| self.unfitted.contains(&(holder, email.into())))
    }

    /// The party that is the holder: by handle or address; by name only if none is found by these.
    fn owner_among(&self, holder: u32, from: &Arc<Party>, to: &[Arc<Party>]) -> impl Fn(&Arc<Party>) -> bool {
        let (own, name) = (&self.own[holder as usize], self.names[holder as usize].as_str());
        let is_known = move |party: &Arc<Party>| {
            let mut texts = [party.handle.as_deref(), party.email.as_deref()].into_iter().flatten();
            texts.any(|text| own.contains(text))
        };
        let is_by_name = ![from].into_iter().chain(to).any(is_known);
        move |party: &Arc<Party>| if is_by_name { fold(&party.name) == name } else { is_known(party) }
    }
}

/// The edges of `ties`, by their ends, each with its score on the day `as_of`.
pub(crate) fn edges(
    plan: &ImportPlan,
    gathered: &Gathered,
    people: &ImportedPeople,
    ties: &TieTable,
    contacts: &Contacts,
    (as_of, weights): (CalendarDay, &Weights),
) -> Vec<ScoredEdge> {
    let scoring = Scoring::new(plan, gathered, people, ties, contacts, (as_of, weights));
    let ties: Vec<(u32, u32)> = ties.rows.keys().copied().collect();
    ties.into_par_iter().map(|(holder, person)| scoring.edge(holder, &[person])).collect()
}

/// Scores ties.
pub(crate) struct Scoring<'a> {
    gathered: &'a Gathered,
    people: &'a ImportedPeople,
    ties: &'a TieTable,
    contacts: &'a Contacts,
    /// The number of the kind of each file.
    sources: Vec<u32>,
    /// The keys of the companies of each holder.
    companies: Vec<HashSet<String>>,
    as_of: CalendarDay,
    weights: &'a Weights,
}

impl<'a> Scoring<'a> {
    pub(crate) fn new(
        plan: &ImportPlan,
        gathered: &'a Gathered,
        people: &'a ImportedPeople,
        ties: &'a TieTable,
        contacts: &'a Contacts,
        (as_of, weights): (CalendarDay, &'a Weights),
    ) -> Self {
        let companies = (0..plan.holders.len()).map(|holder| companies_of(gathered, people, holder));
        let (sources, companies) = (sources(gathered), companies.collect());
        Self { gathered, people, ties, contacts, sources, companies, as_of, weights }
    }

    /// Whether `holder` has ties to all of `persons`.
    pub(crate) fn has_ties(&self, holder: u32, persons: &[u32]) -> bool {
        persons.iter().all(|person| self.ties.has(holder, *person))
    }

    /// The edge of `holder` to the first of `persons`, as if they were one person.
    pub(crate) fn edge(&self, holder: u32, persons: &[u32]) -> ScoredEdge {
        let Self { gathered, people, as_of, .. } = *self;
        let from = people.holder(holder);
        let mut tie = Tie::default();
        let mut first: Option<(CalendarDay, u32)> = None;
        let rows = persons.iter().filter_map(|person| self.ties.rows.get(&(holder, *person))).flatten();
        for row in rows.map(|row| &gathered.rows[*row as usize]) {
            match row.kind {
                RowKind::Contact => tie.is_connected = true,
                RowKind::Listed(weight) => tie.listed_weight = tie.listed_weight.max(weight),
                RowKind::Card | RowKind::Correspondent | RowKind::Hint | RowKind::Seen => {}
            }
            let seen = row.connected_on.map(|day| (day, self.sources[row.file as usize]));
            first = first.into_iter().chain(seen).min();
        }
        tie.connected_on = first.map(|(day, _)| day);
        let source = first.map_or(0, |(_, source)| source);
        for person in persons.iter().map(|person| &people.people[*person as usize]) {
            let company = &gathered.companies.company(person.company).keys;
            if company.iter().any(|key| self.companies[holder as usize].contains(key)) {
                tie.current_company = Some(SharedCompany::default());
            }
            if let Some(other) = gathered.own.get(person.holder as usize) {
                compare(&mut tie, &gathered.own[holder as usize], other, as_of);
            }
        }
        let history = TieHistory::of_all(
            persons.iter().filter_map(|person| self.contacts.ledger.history(&from, person)),
        );
        history.fill(&mut tie, as_of);
        let mut evidence: Vec<TieEvidence> =
            TieEvidence::of_connection(&tie, source, as_of).into_iter().collect();
        evidence.extend(history.evidence(as_of));
        let scored = score(&tie, as_of, self.weights);
        let breakdown = scored.breakdown(&tie);
        ScoredEdge { from, to: persons[0], scored, breakdown, evidence }
    }
}

/// The keys of the present companies of the owner of the files.
fn companies_of(gathered: &Gathered, people: &ImportedPeople, holder: usize) -> HashSet<String> {
    let person = people.holder(holder as u32);
    let mut keys: HashSet<String> = match people.people.get(person as usize) {
        Some(person) => gathered.companies.company(person.company).keys.iter().cloned().collect(),
        None => HashSet::new(),
    };
    let positions = gathered.own[holder]
        .positions
        .iter()
        .filter(|position| position.to.is_none() && position.from.is_some());
    keys.extend(positions.map(|position| company_key(&position.company)));
    keys.remove("");
    keys
}
