//! A whole import in memory: from a plan to people, edges and a report.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::affiliated::{Affiliation, affiliations};
use crate::correspondents::{aliases, correspondents, take_unfitted};
use crate::dates::CalendarDay;
use crate::derived::{Derivation, Derived};
use crate::doubles::{Double, doubles};
use crate::forgetting::{ForgettingKey, IsForgotten, IsListed};
use crate::gather::{Gathered, gather};
use crate::import_error::ImportError;
use crate::manifest::fault::ManifestFault;
use crate::manifest::overrides::Overrides;
use crate::named::NameablePeople;
use crate::note::{ImportNote, all_notes};
use crate::people::{GONE, ImportedPeople};
use crate::plan::{HolderStanding, ImportPlan, PlannedIntro};
use crate::preferences::{ImportedPreference, preferences};
use crate::retention::{Expired, without_expired};
use crate::score::weights::Weights;
use crate::tables::absent::{Keeping, MissingPerson};
use crate::tables::earlier::EarlierTables;
use crate::tables::ids::{company_ids, organization_id, user_ids};
use crate::tables::missing::MissingPeople;
use crate::tables::stayed::{FormerHolder, former_holders, keep_days, keep_holders};
use crate::ties::{Contacts, ScoredEdge, Scoring};
use crate::who::Who;
use kith_tables::progress::{Progress, Silent};

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    pub(crate) plan: ImportPlan,
    pub(crate) gathered: Gathered,
    pub(crate) people: ImportedPeople,
    pub(crate) contacts: Contacts,
    pub(crate) edges: Vec<ScoredEdge>,
    pub(crate) derived: Derived,
    pub(crate) affiliations: Vec<Affiliation>,
    pub(crate) doubles: Vec<Double>,
    /// Introductions, with their targets.
    pub(crate) intros: Vec<(u32, PlannedIntro)>,
    pub(crate) preferences: Vec<ImportedPreference>,
    pub(crate) shared: Vec<Box<str>>,
    pub(crate) overridden: HashSet<u32>,
    pub(crate) organization_id: String,
    /// The ids of members, by position among the holders; empty for others.
    pub user_ids: Vec<String>,
    pub(crate) joined: Vec<String>,
    pub(crate) company_ids: HashMap<u32, String>,
    /// The organization's own company.
    pub(crate) own_company: u32,
    /// The day from which ages count.
    pub(crate) as_of: CalendarDay,
    pub(crate) reached: usize,
    pub(crate) notes: Vec<ImportNote>,
    /// The people of the last import missing from today's files.
    pub(crate) missing: MissingPeople,
    /// Whether they stay.
    pub(crate) keeps: bool,
    /// The expired ties, if the plan limits how long ties are kept.
    pub(crate) expired: Option<Expired>,
}

/// The settings of an import besides its plan.
pub struct ImportSettings<'a> {
    /// The day of the import.
    pub today: CalendarDay,
    /// The folder of the tables; it may hold the tables of the last import.
    pub tables: &'a Path,
    /// Overrides of the rules for joining rows to people.
    pub overrides: Overrides,
    /// Whether to keep people of the last import missing from today's files.
    pub keep: bool,
    /// Whether a key is on the suppression list of the organization with this id; `None` for an empty list.
    pub is_forgotten: Option<&'a IsListed<'a>>,
}

/// The fallback day if nothing in the files has a date.
const NO_DAY: CalendarDay = CalendarDay { year: 1970, month: 1, day: 1 };

/// Reads the files of `plan`, joins rows to people and scores their ties.
///
/// # Errors
/// Returns an error if the plan, the overrides or the tables of the last import cannot be used. An unreadable file is
/// not an error: the report lists it.
pub fn import(plan: ImportPlan, settings: &ImportSettings<'_>) -> Result<Imported, ImportError> {
    import_watched(plan, settings, &Silent)
}

