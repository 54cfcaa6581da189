//! Rows of a lake's table: which of them are kept, and what becomes of those.

use std::marker::PhantomData;

use crate::source::cut::marks::Mask;
use crate::source::error::TableFault;
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional};
use crate::source::rows::Table;
use crate::source::tables::advocates::AdvocateTable;
use crate::source::tables::companies::CompanyTable;
use crate::source::tables::connections::ConnectionTable;
use crate::source::tables::evidence::EvidenceTable;
use crate::source::tables::intro_requests::IntroTable;
use crate::source::tables::members::MemberTable;
use crate::source::tables::opportunities::OpportunityTable;
use crate::source::tables::organization::OrganizationRow;
use crate::source::tables::people::PersonTable;
use crate::source::tables::person_aliases::AliasTable;

/// A table of a lake.
pub(crate) trait LakeTable<const N: usize> {
    /// Its name.
    const NAME: &'static str;
    /// Its columns: those of the source table, and behind them the lake's own.
    const FIELDS: [TableColumn; N];
}

/// The organization that a row belongs to.
const ORG: TableColumn = optional("org");
/// The one organization that may see an edge; all may if it has no value.
const VISIBLE_TO: TableColumn = optional("visibleTo");

/// `columns`, and `last` behind them.
const fn and<const N: usize, const M: usize>(
    columns: [TableColumn; N],
    last: TableColumn,
) -> [TableColumn; M] {
    let mut all = [last; M];
    let mut place = 0;
    while place < N {
        all[place] = columns[place];
        place += 1;
    }
    all
}

macro_rules! lake_tables {
    ($($(#[$doc:meta])* $table:ident $count:literal $name:literal $fields:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $table;

        impl LakeTable<$count> for $table {
            const NAME: &'static str = $name;
            const FIELDS: [TableColumn; $count] = $fields;
        }
    )*};
}

lake_tables! {
    /// The organizations of the lake.
    LakeOrganizations 3 "organizations" OrganizationRow::COLUMNS;
    /// Members of all organizations.
    LakeMembers 6 "members" and(MemberTable::COLUMNS, ORG);
    /// Advocates of all organizations.
    LakeAdvocates 5 "advocates" and(AdvocateTable::COLUMNS, ORG);
    /// Intro requests of all organizations.
    LakeIntroRequests 5 "intro_requests" and(IntroTable::COLUMNS, ORG);
    /// Opportunities of all organizations.
    LakeOpportunities 14 "ghost_opportunities" and(OpportunityTable::COLUMNS, ORG);
    /// All edges.
    LakeConnections 5 "connections" and(ConnectionTable::COLUMNS, VISIBLE_TO);
    /// The evidence of all edges.
    LakeEvidence 7 "evidence" and(EvidenceTable::COLUMNS, VISIBLE_TO);
    /// All people.
    LakePeople 9 "people" PersonTable::COLUMNS;
    /// Other handles and addresses of all people.
    LakeAliases 3 "person_aliases" AliasTable::COLUMNS;
    /// All companies.
    LakeCompanies 9 "companies" CompanyTable::COLUMNS;
}

/// Reads a table: `keep` says what is kept of a row, on any thread, and `take` gets it, in the order of the file.
pub(crate) struct Sieve<L, K, F, T> {
    keep: F,
    take: T,
    kinds: PhantomData<fn() -> (L, K)>,
}

impl<L, K, F, T> Sieve<L, K, F, T> {
    /// A sieve of these two.
    pub(crate) fn new(keep: F, take: T) -> Self {
        Self { keep, take, kinds: PhantomData }
    }
}

impl<const N: usize, L, K, F, T> Table<N> for Sieve<L, K, F, T>
where
    L: LakeTable<N>,
    K: Send,
    F: Fn(&[NamedCell<'_>; N]) -> Result<Option<K>, TableFault> + Sync,
    T: FnMut(K) -> Result<(), TableFault> + Sync,
{
    const COLUMNS: [TableColumn; N] = L::FIELDS;
    type Part = Vec<K>;

    fn read(&self, row: [NamedCell<'_>; N], _line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        part.extend((self.keep)(&row)?);
        Ok(())
    }

    fn take(&mut self, part: Self::Part, _faults: &mut RowFaults) -> Result<(), TableFault> {
        part.into_iter().try_for_each(|kept| (self.take)(kept))
    }
}

/// What `kept` returns if the row matters to an organization of `mask`.
///
/// # Errors
/// As `kept`.
pub(crate) fn when<K>(
    mask: Mask,
    kept: impl FnOnce() -> Result<K, TableFault>,
) -> Result<Option<K>, TableFault> {
    if mask == 0 { Ok(None) } else { kept().map(Some) }
}
