//! Which column of a file is what, if the manifest says so; and lists of edges, which are read that way alone.

use std::fmt;

use crate::interaction::Party;
use kith::model::named::named;

/// The columns of one file, by their headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMapping {
    /// What a column is, and its header as the file has it, whatever its case. Several headers may be one thing.
    pub columns: Vec<(MappedColumn, String)>,
}

/// The meaning of a mapped column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MappedColumn {
    /// The whole name.
    Name,
    /// The given name.
    First,
    /// The name between.
    Middle,
    /// The family name.
    Last,
    /// An e-mail address, or several.
    Email,
    /// The company.
    Company,
    /// The position there.
    Position,
    /// The address of the profile.
    Url,
    /// The day of the connection.
    Connected,
    /// Who of the organization knows the person: a name or an address.
    Owner,
    /// Labels that the owner gave the person.
    Labels,
    /// When the person began at the company or the school.
    Started,
    /// When they left it.
    Finished,
    /// A school.
    School,
    /// Of a list of edges, who knows: a name, an address, or the address of a profile.
    From,
    /// Of a list of edges, who is known.
    To,
    /// Of a list of edges, how well: a number.
    Weight,
}

named! {
    /// All of them.
    MappedColumn as key {
        Name = "name",
        First = "first",
        Middle = "middle",
        Last = "last",
        Email = "email",
        Company = "company",
        Position = "position",
        Url = "url",
        Connected = "connected",
        Owner = "owner",
        Labels = "labels",
        Started = "started",
        Finished = "finished",
        School = "school",
        From = "from",
        To = "to",
        Weight = "weight",
    }
}

/// A row of a list of edges.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedTie {
    /// The person at the start of the edge.
    pub from: Party,
    /// The person at the end of the edge.
    pub to: Party,
    /// How well, in the file's own scale: not below 0. `None` if the row has no weight.
    pub weight: Option<f64>,
}

impl ColumnMapping {
    /// Whether the file is a list of edges.
    #[must_use]
    pub fn is_edges(&self) -> bool {
        self.columns.iter().any(|(column, _)| matches!(column, MappedColumn::From | MappedColumn::To))
    }
}

impl fmt::Display for MappedColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}
