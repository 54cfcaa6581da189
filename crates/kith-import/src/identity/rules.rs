//! The rules that join rows to people, in order: handles, overrides, addresses, phone numbers, names with companies,
//! nearly the same names, names with other evidence.

use rayon::slice::ParallelSliceMut as _;

use crate::identity::address::{is_role, mailbox};
use crate::identity::classes::{ApartMark, Classes};
use crate::identity::company::CompanyRegistry;
use crate::identity::name::{PersonName, are_alike, are_like_families, may_be_one_given_name};
use crate::limits::IMPORT_NAMESAKES_MAX;
use crate::rows::{ImportedRow, RowKind};

/// Rows that an override joins or separates.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResolvedOverrides {
    /// Rows of each entry that are one person.
    pub(crate) same: Vec<Vec<u32>>,
    /// For each entry, a list of rows per person.
    pub(crate) apart: Vec<Vec<Vec<u32>>>,
}

/// The people, as joined rows.
#[derive(Debug)]
pub(crate) struct Identified {
    pub(crate) classes: Classes,
    /// Rows that fit two people and were not joined.
    pub(crate) namesakes: Vec<u32>,
    /// Addresses without a single owner: of a role, or shared.
    pub(crate) shared: Vec<Box<str>>,
    /// Entries of the overrides that contradict another one.
    pub(crate) contradictions: Vec<usize>,
}

/// The rows, and the joins so far.
pub(super) struct Identifier<'a> {
    pub(super) rows: &'a [ImportedRow],
    pub(super) companies: &'a CompanyRegistry,
    pub(super) identified: Identified,
}

/// Joins `rows` to people.
pub(crate) fn identify(
    rows: &[ImportedRow],
    companies: &CompanyRegistry,
    overrides: &ResolvedOverrides,
) -> Identified {
    let by_handle = sorted(rows, |row, add| {
        if !row.handle.is_empty() {
            add(&row.handle);
        }
    });
    let mut numbers = vec![0_u32; rows.len()];
    for (number, (_, same)) in groups(&by_handle).enumerate() {
        same.iter().for_each(|(_, row)| numbers[*row as usize] = number as u32 + 1);
    }
    let classes = Classes::new(numbers.into_iter());
    let identified =
        Identified { classes, namesakes: Vec::new(), shared: Vec::new(), contradictions: Vec::new() };
    let mut identifier = Identifier { rows, companies, identified };
    identifier.keep_apart(overrides);
    for (_, same) in groups(&by_handle) {
        identifier.join_all(&same.iter().map(|(_, row)| *row).collect::<Vec<_>>());
    }
    identifier.join_by_override(overrides);
    identifier.join_by_address();
    identifier.join_by_phone();
    identifier.join_by_name();
    identifier.join_near_names();
    identifier.join_by_evidence();
    identifier.identified
}

/// Keys of one kind with their rows, in byte order, then the order of rows.
pub(crate) type Keyed<K> = Vec<(K, u32)>;

fn sorted<'a>(
    rows: &'a [ImportedRow],
    keys: impl Fn(&'a ImportedRow, &mut dyn FnMut(&'a str)),
) -> Keyed<&'a str> {
    let mut keyed = Vec::new();
    for (row, of) in rows.iter().enumerate() {
        keys(of, &mut |key| keyed.push((key, row as u32)));
    }
    keyed.par_sort_unstable();
    keyed.dedup();
    keyed
}

/// Groups by equal keys.
pub(crate) fn groups<K: PartialEq>(keyed: &[(K, u32)]) -> impl Iterator<Item = (&K, &[(K, u32)])> {
    keyed.chunk_by(|one, other| one.0 == other.0).filter_map(|run| Some((&run.first()?.0, run)))
}

