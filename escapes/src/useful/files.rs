//! Files of the program's own, in the amounts and ways that compilers, editors and databases use them.

use super::expect;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use rustix::fs::{FallocateFlags, FlockOperation, Mode, OFlags, RenameFlags};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/many-files",
        summary: "Four hundred files are written, listed and read, and some put on disk",
        work: native!(many),
        check: Some(check_many),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/large-file",
        summary: "A file of 32 MB is written, reserved, copied, cut and read at places",
        work: native!(large),
        check: Some(|run, _stdout| {
            let length = fs::metadata(run.join("copy")).map(|metadata| metadata.len());
            match length {
                Ok(LARGE) => Ok(()),
                other => Err(format!("the copy: {other:?} instead of {LARGE} bytes")),
            }
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/names",
        summary: "Own files are renamed, exchanged and linked across own directories",
        work: native!(names),
        check: Some(check_names),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/nameless-files",
        summary: "Files without a name: made by O_TMPFILE, and removed while open",
        work: native!(nameless),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/locks",
        summary: "An own file is locked by flock, by fcntl and by open file description",
        work: native!(locks),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/mapped-file",
        summary: "An own file is changed through a shared mapping",
        work: native!(mapped),
        check: Some(|run, _stdout| match fs::read(run.join("mapped")) {
            Ok(bytes) if bytes.starts_with(b"mapped") && bytes.len() == 8192 => Ok(()),
            other => Err(format!("the mapped file: {:?}", other.map(|bytes| bytes.len()))),
        }),
        ..UsefulWork::BLANK
    },
];

const MANY: usize = 400;
const LARGE: u64 = 32 << 20;

fn many(scene: &Scene) -> io::Result<()> {
    let folder = scene.run().join("many");
    fs::create_dir(&folder)?;
    for index in 0..MANY {
        let mut file = File::create_new(folder.join(index.to_string()))?;
        write!(file, "file {index}")?;
        if index % 100 == 0 {
            file.sync_all()?;
        }
    }
    File::open(&folder)?.sync_all()?;
    expect(fs::read_dir(&folder)?.count() == MANY, "a name is missing")?;
    let text = fs::read_to_string(folder.join("234"))?;
    expect(text == "file 234", "a file lost its content")
}

fn check_many(run: &Path, _stdout: &[u8]) -> Result<(), String> {
    let lost = (0..MANY).find(|index| {
        let text = fs::read_to_string(run.join("many").join(index.to_string()));
        !text.is_ok_and(|text| text == format!("file {index}"))
    });
    lost.map_or(Ok(()), |index| Err(format!("many/{index} is not as it was written")))
}

fn large(scene: &Scene) -> io::Result<()> {
    let path = scene.run().join("large");
    let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, LARGE)?;
    let block: Vec<u8> = (0..1_u32 << 20).map(|number| (number % 251) as u8).collect();
    while file.stream_position()? < LARGE {
        file.write_all(&block)?;
    }
    file.set_len(LARGE + 4096)?;
    file.set_len(LARGE)?;
    file.sync_data()?;
    let mut bytes = [0; 2];
    file.read_exact_at(&mut bytes, (7 << 20) + 250)?;
    expect(bytes == [250, 0], "the large file lost its content")?;
    file.seek(SeekFrom::End(-1))?;
    expect(file.read(&mut bytes)? == 1, "the large file has no end")?;
    expect(fs::copy(&path, scene.run().join("copy"))? == LARGE, "the copy is cut")
}

fn names(scene: &Scene) -> io::Result<()> {
    let [first, second] = ["first", "second"].map(|name| scene.run().join(name));
    fs::create_dir_all(first.join("deep/deeper"))?;
    fs::create_dir(&second)?;
    fs::write(first.join("file"), b"one")?;
    fs::rename(first.join("file"), second.join("moved"))?;
    fs::rename(first.join("deep"), second.join("deep"))?;
    fs::hard_link(second.join("moved"), first.join("linked"))?;
    std::os::unix::fs::symlink("../second/moved", first.join("symbolic"))?;
    fs::write(second.join("other"), b"two")?;
    exchange(&first.join("linked"), &second.join("other"))?;
    let same = (fs::metadata(second.join("moved"))?, fs::metadata(second.join("other"))?);
    expect(same.0.ino() == same.1.ino(), "the exchanged link is another file")?;
    let text = fs::read_to_string(first.join("symbolic"))?;
    expect(text == "one", "the link leads elsewhere")?;
    fs::write(first.join("save.tmp"), b"saved")?;
    fs::rename(first.join("save.tmp"), first.join("linked"))?;
    fs::remove_dir_all(second.join("deep"))
}

/// Exchanges two names at once, as atomic updaters do.
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    let here = rustix::fs::CWD;
    Ok(rustix::fs::renameat_with(here, one, here, other, RenameFlags::EXCHANGE)?)
}

fn check_names(run: &Path, _stdout: &[u8]) -> Result<(), String> {
    let table = [("first/linked", "saved"), ("second/moved", "one"), ("second/other", "one")];
    for (name, content) in table {
        let found = fs::read_to_string(run.join(name));
        if !found.as_ref().is_ok_and(|text| text == content) {
            return Err(format!("{name}: {found:?} instead of {content}"));
        }
    }
    if run.join("second/deep").exists() { Err("second/deep is still there".into()) } else { Ok(()) }
}

fn nameless(scene: &Scene) -> io::Result<()> {
    let flags = OFlags::TMPFILE | OFlags::RDWR;
    let file = rustix::fs::open(scene.run(), flags, Mode::RUSR | Mode::WUSR)?;
    write_and_read_back(File::from(file))?;
    let path = scene.run().join("removed");
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    write_and_read_back(file)
}

fn write_and_read_back(mut file: File) -> io::Result<()> {
    file.write_all(b"kept without a name")?;
    file.rewind()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    expect(text == "kept without a name", "a file without a name lost its content")
}

fn locks(scene: &Scene) -> io::Result<()> {
    let path = scene.run().join("lock");
    let (one, other) = (File::create(&path)?, File::options().write(true).open(&path)?);
    one.lock()?;
    expect(other.try_lock().is_err(), "two hold one lock")?;
    one.unlock()?;
    other.try_lock()?;
    other.unlock()?;
    for operation in [FlockOperation::LockExclusive, FlockOperation::Unlock] {
        rustix::fs::fcntl_lock(&one, operation)?;
    }
    let mut lock = whole_file(libc::F_WRLCK);
    nix::fcntl::fcntl(&one, nix::fcntl::FcntlArg::F_OFD_SETLK(&lock))?;
    lock.l_type = libc::F_WRLCK as i16;
    let refused = nix::fcntl::fcntl(&other, nix::fcntl::FcntlArg::F_OFD_SETLK(&lock));
    expect(refused == Err(nix::errno::Errno::EAGAIN), "two hold one lock of their description")
}

fn whole_file(kind: i32) -> libc::flock {
    libc::flock {
        l_type: kind as i16,
        l_whence: libc::SEEK_SET as i16,
        l_start: 0,
        l_len: 0,
        l_pid: 0,
    }
}

fn mapped(scene: &Scene) -> io::Result<()> {
    let path = scene.run().join("mapped");
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
    file.set_len(8192)?;
    crate::raw::write_through_map(&file, b"mapped")
}
