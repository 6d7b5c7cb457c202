//! Libraries are found where the loader of the host finds them.

use super::confinement::{bare, run, said};
use super::*;
use crate::linux::discover::loader::{Family, Loader, configured};

/// A program in `bin` that needs `libouter.so` in `lib`, which needs `libinner.so` in `lib/deep`; the
/// options say how each is to be found.
fn build(folder: &Folder, program: &str, outer: &[&str], options: &[&str]) -> PathBuf {
    fs::create_dir_all(folder.path.join("lib/deep")).unwrap();
    fs::create_dir_all(folder.path.join("bin")).unwrap();
    folder.compile("lib/deep/libinner.so", "int inner(void) { return 7; }", &["-shared", "-fPIC"]);
    let text = "int inner(void); int outer(void) { return inner(); }";
    let mut all = vec!["-shared", "-fPIC", "-Llib/deep", "-linner"];
    all.extend(outer);
    folder.compile("lib/libouter.so", text, &all);
    let text = "int outer(void); int main(void) { return outer(); }";
    let mut all = vec!["-Llib", "-louter", "-Wl,-rpath-link,lib/deep"];
    all.extend(options);
    folder.compile(&format!("bin/{program}"), text, &all)
}

#[test]
fn private_libraries_are_granted_one_by_one() {
    let folder = Folder::new();
    let neighbour = folder.file("lib/private-notes", "x", 0o644);
    let program = build(
        &folder,
        "modern",
        &["-Wl,--enable-new-dtags,-rpath,${ORIGIN}/deep"],
        &["-Wl,--enable-new-dtags,-rpath,$ORIGIN/../lib"],
    );
    let needs = discover(&program).unwrap();
    assert_well_formed(&needs);
    assert!(needs.read.contains(&folder.path.join("lib/libouter.so")), "{needs:?}");
    assert!(needs.read.contains(&folder.path.join("lib/deep/libinner.so")), "{needs:?}");
    assert!(!is_covered(&neighbour, &needs));
    assert_eq!(said(&run(&needs, &[], &[])).2, Some(7));
}

#[test]
fn rpath_is_inherited_and_runpath_is_not() {
    let folder = Folder::new();
    let both = "-rpath,$ORIGIN/../lib:$ORIGIN/../lib/deep";
    let old = build(&folder, "old", &[], &[&format!("-Wl,--disable-new-dtags,{both}")]);
    let needs = discover(&old).unwrap();
    assert_eq!(said(&run(&needs, &[], &[])).2, Some(7));

    let new = build(&folder, "new", &[], &[&format!("-Wl,--enable-new-dtags,{both}")]);
    // The loader does not find it either.
    let launch = Needs { image: new.clone(), argument0: new.clone().into(), ..needs };
    assert_eq!(said(&bare(&launch, &[])).2, Some(127));
    match discover(&new).unwrap_err() {
        DiscoverError::MissingLibrary { library, needed_by } => {
            assert_eq!(library, "libinner.so");
            assert_eq!(needed_by.file_name().unwrap(), "libouter.so");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_file_of_the_right_name_that_is_no_library_is_passed_over_and_not_granted() {
    let folder = Folder::new();
    let path = "-Wl,-rpath,$ORIGIN/../wrong:$ORIGIN/../lib:$ORIGIN/../lib/deep,--disable-new-dtags";
    let program = build(&folder, "program", &[], &[path]);
    let secret = folder.file("secret", "not a library", 0o600);
    folder.link("wrong/libouter.so", &secret);
    let needs = discover(&program).unwrap();
    assert!(!is_covered(&secret, &needs));
    assert!(is_covered(&folder.path.join("lib/libouter.so"), &needs));
    assert_eq!(said(&run(&needs, &[], &[])).2, Some(7));
}

#[test]
fn the_configuration_of_the_loader_is_read_with_its_includes() {
    let folder = Folder::new();
    let main = "# comment\ninclude conf.d/*.conf\n  /opt/a # trailing\n/opt/b=libc6\nrelative\nhwcap 1 x\n";
    let main = folder.file("ld.so.conf", main, 0o644);
    folder.file("conf.d/2.conf", "/opt/two", 0o644);
    folder.file("conf.d/1.conf", "/opt/one\ninclude ../ld.so.conf\n", 0o644);
    folder.file("conf.d/3.other", "/opt/three", 0o644);
    let mut directories = configured(&main);
    let first: Vec<_> = directories.iter().take(2).cloned().collect();
    // A circle of includes ends, and the order is that of the files.
    assert!(first.contains(&PathBuf::from("/opt/one")));
    directories.sort();
    directories.dedup();
    assert_eq!(directories, ["/opt/a", "/opt/b", "/opt/one", "/opt/two"].map(PathBuf::from));
    assert_eq!(configured(&folder.path.join("absent")), Vec::<PathBuf>::new());
}

#[test]
fn musl_searches_where_its_path_file_says() {
    let folder = Folder::new();
    let interpreter = folder.path.join("lib/ld-musl-x86_64.so.1");
    let default = Loader::named(&interpreter);
    assert_eq!(default.search, ["/lib", "/usr/local/lib", "/usr/lib"].map(PathBuf::from));
    let file = folder.file("etc/ld-musl-x86_64.path", "/opt/a:/opt/b\n/opt/c\n", 0o644);
    let loader = Loader::named(&interpreter);
    assert_eq!(loader.search, ["/opt/a", "/opt/b", "/opt/c"].map(PathBuf::from));
    assert_eq!((loader.family, loader.reads.clone()), (Family::Musl, Some(file.clone())));
    // A link would have the program choose what is granted.
    let secret = folder.file("secret", "x", 0o600);
    fs::remove_file(&file).unwrap();
    folder.link("etc/ld-musl-x86_64.path", &secret);
    assert_eq!(Loader::named(&interpreter).reads, None);
    // A FIFO would have us wait for a writer.
    fs::remove_file(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(Loader::named(&interpreter).search, default.search);
    // The loader is the C library.
    let own = |library: &str| loader.is_itself(OsStr::new(library));
    assert!(own("libc.so") && own("libc.musl-x86_64.so.1") && own("libpthread.so.0"));
    assert!(!own("libcurl.so.4") && !own("libz.so.1"));
}
