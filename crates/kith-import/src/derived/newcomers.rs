//! People whom no row names but to whom an edge leads.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::derived::seen::{Node, Nodes, Sight};
use crate::derived::view::Known;
use crate::identity::address::mailbox;
use crate::rows::{ImportedRow, NOBODY, RowKind};

impl Known<'_> {
    /// A row for each unowned mailbox to which an edge would lead and that has a name in the heads of mail and events.
    pub(super) fn newcomers(&self, sights: &[Sight], nodes: &Nodes) -> Vec<ImportedRow> {
        let pairs = self.pairs(sights, nodes);
        let mut reached: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
        for ((from, to), pair) in &pairs.all {
            let (Some(from), Node::Mailbox(number)) = (from.person(), *to) else { continue };
            let back = pairs.all.get(&(*to, Node::Person(from)));
            let mailbox = nodes.mailboxes[number as usize].as_str();
            if self.is_tie(pair, back, from, None) {
                reached.insert(mailbox, BTreeMap::new());
            }
        }
        if reached.is_empty() {
            return Vec::new();
        }
        for row in &self.gathered.contacted {
            for party in [&row.interaction.from].into_iter().chain(&row.interaction.to) {
                let Some(email) = party.email.as_deref() else { continue };
                let is_name = !party.name.is_empty() && !party.name.contains('@');
                if let Some(names) = reached.get_mut(mailbox(email).as_str()).filter(|_| is_name) {
                    *names.entry(party.name.as_str()).or_default() += 1;
                }
            }
        }
        let row = |(mailbox, names): (&str, BTreeMap<&str, u32>)| {
            let (name, _) = names.into_iter().max_by_key(|(name, count)| (*count, Reverse(*name)))?;
            let row = ImportedRow::empty(RowKind::Seen, NOBODY);
            Some(ImportedRow { name: name.into(), emails: Box::new([mailbox.into()]), ..row })
        };
        reached.into_iter().filter_map(row).collect()
    }
}
