//! Linux. The energy counters of the packages, as the power capping framework shows them
//! (Documentation/power/powercap/powercap.rst). Zones of the control type `intel-rapl`, which AMD's
//! processors have too, are named `intel-rapl:N`; parts of a package are named `intel-rapl:N:M` and are
//! counted in it. `psys` is the whole platform, and `intel-rapl-mmio` a second view of the same packages.

use super::{NotMetered, Reading};
use std::fs;
use std::io;
use std::path::Path;

/// What the name of a package's zone begins with.
const ZONE: &str = "intel-rapl:";

/// Reads the counter of each package, in the order of their names. One that cannot be read makes the
/// sum worthless, so it is an error. Since Linux 5.10 only root may read them.
pub(super) fn read(powercap: &Path) -> Result<Vec<Reading>, NotMetered> {
    let absent = || NotMetered::Absent { path: powercap.to_owned() };
    let entries = fs::read_dir(powercap).map_err(|source| {
        if source.kind() == io::ErrorKind::NotFound {
            return absent();
        }
        NotMetered::Unreadable { path: powercap.to_owned(), source }
    })?;
    let mut zones: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let number = name.strip_prefix(ZONE).unwrap_or_default();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
        .collect();
    zones.sort();
    let mut readings = Vec::new();
    for zone in zones {
        let package = text(&zone.join("name"))?;
        if package.starts_with("package-") {
            readings.push(Reading {
                package,
                counted: number(&zone.join("energy_uj"))?,
                range: number(&zone.join("max_energy_range_uj"))?,
            });
        }
    }
    if readings.is_empty() { Err(absent()) } else { Ok(readings) }
}

fn text(path: &Path) -> Result<String, NotMetered> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text.trim_end().to_owned()),
        Err(source) => Err(NotMetered::Unreadable { path: path.to_owned(), source }),
    }
}

fn number(path: &Path) -> Result<u64, NotMetered> {
    text(path)?.parse().map_err(|_error| NotMetered::Malformed { path: path.to_owned() })
}
