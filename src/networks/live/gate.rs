//! The gate: the only way for a request to networks, past the list of people to forget.
//!
//! A gate is complete when it is built: no later setting can leave it open. Code that serves requests holds a gate, not
//! the networks behind it; see [`Gate::pin_for`].
//!
//! Promise: A list that changes again holds up no request that waits already.
//! Control: a request that keeps to the newest list waits for the generation after.

use std::future::pending;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use tokio::select;
use tokio::sync::watch;

use crate::live::by_need::NotLoaded;
use crate::live::leaving::Leaving;
use crate::live::network::LiveNetwork;
use crate::live::networks::{LiveNetworks, Networks};
use crate::live::predecessor::Noting;
use crate::live::reload::Reloader;
use crate::live::slot::Slot;
use crate::suppress::list::SuppressionList;

/// The source of networks for requests. Clones are cheap and share the networks.
#[derive(Clone, Debug)]
pub struct Gate {
    guard: Guard,
}

/// The list to keep to.
#[derive(Clone, Debug)]
enum Guard {
    /// The list of this reloader.
    Reloader(Arc<Reloader>),
    /// An empty list, for ever.
    EmptyList(Arc<LiveNetworks>),
}

impl Gate {
    /// The reloader; `None` if snapshots are not reloaded.
    #[must_use]
    pub fn reloader(&self) -> Option<&Arc<Reloader>> {
        match &self.guard {
            Guard::Reloader(reloader) => Some(reloader),
            _ => None,
        }
    }

    /// A gate to the networks of `reloader`, in keeping with its list.
    #[must_use]
    pub fn keeping_to_list(reloader: Arc<Reloader>) -> Self {
        Self { guard: Guard::Reloader(reloader) }
    }

    fn live(&self) -> &LiveNetworks {
        match &self.guard {
            Guard::Reloader(reloader) => reloader.live(),
            Guard::EmptyList(live) => live,
        }
    }

    /// The file of the list of people to forget, if any.
    #[must_use]
    pub fn list_path(&self) -> Option<&Path> {
        match &self.guard {
            Guard::Reloader(reloader) => Some(reloader.list_path()),
            Guard::EmptyList(_) => None,
        }
    }

    /// Changes whenever another generation is put in service.
    #[must_use]
    pub fn swaps(&self) -> watch::Receiver<u64> {
        self.live().swaps()
    }

    /// The task of computing the changes since a kept generation, and its organization; `None` if there is none to
    /// begin.
    #[must_use]
    pub fn start_noting(&self) -> Option<(String, Noting)> {
        let networks = self.live().pin();
        let kept = networks.predecessors.iter().filter(|(_, kept)| !kept.is_same());
        let mut begun =
            kept.filter_map(|(organization, kept)| Some((organization.clone(), kept.start_noting()?)));
        begun.next()
    }

    /// A gate to `live` for programs without a folder and so without a list, such as tests. Networks that keep to a
    /// non-empty list do not pass it.
    #[must_use]
    pub fn without_list(live: Arc<LiveNetworks>) -> Self {
        Self { guard: Guard::EmptyList(live) }
    }

    /// Returns whether the network of any organization is in service.
    #[must_use]
    pub fn has_networks(&self) -> bool {
        !self.live().pin().by_organization.is_empty()
    }

    /// Returns whether the network of `organization` is in service.
    #[must_use]
    pub fn serves(&self, organization: &str) -> bool {
        self.live().pin().by_organization.contains_key(organization)
    }

    /// The network in `slot`, which [`Self::pin_for`] returned. If it is not in memory, waits until it is loaded, for
    /// [`LOAD_WAIT_MAX`](crate::limits::LOAD_WAIT_MAX) at most.
    ///
    /// # Errors
    /// Returns an error if it is not loaded by then, or cannot be.
    pub async fn network_in(&self, slot: &Arc<Slot>) -> Result<Arc<LiveNetwork>, NotLoaded> {
        let by_need = match &self.guard {
            Guard::Reloader(reloader) => reloader.by_need(),
            Guard::EmptyList(_) => None,
        };
        if let Some(by_need) = by_need {
            by_need.note_use(slot);
        }
        match (slot.network(), by_need) {
            (Some(network), _) => Ok(network),
            (None, Some(by_need)) => by_need.wait_for(slot).await,
            (None, None) => Err(NotLoaded::Failed),
        }
    }

    /// The networks for a request of `organization`, whose own network keeps to the list of people to forget as it is
    /// on disk now, or later. A request calls this once and keeps the generation it got.
    ///
    /// If the list has changed, waits until it is read; if this organization's part of it has changed, also until its
    /// network is rebuilt, at most twice. Costs one look at the metadata of the file. `None` if the list cannot be kept
    /// to.
    pub async fn pin_for(&self, organization: &str) -> Option<Arc<Networks>> {
        let pinned = match &self.guard {
            Guard::Reloader(reloader) => pin_kept(reloader, organization).await,
            Guard::EmptyList(live) => pin_checked(live, &SuppressionList::default(), organization),
        };
        self.log_if_missing(organization, pinned.as_deref());
        pinned
    }

