//! Why a network is not put in service.

use crate::graph::self_check::SelfCheckError;
use crate::snapshot::error::SnapshotError;

/// Why a snapshot, or a network rebuilt from memory, is not put in service.
///
/// Its text is the reason in a reload's report, beside the file and the organization.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RefusedNetwork {
    /// The snapshot cannot be read, or its content is not sound.
    #[error("{0}")]
    Snapshot(SnapshotError),
    /// The answers of the index do not match the dataset.
    #[error("{0}")]
    SelfCheck(SelfCheckError),
    /// This many people to forget are still in it.
    #[error("{0} people are in it who are to be forgotten; report this fault of the program")]
    StillNamed(usize),
    /// The network must be read again, but its file is now another snapshot.
    #[error("another file is in its place: it is taken up by a reload")]
    FileReplaced,
    /// There is not enough memory to load it beside the networks in service.
    #[error(
        "{file} may take {needed} MiB of memory to load and {left} MiB are left ({bound}): it was not read, and what \
         is in service stays; raise that bound and reload, or serve this organization from a process of its own"
    )]
    NoMemory {
        /// The file.
        file: String,
        /// Memory it may take, in MiB.
        needed: u64,
        /// Memory left, in MiB.
        left: u64,
        /// The bound on memory.
        bound: &'static str,
    },
    /// It would take more than half of the budget for the networks in memory.
    #[error(
        "{file} takes {needed} MiB in memory and one organization may take {most} MiB, half of live.budget_bytes: raise \
         it and reload, or serve this organization from a process of its own"
    )]
    OverBudget {
        /// The file.
        file: String,
        /// Memory it takes, in MiB.
        needed: u64,
        /// Maximum memory it may take, in MiB.
        most: u64,
    },
    /// The maximum number of open snapshots is already in service.
    #[error(
        "{file} is one too many: with live.budget_bytes the file of each snapshot stays open, and {most} may, a quarter \
         of the open files allowed; raise that limit (LimitNOFILE) and start again"
    )]
    TooManySnapshots {
        /// The file.
        file: String,
        /// Maximum number of snapshots in service.
        most: usize,
    },
    /// Another file in the folder has a network of the same organization.
    #[error("{organization} is already served from {file}: keep one snapshot for each organization")]
    AlreadyServed {
        /// The organization of both.
        organization: String,
        /// The file that is served.
        file: String,
    },
    /// Another file in the folder has a network of the same organization, and neither is in service.
    #[error(
        "{organization} is in {file} too and in service from neither, so neither is served: keep one snapshot for each \
         organization and reload"
    )]
    Contested {
        /// The organization of both.
        organization: String,
        /// The other file.
        file: String,
    },
}

impl From<SnapshotError> for RefusedNetwork {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}

impl From<SelfCheckError> for RefusedNetwork {
    fn from(error: SelfCheckError) -> Self {
        Self::SelfCheck(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operators read these texts in logs and in the answer to a reload.
    #[test]
    fn each_refusal_has_its_text() {
        let (organization, file) = ("org_a".to_owned(), "a.kith".to_owned());
        for (refusal, text) in [
            (RefusedNetwork::from(SnapshotError::NotAFile), SnapshotError::NotAFile.to_string()),
            (
                RefusedNetwork::StillNamed(3),
                "3 people are in it who are to be forgotten; report this fault of the program".to_owned(),
            ),
            (
                RefusedNetwork::FileReplaced,
                "another file is in its place: it is taken up by a reload".to_owned(),
            ),
            (
                RefusedNetwork::NoMemory { file: file.clone(), needed: 40, left: 12, bound: "the bound" },
                "a.kith may take 40 MiB of memory to load and 12 MiB are left (the bound): it was not read, and \
                 what is in service stays; raise that bound and reload, or serve this organization from a process \
                 of its own"
                    .to_owned(),
            ),
            (
                RefusedNetwork::OverBudget { file: file.clone(), needed: 3, most: 2 },
                "a.kith takes 3 MiB in memory and one organization may take 2 MiB, half of live.budget_bytes: raise it \
                 and reload, or serve this organization from a process of its own"
                    .to_owned(),
            ),
            (
                RefusedNetwork::TooManySnapshots { file: file.clone(), most: 256 },
                "a.kith is one too many: with live.budget_bytes the file of each snapshot stays open, and 256 may, a \
                 quarter of the open files allowed; raise that limit (LimitNOFILE) and start again"
                    .to_owned(),
            ),
            (
                RefusedNetwork::AlreadyServed { organization, file },
                "org_a is already served from a.kith: keep one snapshot for each organization".to_owned(),
            ),
        ] {
            assert_eq!(refusal.to_string(), text);
        }
    }
}
