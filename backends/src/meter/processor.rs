//! Linux. The CPU time of all processes since boot, proc_stat(5).

use super::NotMetered;
use nix::unistd::{SysconfVar, sysconf};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The columns of the first line that are work of this host: user, nice, system, interrupts. Idle time,
/// waiting for devices and time that a hypervisor gave to others are not; guests are in user and nice.
const WORK: [usize; 5] = [1, 2, 3, 6, 7];

/// Reads it.
pub(super) fn busy(path: &Path) -> Result<Duration, NotMetered> {
    let text = fs::read_to_string(path)
        .map_err(|source| NotMetered::Unreadable { path: path.to_owned(), source })?;
    let ticks = ticks(&text).ok_or_else(|| NotMetered::Malformed { path: path.to_owned() })?;
    let each = sysconf(SysconfVar::CLK_TCK).ok().flatten().filter(|each| *each > 0);
    let each = each.map_or(100, i64::cast_unsigned);
    Ok(Duration::from_micros(ticks.saturating_mul(1_000_000 / each)))
}

fn ticks(text: &str) -> Option<u64> {
    let columns: Vec<&str> = text.lines().next()?.split_ascii_whitespace().collect();
    if columns.first() != Some(&"cpu") {
        return None;
    }
    WORK.into_iter().map(|column| columns.get(column)?.parse::<u64>().ok()).sum()
}
