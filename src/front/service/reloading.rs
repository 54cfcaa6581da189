//! Background reloads: the first one, and those after SIGHUP or changes of a watched folder.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::api::admin::reload_now;
use crate::audit::ReloadRequester;
use crate::live::debounce::Debounce;
use crate::live::reload::Reloader;

/// Loads the snapshots in `folder`, the folder of `reloader`, for the first time.
///
/// # Errors
/// Returns an error naming the folder if it cannot be read. A refused snapshot is not an error.
pub(crate) async fn load(reloader: &Arc<Reloader>, folder: &Path) -> Result<(), Box<dyn Error>> {
    let loaded = reloader.reload().ended().await;
    let report = loaded.map_err(|error| format!("cannot serve {}: {error}", folder.display()))?;
    if report.counts().loaded == 0 {
        tracing::warn!(
            folder = %folder.display(),
            "no network is in service, and the probes say unready: put a snapshot there (`kith build`) and reload"
        );
    }
    Ok(())
}

/// Keeps the snapshot at `earlier` as the previous generation; logs a failure, and the service goes on without it.
pub(crate) async fn keep_before(reloader: &Arc<Reloader>, earlier: PathBuf) {
    let (reloader, file) = (Arc::clone(reloader), earlier.display().to_string());
    match tokio::task::spawn_blocking(move || reloader.keep_before(&earlier)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(%error, file, "the earlier snapshot is not kept: nothing is compared with it")
        }
        Err(error) => tracing::warn!(%error, file, "the earlier snapshot is not kept"),
    }
}

/// Reloads without a caller, because of `by`: only the log has the outcome.
pub(crate) async fn reload_unasked(reloader: &Arc<Reloader>, by: ReloadRequester) {
    if let Err(error) = reload_now(reloader, by).await {
        tracing::error!(%error, "reload failed");
    }
}

/// Polls the snapshots every `every`, and reloads after changes. Never ends.
pub(crate) async fn watch_folder(reloader: Arc<Reloader>, every: Duration) {
    let mut debounce = Debounce::default();
    loop {
        tokio::time::sleep(every).await;
        let polling = Arc::clone(&reloader);
        match tokio::task::spawn_blocking(move || polling.folder_stamps()).await {
            Ok(Ok((now, loaded))) if debounce.is_due(&now, &loaded) => {
                tracing::info!("the snapshots have changed");
                reload_unasked(&reloader, ReloadRequester::Watch).await;
            }
            Ok(Err(error)) => tracing::warn!(%error, "the snapshots cannot be looked at"),
            Ok(Ok(_)) | Err(_) => {}
        }
    }
}
