//! Decoys whose metadata spells the token. One bit of existence, or one number of a file, is little;
//! many of them are as much as content.

use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{IFlags, ioctl_setflags};
use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Clue `metadata`: a directory made by one of these decoys.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spelled {
    /// The directory `N` exists where bit `N` of the token is set.
    Existence,
    /// The sizes and modification seconds of the files `0` to `7` hold two digits each.
    Numbers,
    /// The file `N` has the flag that excludes it from dumps where bit `N` of the token is set.
    #[cfg(target_os = "linux")]
    Flags,
}

/// Bits of a token.
const BITS: usize = 128;

impl Decoy for Spelled {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let directory = site.outside.join("metadata");
        fs::create_dir(&directory)?;
        match self {
            Self::Existence => doors(&directory, site.token)?,
            Self::Numbers => numbers(&directory, site.token)?,
            #[cfg(target_os = "linux")]
            Self::Flags => flags(&directory, site.token)?,
        }
        Ok(Box::new(Directory(directory)))
    }
}

fn doors(directory: &Path, token: &str) -> io::Result<()> {
    for (number, bit) in bits(token).enumerate() {
        if bit {
            fs::create_dir(directory.join(number.to_string()))?;
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn flags(directory: &Path, token: &str) -> io::Result<()> {
    for (number, bit) in bits(token).enumerate() {
        let file = File::create(directory.join(number.to_string()))?;
        if bit {
            ioctl_setflags(&file, IFlags::NODUMP)?;
        }
    }
    Ok(())
}

fn numbers(directory: &Path, token: &str) -> io::Result<()> {
    for number in 0..BITS / 16 {
        let digits = |start: usize| {
            let digits = token.get(start..start + 2).unwrap_or_default();
            u64::from_str_radix(digits, 16).map_err(io::Error::other)
        };
        let file = File::create(directory.join(number.to_string()))?;
        file.set_len(digits(4 * number)?)?;
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(digits(4 * number + 2)?);
        file.set_times(FileTimes::new().set_modified(modified))?;
    }
    Ok(())
}

pub(super) fn bits(token: &str) -> impl Iterator<Item = bool> {
    token
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .flat_map(|digit| [8, 4, 2, 1].map(|bit| digit & bit != 0))
}

#[derive(Debug)]
struct Directory(PathBuf);

impl Placed for Directory {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("metadata", self.0.clone().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Spells the token from what `probe` says of each numbered path in the decoy directory. The
/// directory itself must answer, so that a hidden tree is an error and not a row of zeros.
pub(super) fn spell_bits(
    scene: &Scene,
    probe: impl Fn(&Path) -> io::Result<bool>,
) -> io::Result<Vec<u8>> {
    let directory = scene.path("metadata")?;
    fs::symlink_metadata(&directory)?;
    let mut token = String::new();
    for digit in 0..BITS / 4 {
        let mut value = 0;
        for bit in 0..4 {
            let path = directory.join((4 * digit + bit).to_string());
            value = 2 * value + u32::from(probe(&path)?);
        }
        token.extend(char::from_digit(value, 16));
    }
    Ok(token.into_bytes())
}

/// Whether a path exists, as the answer of a call on it betrays.
pub(super) fn exists<T>(answer: io::Result<T>) -> io::Result<bool> {
    match answer {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Spells the token from the sizes and modification seconds that `stat` says.
pub(super) fn spell_numbers(
    scene: &Scene,
    stat: impl Fn(&Path) -> io::Result<(u64, i64)>,
) -> io::Result<Vec<u8>> {
    let directory = scene.path("metadata")?;
    let mut token = String::new();
    for number in 0..BITS / 16 {
        let (size, seconds) = stat(&directory.join(number.to_string()))?;
        token.push_str(&format!("{size:02x}{seconds:02x}"));
    }
    Ok(token.into_bytes())
}
