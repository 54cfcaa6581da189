//! `kith place`: assigns organizations to cells, from their sizes; writes the proxy's map and each cell's manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cells::folder::put;
use crate::cells::manifest::{Manifest, file_stem, identity};
use crate::cells::place::{PlacedCell, place};
use crate::snapshot::Identity;

/// The file with the cell of each organization.
const MAP: &str = "orgs.map";
/// The file with the cell of each host name, for the proxy.
const HOSTS: &str = "hosts.map";

/// Place organizations in cells, and write the proxy's map
///
/// By rendezvous hashing: a cell that is added takes its share and moves no other organization, one that is removed gives
/// away only its own. What moves since the map in DIR is printed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith place --sizes sizes.txt --cell eu-1 --cell eu-2=2 --out placed
  kith place --sizes sizes.txt --cell eu-1 --cell eu-2 --pins pins.txt \\
    --domain kith.example --out placed

A line of the sizes is ORGANIZATION BYTES [IDENTITY], one of the pins ORGANIZATION CELL, as in DIR/orgs.map.")]
pub struct PlaceCommand {
    /// The organizations: a line for each, ORGANIZATION BYTES, then IDENTITY if it is known
    #[arg(long, value_name = "FILE")]
    sizes: PathBuf,
    /// A cell, and its weight if it is not 1; repeated for each
    #[arg(long = "cell", value_name = "NAME[=WEIGHT]", required = true, value_parser = parse_cell)]
    cells: Vec<PlacedCell>,
    /// Organizations that are placed by hand: a line for each, ORGANIZATION CELL
    #[arg(long, value_name = "FILE")]
    pins: Option<PathBuf>,
    /// Also write hosts.map, in which an organization's host is its id below this domain, with - for _
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,
    /// The folder for orgs.map and NAME.json, the manifest of each cell whose identities are all given; made if there is
    /// none
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// An organization to place.
struct Sized {
    bytes: u64,
    identity: Option<Identity>,
}

/// Why organizations cannot be placed.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlaceError {
    /// A line of a file cannot be read.
    #[error("{file} line {line}: write {form}")]
    Line { file: String, line: usize, form: &'static str },
    /// An organization is listed twice.
    #[error("{file} line {line}: {organization} stands there twice")]
    Twice { file: String, line: usize, organization: String },
    /// Two cells have the same name.
    #[error("there are two cells {0}")]
    SameCell(String),
    /// A pin names an unknown cell.
    #[error("{organization} is pinned to {cell}, which is none of the cells")]
    NoSuchCell { organization: String, cell: String },
    /// Two organizations would have the same host.
    #[error("{first} and {second} would both be {host}")]
    SameHost { first: String, second: String, host: String },
    /// A file cannot be read or written.
    #[error("{file}: {cause}")]
    File { file: String, cause: io::Error },
}

impl PlaceCommand {
    /// Writes the map and the manifests, and prints the content of each cell and the moves.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written, or a pin names no cell.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let mut names = BTreeSet::new();
        if let Some(twice) = self.cells.iter().find(|cell| !names.insert(cell.name.as_str())) {
            return Err(PlaceError::SameCell(twice.name.clone()).into());
        }
        let sizes = read_sizes(&self.sizes)?;
        let pins = self.pins.as_deref().map(read_map).transpose()?.unwrap_or_default();
        if let Some((organization, cell)) = pins.iter().find(|(_, cell)| !names.contains(cell.as_str())) {
            let (organization, cell) = (organization.clone(), cell.clone());
            return Err(PlaceError::NoSuchCell { organization, cell }.into());
        }
        let placed = place(sizes.keys().map(String::as_str), &self.cells, &pins);
        let (map, hosts) = (self.out.join(MAP), self.out.join(HOSTS));
        let before = if map.exists() { read_map(&map)? } else { BTreeMap::new() };
        let by_host = self.domain.as_ref().map(|domain| hosts_of(&placed, domain)).transpose()?;
        fs::create_dir_all(&self.out).map_err(file_error(&self.out))?;
        let mut out = io::stdout().lock();
        for cell in &self.cells {
            writeln!(out, "{}", self.write_cell(cell, &sizes, &placed)?)?;
        }
        for (organization, cell) in &placed {
            match before.get(organization) {
                Some(other) if other != cell => writeln!(out, "move {organization} {other} {cell}")?,
                _ => {}
            }
        }
        if let Some(by_host) = by_host {
            put(&hosts, lines(&by_host).as_bytes()).map_err(file_error(&hosts))?;
        }
        put(&map, lines(&placed).as_bytes()).map_err(file_error(&map))?;
        Ok(())
    }

