//! The reach of words for the past, before and after them.

use crate::search::conditions::TermKind;
use crate::search::parse::item::Item;
use crate::search::parse::joiner::Joiner;
use crate::search::parse::scope::NOW_BEHIND;

impl Joiner {
    /// Ends the reach of "formerly" if `item` says that what follows is present.
    pub(super) fn end_past(&mut self, item: &Item) {
        let terms = &self.draft.terms[self.clause..];
        if NOW_BEHIND.contains(&item.text.as_str()) && terms.iter().any(|term| term.past) {
            (self.past, self.leaving, self.is_adverb) = (false, false, false);
        }
    }

    /// Ends the reach of "not" and "formerly"; "at Google previously" applies to what comes before it.
    pub(super) fn end_clause(&mut self) {
        if self.past && self.is_adverb && !self.mark_company(false) {
            self.mark_roles();
        }
        (self.negated, self.past, self.leaving, self.is_adverb) = (false, false, false, false);
        self.clause = self.draft.terms.len();
    }

    /// "at Google before", "not at Google anymore".
    pub(super) fn was_once(&mut self, is_no_more: bool) {
        if !self.mark_company(is_no_more) {
            self.past = true;
            self.negated &= !is_no_more;
        }
    }

    /// Puts the last companies of the clause in the past, wanted if `is_wanted`; returns whether there are any.
    pub(super) fn mark_company(&mut self, is_wanted: bool) -> bool {
        let terms = &mut self.draft.terms[self.clause..];
        let companies = terms.iter_mut().rev().skip_while(|term| term.kind != TermKind::Company);
        let mut found = false;
        for term in companies.take_while(|term| term.kind == TermKind::Company) {
            term.past = true;
            term.negated &= !is_wanted;
            found = true;
        }
        found
    }

    /// "account managers once": puts the roles of the clause in the past, unless it has a place, to which the word may
    /// apply.
    pub(super) fn mark_roles(&mut self) {
        let terms = &mut self.draft.terms[self.clause..];
        if terms.iter().all(|term| term.kind != TermKind::Place) {
            terms.iter_mut().filter(|term| term.kind == TermKind::Role).for_each(|term| term.past = true);
        }
    }
}
