//! Drops expired ties, whose newest evidence is past the team file's retention period, and people whom nothing else
//! names.

use std::collections::{HashMap, HashSet};

use crate::dates::CalendarDay;
use crate::gather::Gathered;
use crate::import_error::ImportError;
use crate::named::NameablePeople;
use crate::outcome::RowSkip;
use crate::people::ImportedPeople;
use crate::plan::{ImportPlan, PlannedPreference};
use crate::rows::{ImportedRow, NOBODY, RowKind};
use crate::score::evidence::newest_day;
use crate::score::weights::Weights;
use crate::ties::ScoredEdge;
use crate::who::Who;

/// The expired ties and people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Expired {
    pub(crate) ties: usize,
    pub(crate) people: usize,
}

impl ImportPlan {
    /// The first day whose evidence is kept; `None` if all is.
    pub(crate) fn kept_from(&self, as_of: CalendarDay) -> Option<CalendarDay> {
        self.retain_months.map(|months| as_of.months_before(months))
    }
}

/// Removes expired data from `gathered`. Returns the joined people without them, and their number; `None` if the plan
/// keeps everything. `who` joins rows to people; `known` is its result with all rows.
///
/// # Errors
/// Returns the errors of `who`.
pub(crate) fn without_expired(
    plan: &ImportPlan,
    gathered: &mut Gathered,
    known: Who,
    who: &dyn Fn(&Gathered) -> Result<Who, ImportError>,
    (as_of, weights): (CalendarDay, &Weights),
) -> Result<(Who, Option<Expired>), ImportError> {
    let Some(from) = plan.kept_from(as_of) else { return Ok((known, None)) };
    let (_, edges) = known.edges(plan, gathered, (as_of, weights));
    let expired = expire(plan, gathered, &known, &edges, from);
    let known = if expired.ties == 0 { known } else { who(gathered)? };
    Ok((known, Some(expired)))
}

/// Removes ties with no evidence from `from` on, and rows of people named neither by another row nor by the plan, from
/// `gathered`. `edges` has the edge of each tie, in the same order. A tie without any evidence stays.
fn expire(
    plan: &ImportPlan,
    gathered: &mut Gathered,
    Who { people, ties, .. }: &Who,
    edges: &[ScoredEdge],
    from: CalendarDay,
) -> Expired {
    let is_old = |edge: &ScoredEdge| newest_day(&edge.evidence).is_some_and(|day| day < from);
    let mut old: HashMap<u32, HashSet<u32>> = HashMap::new();
    let mut expired = Expired::default();
    for (rows, edge) in ties.rows().zip(edges).filter(|(_, edge)| is_old(edge)) {
        old.entry(edge.to).or_default().extend(rows);
        expired.ties += 1;
    }
    let named = named_by(plan, gathered, people);
    let names = |row: &ImportedRow| row.is_of_file() || row.kind == RowKind::Card;
    let mut gone: HashSet<u32> = HashSet::new();
    for (person, rows) in &old {
        let mut others = people.rows(*person).iter().filter(|row| !rows.contains(row));
        if named.contains(person) || others.any(|row| names(&gathered.rows[*row as usize])) {
            rows.iter().for_each(|row| gathered.rows[*row as usize].tie = NOBODY);
        } else {
            expired.people += 1;
            gone.extend(people.rows(*person));
        }
    }
    let mut number = 0..;
    let Gathered { rows, outcomes, .. } = gathered;
    rows.retain(|row| {
        let is_gone = number.next().is_some_and(|number| gone.contains(&number));
        if is_gone && row.is_of_file() {
            outcomes[row.file as usize].skip(row.line, RowSkip::Expired);
        }
        !is_gone
    });
    expired
}

/// The people named in the introductions and preferences of the plan.
fn named_by(plan: &ImportPlan, gathered: &Gathered, people: &ImportedPeople) -> HashSet<u32> {
    let named = NameablePeople { gathered, people, kept: &[] };
    let intros = plan.intros.iter().map(|intro| &intro.person);
    let of_preference = |PlannedPreference { connector, target, through, .. }: &'_ PlannedPreference| {
        [connector, target, through].into_iter().flatten().cloned().collect::<Vec<String>>()
    };
    let preferences = plan.preferences.iter().flat_map(of_preference);
    // Unknown names are noted where the plan is carried out.
    intros.cloned().chain(preferences).filter_map(|text| named.person(&text, "", &mut Vec::new())).collect()
}
