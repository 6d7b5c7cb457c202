//! Runs: how they end, and what goes in and out.

use super::*;
use std::ffi::OsString;
use std::io;

#[test]
fn every_way_to_end_has_its_outcome() {
    let place = Place::new();
    let limits = Limits {
        wall_clock_milliseconds: Bound::At(1_500),
        output_bytes: Bound::At(10_000),
        run_directory_bytes: Bound::At(1 << 20),
        ..session_limits()
    };
    let session = place.session().limits(limits.clone()).build();
    let outcome = |text: &str| session.run(&python(text)).unwrap().outcome().clone();
    assert_eq!(outcome("raise SystemExit(7)"), Outcome::Exited(7));
    assert_eq!(outcome("1/0"), Outcome::Exited(1));
    assert_eq!(outcome("import os, signal; os.abort()"), Outcome::Signalled(libc::SIGABRT));
    assert_eq!(outcome("import time; time.sleep(60)"), Outcome::TimedOut);
    assert_eq!(outcome("while True: print('x' * 1000)"), Outcome::OutputCapped);
    let fill = "with open('x', 'wb') as f:\n    while True: f.write(b'x' * 100_000); f.flush()";
    assert_eq!(outcome(fill), Outcome::DirectoryFull);
    // Without a bound on memory and without the hook these are ordinary codes.
    assert_eq!(outcome("raise SystemExit(219)"), Outcome::Exited(219));
    assert_eq!(outcome("raise SystemExit(218)"), Outcome::Exited(218));
    let run = session.run(&python("print('x' * 20_000)")).unwrap();
    assert_eq!((run.outcome(), run.stdout().len()), (&Outcome::OutputCapped, 10_000));
    let nul = session.run(&python("").argument("a\0b")).unwrap();
    assert_eq!(*nul.outcome(), Outcome::Refused(Refusal::Nul));
    let large = session.run(&python("").argument("a".repeat(1 << 22))).unwrap();
    assert_eq!(*large.outcome(), Outcome::Refused(Refusal::Arguments));
    let text = session.run(&python(&"#".repeat((1 << 24) + 1))).unwrap();
    assert!(matches!(text.outcome(), Outcome::Refused(Refusal::Text { .. })));

    let little = Limits { address_space_bytes: Bound::At(1 << 28), ..limits };
    let session = place.session().limits(little.clone()).build();
    let outcome = |text: &str| session.run(&python(text)).unwrap().outcome().clone();
    assert_eq!(outcome("x = bytearray(1 << 30)"), Outcome::MemoryLimit);
    assert_eq!(outcome("x = []\nwhile True: x.append(bytearray(1 << 20))"), Outcome::MemoryLimit);
    assert_eq!(outcome("x = bytearray(1 << 20)"), Outcome::Exited(0));
    assert_eq!(outcome("raise SystemExit(3)"), Outcome::Exited(3));
    let run = session.run(&python("def f(): 1/0\nf()")).unwrap();
    let trace = said(run.stderr());
    assert!(trace.starts_with("Traceback") && trace.matches("File ").count() == 2, "{trace}");
    assert!(!trace.contains("<string>"), "{trace}");

    let session = place.session().limits(little).hook(true).build();
    let outcome = |text: &str| session.run(&python(text)).unwrap().outcome().clone();
    assert_eq!(outcome("open('/etc/passwd')"), Outcome::DeniedByHook);
    assert_eq!(outcome("x = bytearray(1 << 30)"), Outcome::MemoryLimit);
    assert_eq!(outcome("open('own', 'w').write('own')"), Outcome::Exited(0));
    assert_eq!(outcome("x = ("), Outcome::Exited(1));
    let words: Vec<Value> =
        place.told.named("SANDBOX_RUN").iter().map(|event| event["outcome"].clone()).collect();
    for word in [
        "exited",
        "signalled",
        "timed-out",
        "output-capped",
        "directory-full",
        "memory-limit",
        "refused",
        "denied-by-hook",
    ] {
        assert!(words.contains(&word.into()), "{word}");
    }
}

