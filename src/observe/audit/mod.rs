//! The audit log: making, revoking and using credentials, reload requests, and changes of the list of people to forget.
//!
//! These are log lines with a target of their own, `kith::audit` in `KITH_LOG`, which stays on at any level. Each names
//! its event in the field `audit`; the rest are ids, numbers and times: no secrets, no names, no people of a network.

use std::net::SocketAddr;

pub mod look_ups;

/// The target of all lines here.
pub const TARGET: &str = "kith_server::audit";

/// Who requested a reload; nobody requests the first one, at the start of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReloadRequester {
    /// A peer of the operator's listener, with its address if known.
    Operator(Option<SocketAddr>),
    /// SIGHUP.
    Hangup,
    /// The watch on the folder of snapshots.
    Watch,
    /// The page of `kith open`, to which an export was added.
    Page,
}

/// A credential that was made or revoked, as recorded in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CredentialChange {
    /// `key.created`, `key.revoked`, `token.created` or `token.revoked`.
    pub(crate) event: String,
    /// The credential's id.
    pub(crate) credential: String,
    /// The organization of the credential.
    pub(crate) organization: String,
    /// The user of the operating system who did it.
    pub(crate) by_uid: Option<u32>,
    /// When, in RFC 3339.
    pub(crate) at: String,
}

impl ReloadRequester {
    fn name(self) -> &'static str {
        match self {
            Self::Operator(_) => "operator",
            Self::Hangup => "SIGHUP",
            Self::Watch => "watch",
            Self::Page => "page",
        }
    }
}

/// Logs that a credential was made or revoked.
pub(crate) fn credential_changed(change: &CredentialChange) {
    let CredentialChange { event, credential, organization, by_uid, at } = change;
    tracing::info!(target: TARGET, audit = event, credential, organization, by_uid, at, "a credential changed");
}

/// Logs that the credential `id` was accepted, most recently at `at`.
pub(crate) fn credential_used(id: &str, at: &str) {
    tracing::info!(target: TARGET, audit = "credential.used", credential = id, at, "a credential was used");
}

/// A written event of an ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AskWrite<'a> {
    pub(crate) organization: &'a str,
    pub(crate) ask: &'a str,
    pub(crate) event: &'a str,
    /// The kind of the event.
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

/// A change of what a colleague brings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExportsChange<'a> {
    /// What happened: `export.link_made`, `export.link_revoked`, `export.brought`, `export.removed`, `export.left_out`,
    /// `export.part_left`.
    pub(crate) event: &'a str,
    /// The organization.
    pub(crate) organization: &'a str,
    /// The part.
    pub(crate) part: &'a str,
    /// The file, if it is about one.
    pub(crate) file: Option<&'a str>,
    /// The user id of the admin who did it, or `link`.
    pub(crate) by: &'a str,
}

/// Logs a change of what a colleague brings.
pub(crate) fn exports_changed(change: &ExportsChange<'_>) {
    let ExportsChange { event, organization, part, file, by } = *change;
    tracing::info!(target: TARGET, audit = event, organization, part, file, by, "what a colleague brings changed");
}

/// Logs that `peer` of the operator's listener asks to create or revoke a credential of the kind `kind`, as `what` says. The
/// change itself is logged too.
pub(crate) fn credential_requested(what: &str, kind: &str, peer: Option<SocketAddr>) {
    let peer = peer.map(tracing::field::display);
    tracing::info!(target: TARGET, audit = "credential.requested", what, kind, peer, "a change of a credential was asked for");
}

/// Logs that `by` requests a reload.
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

/// Logs that a list of people to forget with this many entries was taken up.
pub(crate) fn list_taken_up(entries: usize) {
    tracing::info!(target: TARGET, audit = "suppressions.taken_up", entries, "a suppression list was taken up");
}

/// Logs that the member `by` added so many people of `organization` to the list of people to forget.
pub(crate) fn people_forgotten(organization: &str, people: usize, by: &str) {
    tracing::info!(target: TARGET, audit = "people.forgotten", organization, people, by, "people were forgotten");
}

/// Logs how many entries of `organization` were added and removed in the list taken up.
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
