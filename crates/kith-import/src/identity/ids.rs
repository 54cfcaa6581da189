//! Ids of people: from their keys, and from the last import.
//!
//! An id is the hash of a person's first key: a handle, an unshared address, or a name with its company. So it depends
//! only on the contents of the files. People who were imported before keep their ids.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::slice::ParallelSliceMut as _;

/// The hash of a person's key: the number in an id.
pub(crate) type PersonKey = u128;

/// Bits of the hash in an id.
const KEY_BITS: u32 = 80;
/// The prefix of people's ids.
const PREFIX: &str = "person_";

/// A key of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownBy<'a> {
    Handle(&'a str),
    Address(&'a str),
    /// A folded name with the key of a company, which may be empty.
    Name(&'a str, &'a str),
}

impl KnownBy<'_> {
    /// Its hash.
    pub(crate) fn key(self) -> PersonKey {
        let parts = match self {
            Self::Handle(handle) => ["handle", handle, ""],
            Self::Address(address) => ["address", address, ""],
            Self::Name(name, company) => ["name", name, company],
        };
        hash(&parts)
    }
}

/// A person who needs an id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unnumbered {
    /// The keys of the person; the first makes the id.
    pub(crate) keys: Vec<PersonKey>,
    /// The keys that are handles or unshared addresses.
    pub(crate) strong: Vec<PersonKey>,
    /// The rows of the person, as in the provenance: the number of the file's name and the line.
    pub(crate) rows: Vec<(u32, u64)>,
    /// The id of the last import that is the person's whatever else is known.
    pub(crate) given: Option<PersonKey>,
    /// Distinguishes the person from others with the same first key.
    pub(crate) order: ([u8; 16], PersonKey, u64),
}

/// A person of the last import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EarlierPerson {
    pub(crate) id: String,
    /// As in [`Unnumbered`].
    pub(crate) rows: Vec<(u32, u64)>,
    /// The keys of the handles and addresses.
    pub(crate) strong: Vec<PersonKey>,
    pub(crate) formerly: Vec<String>,
    /// Whether that import only kept the person.
    pub(crate) kept: bool,
}

/// An id, and the person's former ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PersonIds {
    pub(crate) id: String,
    pub(crate) formerly: Vec<String>,
}

/// The certainty that a person is one of the last import; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    Given,
    Row,
    First,
    Strong,
    Other,
}

/// The ids of `people`, in their order.
///
/// Every id of the last import goes to one person who still has a key of it; a person with several keeps the one that
/// sorts first. A person without one gets a new one that nobody else has or had.
pub(crate) fn number(people: &[Unnumbered], earlier: &[EarlierPerson]) -> Vec<PersonIds> {
    let mut in_order: Vec<u32> = (0..people.len() as u32).collect();
    in_order.par_sort_unstable_by_key(|person| {
        let of = &people[*person as usize];
        (of.keys.first(), of.order)
    });
    let mut claimed: Vec<Vec<usize>> = vec![Vec::new(); people.len()];
    for (earlier, person) in owners(people, &in_order, earlier) {
        claimed[person as usize].push(earlier);
    }
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for person in claimed.iter().flatten().map(|at| &earlier[*at]) {
        taken.insert(&person.id);
        taken.extend(person.formerly.iter().map(String::as_str));
    }
    let mut numbered = vec![PersonIds::default(); people.len()];
    let mut next: HashMap<PersonKey, u64> = HashMap::new();
    for person in in_order {
        let own = &claimed[person as usize];
        let place = &mut numbered[person as usize];
        if own.is_empty() {
            let key = people[person as usize].keys.first().copied().unwrap_or_default();
            let ordinal = next.entry(key).or_default();
            while taken.contains(text(nth(key, *ordinal)).as_str()) {
                *ordinal += 1;
            }
            place.id = text(nth(key, *ordinal));
            *ordinal += 1;
            continue;
        }
        let mut ids: BTreeSet<&String> = own.iter().map(|at| &earlier[*at].id).collect();
        place.id = ids.pop_first().cloned().unwrap_or_default();
        ids.extend(own.iter().flat_map(|at| &earlier[*at].formerly));
        place.formerly = ids.into_iter().filter(|id| **id != place.id).cloned().collect();
    }
    numbered
}

