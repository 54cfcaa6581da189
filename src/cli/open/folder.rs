//! The one folder of everything that `kith open` makes of a network, for its owner alone.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use crate::cli::environment;
use crate::cli::open::usage::OpenUsageError;
use crate::file_system::{close_to_others, make_own_folder, open_own};

/// The names in the folder; the files of the credential store begin like it.
const TABLES: &str = "tables";
const SNAPSHOTS: &str = "snapshots";
const REPORT: &str = "report.json";
const CREDENTIALS: &str = "credentials.db";
const PAGE: &str = "open.html";
const OPENED: &str = "opened.txt";
const EARLIER: &str = "earlier.kith";
const ANSWERS: &str = "overrides.toml";
const FURTHER: &str = "added";

/// The folder, which may not be there yet.
#[derive(Clone, Debug)]
pub(super) struct OpenFolder {
    folder: PathBuf,
}

impl OpenFolder {
    /// The folder `into`, or one for the organization among the user's data.
    ///
    /// # Errors
    /// Returns an error if there is no such place, or the folder holds what `kith open` did not make.
    pub(super) fn of(into: Option<&Path>, organization_id: &str) -> Result<Self, OpenUsageError> {
        let folder = match into {
            Some(into) => into.to_owned(),
            None => data_home()?.join("kith").join(folder_name(organization_id)),
        };
        let fault = |error: io::Error| OpenUsageError(format!("{}: {error}", folder.display()));
        let found = Self { folder: std::path::absolute(&folder).map_err(fault)? };
        match found.stranger() {
            Ok(None) => Ok(found),
            Ok(Some(name)) => Err(OpenUsageError(format!(
                "{} holds {name}, which kith open did not make; name an empty folder or a new one by --into DIR",
                folder.display()
            ))),
            Err(error) => Err(fault(error)),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    pub(super) fn tables(&self) -> PathBuf {
        self.folder.join(TABLES)
    }

    pub(super) fn snapshots(&self) -> PathBuf {
        self.folder.join(SNAPSHOTS)
    }

    /// The one snapshot there, whatever its organization is called.
    pub(super) fn snapshot(&self) -> PathBuf {
        self.snapshots().join("network.kith")
    }

    /// The snapshot of the last import whose network was another one.
    pub(super) fn earlier(&self) -> PathBuf {
        self.folder.join(EARLIER)
    }

    /// The answers to likely doubles, a file of overrides.
    pub(super) fn answers(&self) -> PathBuf {
        self.folder.join(ANSWERS)
    }

    pub(super) fn credentials(&self) -> PathBuf {
        self.folder.join(CREDENTIALS)
    }

    pub(super) fn report(&self) -> PathBuf {
        self.folder.join(REPORT)
    }

    /// The folder of the exports that were dragged onto the page.
    pub(super) fn further_folder(&self) -> PathBuf {
        self.folder.join(FURTHER)
    }

    /// Makes that folder, if it is not there. Returns its path.
    ///
    /// # Errors
    /// Returns an error if it cannot be made.
    pub(super) fn make_further(&self) -> io::Result<PathBuf> {
        make_own_folder(&self.further_folder())?;
        Ok(self.further_folder())
    }

    /// The addresses at which the page was opened, a line each.
    pub(super) fn opened(&self) -> PathBuf {
        self.folder.join(OPENED)
    }

    /// An address of this machine that no other folder and no other program is likely to have: what a browser keeps for
    /// it is this folder's. 127.0.0.1 where the system has no other.
    pub(super) fn address(&self) -> Ipv4Addr {
        let [a, b, c, ..] = *blake3::hash(self.folder.as_os_str().as_encoded_bytes()).as_bytes();
        // The first of these networks has the addresses that others use.
        let own = Ipv4Addr::new(127, a.max(1), b, c.clamp(1, 254));
        if TcpListener::bind((own, 0)).is_ok() { own } else { Ipv4Addr::LOCALHOST }
    }

    /// Writes a page that leads a browser to `link`, which is of characters that HTML takes as they stand. Returns its path.
    ///
    /// # Errors
    /// Returns an error if it cannot be written for the owner alone.
    pub(super) fn write_page(&self, link: &str) -> io::Result<PathBuf> {
        let page = self.folder.join(PAGE);
        self.remove_page();
        let mut file = open_own(OpenOptions::new().write(true).create_new(true), &page)?;
        let link = link.replace('&', "&amp;");
        writeln!(
            file,
            "<!doctype html>\n<meta charset=utf-8>\n<meta http-equiv=refresh content=\"0; url={link}\">\n<title>kith</title>\n<a href=\"{link}\">kith</a>"
        )?;
        Ok(page)
    }

    /// Removes that page, if it is there.
    pub(super) fn remove_page(&self) {
        let _ = fs::remove_file(self.folder.join(PAGE));
    }

    /// The list of people to forget that `kith serve` finds by itself, if there is one.
    pub(super) fn suppressions(&self) -> Option<PathBuf> {
        Some(self.snapshots().join("suppressions.txt")).filter(|list| list.exists())
    }

    /// Makes the folders that are not there, and closes to others what is.
    ///
    /// # Errors
    /// Returns an error if one cannot be made, or is another user's.
    pub(super) fn make(&self) -> Result<(), String> {
        let fault = |error| format!("{}: cannot be made: {error}", self.folder.display());
        for folder in [&self.folder, &self.tables(), &self.snapshots()] {
            make_own_folder(folder).map_err(fault)?;
        }
        self.close()
    }

    /// Takes from everybody but the owner what they may do with the folder and with what `kith open` made in it.
    ///
    /// # Errors
    /// Returns an error if something is another user's.
    pub(super) fn close(&self) -> Result<(), String> {
        let fault = |error| format!("{}: cannot be closed to others: {error}", self.folder.display());
        let mut all = vec![self.folder.clone(), self.tables(), self.snapshots()];
        for (folder, is_shared) in [(&self.folder, true), (&self.tables(), false), (&self.snapshots(), false)]
        {
            for entry in fs::read_dir(folder).map_err(fault)? {
                let entry = entry.map_err(fault)?;
                if !is_shared || is_ours(&entry.file_name().to_string_lossy()) {
                    all.push(entry.path());
                }
            }
        }
        all.iter().try_for_each(|path| close_one(path)).map_err(fault)
    }

    /// The name of something in the folder that is none of ours.
    fn stranger(&self) -> io::Result<Option<String>> {
        if self.tables().is_dir() && self.snapshots().is_dir() {
            return Ok(None);
        }
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            entries => entries?,
        };
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if !is_ours(&name) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }
}

fn is_ours(name: &str) -> bool {
    [TABLES, SNAPSHOTS, REPORT, PAGE, OPENED, EARLIER, ANSWERS, FURTHER].contains(&name)
        || name.starts_with(CREDENTIALS)
}

/// Passes over links, and what is gone meanwhile, as the files beside an open store may be.
fn close_one(path: &Path) -> io::Result<()> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if found.is_symlink() { Ok(()) } else { close_to_others(path, &found) }
}

