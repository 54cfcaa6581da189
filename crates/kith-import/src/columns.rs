//! Column mappings in the manifest; and lists of edges, which need one.

use std::fmt;

use crate::interaction::Party;
use kith::model::named::named;

/// The columns of one file, by their headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMapping {
    /// The meaning of each column, by its header in the file, ignoring case. Several headers may have the same meaning.
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
    /// One or more e-mail addresses.
    Email,
    /// The company.
    Company,
    /// The position there.
    Position,
    /// The address of the profile.
    Url,
    /// The day of the connection.
    Connected,
    /// The person in the organization who knows the contact: a name or an address.
    Owner,
    /// Labels that the owner gave the person.
    Labels,
    /// When the person began at the company or the school.
    Started,
    /// When they left it.
    Finished,
    /// A school.
    School,
    /// In a list of edges, the person who knows the other: a name, an address, or a profile's URL.
    From,
    /// In a list of edges, the person who is known.
    To,
    /// In a list of edges, the strength: a number.
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
    /// The strength on the file's own scale, 0 or more; `None` if the row has no weight.
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
