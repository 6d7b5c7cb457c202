//! Links and directories: what leads elsewhere.

use super::*;

/// HT-SYMLINKREAD, HT-SYMLINKDIR.
#[test]
fn a_link_to_a_secret_is_not_read_and_a_linked_directory_not_entered() {
    let host = Host::new();
    fs::create_dir(host.path("host")).unwrap();
    fs::write(host.path("host/secret"), "t0ken").unwrap();
    let (run, directory) = host.run(&format!(
        "import os\nos.symlink({0:?}, 'result.txt'); os.symlink({1:?}, 'sub'); os.mkdir('real')\n\
         open('real/in.txt', 'w').write('good')",
        host.path("host/secret"),
        host.path("host")
    ));
    assert_eq!(fs::read(directory.join("result.txt")).unwrap(), b"t0ken");
    assert_eq!(fs::read(directory.join("sub/secret")).unwrap(), b"t0ken");
    let reasons = [("result.txt", Why::Link), ("sub", Why::Link)];
    let taken = harvest(&run, "**");
    assert_eq!(names(&taken), ["good.txt", "real/in.txt"]);
    let found: Vec<(&str, Why)> =
        taken.findings().iter().map(|one| (one.path.as_str(), one.why.clone())).collect();
    assert_eq!(found, reasons);
    only_good_but(&harvest(&run, "*.txt"), &[("result.txt", Why::Link)]);
    assert!(harvest(&run, "sub/secret").files().is_empty());
    for file in taken.files() {
        assert!(!text_of(&file.read().unwrap()).contains("t0ken"));
    }
}

/// HT-SYMLINKDIR, as a race: a directory is replaced by a link between the host's look and its open. No
/// process of a run lives when its files are taken, so the test replaces it itself, all the time.
#[test]
fn a_directory_that_is_replaced_by_a_link_while_it_is_walked_leads_nowhere() {
    let host = Host::new();
    fs::create_dir_all(host.path("host")).unwrap();
    fs::write(host.path("host/x.txt"), "t0ken").unwrap();
    let (run, directory) =
        host.run("import os\nos.mkdir('sub'); open('sub/x.txt', 'w').write('own')");
    let (sub, link) = (directory.join("sub"), directory.join("link"));
    symlink(host.path("host"), &link).unwrap();
    let swap = || {
        let swap = rustix::fs::RenameFlags::EXCHANGE;
        rustix::fs::renameat_with(CWD, &sub, CWD, &link, swap).unwrap();
    };
    // The naive host looks, and then opens by name.
    assert!(fs::symlink_metadata(&sub).unwrap().is_dir());
    swap();
    assert_eq!(fs::read(sub.join("x.txt")).unwrap(), b"t0ken");
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::SeqCst) {
                swap();
            }
        });
        for _ in 0..300 {
            for file in harvest(&run, "sub/*.txt").files() {
                assert_eq!(file.read().unwrap(), b"own");
            }
        }
        done.store(true, std::sync::atomic::Ordering::SeqCst);
    });
}

/// HT-SYMLINKWRITE.
#[test]
fn what_the_host_writes_never_goes_through_a_link_that_a_program_left() {
    let host = Host::new();
    fs::write(host.path("victim"), "victim").unwrap();
    let (run, directory) = host.run(&format!(
        "import os\nos.symlink({0:?}, 'run.log'); os.symlink({0:?}, 'tmp/x'); os.symlink({0:?}, '0')",
        host.path("victim")
    ));
    // The host keeps what it writes of a run beside the run directory, where no program can leave a link.
    harvest(&run, "*.txt");
    assert_eq!(fs::read(host.path("victim")).unwrap(), b"victim");
    // And saves through none that stands at the destination, nor over a file.
    let into = host.path("deliverables");
    fs::create_dir(&into).unwrap();
    symlink(host.path("victim"), into.join("good.txt")).unwrap();
    assert!(harvest(&run, "*.txt").save(&into).is_err());
    fs::remove_file(into.join("good.txt")).unwrap();
    harvest(&run, "*.txt").save(&into).unwrap();
    assert_eq!(fs::read(into.join("good.txt")).unwrap(), b"good");
    assert!(harvest(&run, "*.txt").save(&into).is_err());
    assert_eq!(fs::read(host.path("victim")).unwrap(), b"victim");
    fs::OpenOptions::new()
        .append(true)
        .open(directory.join("run.log"))
        .unwrap()
        .write_all(b"!")
        .unwrap();
    assert_eq!(fs::read(host.path("victim")).unwrap(), b"victim!");
}

