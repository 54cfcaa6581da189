//! Changes between two networks of an organization: people who came within or out of reach, best paths that changed,
//! and new positions or companies.
//!
//! People are matched by id. The two indexes are independent: ids are compared as texts, and the walk that answers warm
//! paths finds the best path in each.
//!
//! Promise: Between two networks every change is reported, in order, and none invented.
//! Control: of the same trials a report without one of the seven kinds fails one, each of them.
//! Also in: `tests/api/props/changes.rs`, `tests/process/shell/changes.rs`.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::ix::{OptionalIx, PersonIx};
use crate::model::named::named;
use crate::query::card::{Employer, PersonCard};
use crate::query::paths::employees_fitting;
use crate::query::paths::rank::PathKey;
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::Target;
use crate::query::paths::warmest::{WarmestPath, WarmestPaths};
use crate::query::paths::written::find_target;

/// The kind of a change; changes of one person are listed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// A path exists now; none did.
    Reachable,
    /// No path exists now; one did.
    Unreachable,
    /// The best path is warmer.
    Warmer,
    /// The best path is colder.
    Colder,
    /// The best path has another connector.
    Connector,
    /// They have another position.
    Position,
    /// They work at another company.
    Company,
}

named! {
    /// Every kind, in order.
    ChangeKind {
        Reachable = "reachable",
        Unreachable = "unreachable",
        Warmer = "warmer",
        Colder = "colder",
        Connector = "connector",
        Position = "position",
        Company = "company",
    }
}

/// One change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The person, as in the later network if they are in it, otherwise as in the earlier one.
    pub person: PersonCard<'a>,
    /// The value before, if there was one.
    pub before: Option<ChangedValue<'a>>,
    /// The value after, if there is one.
    pub after: Option<ChangedValue<'a>>,
}

/// The value of a change on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedValue<'a> {
    /// The best path.
    Path(WarmestPath<'a>),
    /// The position.
    Position(&'a str),
    /// The current company.
    Company(Employer<'a>),
}

/// A person by their rows in the two networks; at least one is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedPerson {
    /// In the earlier network; `None` if they are not in its tables.
    old: OptionalIx<PersonIx>,
    /// In the later network; `None` if they are not in its tables.
    new: OptionalIx<PersonIx>,
}

/// A change by person, kind and warmness, in 12 bytes: its values are looked up when it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedChange {
    who: ComparedPerson,
    kind: ChangeKind,
    warmness: u8,
}

impl NotedChange {
    /// The kind of the change.
    #[must_use]
    pub fn kind(&self) -> ChangeKind {
        self.kind
    }

    /// The score of the person's best path, in the network in which it is warmer; 0 to 100.
    #[must_use]
    pub fn warmness(&self) -> u8 {
        self.warmness
    }
}

/// Maximum changes of one person: two of their best path, one of their position, one of their company.
pub const CHANGES_OF_ONE_MAX: usize = 4;

/// Two networks of one organization, side by side.
#[derive(Debug)]
pub struct Comparison<'a> {
    old: &'a GraphIndex,
    new: &'a GraphIndex,
    old_paths: WarmestPaths<'a>,
    new_paths: WarmestPaths<'a>,
}

impl<'a> Comparison<'a> {
    /// Compares `old` with `new`, finding paths in both within `limits`.
    #[must_use]
    pub fn new(old: &'a GraphIndex, new: &'a GraphIndex, limits: &'a Limits) -> Self {
        let (old_paths, new_paths) = (WarmestPaths::new(old, limits), WarmestPaths::new(new, limits));
        Self { old, new, old_paths, new_paths }
    }

