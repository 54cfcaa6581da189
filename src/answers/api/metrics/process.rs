//! Linux figures of this process, read at each scrape, under the names that every Prometheus client uses. A figure that
//! cannot be read, as on another system, is left out.

use std::fs;
use std::time::UNIX_EPOCH;

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{Counter, Error, Gauge};

use crate::clock;

/// Ticks per second in `/proc`, on every architecture this program is built for.
const TICKS_PER_SECOND: f64 = 100.0;
/// Fields of `/proc/self/stat` after the name in brackets, counted from 0: time in user mode, in kernel mode, and the
/// process's start relative to the machine's, all in ticks.
const USER: usize = 11;
const KERNEL: usize = 12;
const STARTED: usize = 19;

const MACHINE: &str = "/proc/stat";

const RESIDENT: (&str, &str) = ("process_resident_memory_bytes", "Memory in use, in bytes.");
const OPEN_FILES: (&str, &str) = ("process_open_fds", "Open files, connections included.");
const MAX_FILES: (&str, &str) = ("process_max_fds", "The most files that may be open.");
const START: (&str, &str) = ("process_start_time_seconds", "When the process started, as Unix time.");
const CPU: (&str, &str) = ("process_cpu_seconds_total", "Processor time used, in seconds.");

/// The figures of this process.
#[derive(Debug)]
pub(super) struct ProcessFigures {
    /// One gauge of each, for its description; it never gets a value.
    gauges: Vec<Gauge>,
    cpu: Counter,
    /// When this was made, as Unix time: a stand-in for the start if the process may not see the machine's boot time
    /// (`ProcSubset=pid`).
    made: Option<f64>,
}

impl ProcessFigures {
    /// Describes the figures.
    ///
    /// # Errors
    /// No known cause: the names are constants.
    pub(super) fn new() -> Result<Self, Error> {
        let gauges = [RESIDENT, OPEN_FILES, MAX_FILES, START].map(|(name, help)| Gauge::new(name, help));
        let gauges = gauges.into_iter().collect::<Result<_, _>>()?;
        let now = clock::wall_time().duration_since(UNIX_EPOCH).ok();
        Ok(Self { gauges, cpu: Counter::new(CPU.0, CPU.1)?, made: now.map(|now| now.as_secs_f64()) })
    }
}

impl Collector for ProcessFigures {
    fn desc(&self) -> Vec<&Desc> {
        self.gauges.iter().flat_map(Collector::desc).chain(self.cpu.desc()).collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let stat = read("stat");
        let figures = [
            (RESIDENT, read("status").as_deref().and_then(resident_bytes)),
            (OPEN_FILES, open_files()),
            (MAX_FILES, read("limits").as_deref().and_then(max_files)),
            (START, stat.as_deref().and_then(|stat| started(stat, MACHINE)).or(self.made)),
        ];
        let mut families = Vec::new();
        for ((name, help), figure) in figures {
            if let (Some(figure), Ok(gauge)) = (figure, Gauge::new(name, help)) {
                gauge.set(figure);
                families.extend(gauge.collect());
            }
        }
        if let (Some(seconds), Ok(counter)) =
            (stat.as_deref().and_then(cpu_seconds), Counter::new(CPU.0, CPU.1))
        {
            counter.inc_by(seconds);
            families.extend(counter.collect());
        }
        families
    }
}

fn read(file: &str) -> Option<String> {
    fs::read_to_string(format!("/proc/self/{file}")).ok()
}

/// Parses `/proc/self/status`: `VmRSS:      1234 kB`.
fn resident_bytes(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024.0)
}

fn open_files() -> Option<f64> {
    // The directory being read is one of them.
    let entries = fs::read_dir("/proc/self/fd").ok()?.count();
    Some(entries.saturating_sub(1) as f64)
}

/// Parses `/proc/self/limits`: `Max open files            1024                 4096                 files`.
fn max_files(limits: &str) -> Option<f64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    match line.split_whitespace().next()? {
        "unlimited" => Some(f64::INFINITY),
        soft => soft.parse().ok(),
    }
}

/// The process's start as Unix time; `machine` is the file with the machine's boot time.
fn started(stat: &str, machine: &str) -> Option<f64> {
    let machine = fs::read_to_string(machine).ok()?;
    let booted: f64 = machine.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some(booted + ticks(stat, STARTED)? / TICKS_PER_SECOND)
}

fn cpu_seconds(stat: &str) -> Option<f64> {
    Some((ticks(stat, USER)? + ticks(stat, KERNEL)?) / TICKS_PER_SECOND)
}

/// The field `number` of `stat`. The name before the fields may hold blanks and brackets.
fn ticks(stat: &str, number: usize) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(number)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_the_lines_of_proc() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 99 0 0 0 150 25 0 0 20 0 5 0 1200 1 2\n";
        assert_eq!(cpu_seconds(stat), Some(1.75));
        assert_eq!(ticks(stat, STARTED), Some(1200.0));
        assert_eq!(resident_bytes("VmHWM:\t 9 kB\nVmRSS:\t    1234 kB\n"), Some(1_263_616.0));
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax open files   1024   524288   files\n";
        assert_eq!(max_files(limits), Some(1024.0));
        assert_eq!(max_files("Max open files  unlimited  unlimited  files"), Some(f64::INFINITY));
        for nothing in ["", "7 (a) S 1\n", "VmRSS: many kB\n"] {
            let figures = [cpu_seconds(nothing), resident_bytes(nothing), max_files(nothing)];
            assert_eq!(figures, [None; 3], "{nothing:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn without_the_machines_start_the_time_of_the_figures_stands_for_that_of_the_process()
    -> Result<(), Box<dyn std::error::Error>> {
        let stat = read("stat").ok_or("this process")?;
        let (seen, hidden) = (started(&stat, MACHINE), started(&stat, "/proc/nowhere"));
        let made = ProcessFigures::new()?.made.ok_or("a time")?;
        assert_eq!((seen.is_some(), hidden), (true, None));
        // The test reads its own figures when it runs.
        assert!(seen.is_some_and(|seen| (seen - 2.0..seen + 86_400.0).contains(&made)), "{seen:?}, {made}");
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_each_figure_and_they_are_plausible() -> Result<(), Box<dyn std::error::Error>> {
        let families = ProcessFigures::new()?.collect();
        let value = |name: &str| {
            let family = families.iter().find(|family| family.name() == name).unwrap();
            let metric = &family.get_metric()[0];
            let is_counter = family.get_field_type() == prometheus::proto::MetricType::COUNTER;
            if is_counter { metric.get_counter().get_value() } else { metric.get_gauge().get_value() }
        };
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs_f64();
        assert!((1e6..1e12).contains(&value(RESIDENT.0)));
        assert!((now - 86_400.0..now + 2.0).contains(&value(START.0)), "{} at {now}", value(START.0));
        assert!((0.0..1e6).contains(&value(CPU.0)));
        let before = value(OPEN_FILES.0);
        assert!(before >= 3.0 && value(MAX_FILES.0) >= before);
        Ok(())
    }
}