#[test]
fn programs_of_several_threads_run_in_one_session_and_never_mix() {
    let place = Place::new();
    let session = place.session().build();
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let session = &session;
            scope.spawn(move || {
                for turn in 0..5 {
                    let text = "import sys\nopen('same', 'a').write(sys.argv[1])\nprint(open('same').read()); sys.exit(int(sys.argv[2]))";
                    let own = format!("{thread}-{turn}");
                    let run = session
                        .run(&python(text).argument(&own).argument((turn % 5).to_string()))
                        .unwrap();
                    assert_eq!(said(run.stdout()), format!("{own}\n"));
                    assert_eq!(*run.outcome(), Outcome::Exited(turn % 5));
                    let harvest = run.harvest("same", &HarvestLimits::default()).unwrap();
                    assert_eq!(harvest.files()[0].read().unwrap(), own.as_bytes());
                }
            });
        }
    });
    assert_eq!(place.roots().len(), 1);
    // Of what the programs wrote nothing is left, and with the session everything goes.
    let root = &place.roots()[0];
    until(root, || is_removed(root));
    assert_eq!(session.close(), [""; 0]);
    assert!(place.roots().is_empty());
}

/// The names of what stands below a directory, without directories and files that nobody has written to.
fn written_below(directory: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let metadata = fs::symlink_metadata(&path)?;
        if metadata.is_dir() {
            names.extend(written_below(&path)?);
        } else if metadata.len() > 0 {
            names.push(path.file_name().unwrap().to_owned());
        }
    }
    Ok(names)
}

/// Whether nothing that programs wrote is left in a session's root. A directory that is read while it goes is an
/// error, and not the end.
fn is_removed(root: &Path) -> bool {
    written_below(root).is_ok_and(|names| names == ["owner.json"])
}

/// Waits for what is done beside the host.
fn until(root: &Path, is_done: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_done() {
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", written_below(root));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// SL-RESIDUE. A descriptor keeps the number of the first directory from being given to another. Control: a
/// program's own directory has the number that its host sees, and while it is there its file is seen.
#[test]
fn no_program_is_given_a_directory_that_another_had_and_what_one_left_goes_with_its_run() {
    use std::os::unix::fs::MetadataExt;
    let place = Place::new();
    let text = "import os
print(os.getcwd(), os.stat('.').st_ino, os.stat('tmp').st_ino, *os.listdir('.'), *os.listdir('tmp'))
open('left', 'w').write('t0ken'); open('tmp/left', 'w').write('t0ken')
os.mkdir('below'); open('below/left', 'w').write('t0ken')";
    for mode in [Mode::Auto, Mode::AuditOnly] {
        let session = place.session().mode(mode).build();
        let (mut held, mut numbers) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            let run = session.run(&python(text)).unwrap();
            let output = said(run.stdout());
            let mut words = output.split_whitespace();
            let directory = PathBuf::from(words.next().unwrap());
            for directory in [directory.clone(), directory.join("tmp")] {
                let opened = fs::File::open(&directory).unwrap();
                let number = opened.metadata().unwrap().ino();
                assert_eq!(words.next().unwrap(), number.to_string());
                held.push(opened);
                numbers.push(number);
            }
            assert_eq!(words.collect::<Vec<_>>(), ["tmp"]);
            let root = directory.ancestors().nth(2).unwrap();
            let left = written_below(directory.parent().unwrap()).unwrap();
            assert_eq!(left.iter().filter(|name| *name == "left").count(), 3);
            drop(run);
            assert!(!directory.exists());
            // Where nothing confines, nothing stands ready that a program could spoil for the next.
            let is_ready = mode == Mode::Auto;
            until(root, || {
                let all = fs::read_dir(root).unwrap().count();
                is_removed(root) && is_ready == (all > 1)
            });
        }
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), held.len(), "{numbers:?}");
    }
}

