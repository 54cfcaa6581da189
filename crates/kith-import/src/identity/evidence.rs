//! Joins people of one name who have no company in common, by what else their rows say: position, city, whose files.

use std::collections::BTreeSet;

use crate::identity::abbreviation::{abbreviates, initials_of};
use crate::identity::address::{employer_domain, is_role};
use crate::identity::ids::{PersonKey, hash};
use crate::identity::name::{PersonName, plain};
use crate::identity::namesakes::{Face, names_of};
use crate::identity::rules::{Identifier, Keyed, groups};
use crate::limits::IMPORT_NAMESAKES_MAX;
use crate::rows::{ImportedRow, NOBODY, RowKind};

/// How two people's companies are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CompanyLikeness {
    Same,
    /// Of one, none is known.
    Unknown,
    /// One's name is the beginning or the initials of the other's.
    Short,
    /// The domain of one's address abbreviates the other's name.
    Abbreviated,
    Other,
}

/// What the rows of a person say besides the name.
#[derive(Debug, Default)]
pub(super) struct PersonEvidence<'a> {
    pub(super) face: Face,
    /// The compared forms of the companies that the rows name.
    named: BTreeSet<&'a str>,
    /// The labels of domains of which no row names the company.
    labels: BTreeSet<&'a str>,
    positions: BTreeSet<u32>,
    cities: BTreeSet<u32>,
    owners: BTreeSet<u32>,
    /// Whether an address has another person's name.
    is_called_otherwise: bool,
}

impl Identifier<'_> {
    /// Joins people of one name if no company of one is known, or one nearly that of the other, and enough else is the
    /// same. If two of those who fit are different people, nobody is joined.
    pub(super) fn join_by_evidence(&mut self) {
        for same in self.of_one_name() {
            let same = self.roots(&same);
            let found: Vec<PersonEvidence<'_>> = same.iter().map(|root| self.evidence(*root)).collect();
            let may_be_one = |one: usize, other: usize| {
                self.identified.classes.roots_may_join(same[one], same[other])
                    && found[one].may_be(&found[other])
            };
            let is_enough =
                |one: usize, other: usize| may_be_one(one, other) && found[one].is_enough(&found[other]);
            let joined = alike_in_all(same.len(), &may_be_one, &is_enough);
            for all in joined {
                self.join_all(&all.into_iter().map(|at| same[at]).collect::<Vec<u32>>());
            }
        }
    }

    /// The people of one name, of whom one at least has no handle.
    fn of_one_name(&mut self) -> Vec<Vec<u32>> {
        let rows = self.rows;
        let classes = &mut self.identified.classes;
        let named = (0..).zip(rows).filter(|(_, of)| !of.name.is_empty() && of.kind != RowKind::Hint);
        let roots: Vec<(u32, &ImportedRow)> = named.map(|(row, of)| (classes.root(row), of)).collect();
        if roots.iter().all(|(root, _)| classes.handle(*root) != 0) {
            return Vec::new();
        }
        let mut keyed: Keyed<PersonKey> = Vec::new();
        for (root, of) in roots {
            keyed.extend(names_of(of).flat_map(|name| name.keys()).map(|key| (hash(&[&key, "", ""]), root)));
        }
        self.with_open(keyed)
    }

    /// The sets with one key, if they are not too many and one at least has no handle.
    pub(super) fn with_open<K: Ord>(&self, mut keyed: Keyed<K>) -> Vec<Vec<u32>> {
        keyed.sort_unstable();
        keyed.dedup();
        let is_open = |same: &[(K, u32)]| {
            (2..=IMPORT_NAMESAKES_MAX).contains(&same.len())
                && same.iter().any(|(_, root)| self.identified.classes.handle(*root) == 0)
        };
        let open = groups(&keyed).filter(|(_, same)| is_open(same));
        open.map(|(_, same)| same.iter().map(|(_, root)| *root).collect()).collect()
    }

    /// The present sets of `rows`, ascending.
    pub(super) fn roots(&mut self, rows: &[u32]) -> Vec<u32> {
        let mut roots: Vec<u32> = rows.iter().map(|row| self.identified.classes.root(*row)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// What the rows of the set `root` say.
    pub(super) fn evidence(&self, root: u32) -> PersonEvidence<'_> {
        let mut found = PersonEvidence { face: self.face(root), ..PersonEvidence::default() };
        for row in self.identified.classes.members(root) {
            let of = &self.rows[row as usize];
            let companies = self.companies;
            let mut groups = BTreeSet::from([companies.group(of.company)]);
            for email in &of.emails {
                found.is_called_otherwise |= !is_role(email) && is_of_another(email, &found.face.names);
                let company = companies.company(companies.of_email(email));
                match employer_domain(email) {
                    Some(domain) if company.key.contains('.') || company.key.is_empty() => {
                        found.labels.extend(domain.split('.').next());
                    }
                    _ => {
                        groups.insert(companies.of_email(email));
                    }
                }
            }
            found.named.extend(companies.compared(&groups, of.company));
            found.positions.extend(Some(of.position).filter(|position| *position != 0));
            found.cities.extend(Some(of.place.0).filter(|city| *city != 0));
            found.owners.extend(Some(of.tie).filter(|tie| *tie != NOBODY));
        }
        found
    }
}

