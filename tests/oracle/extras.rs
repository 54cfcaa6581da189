//! The optional parts of warm paths: another order, groups, the match, reasons.

use std::cmp::Reverse;

use serde_json::{Value, json};

use super::network::{Evidence, Network};
use super::path::WarmPath;
use super::request::Params;
use super::rules::Mistake;
use super::show::{Fields, company, timestamp};
use super::warm_paths::{Asked, Targets};

/// Maximum number of alternatives listed.
const ALTERNATIVES: usize = 5;
/// Maximum entries of evidence of one edge.
const EVIDENCE_ENTRIES: usize = 10;

impl Network {
    /// Puts paths that are in the order of their types into that of `sort=warmness`.
    pub(crate) fn sort_by_warmness(&self, paths: &mut [WarmPath<'_>]) {
        if self.rules.make(Mistake::WarmnessThenLastLeg) {
            let last = |path: &WarmPath<'_>| self.leg_score(path.legs[path.legs.len() - 1]);
            paths.sort_by_cached_key(|path| (Reverse(self.product(&path.legs)), Reverse(last(path))));
            return;
        }
        // Ties keep the order of types, and within a type that of the other keys.
        paths.sort_by_cached_key(|path| Reverse(self.product(&path.legs)));
    }

    /// The first path of each connector or target, in order, with the number of those behind it.
    pub(crate) fn first_of_each_group(
        &self,
        paths: &[WarmPath<'_>],
        by: &str,
        [with_target, with_evidence]: [bool; 2],
    ) -> Vec<Value> {
        let groups: Vec<&str> =
            paths.iter().map(|path| if by == "connector" { path.connector } else { path.target }).collect();
        let mut shown = Vec::new();
        for (place, path) in paths.iter().enumerate() {
            if groups[..place].contains(&groups[place]) {
                continue;
            }
            let all = groups.iter().filter(|other| **other == groups[place]).count();
            let others = if self.rules.make(Mistake::AlternativesCountTheFirst) { all } else { all - 1 };
            let mut entry = self.show_path(path, with_target, with_evidence);
            entry["alternatives"] = others.into();
            shown.push(entry);
        }
        shown
    }

    /// The evidence of the edge between two people, the newest ten; empty if there is none.
    pub(crate) fn shown_evidence(&self, from: &str, to: &str) -> Option<Value> {
        let mut entries = self.evidence.get(&(from.to_owned(), to.to_owned()))?.clone();
        entries.sort_by_key(|it| {
            let texts = [Some(it.kind.clone()), it.source.clone(), it.note.clone()];
            (Reverse(it.at), texts.map(Option::unwrap_or_default))
        });
        if self.rules.make(Mistake::OldestEvidenceFirst) {
            entries.reverse();
        }
        if !self.rules.make(Mistake::AllEvidenceShown) {
            entries.truncate(EVIDENCE_ENTRIES);
        }
        let show = |it: &Evidence| {
            let fields = Fields::new().put("kind", it.kind.clone()).put("at", timestamp(it.at));
            fields.maybe("source", it.source.clone()).maybe("note", it.note.clone()).done()
        };
        Some(entries.iter().map(show).collect())
    }

    /// `data.match`.
    pub(crate) fn shown_match(&self, params: &Params, by_company: bool) -> Value {
        let (by, all): (_, Vec<Value>) = if by_company {
            let alike = self.companies_meant(params);
            (alike.by, alike.people.into_iter().map(|it| company(it).done()).collect())
        } else {
            let alike = self.people_meant(params);
            (alike.by, alike.people.into_iter().map(|it| self.person_with_handle(it).done()).collect())
        };
        shown_match(by, all)
    }

    /// `data.reasons`; the wording of messages is free. Of `[none, only_excluded, capped]`: there is no path; there would be
    /// one with all types; `coverage.capped`.
    pub(crate) fn reasons(
        &self,
        targets: &Targets<'_>,
        asked: &Asked<'_>,
        [none, only_excluded, capped]: [bool; 3],
    ) -> Value {
        let unknown = targets.prospect.is_null() && targets.company.is_null();
        let is_member = !targets.prospect.is_null()
            && targets.people.iter().any(|person| self.member_of_person(&person.id).is_some());
        let at_company = !targets.company.is_null();
        let searched = !targets.people.is_empty() && !asked.from.is_empty() && none;
        let never_tried = self.rules.make(Mistake::ExcludedTypesNotTried);
        let codes = [
            (unknown, "target_unknown"),
            (is_member && !self.rules.make(Mistake::MembersAreNoReason), "target_is_member"),
            (asked.from.is_empty(), "from_set_empty"),
            (at_company && targets.open == 0 && targets.withheld == 0, "no_candidates"),
            (at_company && targets.open == 0 && targets.withheld > 0, "all_withheld"),
            (searched && only_excluded && !never_tried, "only_excluded_types"),
            (searched && (!only_excluded || never_tried), "no_edge_near"),
            (capped, "bounds_hit"),
        ];
        codes
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, code)| json!({ "code": code, "message": "" }))
            .collect()
    }
}

/// The match of those who match alike, the one found first.
pub(crate) fn shown_match(by: Option<&str>, all: Vec<Value>) -> Value {
    let others: Vec<Value> = all.into_iter().skip(1).collect();
    let count = others.len();
    let first: Vec<Value> = others.into_iter().take(ALTERNATIVES).collect();
    Fields::new().maybe("by", by).put("alternatives", first).put("others", count).done()
}
