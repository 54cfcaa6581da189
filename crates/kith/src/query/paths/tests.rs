//! The rules of `docs/paths.md`, one test each; a test below checks that the page names them all.
//!
//! `path_types` tests who may be where on a path, and scores; `order` the order of paths and pages; `bounds` the cuts,
//! and company mode; `briefs` what a walk skips; `counted` what it counts unread; `work` how many edges it reads;
//! `targets` who is meant.

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod briefs;
#[cfg(test)]
mod counted;
#[cfg(test)]
mod order;
#[cfg(test)]
mod path_types;
#[cfg(test)]
mod targets;
#[cfg(test)]
mod work;

use super::*;
use crate::model::text::plain;
use crate::query::page::Page;
use crate::query::paths::request::PathExtras;
use crate::query::paths::request::PathType::{self, *};
use crate::query::paths::request::{GroupBy, PathSort, TargetQuery};
use crate::sketch::Net;

/// A request; anything a test does not set is unrestricted.
#[derive(Clone, Copy)]
struct Ask<'a> {
    target: TargetQuery<'a>,
    position: Option<&'a str>,
    from: Option<&'a [&'a str]>,
    types: &'a [PathType],
    include_intro_requested: bool,
    sort: PathSort,
    group_by: Option<GroupBy>,
    limits: Limits,
    page: Page,
}

/// Asks for every path to `person`.
fn to(person: &str) -> Ask<'_> {
    ask(TargetQuery::Handle(person))
}

/// Asks for every path to anyone at `company`.
fn to_anyone_at(company: &str) -> Ask<'_> {
    ask(TargetQuery::Company(company))
}

fn ask(target: TargetQuery<'_>) -> Ask<'_> {
    Ask {
        target,
        position: None,
        from: None,
        types: &PathType::ALL,
        include_intro_requested: false,
        sort: PathSort::Tier,
        group_by: None,
        limits: WIDE,
        page: Page { limit: 50, offset: 0 },
    }
}

/// Bounds that no test reaches unless it sets them.
const WIDE: Limits = Limits::DEFAULT;

impl<'a> Ask<'a> {
    /// Paths only from these members.
    fn from(self, members: &'a [&'a str]) -> Self {
        Self { from: Some(members), ..self }
    }

    /// At a company, only employees whose position contains `text`.
    fn position(self, text: &'a str) -> Self {
        Self { position: Some(text), ..self }
    }

    fn types(self, types: &'a [PathType]) -> Self {
        Self { types, ..self }
    }

    fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    fn page(self, limit: u32, offset: u64) -> Self {
        Self { page: Page { limit, offset }, ..self }
    }

    fn answer(&self, net: &Net) -> PathAnswer {
        let members = |names: &[&str]| names.iter().map(|name| net.member(name)).collect::<Vec<_>>();
        let request = PathRequest {
            target: self.target,
            position: self.position.map(plain),
            from: self.from.map(members),
            types: self.types.iter().copied().collect::<PathTypes>(),
            include_intro_requested: self.include_intro_requested,
            sort: self.sort,
            group_by: self.group_by,
            extras: PathExtras::ALL,
            page: self.page,
        };
        find(net, &request, &self.limits)
    }

    /// The paths of the page, one per line: `ann > bob > cay [second_degree] 64`.
    fn paths(&self, net: &Net) -> Vec<String> {
        self.answer(net).paths.iter().map(|path| line(net, path)).collect()
    }

    /// Whether a bound left an edge out.
    fn is_capped(&self, net: &Net) -> bool {
        self.answer(net).coverage.second_degree_capped
    }
}

/// `member > advocate > connector > target [type] warmness`, as far as the path has them.
fn line(net: &Net, path: &WarmPath) -> String {
    let connector = (path.kind != Direct).then_some(path.connector);
    let others = path.via.map(|via| via.person).into_iter().chain(connector).chain([path.target]);
    let people: Vec<&str> =
        [net.member_name(path.member)].into_iter().chain(others.map(|person| net.name(person))).collect();
    format!("{} [{}] {}", people.join(" > "), path.kind.name(), path.warmness)
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

#[test]
fn the_page_of_rules_names_each_test_once() {
    let texts = [
        include_str!("tests/path_types.rs"),
        include_str!("tests/order.rs"),
        include_str!("tests/bounds.rs"),
        include_str!("tests/targets.rs"),
        include_str!("written/tests.rs"),
    ];
    let name = |rest: &'static str| rest.split('(').next();
    let mut tests: Vec<&str> =
        texts.iter().flat_map(|text| text.split("#[test]\nfn ").skip(1).filter_map(name)).collect();
    // Of everything the page quotes, only test names are sentences.
    let quoted = include_str!("../../../../../docs/paths.md").split('`').skip(1).step_by(2);
    let mut named: Vec<&str> = quoted.filter(|quoted| quoted.matches('_').count() > 2).collect();
    tests.sort_unstable();
    named.sort_unstable();
    assert!(tests.len() > 20, "{tests:?}");
    assert_eq!(named, tests);
}
