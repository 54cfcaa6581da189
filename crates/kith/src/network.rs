//! The engine behind one type, for programs that embed it: open a snapshot, then ask.

use std::path::Path;

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::text::plain;
use crate::query::company_search::{self, CompanyMatch};
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::found::PathPage;
use crate::query::paths::request::{GroupBy, PathRequest, PathSort, PathType, TargetQuery};
use crate::query::people_search::{self, PersonMatch};
use crate::query::person::{self, Degree, PersonProfile};
use crate::snapshot::{SnapshotError, read};

/// One organization's network, in memory. Immutable: threads can share it without a lock.
#[derive(Debug)]
pub struct Network {
    index: GraphIndex,
    limits: Limits,
}

impl Network {
    /// Reads the snapshot at `path`, checks every checksum and reference, and builds its index on all cores.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a sound snapshot.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SnapshotError> {
        let index = GraphIndex::build(read::load(path.as_ref())?.dataset);
        Ok(Self { index, limits: Limits::DEFAULT })
    }

    /// The same network with other bounds on the work of a question.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The index, for the questions of [`crate::query`] without a method here.
    #[must_use]
    pub fn index(&self) -> &GraphIndex {
        &self.index
    }

    /// Asks for the warm paths to `target`; by default the first 20, from every member and of every type.
    #[must_use]
    pub fn paths<'n>(&'n self, target: TargetQuery<'n>) -> Paths<'n> {
        Paths { network: self, request: PathRequest::to(target, Page { limit: 20, offset: 0 }) }
    }

    /// The person with this id, or `None` if nobody of first or second degree has it.
    #[must_use]
    pub fn person(&self, id: &str) -> Option<PersonProfile<'_>> {
        person::find(&self.index, id)
    }

    /// At most `limit` people of first or second degree whose name, e-mail address, position or company contains
    /// `text`; first degree first, then warmest first.
    #[must_use]
    pub fn people(&self, text: &str, limit: usize) -> Vec<PersonMatch<'_>> {
        people_search::find(&self.index, &plain(text), limit, Degree::Second)
    }

    /// A page of the companies whose name, industry or headquarters contains `text`, best match first, and the total
    /// number of matches.
    #[must_use]
    pub fn companies(&self, text: &str, page: Page) -> (Vec<CompanyMatch<'_>>, u64) {
        company_search::find(&self.index, &plain(text), page)
    }
}

/// A builder of a question for warm paths.
#[derive(Clone, Debug)]
pub struct Paths<'n> {
    network: &'n Network,
    request: PathRequest<'n>,
}

impl<'n> Paths<'n> {
    /// Restricts paths to those that start at the members with these `user_…` ids; unknown ids are ignored.
    #[must_use]
    pub fn from_members<'a>(mut self, user_ids: impl IntoIterator<Item = &'a str>) -> Self {
        let members = user_ids.into_iter().filter_map(|id| self.network.index.find_user(id));
        self.request.from = Some(members.collect());
        self
    }

    /// Restricts paths to these types.
    #[must_use]
    pub fn of_types(mut self, types: impl IntoIterator<Item = PathType>) -> Self {
        self.request.types = types.into_iter().collect();
        self
    }

    /// Orders the paths.
    #[must_use]
    pub fn sorted(mut self, by: PathSort) -> Self {
        self.request.sort = by;
        self
    }

    /// Keeps only the first path of each connector or target.
    #[must_use]
    pub fn grouped(mut self, by: GroupBy) -> Self {
        self.request.group_by = Some(by);
        self
    }

    /// Asks for a page other than the first 20 paths.
    #[must_use]
    pub fn page(mut self, page: Page) -> Self {
        self.request.page = page;
        self
    }

    /// Finds the paths. Costs the same as [`paths::find`].
    #[must_use]
    pub fn list(&self) -> PathPage<'n> {
        paths::list(&self.network.index, &self.request, &self.network.limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots/tiny.kith");

    #[test]
    fn a_network_answers_what_its_questions_answer() {
        let network = Network::open(TINY).unwrap();
        let of = |paths: Paths<'_>| {
            let found = paths.list();
            let row = |path: &crate::query::paths::found::FoundPath<'_>| {
                format!("{} {}", path.from.id, path.warmness)
            };
            found.paths.iter().map(row).collect::<Vec<_>>()
        };
        let everything = of(network.paths(TargetQuery::Name("Pia")));
        let request = PathRequest::to(TargetQuery::Name("Pia"), Page { limit: 20, offset: 0 });
        let expected = paths::list(network.index(), &request, &Limits::DEFAULT);
        assert_eq!(everything.len(), expected.paths.len());
        assert!(everything.len() > 1, "{everything:?}");
        let of_ana = of(network.paths(TargetQuery::Name("Pia")).from_members(["user_ana", "user_nobody"]));
        let expected: Vec<_> =
            everything.iter().filter(|row| row.starts_with("user_ana ")).cloned().collect();
        assert_eq!(of_ana, expected);
        let direct = of(network.paths(TargetQuery::Name("Pia")).of_types([PathType::Direct]));
        assert!(direct.len() < everything.len());
        assert!(network.paths(TargetQuery::Name("nobody at all")).list().target.is_none());
        assert_eq!(network.people("ivy", 5).len(), 1);
        assert!(network.person("person_ivy").is_some() && network.person("person_nobody").is_none());
        assert_eq!(network.companies("copper mill", Page { limit: 5, offset: 0 }).1, 1);
        assert!(Network::open("no such file.kith").is_err());
    }
}