/// The present person for each person of the last import who is still there.
fn owners(people: &[Unnumbered], in_order: &[u32], earlier: &[EarlierPerson]) -> Vec<(usize, u32)> {
    if earlier.is_empty() {
        return Vec::new();
    }
    let mut by_id: HashMap<PersonKey, usize> = HashMap::new();
    let mut by_strong: HashMap<PersonKey, Vec<usize>> = HashMap::new();
    let mut by_row: HashMap<(u32, u64), usize> = HashMap::new();
    for (at, person) in earlier.iter().enumerate() {
        by_id.extend(key_of(&person.id).map(|key| (key, at)));
        person.strong.iter().for_each(|key| by_strong.entry(*key).or_default().push(at));
        person.rows.iter().for_each(|row| {
            by_row.insert(*row, at);
        });
    }
    // The best claim on each: its certainty, and the person's position in the order of contents.
    let mut best: BTreeMap<usize, (Claim, usize, u32)> = BTreeMap::new();
    let mut claim = |at: usize, claim: Claim, place: usize, person: u32| {
        let offered = (claim, place, person);
        let known = best.entry(at).or_insert(offered);
        *known = offered.min(*known);
    };
    let mut ordinals: HashMap<PersonKey, u64> = HashMap::new();
    for (place, person) in in_order.iter().enumerate() {
        let of = &people[*person as usize];
        if let Some(at) = of.given.and_then(|given| by_id.get(&given)) {
            claim(*at, Claim::Given, place, *person);
        }
        for at in of.strong.iter().filter_map(|key| by_strong.get(key)).flatten() {
            claim(*at, Claim::Strong, place, *person);
        }
        for (key, sure) in
            of.keys.iter().zip([Claim::First].into_iter().chain(std::iter::repeat(Claim::Other)))
        {
            let Some(at) = by_id.get(key) else { continue };
            let is_same_row = of.rows.iter().any(|row| by_row.get(row) == Some(at));
            claim(*at, if is_same_row { Claim::Row } else { sure }, place, *person);
        }
        // People with the same first key: they had its ids in this order, unless their rows show another.
        let Some(first) = of.keys.first() else { continue };
        let ordinal = ordinals.entry(*first).or_default();
        if let Some(at) = by_id.get(&nth(*first, *ordinal)).filter(|_| *ordinal > 0) {
            claim(*at, Claim::First, place, *person);
        }
        *ordinal += 1;
        for at in of.rows.iter().filter_map(|row| by_row.get(row)) {
            let is_of_key = (0..*ordinal + 1)
                .take(IMPORT_ORDINALS)
                .any(|ordinal| key_of(&earlier[*at].id) == Some(nth(*first, ordinal)));
            if is_of_key && of.strong.is_empty() {
                claim(*at, Claim::Row, place, *person);
            }
        }
    }
    best.into_iter().map(|(at, (_, _, person))| (at, person)).collect()
}

/// Maximum number of people with the same first key to look for among those of the last import.
const IMPORT_ORDINALS: usize = 16;

/// The key of person number `ordinal` among those with the first key `key`.
fn nth(key: PersonKey, ordinal: u64) -> PersonKey {
    if ordinal == 0 { key } else { hash(&["again", &text(key), &ordinal.to_string()]) }
}

/// The keys of people with the same first key, in the order in which they are given.
pub(crate) fn namesakes_of(first: PersonKey) -> impl Iterator<Item = PersonKey> {
    (0..IMPORT_ORDINALS as u64).map(move |ordinal| nth(first, ordinal))
}

/// The id of the key.
pub(crate) fn text(key: PersonKey) -> String {
    format!("{PREFIX}{key:020x}")
}

/// Parses the key in the id `id`; `None` if it is not an import's id.
pub(crate) fn key_of(id: &str) -> Option<PersonKey> {
    let digits = id.strip_prefix(PREFIX).filter(|digits| digits.len() == KEY_BITS as usize / 4)?;
    PersonKey::from_str_radix(digits, 16).ok()
}

