//! Joins rows by name with company, and keeps namesakes apart.

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

use crate::identity::address::{employer_domain, is_role};
use crate::identity::alias::name_in_handle;
use crate::identity::company::CompanyRegistry;
use crate::identity::name::{PersonName, agree, are_alike, plain};
use crate::identity::rules::{Identifier, Keyed, groups};
use crate::limits::IMPORT_NAMESAKES_MAX;
use crate::rows::{ImportedRow, RowKind};

impl Identifier<'_> {
    /// Joins the rows with the same name and company; then the hints to the people whom they fit, which changes nothing
    /// between other rows.
    pub(super) fn join_by_name(&mut self) {
        let named = self.rows.par_iter().enumerate().filter(|(_, of)| !of.name.is_empty());
        let keys_of = |(row, of): (usize, &ImportedRow)| {
            let companies = companies_of(of, self.companies);
            let mut keyed = Keyed::new();
            for key in names_of(of).flat_map(|name| name.keys()) {
                keyed.extend(companies.iter().map(|company| (format!("{key}\u{1e}{company}"), row as u32)));
            }
            keyed
        };
        let mut keyed: Keyed<String> = named.flat_map_iter(keys_of).collect();
        keyed.par_sort_unstable();
        let mut namesakes = Vec::new();
        let rows = self.rows;
        let is_hint = |row: u32| rows[row as usize].kind == RowKind::Hint;
        let of_people = |is_hinted: bool| {
            groups(&keyed)
                .map(|(_, same)| same)
                .filter(move |same| !is_hinted || same.iter().any(|(_, row)| is_hint(*row)))
                .map(move |same| {
                    same.iter().map(|(_, row)| *row).filter(move |row| is_hinted || !is_hint(*row))
                })
                .map(Iterator::collect::<Vec<u32>>)
                .filter(|same| same.len() > 1)
        };
        for same in of_people(false) {
            self.join_namesakes(&same, &mut namesakes);
        }
        for same in of_people(true) {
            let mut people: Vec<u32> = same.iter().copied().filter(|row| !is_hint(*row)).collect();
            people.iter_mut().for_each(|row| *row = self.identified.classes.root(*row));
            people.sort_unstable();
            people.dedup();
            // Of namesakes at one company, any may have the address.
            if people.len() == 1 {
                self.join_namesakes(&same, &mut Vec::new());
            }
        }
        namesakes.sort_unstable();
        namesakes.dedup();
        self.identified.namesakes = namesakes;
    }

    /// Joins those of `rows`, with the same name and company, that differ from the same others; a row that fits two
    /// different ones is not joined.
    fn join_namesakes(&mut self, rows: &[u32], namesakes: &mut Vec<u32>) {
        let roots = self.roots(rows);
        if roots.len() < 2 {
            return;
        }
        if roots.len() > IMPORT_NAMESAKES_MAX {
            namesakes.extend(rows);
            return;
        }
        let faces: Vec<Face> = roots.iter().map(|root| self.face(*root)).collect();
        let differ = |one: usize, other: usize| {
            one != other
                && (faces[one].differs(&faces[other])
                    || !self.identified.classes.roots_may_join(roots[one], roots[other]))
        };
        let count = roots.len();
        let table: Vec<Vec<bool>> =
            (0..count).map(|one| (0..count).map(|other| differ(one, other)).collect()).collect();
        for one in 0..count {
            let like: Vec<usize> = (0..count).filter(|other| *other != one && !table[one][*other]).collect();
            if like.iter().any(|a| like.iter().any(|b| table[*a][*b])) {
                let classes = &mut self.identified.classes;
                namesakes.extend(rows.iter().filter(|row| classes.root(**row) == roots[one]));
                continue;
            }
            // Rows similar to this one are similar to each other, so all may be joined in any order.
            if let Some(twin) = like.into_iter().find(|other| *other < one && table[one] == table[*other]) {
                self.identified.classes.join(roots[twin], roots[one]);
            }
        }
    }

    /// Returns the compared features of the set `root`.
    pub(super) fn face(&self, root: u32) -> Face {
        let mut face = Face::default();
        for row in self.identified.classes.members(root) {
            let of = &self.rows[row as usize];
            for name in names_of(of) {
                if !face.names.contains(&name) && face.names.len() < IMPORT_NAMESAKES_MAX {
                    face.names.push(name);
                }
            }
            for email in of.emails.iter().filter(|email| !is_role(email)) {
                if let Some(domain) = employer_domain(email) {
                    let at = face.addresses.entry(domain.to_owned()).or_default();
                    if !at.contains(email) {
                        at.push(email.clone());
                    }
                }
            }
        }
        face
    }
}

/// The features that distinguish people with the same name and company.
#[derive(Debug, Default)]
pub(super) struct Face {
    pub(super) names: Vec<PersonName>,
    /// Addresses by the employer's domain.
    addresses: BTreeMap<String, Vec<Box<str>>>,
}

impl Face {
    /// Whether they are two people: a middle name or a generation contradicts, or each has an address of its own at the
    /// same employer.
    pub(super) fn differs(&self, other: &Self) -> bool {
        let mut pairs = self.names.iter().flat_map(|one| other.names.iter().map(move |two| (one, two)));
        let disagree = |(one, two): &(&PersonName, &PersonName)| one.key() == two.key() && !agree(one, two);
        let names = !pairs.clone().any(|pair| disagree(&pair)) && pairs.any(|(one, two)| are_alike(one, two));
        !names || self.is_addressed_otherwise(other)
    }

    /// Whether an employer's address here has the whole name of `other`: `tianyu.he@` of Tim He for Tianyu He.
    pub(super) fn is_called_as(&self, other: &Self) -> bool {
        let letters = |text: &str| text.chars().filter(|letter| letter.is_alphabetic()).collect::<String>();
        let locals = || self.addresses.values().flatten().filter_map(|email| email.split('@').next());
        other.names.iter().filter(|name| name.key().is_some()).any(|name| {
            let whole = [[&name.given, &name.family], [&name.family, &name.given]];
            let whole = whole.map(|[first, last]| plain(&format!("{first}{last}")));
            locals().any(|local| whole.contains(&plain(&letters(local))))
        })
    }

    /// Whether each has an address of its own at the same employer.
    pub(super) fn is_addressed_otherwise(&self, other: &Self) -> bool {
        self.addresses.iter().any(|(domain, own)| {
            other.addresses.get(domain).is_some_and(|theirs| !own.iter().any(|email| theirs.contains(email)))
        })
    }
}

/// The names of the row `of`: the written one, and that of the profile, if it is another.
pub(crate) fn names_of(of: &ImportedRow) -> impl Iterator<Item = PersonName> {
    let name = Some(name_of(of)).filter(|_| !of.name.is_empty());
    let other = name.as_ref().and_then(|name| name_in_handle(name, &of.handle));
    name.into_iter().chain(other)
}

/// The name of the row `of`, with the family name from an address if it has none.
fn name_of(of: &ImportedRow) -> PersonName {
    of.emails.iter().fold(PersonName::parse(&of.name), |name, email| name.with_family_of(email))
}

/// The keys of the companies of the row `of`: the one it names and those of its addresses, each also in the form for
/// people with the same name.
pub(crate) fn companies_of<'c>(of: &ImportedRow, companies: &'c CompanyRegistry) -> Vec<&'c str> {
    let addressed = of.emails.iter().map(|email| companies.of_email(email));
    let groups: BTreeSet<u32> = [companies.group(of.company)].into_iter().chain(addressed).collect();
    companies.compared(&groups, of.company)
}