/// HT-SYMLOOP.
#[test]
fn links_that_lead_in_circles_multiply_nothing() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nos.mkdir('d'); os.symlink('..', 'd/up'); os.symlink('.', 'self'); os.symlink('loop', 'loop')\n\
         open('d/x.txt', 'w').write('x')",
    );
    // The naive path through the circle is as good a path as any.
    assert!(fs::read(directory.join("d/up/d/up/self/self/d/x.txt")).is_ok());
    let taken = harvest(&run, "**/*.txt");
    assert_eq!(names(&taken), ["d/x.txt", "good.txt"]);
    assert_eq!(taken.findings().len(), 3);
    assert!(taken.findings().iter().all(|finding| finding.why == Why::Link));
}

/// HT-HARDLINKOUT.
#[test]
fn a_file_with_a_second_name_is_left_and_a_copy_is_nobody_elses() {
    let host = Host::new();
    let (run, directory) =
        host.run("import os\nopen('a.txt', 'w').write('a'); os.link('a.txt', 'tmp/b')");
    fs::write(directory.join("tmp/b"), "changed").unwrap();
    assert_eq!(fs::read(directory.join("a.txt")).unwrap(), b"changed");
    let taken = harvest(&run, "*.txt");
    only_good_but(&taken, &[("a.txt", Why::HardLink(2))]);
    // What is written behind the harvest does not reach its copy.
    fs::write(directory.join("good.txt"), "forged").unwrap();
    assert_eq!(taken.files()[0].read().unwrap(), b"good");
    let copied = fs::metadata(directory.join("good.txt")).unwrap();
    assert_eq!(copied.nlink(), 1);
}

#[test]
fn a_pattern_that_leads_out_of_the_run_directory_is_an_error() {
    let host = Host::new();
    let (run, _directory) = host.run("");
    for pattern in ["../owner.json", "/etc/passwd", "", "a/../../x"] {
        let refused = run.harvest(pattern, &HarvestLimits::default());
        assert!(matches!(refused, Err(HarvestError::Pattern(_))), "{pattern:?}");
    }
    assert_eq!(names(&harvest(&run, "good.txt")), ["good.txt"]);
}

#[test]
fn a_directory_that_is_mounted_in_a_run_directory_is_left_and_its_files_stay() {
    let host = Host::new();
    let precious = host.path("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("x.txt"), "precious").unwrap();
    let (run, directory) = host.run("import os\nos.mkdir('mounted')");
    let place = directory.join("mounted");
    let (from, to) = (precious.to_str().unwrap(), place.to_str().unwrap());
    let mounted = naive(Path::new("/"), "mount", &["--bind", from, to]).status.success();
    let taken = harvest(&run, "mounted/*.txt");
    if mounted {
        // The naive host reads through it.
        assert_eq!(fs::read(place.join("x.txt")).unwrap(), b"precious");
        assert!(taken.files().is_empty());
    }
    drop(run);
    // It stays, wherever its directory is by then, and so does the root.
    assert_eq!(host.session.close().is_empty(), !mounted);
    assert_eq!(fs::read(precious.join("x.txt")).unwrap(), b"precious");
    let base = host.folder.path().canonicalize().unwrap().join("base");
    let table = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let below: Vec<&str> = table
        .lines()
        .filter_map(|line| line.split(' ').nth(4))
        .filter(|place| Path::new(place).starts_with(&base))
        .collect();
    assert_eq!(below.len(), usize::from(mounted), "{below:?}");
    if mounted {
        assert!(naive(Path::new("/"), "umount", &below).status.success());
    }
}
