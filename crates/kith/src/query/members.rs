//! The members of the organization, and how fresh its data are.

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::time::Timestamp;
use crate::query::card::PersonCard;
use crate::query::page::{Page, Top};

/// A member, with their person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberPerson<'a> {
    /// `user_…`
    pub user_id: &'a str,
    /// The person.
    pub person: PersonCard<'a>,
}

impl<'a> MemberPerson<'a> {
    /// The row of `member`.
    #[must_use]
    pub fn of(index: &'a GraphIndex, member: MemberIx) -> Self {
        let members = &index.data.members;
        Self {
            user_id: members.user_ids.get(member.0),
            person: PersonCard::of(index, members.person(member)),
        }
    }
}

/// The page of the members, by folded name, then person id; and the number of all of them. Costs one pass over them.
#[must_use]
pub fn list(index: &GraphIndex, page: Page) -> (Vec<MemberPerson<'_>>, u64) {
    let people = index.data.members.people.iter().zip(0..);
    let mut top = Top::for_page(page);
    people.for_each(|(person, member)| top.offer((index.person_names().rank(person.0), member)));
    let total = top.total();
    let rows = top.into_page(page).into_iter().map(|(_, member)| MemberPerson::of(index, MemberIx(member)));
    (rows.collect(), total)
}

/// The member whom an identity provider calls `text`: by user id, else by the address of exactly one member if
/// `trusts_address`, else by external id.
#[must_use]
pub fn signed_in(index: &GraphIndex, text: &str, trusts_address: bool) -> Option<MemberIx> {
    let members = &index.data.members;
    let by_address = || {
        let people = index.person_emails.find_all(index.data.people.email_texts(), text);
        let mut found = people.filter_map(|person| index.near.standing(PersonIx(person)).member);
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    };
    let by_external_id = || {
        let mut found = members.external_ids.iter().enumerate().filter(|(_, id)| *id == text);
        let first = found.next()?;
        found.next().is_none().then_some(MemberIx(first.0 as u32))
    };
    let is_address = trusts_address && text.contains('@');
    index.find_user(text).or_else(|| is_address.then(by_address).flatten()).or_else(by_external_id)
}

/// The newest time in the tables (of an import, a request or evidence), if there is any.
///
/// Costs a pass over them.
#[must_use]
pub fn data_as_of(index: &GraphIndex) -> Option<Timestamp> {
    let data = &index.data;
    let imports = data.members.synced_at.iter().chain(data.advocates.iter().map(|it| &it.synced_at));
    imports.flatten().chain(&data.intro_requests.requested_at).chain(&data.evidence.at).max().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::net;

    #[test]
    fn members_come_by_name_and_pages_neither_overlap_nor_skip() {
        let net = net("
            member ann, bob, cay
            ann (name: Zoe)
            cay (name: Álvaro)
        ");
        let page = |limit, offset| {
            let (rows, total) = list(&net, Page { limit, offset });
            (rows.iter().map(|row| row.person.name).collect::<Vec<_>>(), total)
        };
        assert_eq!(page(50, 0), (vec!["Álvaro", "bob", "Zoe"], 3));
        assert_eq!([page(2, 0), page(2, 2)], [(vec!["Álvaro", "bob"], 3), (vec!["Zoe"], 3)]);
        assert_eq!(page(2, 3).0, [""; 0]);
    }
}
