//! The meter over a folder that looks like the kernel's.

use super::*;
use std::fs;
use std::path::Path;

/// A host whose counters a test moves.
struct Fake {
    folder: tempfile::TempDir,
}

impl Fake {
    fn new() -> Self {
        let fake = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(fake.folder.path().join("powercap")).unwrap();
        fake.busy(0);
        fake
    }

    fn zone(&self, zone: &str, name: &str, counted: u64, range: u64) {
        let path = self.folder.path().join("powercap").join(zone);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("name"), format!("{name}\n")).unwrap();
        fs::write(path.join("energy_uj"), format!("{counted}\n")).unwrap();
        fs::write(path.join("max_energy_range_uj"), format!("{range}\n")).unwrap();
    }

    /// Sets the busy time of the host, in ticks; half of it in the kernel, with much idle time beside.
    fn busy(&self, ticks: u64) {
        let half = ticks / 2;
        let line =
            format!("cpu  {half} 0 {} 99999 77777 0 0 55555 0 0\ncpu0 1 1 1\n", ticks - half);
        fs::write(self.folder.path().join("stat"), line).unwrap();
    }

    fn meter(&self) -> Meter {
        Meter::at(self.folder.path().join("powercap"), self.folder.path().join("stat"))
    }

    /// The energy of a program with a second of CPU time, during which `change` happened.
    fn second(&self, change: impl FnOnce()) -> Energy {
        let begun = self.meter().begin();
        change();
        let usage = Usage { cpu: Duration::from_secs(1), ..Usage::default() };
        self.meter().end(begun, &usage)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("powercap").join(name)
    }
}

const RANGE: u64 = 262_143_328_850;

fn why(energy: &Energy) -> &NotMetered {
    match &energy.method {
        Method::Estimator { why, .. } => why,
        Method::ModelBased { .. } => panic!("metered: {energy:?}"),
    }
}

#[test]
fn a_program_has_its_share_of_what_all_packages_counted_and_nothing_is_counted_twice() {
    let fake = Fake::new();
    let set = |one, other| {
        fake.zone("intel-rapl:0", "package-0", one, RANGE);
        fake.zone("intel-rapl:1", "package-1", other, RANGE);
        fake.zone("intel-rapl:0:0", "core", one, RANGE);
        fake.zone("intel-rapl:2", "psys", one * 3, RANGE);
        fake.zone("intel-rapl-mmio:0", "package-0", one, RANGE);
    };
    set(1_000_000, 500);
    let energy = fake.second(|| {
        set(31_000_000, 10_000_500);
        // Four seconds of work on the whole host (100 ticks a second), one of them the program's.
        fake.busy(400);
    });
    assert_eq!(energy.microjoules, 10_000_000);
    match energy.method {
        Method::ModelBased { host_microjoules, busy } => {
            assert_eq!((host_microjoules, busy), (40_000_000, Duration::from_secs(4)));
        }
        Method::Estimator { why, .. } => panic!("{why}"),
    }
}

#[test]
fn a_counter_that_went_round_once_is_followed_and_one_that_may_have_twice_is_not() {
    let reading = |counted| [Reading { package: "package-0".to_owned(), counted, range: RANGE }];
    let second = Duration::from_secs(1);
    assert_eq!(counted(&reading(RANGE - 7), &reading(5), second).unwrap(), 12);
    assert_eq!(counted(&reading(5), &reading(5), second).unwrap(), 0);
    let long = Duration::from_secs(263);
    assert!(matches!(counted(&reading(1), &reading(2), long), Err(NotMetered::Wrapped { .. })));
    assert!(counted(&reading(1), &reading(2), Duration::from_secs(262)).is_ok());
}

#[test]
fn a_share_is_never_more_than_the_whole() {
    let second = Duration::from_secs(1);
    assert_eq!(share(1_000, second, Duration::ZERO), 1_000);
    assert_eq!(share(1_000, second, second * 4), 250);
    assert_eq!(share(1_000, Duration::ZERO, Duration::ZERO), 0);
    assert_eq!(share(u64::MAX, second, second), u64::MAX);
}

#[test]
fn a_host_without_counters_gives_an_estimate_that_says_so() {
    let fake = Fake::new();
    let energy = fake.second(|| {});
    assert_eq!(energy.microjoules, 1_000 * ESTIMATED_MILLIWATTS);
    assert!(matches!(why(&energy), NotMetered::Absent { .. }));
    fs::remove_dir(fake.path("")).unwrap();
    assert!(matches!(why(&fake.second(|| {})), NotMetered::Absent { .. }));
}

#[test]
fn one_package_that_cannot_be_read_or_understood_spoils_the_sum() {
    let fake = Fake::new();
    let set = || {
        fake.zone("intel-rapl:0", "package-0", 1, RANGE);
        fake.zone("intel-rapl:1", "package-1", 1, RANGE);
    };
    let energy = fake.path("intel-rapl:1/energy_uj");
    set();
    assert!(matches!(fake.second(|| {}).method, Method::ModelBased { .. }));
    // A directory in the place of the file cannot be read by anyone, root or not.
    fs::remove_file(&energy).unwrap();
    fs::create_dir(&energy).unwrap();
    let seen = fake.second(|| {});
    assert!(matches!(why(&seen), NotMetered::Unreadable { path, .. } if *path == energy));
    fs::remove_dir(&energy).unwrap();
    fs::write(&energy, "many\n").unwrap();
    assert!(matches!(why(&fake.second(|| {})), NotMetered::Malformed { path } if *path == energy));
}

#[test]
fn a_package_that_comes_or_goes_and_times_that_are_none_give_an_estimate() {
    let fake = Fake::new();
    fake.zone("intel-rapl:0", "package-0", 1, RANGE);
    let appeared = fake.second(|| fake.zone("intel-rapl:1", "package-1", 1, RANGE));
    assert!(matches!(why(&appeared), NotMetered::Changed));
    fs::write(fake.folder.path().join("stat"), "intr 1\n").unwrap();
    assert!(matches!(why(&fake.second(|| {})), NotMetered::Malformed { .. }));
}

#[test]
fn the_host_s_own_meter_answers_whatever_the_host_has() {
    let meter = Meter::default();
    let usage = Usage { cpu: Duration::from_millis(3), ..Usage::default() };
    let energy = meter.end(meter.begin(), &usage);
    if !Path::new("/sys/class/powercap/intel-rapl:0").exists() {
        assert_eq!(energy.microjoules, 3 * ESTIMATED_MILLIWATTS);
    }
}