/// The folder of the user's data: `XDG_DATA_HOME` if it is an absolute path, else the usual one below `HOME`. On Windows,
/// `LOCALAPPDATA`, which is the user's alone and stays on the machine.
fn data_home() -> Result<PathBuf, OpenUsageError> {
    let named = |name| environment::lossy(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let (name, found) = if cfg!(windows) {
        ("LOCALAPPDATA", named("LOCALAPPDATA"))
    } else {
        let home = || named("HOME").map(|home| home.join(".local/share"));
        ("HOME", named("XDG_DATA_HOME").or_else(home))
    };
    found.ok_or_else(|| {
        OpenUsageError(format!(
            "there is no folder for your data, since {name} is not set; name one by --into DIR"
        ))
    })
}

/// The name of the organization's folder: its id without the prefix, of letters, digits and hyphens alone.
fn folder_name(organization_id: &str) -> String {
    let id = organization_id.strip_prefix("org_").unwrap_or(organization_id);
    id.chars().map(|one| if one.is_alphanumeric() || one == '_' { one } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_folder_of_others_is_refused_and_one_of_ours_or_an_empty_one_is_not() {
        for (files, stranger) in [
            (&[][..], None),
            (&["report.json"], None),
            (&["tables/people.ndjson", "credentials.db", "credentials.db-wal"], None),
            (&["tables/people.ndjson", "snapshots/network.kith", "overrides.toml"], None),
            (&["holiday.jpg"], Some("holiday.jpg")),
            (&["tables/people.ndjson", "thesis.txt"], Some("thesis.txt")),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for file in files {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            let place = OpenFolder::of(Some(folder.path()), "org_a");
            assert_eq!(place.as_ref().err().is_none(), stranger.is_none(), "{files:?}");
            let said = place.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(said.contains(stranger.unwrap_or_default()), "{said}");
        }
    }

    #[test]
    fn what_is_made_and_what_was_open_before_is_closed_and_the_rest_is_left() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("new/network");
        let place = OpenFolder::of(Some(&folder), "org_a").unwrap();
        place.make().unwrap();
        for path in [&folder, &folder.join("tables"), &folder.join("snapshots"), &parent.path().join("new")] {
            assert_eq!(mode(path), 0o700, "{}", path.display());
        }
        let own = folder.join("own.toml");
        let files = [place.snapshot(), place.report(), place.tables().join("people.ndjson"), own.clone()];
        for file in &files {
            fs::write(file, "").unwrap();
            fs::set_permissions(file, Permissions::from_mode(0o664)).unwrap();
        }
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        place.close().unwrap();
        let modes: Vec<u32> = files.iter().map(|file| mode(file)).collect();
        assert_eq!((modes.as_slice(), mode(&folder)), (&[0o600, 0o600, 0o600, 0o664][..], 0o700));
    }

    #[test]
    fn each_folder_has_an_address_of_its_own_and_a_page_for_its_owner_alone() {
        let parent = tempfile::tempdir().unwrap();
        let place = |name: &str| OpenFolder::of(Some(&parent.path().join(name)), "org_a").unwrap();
        let (one, again, other) = (place("one"), place("one"), place("other"));
        assert_eq!(one.address(), again.address());
        if cfg!(target_os = "linux") {
            assert!(one.address() != other.address() && one.address().octets()[1] > 0);
        }
        one.make().unwrap();
        fs::write(one.path().join("open.html"), "of last time").unwrap();
        let page = one.write_page("http://127.9.8.7:8080/explore#code=x&to=/report").unwrap();
        assert_eq!(mode(&page), 0o600);
        assert!(
            fs::read_to_string(&page)
                .unwrap()
                .contains("url=http://127.9.8.7:8080/explore#code=x&amp;to=/report\"")
        );
        one.remove_page();
        assert!(!page.exists());
    }

    #[test]
    fn the_name_of_a_folder_leads_nowhere_else() {
        for (id, name) in [
            ("org_ana-ruiz-s-network", "ana-ruiz-s-network"),
            ("org_../../etc", "------etc"),
            ("org_.", "-"),
            ("org_Ünïcode 1", "Ünïcode-1"),
        ] {
            assert_eq!(folder_name(id), name);
        }
    }
}
