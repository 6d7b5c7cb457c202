//! Bounds: trees and files made to exhaust whoever walks or reads them.

use super::*;

/// HT-MODE000.
#[test]
fn a_closed_tree_is_a_finding_for_the_harvest_and_none_for_the_removal() {
    let host = Host::new();
    let (run, directory) =
        host.run("import os\nos.mkdir('closed'); open('closed/x.txt', 'w').write('x')");
    fs::set_permissions(directory.join("closed/x.txt"), fs::Permissions::from_mode(0o0)).unwrap();
    fs::set_permissions(directory.join("closed"), fs::Permissions::from_mode(0o0)).unwrap();
    let privileged = fs::read_dir(directory.join("closed")).is_ok();
    let taken = harvest(&run, "**/*.txt");
    // Whoever may read everything reads it; nobody else does, and changes no mode for it.
    assert_eq!(taken.is_complete(), privileged, "{:?}", taken.findings());
    assert!(names(&taken).contains(&"good.txt"));
    assert_eq!(fs::metadata(directory.join("closed")).unwrap().mode() & 0o777, 0);
    drop(run);
    assert!(!directory.exists());
    assert_eq!(host.session.close(), [""; 0]);
}

/// HT-DEEPTREE.
#[test]
fn a_tree_of_thousands_of_levels_ends_neither_harvest_nor_removal() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nfor name, depth in (('d', 3000), ('L' * 200, 60)):
    top = os.open('.', os.O_RDONLY)
    for _ in range(depth): os.mkdir(name); os.chdir(name)
    open('deep.txt', 'w'); os.fchdir(top)",
    );
    let rmtree =
        naive(&directory, "python3", &["-c", "import shutil; shutil.copytree('.', '../copy')"]);
    assert!(!rmtree.status.success(), "the naive copy worked");
    let long = "L".repeat(200);
    let deep = ["d"; 17].join("/");
    let deep_long = [long.as_str(); 17].join("/");
    let too_deep = [(deep_long.as_str(), Why::TooDeep(16)), (deep.as_str(), Why::TooDeep(16))];
    only_good_but(&harvest(&run, "**/*.txt"), &too_deep);
    drop(run);
    assert!(!directory.exists());
    assert_eq!(host.session.close(), [""; 0]);
}

/// HT-MANYFILES.
#[test]
fn of_many_files_as_many_are_taken_and_looked_at_as_the_limits_say() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nos.mkdir('many')\nfor i in range(3000): open('many/%d.txt' % i, 'w').write('x')",
    );
    // The naive walk takes them all.
    assert_eq!(fs::read_dir(directory.join("many")).unwrap().count(), 3000);
    let most = |files, entries| HarvestLimits { files, entries, ..HarvestLimits::default() };
    let few = run.harvest("many/*.txt", &most(100, 20_000)).unwrap();
    assert_eq!((few.files().len(), few.findings().len()), (100, 1));
    assert_eq!(few.findings()[0].why, Why::Full { what: "files", most: 100 });
    let looked = run.harvest("many/*.bin", &most(100, 500)).unwrap();
    assert_eq!(looked.findings()[0].why, Why::Full { what: "entries", most: 500 });
    let bytes = HarvestLimits { bytes: 10, ..HarvestLimits::default() };
    let bytes = run.harvest("many/?.txt", &bytes).unwrap();
    assert_eq!((bytes.files().len(), bytes.is_complete()), (10, true));
    let bytes = HarvestLimits { bytes: 9, ..HarvestLimits::default() };
    assert_eq!(run.harvest("many/?.txt", &bytes).unwrap().files().len(), 9);
    assert!(run.harvest("many/*.txt", &most(5_000, 20_000)).unwrap().is_complete());
    // However many there are below, what stands above is found and named.
    symlink("many", directory.join("zz")).unwrap();
    let beside = run.harvest("**", &most(10, 20_000)).unwrap();
    assert!(names(&beside).contains(&"good.txt"));
    assert_eq!(beside.findings()[0].why, Why::Link);
    fs::remove_file(directory.join("zz")).unwrap();
    // What is spelled is found among any number of others.
    let spelled = run.harvest("many/2999.txt", &most(1, 10)).unwrap();
    assert_eq!((names(&spelled), spelled.is_complete()), (vec!["many/2999.txt"], true));
    assert!(run.harvest("many/absent.txt", &most(1, 10)).unwrap().is_complete());
    drop(run);
    assert!(!directory.exists());
    assert_eq!(host.session.close(), [""; 0]);
}

/// HT-SPARSE.
#[test]
fn a_file_that_is_far_larger_than_what_is_stored_of_it_is_left() {
    let host = Host::new();
    let (run, directory) = host.run(
        "with open('bomb.txt', 'wb') as f: f.truncate(1 << 25)\nwith open('dense.txt', 'wb') as f: f.write(b'd' * (1 << 21))\n\
         with open('large.txt', 'wb') as f: f.truncate(1 << 27)",
    );
    // The naive host would read every zero.
    assert_eq!(fs::metadata(directory.join("large.txt")).unwrap().len(), 1 << 27);
    let taken = harvest(&run, "*.txt");
    assert_eq!(names(&taken), ["dense.txt", "good.txt"]);
    assert!(matches!(taken.findings()[0].why, Why::Sparse { size, .. } if size == 1 << 25));
    assert!(matches!(taken.findings()[1].why, Why::TooLarge { size, .. } if size == 1 << 27));
}
