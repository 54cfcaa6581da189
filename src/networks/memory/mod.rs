//! How much memory this process may still take, according to the system. A bound that cannot be read, as on another
//! system, does not apply.

use std::fs;
use std::path::{Path, PathBuf};

/// The bounds on this process's memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The folder with `proc` and `sys`; `None` if the system is not asked.
    root: Option<PathBuf>,
    /// The operator's maximum of resident bytes, if set.
    most: Option<u64>,
}

/// The memory left, and the bound that limits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLeft {
    /// In bytes.
    pub bytes: u64,
    /// The tightest bound.
    pub bound: MemoryBoundary,
}

/// A bound on the memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryBoundary {
    /// The operator's own.
    Configured,
    /// The bound on its address space.
    AddressSpace,
    /// The bound of a control group: a container, a systemd unit.
    ControlGroup,
    /// The memory of the machine.
    Machine,
}

/// The files of the two versions of control groups: the limit, the use, and the prefix of the line of `memory.stat`
/// that counts file content, which the kernel gives back when memory gets short.
const GROUP_V2: GroupFiles =
    GroupFiles { limit: "memory.max", used: "memory.current", cached: ["inactive_file ", "active_file "] };
const GROUP_V1: GroupFiles = GroupFiles {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cached: ["total_inactive_file ", "total_active_file "],
};

struct GroupFiles {
    limit: &'static str,
    used: &'static str,
    cached: [&'static str; 2],
}

impl Memory {
    /// Returns the system's bounds, and at most `most` bytes resident.
    #[must_use]
    pub fn of_system(most: Option<u64>) -> Self {
        Self { root: Some(PathBuf::from("/")), most }
    }

    /// No bound: the system is not asked.
    #[must_use]
    pub const fn unbounded() -> Self {
        Self { root: None, most: None }
    }

    /// Maximum resident memory in bytes: the minimum of the operator's bound, the control groups' bounds, and the
    /// machine's memory. `None` if no bound is known.
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        let root = self.root.as_deref()?;
        let machine = read(&root.join("proc/meminfo")).and_then(|meminfo| kilobytes(&meminfo, "MemTotal:"));
        [self.most, group(root, limit_of), machine].into_iter().flatten().min()
    }

    /// The memory left under the tightest bound; `None` if no bound is known. Reads some files of `/proc` and `/sys`.
    #[must_use]
    pub fn left(&self) -> Option<MemoryLeft> {
        let root = self.root.as_deref()?;
        let status = read(&root.join("proc/self/status")).unwrap_or_default();
        let configured = self.most.zip(kilobytes(&status, "VmRSS:")).map(|(most, used)| {
            let bytes = most.saturating_sub(used);
            MemoryLeft { bytes, bound: MemoryBoundary::Configured }
        });
        let address_space =
            read(&root.join("proc/self/limits")).as_deref().and_then(address_space).map(|most| {
                let used = kilobytes(&status, "VmSize:").unwrap_or(0);
                MemoryLeft { bytes: most.saturating_sub(used), bound: MemoryBoundary::AddressSpace }
            });
        let group =
            group(root, left_by).map(|bytes| MemoryLeft { bytes, bound: MemoryBoundary::ControlGroup });
        let machine = read(&root.join("proc/meminfo"))
            .and_then(|meminfo| kilobytes(&meminfo, "MemAvailable:"))
            .map(|bytes| MemoryLeft { bytes, bound: MemoryBoundary::Machine });
        [configured, address_space, group, machine].into_iter().flatten().min_by_key(|left| left.bytes)
    }
}

/// The limit of the control group in `folder`, if it has one.
fn limit_of(folder: &Path, files: &GroupFiles) -> Option<u64> {
    // The first version expresses "none" by the greatest number of pages.
    read(&folder.join(files.limit))?.trim().parse().ok().filter(|limit| *limit < u64::MAX >> 1)
}

impl MemoryBoundary {
    /// Returns its name in a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Configured => "service.memory_max_bytes",
            Self::AddressSpace => "the bound on address space, ulimit -v",
            Self::ControlGroup => "the limit of the container or unit",
            Self::Machine => "the memory of this machine",
        }
    }
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// Parses the line of `text` that begins with `name`, as in `VmRSS:      1234 kB`, to bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Parses `/proc/self/limits`: `Max address space         1073741824           unlimited            bytes`.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The least `figure` of the process's control group and those above it.
fn group(root: &Path, figure: impl Fn(&Path, &GroupFiles) -> Option<u64>) -> Option<u64> {
    let groups = read(&root.join("proc/self/cgroup"))?;
    let of_line = |line: &str| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let (mount, files) = match controllers {
            "" => (root.join("sys/fs/cgroup"), &GROUP_V2),
            names if names.split(',').any(|name| name == "memory") => {
                (root.join("sys/fs/cgroup/memory"), &GROUP_V1)
            }
            _ => return None,
        };
        // Inside a container the path may be that of the host, and the group itself is mounted.
        Path::new(path.trim_start_matches('/'))
            .ancestors()
            .filter_map(|group| figure(&mount.join(group), files))
            .min()
    };
    groups.lines().filter_map(of_line).min()
}

/// The memory left in the control group in `folder`; `None` if it has no limit.
fn left_by(folder: &Path, files: &GroupFiles) -> Option<u64> {
    let number = |name: &str| read(&folder.join(name))?.trim().parse::<u64>().ok();
    let (limit, used) = (number(files.limit)?, number(files.used)?);
    let stat = read(&folder.join("memory.stat")).unwrap_or_default();
    let counted = |name: &str| {
        stat.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    let cached: u64 = files.cached.iter().map(|name| counted(name)).sum();
    Some(limit.saturating_sub(used.saturating_sub(cached)))
}

#[cfg(test)]
mod tests;
