//! The audit log: who made, revoked or used which credential, who asked for a reload, and what became of the list of
//! people to forget.
//!
//! These are lines of the log with a target of their own, `kith::audit` in `KITH_LOG`, which stays on whatever the level is.
//! Each names its event in the field `audit`; the rest are ids, numbers and times: no secret, no name, nobody of
//! a network.

use std::net::SocketAddr;

pub mod look_ups;

/// The target of all lines here.
pub const TARGET: &str = "kith_server::audit";

/// Who asked for a reload; the first one, at the start of a server, nobody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReloadRequester {
    /// A peer of the operator's listener; `None` if its address is not known.
    Operator(Option<SocketAddr>),
    /// SIGHUP.
    Hangup,
    /// The watch on the folder of snapshots.
    Watch,
}

/// A credential that was made or revoked, as the store recorded it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CredentialChange {
    /// `key.created`, `key.revoked`, `token.created` or `token.revoked`.
    pub(crate) event: String,
    /// The credential's id.
    pub(crate) credential: String,
    /// The organization it reads.
    pub(crate) organization: String,
    /// The user of the operating system who did it.
    pub(crate) by_uid: u32,
    /// When, in RFC 3339.
    pub(crate) at: String,
}

impl ReloadRequester {
    fn name(self) -> &'static str {
        match self {
            Self::Operator(_) => "operator",
            Self::Hangup => "SIGHUP",
            Self::Watch => "watch",
        }
    }
}

/// Logs that a credential was made or revoked.
pub(crate) fn credential_changed(change: &CredentialChange) {
    let CredentialChange { event, credential, organization, by_uid, at } = change;
    tracing::info!(target: TARGET, audit = event, credential, organization, by_uid, at, "a credential changed");
}

/// Logs that the credential `id` was let in, last `at` that time.
pub(crate) fn credential_used(id: &str, at: &str) {
    tracing::info!(target: TARGET, audit = "credential.used", credential = id, at, "a credential was used");
}

/// An event of an ask that was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AskWrite<'a> {
    /// The organization.
    pub(crate) organization: &'a str,
    /// The ask.
    pub(crate) ask: &'a str,
    /// The event.
    pub(crate) event: &'a str,
    /// What happened.
    pub(crate) kind: &'a str,
    /// The user id of the member who wrote it, or `connector`.
    pub(crate) by: &'a str,
    /// Whether a preference was overridden.
    pub(crate) is_overriding: bool,
}

/// Logs that an event of an ask was written.
pub(crate) fn ask_written(write: &AskWrite<'_>) {
    let AskWrite { organization, ask, event, kind, by, is_overriding } = *write;
    tracing::info!(
        target: TARGET,
        audit = "ask.written",
        organization,
        ask,
        event,
        kind,
        by,
        overrides = is_overriding,
        "an event of an ask was written"
    );
}

/// Logs that `peer` of the operator's listener asks to create or revoke a credential of the kind `kind`, as `what` says. The
/// change itself is logged too.
pub(crate) fn credential_requested(what: &str, kind: &str, peer: Option<SocketAddr>) {
    let peer = peer.map(tracing::field::display);
    tracing::info!(target: TARGET, audit = "credential.requested", what, kind, peer, "a change of a credential was asked for");
}

/// Logs that `by` asks for a reload.
pub(crate) fn reload_requested(by: ReloadRequester) {
    let peer = match by {
        ReloadRequester::Operator(peer) => peer.map(tracing::field::display),
        _ => None,
    };
    tracing::info!(target: TARGET, audit = "reload.requested", by = by.name(), peer, "a reload was asked for");
}

/// Logs that other networks are in service, because of `cause`.
pub(crate) fn networks_changed(cause: &str, generation_before: u64, generation_after: u64) {
    tracing::info!(
        target: TARGET,
        audit = "networks.changed",
        cause,
        generation_before,
        generation_after,
        "other networks are in service"
    );
}

/// Logs that a list of people to forget with so many entries was taken up.
pub(crate) fn list_taken_up(entries: usize) {
    tracing::info!(target: TARGET, audit = "suppressions.taken_up", entries, "a suppression list was taken up");
}

/// Logs that the member `by` put so many people of `organization` on the list of people to forget.
pub(crate) fn people_forgotten(organization: &str, people: usize, by: &str) {
    tracing::info!(target: TARGET, audit = "people.forgotten", organization, people, by, "people were forgotten");
}

/// Logs how many entries of `organization` the list taken up has that the one before had not, and the reverse.
pub(crate) fn suppressions_changed(organization: &str, added: usize, removed: usize) {
    tracing::info!(
        target: TARGET,
        audit = "suppressions.changed",
        organization,
        added,
        removed,
        "people to forget changed"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_the_path_of_this_module() {
        assert_eq!(Some(TARGET), module_path!().strip_suffix("::tests"));
    }
}
