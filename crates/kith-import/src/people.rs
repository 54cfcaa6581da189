//! People from their rows: who is written, with which name, address and company, and under which id.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::forgetting::{IsForgotten, forgotten_of_last_time, is_person_forgotten};
use crate::gather::Gathered;
use crate::identity::address::{employer_domain, is_role};
use crate::identity::ids::{EarlierPerson, PersonIds, PersonKey, Unnumbered, hash, key_of, number};
use crate::identity::rules::Identified;
use crate::known_by::known_by;
use crate::outcome::RowSkip;
use crate::plan::{ImportPlan, PlannedHolder};
use crate::rows::{ImportedRow, NOBODY, RowKind};

/// The number of a person who is not written.
pub(crate) const GONE: u32 = u32::MAX;

/// All written people.
#[derive(Debug, Default)]
pub(crate) struct ImportedPeople {
    pub(crate) people: Vec<ImportedPerson>,
    pub(crate) ids: Vec<PersonIds>,
    /// The person of each row, or [`GONE`].
    pub(crate) of_row: Vec<u32>,
    /// Why the rows of people who are not written are skipped.
    pub(crate) skipped: HashMap<u32, RowSkip>,
    /// Holders who must be forgotten themselves.
    pub(crate) forgotten_holders: Vec<u32>,
    members: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ImportedPerson {
    /// The index of the first row, and the number of rows.
    rows: (u32, u32),
    /// The row with the written name.
    pub(crate) name: u32,
    /// The written address; empty if there is none.
    pub(crate) email: Box<str>,
    /// The written handle; empty if there is none.
    pub(crate) handle: Box<str>,
    pub(crate) company: u32,
    pub(crate) position: u32,
    /// The city and the country, each 0 if unknown.
    pub(crate) place: (u32, u32),
    /// The holder who is the person, or [`NOBODY`].
    pub(crate) holder: u32,
}

/// All pairs of `people`, the lesser first.
pub(crate) fn each_two(people: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let with_later = |(place, one): (usize, &u32)| {
        let one = *one;
        people[place + 1..].iter().map(move |&other| (one.min(other), one.max(other)))
    };
    people.iter().enumerate().flat_map(with_later)
}

impl ImportedPeople {
    /// The rows of `person`, ascending.
    pub(crate) fn rows(&self, person: u32) -> &[u32] {
        let (first, count) = self.people[person as usize].rows;
        &self.members[first as usize..(first + count) as usize]
    }