/// Like [`import`], reporting to `progress`: the bytes of files read, then `people` and `edges`.
///
/// # Errors
/// Returns the errors of [`import`].
pub fn import_watched(
    mut plan: ImportPlan,
    settings: &ImportSettings<'_>,
    progress: &dyn Progress,
) -> Result<Imported, ImportError> {
    let weights = weights(&plan)?;
    let organization_id = organization_id(&plan);
    let earlier = EarlierTables::read(settings.tables, &organization_id).map_err(ImportError::Earlier)?;
    let listed = settings.is_forgotten.map(|list| |key: &ForgettingKey<'_>| list(&organization_id, key));
    let listed = listed.as_ref().map(|list| list as &IsForgotten<'_>);
    let former = with_former(&mut plan, &earlier, settings, listed)?;
    let mut gathered = gathered(&mut plan, &former, settings.today, progress);
    let as_of = plan.as_of.or(gathered.newest_of_all).unwrap_or(NO_DAY);
    let who = |gathered: &Gathered| Who::of(&plan, gathered, &settings.overrides, &earlier, listed);
    let known = who(&gathered)?;
    take_unfitted(&mut gathered, &known.people, &known.ties);
    let (known, expired) = without_expired(&plan, &mut gathered, known, &who, (as_of, &weights))?;
    let view = Derivation { plan: &plan, untied: &settings.overrides.untied, as_of };
    let (known, observed) = view.with_newcomers(&mut gathered, known, &who)?;
    let unseen = observed.as_ref().map_or(0, |observed| observed.unseen);
    progress.stage("edges");
    let (contacts, edges) = known.edges(&plan, &gathered, (as_of, &weights));
    let affiliations = affiliations(&gathered, &known.people);
    let derived = observed.map_or_else(Derived::default, |observed| {
        view.derive(&gathered, &known, &observed, &edges, &affiliations, &weights)
    });
    let Who { mut resolved, people, ties, namesakes, shared } = known;
    let scoring = Scoring::new(&plan, &gathered, &people, &ties, &contacts, (as_of, &weights));
    let doubles = doubles(&gathered, &people, &mut resolved, &scoring);
    let own_company = gathered.companies.group(1); // the first spelling that was numbered
    let company_ids = company_ids(&gathered, &people, own_company, &earlier);
    let keeping = Keeping {
        plan: &plan,
        gathered: &gathered,
        people: &people,
        contacts: &contacts,
        company_ids: &company_ids,
        earlier: &earlier,
        former: &former,
        keeps: settings.keep,
        is_forgotten: listed,
        kept_from: plan.kept_from(as_of),
    };
    let missing = keeping.missing(settings.tables).map_err(ImportError::Earlier)?;
    let (edges, reached) = with_taken(edges, &people, &missing, ties.reached());
    let mut notes = all_notes(resolved.notes, (&gathered, &namesakes), unseen, (&missing, settings.keep));
    let named = NameablePeople { gathered: &gathered, people: &people, kept: missing.kept(settings.keep) };
    let intros = intros(&plan, &named, &mut notes);
    let preferences = preferences(&plan, &named, &company_ids, &mut notes);
    Ok(Imported {
        user_ids: user_ids(&plan, &people, &earlier),
        joined: joined(&plan, &people, &earlier, as_of),
        plan,
        gathered,
        people,
        contacts,
        edges,
        derived,
        affiliations,
        doubles,
        intros,
        preferences,
        shared,
        overridden: resolved.overridden,
        organization_id,
        company_ids,
        own_company,
        as_of,
        reached,
        notes,
        missing,
        keeps: settings.keep,
        expired,
    }
    .with_counts())
}

/// The members and advocates of the last import who are none of `plan`, which has them if they stay.
fn with_former(
    plan: &mut ImportPlan,
    earlier: &EarlierTables,
    settings: &ImportSettings<'_>,
    listed: Option<&IsForgotten<'_>>,
) -> Result<Vec<FormerHolder>, ImportError> {
    let former = former_holders(plan, earlier, settings.tables, listed).map_err(ImportError::Earlier)?;
    if settings.keep {
        keep_holders(plan, &former);
    }
    Ok(former)
}

/// The rows of the files of `plan`, with all addresses of its holders, and the people known only from mail.
fn gathered(
    plan: &mut ImportPlan,
    former: &[FormerHolder],
    today: CalendarDay,
    progress: &dyn Progress,
) -> Gathered {
    let mut gathered = gather(plan, today, progress);
    progress.stage("people");
    keep_days(plan, &mut gathered, former);
    add_mailboxes(plan, &mut gathered);
    gathered
}

/// Drops from `edges` those that kept members and advocates bring from last time, and counts the people that either kind reaches.
fn with_taken(
    edges: Vec<ScoredEdge>,
    people: &ImportedPeople,
    missing: &MissingPeople,
    reached: usize,
) -> (Vec<ScoredEdge>, usize) {
    if missing.taken.is_empty() {
        return (edges, reached);
    }
    let id = |person: u32| people.ids[person as usize].id.as_str();
    let known: HashSet<&str> = edges.iter().map(|edge| id(edge.to)).collect();
    let more: HashSet<&str> =
        missing.taken.iter().map(|(_, to)| to.as_str()).filter(|to| !known.contains(to)).collect();
    let is_new =
        |edge: &ScoredEdge| !missing.taken.contains(&(id(edge.from).to_owned(), id(edge.to).to_owned()));
    let reached = reached + more.len();
    (edges.into_iter().filter(is_new).collect(), reached)
}

/// Adds the addresses in their own files to each holder, primary ones first, without addresses of other holders.
fn add_own_addresses(plan: &mut ImportPlan, gathered: &mut Gathered) {
    for (place, own) in gathered.own.iter().enumerate() {
        let mut addresses: Vec<_> = own.addresses.iter().collect();
        addresses.sort_by_key(|address| !address.is_primary);
        for address in addresses {
            if !plan.holders.iter().any(|holder| holder.emails.contains(&address.email)) {
                plan.holders[place].emails.push(address.email.clone());
            }
        }
        let emails = plan.holders[place].emails.iter().map(|email| email.as_str().into());
        gathered.rows[place].emails = emails.collect();
    }
}

/// Adds to `gathered` the further addresses of holders, and the people known only from mail.
fn add_mailboxes(plan: &mut ImportPlan, gathered: &mut Gathered) {
    add_own_addresses(plan, gathered);
    for (holder, further) in aliases(plan, gathered).into_iter().enumerate() {
        let emails = &mut gathered.rows[holder].emails;
        *emails = emails.iter().cloned().chain(further).collect();
    }
    let correspondents = correspondents(gathered);
    gathered.rows.extend(correspondents);
}

fn weights(plan: &ImportPlan) -> Result<Weights, ImportError> {
    let Some(scoring) = plan.scoring.clone() else { return Ok(Weights::default()) };
    let fault =
        |fault: toml::de::Error| ImportError::Manifest(ManifestFault::Scoring(fault.message().to_owned()));
    scoring.try_into().map_err(fault)
}

/// When each member joined, by position: from the manifest, from the last import, or the day of the files.
fn joined(
    plan: &ImportPlan,
    people: &ImportedPeople,
    earlier: &EarlierTables,
    as_of: CalendarDay,
) -> Vec<String> {
    let of = |(place, holder): (usize, &crate::plan::PlannedHolder)| {
        if let HolderStanding::Member { joined: Some(joined), .. } = holder.standing {
            return joined.to_rfc3339_ms();
        }
        let ids = people.ids.get(people.holder(place as u32) as usize);
        let ids = ids.into_iter().flat_map(|ids| [&ids.id].into_iter().chain(&ids.formerly));
        let known = ids.filter_map(|id| earlier.joined.get(id)).next();
        known.cloned().unwrap_or_else(|| as_of.timestamp().to_rfc3339_ms())
    };
    plan.holders.iter().enumerate().map(of).collect()
}

/// The introductions of the plan, with their targets.
fn intros(
    plan: &ImportPlan,
    named: &NameablePeople<'_>,
    notes: &mut Vec<ImportNote>,
) -> Vec<(u32, PlannedIntro)> {
    let mut found = Vec::new();
    for (place, intro) in plan.intros.iter().enumerate() {
        let place = format!("intros[{}].person", place + 1);
        let person = named.person(&intro.person, &place, notes);
        found.extend(person.map(|person| (person, intro.clone())));
    }
    found
}

impl Imported {
    /// Maps former ids of merged people to the ids that stayed.
    #[must_use]
    pub fn merged_ids(&self) -> Vec<(String, String)> {
        let all = self.people.ids.iter();
        all.flat_map(|ids| ids.formerly.iter().map(|former| (former.clone(), ids.id.clone()))).collect()
    }

    /// The people of the last import who stay although no file of today names them.
    pub(crate) fn kept(&self) -> &[MissingPerson] {
        self.missing.kept(self.keeps)
    }

    /// Counts the used, merged and skipped rows of each file.
    fn with_counts(mut self) -> Self {
        let Self { plan, gathered, people, contacts, .. } = &mut self;
        let mut kept: Vec<(u32, u64, u32)> = Vec::with_capacity(gathered.rows.len());
        for (row, of) in gathered.rows.iter().enumerate().filter(|(_, row)| row.is_of_file()) {
            match people.of_row[row] {
                GONE => {
                    let reason = people.skipped.get(&(row as u32)).copied();
                    gathered.outcomes[of.file as usize]
                        .skip(of.line, reason.unwrap_or(crate::outcome::RowSkip::Unnamed));
                }
                person => kept.push((of.file, of.line, person)),
            }
        }
        kept.extend(contacts.kept.iter().map(|row| (row.file, row.line, row.person)));
        for (place, own) in gathered.own.iter().enumerate() {
            let person = people.holder(place as u32);
            kept.extend(own.rows.iter().map(|(file, line)| (*file, *line, person)));
        }
        for (file, line, reason) in contacts.skipped.drain(..) {
            gathered.outcomes[file as usize].skip(line, reason);
        }
        kept.sort_unstable();
        let mut is_seen: Vec<bool> =
            people.people.iter().map(|person| (person.holder as usize) < plan.holders.len()).collect();
        for (file, _, person) in kept {
            let outcome = &mut gathered.outcomes[file as usize];
            if std::mem::replace(&mut is_seen[person as usize], true) {
                outcome.merged += 1;
            } else {
                outcome.used += 1;
            }
        }
        for outcome in &mut gathered.outcomes {
            outcome.skips.sort_unstable();
        }
        self
    }
}
