//! Paths that lead through links, up and down again, and copies that the kernel makes.

use super::expect;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use rustix::fs::{Mode, OFlags};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, MetadataExt, symlink};

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/links-on-the-way",
        summary: "Own files are reached through links to directories, chains of links and `..`",
        work: native!(links),
        check: Some(|run, _stdout| match fs::read_to_string(run.join("real/deep/file")) {
            Ok(text) if text == "first, second" => Ok(()),
            other => Err(format!("real/deep/file: {other:?}")),
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/kernel-copies",
        summary: "The kernel copies between own files and pipes, and keeps holes",
        work: native!(copies),
        check: Some(|run, _stdout| match fs::metadata(run.join("holes")) {
            Ok(found) if found.len() == HOLES && found.blocks() < 1 << 12 => Ok(()),
            other => Err(format!("holes: {other:?}")),
        }),
        ..UsefulWork::BLANK
    },
];

fn links(scene: &Scene) -> io::Result<()> {
    let run = scene.run();
    fs::create_dir_all(run.join("real/deep"))?;
    symlink("real", run.join("link"))?;
    symlink(run.join("link/deep"), run.join("chain"))?;
    symlink("chain/file", run.join("last"))?;
    fs::write(run.join("chain/file"), "first")?;
    let mut file = OpenOptions::new().append(true).open(run.join("last"))?;
    file.write_all(b", second")?;
    let round = run.join("chain/../../link/./deep/file");
    expect(fs::read_to_string(&round)? == "first, second", "the way round leads elsewhere")?;
    let whole = run.canonicalize()?.join("real/deep/file");
    expect(run.join("last").canonicalize()? == whole, "the last link leads elsewhere")?;
    let folder = File::open(run.join("chain"))?;
    let up = rustix::fs::openat(&folder, "../deep/file", OFlags::RDONLY, Mode::empty())?;
    expect(io::read_to_string(File::from(up))? == "first, second", "`..` leads elsewhere")?;
    symlink("nowhere", run.join("dangling"))?;
    let absent = fs::read(run.join("dangling")).map_err(|error| error.kind());
    expect(absent == Err(io::ErrorKind::NotFound), "a link to nothing leads somewhere")?;
    symlink("loop", run.join("loop"))?;
    expect(fs::read(run.join("loop")).is_err(), "a link to itself leads somewhere")
}

/// The length of a file that is almost nothing but a hole, more than a sandbox may want to see written.
const HOLES: u64 = 300 << 20;

fn copies(scene: &Scene) -> io::Result<()> {
    let path = scene.run().join("source");
    fs::write(&path, vec![9; 1 << 16])?;
    let mut source = File::open(&path)?;
    let target = File::create(scene.run().join("target"))?;
    let copied = rustix::fs::copy_file_range(&source, None, &target, None, 1 << 16)?;
    expect(copied == 1 << 16, "the copied range is cut")?;
    source.rewind()?;
    // The calls that copy in the kernel may be missing, as on an older one: the library then reads and writes.
    let sent = io::copy(&mut source, &mut &target)?;
    expect(sent == 1 << 16 && target.metadata()?.len() == 1 << 17, "what was sent is cut")?;
    let (reader, mut writer) = io::pipe()?;
    source.rewind()?;
    let moved = io::copy(&mut (&source).take(4096), &mut writer)?;
    expect(moved == 4096, "the part for the pipe is cut")?;
    drop(writer);
    expect(io::copy(&mut &reader, &mut io::sink())? == 4096, "the pipe lost bytes")?;
    let mut holes = File::create(scene.run().join("holes"))?;
    holes.set_len(HOLES)?;
    holes.write_all_at(b"end", HOLES - 3)?;
    expect(holes.seek(SeekFrom::End(0))? == HOLES, "the file with a hole is cut")
}
