//! Bounds read from a made-up system, and from this one.

use std::error::Error;

use super::*;

const MEGABYTE: u64 = 1 << 20;

/// A made-up system: files by path.
fn system(files: &[(&str, &str)]) -> Result<tempfile::TempDir, std::io::Error> {
    let root = tempfile::tempdir()?;
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(root.path()))?;
        fs::write(path, text)?;
    }
    Ok(root)
}

const STATUS: (&str, &str) = ("proc/self/status", "Name:\tkith\nVmSize:\t  409600 kB\nVmRSS:\t  102400 kB\n");
const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal: 9216000 kB\nMemAvailable:    8192000 kB\n");
const LIMITS: (&str, &str) = (
    "proc/self/limits",
    "Limit  Soft  Hard  Units\nMax address space         1073741824           unlimited            bytes\n",
);
const STAT: &str = "anon 9\ninactive_file 10485760\nactive_file 10485760\ntotal_inactive_file 10485760\n";

#[test]
fn the_least_of_all_bounds_counts_and_is_named() -> Result<(), Box<dyn Error>> {
    const V2: (&str, &str) = ("proc/self/cgroup", "0::/a.slice/kith.service\n");
    const V1: (&str, &str) = ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/of/the/host\n0::/\n");
    let unit = "sys/fs/cgroup/a.slice/kith.service/";
    let in_unit = |file: &str| format!("{unit}{file}");
    let [max, current, stat] = ["memory.max", "memory.current", "memory.stat"].map(in_unit);
    let all =
        [STATUS, MACHINE, LIMITS, V2, (&*max, "536870912\n"), (&*current, "104857600\n"), (&*stat, STAT)];
    let slice = [
        ("sys/fs/cgroup/a.slice/memory.max", "209715200"),
        ("sys/fs/cgroup/a.slice/memory.current", "199229440"),
    ];
    let without_limit = [STATUS, MACHINE, V2, (&*max, "max\n"), (&*current, "1"), (&*stat, "")];
    let mounted = [
        STATUS,
        MACHINE,
        V1,
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", "314572800"),
        ("sys/fs/cgroup/memory/memory.usage_in_bytes", "115343360"),
        ("sys/fs/cgroup/memory/memory.stat", STAT),
    ];
    let above: Vec<_> = all.into_iter().chain(slice).collect();
    use MemoryBoundary::{AddressSpace, Configured, ControlGroup, Machine};
    for (files, most, megabytes, bound) in [
        (&all[..2], None, 8000, Machine),
        (&all[..3], None, 624, AddressSpace),
        (&all[..3], Some(300 * MEGABYTE), 200, Configured),
        (&all[..3], Some(3), 0, Configured),
        (&all[..], None, 432, ControlGroup),
        (&above[..], None, 10, ControlGroup),
        (&without_limit[..], None, 8000, Machine),
        (&mounted[..], None, 200, ControlGroup),
    ] {
        let root = system(files)?;
        let memory = Memory { root: Some(root.path().to_owned()), most };
        assert_eq!(memory.left(), Some(MemoryLeft { bytes: megabytes * MEGABYTE, bound }), "{files:?}");
    }
    for (files, most, megabytes) in [
        (&mounted[..], None, 300),
        (&mounted[..], Some(200 * MEGABYTE), 200),
        (&all[..3], Some(200 * MEGABYTE), 200),
    ] {
        let root = system(files)?;
        let memory = Memory { root: Some(root.path().to_owned()), most };
        assert_eq!(memory.limit(), Some(megabytes * MEGABYTE), "{files:?}");
    }
    Ok(())
}

#[test]
fn what_cannot_be_read_sets_no_bound() -> Result<(), Box<dyn Error>> {
    let nothing = system(&[("proc/self/status", "VmRSS: many kB"), ("proc/self/cgroup", "0:")])?;
    let memory = Memory { root: Some(nothing.path().to_owned()), most: Some(7) };
    assert_eq!((memory.left(), Memory::unbounded().left()), (None, None));
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn this_system_says_how_much_is_left() {
    let left = Memory::of_system(None).left();
    assert!(left.is_some_and(|left| (MEGABYTE..1 << 50).contains(&left.bytes)), "{left:?}");
    let little = Memory::of_system(Some(1)).left();
    assert_eq!(little, Some(MemoryLeft { bytes: 0, bound: MemoryBoundary::Configured }));
}
