//! Programs that exist, programs that do not, and programs that must not be started.

use super::confinement::confined;
use super::*;

fn refusal(path: impl AsRef<Path>) -> NotExecutable {
    match discover(path.as_ref()).unwrap_err() {
        DiscoverError::NotExecutable { cause, .. } => cause,
        other => panic!("{other}"),
    }
}

#[test]
fn a_program_is_found_by_path_by_name_and_through_links() {
    let folder = Folder::new();
    let real = fs::canonicalize("/bin/true").unwrap();
    folder.link("second", "/bin/true");
    let link = folder.link("first", "second");
    let needs = discover(&link).unwrap();
    assert_eq!(needs.image, real);
    // busybox and its like go by the name that they are started under.
    assert_eq!(needs.argument0, link);
    assert_eq!(needs.prefix_arguments, Vec::<OsString>::new());
    assert_eq!(discover("true").unwrap().image, real);
    let by_folder = program(Path::new("first"), folder.path.as_os_str()).unwrap();
    assert_eq!((by_folder.image, by_folder.argument0), (real, link.into_os_string()));
}

#[test]
fn a_missing_program_and_one_that_cannot_be_executed_are_told_apart() {
    let folder = Folder::new();
    let missing = folder.path.join("missing");
    for path in [missing.as_path(), Path::new("no-such-program"), Path::new("")] {
        assert!(discover(path).unwrap_err().is_not_found(), "{path:?}");
    }
    let dangling = folder.link("dangling", "nowhere");
    assert!(discover(dangling).unwrap_err().is_not_found());

    assert_eq!(refusal(&folder.path), NotExecutable::Directory);
    // Even root executes nothing that has no execution bit at all: access(2).
    assert_eq!(refusal(folder.file("plain", "x", 0o644)), NotExecutable::Permission);
    assert_eq!(refusal(folder.file("closed", "x", 0o000)), NotExecutable::Permission);
    let socket = folder.path.join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert_eq!(refusal(&socket), NotExecutable::NotRegular);
    let circle = folder.link("circle", "circle");
    let error = discover(circle).unwrap_err();
    assert!(matches!(error, DiscoverError::Inspect { call: "realpath", .. }), "{error}");
    assert!(!error.is_not_found());
}

#[test]
fn a_search_goes_on_after_a_candidate_that_cannot_be_executed() {
    let folder = Folder::new();
    folder.file("closed/true", "x", 0o644);
    fs::create_dir_all(folder.path.join("folder/true")).unwrap();
    let variable = |tail: &str| {
        let base = folder.path.display();
        OsString::from(format!("relative::{base}/closed:{base}/folder{tail}"))
    };
    let found = program(Path::new("true"), &variable(":/bin")).unwrap();
    assert_eq!(found.image, fs::canonicalize("/bin/true").unwrap());
    let error = program(Path::new("true"), &variable("")).unwrap_err();
    assert!(matches!(error, DiscoverError::NotExecutable { .. }), "{error}");
}

#[test]
fn set_id_files_are_refused() {
    let folder = Folder::new();
    let copy = folder.copy("copy", Path::new("/bin/true"));
    assert!(discover(&copy).is_ok());
    for mode in [0o4755, 0o2755] {
        fs::set_permissions(&copy, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(refusal(&copy), NotExecutable::SetId);
    }
}

#[test]
fn a_file_that_may_be_executed_but_not_read_is_refused() {
    let folder = Folder::new();
    let copy = folder.copy("copy", Path::new("/bin/true"));
    let needs = discover(&copy).unwrap();
    let nothing = Needs { execute: [].into(), ..needs };
    let error = confined(&nothing, &[], || discover(&copy)).unwrap_err();
    assert!(matches!(error, DiscoverError::Inspect { call: "read", .. }), "{error}");
    assert!(confined(&nothing, &[&copy], || discover(&copy)).is_ok());
}

#[test]
fn files_that_are_no_program_of_this_machine_are_refused() {
    let folder = Folder::new();
    let mut bytes = fs::read("/bin/true").unwrap();
    let cut = folder.file("cut", &bytes[..100], 0o755);
    bytes[18] = 22;
    let foreign = folder.file("foreign", &bytes, 0o755);
    let text = folder.file("text", "echo no interpreter line\n", 0o755);
    let empty = folder.file("empty", "", 0o755);
    let source = |path: &Path| match discover(path).unwrap_err() {
        DiscoverError::Image { source, .. } => source,
        other => panic!("{other}"),
    };
    assert!(matches!(source(&cut), ElfError::Malformed(_)));
    assert!(matches!(source(&foreign), ElfError::Foreign { machine: 22, .. }));
    assert!(matches!(source(&text), ElfError::NotElf));
    assert!(matches!(source(&empty), ElfError::NotElf));
}

#[test]
fn an_image_whose_loader_is_missing_or_no_loader_is_refused() {
    let folder = Folder::new();
    let secret = folder.file("secret", "not a loader", 0o755);
    let absent = folder.path.join("absent");
    let build = |name: &str, loader: &Path| {
        let option = format!("-Wl,--dynamic-linker={}", loader.display());
        discover(folder.compile(name, HELLO, &[&option])).unwrap_err()
    };
    let error = build("one", &absent);
    assert!(matches!(error, DiscoverError::Loader { .. }), "{error}");
    assert!(!error.is_not_found(), "the program is there, its loader is not");
    let error = build("two", &secret);
    assert!(matches!(&error, DiscoverError::Image { path, .. } if *path == secret), "{error}");
}

#[test]
fn a_name_with_control_characters_is_printed_escaped() {
    let error = discover("/nowhere/\x1b[2J\n").unwrap_err().to_string();
    assert!(!error.contains(|c: char| c.is_control()), "{error:?}");
    assert!(error.contains("\\u{1b}[2J\\n"), "{error:?}");
}