    /// Like [`Self::pin_for`]; but if the network waits only to be rebuilt without more people, returns at once the networks
    /// in service with the people who leave: for a request whose answer is the same without them.
    pub async fn pin_early(&self, organization: &str) -> Option<(Arc<Networks>, Option<Arc<Leaving>>)> {
        let pinned = match &self.guard {
            Guard::Reloader(reloader) => pin_leaving(reloader, organization).await,
            Guard::EmptyList(live) => {
                pin_checked(live, &SuppressionList::default(), organization).map(|networks| (networks, None))
            }
        };
        self.log_if_missing(organization, pinned.as_ref().map(|(networks, _)| &**networks));
        pinned
    }

    fn log_if_missing(&self, organization: &str, pinned: Option<&Networks>) {
        if pinned.is_some_and(|networks| !networks.by_organization.contains_key(organization)) {
            self.live().log_missing(organization);
        }
    }
}

/// Like [`Gate::pin_for`].
async fn pin_kept(reloader: &Arc<Reloader>, organization: &str) -> Option<Arc<Networks>> {
    let list = list_now(reloader).await?;
    if let Some(networks) = pin_checked(reloader.live(), &list, organization) {
        return Some(networks);
    }
    made_again(reloader, &list, organization).await
}

/// The networks once the network of `organization` is rebuilt. A request must keep to `list`, the list that it found,
/// or to a later one, so a constantly changing list cannot hold a request up for ever.
async fn made_again(
    reloader: &Arc<Reloader>,
    list: &SuppressionList,
    organization: &str,
) -> Option<Arc<Networks>> {
    let mut swaps = reloader.live().swaps();
    // It may be under way. Otherwise this begins it, or follows another one, whose networks keep to the list that it
    // reads.
    let mut again = pin!(reloader.keep_to_list().ended());
    loop {
        select! {
            biased;
            ended = &mut again => return ended.ok().map(|_| reloader.live().pin()),
            swapped = swaps.changed() => swapped.ok()?,
        }
        if let Some(networks) = pin_checked(reloader.live(), list, organization) {
            return Some(networks);
        }
    }
}

/// Like [`Gate::pin_early`].
async fn pin_leaving(
    reloader: &Arc<Reloader>,
    organization: &str,
) -> Option<(Arc<Networks>, Option<Arc<Leaving>>)> {
    let list = list_now(reloader).await?;
    if let Some(networks) = pin_checked(reloader.live(), &list, organization) {
        return Some((networks, None));
    }
    let networks = reloader.live().pin();
    let leaving = async {
        match (networks.network_of(organization), list.of(organization)) {
            (Some(network), Some(wanted)) => network.announced(wanted).await,
            _ => pending().await,
        }
    };
    // If they are known already, the network is being rebuilt, and the second branch does not begin.
    select! {
        biased;
        leaving = leaving => Some((Arc::clone(&networks), Some(leaving?))),
        made = made_again(reloader, &list, organization) => Some((made?, None)),
    }
}

/// The list on disk now.
async fn list_now(reloader: &Arc<Reloader>) -> Option<Arc<SuppressionList>> {
    if let Some(list) = reloader.current_list() {
        return Some(list);
    }
    reloader.read_list().await.ok()?;
    Some(reloader.list_in_force())
}