    /// The names of the rows of `person` that have nothing else, if other ones of `rows` have more.
    pub(crate) fn bare_names<'r>(&self, person: u32, rows: &'r [ImportedRow]) -> BTreeSet<&'r str> {
        let members = self.rows(person);
        let bare = || members.iter().filter_map(|row| rows[*row as usize].bare_name());
        if bare().count() == members.len() { BTreeSet::new() } else { bare().collect() }
    }

    /// The person of the holder `holder`.
    pub(crate) fn holder(&self, holder: u32) -> u32 {
        self.of_row.get(holder as usize).copied().unwrap_or(GONE)
    }

    /// The people of `identified`, without those whom `is_forgotten` names by any key, and those without a name.
    /// `is_forgotten` is `None` for an empty list.
    pub(crate) fn of(
        plan: &ImportPlan,
        gathered: &Gathered,
        identified: &mut Identified,
        earlier: &[EarlierPerson],
        is_forgotten: Option<&IsForgotten<'_>>,
    ) -> Self {
        let rows = &gathered.rows;
        let known = is_forgotten.map_or_else(HashSet::new, |list| forgotten_of_last_time(earlier, list));
        let mut by_root: Vec<(u32, u32)> =
            (0..rows.len() as u32).map(|row| (identified.classes.root(row), row)).collect();
        by_root.sort_unstable();
        let mut found = Self { of_row: vec![GONE; rows.len()], ..Self::default() };
        let shared: HashSet<&str> = identified.shared.iter().map(AsRef::as_ref).collect();
        for class in by_root.chunk_by(|one, other| one.0 == other.0) {
            let members: Vec<u32> = class.iter().map(|(_, row)| *row).collect();
            let of = || members.iter().map(|row| &rows[*row as usize]);
            let is_named =
                |list: &IsForgotten<'_>| is_person_forgotten(gathered, &members, &shared, &known, list);
            let skip = if is_forgotten.is_some_and(is_named) {
                found
                    .forgotten_holders
                    .extend(of().filter(|row| row.kind == RowKind::Card).map(|row| row.holder));
                Some(RowSkip::Suppressed)
            } else if of().all(|row| row.name.is_empty() || row.kind == RowKind::Hint) {
                Some(RowSkip::Unnamed)
            } else {
                None
            };
            if let Some(reason) = skip {
                found.skipped.extend(members.iter().map(|row| (*row, reason)));
                continue;
            }
            let (person, first) = (found.people.len() as u32, found.members.len() as u32);
            found.members.extend(&members);
            members.iter().for_each(|row| found.of_row[*row as usize] = person);
            let person = Chosen { plan, gathered, shared: &shared, members: &members }.person();
            found.people.push(ImportedPerson { rows: (first, members.len() as u32), ..person });
        }
        found
    }

    /// Gives each person an id, or keeps that of `earlier`. `files` are the numbers of the files' names in `earlier`.
    pub(crate) fn number(
        &mut self,
        plan: &ImportPlan,
        gathered: &Gathered,
        shared: &HashSet<&str>,
        earlier: &[EarlierPerson],
        files: &HashMap<String, u32>,
    ) {
        let file_numbers: Vec<u32> = gathered
            .outcomes
            .iter()
            .map(|file| files.get(&file.stored).copied().unwrap_or(u32::MAX))
            .collect();
        let of = |person: u32| {
            let rows = self.rows(person);
            let known = known_by(gathered, rows, shared);
            let of_files =
                || rows.iter().map(|row| &gathered.rows[*row as usize]).filter(|row| row.is_of_file());
            let order = of_files().map(|row| {
                let digest = gathered.outcomes[row.file as usize].digest;
                (digest, holder_key(plan.holders.get(row.holder as usize)), row.line)
            });
            let order = order.min().unwrap_or_default();
            let places = of_files().map(|row| (file_numbers[row.file as usize], row.line));
            let rows = places.filter(|(file, _)| *file != u32::MAX).collect();
            let stayed = plan.stayed.get(&(self.people[person as usize].holder as usize));
            let given = stayed.and_then(|id| key_of(id));
            Unnumbered { keys: known.keys, strong: known.strong, rows, given, order }
        };
        let unnumbered: Vec<Unnumbered> = (0..self.people.len() as u32).into_par_iter().map(of).collect();
        self.ids = number(&unnumbered, earlier);
    }
}

/// Returns a key of the owner, which distinguishes files with the same bytes.
fn holder_key(holder: Option<&PlannedHolder>) -> PersonKey {
    holder
        .map_or(0, |holder| hash(&["holder", &holder.name, holder.emails.first().map_or("", String::as_str)]))
}

/// The rows of one person, from which the written values are chosen.
struct Chosen<'a> {
    plan: &'a ImportPlan,
    gathered: &'a Gathered,
    shared: &'a HashSet<&'a str>,
    members: &'a [u32],
}

impl<'a> Chosen<'a> {
    fn rows(&self) -> impl Iterator<Item = (u32, &'a ImportedRow)> {
        let rows = &self.gathered.rows;
        self.members.iter().map(move |row| (*row, &rows[*row as usize]))
    }