    /// Everybody of first or second degree in either network, by id. Costs a pass over them.
    pub fn everybody(&self) -> impl Iterator<Item = ComparedPerson> + use<'a> {
        let (old_index, new_index) = (self.old, self.new);
        let (mut old, mut new) = (old_index.inside.people(), new_index.inside.people());
        std::iter::from_fn(move || {
            let order = match (old, new) {
                ([], []) => return None,
                (_, []) => Ordering::Less,
                ([], _) => Ordering::Greater,
                ([first, ..], [other, ..]) => id(old_index, *first).cmp(id(new_index, *other)),
            };
            let in_old = if order.is_le() { take_first(&mut old) } else { None };
            let in_new = if order.is_ge() { take_first(&mut new) } else { None };
            // A person outside one network may still be in its tables.
            Some(ComparedPerson {
                old: in_old.or_else(|| old_index.find_person(id(new_index, in_new?))).into(),
                new: in_new.or_else(|| new_index.find_person(id(old_index, in_old?))).into(),
            })
        })
    }

    /// The people whom `target` means in the later network, or else in the earlier one: one person, or everyone who
    /// works at a company in either and whose folded position there contains `position`. `None` if it means nobody in
    /// either.
    #[must_use]
    pub fn people_of(&self, target: TargetQuery<'_>, position: Option<&str>) -> Option<Vec<ComparedPerson>> {
        let find = |index: &'a GraphIndex| find_target(index, target).map(|(_, target)| (index, target));
        let (index, target) = find(self.new).or_else(|| find(self.old))?;
        match target {
            Target::Person(person) => Some(vec![self.both(id(index, person))]),
            Target::Company(company) => {
                let company = index.data.companies.ids.get(company.0);
                let employees = |index: &'a GraphIndex| {
                    let company = index.find_company(company);
                    let all = company.map(|company| employees_fitting(index, company, position));
                    let rows = all.into_iter().flat_map(|all| all.into_owned());
                    rows.map(|person| self.both(id(index, person))).collect::<Vec<_>>()
                };
                Some(self.in_order([employees(self.old), employees(self.new)].concat()))
            }
        }
    }

    /// `people` ordered by id, each once.
    #[must_use]
    pub fn in_order(&self, mut people: Vec<ComparedPerson>) -> Vec<ComparedPerson> {
        people.sort_unstable_by(|one, other| self.id_of(*one).cmp(self.id_of(*other)));
        people.dedup();
        people
    }

    /// The changes of `people`, in their order, then by kind. Costs two walks per person, on all cores.
    #[must_use]
    pub fn changes(&self, people: &[ComparedPerson]) -> Vec<Change<'a>> {
        people.par_iter().flat_map_iter(|&person| self.changes_of(person)).collect()
    }

    /// Adds the changes of `who` to `noted`, by kind. Costs two walks, and reads only ids.
    pub fn note(&self, who: ComparedPerson, noted: &mut Vec<NotedChange>) {
        let paths = self.paths_to(who);
        let warmest = paths.iter().flatten().map(PathKey::warmness).max().unwrap_or_default();
        let warmness = u8::try_from(warmest).unwrap_or(u8::MAX);
        let kinds = self.kinds_of(who, paths);
        noted.extend(kinds.into_iter().flatten().map(|kind| NotedChange { who, kind, warmness }));
    }

    /// Notes the changes of `people`, in their order. Costs what [`Self::note`] does for each, on all cores.
    #[must_use]
    pub fn notes(&self, people: &[ComparedPerson]) -> Vec<NotedChange> {
        let of_one = |&person: &ComparedPerson| {
            let mut noted = Vec::new();
            self.note(person, &mut noted);
            noted
        };
        people.par_iter().flat_map_iter(of_one).collect()
    }

    /// Whether `noted` is of a member of the later network.
    #[must_use]
    pub fn is_of_member(&self, noted: &NotedChange) -> bool {
        noted.who.new.get().is_some_and(|person| self.new.near.standing(person).member.is_some())
    }

    /// Looks up the values of `noted`, which must come from a comparison of the same networks within the same bounds.
    /// Costs two walks each.
    pub fn look_up<'n>(&'n self, noted: &'n [NotedChange]) -> impl Iterator<Item = Change<'a>> + 'n {
        let one = |&NotedChange { who, kind, .. }: &NotedChange| {
            self.changes_of(who).into_iter().find(|change| change.kind == kind)
        };
        noted.iter().filter_map(one)
    }

    fn changes_of(&self, who: ComparedPerson) -> Vec<Change<'a>> {
        let [before, after] = self.paths_to(who);
        let change = |kind| {
            let (before, after) = match kind {
                ChangeKind::Position => {
                    let position = |(index, person): (&'a GraphIndex, PersonIx)| {
                        index.data.people.positions.value(person.0).map(ChangedValue::Position)
                    };
                    self.on_both_sides(who, position)
                }
                ChangeKind::Company => {
                    let company = |(index, person): (&'a GraphIndex, PersonIx)| {
                        Employer::of(index, person).map(ChangedValue::Company)
                    };
                    self.on_both_sides(who, company)
                }
                _ => {
                    let before = before.map(|key| ChangedValue::Path(self.old_paths.look_up(key)));
                    (before, after.map(|key| ChangedValue::Path(self.new_paths.look_up(key))))
                }
            };
            Change { kind, person: self.card(who), before, after }
        };
        self.kinds_of(who, [before, after]).into_iter().flatten().map(change).collect()
    }

    fn on_both_sides<T>(
        &self,
        who: ComparedPerson,
        value: impl Fn((&'a GraphIndex, PersonIx)) -> Option<T>,
    ) -> (Option<T>, Option<T>) {
        let before = who.old.get().and_then(|person| value((self.old, person)));
        (before, who.new.get().and_then(|person| value((self.new, person))))
    }

    /// The best path before and after.
    fn paths_to(&self, who: ComparedPerson) -> [Option<PathKey>; 2] {
        let before = who.old.get().and_then(|person| self.old_paths.key_to(person));
        [before, who.new.get().and_then(|person| self.new_paths.key_to(person))]
    }

    /// Compares the two best `paths` of `who`, and their rows, and returns the changes in order.
    fn kinds_of(
        &self,
        who: ComparedPerson,
        paths: [Option<PathKey>; 2],
    ) -> [Option<ChangeKind>; CHANGES_OF_ONE_MAX] {
        let (reach, connector) = match paths {
            [None, None] => (None, None),
            [None, Some(_)] => (Some(ChangeKind::Reachable), None),
            [Some(_), None] => (Some(ChangeKind::Unreachable), None),
            [Some(before), Some(after)] => {
                let warmth = match after.warmness().cmp(&before.warmness()) {
                    Ordering::Greater => Some(ChangeKind::Warmer),
                    Ordering::Less => Some(ChangeKind::Colder),
                    Ordering::Equal => None,
                };
                let is_same = id(self.old, before.connector()) == id(self.new, after.connector());
                (warmth, (!is_same).then_some(ChangeKind::Connector))
            }
        };
        let (Some(old), Some(new)) = (who.old.get(), who.new.get()) else {
            return [reach, connector, None, None];
        };
        let [old, new] = [(&self.old.data, old), (&self.new.data, new)];
        let [before, after] = [old, new].map(|(data, person)| data.people.positions.get(person.0));
        let position = (before != after).then_some(ChangeKind::Position);
        let [before, after] = [old, new].map(|(data, person)| {
            data.people.company(person).map(|company| data.companies.ids.get(company.0))
        });
        [reach, connector, position, (before != after).then_some(ChangeKind::Company)]
    }

    fn card(&self, who: ComparedPerson) -> PersonCard<'a> {
        let (index, person) = self.row(who);
        PersonCard::of(index, person)
    }

    fn id_of(&self, who: ComparedPerson) -> &'a str {
        let (index, person) = self.row(who);
        id(index, person)
    }

    /// The row in the later network, or else in the earlier one.
    fn row(&self, who: ComparedPerson) -> (&'a GraphIndex, PersonIx) {
        match who.new.get() {
            Some(person) => (self.new, person),
            None => (self.old, who.old.get().expect("one of the rows is there")),
        }
    }

    fn both(&self, id: &str) -> ComparedPerson {
        ComparedPerson { old: self.old.find_person(id).into(), new: self.new.find_person(id).into() }
    }
}

fn id(index: &GraphIndex, person: PersonIx) -> &str {
    index.data.people.ids.get(person.0)
}

fn take_first(people: &mut &[PersonIx]) -> Option<PersonIx> {
    let (first, rest) = people.split_first()?;
    *people = rest;
    Some(*first)
}

#[cfg(test)]
mod tests;