/// The sets of more than one of `count` that are connected by `is_like`, if each two of a set may be one.
pub(super) fn alike_in_all(
    count: usize,
    may_be_one: &dyn Fn(usize, usize) -> bool,
    is_like: &dyn Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut is_seen = vec![false; count];
    let mut found = Vec::new();
    for first in 0..count {
        let (mut all, mut next) = (Vec::new(), vec![first]);
        while let Some(at) = next.pop() {
            if !std::mem::replace(&mut is_seen[at], true) {
                all.push(at);
                next.extend((0..count).filter(|other| !is_seen[*other] && is_like(at, *other)));
            }
        }
        if all.len() > 1 && all.iter().all(|one| all.iter().all(|two| one == two || may_be_one(*one, *two))) {
            found.push(all);
        }
    }
    found
}

impl PersonEvidence<'_> {
    pub(super) fn companies(&self, other: &Self) -> CompanyLikeness {
        let (mine, theirs) = (&self.named, &other.named);
        let is_short = |short: &str, long: &str| {
            short == initials_of(long) || long.strip_prefix(short).is_some_and(|rest| rest.starts_with(' '))
        };
        let abbreviated = |labels: &BTreeSet<&str>, named: &BTreeSet<&str>| {
            labels.iter().any(|label| named.iter().any(|name| abbreviates(label, name)))
        };
        if !mine.is_disjoint(theirs) || !self.labels.is_disjoint(&other.labels) {
            CompanyLikeness::Same
        } else if abbreviated(&self.labels, theirs) || abbreviated(&other.labels, mine) {
            CompanyLikeness::Abbreviated
        } else if mine.is_empty() && self.labels.is_empty() || theirs.is_empty() && other.labels.is_empty() {
            CompanyLikeness::Unknown
        } else if mine.iter().any(|one| theirs.iter().any(|two| is_short(one, two) || is_short(two, one))) {
            CompanyLikeness::Short
        } else {
            CompanyLikeness::Other
        }
    }

    /// Whether they may be one person.
    fn may_be(&self, other: &Self) -> bool {
        let is_one_city =
            self.cities.is_empty() || other.cities.is_empty() || !self.cities.is_disjoint(&other.cities);
        is_one_city && !self.face.differs(&other.face) && self.companies(other) != CompanyLikeness::Other
    }

    /// Whether both have one position.
    pub(super) fn is_position(&self, other: &Self) -> bool {
        !self.positions.is_disjoint(&other.positions)
    }

    /// Whether one colleague knows both.
    pub(super) fn is_owner(&self, other: &Self) -> bool {
        !self.owners.is_disjoint(&other.owners)
    }

    /// Whether enough is the same.
    fn is_enough(&self, other: &Self) -> bool {
        let is_position = self.is_position(other);
        let is_city = !self.cities.is_disjoint(&other.cities);
        let count = u8::from(is_position) + u8::from(is_city) + u8::from(self.is_owner(other));
        let against = u8::from(self.is_called_otherwise || other.is_called_otherwise);
        match self.companies(other) {
            CompanyLikeness::Unknown => count >= 2 + against,
            CompanyLikeness::Abbreviated => count > against,
            CompanyLikeness::Short => (is_position || is_city) && count > against,
            CompanyLikeness::Same | CompanyLikeness::Other => false,
        }
    }
}

/// Whether the address `email` has a given and a family name that are not those of any of `names`: `david.chen@` of Wei
/// Chen.
fn is_of_another(email: &str, names: &[PersonName]) -> bool {
    let local = email.split('@').next().unwrap_or("");
    let words: Vec<String> = local.split(['.', '_', '-']).map(plain).collect();
    let is_word = |word: &String| word.len() > 2 && word.chars().all(char::is_alphabetic);
    let fits = |name: &PersonName, word: &String| {
        let parts = name.middle.iter().chain([&name.given, &name.family]).map(|part| plain(part));
        parts
            .chain([name.compared_given()])
            .any(|part| part.starts_with(word.as_str()) || word.starts_with(&part) && part.len() > 2)
    };
    words.len() == 2
        && words.iter().all(is_word)
        && !names.iter().any(|name| words.iter().all(|word| fits(name, word)))
}