    fn person(&self) -> ImportedPerson {
        let card = self.rows().find(|(_, row)| row.kind == RowKind::Card);
        let holder = card.map_or(NOBODY, |(_, row)| row.holder);
        let (company, position) = self.job(card.map(|(_, row)| row));
        let handle = card.map(|(_, row)| &row.handle).filter(|handle| !handle.is_empty());
        let handle = handle
            .or_else(|| self.rows().map(|(_, row)| &row.handle).filter(|handle| !handle.is_empty()).min());
        ImportedPerson {
            rows: (0, 0),
            name: card.map_or_else(|| self.name(), |(row, _)| row),
            email: self.email(holder, company),
            handle: handle.cloned().unwrap_or_default(),
            company,
            position,
            place: self.place(),
            holder,
        }
    }

    /// The row with the commonest name; then the longest, then the first in byte order. A hint's name is none.
    fn name(&self) -> u32 {
        let mut counts: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for (place, row) in self.rows().filter(|(_, row)| !row.name.is_empty() && row.kind != RowKind::Hint) {
            counts.entry(&row.name).or_insert((0, place)).0 += 1;
        }
        let best = counts.into_iter().max_by_key(|(name, (count, _))| (*count, name.len(), Reverse(*name)));
        best.map_or(0, |(_, (_, row))| row)
    }

    /// The most frequent place; then the first in byte order.
    fn place(&self) -> (u32, u32) {
        let mut counts: BTreeMap<[&str; 2], (u32, (u32, u32))> = BTreeMap::new();
        for (_, row) in self.rows().filter(|(_, row)| row.place != (0, 0)) {
            let (city, country) = row.place;
            let texts = [city, country].map(|text| &*self.gathered.texts[text as usize]);
            counts.entry(texts).or_insert((0, row.place)).0 += 1;
        }
        let best = counts.into_iter().max_by_key(|(texts, (count, _))| (*count, Reverse(*texts)));
        best.map_or((0, 0), |(_, (_, place))| place)
    }

    /// The written address: the manifest's; else one's own at the company, then one of an employer; else the first.
    fn email(&self, holder: u32, company: u32) -> Box<str> {
        let of_manifest = self.plan.holders.get(holder as usize).and_then(|holder| holder.emails.first());
        if let Some(email) = of_manifest {
            return email.as_str().into();
        }
        let companies = &self.gathered.companies;
        let order = |email: &&'a str| {
            let is_of_company = company != 0 && companies.of_email(email) == company;
            let is_shared = self.shared.contains(email) || is_role(email);
            (is_shared, !is_of_company, employer_domain(email).is_none(), *email)
        };
        let emails = self.rows().flat_map(|(_, row)| row.emails.iter().map(AsRef::as_ref));
        emails.min_by_key(order).map(Box::from).unwrap_or_default()
    }

    /// The company, and the position there: the manifest's; else of the row with a handle, then with the latest day.
    fn job(&self, card: Option<&ImportedRow>) -> (u32, u32) {
        let companies = &self.gathered.companies;
        let texts = |row: &ImportedRow| {
            let company = &companies.company(companies.group(row.company)).key;
            (Reverse(company.clone()), Reverse(self.gathered.texts[row.position as usize].clone()))
        };
        let rank = |(_, row): &(u32, &ImportedRow)| (!row.handle.is_empty(), row.connected_on, texts(row));
        let named = card
            .filter(|row| row.company != 0)
            .or_else(|| self.rows().filter(|(_, row)| row.company != 0).max_by_key(rank).map(|(_, row)| row));
        let company = named.map_or(0, |row| companies.group(row.company));
        let is_there = |row: &ImportedRow| companies.group(row.company) == company || row.company == 0;
        let position = self.rows().filter(|(_, row)| row.position != 0 && is_there(row)).max_by_key(rank);
        let company = if company == 0 {
            let of_address =
                self.rows().flat_map(|(_, row)| row.emails.iter()).map(|email| companies.of_email(email));
            of_address.max().unwrap_or(0)
        } else {
            company
        };
        (company, position.map_or(0, |(_, row)| row.position))
    }
}
