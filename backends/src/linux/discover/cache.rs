//! Remembers answers of interpreters for as long as the file that gave them is unchanged.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What tells a file from another, and from itself after a change.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(super) struct Stamp {
    real_path: PathBuf,
    device: u64,
    inode: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    size: u64,
}

impl Stamp {
    /// The stamp of the file at a real path, now.
    pub(super) fn of(real_path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(real_path)?;
        Ok(Self {
            real_path: real_path.to_path_buf(),
            device: metadata.dev(),
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            size: metadata.size(),
        })
    }
}

/// Values by the stamp of the file that they were derived from.
#[derive(Debug)]
pub(super) struct Cache<T> {
    values: Mutex<Option<HashMap<Stamp, T>>>,
}

impl<T: Clone> Cache<T> {
    pub(super) const fn new() -> Self {
        Self { values: Mutex::new(None) }
    }

    pub(super) fn get(&self, stamp: &Stamp) -> Option<T> {
        self.lock().as_ref()?.get(stamp).cloned()
    }

    /// Stores a value; the one of an earlier state of the same file is dropped.
    pub(super) fn insert(&self, stamp: Stamp, value: T) {
        let mut values = self.lock();
        let values = values.get_or_insert_default();
        values.retain(|other, _| other.real_path != stamp.real_path);
        values.insert(stamp, value);
    }

    /// Every change is one call on the map, so a thread that panicked left it whole.
    fn lock(&self) -> MutexGuard<'_, Option<HashMap<Stamp, T>>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    /// A file with a cached value, and the cache.
    fn remembered() -> (tempfile::TempDir, PathBuf, Cache<u8>) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "one").unwrap();
        let cache = Cache::new();
        cache.insert(Stamp::of(&path).unwrap(), 1);
        (directory, path, cache)
    }

    fn seen(cache: &Cache<u8>, path: &Path) -> Option<u8> {
        cache.get(&Stamp::of(path).unwrap())
    }

    #[test]
    fn an_unchanged_file_is_remembered_and_each_kind_of_change_is_noticed() {
        let (directory, path, cache) = remembered();
        assert_eq!(seen(&cache, &path), Some(1));
        let time = fs::metadata(&path).unwrap().modified().unwrap();

        // Another inode with the same bytes and time.
        let other = directory.path().join("other");
        fs::write(&other, "one").unwrap();
        File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
        fs::rename(&other, &path).unwrap();
        assert_eq!(seen(&cache, &path), None);

        // Another size at the same time.
        cache.insert(Stamp::of(&path).unwrap(), 2);
        assert_eq!(seen(&cache, &path), Some(2));
        fs::write(&path, "longer").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        assert_eq!(seen(&cache, &path), None);

        // Another time only.
        cache.insert(Stamp::of(&path).unwrap(), 3);
        assert_eq!(seen(&cache, &path), Some(3));
        let later = SystemTime::now() + Duration::from_secs(1);
        File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert_eq!(seen(&cache, &path), None);
    }

    #[test]
    fn only_the_latest_state_of_a_file_is_kept() {
        let (_directory, path, cache) = remembered();
        let before = Stamp::of(&path).unwrap();
        fs::write(&path, "longer").unwrap();
        cache.insert(Stamp::of(&path).unwrap(), 2);
        assert_eq!(seen(&cache, &path), Some(2));
        assert_eq!(cache.get(&before), None);
    }
}
