//! The faults of a folder: the first ones in full, the others counted.

use std::fmt;

use crate::limits::SOURCE_FAULTS_MAX;
use crate::source::error::{Reason, SourceError, TableFault};
use crate::source::folder::TableFile;
use crate::source::ignored::{IgnoredFiles, UnknownField};

/// Why a folder of source tables cannot be built. Displays as a line for each fault.
#[derive(Debug)]
pub struct SourceFaults {
    /// The first fault, in the order of the tables and their lines.
    pub first: SourceError,
    /// The faults after it, up to [`SOURCE_FAULTS_MAX`] in total.
    pub others: Vec<SourceError>,
    /// The number of further faults.
    pub more: u64,
    /// Files of the folder that are not tables.
    pub ignored: IgnoredFiles,
    /// Fields that no table has, in the tables that were read.
    pub warnings: Vec<UnknownField>,
}

/// Faults of a folder, in the order of discovery.
#[derive(Debug, Default)]
pub(crate) struct FolderFaults {
    kept: Vec<SourceError>,
    more: u64,
    /// Tables with unread rows.
    broken: Vec<&'static str>,
}

/// Faults of the rows of one table, or of a part of it.
#[derive(Debug, Default)]
pub(crate) struct RowFaults {
    kept: Vec<TableFault>,
    more: u64,
    /// Tables with unread rows; references to missing rows of these tables are not faults.
    broken: Vec<&'static str>,
    /// Whether rows were left out.
    is_short: bool,
}

impl RowFaults {
    /// No faults yet. References to rows of the tables `broken` will not be faults.
    pub(crate) fn new(broken: &[&'static str]) -> Self {
        Self { broken: broken.to_vec(), ..Self::default() }
    }

    /// No faults yet, with the same `broken` tables.
    pub(crate) fn another(&self) -> Self {
        Self::new(&self.broken)
    }

    /// Keeps the fault of the row of line `line`, if any.
    ///
    /// # Errors
    /// Returns the fault if the rows after it cannot be read.
    pub(crate) fn keep(&mut self, line: u64, row: Result<(), TableFault>) -> Result<(), TableFault> {
        match row.map_err(|fault| fault.at(line)) {
            Err(fault) if !fault.reason.ends_reading() => {
                self.push(fault);
                Ok(())
            }
            other => other,
        }
    }

    /// Adds a fault.
    pub(crate) fn push(&mut self, fault: TableFault) {
        self.is_short = true;
        if matches!(&fault.reason, Reason::NoSuchRow { table, .. } if self.broken.contains(table)) {
            return;
        }
        if self.kept.len() < SOURCE_FAULTS_MAX {
            self.kept.push(fault);
        } else {
            self.more += 1;
        }
    }

    /// Adds the faults of the next block: those of single rows, and those in relation to earlier rows.
    pub(crate) fn take_block(&mut self, rows: Self, together: Self) {
        self.more += rows.more + together.more;
        self.is_short |= rows.is_short || together.is_short;
        let mut kept: Vec<TableFault> = rows.kept.into_iter().chain(together.kept).collect();
        kept.sort_by_key(|fault| fault.line);
        kept.into_iter().for_each(|fault| self.push(fault));
    }
}

impl FolderFaults {
    /// Adds one fault.
    pub(crate) fn push(&mut self, fault: SourceError) {
        if self.kept.len() < SOURCE_FAULTS_MAX {
            self.kept.push(fault);
        } else {
            self.more += 1;
        }
    }

    /// Adds the faults of the table in `file`.
    pub(crate) fn take_table(&mut self, file: &TableFile, faults: RowFaults) {
        if faults.is_short {
            self.broken.push(file.table);
        }
        self.more += faults.more;
        faults.kept.into_iter().for_each(|fault| self.push(file.place(fault)));
    }

    /// Tables with unread rows.
    pub(crate) fn broken(&self) -> &[&'static str] {
        &self.broken
    }

    /// Checks that there is no fault.
    ///
    /// # Errors
    /// Returns the first fault; the others are kept.
    pub(crate) fn check(&mut self) -> Result<(), SourceError> {
        if self.kept.is_empty() { Ok(()) } else { Err(self.kept.remove(0)) }
    }

    /// The error whose first fault is `first`, with the other findings.
    pub(crate) fn after(
        self,
        first: SourceError,
        ignored: IgnoredFiles,
        warnings: Vec<UnknownField>,
    ) -> SourceFaults {
        SourceFaults { first, others: self.kept, more: self.more, ignored, warnings }
    }
}

impl std::error::Error for SourceFaults {}

impl fmt::Display for SourceFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        for fault in &self.others {
            write!(f, "\n{fault}")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\nand {more} more faults"),
        }
    }
}