/// The check of each pin for a request; drops the pin if it fails.
fn pin_checked(live: &LiveNetworks, list: &SuppressionList, organization: &str) -> Option<Arc<Networks>> {
    let networks = live.pin();
    networks.keep_to(list, organization).then_some(networks)
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::future::poll_fn;
    use std::path::Path;
    use std::task::Poll;
    use std::time::Duration;

    use super::*;
    use crate::model::time::Timestamp;
    use crate::suppress::entry::EntryKind;
    use crate::suppress::error::ListError;
    use crate::suppress::file;

    const NOW: Timestamp = Timestamp { seconds: 1_700_000_000, nanos: 0 };
    const LISTED: &str = "org_listed";
    const OTHER: &str = "org_other";

    /// Adds a person in [`LISTED`] to the list at `path`, creating it if needed.
    fn write_list(path: &Path, handle: &str) -> Result<(), ListError> {
        file::change_or_create(path, |list| {
            if let Some(entry) = list.entry(LISTED, EntryKind::LinkedinId, handle) {
                list.add(LISTED, entry, NOW);
            }
            Ok::<_, ListError>(())
        })
    }

    fn seventh_generation(suppressed: SuppressionList) -> Arc<LiveNetworks> {
        let suppressed = Arc::new(suppressed);
        Arc::new(LiveNetworks::new(Networks { generation: 7, suppressed, ..Networks::default() }))
    }

    #[tokio::test]
    async fn every_gate_checks_the_list_before_a_request_gets_a_network() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("suppressions.txt");
        let live = seventh_generation(SuppressionList::default());
        let reloader = Reloader::new(folder.path().to_owned(), Arc::clone(&live))?;
        let gate = Gate::keeping_to_list(reloader);
        let pinned = async |gate: &Gate, organization| {
            gate.pin_for(organization).await.map(|networks| networks.generation)
        };
        assert_eq!(pinned(&gate, LISTED).await, Some(7), "there is no list yet");

        // From the start a gate keeps to an existing list, and to each change of it.
        write_list(&path, "pia-weiss")?;
        let list = file::read(&path)?;
        let late = Gate::keeping_to_list(Reloader::new(
            folder.path().to_owned(),
            seventh_generation(SuppressionList::default()),
        )?);
        for gate in [&gate, &late] {
            let before = gate.pin_for(OTHER).await;
            assert!(before.is_some_and(|networks| networks.keep_to(&list, OTHER)));
            let kept = gate.pin_for(LISTED).await;
            assert!(kept.is_some_and(|networks| networks.keep_to(&list, LISTED) && networks.generation == 8));
        }

        // Without a list only networks that keep to one are held back.
        let unlisted = Gate::without_list(seventh_generation(SuppressionList::default()));
        assert_eq!(pinned(&unlisted, LISTED).await, Some(7));
        let unlisted = Gate::without_list(seventh_generation(list));
        assert_eq!((pinned(&unlisted, LISTED).await, pinned(&unlisted, OTHER).await), (None, Some(7)));
        Ok(())
    }

    /// The generation that a request gets by `pin`, if the list changes before it comes and again while it waits: the
    /// first change makes the eighth generation, the second the ninth if it is requested.
    async fn generation_if_the_list_changes_twice(
        pin: impl AsyncFn(Arc<Reloader>) -> Option<Arc<Networks>>,
    ) -> Result<Option<u64>, Box<dyn Error>> {
        // On a busy machine the first change may be taken up before this thread checks whether the request waits.
        for _ in 0..100 {
            if let Some(generation) = trial(&pin).await? {
                return Ok(generation);
            }
        }
        Err("the request never waits".into())
    }

    /// One trial; `None` if the request did not wait.
    async fn trial(
        pin: &impl AsyncFn(Arc<Reloader>) -> Option<Arc<Networks>>,
    ) -> Result<Option<Option<u64>>, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("suppressions.txt");
        let live = seventh_generation(SuppressionList::default());
        let reloader = Reloader::new(folder.path().to_owned(), Arc::clone(&live))?;
        write_list(&path, "pia-weiss")?;
        let mut pinned = pin!(pin(reloader));
        let is_waiting = poll_fn(|context| Poll::Ready(pinned.as_mut().poll(context).is_pending())).await;
        if !is_waiting {
            return Ok(None);
        }
        while live.pin().generation == 7 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        write_list(&path, "bo-sand")?;
        Ok(Some(pinned.await.map(|networks| networks.generation)))
    }

    #[tokio::test]
    async fn a_list_that_changes_again_holds_up_no_request_that_waits_already() -> Result<(), Box<dyn Error>>
    {
        let pin = async |reloader: Arc<Reloader>| pin_kept(&reloader, LISTED).await;
        assert_eq!(generation_if_the_list_changes_twice(pin).await?, Some(8));
        // The control: a request that keeps to the newest list, and so waits again for each change.
        let pin_newest = async |reloader: Arc<Reloader>| {
            for _ in 0..16 {
                let Some(list) = reloader.current_list() else {
                    reloader.read_list().await.ok()?;
                    continue;
                };
                if let Some(networks) = pin_checked(reloader.live(), &list, LISTED) {
                    return Some(networks);
                }
                reloader.keep_to_list().ended().await.ok()?;
            }
            None
        };
        assert_eq!(generation_if_the_list_changes_twice(pin_newest).await?, Some(9));
        Ok(())
    }

    /// The control: behind the gate are networks that the check refuses.
    #[tokio::test]
    async fn a_pin_past_the_gate_would_not_keep_to_the_list() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        write_list(&folder.path().join("suppressions.txt"), "pia-weiss")?;
        let list = file::read(&folder.path().join("suppressions.txt"))?;
        let live = seventh_generation(SuppressionList::default());
        let reloader = Reloader::new(folder.path().to_owned(), Arc::clone(&live))?;
        assert!(!live.pin().keep_to(&list, LISTED) && pin_checked(&live, &list, LISTED).is_none());
        let kept = Gate::keeping_to_list(reloader).pin_for(LISTED).await;
        assert!(kept.is_some() && live.pin().keep_to(&list, LISTED));
        Ok(())
    }
}