/// The first bits of the hash of `parts`.
pub(crate) fn hash(parts: &[&str; 3]) -> PersonKey {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    PersonKey::from_be_bytes(bytes) >> (PersonKey::BITS - KEY_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(known: &[KnownBy<'_>], row: (u32, u64)) -> Unnumbered {
        let keys: Vec<PersonKey> = known.iter().map(|known| known.key()).collect();
        let is_strong = |known: &&KnownBy<'_>| !matches!(known, KnownBy::Name(..));
        let strong = known.iter().filter(is_strong).map(|known| known.key()).collect();
        Unnumbered { keys, strong, rows: vec![row], given: None, order: ([row.0 as u8; 16], 0, row.1) }
    }

    /// The people of the last import, as the next one reads `people` with these ids.
    fn kept(people: &[Unnumbered], ids: &[PersonIds]) -> Vec<EarlierPerson> {
        let of = |(person, ids): (&Unnumbered, &PersonIds)| EarlierPerson {
            id: ids.id.clone(),
            rows: person.rows.clone(),
            strong: person.strong.clone(),
            formerly: ids.formerly.clone(),
            kept: false,
        };
        people.iter().zip(ids).map(of).collect()
    }

    #[test]
    fn an_id_depends_on_what_a_person_is_known_by_and_not_on_the_order_of_people() {
        let ann = person(&[KnownBy::Handle("ann"), KnownBy::Address("a@x.example")], (0, 2));
        let toms = [person(&[KnownBy::Name("tom", "")], (0, 3)), person(&[KnownBy::Name("tom", "")], (0, 4))];
        let [tom, other] = toms;
        let ids = number(&[ann.clone(), tom.clone(), other.clone()], &[]);
        let turned = number(&[other, ann, tom], &[]);
        assert_eq!([&ids[0], &ids[1], &ids[2]], [&turned[1], &turned[2], &turned[0]]);
        assert!(ids[1] != ids[2] && ids.iter().all(|ids| ids.id.len() == 27 && ids.formerly.is_empty()));
    }

    #[test]
    fn an_id_once_given_stays_and_of_two_that_become_one_the_first_stays() {
        let by_address = person(&[KnownBy::Address("a@x.example")], (0, 2));
        let by_handle = person(&[KnownBy::Handle("ann")], (1, 2));
        let before = [by_address, by_handle];
        let ids = number(&before, &[]);
        // The same files give the same ids.
        assert_eq!(number(&before, &kept(&before, &ids)), ids);
        let one = person(&[KnownBy::Handle("ann"), KnownBy::Address("a@x.example")], (2, 2));
        let joined = number(std::slice::from_ref(&one), &kept(&before, &ids));
        let mut both = [ids[0].id.clone(), ids[1].id.clone()];
        both.sort_unstable();
        assert_eq!((&joined[0].id, &joined[0].formerly), (&both[0], &vec![both[1].clone()]));
        // A handle that was added later leaves the id as it was.
        let grown = [person(&[KnownBy::Handle("zoe"), KnownBy::Address("z@x.example")], (0, 9))];
        let was = [person(&[KnownBy::Address("z@x.example")], (0, 9))];
        let was_ids = number(&was, &[]);
        assert_eq!(number(&grown, &kept(&was, &was_ids)), was_ids);
        assert_ne!(number(&grown, &[]), was_ids, "the control: without the last import it has another");
    }

    #[test]
    fn people_who_are_alike_keep_their_ids_by_their_rows() {
        let tom = |line| person(&[KnownBy::Name("tom", "")], (0, line));
        let before = [tom(3), tom(5)];
        let ids = number(&before, &[]);
        let mut moved = tom(3);
        moved.order = ([9; 16], 0, 3);
        let after = [moved, tom(5)];
        assert_eq!(number(&after, &kept(&before, &ids)), ids);
        // A third person takes neither.
        let third = [tom(1), tom(3), tom(5)];
        let with_third = number(&third, &kept(&before, &ids));
        assert_eq!([&with_third[1], &with_third[2]], [&ids[0], &ids[1]]);
        assert!(!ids.contains(&with_third[0]));
    }
}