/// C86, C87, C88, C90.
#[test]
fn a_program_that_stops_itself_ignores_signals_or_sleeps_ends_at_its_limit_and_keeps_its_output() {
    let place = Place::new();
    let limits = Limits { wall_clock_milliseconds: Bound::At(1_000), ..session_limits() };
    let session = place.session().limits(limits).build();
    let first = "import os, signal, threading, time\nprint('said', flush=True)\n";
    for (text, outcome) in [
        ("os.kill(os.getpid(), signal.SIGSTOP); time.sleep(60)", Outcome::TimedOut),
        (
            "for s in (1, 2, 3, 13, 14, 15): signal.signal(s, signal.SIG_IGN)
def spin():
    while True: pass
for _ in range(20): threading.Thread(target=spin).start()",
            Outcome::TimedOut,
        ),
        ("time.sleep(60)", Outcome::TimedOut),
        ("print(time.process_time() < 60)", Outcome::Exited(0)),
    ] {
        let run = session.run(&python(&format!("{first}{text}"))).unwrap();
        assert_eq!(*run.outcome(), outcome, "{text}");
        assert!(run.stdout().starts_with(b"said\n"), "{text}");
    }
    // Time on the processor is a limit of its own.
    let limits = Limits { cpu_seconds: Bound::At(2), ..session_limits() };
    let session = place.session().limits(limits).build();
    let run = session.run(&python("while True: pass")).unwrap();
    assert_eq!(*run.outcome(), Outcome::TimedOut);
    assert!(run.usage().cpu < Duration::from_secs(30));
}

/// C97, C98, C100.
#[test]
fn output_and_input_of_any_size_go_through_to_the_last_byte() {
    let place = Place::new();
    let limits = Limits { output_bytes: Bound::Unlimited, ..session_limits() };
    let session = place.session().limits(limits).build();
    for size in [1, 4096, 65_535, 65_536, 65_537, 1 << 20] {
        let text = "import os, sys
n = int(sys.argv[1])
for stream in (2, 1):
    left = memoryview(b'x' * (n - 1) + b'e')
    while left: left = left[os.write(stream, left):]
os._exit(3)";
        let run = session.run(&python(text).argument(size.to_string())).unwrap();
        assert_eq!(*run.outcome(), Outcome::Exited(3));
        for stream in [run.stdout(), run.stderr()] {
            assert_eq!((stream.len(), stream.last()), (size, Some(&b'e')));
        }
    }
    let large: Vec<u8> = (0..20_000_000).map(|index: u32| (index % 251) as u8).collect();
    let cat = python("import sys, shutil\nshutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)");
    let run = session.run(&cat.input(large.clone())).unwrap();
    assert!(run.stdout() == large, "{} bytes came back", run.stdout().len());
    let unread = session.run(&python("print('did not read')").input(large)).unwrap();
    assert_eq!((unread.outcome(), unread.stdout()), (&Outcome::Exited(0), &b"did not read\n"[..]));
}

/// C94, C96.
#[test]
fn a_program_begins_with_nothing_blocked_or_ignored_and_its_code_is_its_own() {
    let place = Place::new();
    let session = place.session().build();
    let text = "import signal
print(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
print([s for s in range(1, 65) if s not in (32, 33) and signal.getsignal(s) == signal.SIG_IGN])";
    let run = session.run(&python(text)).unwrap();
    // Python itself ignores SIGPIPE and SIGXFSZ.
    assert_eq!(said(run.stdout()), "set()\n[13, 25]\n");
    for code in [0, 1, 2, 124, 125, 126, 127, 128, 137, 255] {
        let run = session.run(&python(&format!("raise SystemExit({code})"))).unwrap();
        assert_eq!(*run.outcome(), Outcome::Exited(code));
    }
}