impl Identifier<'_> {
    fn keep_apart(&mut self, overrides: &ResolvedOverrides) {
        // Holders are different people, whatever their files say.
        for (row, of) in self.rows.iter().enumerate().filter(|(_, row)| row.kind == RowKind::Card) {
            self.identified.classes.mark(row as u32, ApartMark { entry: 0, member: of.holder });
        }
        for (entry, people) in overrides.apart.iter().enumerate() {
            for (member, rows) in people.iter().enumerate() {
                let mark = ApartMark { entry: entry as u32 + 1, member: member as u32 };
                rows.iter().for_each(|row| self.identified.classes.mark(*row, mark));
            }
        }
    }

    /// Joins `rows` to each other, each to the first possible one.
    pub(super) fn join_all(&mut self, rows: &[u32]) {
        for (place, row) in rows.iter().enumerate().skip(1) {
            let classes = &mut self.identified.classes;
            let _ = rows[..place].iter().any(|earlier| classes.join(*earlier, *row));
        }
    }

    fn join_by_override(&mut self, overrides: &ResolvedOverrides) {
        for (entry, rows) in overrides.same.iter().enumerate() {
            for pair in rows.windows(2) {
                if !self.identified.classes.join_by_override(pair[0], pair[1]) {
                    self.identified.contradictions.push(entry);
                    break;
                }
            }
        }
    }

    fn join_by_address(&mut self) {
        let mut by_address: Keyed<String> = Vec::new();
        for (row, of) in self.rows.iter().enumerate() {
            by_address.extend(of.emails.iter().map(|email| (mailbox(email), row as u32)));
        }
        by_address.par_sort_unstable();
        by_address.dedup();
        for (address, same) in groups(&by_address) {
            let same: Vec<u32> = same.iter().map(|(_, row)| *row).collect();
            let is_shared = is_role(address) || self.is_of_several(&same) || !self.may_be_one(&same);
            if !is_shared {
                self.join_all(&same);
                continue;
            }
            self.share(address, &same);
            self.join_by_name_with_address(&same);
        }
    }

    /// Joins the rows with the same phone number, if all their names may be one person's; otherwise those with the same
    /// name.
    fn join_by_phone(&mut self) {
        let mut by_phone: Keyed<u32> = Vec::new();
        for (row, of) in self.rows.iter().enumerate().filter(|(_, row)| !row.name.is_empty()) {
            by_phone.extend(of.phones.iter().map(|phone| (*phone, row as u32)));
        }
        by_phone.sort_unstable();
        for (_, same) in groups(&by_phone).filter(|(_, same)| same.len() > 1) {
            let same: Vec<u32> = same.iter().map(|(_, row)| *row).collect();
            if self.is_of_several(&same) || !self.is_of_one_family(&same) || !self.may_be_one(&same) {
                self.join_by_name_with_address(&same);
            } else {
                self.join_all(&same);
            }
        }
    }

    /// Whether the names of `same` have only one family name, or none. Few people share a mailbox, but a whole office
    /// shares a phone.
    fn is_of_one_family(&self, same: &[u32]) -> bool {
        let names = same.iter().map(|row| PersonName::parse(&self.rows[*row as usize].name));
        let mut names = names.filter(|name| !name.family.is_empty());
        let Some(first) = names.next() else { return false };
        names.all(|name| {
            first.compared_family() == name.compared_family()
                || first.words() == name.words()
                || are_like_families(&first.family, &name.family)
                || are_alike(&first, &name)
        })
    }

    /// Records that the addresses of `same` with the mailbox `address` have no single owner.
    fn share(&mut self, address: &str, same: &[u32]) {
        let rows = same.iter().map(|row| &self.rows[*row as usize]);
        let mut spelled: Vec<Box<str>> =
            rows.flat_map(|row| &row.emails).filter(|email| mailbox(email) == address).cloned().collect();
        spelled.sort_unstable();
        spelled.dedup();
        self.identified.shared.append(&mut spelled);
    }

    /// Whether the files give an address to people with different given names.
    fn is_of_several(&self, same: &[u32]) -> bool {
        let mut names: Vec<PersonName> = Vec::new();
        for row in same.iter().map(|row| &self.rows[*row as usize]) {
            if !row.is_of_file() || row.name.is_empty() {
                continue;
            }
            let name = PersonName::parse(&row.name);
            if names.iter().any(|other| !may_be_one_given_name(other, &name)) {
                return true;
            }
            if names.len() < IMPORT_NAMESAKES_MAX && !names.contains(&name) {
                names.push(name);
            }
        }
        false
    }

    /// Whether handles and overrides allow all of `same` to be one person.
    fn may_be_one(&mut self, same: &[u32]) -> bool {
        let classes = &mut self.identified.classes;
        let mut roots: Vec<u32> = same.iter().map(|row| classes.root(*row)).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut handle = 0;
        for root in &roots {
            match (handle, classes.handle(*root)) {
                (_, 0) => {}
                (0, own) => handle = own,
                (known, own) if known == own && own != u32::MAX => {}
                _ => return false,
            }
        }
        roots.len() > IMPORT_NAMESAKES_MAX
            || roots
                .iter()
                .enumerate()
                .all(|(place, one)| roots[place + 1..].iter().all(|other| classes.may_join(*one, *other)))
    }

    /// Joins the rows of `same` with the same name; and a row without a name if all others are one person.
    fn join_by_name_with_address(&mut self, same: &[u32]) {
        let mut by_name: Keyed<String> = Vec::new();
        let mut nameless = Vec::new();
        for row in same {
            let of = &self.rows[*row as usize];
            if of.name.is_empty() {
                nameless.push(*row);
                continue;
            }
            let name = PersonName::parse(&of.name);
            if let Some(key) = name.key() {
                let (middle, generation) = (name.middle.join(" "), name.generation);
                by_name.push((format!("{key}\u{1f}{middle}\u{1f}{generation}"), *row));
            }
        }
        by_name.sort_unstable();
        for (_, named) in groups(&by_name) {
            let rows: Vec<u32> = named.iter().map(|(_, row)| *row).collect();
            if self.may_be_one(&rows) {
                self.join_all(&rows);
            }
        }
        let (rows, classes) = (self.rows, &mut self.identified.classes);
        let mut roots: Vec<u32> = same
            .iter()
            .filter(|row| !rows[**row as usize].name.is_empty())
            .map(|row| classes.root(*row))
            .collect();
        roots.sort_unstable();
        roots.dedup();
        if let [one] = roots.as_slice() {
            for row in nameless {
                self.identified.classes.join(*one, row);
            }
        }
    }
}