    /// Writes the manifest of `cell` if all identities are given. Returns its content as a line.
    fn write_cell(
        &self,
        cell: &PlacedCell,
        sizes: &BTreeMap<String, Sized>,
        placed: &BTreeMap<String, String>,
    ) -> Result<String, PlaceError> {
        let own = sizes.iter().filter(|(organization, _)| placed.get(*organization) == Some(&cell.name));
        let (mut count, mut bytes, mut manifest) = (0usize, 0u64, Manifest::default());
        for (organization, sized) in own {
            count += 1;
            bytes = bytes.saturating_add(sized.bytes);
            if let Some(identity) = sized.identity {
                manifest.organizations.insert(organization.clone(), identity);
            }
        }
        let is_whole = manifest.organizations.len() == count;
        if is_whole {
            let path = self.out.join(format!("{}.json", cell.name));
            put(&path, &manifest.write()).map_err(file_error(&path))?;
        }
        let note = if is_whole { "" } else { ", no manifest: identities are missing" };
        Ok(format!("{}: {count} organizations, {bytes} bytes{note}", cell.name))
    }
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> PlaceError {
    move |cause| PlaceError::File { file: path.display().to_string(), cause }
}

/// The lines of `path`, without blanks and comments, with their numbers.
fn read_lines(path: &Path) -> Result<Vec<(usize, String)>, PlaceError> {
    let text = fs::read_to_string(path).map_err(file_error(path))?;
    let lines = text.lines().zip(1..).map(|(line, number)| (number, line.trim().to_owned()));
    Ok(lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect())
}

fn read_sizes(path: &Path) -> Result<BTreeMap<String, Sized>, PlaceError> {
    let form = "ORGANIZATION BYTES, and perhaps its snapshot's IDENTITY";
    read_entries(path, form, |words| {
        let (bytes, identity) = match words {
            [bytes] => (bytes, None),
            [bytes, hex] => (bytes, Some(identity(hex)?)),
            _ => return None,
        };
        Some(Sized { bytes: bytes.parse().ok()?, identity })
    })
}

fn read_map(path: &Path) -> Result<BTreeMap<String, String>, PlaceError> {
    read_entries(path, "ORGANIZATION CELL", |words| match words {
        [cell] => Some((*cell).to_owned()),
        _ => None,
    })
}

/// The entries of `path`, by organization: the first word of a line; `read` reads the others.
fn read_entries<T>(
    path: &Path,
    form: &'static str,
    read: impl Fn(&[&str]) -> Option<T>,
) -> Result<BTreeMap<String, T>, PlaceError> {
    let mut entries = BTreeMap::new();
    for (line, text) in read_lines(path)? {
        let file = || path.display().to_string();
        let words: Vec<&str> = text.split_whitespace().collect();
        let entry = words.split_first().filter(|(organization, _)| file_stem(organization).is_some());
        let entry = entry.and_then(|(organization, rest)| Some(((*organization).to_owned(), read(rest)?)));
        let Some((organization, value)) = entry else {
            return Err(PlaceError::Line { file: file(), line, form });
        };
        if entries.insert(organization.clone(), value).is_some() {
            return Err(PlaceError::Twice { file: file(), line, organization });
        }
    }
    Ok(entries)
}

/// The cell of each organization's host below `domain`.
fn hosts_of(placed: &BTreeMap<String, String>, domain: &str) -> Result<BTreeMap<String, String>, PlaceError> {
    let mut hosts: BTreeMap<String, (&String, String)> = BTreeMap::new();
    for (organization, cell) in placed {
        let host = format!("{}.{domain}", organization.to_ascii_lowercase().replace('_', "-"));
        if let Some((first, _)) = hosts.insert(host.clone(), (organization, cell.clone())) {
            return Err(PlaceError::SameHost { first: first.clone(), second: organization.clone(), host });
        }
    }
    Ok(hosts.into_iter().map(|(host, (_, cell))| (host, cell)).collect())
}

/// A line per entry: key and value, separated by a blank.
fn lines(map: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (key, value) in map {
        // Writing to a text never fails.
        let _ = writeln!(text, "{key} {value}");
    }
    text
}

/// `NAME` or `NAME=WEIGHT`.
fn parse_cell(text: &str) -> Result<PlacedCell, String> {
    let (name, weight) = text.split_once('=').unwrap_or((text, "1"));
    let weight = weight.parse().ok().filter(|weight: &f64| weight.is_normal() && *weight > 0.0);
    match (weight, file_stem(name).as_deref() == Some(name)) {
        (Some(weight), true) => Ok(PlacedCell { name: name.to_owned(), weight }),
        (None, _) => Err("a weight is a number above 0".to_owned()),
        (_, false) => Err("the name of a cell has letters, digits, `_`, `-` and full stops alone".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(folder: &Path, cells: &[&str], pins: Option<&str>) -> PlaceCommand {
        let pins = pins.map(|text| {
            let path = folder.join("pins");
            fs::write(&path, text).unwrap();
            path
        });
        PlaceCommand {
            sizes: folder.join("sizes"),
            cells: cells.iter().map(|cell| parse_cell(cell).unwrap()).collect(),
            pins,
            domain: Some("kith.example".to_owned()),
            out: folder.join("out"),
        }
    }

    #[test]
    fn a_map_and_a_manifest_for_each_cell_are_written_and_pins_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let sizes: String =
            (0..40).map(|n| format!("org_{n} {} {}\n", n + 1, format!("{n:02x}").repeat(32))).collect();
        fs::write(folder.join("sizes"), format!("# sizes\n\n{sizes}")).unwrap();
        command(folder, &["a", "b=2"], Some("org_7 a\norg_8 b\n")).run().unwrap();
        let map = read_map(&folder.join("out/orgs.map")).unwrap();
        assert_eq!((map.len(), map["org_7"].as_str(), map["org_8"].as_str()), (40, "a", "b"));
        let hosts = read_map(&folder.join("out/hosts.map")).unwrap();
        assert_eq!(hosts["org-7.kith.example"], "a");
        let of =
            |cell: &str| Manifest::read(&fs::read(folder.join(format!("out/{cell}.json"))).unwrap()).unwrap();
        let (a, b) = (of("a"), of("b"));
        assert_eq!(a.organizations.len() + b.organizations.len(), 40);
        assert!(a.organizations.keys().all(|organization| map[organization] == "a"));
        assert!(a.organizations.contains_key("org_7") && a.organizations.len() < b.organizations.len());
        // Again, the same bytes.
        let before = fs::read(folder.join("out/orgs.map")).unwrap();
        command(folder, &["b=2", "a"], Some("org_7 a\norg_8 b\n")).run().unwrap();
        assert_eq!(fs::read(folder.join("out/orgs.map")).unwrap(), before);
    }

    #[test]
    fn what_cannot_be_placed_is_refused_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (sizes, cells, pins, said) in [
            ("org_a", &["a"][..], None, "line 1"),
            ("org_a 1\norg_b x", &["a"], None, "line 2"),
            ("org_a 1 abc", &["a"], None, "line 1"),
            ("org_a 1\norg_a 2", &["a"], None, "org_a stands there twice"),
            ("org_a 1\norg-a 2", &["a"], None, "would both be org-a.kith.example"),
            ("org_a 1", &["a", "a=2"], None, "two cells a"),
            ("org_a 1", &["a"], Some("org_a b"), "pinned to b"),
        ] {
            fs::write(folder.join("sizes"), sizes).unwrap();
            let refused = command(folder, cells, pins).run().map_err(|error| error.to_string());
            assert!(refused.as_ref().is_err_and(|error| error.contains(said)), "{sizes}: {refused:?}");
            assert!(!folder.join("out").exists(), "{sizes}: nothing was written");
        }
        for text in ["", "a b", "a=", "a=0", "a=-1", "a=inf", "a/b"] {
            assert!(parse_cell(text).is_err(), "{text}");
        }
    }
}
